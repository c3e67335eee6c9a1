package shape

import "slices"

// gauge watches the numbers in lines of a log that say the same: where one is
// far larger or smaller than they were, the line is shown though it says nothing
// new.
type gauge struct {
	n     int
	dials [maxGauged]dial
	idle  bool // none of them is watched
}

// dial is one of the numbers.
type dial struct {
	sample []int
	last   int
	fell   bool // it does not only count up
	most   int  // a larger one is far off; -1 where any will do
	least  int  // a smaller one is far off
	high   sighted
	low    sighted
}

// sighted is the line with the largest number, or the smallest, of those that are
// learned from.
type sighted struct {
	line heldLine
	kind kind
}

func (s *sighted) set(e entry, text []byte, k kind) {
	s.line.entry, s.line.bytes, s.kind = e, append(s.line.bytes[:0], text...), k
}

const (
	maxGauged  = 8   // numbers of a line that are watched
	learnGauge = 32  // lines from which it is learned what is usual,
	leastGauge = 8   // if there are not more
	maxGauges  = 200 // kinds of lines that are watched
)

// far takes the numbers of a line. It reports whether one is far larger or far
// smaller than those before it.
func (g *gauge) far(numbers []int) bool {
	g.n++
	if g.n <= learnGauge {
		return false
	}
	far := false
	for i, v := range numbers {
		switch d := &g.dials[i]; {
		case d.most < 0:
		case v > d.most:
			d.most = 2 * v
			far = true
		case v < d.least:
			d.least = v / 2
			far = true
		}
	}
	return far
}

// learn takes a line of those from which it is learned what is usual.
func (g *gauge) learn(e entry, text []byte, k kind, numbers []int) {
	for i, v := range numbers {
		d := &g.dials[i]
		d.fell = d.fell || len(d.sample) > 0 && v < d.last
		if len(d.sample) == 0 || v > slices.Max(d.sample) {
			d.high.set(e, text, k)
		}
		if len(d.sample) == 0 || v < slices.Min(d.sample) {
			d.low.set(e, text, k)
		}
		d.sample, d.last = append(d.sample, v), v
	}
}

// learned ends the learning; it calls show for the lines that are far off.
func (g *gauge) learned(show func(heldLine, kind)) {
	g.idle = true
	for i := range g.dials {
		d := &g.dials[i]
		d.most, d.least = -1, 0
		if len(d.sample) < min(g.n, learnGauge) || g.n < leastGauge || !d.fell && d.last > d.sample[0] {
			d.sample = nil // it counts, or not every line has it
			continue
		}
		g.idle = false
		slices.Sort(d.sample)
		n := len(d.sample)
		q1, mid, q3 := d.sample[n/4], d.sample[n/2], d.sample[n*3/4]
		wide := 3 * max(q3-q1, mid/4, 1)
		d.most, d.least = q3+wide, q1-wide
		if largest := d.sample[n-1]; largest > d.most {
			show(d.high.line, d.high.kind)
			d.most = 2 * largest
		}
		if smallest := d.sample[0]; smallest < d.least {
			show(d.low.line, d.low.kind)
			d.least = smallest / 2
		}
		d.sample = nil
	}
}

// numbersOf appends the whole numbers of a text that stand for themselves or
// before a unit, not those in names.
func numbersOf(b []byte, out []int) []int {
	for i := 0; i < len(b) && len(out) < maxGauged; {
		c := b[i]
		if !digit(c) {
			if letter(c) || c == '_' || c >= 0x80 { // a word, with the digits in it
				for i < len(b) && (letter(b[i]) || digit(b[i]) || b[i] == '_' || b[i] == '-' || b[i] >= 0x80) {
					i++
				}
				continue
			}
			i++
			continue
		}
		v, n := number(b[i:])
		i += n
		for i < len(b) && (digit(b[i]) || b[i] == '.') {
			i++
		}
		if i-n >= 0 && i < len(b) && (b[i] == '-' || letter(b[i]) && i+3 < len(b) && letter(b[i+1]) && (letter(b[i+2]) || digit(b[i+2])) || i+1 < len(b) && letter(b[i]) && digit(b[i+1])) { // a part of a name
			for i < len(b) && (letter(b[i]) || digit(b[i]) || b[i] == '-' || b[i] == '_') {
				i++
			}
			v = 0
		}
		out = append(out, v)
	}
	return out
}
