package man

import (
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// Limits of what is read of one page.
const (
	maxPage     = 8 << 20
	maxIncludes = 4
	maxText     = 16 << 10 // bytes of one paragraph
)

// Columns of the lines that are made.
const (
	bodyIndent = 7
	listStep   = 4
)

// Include gives the source of a page that another includes with ".so", nil if
// there is none.
type Include func(name string) []byte

// reader holds the state between a page's lines.
type reader struct {
	lines    []help.Line
	no       int // of the source line
	font     font
	previous font
	depth    int // of strings in strings
	expanded int // strings put in so far
	strings  map[string]string
	macros   map[string][]string // what .de defines, by name
	defining string              // the macro whose lines are read, "" if it is not kept
	called   int                 // lines of macros carried out so far
	filled   int                 // bytes of them
	args     int                 // how many the macro has that is carried out
	include  Include
	included int

	indent  int    // of the running text
	margin  int    // where paragraphs begin
	stack   []nest // what .RS and .Bl began and nothing has ended
	para    []piece
	tagNext bool // the next line of text is a tag
	inTag   bool // para is a tag
	literal bool // lines are kept apart
	hanging bool // in a paragraph of .HP
	skip    []bool
	last    bool // the last condition, for .el
	mdoc    mdocState
	table   *table
}

// nest is a margin and an indent to come back to, and the line below which
// others hold.
type nest struct{ margin, indent, line int }

// Parse reads a manual page. Path is the command's own, the program first.
func Parse(source []byte, path []string, include Include) *draft.Node {
	lines := Lines(source, include)
	n := help.ParseLines(lines, path, draft.Man)
	values(n, lines)
	return n
}

// Lines reads a manual page as titles, tags and text.
func Lines(source []byte, include Include) []help.Line {
	r := &reader{indent: bodyIndent, margin: bodyIndent, include: include, strings: map[string]string{"Aq": "'", "lq": `"`, "rq": `"`}, macros: map[string][]string{}}
	r.page(source)
	r.flush()
	tags(r.lines)
	commandTags(r.lines)
	return r.lines
}

// tags marks paragraphs that serve as tags: they begin with a dash and the next
// line is deeper.
func tags(lines []help.Line) {
	for i := range lines {
		l := &lines[i]
		if rest, ok := strings.CutPrefix(l.Text, "• -"); ok && strings.HasSuffix(rest, ":") {
			l.Text, l.Tag, l.Indent = "-"+rest, true, l.Indent-listStep
			continue
		}
		if rest, ok := strings.CutPrefix(l.Text, "\x03[-"); ok { // "[--dbname=]NAME"
			l.Text = "[-" + strings.Replace(rest, "\x04", "", 1)
		}
		if rest, ok := strings.CutPrefix(l.Text, "[!] -"); ok { // iptables: what may be inverted
			l.Text = "-" + rest
		}
		if strings.HasPrefix(l.Text, `"-`) && strings.Count(l.Text, `"`) == 2 && strings.HasSuffix(l.Text, `"`) && l.Tag {
			l.Text = strings.Trim(l.Text, `"`)
		}
		if l.Text == "" || l.Text[0] != '-' || l.Tag {
			continue
		}
		for _, next := range lines[i+1:] {
			if next.Text != "" {
				l.Tag = next.Indent > l.Indent
				break
			}
		}
	}
}

// commandTags marks paragraphs of a section of commands that begin with a bold
// word and have deeper text below them, as DocBook makes of a list.
func commandTags(lines []help.Line) {
	inside := false
	for i := range lines {
		l := &lines[i]
		if l.Head {
			if l.Indent == 0 {
				title := strings.ToLower(l.Text)
				inside = strings.Contains(title, "command") && !strings.Contains(title, "line") && !strings.Contains(title, "option")
			}
			continue
		}
		if !inside || l.Tag || l.Text == "" || l.Text[0] != openBold || i > 0 && lines[i-1].Text != "" && !lines[i-1].Head {
			continue
		}
		if end := strings.IndexByte(l.Text, closeBold); end < 0 || strings.Contains(l.Text[:end], " ") || strings.HasSuffix(l.Text[:end], ":") {
			continue
		}
		l.Tag = i+1 < len(lines) && lines[i+1].Text != "" && lines[i+1].Indent > l.Indent
	}
}

func (r *reader) page(source []byte) {
	text := string(source[:min(len(source), maxPage)])
	ignore := "" // what ends a definition
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		r.no++
		line = strings.TrimSuffix(line, "\r")
		for strings.HasSuffix(line, `\`) && !strings.HasSuffix(line, `\\`) && text != "" && len(line) < maxText {
			next, rest, _ := strings.Cut(text, "\n")
			line, text = line[:len(line)-1]+next, rest
			r.no++
		}
		if ignore != "" {
			// Blanks may stand behind the dot: Asciidoctor ends one with ".  .".
			if line != "" && line[0] == '.' && "."+strings.Trim(line[1:], " \t") == ignore {
				ignore, r.defining = "", ""
			} else {
				r.define(line)
			}
			continue
		}
		ignore = r.line(line)
	}
}

// line reads one line of source. It returns the line that ends a definition
// which begins here, "" otherwise.
func (r *reader) line(line string) string {
	if len(r.lines) > help.MaxLines {
		return ""
	}
	if len(r.skip) > 0 && r.skip[len(r.skip)-1] {
		opens, closes := strings.Count(line, `\{`), strings.Count(line, `\}`)
		for range min(opens, 64) {
			r.skip = append(r.skip, true)
		}
		for range closes {
			if len(r.skip) > 0 {
				r.skip = r.skip[:len(r.skip)-1]
			}
		}
		return ""
	}
	if n := strings.Count(line, `\}`); n > 0 && len(r.skip) > 0 {
		r.skip = r.skip[:max(0, len(r.skip)-n)]
		line = strings.ReplaceAll(line, `\}`, "")
		if strings.Trim(line, ". ") == "" {
			return ""
		}
	}
	if line == "" || line[0] != '.' && line[0] != '\'' {
		if r.table != nil {
			r.table.row(r, line)
			return ""
		}
		r.text(line)
		return ""
	}
	body := strings.TrimLeft(line[1:], " \t")
	name, args, _ := strings.Cut(body, " ")
	if i := strings.IndexAny(name, "\t\\"); i >= 0 && !strings.HasPrefix(name, `\"`) {
		name, args = body[:i], body[i:]
	}
	if name == "" || strings.HasPrefix(name, `\"`) || strings.HasPrefix(name, `"`) {
		return ""
	}
	return r.request(name, strings.TrimLeft(args, " \t"))
}

