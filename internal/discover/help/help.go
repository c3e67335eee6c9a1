package help

import (
	"slices"
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
	lines, rules := grammar(unboxed(lines))
	lines = splitColumns(titleRows(unmarked(lines)))
	secs := sections(lines)
	aim(secs, path)
	usageTargets(secs, path)
	if len(secs) > 0 && secs[0].marked {
		commandTitles(secs, path)
	}
	var forms []Form
	var own []commandForms
	absl := abslRows(lines)
	for i := range secs {
		sec := &secs[i]
		sec.absl = absl
		if sec.kind == notes && listsOptions(sec) {
			sec.kind = options
		}
		into := n
		place := draft.Place{Source: from, Line: 1}
		if sec.called {
			place.Source = draft.Usage
		}
		for _, word := range sec.target {
			into = into.AddSub(word, place)
		}
		if sec.kind == commands && !sec.marked {
			sec.lines = uncategorised(sec.lines, path)
		}
		switch sec.kind {
		case usage:
			if sec.target != nil {
				fs, _ := Forms(sec.lines, append(slices.Clone(path), sec.target...))
				own = append(own, commandForms{into, fs})
				continue
			}
			fs, used := Forms(sec.lines, path)
			forms = append(forms, fs...)
			rest := section{indent: sec.indent, lines: sec.lines[used:], marked: sec.marked, absl: absl}
			addRows(n, &rest, from)
		case commands:
			addCommands(into, sec, path, from)
			if sec.marked {
				commandOptions(into, sec, path, from)
			} else {
				rowOptions(into, sec, path, from)
			}
		case arguments:
			addArguments(into, sec, from)
		case examples:
			addExamples(n, sec, path)
			continue
		case notes, guides:
			continue
		}
		switch {
		case sec.kind == usage:
		case sec.kind == commands:
			addRows(into, besideCommands(sec, path), from)
		default:
			if into == n {
				forms = append(forms, bracketForms(sec)...)
			} else {
				own = append(own, commandForms{into, bracketForms(sec)})
			}
			addRows(into, sec, from)
		}
	}
	if len(forms) == 0 && len(secs) > 0 {
		forms = bareForms(lines, path)
	}
	seenCommands(n, lines, path, from)
	if from == draft.Man {
		nestPages(n, lines, path)
	}
	proseFlags(n, lines, from)
	settle(n)
	addForms(n, forms, len(path) < 2, from)
	for _, o := range own {
		addForms(o.node, o.forms, false, from)
	}
	addRules(n, rules, from)
	describe(n, secs, path, from)
	return n
}

// listsOptions reports whether what stands first in a section is an option with
// its text: "Chroot environment:" may be a group of options.
func listsOptions(sec *section) bool {
	for _, l := range sec.lines {
		if l.Text == "" {
			continue
		}
		s, ok := ParseSpec(l.Text, -1, false, l.Tag)
		return ok && len(s.Names) > 0 && s.Gap > 1 && s.Rest != ""
	}
	return false
}

// abslRows reports whether a text prints options as Google's flag libraries do:
// those that take no value as "--[no]x: text", all others as "--x: text".
func abslRows(lines []Line) bool {
	n := 0
	for _, l := range lines {
		if strings.HasPrefix(l.Text, "Try --helpfull ") && n > 0 {
			return true
		}
		text := l.Text
		if _, long, ok := strings.Cut(text, ",--[no]"); ok && draft.Short(text[:2]) { // "-d,--[no]debug: text"
			text = "--[no]" + long
		}
		name, ok := strings.CutPrefix(text, "--[no]")
		if ok && strings.HasPrefix(name[nameLen(name):], ": ") {
			n++
		}
	}
	return n > 1
}

