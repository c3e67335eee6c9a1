package shape

// budget says how much is shown of lines of which nothing is known: all of
// them while they are few, else the begin, the end, and what stands around
// alarming lines.
type budget struct {
	lines, bytes       int // up to these all is shown
	head, tail, alarms int
}

// wide is for output that no parser knows, narrow for what a parser does not know.
func wide() budget   { return budget{lines: 120, bytes: 10 << 10, head: 30, tail: 40, alarms: 200} }
func narrow() budget { return budget{lines: 40, bytes: 4 << 10, head: 10, tail: 20, alarms: 120} }

const (
	beforeAlarm   = 2
	afterAlarm    = 4
	maxTrace      = 30 // indented lines after an alarm
	maxLike       = 20 // alarming lines of one kind
	maxKinds      = 4096
	maxTracebacks = 10 // whose frames are read one by one
	maxRun        = 5  // lines that differ only in numbers, at the begin and at the end of many
)

// spread takes lines of which nothing is known.
type spread struct {
	g      *ledger
	budget budget

	n, size int
	whole   bool    // while they are few, those that differ only in numbers are shown too
	small   []entry // all, while they are few
	large   bool
	head    int
	tail    []heldLine
	alarms  int
	late    []entry // alarming ones beyond half of their number: the last of them
	open    int     // lines that are shown after an alarm
	trace   int     // indented lines shown after it

	middle   middle
	last     heldLine // the line before; its repeats are dropped
	repeats  int
	until    int  // the last of them
	moving   bool // the line before only told of progress
	movingID uint64
	share    float64 // that a line ended in last,
	falls    uint64  // and how often it was less than the one before
	like     map[uint64]int
	alarmN   int // alarming lines
	run      int
	runID    uint64
	traced   traceback
	traces   int             // tracebacks that were read
	before   bool            // the line before was a frame of the program
	caused   bool            // the first frame of a cause is to come
	told     map[uint64]bool // frames of a failure that were shown
	after    int             // lines that belong to a frame of the runtime
	framed   bool            // a foreign stack frame was shown of this stack
}

func newSpread(g *ledger, b budget) *spread {
	return &spread{g: g, budget: b, like: map[uint64]int{}, middle: middle{g: g}}
}

// newRecords returns a spread of lines each of which is about something else.
func newRecords(g *ledger, b budget) *spread {
	s := newSpread(g, b)
	s.whole = true
	return s
}

func (s *spread) line(l line) {
	if s.n > 0 && !s.moving && len(l.text) > 0 && string(l.text) == string(s.last.bytes) {
		s.repeats++
		s.until = l.n
		s.g.drop(l, repeated)
		return
	}
	if s.g.failed && s.dull(l) {
		return
	}
	s.again()
	if s.n > 0 && underlining(l.text) && indented(s.last.bytes) {
		s.g.drop(l, excerpts) // a part of the line above, which is shown
		s.g.quietly(l.n)
		return
	}
	alarm := alarming(l.text)
	if id, moves := s.moves(l.text); moves && !alarm {
		if s.moving && id == s.movingID {
			s.g.dropText(s.last.entry, s.last.bytes, progress)
		} else {
			s.settle()
		}
		s.remember(l)
		s.moving, s.movingID = true, id
		return
	}
	s.settle()
	s.before = ownFrame(s.last.bytes)
	s.remember(l)
	if alarm {
		s.alarmN++
	}
	if foreignFrame(l.text) {
		if s.framed || s.g.failed && s.before { // the first one says where; the others are the runtime's
			s.g.drop(l, frames)
			s.g.quietly(l.n)
			return
		}
		s.framed = true
	} else if !indented(l.text) {
		s.framed = false
	}
	s.add(s.last.entry, s.last.bytes)
}

// ownFrame reports whether a line is a stack frame of the program itself.
func ownFrame(b []byte) bool { return has(trimLeft(b), "at ") && !foreignFrame(b) }

// dull leaves out what says nothing of a failure: blank lines, tests that
// passed and steps that were taken, frames and code of Python's own.
func (s *spread) dull(l line) bool {
	if s.traces < maxTracebacks || s.traced.inside {
		if has(l.text, "Traceback (most") || indented(l.text) && contains(l.text, "Traceback (most") {
			s.traces++
		}
		kept := len(s.g.kept)
		if s.traced.line(s.g, l) {
			s.again()
			s.settle()
			if len(s.g.kept) == kept {
				s.g.quietly(l.n)
			}
			return true
		}
	}
	k := routine(l.text)
	switch {
	case blank(l.text):
		k = blanks
	case s.after > 0 && indented(l.text): // its code, and a mark under it
		s.after--
		k = frames
	case has(l.text, "node:internal/") && digit(l.text[len(l.text)-1]):
		s.after = 2
		k = frames
	case indented(l.text) && ownFrame(l.text) && s.seen(l.text) && !s.caused:
		k = frames
	default:
		s.after = 0
	}
	if t := trimLeft(l.text); hasAny(t, "Caused by: ", "Suppressed: ") {
		s.caused = true
	} else if ownFrame(l.text) {
		s.caused = false // the first frame of the program says where the cause was
	}
	if k == other || k != blanks && alarming(l.text) {
		return false
	}
	s.g.drop(l, k)
	s.g.quietly(l.n)
	return true
}

// seen reports whether a frame was told before, as of several errors that came
// the same way.
func (s *spread) seen(b []byte) bool {
	var h uint64 = 14695981039346656037
	for _, c := range trimLeft(b) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	if s.told[h] {
		return true
	}
	if s.told == nil {
		s.told = map[uint64]bool{}
	}
	if len(s.told) < maxKinds {
		s.told[h] = true
	}
	return false
}