// request carries out a request of roff itself, or a macro.
func (r *reader) request(name, args string) string {
	switch name {
	case "de", "de1", "am", "am1", "ig", "dei":
		return r.definition(name, strings.Fields(args))
	case "als":
		if fields := strings.Fields(args); len(fields) == 2 {
			r.alias(fields[0], fields[1])
		}
	case "ds", "ds1", "as":
		key, value, _ := strings.Cut(args, " ")
		value = strings.TrimPrefix(strings.TrimLeft(value, " "), `"`)
		if name == "as" {
			value = r.strings[key] + value
		}
		if len(value) < 1000 && len(r.strings) < 1000 && key != "" {
			r.strings[key] = value
		}
	case "if", "ie", "while":
		r.condition(args, name == "ie")
	case "el":
		r.branch(args, !r.last)
	case "so":
		r.source(strings.TrimSpace(args))
	case "TS":
		r.flush()
		r.table = &table{}
	case "TE":
		if r.table != nil {
			r.table.end(r)
			r.table = nil
		}
	default:
		if r.table == nil && !r.call(name, args) {
			r.macro(name, args)
		}
	}
	return ""
}

// condition carries out .if and .ie: what is true of a terminal is.
func (r *reader) condition(args string, keep bool) {
	yes, rest := r.evaluate(args)
	if keep {
		r.last = yes
	}
	r.branch(rest, yes)
}

