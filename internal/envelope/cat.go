package envelope

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shape"
)

const (
	catLead  = 1 << 20  // bytes at the beginning that are looked at for what matters
	catTail  = 64 << 10 // bytes at the end
	catScan  = 64 << 20 // bytes of a log that are looked through for errors
	maxFound = 400
)

// CatIndex reads the content of files as it comes: how much there is, how it begins
// and ends, and where it may be cut.
type CatIndex struct {
	Call    *Call
	Limits  Limits
	Message string // of the error
	Lines   int    // lines of a preview
	Names   []string
	Formed  bool // the options of cat changed the content: its lines have no numbers of ours
	Type    string
	size    int64
	breaks  int64 // newlines
	lead    []byte
	tail    []byte
	chunks  []Chunk
	used    int64
	edge    int64 // where the last line of the open chunk ends
	edgeN   int64 // lines before it
	last    byte
	errs    []foundLine
	partial []byte
	scanned int64
}

// foundLine is a line that a preview may show, by its number.
type foundLine struct {
	n   int64
	rec Record
}

// Write takes the next part of the content. It never fails.
func (x *CatIndex) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if x.size == 0 {
		x.Type = x.sniff(p, nil)
	}
	if n := catLead - len(x.lead); n > 0 {
		x.lead = append(x.lead, p[:min(n, len(p))]...)
	}
	x.keepTail(p)
	if x.Type == "log" && x.scanned < catScan {
		x.scan(p)
	}
	x.cut(p)
	x.size += int64(len(p))
	x.last = p[len(p)-1]
	return len(p), nil
}

func (x *CatIndex) sniff(head, tail []byte) string {
	kind := ""
	for i, n := range x.Names {
		t := Sniff(n, head, tail)
		if i > 0 && t != kind {
			return "text"
		}
		kind = t
	}
	if kind == "" {
		kind = Sniff("", head, tail)
	}
	return kind
}

func (x *CatIndex) keepTail(p []byte) {
	if len(p) >= catTail {
		x.tail = append(x.tail[:0], p[len(p)-catTail:]...)
		return
	}
	x.tail = append(x.tail, p...)
	if over := len(x.tail) - 2*catTail; over > 0 {
		x.tail = append(x.tail[:0], x.tail[len(x.tail)-catTail:]...)
	}
}

// scan looks for errors in a log.
func (x *CatIndex) scan(p []byte) {
	x.scanned += int64(len(p))
	n := x.breaks
	for len(p) > 0 && len(x.errs) < maxFound {
		line, rest, whole := bytes.Cut(p, []byte{'\n'})
		if !whole {
			x.partial = append(x.partial, line[:min(len(line), 2000)]...)
			return
		}
		if len(x.partial) > 0 {
			line = append(x.partial, line...)
			x.partial = x.partial[:0]
		}
		n++
		if shape.Alarming(line) {
			x.errs = append(x.errs, foundLine{n, plainRecord(line, n)})
		}
		p = rest
	}
}

func plainRecord(line []byte, n int64) Record {
	return Record{Kind: PlainLine, Line: n, Text: bytes.Clone(line[:min(len(line), 4096)]), Size: int64(len(line)), At: -1}
}

