package envelope

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// Locate finds where in long lines the call matches, and sets their At.
type Locate func([]*Record)

// Chunk is a part of a result in the order in which it is shown: matches From to To,
// from 1, and where they lie in the output.
type Chunk struct {
	From, To int64
	Spans    []Span
}

// Span is a stretch of the output.
type Span struct {
	Off, End int64
	Class    Class
	Mixed    bool // of several classes
}

// window cuts the text of a long line down to what is around its match, as far as
// that can be told from the words of the pattern.
func (c *Call) window(rec *Record) []byte {
	const whole, around = 16 << 10, 2048
	if rec.Size <= whole && rec.Size == int64(len(rec.Text)) || rec.Kind != Match && rec.Kind != ContextLine {
		return rec.Text[:min(len(rec.Text), whole)]
	}
	at := c.find(rec.Text)
	if at < 0 || rec.Kind == ContextLine {
		return rec.Text[:min(len(rec.Text), whole)]
	}
	from := runesBefore(rec.Text, at, around)
	to := runesAfter(rec.Text, at, around)
	rec.Base, rec.At = int64(from), int64(at)
	return rec.Text[from:to]
}

// find looks for a pattern's longest word in a line.
func (c *Call) find(text []byte) int {
	if c.Inverted {
		return -1
	}
	hay := text
	if c.Insensitive {
		hay = bytes.ToLower(text)
		if len(hay) != len(text) {
			hay = text
		}
	}
	for _, p := range c.Patterns {
		word := p
		if !c.Literal {
			word = ""
			for _, w := range wordsOf(p, false) {
				if len(w) > len(word) {
					word = w
				}
			}
		}
		if c.Insensitive {
			word = strings.ToLower(word)
		}
		if word == "" {
			continue
		}
		if at := bytes.Index(hay, []byte(word)); at >= 0 {
			return at
		}
	}
	return -1
}

// meta is the header of the result.
func (x *Index) meta() Meta {
	m := NewMeta(x.Call.Cmd)
	if x.Call.lines() {
		m.Lines = x.matches
	} else {
		m.Matches = x.matches
	}
	if x.Call.Mode == Lines {
		m.Files = x.files
	}
	m.Definitions = x.definitions[Source]
	if x.counts[Source] == 0 {
		m.Definitions = x.definitions[Tests] + x.definitions[Generated] + x.definitions[Ignored]
	}
	m.Ignored = x.counts[Ignored]
	if dir, n := x.hotZone(); dir != "" && x.Call.Mode != Plain {
		m.HotZone = strings.TrimPrefix(dir, "./") + "/ (" + strconv.FormatInt((n*200+x.matches)/(2*x.matches), 10) + "%)"
	}
	return m
}

// spans are the stretches of the output in the order in which they are shown.
func (x *Index) spans(visit func(r run, c Class, mixed bool)) {
	defs, segs := x.defs, x.segs
	for c := range classes {
		for ; len(defs) > 0 && (defs[0].seg.class == c || !x.Call.Ranked); defs = defs[1:] {
			visit(defs[0].run, defs[0].seg.class, false)
		}
		for ; len(segs) > 0 && (segs[0].class == c || !x.Call.Ranked); segs = segs[1:] {
			for _, r := range segs[0].runs {
				visit(r, segs[0].class, false)
			}
		}
	}
	if x.overflow != nil {
		for _, r := range x.overflow.runs {
			visit(r, Source, true)
		}
	}
}

// Whole is the answer that shows everything, nil if it does not fit. src has the
// output; nil if it is gone.
func (x *Index) Whole(m Meta, src io.ReaderAt, locate Locate) *Answer {
	if src == nil && x.matches > 0 || x.Limits.Budget > 0 && x.chars > 4*int64(x.Limits.Budget)+4096 {
		return nil
	}
	items, ok := x.items(src, x.Limits.Budget)
	if !ok {
		return nil
	}
	locateLong(items, locate)
	a := compose(x.Call, m, x.Limits.JSON, false, items)
	a.Message = x.Message
	if x.Limits.Budget > 0 && a.Size() > x.Limits.Budget {
		return nil
	}
	return a
}

// items reads the whole result, as long as it may fit.
func (x *Index) items(src io.ReaderAt, budget int) ([]item, bool) {
	var list []Span
	x.spans(func(r run, c Class, mixed bool) { list = append(list, Span{r.off, r.end, c, mixed}) })
	var items []item
	size := 0
	err := readSpans(x.Call, src, list, maxText, x.classOf, func(rec *Record, class Class) bool {
		r := *rec
		r.Text = bytes.Clone(x.Call.window(&r))
		items = append(items, item{rec: r, class: class})
		size += min(len(r.Text), maxLine) // each of its characters takes a byte at least
		return budget == 0 || size/4 <= budget
	})
	return items, err == nil
}

