package shape

import (
	"cmp"
	"math"
	"slices"
)

// odds reads rows of which only some are shown, and finds those that deviate in
// a column: the largest and the smallest number and what lies far from the
// others, a word that few rows have, a word among numbers. It holds the rows
// that may be such until it has seen all.
type odds struct {
	g    *ledger
	kind kind // of the rows that are left out
	// sure: the largest and the smallest are shown in any case, else only if they
	// lie far from the others.
	sure bool
	ends bool // the first and the last of sorted ones are shown too
	n    int
	cols []column
	keys map[uint64]int // columns by name
	free []*oddRow
	size int // bytes of the rows that are held
	one  [1]heldLine

	// The row that is read.
	lines []heldLine
	told  bool
	row   *oddRow // its copy, if a column wants it
}

// oddRow is a row that may be shown: one line, or those of a record.
type oddRow struct {
	lines []heldLine
	uses  int  // columns that want it
	show  bool // it deviates
	told  bool // it is shown, or left out, elsewhere
	kind  kind // under which it is left out
}

// column is what is known of the values in a column.
type column struct {
	n          int // numbers
	sample     []float64
	last       float64
	rose, fell bool
	steps      int  // how often it did
	times      bool // units of time other than "m" stand in it
	high, low  []pick

	numbers common // the first rows that have one
	words   map[uint64]*common
	word    uint64 // that came last,
	of      *common
	many    bool // more different words than are counted
}

// pick is a row with its number.
type pick struct {
	v    float64
	same int // rows that have this number
	row  *oddRow
}

// common is a word and the first rows that have it.
type common struct {
	n    int
	rows [rareEach]*oddRow
}

const (
	maxSample  = 256 // numbers of a column by which it is told what is far
	highest    = 4   // rows with the largest numbers of a column,
	lowest     = 2   // and with the smallest
	rareEach   = 2   // rows that are shown with a word that few have
	rareShown  = 12  // and with all such words of a column
	maxCommons = 64  // different words of a column that are counted
	minOdds    = 4   // rows of which one can deviate

	maxOddText = 256 << 10 // bytes of rows that are held for their words
)

func newOdds(g *ledger, k kind) *odds { return &odds{g: g, kind: k, sure: true} }

// add takes a row. One that is shown in any case is only learned from.
func (o *odds) add(e entry, text []byte, list []cell, told bool) {
	o.one[0].entry, o.one[0].bytes = e, text
	o.record(o.one[:], list, told)
}

// record takes a row of several lines.
func (o *odds) record(lines []heldLine, list []cell, told bool) {
	o.n++
	o.lines, o.told, o.row = lines, told, nil
	for i := range list {
		if c := o.column(list[i].col); c != nil {
			c.see(o, &list[i])
		}
	}
	switch {
	case o.row != nil && o.row.uses == 0:
		o.drop(o.row)
	case o.row == nil && !told:
		for i := range lines {
			o.out(&lines[i], o.kind)
		}
	}
	o.row = nil
}

func (o *odds) column(id uint64) *column {
	if id < uint64(len(o.cols)) {
		return &o.cols[id]
	}
	if id < maxCells {
		for uint64(len(o.cols)) <= id {
			o.cols = append(o.cols, column{})
		}
		return &o.cols[id]
	}
	i, ok := o.keys[id]
	if !ok {
		if len(o.cols) >= maxCells {
			return nil
		}
		if i = len(o.cols); i == 0 {
			o.keys = map[uint64]int{}
		}
		o.keys[id] = i
		o.cols = append(o.cols, column{})
	}
	return &o.cols[i]
}

// hold returns the copy of the row that is read, for one more column.
func (o *odds) hold() *oddRow {
	if o.row == nil {
		var r *oddRow
		if n := len(o.free); n > 0 {
			r, o.free = o.free[n-1], o.free[:n-1]
			r.lines = r.lines[:0]
		} else {
			r = &oddRow{}
		}
		r.uses, r.show, r.told, r.kind = 0, false, o.told, o.kind
		for i := range o.lines {
			r.lines = push(r.lines, o.lines[i].entry, o.lines[i].bytes)
			o.size += len(o.lines[i].bytes)
		}
		o.row = r
	}
	o.row.uses++
	return o.row
}

// let says that a column does not want a row any more.
func (o *odds) let(r *oddRow) {
	if r == nil {
		return
	}
	if r.uses--; r.uses > 0 || r == o.row {
		return
	}
	o.drop(r)
	for i := range r.lines {
		o.size -= len(r.lines[i].bytes)
	}
	if len(o.free) < maxCells {
		o.free = append(o.free, r)
	}
}

func (o *odds) drop(r *oddRow) {
	if r.told {
		return
	}
	for i := range r.lines {
		o.out(&r.lines[i], r.kind)
	}
}

// out leaves a line out.
func (o *odds) out(h *heldLine, k kind) {
	if k != packages {
		o.g.loudly(h.n)
	}
	o.g.dropText(h.entry, h.bytes, k)
}

// see takes a value of the column.
func (c *column) see(o *odds, x *cell) {
	if !x.number {
		if !c.many {
			c.count(o, word(x.text))
		}
		return
	}
	c.numbers.add(o)
	v := x.v
	c.times = c.times || x.unit == 's'
	if x.unit == 'm' && !c.times {
		v /= 60e3 // a thousandth, as of a processor
	}
	if c.n++; c.n > 1 && v != c.last {
		c.rose, c.fell = c.rose || v > c.last, c.fell || v < c.last
		c.steps++
	}
	c.last = v
	if len(c.sample) < maxSample {
		c.sample = append(c.sample, v)
	}
	c.high = rank(o, c.high, v, highest)
	c.low = rank(o, c.low, -v, lowest)
}

