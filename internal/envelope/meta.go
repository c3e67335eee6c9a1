// Package envelope makes of the output of grep, cat and find a short answer that
// counts what it leaves out: a header of three lines, what matters first, and the
// rest in chunks. It decides and renders; it starts no program and keeps no file.
package envelope

import (
	"strconv"
	"unicode/utf8"
)

const (
	beginMeta = "# TE_BEGIN_META\n"
	endMeta   = "\n# TE_END_META\n"
	version   = 1
)

// Absent is a magnitude that a command does not have.
const Absent = -1

// Meta is the header: how much there is, and what of it is shown. Of the counts
// the first four are the magnitude, and Absent where the command has none; of the
// others zero is left out.
type Meta struct {
	Cmd string
	Of  string // the command whose result a handle holds

	Matches, Files, Lines, Size int64

	ContentType string
	Definitions int64
	Ignored     int64
	Binary      int64 // files
	HotZone     string

	Truncated     bool
	Handle        string
	Chunk, Chunks int64
	From, To      int64 // of the magnitude, from 1; both 0 where there is no chunk
	Cut           int64 // lines shortened
	Escaped       int64 // lines with a backslash of ours in front
	NoNewline     bool  // the content does not end with the newline that is shown
	Errors        int64 // lines the tool complained
	NotStored     bool
	Error         string
}

// NewMeta is a header without a magnitude.
func NewMeta(cmd string) Meta {
	return Meta{Cmd: cmd, Matches: Absent, Files: Absent, Lines: Absent, Size: Absent}
}

// Header is the three lines.
func (m *Meta) Header() []byte {
	b := append([]byte(beginMeta), '{')
	b = m.appendFields(b)
	return append(append(b, '}'), endMeta...)
}

// appendFields writes the members of the object, without its braces.
func (m *Meta) appendFields(b []byte) []byte {
	w := fieldWriter{b}
	w.number("v", version, true)
	w.text("cmd", m.Cmd)
	w.text("of", m.Of)
	w.number("matches", m.Matches, m.Matches != Absent)
	w.number("files", m.Files, m.Files != Absent)
	w.number("lines", m.Lines, m.Lines != Absent)
	w.number("size", m.Size, m.Size != Absent)
	w.text("content_type", m.ContentType)
	w.count("definitions", m.Definitions)
	w.count("ignored", m.Ignored)
	w.count("binary", m.Binary)
	w.text("hot_zone", m.HotZone)
	w.flag("truncated", m.Truncated)
	w.text("handle", m.Handle)
	w.count("chunk", m.Chunk)
	w.count("chunks", m.Chunks)
	w.number("from", m.From, m.Chunk > 0)
	w.number("to", m.To, m.Chunk > 0)
	w.count("cut", m.Cut)
	w.count("escaped", m.Escaped)
	w.flag("no_newline", m.NoNewline)
	w.count("errors", m.Errors)
	if m.NotStored {
		w.key("stored")
		w.b = append(w.b, "false"...)
	}
	w.text("error", m.Error)
	return w.b
}

// fieldWriter appends the members of an object of JSON.
type fieldWriter struct{ b []byte }

func (w *fieldWriter) key(name string) {
	if c := w.b[len(w.b)-1]; c != '{' && c != '[' {
		w.b = append(w.b, ',')
	}
	w.b = append(append(append(w.b, '"'), name...), '"', ':')
}

func (w *fieldWriter) number(name string, n int64, has bool) {
	if has {
		w.key(name)
		w.b = strconv.AppendInt(w.b, n, 10)
	}
}

func (w *fieldWriter) count(name string, n int64) { w.number(name, n, n > 0) }

func (w *fieldWriter) text(name, s string) {
	if s != "" {
		w.key(name)
		w.b = appendString(w.b, s)
	}
}

func (w *fieldWriter) flag(name string, on bool) {
	if on {
		w.key(name)
		w.b = append(w.b, "true"...)
	}
}

// bytesOrText writes a text, or as base64 under another name what is not UTF-8.
func (w *fieldWriter) bytesOrText(name string, s []byte) {
	if utf8.Valid(s) {
		w.key(name)
		w.b = appendString(w.b, string(s))
		return
	}
	w.key(name + "_b64")
	w.b = appendBase64(w.b, s)
}
