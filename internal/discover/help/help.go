package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// Parse reads the help text of a command. Path is the command's own, the
// program first.
func Parse(text string, path []string) *draft.Node {
	return ParseLines(Lines(text), path, draft.Help)
}

// ParseLines reads lines that a text was cut into, or that package man made of a
// manual page.
func ParseLines(lines []Line, path []string, from draft.Source) *draft.Node {
	n := &draft.Node{At: draft.Place{Source: from, Line: 1}}
	if len(path) > 0 {
		n.Name = path[len(path)-1]
	}
	secs := sections(lines)
	var forms []Form
	for i := range secs {
		sec := &secs[i]
		switch sec.kind {
		case usage:
			forms = append(forms, Forms(sec.lines, path)...)
			afterUsage(n, sec, from)
		case commands:
			addCommands(n, sec, path, from)
		case arguments:
			addArguments(n, sec, from)
		case examples:
			addExamples(n, sec, path)
			continue
		case notes, guides:
			continue
		}
		if sec.kind != usage && sec.kind != commands {
			addRows(n, sec, from)
		}
	}
	if len(forms) == 0 && len(secs) > 0 {
		forms = bareForms(lines, path)
	}
	settle(n)
	addForms(n, forms, from)
	describe(n, secs, from)
	return n
}

// afterUsage reads the rows of options that follow a usage without a title of
// their own.
func afterUsage(n *draft.Node, sec *section, from draft.Source) {
	for i, l := range sec.lines {
		if l.Text == "" && i > 0 {
			rest := section{indent: sec.indent, lines: sec.lines[i:]}
			addRows(n, &rest, from)
			return
		}
	}
}

// bareForms reads a first line that shows how the program is called without
// saying so: "systemctl [OPTIONS...] COMMAND ...".
func bareForms(lines []Line, path []string) []Form {
	for i, l := range lines {
		if l.Text == "" {
			continue
		}
		if i < 5 && startsForm(l.Text, path) && strings.ContainsAny(l.Text, "[<") {
			return Forms(lines[i:], path)
		}
	}
	return nil
}

// addRows adds the options of a section.
func addRows(n *draft.Node, sec *section, from draft.Source) {
	rs := rows(sec)
	for i := range rs {
		r := &rs[i]
		if r.Numeric {
			n.NumericFlags = true
		}
		if len(r.Names) == 0 {
			continue
		}
		n.AddFlag(flagOf(r, from))
	}
}

// flagOf makes a flag of a row.
func flagOf(r *row, from draft.Source) *draft.Flag {
	at := draft.Place{Source: from, Line: r.line.No}
	f := &draft.Flag{
		Names: r.Names, Arity: r.Arity, ArityAt: at, Metavar: r.Metavar, Values: r.Values, ValuesAt: at,
		Default: r.Default, Repeatable: r.Repeatable, Negated: r.Negated, At: []draft.Place{at},
	}
	readText(f, r.text(), r, at)
	if f.Arity == draft.Unsaid {
		f.Arity = draft.None
	}
	return f
}

func addCommands(n *draft.Node, sec *section, path []string, from draft.Source) {
	for _, s := range subCommands(sec, path) {
		s.At.Source = from
		if have := n.Sub(s.Name); have != nil {
			have.Merge(s)
			continue
		}
		n.Subs = append(n.Subs, s)
	}
}

// addArguments reads rows of positional arguments. Rows that stand deeper below
// one without a text are sub-commands, as argparse prints them.
func addArguments(n *draft.Node, sec *section, from draft.Source) {
	base := -1
	for i, l := range sec.lines {
		if l.Text == "" || l.Text[0] == '-' {
			continue
		}
		if base < 0 {
			base = l.Indent
		}
		left, right, _ := strings.Cut(l.Text, "  ")
		at := draft.Place{Source: from, Line: l.No}
		if l.Indent == base {
			name := strings.Fields(left)[0]
			arg := &draft.Arg{Name: bareMetavar(name), Description: sentence(strings.TrimSpace(right)), Required: name[0] != '[', Repeatable: strings.Contains(left, "..."), Values: choices(name), At: at}
			arg.Kind = WordKind(arg.Name)
			if nested := nestedRows(sec.lines[i+1:], base); len(nested) > 0 {
				sub := section{indent: base, lines: nested}
				addCommands(n, &sub, nil, from)
				continue
			}
			n.Args = append(n.Args, arg)
		}
	}
}

// nestedRows are the lines below an argument that look like rows of commands:
// deeper by a little, with a text column of their own.
func nestedRows(lines []Line, base int) []Line {
	end, rowsSeen := 0, 0
	for end < len(lines) && (lines[end].Text == "" || lines[end].Indent > base) {
		l := lines[end]
		if l.Text != "" && l.Indent <= base+4 {
			if _, ok := commandRow(l, nil, nextDeeper(lines, end)); ok {
				rowsSeen++
			}
		}
		end++
	}
	if rowsSeen == 0 {
		return nil
	}
	return lines[:end]
}

func addExamples(n *draft.Node, sec *section, path []string) {
	text := ""
	for _, l := range sec.lines {
		line := strings.TrimLeft(l.Text, "$ ")
		switch {
		case line == "":
		case len(path) > 0 && strings.HasPrefix(line, path[0]+" ") && len(n.Examples) < 50 && len(line) < 300:
			line, remark, _ := strings.Cut(line, "  #")
			if remark != "" {
				text = strings.TrimSpace(remark)
			}
			n.Examples = append(n.Examples, draft.Example{Line: strings.TrimSpace(line), Text: sentence(text)})
			text = ""
		default:
			text = strings.Trim(line, "#: ")
		}
	}
}

// describe takes the command's own description: the first running text.
func describe(n *draft.Node, secs []section, from draft.Source) {
	for i := range secs {
		sec := &secs[i]
		if from == draft.Man && !strings.EqualFold(sec.title, "NAME") {
			continue
		}
		if i > 0 && sec.kind != other && sec.kind != usage && from != draft.Man {
			continue
		}
		after := sec.kind != usage
		for _, l := range sec.lines {
			if l.Text == "" {
				after = true
				continue
			}
			if !after || rowStart(l.Text) || !strings.Contains(l.Text, " ") || !alnum(l.Text[0]) {
				continue
			}
			text := l.Text
			if _, d, ok := strings.Cut(text, " - "); ok && from == draft.Man {
				text = d
			}
			n.Description = sentence(text)
			return
		}
	}
}
