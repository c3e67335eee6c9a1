package shape

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"
)

// logs reads log files: plain ones, JSON, logfmt, syslog and klog. Errors stay,
// with what belongs to them; of what is said again and again the first time
// stays and a count; of the end the last lines.
type logs struct {
	s *Shaper
	g *ledger

	kinds map[uint64]*logKind
	list  []*logKind
	exact map[uint64]bool // errors, and lines of their stacks
	seed  maphash.Seed

	keeping int // lines that go on with an error, at most
	traced  int
	stacked int
	caused  bool // the first frame of a cause is to come
	blocks  *logKind
	info    int
	errors  int
	tail    []logTail
	gauges  int
	numbers []int
	far     []logTail // lines that were left out before it was known that they are far off
	counts  [5]int
}

// logKind is what is said again and again.
type logKind struct {
	level level
	n     int
	shown int
	first int      // the line that is shown first
	at    []byte   // when it was said last
	gauge *gauge   // of the numbers in it
	late  []entry  // of an error said often: the last ones
	ids   []string // trace IDs of those between
}

type logTail struct {
	heldLine
	kind kind
}

type level uint8

const (
	noLevel level = iota
	debugLevel
	infoLevel
	warnLevel
	errorLevel
)

const (
	logTailLines = 5
	infoKinds    = 40 // that are shown
	warnEach     = 3  // of a kind
	errorEach    = 30 // the first of a kind,
	errorLate    = 20 // and the last
	maxLogKinds  = 20_000
	maxFar       = 12 // lines of a kind that are shown because a number is far off
	maxTraceIDs  = 100
	maxStack     = 60 // lines that go on with an error
	maxFrames    = 8  // of them stack frames that follow on each other
)

func newLogs(s *Shaper) *logs {
	return &logs{s: s, g: &s.ledger, kinds: map[uint64]*logKind{}, exact: map[uint64]bool{}, seed: maphash.MakeSeed()}
}

func (p *logs) line(l line) {
	if p.numbers == nil {
		p.numbers = make([]int, 0, maxGauged)
	}
	r := readRecord(l.text, p.numbers[:0])
	if !r.starts && p.goesOn(l) {
		return
	}
	p.keeping = 0
	p.counts[r.level]++
	id := skeleton(r.message) ^ uint64(r.level)<<1
	k := p.kinds[id]
	if k == nil {
		if len(p.kinds) >= maxLogKinds {
			id, k = 0, p.kinds[0]
		}
		if k == nil {
			k = &logKind{level: r.level}
			p.kinds[id] = k
			if len(p.list) < maxLogKinds {
				p.list = append(p.list, k)
			}
		}
	}
	k.n++
	switch r.level {
	case errorLevel:
		p.failed(l, k, p.before(l.text, r.time))
	case warnLevel:
		p.quiet(l, k, r, warnEach, warnings)
	default:
		if k.n == 1 {
			p.info++
		}
		each := 1
		if p.info > infoKinds {
			each = 0
		}
		p.quiet(l, k, r, each, info)
	}
	if k.n == 1 {
		k.first = l.n
	} else {
		k.at = append(k.at[:0], r.time[:min(len(r.time), 40)]...)
	}
}

// goesOn takes a line that goes on with the record before: a stack, a text of
// several lines.
func (p *logs) goesOn(l line) bool {
	if p.keeping <= 0 {
		return false
	}
	if !indented(l.text) && !blank(l.text) && !hasAny(l.text, "Caused by", "Traceback", "goroutine ", "panic", "    at ", "\tat ", "...", "Suppressed") && p.traced > 0 && !alarming(l.text) && p.blocks == nil {
		return false
	}
	p.keeping--
	p.traced++
	if hasAny(trimLeft(l.text), "Caused by: ", "Suppressed: ") {
		p.caused, p.stacked = true, 0
	}
	switch {
	case foreignFrame(l.text):
		p.g.drop(l, frames)
	case blank(l.text):
		p.g.drop(l, blanks)
	case p.caused && indented(l.text) && has(trimLeft(l.text), "at "):
		p.caused = false // the first frame of the program says where the cause was
		p.g.keep(l)
	case indented(l.text) && p.before(l.text, nil):
		p.g.drop(l, repeated)
	case has(trimLeft(l.text), "at ") && indented(l.text):
		if p.stacked++; p.stacked > maxFrames {
			p.g.drop(l, frames)
		} else {
			p.g.keep(l)
		}
	case p.blocks != nil && p.blocks.n > errorEach:
		p.g.drop(l, repeated)
	default:
		p.g.keep(l)
	}
	return true
}

// before reports whether the same text, but for the time in it, came before.
func (p *logs) before(text, time []byte) bool {
	id := maphash.Bytes(p.seed, text)
	if i := bytes.Index(text, time); len(time) > 0 && i >= 0 {
		id = maphash.Bytes(p.seed, text[:i])*31 + maphash.Bytes(p.seed, text[i+len(time):])
	}
	if p.exact[id] {
		return true
	}
	if len(p.exact) < maxLogKinds {
		p.exact[id] = true
	}
	return false
}

