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
// manual page. A text passes these stages once, in this order:
//
//	lines      prepare: boxes, marks and columns undone, rules of a grammar taken out
//	sections   divide: cut at titles, each with its kind and the command it is about
//	rows       read: a section's rows become options, commands, arguments; a usage
//	           section becomes forms
//	prose      told: what only running text tells of
//	settling   settle: what names with one dash are, once all rows are known
//	forms      complete: what usage lines add to the rows, then the grammar's rules
//	           and the description
//
// Within a row, ParseSpec parts spellings and value from the text, and readText
// takes type, choices and default from that.
func ParseLines(lines []Line, path []string, from draft.Source) *draft.Node {
	p := parser{path: path, from: from, node: &draft.Node{At: draft.Place{Source: from, Line: 1}}}
	if len(path) > 0 {
		p.node.Name = path[len(path)-1]
	}
	p.prepare(lines)
	p.divide()
	for i := range p.sections {
		p.read(&p.sections[i])
	}
	p.told()
	settle(p.node)
	p.complete()
	return p.node
}

// parser carries a text through its stages.
type parser struct {
	path     []string
	from     draft.Source
	node     *draft.Node
	lines    []Line
	rules    []rule
	sections []section
	forms    []Form         // of the command itself
	own      []commandForms // of its sub-commands
}

// commandForms are the forms that a section about a sub-command shows.
type commandForms struct {
	node  *draft.Node
	forms []Form
}

func (p *parser) prepare(lines []Line) {
	lines, p.rules = grammar(unboxed(lines))
	p.lines = splitColumns(titleRows(unmarked(lines)))
}

func (p *parser) divide() {
	p.sections = sections(p.lines)
	aim(p.sections, p.path)
	usageTargets(p.sections, p.path)
	if len(p.sections) > 0 && p.sections[0].marked {
		commandTitles(p.sections, p.path)
	}
	absl := abslRows(p.lines)
	for i := range p.sections {
		sec := &p.sections[i]
		sec.absl = absl
		if sec.kind == notes && listsOptions(sec) {
			sec.kind = options
		}
		if sec.kind == commands && !sec.marked {
			sec.lines = uncategorised(sec.lines, p.path)
		}
	}
}

// target is the command that a section is about.
func (p *parser) target(sec *section) *draft.Node {
	n, place := p.node, draft.Place{Source: p.from, Line: 1}
	if sec.called {
		place.Source = draft.Usage
	}
	for _, word := range sec.target {
		n = n.AddSub(word, place)
	}
	return n
}

// read reads a section by its kind.
func (p *parser) read(sec *section) {
	into := p.target(sec)
	switch sec.kind {
	case usage:
		p.readUsage(into, sec)
	case commands:
		addCommands(into, sec, p.path, p.from)
		if sec.marked {
			commandOptions(into, sec, p.path, p.from)
		} else {
			rowOptions(into, sec, p.path, p.from)
		}
		addRows(into, besideCommands(sec, p.path), p.from)
	case examples:
		addExamples(p.node, sec, p.path)
	case notes, guides:
	case arguments:
		addArguments(into, sec, p.from)
		p.readOptions(into, sec)
	default:
		p.readOptions(into, sec)
	}
}

func (p *parser) readUsage(into *draft.Node, sec *section) {
	if sec.target != nil {
		forms, _ := Forms(sec.lines, append(slices.Clone(p.path), sec.target...))
		p.own = append(p.own, commandForms{into, forms})
		return
	}
	forms, used := Forms(sec.lines, p.path)
	p.forms = append(p.forms, forms...)
	rest := section{indent: sec.indent, lines: sec.lines[used:], marked: sec.marked, absl: sec.absl}
	addRows(p.node, &rest, p.from)
}

func (p *parser) readOptions(into *draft.Node, sec *section) {
	if into == p.node {
		p.forms = append(p.forms, bracketForms(sec)...)
	} else {
		p.own = append(p.own, commandForms{into, bracketForms(sec)})
	}
	addRows(into, sec, p.from)
}

// told adds what stands in no row.
func (p *parser) told() {
	if len(p.forms) == 0 && len(p.sections) > 0 {
		p.forms = bareForms(p.lines, p.path)
	}
	seenCommands(p.node, p.lines, p.path, p.from)
	if p.from == draft.Man {
		nestPages(p.node, p.lines, p.path)
	}
	proseFlags(p.node, p.lines, p.from)
}

func (p *parser) complete() {
	addForms(p.node, p.forms, len(p.path) < 2, p.from)
	for _, o := range p.own {
		addForms(o.node, o.forms, false, p.from)
	}
	addRules(p.node, p.rules, p.from)
	describe(p.node, p.sections, p.path, p.from)
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
