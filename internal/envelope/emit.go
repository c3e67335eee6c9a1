package envelope

import (
	"bytes"
	"strconv"
)

// Part is a part of a note: how many were left out, and of what.
type Part struct {
	N    int64
	What string
}

// item is a line of the body before it is written.
type item struct {
	rec     Record
	class   Class
	parts   []Part // a note instead of a line
	derived string
	number  bool // the number of the line goes before it: a preview of cat
}

// emitter writes the body of an answer, as lines or as the arrays of an object.
type emitter struct {
	call *Call
	json bool
	out  func([]byte)

	buf     []byte
	path    string // of the line before
	line    int64
	any     bool
	limit   int  // characters of a line
	uncut   bool // lines are never shortened
	raw     bool // nothing is escaped
	content bool // the last line was content without its newline

	shown, cut, escaped int64
	noBreak             bool
	omitted             []Part
	notes               []string
}

func (e *emitter) item(it *item) {
	switch {
	case it.parts != nil:
		e.note(it.parts)
	case it.derived != "":
		e.derive(it.derived)
	case e.json:
		e.entry(it)
	default:
		e.text(it)
	}
}

func (e *emitter) note(parts []Part) {
	e.omitted = append(e.omitted, parts...)
	if e.json {
		return
	}
	e.own(append(AppendNote(append(e.buf[:0], notePrefix...), parts), '\n'))
}

// AppendNote writes the parts of a note.
func AppendNote(b []byte, parts []Part) []byte {
	for i, p := range parts {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(strconv.AppendInt(b, p.N, 10), ' '), p.What...)
	}
	return b
}

func (e *emitter) derive(text string) {
	text = oneLine(text) // it holds parts of the content
	e.notes = append(e.notes, text)
	if !e.json {
		e.own(append(append(append(e.buf[:0], derivedPrefix...), text...), '\n'))
	}
}

// own writes a line of te's, on a line of its own.
func (e *emitter) own(line []byte) {
	if e.content {
		e.content = false
		e.out([]byte{'\n'})
	}
	e.out(line)
	e.buf = line[:0]
}

func (e *emitter) text(it *item) {
	rec := &it.rec
	if e.call.Context {
		e.separate(rec)
	}
	b := e.buf[:0]
	switch rec.Kind {
	case PathName:
		b = e.appendName(b, rec)
	case PlainLine:
		if it.number {
			b = append(strconv.AppendInt(b, rec.Line, 10), ':')
		}
		b = e.appendText(b, rec)
	default:
		b = e.call.appendPrefix(b, rec)
		b = e.appendText(b, rec)
	}
	if !e.raw && hostile(b) {
		e.escaped++
		b = append(b, 0)
		copy(b[1:], b)
		b[0] = '\\'
	}
	e.content = rec.NoBreak
	e.noBreak = e.noBreak || rec.NoBreak
	if !rec.NoBreak {
		b = append(b, '\n')
	}
	e.out(b)
	e.buf = b[:0]
	e.count(rec)
}

func (e *emitter) appendText(b []byte, rec *Record) []byte {
	if e.uncut {
		return append(b, rec.Text...)
	}
	text, cut := shorten(rec.Text, rec.Base, rec.Size, rec.At, e.limit)
	if cut {
		e.cut++
	}
	return append(b, text...)
}

func (e *emitter) appendName(b []byte, rec *Record) []byte {
	if e.call.Mode == Counts {
		if !e.call.NoName {
			b = append(append(b, Quote(rec.Path)...), ':')
		}
		return strconv.AppendInt(b, rec.Count, 10)
	}
	return append(b, Quote(rec.Path)...)
}

func (e *emitter) count(rec *Record) {
	if rec.Kind != ContextLine {
		e.shown++
	}
}

// separate puts the caller's separator between lines that are not neighbours.
func (e *emitter) separate(rec *Record) {
	apart := e.any && (rec.Path != e.path || rec.Line != e.line+1 && rec.Line != e.line)
	e.any, e.path, e.line = true, rec.Path, rec.Line
	if apart && !e.call.NoSeparator {
		line := append(e.buf[:0], e.call.Separator...)
		if !e.raw && hostile(line) {
			e.escaped++
			line = append([]byte{'\\'}, line...)
		}
		e.out(append(line, '\n'))
	}
}