func (p *logs) failed(l line, k *logKind, same bool) {
	p.errors++
	p.keeping, p.traced, p.stacked, p.blocks, p.caused = maxStack, 0, 0, k, false
	if same {
		p.g.drop(l, repeated)
		return
	}
	if k.n <= errorEach {
		k.shown++
		p.g.keep(l)
		return
	}
	if k.late = append(k.late, p.g.entry(l)); len(k.late) > errorLate {
		if id := traceID([]byte(k.late[0].text)); id != nil && len(k.ids) < maxTraceIDs {
			k.ids = append(k.ids, string(id))
		}
		p.g.dropEntry(k.late[0], repeated)
		k.late = append(k.late[:0], k.late[1:]...)
	}
}

// quiet shows the first of a kind, and lines whose numbers are far off; the last
// lines of the log wait.
func (p *logs) quiet(l line, k *logKind, r record, each int, kind kind) {
	if k.shown > 0 {
		kind = repeated
	}
	if far := p.gauge(l, k, r, kind); k.n <= each || far && k.shown < maxFar {
		k.shown++
		p.g.keep(l)
		return
	}
	if len(p.tail) == logTailLines {
		old := p.tail[0]
		p.g.dropText(old.entry, old.bytes, old.kind)
		copy(p.tail, p.tail[1:])
		p.tail[logTailLines-1] = old // its memory is used again
		p.tail = p.tail[:logTailLines-1]
	}
	if len(p.tail) < cap(p.tail) {
		p.tail = p.tail[:len(p.tail)+1]
	} else {
		p.tail = append(p.tail, logTail{})
	}
	text, cut := shorten(l.text, p.g.find)
	t := &p.tail[len(p.tail)-1]
	t.entry, t.kind, t.bytes = entry{n: l.n, cut: l.cut + cut}, kind, append(t.bytes[:0], text...)
}

// gauge reports whether a number of a line is far larger or smaller than in those
// that say the same.
func (p *logs) gauge(l line, k *logKind, r record, kind kind) bool {
	if k.gauge == nil {
		if k.n > 1 || p.gauges >= maxGauges {
			return false
		}
		p.gauges++
		k.gauge = &gauge{}
	}
	g, numbers := k.gauge, r.numbers
	if g.idle {
		return false
	}
	if !r.members {
		numbers = numbersOf(r.message, p.numbers[:0])
	}
	if g.n < learnGauge {
		g.learn(entry{n: l.n, cut: l.cut}, l.text[:min(len(l.text), maxShow)], kind, numbers)
	}
	if far := g.far(numbers); g.n != learnGauge {
		return far
	}
	p.learned(k)
	return false
}

// learned notes the lines that a gauge has learned to be far off.
func (p *logs) learned(k *logKind) {
	k.gauge.learned(func(h heldLine, of kind) {
		if h.n == k.first || slices.ContainsFunc(p.far, func(t logTail) bool { return t.n == h.n }) {
			return // it is the first, which is shown
		}
		k.shown++
		p.far = append(p.far, logTail{h, of})
	})
}

// recall shows the lines that were left out before it was known that they are
// far off, but for those at the end that are shown.
func (p *logs) recall() {
	shown := map[int]bool{}
	for _, e := range p.g.kept {
		shown[e.n] = true
	}
	for _, t := range p.far {
		if !shown[t.n] {
			t.text = string(t.bytes)
			p.g.recall(t.entry, t.kind)
		}
	}
}

func (p *logs) finish() {
	for _, k := range p.list {
		if k.gauge != nil && k.gauge.n < learnGauge {
			p.learned(k)
		}
	}
	for _, t := range p.tail {
		if t.text = string(t.bytes); t.n < p.g.total-6*logTailLines {
			p.g.dropEntry(t.entry, t.kind)
		} else {
			p.g.keepEntry(t.entry)
		}
	}
	p.recall()
	for _, k := range p.list {
		for _, e := range k.late {
			k.shown++
			p.g.keepEntry(e)
		}
		if left := k.n - k.shown; left > 0 && k.shown > 0 {
			p.again(k, left)
		}
	}
	f := p.s.found.fields
	for i, name := range []string{"", "debug_lines", "info_lines", "warnings", "errors"} {
		if name != "" && p.counts[i] > 0 {
			add(f, name, p.counts[i])
		}
	}
	p.s.found.failures += p.errors
}

// again says how often a kind was said beside what is shown.
func (p *logs) again(k *logKind, left int) {
	text := "said " + plural(left, "more time")
	if len(k.at) > 0 {
		text += ", last at " + string(k.at)
	}
	if len(k.ids) > 0 {
		text += "; of those left out the trace IDs " + strings.Join(k.ids, " ")
	}
	p.g.note(k.first, text)
}
