package envelope

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Limits are what an answer may hold.
type Limits struct {
	Budget  int  // characters of all of it; 0 for no limit
	Preview int  // matches of a section
	PerFile int  // matches of a file in a section
	JSON    bool // the answer is an object, which is longer than lines
}

const (
	maxSegments = 30_000 // files that are ranked
	maxDefs     = 20_000 // definitions that are ranked
	maxPooled   = 32 << 10
	maxDirs     = 20_000 // directories whose matches are counted apart
)

// Index reads a result as it comes. It knows how much there is, keeps what a preview
// shows, and where in the output everything lies; not the output.
type Index struct {
	Call    *Call
	Limits  Limits
	Message string // of the error, which takes its part of the budget

	reader  *Reader
	classOf func(path string) Class
	wanted  Wanted

	segs     []*segment
	seg      *segment
	overflow *segment // of files beyond maxSegments, in the order of the tool
	lang     *language
	unit     unit // the one that is read
	reading  bool
	trailing int
	prefix   int64 // characters before the text of a line of this file, but for numbers
	nruns    int

	pools [classes][]*segment
	defs  []*unit
	ndefs int

	counts      [classes]int64
	matches     int64
	files       int64
	definitions [classes]int64
	chars       int64
	cut         int64
	bytes       int64
	dirs        map[string]int64
	dir         string
	dirCount    int64
	noBreak     bool
}

// segment is what a result has of one file.
type segment struct {
	path    string
	class   Class
	mixed   bool // of several files
	matches int64
	count   int64 // of Counts
	runs    []run
	open    bool // the last run may grow
	head    []*unit
	first   int64
}

// run is a stretch of the output, with what it takes in an answer.
type run struct {
	off, end int64
	chars    int64
	matches  int64
}

// unit is a match with the lines around it.
type unit struct {
	seg     *segment
	recs    []Record
	run     run
	size    int
	matches int64
	def     bool
	exact   bool
}

// NewIndex returns an index of a call's result. classOf tells the class of a file.
func NewIndex(c *Call, l Limits, classOf func(path string) Class) *Index {
	x := &Index{Call: c, Limits: l, classOf: classOf, wanted: c.wanted(), dirs: map[string]int64{}}
	x.reader = NewReader(c, 0, x.record)
	return x
}

// Write takes the next part of the output. It never fails.
func (x *Index) Write(p []byte) (int, error) {
	x.bytes += int64(len(p))
	return x.reader.Write(p)
}

// Close ends the result.
func (x *Index) Close() {
	x.reader.Close()
	x.endSegment()
	x.flushDir()
	x.order()
}

// Total is the magnitude: lines, parts, names, or bytes of nothing.
func (x *Index) Total() int64 { return x.matches }

// step is how long a run becomes before the next one begins: chunks are made of runs.
func (x *Index) step() int64 {
	switch {
	case x.Limits.Budget == 0:
		return 4000
	case x.nruns > 50_000: // so many that memory is dearer than a chunk that is not full
		return int64(min(max(x.Limits.Budget/4, 200), 16_000))
	}
	return int64(min(max(x.Limits.Budget/16, 40), 4000))
}

func (x *Index) record(rec *Record) {
	if rec.Kind == separator {
		x.endUnit()
		return
	}
	if x.seg == nil || x.seg.path != rec.Path || x.Call.Mode == Names || x.Call.Mode == Counts {
		x.endSegment()
		x.begin(rec)
	}
	switch rec.Kind {
	case ContextLine:
		if x.reading && x.unit.matches > 0 && x.trailing >= x.Call.After {
			x.endUnit()
		}
		x.trailing++
		x.add(rec, false)
		return
	case PathName:
		x.seg.count = rec.Count
	}
	if x.reading && x.unit.matches > 0 {
		x.endUnit()
	}
	x.trailing = 0
	exact, def := false, false
	if x.lang != nil && x.ndefs < maxDefs {
		exact, def = x.lang.defines(rec.Text, &x.wanted)
	}
	x.add(rec, def)
	x.unit.matches++
	x.unit.exact, x.unit.def = exact, def
	if !x.Call.Context {
		x.endUnit()
	}
}

