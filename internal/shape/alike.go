package shape

import "bytes"

// folds gather what several diagnostics say alike: the first is shown, and of
// the others where they are.
type folds struct {
	g    *ledger
	of   map[string]*folded
	list []*folded
}

type folded struct {
	last   int // the last line that is shown of the first ones
	n      int
	rule   string
	places places
	whole  bool // each place is told with its file
	second second
}

// second is where the second of diagnostics that say the same is: when many
// follow, it is told of by its place as well.
type second struct {
	n, first    int
	file, place string
}

const maxFolds = 20_000

func newFolds(g *ledger) folds { return folds{g: g, of: map[string]*folded{}} }

// add counts a diagnostic under a key; it returns nil when there are too many.
func (f *folds) add(key []byte, n int) *folded {
	d := f.of[string(key)]
	if d == nil {
		if len(f.list) >= maxFolds {
			return nil
		}
		d = &folded{last: n}
		f.of[string(key)] = d
		f.list = append(f.list, d)
	}
	d.n++
	return d
}

// at notes one more place: "a.go:3:1", "a.ts(3,1)", or a line of a file.
func (d *folded) at(file, place []byte) {
	switch {
	case d.whole && len(file) == 0:
		d.places.raw("", string(place))
	case d.whole:
		d.places.raw("", string(file)+":"+string(place))
	case len(file) == 0:
		i := max(0, bytes.IndexAny(place, ":("))
		d.places.raw(string(place[:i]), string(place[i:]))
	default:
		d.places.raw(string(file), ":"+string(place))
	}
}

const manyAlike = 4

// finish tells of the places.
func (f *folds) finish() {
	again := map[int]bool{}
	for _, d := range f.list {
		if s := d.second; d.n >= manyAlike && s.place != "" && d.last == s.n {
			again[s.n] = true
			d.last = s.first
			p := places{all: true}
			d.places, p = p, d.places
			d.at([]byte(s.file), []byte(s.place))
			d.places.join(p)
		}
	}
	if len(again) > 0 {
		f.g.retract(repeated, func(e entry) bool { return again[e.n] })
	}
	for _, d := range f.list {
		if d.places.n == 0 {
			continue
		}
		text := "also at "
		if d.rule != "" {
			text = d.rule + " also at "
		}
		f.g.noteOn(d.last, d.last, text+d.places.String())
	}
}

// raw adds a place in the words of the output. The name of a file that the one
// before is in as well is left out.
func (p *places) raw(file, place string) {
	if p.n++; p.n > p.most() {
		return
	}
	if p.b.Len() > 0 {
		p.b.WriteByte(' ')
	}
	if file != "" && file == p.file {
		if place[0] == ':' {
			place = place[1:]
		}
	} else {
		p.b.WriteString(file)
		p.file = file
	}
	p.b.WriteString(place)
}

// join adds the places of another list.
func (p *places) join(o places) {
	p.n += o.n
	if p.b.Len() > 0 {
		p.b.WriteByte(' ')
	}
	p.b.WriteString(o.b.String())
}

// thinner shows of consecutive lines that differ only in numbers the first ones,
// the last, and those whose numbers deviate. Lines of one word, and those with
// the name of a file that has a number in it or after it, are all shown.
type thinner struct {
	g     *ledger
	id    uint64
	n     int
	held  entry // of a run: the last line so far
	some  bool
	odds  *odds // of the lines of the run
	cells []cell
	test  bool // the lines are what a failing test printed: more of them are shown
}

const (
	thinAfter = 3
	thinTest  = 8
)

func (t *thinner) add(e entry) {
	b := []byte(e.text)
	if alarming(b) || bytes.IndexByte(trim(b), ' ') < 0 || numberedFile(b) {
		t.flush()
		t.n = 0
		t.g.keepEntry(e)
		return
	}
	if id := skeleton(b); id != t.id || t.n == 0 {
		t.flush()
		t.id, t.n = id, 0
	}
	if t.n++; t.n <= thinAfter || t.test && t.n <= thinTest {
		t.learn(e, true)
		t.g.keepEntry(e)
		return
	}
	if t.some {
		t.learn(t.held, false)
	}
	t.held, t.some = e, true
}

// learn takes a line of the run, one that is shown or one that is only if it
// deviates.
func (t *thinner) learn(e entry, shown bool) {
	if t.odds == nil {
		t.odds = newOdds(t.g, repeated)
	}
	b := []byte(e.text)
	t.cells, _ = cells(b, t.cells[:0])
	t.odds.add(e, b, t.cells, shown)
}

// numberedFile reports whether a word with a number is like the name of a file.
func numberedFile(b []byte) bool {
	for w := range bytes.FieldsSeq(b) {
		if i := bytes.IndexAny(w, "0123456789"); i < 0 {
			continue
		}
		if bytes.IndexByte(w, '/') >= 0 {
			return true
		}
		if i := bytes.IndexByte(w, '.'); i > 0 && i+1 < len(w) && letter(w[i+1]) {
			return true
		}
	}
	return false
}

func (t *thinner) flush() {
	if t.some {
		t.learn(t.held, true)
		t.g.keepEntry(t.held)
		t.some = false
	}
	if t.odds != nil {
		t.odds.finish()
		t.odds = nil
	}
}
