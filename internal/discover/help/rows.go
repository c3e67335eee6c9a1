package help

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// row is one option with its text.
type row struct {
	Spec
	line Line
	body []Line // the lines below, without the first line's rest
}

// text is the row's description on one line.
func (r *row) text() string {
	parts := make([]string, 0, len(r.body)+1)
	size := 0
	justified := slices.ContainsFunc(r.body, func(l Line) bool { return strings.Contains(l.Text, "  ") })
	if r.Rest != "" {
		parts = append(parts, r.Rest)
	}
	for _, l := range r.body {
		if size += len(l.Text); l.Text == "" {
			continue
		}
		if size > maxBody {
			break
		}
		// A name that is broken at one of its dashes is put together again.
		if n := len(parts); n > 0 && (brokenName(parts[n-1]) || !justified && brokenWord(parts[n-1], l.Text)) {
			parts[n-1] += l.Text
			continue
		}
		parts = append(parts, l.Text)
	}
	return strings.Join(parts, " ")
}

// brokenWord reports whether a line ends in the middle of a word that has a dash
// there, "one-" and "dark"; "pre-" and "and post-" is none.
func brokenWord(line, below string) bool {
	n := len(line)
	if n < 3 || line[n-1] != '-' || !alnum(line[n-2]) || !lower(below[0]) || strings.LastIndexByte(line, ' ') == n-2 {
		return false
	}
	next, _, _ := strings.Cut(below, " ")
	return next != "and" && next != "or" && next != "to"
}

// brokenName reports whether a line ends in the middle of an option's name.
func brokenName(line string) bool {
	last := line[strings.LastIndexAny(line, " (")+1:]
	return strings.HasPrefix(last, "--") && len(last) > 3 && last[len(last)-1] == '-'
}

// rows finds the options of a section.
func rows(sec *section) []row {
	sec.lines = splitColumns(joinNames(sec.lines))
	lay := measure(sec.lines)
	var out []row
	var cur *row // the row whose text the lines belong to
	blank := false
	for i, l := range sec.lines {
		if l.Text == "" {
			blank = true
			if cur != nil {
				cur.body = append(cur.body, l)
			}
			continue
		}
		if r, ok := startRow(sec.lines, i, lay, cur); ok {
			if cur != nil && (cur.goesOn(&r) || cur.ditto(&r)) {
				continue
			}
			out = append(out, r)
			cur = &out[len(out)-1]
			blank = false
			continue
		}
		if cur != nil && len(cur.body) < 400 && belongs(cur, l, blank) {
			cur.body = append(cur.body, l)
		} else {
			cur = nil
		}
		blank = false
	}
	return out
}

// goesOn adds the names of the row below to one whose names a comma carries on:
// "-R, --libdir DIR,   Import from DIR" and "--lib" below it.
func (r *row) goesOn(below *row) bool {
	if !r.Open || len(r.body) > 0 || below.line.No != r.line.No+1 || below.line.Indent < r.line.Indent || r.Rest != "" && below.line.Indent == r.line.Indent {
		return false
	}
	r.Open = below.Open
	for _, name := range below.Names {
		if !slices.Contains(r.Names, name) {
			r.Names = append(r.Names, name)
		}
	}
	if below.Arity != draft.Unsaid && r.Arity != draft.Optional {
		r.Arity = below.Arity
	}
	r.Metavar, r.Default = cmp.Or(r.Metavar, below.Metavar), cmp.Or(r.Default, below.Default)
	if len(r.Values) == 0 {
		r.Values = below.Values
	}
	if below.Rest != "" {
		r.body = append(r.body, Line{No: below.line.No, Indent: below.line.Indent + below.RestAt, Text: below.Rest})
	}
	return true
}

// belongs reports whether a line is part of the text of the row above.
func belongs(r *row, l Line, blank bool) bool {
	if l.Indent > r.line.Indent {
		return true
	}
	// The text stands right below the name, as deep as it, up to the next blank line.
	if l.Indent == r.line.Indent && r.Rest == "" && !blank && paragraph(r, l) {
		return true
	}
	// Help that is printed like a manual has the text below, after a blank line.
	return l.Indent == r.line.Indent && (blank || bodyStarted(r) || typed(r.Rest) != draft.Unsaid && paragraph(r, l)) && (typed(r.Rest) != draft.Unsaid || r.Rest == "" && r.line.Indent > 0 && len(r.body) > 0 && r.body[0].Text == "")
}