func (x *Index) begin(rec *Record) {
	x.seg = &segment{path: rec.Path, class: x.classOf(rec.Path), first: rec.Off}
	x.lang = nil
	if x.Call.Mode == Lines && len(x.wanted.words) > 0 {
		x.lang = languageOf(rec.Path)
	}
	x.prefix = int64(chars([]byte(Quote(rec.Path)))) + 1
}

// add puts a line into the unit that is read.
func (x *Index) add(rec *Record, def bool) {
	if !x.reading {
		x.reading = true
		x.unit = unit{seg: x.seg, run: run{off: rec.Off}}
	}
	u := &x.unit
	u.run.end = rec.End
	u.run.chars += x.cost(rec)
	if rec.Size > maxLine && x.Call.Mode != Names && chars(rec.Text) > maxLine {
		x.cut++
	}
	x.noBreak = x.noBreak || rec.NoBreak
	if def || x.keeps(u) {
		r := *rec
		r.Text = bytes.Clone(x.Call.window(&r))
		u.recs = append(u.recs, r)
		u.size += len(r.Text) + len(r.Path)
	}
}

// keeps reports whether the lines of a unit may be shown in a preview: they are of
// the first of their file, or stand around what may be a definition.
func (x *Index) keeps(u *unit) bool {
	if x.Call.Mode == Names || x.Call.Mode == Counts || u.size >= maxPooled {
		return false
	}
	return x.headOpen() || x.Call.Context && x.lang != nil && x.ndefs < maxDefs
}

// headOpen reports whether a file may have more in a preview.
func (x *Index) headOpen() bool { return len(x.seg.head) < x.perFile() }

// cost is how many characters a line takes, at most.
func (x *Index) cost(rec *Record) int64 {
	n := int64(1)
	switch rec.Kind {
	case PathName:
		n += x.prefix
		if x.Call.Mode == Counts {
			n += 20
		}
	case PlainLine:
		n += int64(min(chars(rec.Text), maxLine)) + 1
	default:
		n += int64(min(chars(rec.Text), maxLine)) + digits(rec.Line) + 2
		if !x.Call.NoName {
			n += x.prefix
		}
		if x.Call.Offsets {
			n += digits(rec.Offset) + 1
		}
		if x.Call.Column {
			n += digits(rec.Column) + 1
		}
	}
	if x.Call.Context {
		n += int64(len(x.Call.Separator)) + 1
	}
	if x.Limits.JSON {
		n += int64(jsonCost(rec))
	}
	return n
}

