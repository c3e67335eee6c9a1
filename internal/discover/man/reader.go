package man

import (
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
	listedCommands(r.lines)
	return r.lines
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