// cut finds the places where the content may be cut: after a line, so that a chunk
// fits. Bytes are counted, which are at least as many as characters.
func (x *CatIndex) cut(p []byte) {
	room := int64(max(x.Limits.Budget-headerRoom, 40))
	off, used := x.size, int64(0)
	for len(p) > 0 {
		if len(x.chunks) == 0 {
			x.chunks = append(x.chunks, Chunk{From: 1, Spans: []Span{{}}})
		}
		k := &x.chunks[len(x.chunks)-1]
		start := k.Spans[0].Off
		n := len(p)
		if left := room - (off - start) - x.used; x.Limits.Budget > 0 && int64(n) > left {
			n = int(max(left, 0))
		}
		part := p[:n]
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			x.edge, x.edgeN = off+int64(i)+1, x.breaks+int64(bytes.Count(part[:i+1], []byte{'\n'}))
		}
		if n < len(p) {
			if x.edge <= start { // a line that is longer than a chunk
				i := bytes.IndexByte(p[n:], '\n')
				if i < 0 {
					x.breaks += int64(bytes.Count(part, []byte{'\n'}))
					return
				}
				n += i + 1
				part = p[:n]
				x.edge, x.edgeN = off+int64(n), x.breaks+int64(bytes.Count(part, []byte{'\n'}))
			}
			k.Spans[0].End, k.To = x.edge, x.edgeN
			x.chunks = append(x.chunks, Chunk{From: x.edgeN + 1, Spans: []Span{{Off: x.edge}}})
			x.used = 0
		} else {
			x.used += int64(escapes(part))
		}
		used = int64(len(part))
		x.breaks += int64(bytes.Count(part, []byte{'\n'}))
		off += used
		p = p[len(part):]
	}
}

// escapes is how many lines may get a backslash in front, at most.
func escapes(p []byte) int {
	return bytes.Count(p, []byte("# TE")) + bytes.Count(p, []byte("[TE]"))
}

// Close ends the content.
func (x *CatIndex) Close() {
	if x.size > 0 {
		x.Type = x.sniff(x.lead, x.tail)
	} else {
		x.Type = x.sniff(nil, nil)
	}
	if n := len(x.chunks); n > 0 {
		k := &x.chunks[n-1]
		k.Spans[0].End, k.To = x.size, x.Total()
		if k.Spans[0].Off == x.size {
			x.chunks = x.chunks[:n-1]
		}
	}
}

// Total is the number of lines; a last one without an end counts.
func (x *CatIndex) Total() int64 {
	if x.size > 0 && x.last != '\n' {
		return x.breaks + 1
	}
	return x.breaks
}

// Size is the number of bytes.
func (x *CatIndex) Size() int64 { return x.size }

// Binary reports whether the content is no text.
func (x *CatIndex) Binary() bool { return x.Type == "binary" }

// Meta is the header of the content.
func (x *CatIndex) Meta() Meta {
	m := NewMeta("cat")
	m.Lines, m.Size, m.ContentType = x.Total(), x.size, x.Type
	if len(x.Names) > 1 {
		m.Files = int64(len(x.Names))
	}
	return m
}

// Chunks are the parts of the content that fit the budget each.
func (x *CatIndex) Chunks() []Chunk { return x.chunks }

// Whole is the answer that shows everything, nil if it does not fit.
func (x *CatIndex) Whole(m Meta, src io.ReaderAt) *Answer {
	limit := int64(x.Limits.Budget)
	if src == nil && x.size > 0 || limit > 0 && x.size > 4*limit {
		return nil
	}
	var items []item
	n := int64(0)
	err := readSpans(x.Call, src, []Span{{Off: 0, End: x.size}}, 1<<31, nil, func(rec *Record, _ Class) bool {
		r := *rec
		n++
		r.Line, r.Text = n, bytes.Clone(rec.Text)
		items = append(items, item{rec: r})
		return true
	})
	if err != nil {
		return nil
	}
	a := compose(x.Call, m, x.Limits.JSON, true, items)
	a.Message = x.Message
	if x.Limits.Budget > 0 && a.Size() > x.Limits.Budget {
		return nil
	}
	return a
}

// Preview is the answer that shows the lines that say most, with what each gap holds.
func (x *CatIndex) Preview(m Meta) *Answer {
	m.Truncated = true
	if x.Binary() {
		return &Answer{Meta: m, JSON: x.Limits.JSON, Message: x.Message}
	}
	found, derived := x.pick()
	for n := x.Lines; ; n = n * 3 / 4 {
		a := compose(x.Call, m, x.Limits.JSON, false, x.gaps(found(n), derived[:min(len(derived), n)]))
		a.Message = x.Message
		if n == 0 || x.Limits.Budget == 0 || a.Size() <= x.Limits.Budget {
			return a
		}
	}
}