// moves reports whether a line says only how far something has come, and of
// what. A share at the end of a line is that of something that goes on if the
// same stands before it and it does not fall.
func (s *spread) moves(b []byte) (id uint64, moves bool) {
	if progressing(b) {
		return skeleton(b), true
	}
	before, v, ok := share(b)
	if !ok {
		return 0, false
	}
	if v < s.share {
		s.falls++
	}
	s.share = v
	return hash(before) + s.falls, true
}

func (s *spread) remember(l line) {
	s.n++
	text, cut := shorten(l.text, s.g.find)
	s.last.entry, s.last.bytes = entry{n: l.n, cut: l.cut + cut}, append(s.last.bytes[:0], text...)
}

// settle takes the progress line that was held back: it is the last of its kind.
func (s *spread) settle() {
	if s.moving {
		s.moving = false
		s.add(s.last.entry, s.last.bytes)
	}
}

// again says how often the last line was repeated.
func (s *spread) again() {
	if s.repeats > 0 {
		s.g.noteOn(s.last.n, s.until, "the line above came "+itoa(s.repeats+1)+" times")
		s.repeats = 0
	}
}

func (s *spread) add(e entry, text []byte) {
	s.size += len(text) + 1
	if !s.large {
		e.text = string(text)
		s.small = append(s.small, e)
		if len(s.small) <= s.budget.lines && s.size <= s.budget.bytes {
			return
		}
		s.large = true
		for _, e := range s.small {
			s.place(e, []byte(e.text))
		}
		s.small = nil
		return
	}
	s.place(e, text)
}

// place decides a line of a long output.
func (s *spread) place(e entry, text []byte) {
	alarm := alarming(text)
	if alarm && s.head >= s.budget.head {
		id := skeleton(text)
		if n := s.like[id]; n >= maxLike {
			s.like[id]++
			s.g.dropText(e, text, repeated)
			return
		} else if n > 0 || len(s.like) < maxKinds {
			s.like[id]++
		}
	}
	switch {
	case s.head < s.budget.head && (alarm || !s.runs(text)):
		s.head++
		e.text = string(text)
		s.g.keepEntry(e)
		if alarm {
			s.open, s.trace = afterAlarm, maxTrace
		} else {
			s.open--
		}
	case alarm:
		if len(s.tail) > 0 && s.open <= 0 && s.tail[len(s.tail)-1].n >= e.n-beforeAlarm {
			k := len(s.tail) - 1
			if k > 0 && s.tail[k-1].n >= e.n-beforeAlarm {
				k--
			}
			for _, p := range s.tail[k:] {
				s.window(p.entry, p.bytes)
			}
			s.tail = s.tail[:k]
		}
		s.window(e, text)
		s.open, s.trace = afterAlarm, maxTrace
	case s.open > 0 && foreignFrame(text):
		s.g.dropText(e, text, frames)
	case s.open > 0:
		s.window(e, text)
		if indented(text) && s.trace > 0 {
			s.trace--
		} else {
			s.open--
		}
	default:
		if s.tail = push(s.tail, e, text); len(s.tail) >= 2*s.budget.tail {
			cut := len(s.tail) - s.budget.tail
			for _, old := range s.tail[:cut] {
				s.middle.add(old.entry, old.bytes, other)
			}
			for i := range s.budget.tail { // those that are let go lend their memory
				s.tail[i], s.tail[cut+i] = s.tail[cut+i], s.tail[i]
			}
			s.tail = s.tail[:s.budget.tail]
		}
	}
}

// runs reports whether a line is like the ones before, and many of them.
func (s *spread) runs(text []byte) bool {
	id := skeleton(text)
	if id != s.runID {
		s.runID, s.run = id, 0
	}
	s.run++
	return s.run > maxRun
}

// window shows a line around an alarm: the first ones, and the last ones.
func (s *spread) window(e entry, text []byte) {
	s.alarms++
	e.text = string(text)
	if s.alarms <= s.budget.alarms/2 {
		s.g.keepEntry(e)
		return
	}
	if s.late = append(s.late, e); len(s.late) >= s.budget.alarms {
		cut := len(s.late) - s.budget.alarms/2
		for _, old := range s.late[:cut] {
			s.g.dropEntry(old, other)
		}
		s.late = append(s.late[:0], s.late[cut:]...)
	}
}

// finishTail shows the lines of the tail from one on; of many that are alike
// only the first and the last.
func (s *spread) finishTail(from int) {
	s.run = 0
	for i, h := range s.tail {
		h.text = string(h.bytes)
		alike := s.runs(h.bytes) && i+maxRun < len(s.tail) && skeleton(s.tail[i+maxRun].bytes) == s.runID
		switch {
		case i < from:
			s.middle.add(h.entry, h.bytes, other)
		case alike:
			s.middle.add(h.entry, h.bytes, repeated)
		default:
			s.g.keepEntry(h.entry)
		}
	}
}

func (s *spread) finish() {
	s.traced.settle(s.g, nil)
	s.again()
	s.settle()
	thin := thinner{g: s.g}
	for _, e := range s.small {
		if s.whole {
			s.g.keepEntry(e)
		} else {
			thin.add(e)
		}
	}
	thin.flush()
	late := s.late[max(0, len(s.late)-s.budget.alarms/2):]
	for _, e := range s.late[:len(s.late)-len(late)] {
		s.g.dropEntry(e, other)
	}
	for _, e := range late {
		s.g.keepEntry(e)
	}
	s.finishTail(max(0, len(s.tail)-s.budget.tail))
	s.middle.finish()
	s.small, s.late, s.tail = nil, nil, nil
}