// readSpans reads stretches of an output and calls visit for each line, until it
// says no.
func readSpans(c *Call, src io.ReaderAt, spans []Span, limit int, classOf func(string) Class, visit func(*Record, Class) bool) error {
	stopped := false
	buf := make([]byte, 64<<10)
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		for i+1 < len(spans) && spans[i+1].Off == s.End && spans[i+1].Class == s.Class && spans[i+1].Mixed == s.Mixed {
			i++
			s.End = spans[i].End
		}
		rd := NewReader(c, s.Off, func(rec *Record) {
			if rec.Kind == separator || stopped {
				return
			}
			class := s.Class
			if s.Mixed && classOf != nil {
				class = classOf(rec.Path)
			}
			stopped = !visit(rec, class)
		})
		rd.limit = limit
		for off := s.Off; off < s.End; {
			n, err := src.ReadAt(buf[:min(int64(len(buf)), s.End-off)], off)
			_, _ = rd.Write(buf[:n])
			off += int64(n)
			if stopped {
				return errStopped
			}
			if err != nil && off < s.End {
				return err
			}
		}
		rd.Close()
		if stopped {
			return errStopped
		}
	}
	return nil
}

type stoppedError struct{}

func (stoppedError) Error() string { return "stopped" }

var errStopped error = stoppedError{}

// locateLong lets locate say where the long lines match.
func locateLong(items []item, locate Locate) {
	var long []*Record
	for i := range items {
		r := &items[i].rec
		if items[i].parts == nil && r.Kind == Match && r.At < 0 && r.Size > maxLine && r.Size == int64(len(r.Text)) && chars(r.Text) > maxLine {
			long = append(long, r)
		}
	}
	if len(long) > 0 && locate != nil {
		locate(long)
	}
}

// Preview is the answer that shows the first of each class and counts the others.
func (x *Index) Preview(m Meta, locate Locate) *Answer {
	m.Truncated = true
	for p := x.Limits.Preview; ; p-- {
		items := x.preview(p)
		if p == x.Limits.Preview {
			locateLong(items, locate)
		} else if p > 0 {
			locateLong(items, nil)
		}
		a := compose(x.Call, m, x.Limits.JSON, false, items)
		a.Message = x.Message
		if p == 0 || x.Limits.Budget == 0 || a.Size() <= x.Limits.Budget {
			return a
		}
	}
}

// preview lists sections of at most p matches, each with the note of what it leaves
// out.
func (x *Index) preview(p int) []item {
	hot := x.sourceZone()
	var items []item
	var rest []Part
	for c := range classes {
		if x.counts[c] == 0 {
			continue
		}
		shown, inHot := int64(0), int64(0)
		perFile := map[*segment]int{}
		show := func(u *unit) bool {
			if shown >= int64(p) || len(u.recs) == 0 || perFile[u.seg] >= x.perFile() {
				return shown < int64(p)
			}
			perFile[u.seg]++
			for i := range u.recs {
				items = append(items, item{rec: u.recs[i], class: c})
			}
			shown += u.matches
			if hot != "" && strings.HasPrefix(u.seg.path, hot+"/") {
				inHot += u.matches
			}
			return shown < int64(p)
		}
		x.candidates(c, show)
		left := x.counts[c] - shown
		if left == 0 {
			continue
		}
		parts := x.leftOut(c, hot, left, inHot)
		if p == 0 {
			rest = append(rest, parts...)
			continue
		}
		items = append(items, item{parts: parts})
	}
	if rest != nil {
		items = append(items, item{parts: rest})
	}
	return items
}

func (x *Index) perFile() int {
	if x.Call.Mode == Plain {
		return x.Limits.Preview
	}
	return x.Limits.PerFile
}

// candidates offers the units of a class in order.
func (x *Index) candidates(c Class, show func(*unit) bool) {
	for _, u := range x.defs {
		if u.seg.class == c && !show(u) {
			return
		}
	}
	for _, s := range x.pools[c] {
		if x.Call.Mode == Names || x.Call.Mode == Counts {
			rec := Record{Kind: PathName, Path: s.path, Count: s.count, At: -1}
			if !show(&unit{seg: s, recs: []Record{rec}, matches: 1}) {
				return
			}
			continue
		}
		for _, u := range s.head {
			if !show(u) {
				return
			}
		}
	}
}

// leftOut says where what is left of a class is.
func (x *Index) leftOut(c Class, hot string, left, shownHot int64) []Part {
	if x.Call.Mode == Plain {
		return []Part{{left, "more lines"}}
	}
	if c != Source {
		return []Part{{left, "more " + c.what()}}
	}
	if hot == "" {
		return []Part{{left, "more"}}
	}
	in := -shownHot
	for _, s := range x.segs {
		if s.class == c && strings.HasPrefix(s.path, hot+"/") {
			in += s.matches
		}
	}
	name := "more in " + place(strings.TrimPrefix(hot, "./")+"/")
	switch {
	case in == 0:
		return []Part{{left, "more"}}
	case in == left:
		return []Part{{left, name}}
	}
	return []Part{{in, name}, {left - in, c.what()}}
}