// gaps puts the note of what is left out between lines.
func (x *CatIndex) gaps(found []foundLine, derived []string) []item {
	var items []item
	for _, d := range derived {
		items = append(items, item{derived: d})
	}
	next := int64(1)
	for _, f := range found {
		if f.n > next {
			items = append(items, item{parts: []Part{{f.n - next, "more lines"}}})
		}
		items = append(items, item{rec: f.rec, number: !x.Formed})
		next = f.n + 1
	}
	if left := x.Total() - next + 1; left > 0 {
		items = append(items, item{parts: []Part{{left, "more lines"}}})
	}
	return items
}

// pick chooses lines by the type of the content: a function of how many.
func (x *CatIndex) pick() (found func(n int) []foundLine, derived []string) {
	head := x.headLines()
	tail := x.tailLines()
	take := func(h int, marked []foundLine, m, t int) []foundLine {
		all := slices.Clone(head[:min(h, len(head))])
		all = append(all, spread(marked, m)...)
		all = append(all, tail[len(tail)-min(t, len(tail)):]...)
		slices.SortStableFunc(all, func(a, b foundLine) int { return int(a.n - b.n) })
		return slices.CompactFunc(all, func(a, b foundLine) bool { return a.n == b.n })
	}
	kind := x.Type
	if x.Formed {
		kind = "text"
	}
	switch {
	case strings.HasPrefix(kind, "code/"):
		defs := x.definitions()
		return func(n int) []foundLine { return take(n/5, widest(defs, n-n/5), n, 0) }, nil
	case kind == "log":
		return func(n int) []foundLine { return take(n/5, x.errs, n*2/5, n*2/5) }, nil
	case kind == "markdown":
		heads := headings(head)
		return func(n int) []foundLine { return take(n/5, heads, n*4/5, 0) }, nil
	case kind == "json":
		derived = describeJSON(x.lead, int64(len(x.lead)) < x.size)
		return func(n int) []foundLine { return take(n/5, nil, 0, 0) }, derived
	case kind == "tabular":
		return func(n int) []foundLine { return take(n*3/5, nil, 0, n/5) }, nil
	}
	return func(n int) []foundLine { return take(n*3/5, nil, 0, n*2/5) }, nil
}

// widest takes the n definitions that say most of a file: those on the left, of them
// types before functions, and of equal ones every so many.
func widest(defs []foundLine, n int) []foundLine {
	for rank := range 4 {
		of := func(r int) []foundLine {
			return slices.DeleteFunc(slices.Clone(defs), func(f foundLine) bool { return definitionRank(f.rec.Text) > r })
		}
		if more := of(rank); len(more) > n || rank == 3 {
			var kept []foundLine
			if rank > 0 {
				kept = of(rank - 1)
			}
			more = slices.DeleteFunc(more, func(f foundLine) bool { return definitionRank(f.rec.Text) < rank && rank > 0 })
			room := n - len(kept)
			for i := range min(room, len(more)) {
				kept = append(kept, more[i*len(more)/min(room, len(more))])
			}
			return kept
		}
	}
	return defs
}

// definitionRank is 0 for a type on the left, 1 for what else is there, 2 and 3 for what
// is indented.
func definitionRank(line []byte) int {
	text := bytes.TrimLeft(line, " \t")
	rank := 1
	for _, w := range typeWords {
		if bytes.HasPrefix(text, w) {
			rank = 0
		}
	}
	if len(text) < len(line) {
		rank += 2
	}
	return rank
}

var typeWords = [][]byte{[]byte("class "), []byte("type "), []byte("struct "), []byte("interface "), []byte("trait "), []byte("enum "), []byte("pub struct "), []byte("pub enum "), []byte("pub trait "), []byte("export class "), []byte("export interface "), []byte("public class "), []byte("public interface "), []byte("CREATE TABLE ")}