func digits(n int64) int64 {
	d := int64(1)
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

func (x *Index) endUnit() {
	if !x.reading {
		return
	}
	x.reading = false
	u := &x.unit
	x.chars += u.run.chars
	u.run.matches = u.matches
	s := x.seg
	s.matches += u.matches
	if u.def {
		x.definitions[s.class]++
		x.ndefs++
		s.open = false
		kept := *u
		x.defs = append(x.defs, &kept)
		if x.ndefs > 4*x.Limits.Preview+64 && x.ndefs%64 == 0 { // its lines are in the output still
			x.thinDefs()
		}
		return
	}
	if n := len(s.runs); n > 0 && s.open && s.runs[n-1].end == u.run.off && s.runs[n-1].chars < x.step() {
		r := &s.runs[n-1]
		r.end, r.chars, r.matches = u.run.end, r.chars+u.run.chars, r.matches+u.run.matches
	} else {
		s.runs = append(s.runs, u.run)
		s.open = true
		x.nruns++
	}
	if len(u.recs) > 0 && x.headOpen() {
		kept := *u
		s.head = append(s.head, &kept)
	}
}

// thinDefs lets go of the lines of definitions that no preview shows. Which these are
// is known where their files have ended.
func (x *Index) thinDefs() {
	var held []*unit
	for _, u := range x.defs {
		if u.recs != nil && u.seg != x.seg {
			held = append(held, u)
		}
	}
	if len(held) <= 2*x.Limits.Preview {
		x.thinOpen()
		return
	}
	slices.SortStableFunc(held, x.compareDefs)
	shown := map[*segment]int{}
	var n [classes]int
	for _, u := range held {
		if shown[u.seg]++; shown[u.seg] > x.Limits.PerFile || n[u.seg.class] >= x.Limits.Preview {
			u.recs = nil
			continue
		}
		n[u.seg.class]++
	}
	x.thinOpen()
}

// thinOpen does it for the file that is being read: the exact ones come first, and of
// equal ones the earlier.
func (x *Index) thinOpen() {
	for _, exact := range []bool{true, false} {
		n := 0
		for _, u := range x.defs {
			if u.seg == x.seg && u.exact == exact && u.recs != nil {
				if n++; n > x.Limits.PerFile {
					u.recs = nil
				}
			}
		}
	}
}

func (x *Index) endSegment() {
	x.endUnit()
	s := x.seg
	if s == nil {
		return
	}
	x.seg, x.lang = nil, nil
	if s.matches > 0 {
		x.files++
	}
	x.matches += s.matches
	x.counts[s.class] += s.matches
	x.countDir(s)
	s.runs = slices.Clip(s.runs)
	x.pools[s.class] = append(x.pools[s.class], s)
	if len(x.pools[s.class]) >= 8*x.Limits.Preview+32 {
		x.prune(s.class)
	}
	if len(x.segs) < maxSegments {
		x.segs = append(x.segs, s)
		return
	}
	if x.overflow == nil {
		x.overflow = &segment{mixed: true}
	}
	x.spill(s)
}

// spill adds the runs of a file to those of the files that are not ranked.
func (x *Index) spill(s *segment) {
	o := x.overflow
	o.matches += s.matches
	for _, r := range s.runs {
		if n := len(o.runs); n > 0 && o.runs[n-1].end == r.off && o.runs[n-1].chars < x.step() {
			l := &o.runs[n-1]
			l.end, l.chars, l.matches = r.end, l.chars+r.chars, l.matches+r.matches
		} else {
			o.runs = append(o.runs, r)
		}
	}
	s.runs = nil
}

// prune keeps of the files of a class those that a preview may show.
func (x *Index) prune(c Class) {
	p := x.pools[c]
	slices.SortFunc(p, x.compare)
	keep := min(len(p), 2*x.Limits.Preview)
	for _, s := range p[keep:] {
		s.head = nil
	}
	clear(p[keep:])
	x.pools[c] = p[:keep]
}

// compare is the order of files within a class.
func (x *Index) compare(a, b *segment) int {
	if x.Call.Cmd == "find" {
		return cmp.Or(cmp.Compare(strings.Count(a.path, "/"), strings.Count(b.path, "/")), strings.Compare(a.path, b.path), cmp.Compare(a.first, b.first))
	}
	return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(b.matches, a.matches), strings.Compare(a.path, b.path), cmp.Compare(a.first, b.first))
}

func (x *Index) compareDefs(a, b *unit) int {
	rank := func(u *unit) int {
		if u.exact {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), x.compare(a.seg, b.seg), cmp.Compare(a.run.off, b.run.off))
}

// order sorts what is known for good.
func (x *Index) order() {
	if x.Call.Ranked {
		slices.SortFunc(x.segs, func(a, b *segment) int { return cmp.Or(cmp.Compare(a.class, b.class), x.compare(a, b)) })
		slices.SortStableFunc(x.defs, func(a, b *unit) int { return cmp.Or(cmp.Compare(a.seg.class, b.seg.class), x.compareDefs(a, b)) })
		for c := range x.pools {
			slices.SortFunc(x.pools[c], x.compare)
		}
	}
}