// paragraph reports whether no blank line parts a row from line l.
func paragraph(r *row, l Line) bool {
	return l.No == r.line.No+1+len(r.body) && (len(r.body) == 0 || r.body[len(r.body)-1].Text != "")
}

func bodyStarted(r *row) bool { return len(r.body) > 1 && r.body[len(r.body)-1].Text != "" }

// startRow reads line i as the beginning of an option's row, if it is one.
func startRow(lines []Line, i int, lay layout, cur *row) (row, bool) {
	l := lines[i]
	if _, odd := oddStart(l.Text, -1, false, false); odd {
		odd = true
	} else if l.Text[0] != '-' {
		if l.Text[0] != '[' || !strings.HasPrefix(l.Text, "[-") {
			return row{}, false
		}
		end := balanced(l.Text, 0)
		if end == 0 || strings.Contains(strings.TrimSpace(l.Text[end:]), "[") || end < len(l.Text) && l.Text[end] != ' ' {
			return row{}, false
		}
		l.Text = l.Text[1:end-1] + l.Text[end:]
		l.Indent++
	}
	if l.Tag && (cur != nil && l.Indent > cur.line.Indent || underCommand(lines, i)) || !l.Tag && continues(lines, i, lay, cur) || inRangeList(lines, i) {
		return row{}, false
	}
	column := -1
	if lay.column > l.Indent {
		column = lay.column - l.Indent
	}
	s, ok := ParseSpec(l.Text, column, textBeneath(lines, i), l.Tag)
	if ok {
		s.overflowed(lay.words)
	}
	if !ok || !l.Tag && prose(lines, i, &s, lay) {
		return row{}, false
	}
	return row{Spec: s, line: l}, true
}

// continues reports whether a line that begins with a dash goes on with the text
// of the row above: it stands as deep as that text.
func continues(lines []Line, i int, lay layout, cur *row) bool {
	l := lines[i]
	if cur == nil {
		return false
	}
	if lay.firm && lay.column >= 0 && l.Indent >= lay.column && l.Indent > cur.line.Indent {
		return true
	}
	if i > 0 && lines[i-1].Text != "" && lines[i-1].No != cur.line.No && lines[i-1].Indent == l.Indent && l.Indent > cur.line.Indent {
		return true
	}
	if i > 0 && lines[i-1].No == cur.line.No && l.Indent == cur.line.Indent && typed(cur.Rest) != draft.Unsaid && len(cur.Rest) > 20 && cur.Gap == 1 && !besideText(l.Text) {
		return true // help that is printed like a manual wraps its text below the name
	}
	return i > 0 && lines[i-1].No == cur.line.No && cur.Rest != "" && cur.Gap > 1 && l.Indent == cur.line.Indent+cur.RestAt
}

// besideText reports whether a line is a row whose text or type stands behind it.
func besideText(text string) bool {
	s, ok := ParseSpec(text, -1, false, false)
	return ok && s.Rest != "" && (s.Gap > 1 || typed(s.Rest) != draft.Unsaid)
}

// underCommand reports whether a tag of a manual stands below the tag of
// something else, a command for example: it is an option of that.
func underCommand(lines []Line, i int) bool {
	for j := i - 1; j >= max(0, i-2000); j-- {
		l := lines[j]
		if !l.Tag || l.Indent >= lines[i].Indent {
			continue
		}
		if l.Text[0] == '-' {
			return false
		}
		first, _, _ := strings.Cut(bare(l.Text), " ")
		return commandWord(first) && !strings.HasSuffix(l.Text, ":")
	}
	return false
}

// inRangeList reports whether a line such as "-M" stands in a list of ranges: the
// row above is "N-M".
func inRangeList(lines []Line, i int) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if t := lines[j].Text; t != "" && lines[j].Indent == lines[i].Indent {
			return strings.HasPrefix(t, "N-") || strings.HasPrefix(t, "n-")
		}
	}
	return false
}