// spread takes n of many: the first half and the last.
func spread(all []foundLine, n int) []foundLine {
	if len(all) <= n {
		return all
	}
	half := (n + 1) / 2
	return slices.Concat(all[:half], all[len(all)-(n-half):])
}

// headLines are the lines of the beginning that are there whole.
func (x *CatIndex) headLines() []foundLine {
	var out []foundLine
	b := x.lead
	for n := int64(1); len(b) > 0; n++ {
		line, rest, whole := bytes.Cut(b, []byte{'\n'})
		rec := plainRecord(line, n)
		if !whole && int64(len(x.lead)) < x.size {
			if len(line) > 4096 && n < 10 { // a line that is longer than what was looked at
				rec.Size = max(rec.Size, x.sizeOfLine(n))
				out = append(out, foundLine{n, rec})
			}
			return out
		}
		rec.NoBreak = !whole
		out = append(out, foundLine{n, rec})
		b = rest
	}
	return out
}

// sizeOfLine is the length of the one line that all the content is, else 0.
func (x *CatIndex) sizeOfLine(n int64) int64 {
	if n == 1 && x.Total() == 1 {
		return x.size - (x.size-x.breaks)/max(x.size, 1) - min(x.breaks, 1)
	}
	return 0
}

// tailLines are the lines of the end that are there whole.
func (x *CatIndex) tailLines() []foundLine {
	b := x.tail
	if int64(len(b)) < x.size {
		_, b, _ = bytes.Cut(b, []byte{'\n'})
	}
	var out []foundLine
	for len(b) > 0 {
		line, rest, whole := bytes.Cut(b, []byte{'\n'})
		rec := plainRecord(line, 0)
		rec.NoBreak = !whole
		out = append(out, foundLine{0, rec})
		b = rest
	}
	for i := range out {
		out[i].n = x.Total() - int64(len(out)-1-i)
		out[i].rec.Line = out[i].n
	}
	return out
}

// definitions are the lines of code that define something.
func (x *CatIndex) definitions() []foundLine {
	var l *language
	if len(x.Names) > 0 {
		l = languageOf(x.Names[0])
	}
	if l == nil {
		return nil
	}
	any := Wanted{any: true}
	return slices.DeleteFunc(x.headLines(), func(f foundLine) bool {
		_, ok := l.defines(f.rec.Text, &any)
		deep := len(f.rec.Text) - len(bytes.TrimLeft(f.rec.Text, " \t"))
		return !ok || deep > 4
	})
}

func headings(lines []foundLine) []foundLine {
	fenced := false
	return slices.DeleteFunc(slices.Clone(lines), func(f foundLine) bool {
		t := f.rec.Text
		if bytes.HasPrefix(t, []byte("```")) || bytes.HasPrefix(t, []byte("~~~")) {
			fenced = !fenced
		}
		rest := bytes.TrimLeft(t, "#")
		level := len(t) - len(rest)
		return fenced || level < 1 || level > 6 || len(rest) > 0 && rest[0] != ' '
	})
}

// PieceOfFile is the answer for a chunk of content of total lines.
func PieceOfFile(c *Call, m Meta, json bool, budget int, k Chunk, total int64, src io.ReaderAt) (*Answer, error) {
	var items []item
	n := k.From
	err := readSpans(c, src, k.Spans, maxText, nil, func(rec *Record, _ Class) bool {
		r := *rec
		r.Line, r.Text = n, bytes.Clone(rec.Text[:min(len(rec.Text), 16<<10)])
		n++
		items = append(items, item{rec: r})
		return true
	})
	if err != nil {
		return nil, err
	}
	if left := total - k.To; left > 0 {
		items = append(items, item{parts: []Part{{left, "more lines"}}})
	}
	m.From, m.To = k.From, k.To
	return fitPiece(c, m, json, budget, items), nil
}