func (r *reader) branch(rest string, yes bool) {
	rest = strings.TrimLeft(rest, " \t")
	if after, ok := strings.CutPrefix(rest, `\{`); ok {
		if len(r.skip) < 64 {
			r.skip = append(r.skip, !yes)
		}
		rest = strings.TrimLeft(strings.TrimPrefix(after, `\`), " ")
		if strings.Contains(rest, `\}`) {
			r.skip = r.skip[:len(r.skip)-1]
			rest = strings.ReplaceAll(rest, `\}`, "")
		}
	}
	if yes && rest != "" && r.depth < 8 {
		r.depth++
		r.line(rest)
		r.depth--
	}
}

// evaluate tells whether a condition holds and what follows it.
func (r *reader) evaluate(s string) (yes bool, rest string) {
	s = strings.TrimLeft(s, " \t")
	negate := false
	if after, ok := strings.CutPrefix(s, "!"); ok {
		negate, s = true, after
	}
	switch {
	case s == "":
		return false, ""
	case strings.HasPrefix(s, "n ") || strings.HasPrefix(s, `n\{`) || strings.HasPrefix(s, "n."):
		return !negate, s[1:]
	case strings.HasPrefix(s, "t ") || strings.HasPrefix(s, `t\{`) || strings.HasPrefix(s, "t."):
		return negate, s[1:]
	case strings.HasPrefix(s, `\n[.$]`):
		yes, rest = compare(r.args, s[len(`\n[.$]`):])
		return yes != negate, rest
	case strings.HasPrefix(s, `\n(.$`):
		yes, rest = compare(r.args, s[len(`\n(.$`):])
		return yes != negate, rest
	case strings.HasPrefix(s, `\n(.g`):
		return !negate, s[5:]
	case strings.HasPrefix(s, `\n[.g]`):
		return !negate, s[6:]
	case s[0] == '\'' || s[0] == '"':
		parts := strings.SplitN(s[1:], s[:1], 3)
		if len(parts) == 3 {
			return (parts[0] == parts[1]) != negate, parts[2]
		}
		return negate, ""
	}
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		if j := strings.Index(s[:i], `\{`); j >= 0 {
			i = j
		}
		return negate, s[i:]
	}
	if j := strings.Index(s, `\{`); j >= 0 {
		return negate, s[j:]
	}
	return negate, ""
}

// compare carries on a condition that begins with number n, ">1" or "-1", and
// gives what follows it.
func compare(n int, s string) (yes bool, rest string) {
	end := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("<>=-+0123456789", r) })
	if end < 0 {
		end = len(s)
	}
	expr, rest := s[:end], s[end:]
	op := strings.TrimRight(expr, "0123456789")
	m, err := strconv.Atoi(expr[len(op):])
	if err != nil {
		return n > 0, rest
	}
	switch op {
	case "-":
		return n-m > 0, rest
	case ">":
		return n > m, rest
	case "<":
		return n < m, rest
	case ">=":
		return n >= m, rest
	case "<=":
		return n <= m, rest
	case "=", "==":
		return n == m, rest
	}
	return n > 0, rest
}

// source includes another page.
func (r *reader) source(name string) {
	if r.include == nil || r.included >= maxIncludes || name == "" {
		return
	}
	r.included++
	if data := r.include(name); data != nil {
		no := r.no
		r.page(data)
		r.no = no
	}
}

// text adds a line of running text.
func (r *reader) text(line string) {
	if strings.TrimSpace(line) == "" {
		r.flush()
		r.blank()
		return
	}
	if r.literal || line[0] == ' ' {
		r.flush()
	}
	lead := len(line) - len(strings.TrimLeft(line, " \t"))
	body := strings.TrimSpace(line)
	if r.literal {
		body = help.Expand(body)
	}
	r.add(r.inline(body))
	if r.literal {
		old := r.indent
		r.indent += min(lead, 40)
		r.flush()
		r.indent = old
		return
	}
	r.endTag()
}

// endTag ends a tag that is one line of input.
func (r *reader) endTag() {
	if r.tagNext {
		r.tagNext = false
		r.inTag = true
		r.flush()
		r.indent = r.margin + listStep
	}
}

// add puts pieces into the paragraph, with a blank between.
func (r *reader) add(ps []piece) {
	if len(ps) == 0 {
		return
	}
	if len(r.para) > 0 {
		r.para = append(r.para, piece{" ", roman})
	}
	if len(r.para) < 4000 {
		r.para = append(r.para, ps...)
	}
}

// flush ends the paragraph.
func (r *reader) flush() {
	tag := r.inTag
	r.inTag = false
	if len(r.para) == 0 {
		return
	}
	text := render(r.para, tag, r.literal)
	r.para = r.para[:0]
	if text == "" {
		return
	}
	r.lines = append(r.lines, help.Line{No: r.no, Indent: r.indent, Text: text, Tag: tag})
}

func (r *reader) blank() {
	if n := len(r.lines); n > 0 && r.lines[n-1].Text != "" {
		r.lines = append(r.lines, help.Line{No: r.no})
	}
}

// title begins a section.
func (r *reader) title(text string, indent int) {
	r.flush()
	r.blank()
	// An .RS that no .RE ends was forgotten: what follows it stands no deeper.
	for _, open := range r.stack {
		for i := open.line; i < len(r.lines); i++ {
			r.lines[i].Indent = max(bodyIndent, r.lines[i].Indent-listStep)
		}
	}
	r.indent, r.margin, r.stack, r.tagNext, r.literal, r.hanging = bodyIndent, bodyIndent, r.stack[:0], false, false, false
	r.mdoc.lists = r.mdoc.lists[:0]
	r.font, r.previous = roman, roman
	plain := render([]piece{{text, roman}}, true, false)
	// Pages made from Markdown have a title for each option.
	option := indent > 0 && strings.HasPrefix(plain, "-")
	r.lines = append(r.lines, help.Line{No: r.no, Indent: indent, Text: plain, Head: !option, Tag: option})
}

// render writes pieces as text: italics between marks of a value, bold text
// between its own marks unless it is a tag. Gaps between words are kept where
// lines are.
func render(ps []piece, tag, literal bool) string {
	ps = join(ps)
	dash := len(ps) > 0 && strings.HasPrefix(strings.TrimLeft(ps[0].text, " "), "-")
	var b strings.Builder
	for _, p := range ps {
		lead := p.text[:len(p.text)-len(strings.TrimLeft(p.text, " "))]
		body := strings.TrimSpace(p.text)
		b.WriteString(lead)
		switch {
		case body == "":
			continue
		case p.font == italic && body[0] != '-' && body[0] != '[' && strings.Trim(body, "[]|,=./:+ ") != "":
			b.WriteByte(help.Open)
			b.WriteString(body)
			b.WriteByte(help.Close)
		case p.font == bold && !tag && !dash && body[0] != '-':
			b.WriteByte(openBold)
			b.WriteString(body)
			b.WriteByte(closeBold)
		default:
			b.WriteString(body)
		}
		b.WriteString(p.text[len(lead)+len(body):])
		if b.Len() > maxText {
			break
		}
	}
	if literal && !tag {
		return strings.TrimSpace(b.String())
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// join puts neighbours of one font together, up to the length of a paragraph.
func join(ps []piece) []piece {
	var out []piece
	var text strings.Builder
	size := 0
	for i := 0; i < len(ps) && size <= maxText; i++ {
		text.WriteString(ps[i].text)
		size += len(ps[i].text)
		if i+1 == len(ps) || ps[i+1].font != ps[i].font || size > maxText {
			out = append(out, piece{text.String(), ps[i].font})
			text.Reset()
		}
	}
	return out
}