// rank puts a row into a list of those with the largest numbers.
func rank(o *odds, list []pick, v float64, most int) []pick {
	i := len(list)
	if i == most && v < list[i-1].v {
		return list
	}
	for i > 0 && list[i-1].v < v {
		i--
	}
	if i > 0 && list[i-1].v == v {
		list[i-1].same++
		if list[0].v == v {
			return list // the first rows of many that are alike
		}
	}
	if i == most {
		return list
	}
	row := o.hold()
	if len(list) == most {
		o.let(list[most-1].row)
		list = list[:most-1]
	}
	return slices.Insert(list, i, pick{v, 1, row})
}

// add counts a row that has the word.
func (w *common) add(o *odds) {
	if w.n < rareEach {
		w.rows[w.n] = o.hold()
	}
	w.n++
}

// count counts a word of the column.
func (c *column) count(o *odds, id uint64) {
	if c.of != nil && c.word == id {
		c.of.add(o)
		return
	}
	w := c.words[id]
	if w == nil {
		if len(c.words) >= maxCommons || o.size > maxOddText {
			c.many = true
			for _, w := range c.words {
				for _, r := range w.rows {
					o.let(r)
				}
			}
			c.words, c.of = nil, nil
			return
		}
		if c.words == nil {
			c.words = map[uint64]*common{}
		}
		w = &common{}
		c.words[id] = w
	}
	c.word, c.of = id, w
	w.add(o)
}

// finish shows the rows that deviate; it returns how many.
func (o *odds) finish() int {
	if o.n >= minOdds {
		for i := range o.cols {
			o.cols[i].far(o)
			o.cols[i].rare(o.n)
		}
	}
	return o.settle()
}

// all shows the rows that are held: all of them, if they are not more than
// rareEach.
func (o *odds) all() {
	for _, r := range o.held() {
		r.show = true
	}
	o.settle()
}

// held returns the rows that columns want, in their order.
func (o *odds) held() []*oddRow {
	var rows []*oddRow
	take := func(r *oddRow) {
		if r != nil {
			rows = append(rows, r)
		}
	}
	for i := range o.cols {
		c := &o.cols[i]
		for _, p := range c.high {
			take(p.row)
		}
		for _, p := range c.low {
			take(p.row)
		}
		for _, r := range c.numbers.rows {
			take(r)
		}
		for _, w := range c.words {
			for _, r := range w.rows {
				take(r)
			}
		}
	}
	slices.SortFunc(rows, func(a, b *oddRow) int { return cmp.Compare(a.lines[0].n, b.lines[0].n) })
	return slices.Compact(rows)
}

// settle decides the rows that are held.
func (o *odds) settle() (shown int) {
	for _, r := range o.held() {
		if r.told || !r.show {
			o.drop(r)
			continue
		}
		shown++
		for _, h := range r.lines {
			h.text = string(h.bytes)
			o.g.keepEntry(h.entry)
		}
	}
	o.cols = nil
	return shown
}

// far marks the rows with the largest and the smallest number, and those that
// lie far from the others. Of numbers that rise or fall from row to row, which
// count something or are sorted, only the ends are special.
func (c *column) far(o *odds) {
	if c.n < minOdds || !c.rose && !c.fell {
		return
	}
	if c.rose != c.fell && c.steps > c.n/2 {
		c.high[0].row.show = c.high[0].row.show || o.ends
		c.low[0].row.show = c.low[0].row.show || o.ends
		return
	}
	slices.Sort(c.sample)
	q1, mid, q3 := c.sample[len(c.sample)/4], c.sample[len(c.sample)/2], c.sample[len(c.sample)*3/4]
	apart := 3 * max(q3-q1, math.Abs(mid)/20)
	for i, p := range c.high {
		p.row.show = p.row.show || p.v > q3+apart || i == 0 && o.sure && p.v > q3 && special(p.same, c.n)
	}
	for i, p := range c.low {
		p.row.show = p.row.show || -p.v < q1-apart || i == 0 && o.sure && -p.v < q1 && special(p.same, c.n)
	}
}

// special reports whether n of all rows are so few that they are something special.
func special(n, all int) bool { return n <= max(2, all/20) }

// rare marks the first rows of each word that few have, where one or some words
// have most. A number among words is a word that few have, too.
func (c *column) rare(rows int) {
	if c.many {
		return
	}
	list := []*common{}
	if c.numbers.n > 0 {
		list = append(list, &c.numbers)
	}
	most := c.numbers.n
	for _, w := range c.words {
		list = append(list, w)
		most = max(most, w.n)
	}
	slices.SortFunc(list, func(a, b *common) int { // fewest first, then in their order
		return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.rows[0].lines[0].n, b.rows[0].lines[0].n))
	})
	sum, shown := 0, 0
	for _, w := range list {
		if sum += w.n; len(list) < 2 || most < minOdds || w.n > max(1, most/8) || sum > max(1, rows/8) {
			return
		}
		for _, r := range w.rows {
			if r != nil && shown < rareShown {
				r.show = true
				shown++
			}
		}
	}
}