// headerRoom is what the header of a chunk and its note take, in characters.
const headerRoom = 400

// Chunks packs the result into parts that fit a budget each.
func (x *Index) Chunks(budget int) []Chunk {
	room := int64(max(budget-headerRoom, 40))
	var out []Chunk
	var used, done int64
	x.spans(func(r run, c Class, mixed bool) {
		if len(out) == 0 || used+r.chars > room {
			out = append(out, Chunk{From: done + 1, To: done})
			used = 0
		}
		k := &out[len(out)-1]
		if n := len(k.Spans); n > 0 && k.Spans[n-1].End == r.off && k.Spans[n-1].Class == c && k.Spans[n-1].Mixed == mixed {
			k.Spans[n-1].End = r.end
		} else {
			k.Spans = append(k.Spans, Span{r.off, r.end, c, mixed})
		}
		used += r.chars
		done += r.matches
		k.To = done
	})
	return out
}

// Piece is the answer for a chunk of a result of total.
func Piece(c *Call, m Meta, json bool, budget int, k Chunk, total int64, src io.ReaderAt, locate Locate) (*Answer, error) {
	var items []item
	err := readSpans(c, src, k.Spans, maxText, func(p string) Class { return ClassOf(p, true) }, func(rec *Record, class Class) bool {
		r := *rec
		r.Text = bytes.Clone(c.window(&r))
		items = append(items, item{rec: r, class: class})
		return true
	})
	if err != nil {
		return nil, err
	}
	locateLong(items, locate)
	if left := total - k.To; left > 0 {
		items = append(items, item{parts: []Part{{left, "more"}}})
	}
	m.From, m.To = k.From, k.To
	return fitPiece(c, m, json, budget, items), nil
}

// WriteLines writes the lines of chunks as they are: nothing cut, nothing escaped.
func WriteLines(c *Call, chunks []Chunk, src io.ReaderAt, w io.Writer) error {
	var failed error
	e := emitter{call: c, uncut: true, raw: true, out: func(b []byte) {
		if failed == nil {
			_, failed = w.Write(b)
		}
	}}
	for _, k := range chunks {
		err := readSpans(c, src, k.Spans, 1<<31, nil, func(rec *Record, class Class) bool {
			e.item(&item{rec: *rec, class: class})
			return failed == nil
		})
		if err != nil {
			return err
		}
	}
	return failed
}

// Stream writes everything, however much it is: once to count, once for good.
func (x *Index) Stream(m Meta, src io.ReaderAt, w io.Writer) (Meta, error) {
	var list []Span
	x.spans(func(r run, c Class, mixed bool) { list = append(list, Span{r.off, r.end, c, mixed}) })
	pass := func(out func([]byte)) (*emitter, error) {
		e := &emitter{call: x.Call, json: x.Limits.JSON, limit: maxLine, out: out}
		err := readSpans(x.Call, src, list, maxText, x.classOf, func(rec *Record, class Class) bool {
			r := *rec
			r.Text = x.Call.window(&r)
			e.item(&item{rec: r, class: class})
			return true
		})
		return e, err
	}
	e, err := pass(func([]byte) {})
	if err != nil {
		return m, err
	}
	m.Cut, m.Escaped, m.NoNewline, m.Truncated = e.cut, e.escaped, e.noBreak, e.cut > 0
	var failed error
	put := func(b []byte) {
		if failed == nil {
			_, failed = w.Write(b)
		}
	}
	if x.Limits.JSON {
		b := m.appendFields([]byte{'{'})
		if x.Message != "" {
			f := fieldWriter{b}
			f.text("message", x.Message)
			b = f.b
		}
		put(append(b, `,"entries":[`...))
	} else {
		put(append(m.Header(), '\n'))
	}
	if _, err = pass(put); err != nil {
		return m, err
	}
	switch {
	case x.Limits.JSON:
		put([]byte("],\"omitted\":[]}\n"))
	case x.Message != "":
		if e.content {
			put([]byte{'\n'})
		}
		put([]byte(errorPrefix + x.Message + "\n"))
	}
	return m, failed
}

// Meta is the header of the result.
func (x *Index) Meta() Meta { return x.meta() }

// Cuts reports whether lines of the result are too long to be shown whole.
func (x *Index) Cuts() bool { return x.cut > 0 }

// Chars is about how many characters all of it takes.
func (x *Index) Chars() int64 { return x.chars }