// aim finds sections of a manual whose title names a sub-command: what they hold
// is that one's.
func aim(secs []section, path []string) {
	if len(path) == 0 {
		return
	}
	var above *section
	for i := range secs {
		sec := &secs[i]
		if !sec.marked {
			return
		}
		title, _, _ := strings.Cut(sec.title, " - ") // "frob add - add one"
		fields := strings.FieldsFunc(title, func(r rune) bool { return r == ' ' || r == '\'' || r == '"' || r == '`' })
		if n := len(fields); n == 3 && strings.EqualFold(fields[0], "the") && strings.EqualFold(fields[2], "command") && commandWord(fields[1]) {
			sec.target = fields[1:2]
		}
		for j, w := range fields {
			if w != path[len(path)-1] && w != path[0] || j+1 == len(fields) {
				continue
			}
			rest := fields[j+1:]
			if len(path) > 1 && len(rest) > len(path)-1 && w == path[0] {
				rest = rest[len(path)-1:]
			}
			if !slices.ContainsFunc(rest, func(s string) bool { return !commandWord(s) }) && len(rest) < 4 {
				sec.target = rest
			}
			break
		}
		switch {
		case sec.target != nil:
			above = sec
		case above != nil && sec.indent > above.indent:
			sec.target = above.target
		default:
			above = nil
		}
	}
}

// besideCommands is a section of commands without the options that stand deeper
// than their rows: those are the commands' own.
func besideCommands(sec *section, path []string) *section {
	indent := rowIndent(sec.lines, path)
	out := &section{title: sec.title, kind: options, indent: sec.indent, absl: sec.absl}
	beside := false // below an option's row and not a command's
	for _, l := range sec.lines {
		if l.Text != "" && l.Indent <= indent {
			beside = rowStart(l.Text)
		}
		if l.Text == "" || indent < 0 || l.Indent <= indent || beside || !rowStart(l.Text) && !strings.HasPrefix(l.Text, "[-") {
			out.lines = append(out.lines, l)
		}
	}
	return out
}

// addRows adds the options of a section.
func addRows(n *draft.Node, sec *section, from draft.Source) {
	rs := rows(sec)
	own := ownNames(rs)
	for i := range rs {
		r := &rs[i]
		if len(n.Flags) >= maxItems {
			tooMany(n, r.line.No, from)
			return
		}
		if name := r.Names; len(name) > 0 && ownNumber(name[0], r.line.Text+" "+r.text()) {
			r.Names, r.Numeric = name[1:], true
		}
		if r.Numeric {
			n.NumericFlags = true
		}
		if len(r.Names) == 0 {
			continue
		}
		if sec.absl && r.Colon && r.Arity == draft.Unsaid && !r.Negated {
			r.Arity = draft.Required
		}
		for _, one := range apart(r, own) {
			n.AddFlag(flagOf(one, from))
		}
	}
}

// tooMany records once that a text has more than is read of it.
func tooMany(n *draft.Node, line int, from draft.Source) {
	if len(n.Gaps) == 0 {
		n.Gaps = append(n.Gaps, draft.Gap{At: draft.Place{Source: from, Line: line}, Text: "the text lists more than is read of it"})
	}
}

// flagOf makes a flag of a row.
func flagOf(r *row, from draft.Source) *draft.Flag {
	at := draft.Place{Source: from, Line: r.line.No}
	f := &draft.Flag{
		Names: r.Names, Arity: r.Arity, ArityAt: at, Metavar: r.Metavar, Values: r.Values, ValuesAt: at,
		Default: r.Default, Repeatable: r.Repeatable, Negated: r.Negated || negatedNames(r.Names), At: []draft.Place{at},
	}
	readText(f, r.text(), r, at)
	if f.Arity == draft.Unsaid {
		f.Arity = draft.None
	}
	if f.Arity == draft.None {
		f.Values = nil
	}
	f.Names = withoutPlaceholder(f)
	return f
}

func addCommands(n *draft.Node, sec *section, path []string, from draft.Source) {
	for _, s := range subCommands(sec, path) {
		s.At.Source = from
		if len(n.Subs) >= maxItems {
			tooMany(n, s.At.Line, from)
			return
		}
		if have := n.Sub(s.Name); have != nil {
			have.Merge(s)
			continue
		}
		n.Subs = append(n.Subs, s)
	}
}