// entry writes a line as an object of JSON.
func (e *emitter) entry(it *item) {
	rec := &it.rec
	w := fieldWriter{e.buf[:0]}
	if e.any {
		w.b = append(w.b, ',')
	}
	e.any = true
	w.b = append(w.b, '{')
	if rec.Kind == PathName || rec.Kind != PlainLine && !e.call.NoName {
		w.bytesOrText("path", []byte(rec.Path))
	}
	if rec.Kind != PathName && rec.Line > 0 {
		w.number("line", rec.Line, true)
	}
	w.number("offset", rec.Offset, e.call.Offsets && rec.Kind != PathName)
	w.count("column", rec.Column)
	if rec.Kind == PathName {
		w.number("count", rec.Count, e.call.Mode == Counts)
	} else {
		w.bytesOrText("text", e.appendText(nil, rec))
	}
	w.text("kind", rec.Kind.String())
	if e.call.Mode != Plain {
		w.text("class", it.class.String())
	}
	e.out(append(w.b, '}'))
	e.buf = w.b[:0]
	e.noBreak = e.noBreak || rec.NoBreak
	e.count(rec)
}

// jsonCost is how much longer a line is as an object, at most.
func jsonCost(rec *Record) int {
	n := 110 + bytes.Count(rec.Text, []byte{'"'}) + bytes.Count(rec.Text, []byte{'\\'})
	for _, c := range rec.Text {
		if c < 0x20 || c == 0x7f {
			n += 5
		} else if c >= 0x80 {
			n += 2
		}
	}
	return n
}

// Answer is what te prints.
type Answer struct {
	Meta    Meta
	JSON    bool
	Message string // of the error; "" for none
	body    []byte
	omitted []Part
	notes   []string
	content bool
}

// Size is the number of its characters.
func (a *Answer) Size() int { return chars(a.Bytes()) }

// Bytes is the whole answer.
func (a *Answer) Bytes() []byte {
	if a.JSON {
		return a.object()
	}
	b := a.Meta.Header()
	if len(a.body) > 0 || a.Message != "" {
		b = append(b, '\n')
	}
	b = append(b, a.body...)
	if a.Message == "" {
		return b
	}
	if a.content {
		b = append(b, '\n')
	}
	return append(append(append(b, errorPrefix...), a.Message...), '\n')
}

func (a *Answer) object() []byte {
	w := fieldWriter{a.Meta.appendFields([]byte{'{'})}
	if a.Message != "" {
		w.text("message", a.Message)
	}
	w.key("entries")
	w.b = append(append(append(w.b, '['), a.body...), ']')
	w.key("omitted")
	w.b = append(w.b, '[')
	for i, p := range a.omitted {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(w.b, '{')
		w.number("n", p.N, true)
		w.text("what", p.What)
		w.b = append(w.b, '}')
	}
	w.b = append(w.b, ']')
	if len(a.notes) > 0 {
		w.key("notes")
		w.b = append(w.b, '[')
		for i, n := range a.notes {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = appendString(w.b, n)
		}
		w.b = append(w.b, ']')
	}
	return append(w.b, '}', '\n')
}

// Failure is an answer that has nothing to show but an error.
func Failure(m Meta, code, message string, json bool) *Answer {
	m.Error = code
	if message == "" {
		message = Message(code)
	}
	return &Answer{Meta: m, JSON: json, Message: oneLine(message)}
}

// oneLine makes a message one line.
func oneLine(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c < 0x20 || c == 0x7f {
			b[i] = ' '
		}
	}
	return string(b)
}

// compose writes items into an answer.
func compose(c *Call, m Meta, json, uncut bool, items []item) *Answer {
	return composeLines(c, m, json, uncut, maxLine, items)
}

// fitPiece writes the items of a chunk. Where even one line is too long for the budget,
// lines are cut to less.
func fitPiece(c *Call, m Meta, json bool, budget int, items []item) *Answer {
	for limit := maxLine; ; limit /= 2 {
		a := composeLines(c, m, json, false, limit, items)
		if budget == 0 || limit < 50 || a.Size() <= budget {
			return a
		}
	}
}

func composeLines(c *Call, m Meta, json, uncut bool, limit int, items []item) *Answer {
	a := &Answer{JSON: json}
	e := emitter{call: c, json: json, uncut: uncut, limit: limit, out: func(b []byte) { a.body = append(a.body, b...) }}
	for i := range items {
		e.item(&items[i])
	}
	m.Cut, m.Escaped, m.NoNewline = e.cut, e.escaped, m.NoNewline || e.noBreak
	m.Truncated = m.Truncated || e.cut > 0 || len(e.omitted) > 0
	a.Meta, a.omitted, a.notes, a.content = m, e.omitted, e.notes, e.content
	return a
}
