package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

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
			if nested := nestedRows(sec.lines[i+1:], base); len(nested) > 0 && !sec.marked {
				sub := section{indent: base, lines: nested}
				addCommands(n, &sub, nil, from)
				addUntold(n, arg.Values, at)
				continue
			}
			n.Args = append(n.Args, arg)
		}
	}
}

// addUntold adds sub-commands that stand in the list of them only: argparse gives
// no row to one without a text.
func addUntold(n *draft.Node, names []draft.Value, at draft.Place) {
	for _, v := range names {
		if commandWord(v.Text) {
			n.AddSub(v.Text, at)
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
	if rowsSeen == 0 || rowsSeen == 1 && !strings.Contains(lines[0].Text, "  ") {
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
func describe(n *draft.Node, secs []section, path []string, from draft.Source) {
	for i := range secs {
		sec := &secs[i]
		if from == draft.Man && !strings.EqualFold(sec.title, "NAME") {
			continue
		}
		if i > 0 && sec.kind != other && sec.kind != usage && from != draft.Man {
			continue
		}
		after := sec.kind != usage
		for j, l := range sec.lines {
			if l.Text == "" {
				after = true
				continue
			}
			// GNU's programs say what they do right below the usage line.
			after = after || j > 0 && l.Indent == 0 && upper(l.Text[0]) && !startsForm(l.Text, path)
			if !after || rowStart(l.Text) || !strings.Contains(l.Text, " ") || !alnum(l.Text[0]) || isForm(l.Text, path) || boilerplate(l.Text) {
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

// isForm reports whether a line shows how the program is called.
func isForm(text string, path []string) bool {
	return startsForm(text, path) && strings.ContainsAny(text, "[<")
}

// boilerplate reports whether a line is about how options are written and not
// about what the program does.
func boilerplate(text string) bool {
	for _, s := range []string{"Mandatory arguments to long", "Mandatory or optional arguments", "With no FILE", "The following options", "If no input"} {
		if strings.HasPrefix(text, s) {
			return true
		}
	}
	return false
}