// textBeneath reports whether the line after i is deeper and is no option.
func textBeneath(lines []Line, i int) bool {
	j := nextLine(lines, i)
	return j > 0 && lines[j].Indent > lines[i].Indent && !(rowStart(lines[j].Text) && lines[j].Indent <= lines[i].Indent+4)
}

// prose reports whether a line that begins with an option's name is running
// text: one blank after the names, then words, where the section's rows do not
// look so, or a line in the middle of a paragraph.
func prose(lines []Line, i int, s *Spec, lay layout) bool {
	l := lines[i]
	if i > 0 && strings.HasSuffix(lines[i-1].Text, "\\") || s.Gap == 1 && rowStart(s.Rest) {
		return true // a command line that goes on, or several options in a row
	}
	if s.Rest == "" && len(s.Names) > 2 && s.Arity == draft.Unsaid && i+1 < len(lines) && lines[i+1].Indent == l.Indent && lines[i+1].Text != "" && lower(lines[i+1].Text[0]) {
		return true // "--a, --b, --c" and "and --d are the same"
	}
	if s.Rest == "" || s.Gap > 1 {
		return (s.Rest == "" || s.Colon && !colonRow(lines, i+1, l.Indent)) && i > 0 && midParagraph(lines, i)
	}
	if typed(s.Rest) != draft.Unsaid {
		return false
	}
	if s.Gap == 0 || l.Indent == 0 && lay.column > 0 && (strings.HasSuffix(s.Rest, "。") || strings.HasSuffix(s.Rest, "：")) {
		return true
	}
	at := l.Indent + s.RestAt
	if len(s.Names) > 2 && midParagraph(lines, i) {
		return true
	}
	if lay.column >= 0 && (at == lay.column || at > lay.column && lay.firm) {
		return false
	}
	if midParagraph(lines, i) {
		return true
	}
	if lay.single || s.Arity != draft.Unsaid {
		return false
	}
	c := s.Rest[0]
	first, _, _ := strings.Cut(s.Rest, " ")
	switch strings.TrimRight(first, ",.;") {
	case "is", "are", "was", "and", "or", "option", "options", "flag", "flags", "if", "must", "can", "cannot", "will", "should", "may", "has", "does", "implies", "then", "instead", "were", "which", "with":
		return true
	}
	return !upper(c) && c != '(' && l.Indent == 0
}

// colonRow reports whether line i is a row of an option whose text a colon parts
// from its names, as deep as indent.
func colonRow(lines []Line, i, indent int) bool {
	if i >= len(lines) || lines[i].Indent != indent || !rowStart(lines[i].Text) {
		return false
	}
	s, ok := ParseSpec(lines[i].Text, -1, false, false)
	return ok && s.Colon && s.Rest != ""
}

// midParagraph reports whether the line before i is running text as deep as i.
func midParagraph(lines []Line, i int) bool {
	if i == 0 {
		return false
	}
	p := lines[i-1]
	if strings.HasPrefix(p.Text, "- ") || strings.HasPrefix(p.Text, "* ") { // a point of a list
		p.Indent, p.Text = p.Indent+2, p.Text[2:]
	}
	if p.Text == "" || p.Indent != lines[i].Indent || rowStart(p.Text) || strings.HasSuffix(p.Text, ":") || p.Text[0] == '[' {
		return false
	}
	return strings.Contains(p.Text, " ") && !strings.Contains(p.Text, "   ")
}

// typed is what a type in brackets at the start of an option's text says, as in
// "(string)" and "[boolean]".
func typed(rest string) draft.Arity {
	if rest == "" || rest[0] != '(' && rest[0] != '[' {
		return draft.Unsaid
	}
	end := strings.IndexAny(rest, ")]")
	if end < 0 {
		return draft.Unsaid
	}
	if first, _, more := strings.Cut(rest[1:end], " | "); more && (first == "boolean" || first == "string") {
		return draft.Optional // "[boolean | string]"
	}
	switch rest[1:end] {
	case "boolean", "bool", "count", "flag":
		return draft.None
	case "string", "integer", "int", "number", "list", "map", "structure", "blob", "float", "double", "long", "timestamp", "json", "array", "path", "file", "tagged union structure", "document", "choices":
		return draft.Required
	}
	return draft.Unsaid
}
