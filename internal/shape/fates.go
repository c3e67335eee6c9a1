package shape

// Fate says what became of a line.
type Fate uint8

const (
	// Kept: the policy shows the line.
	Kept Fate = iota
	// Noise: the line was left out for what it says, such as that a test passed
	// or how far something has come.
	Noise
	// Cut: the line was left out for its place or its number, such as the middle
	// of a long output. It may say something.
	Cut
)

// Fates are those of the lines of an output.
type Fates struct {
	Summary Summary
	// Lines has the fate of each line, Alarms which of them have a word for what
	// goes wrong.
	Lines  []Fate
	Alarms []bool
	// Parsed: a parser knew this class of output; else it was seen line by line.
	Parsed bool
	// Rewritten: what is shown are not the lines of the output, but what was
	// read in them (events, values of JSON).
	Rewritten bool
}

// Trace shapes an output and says what becomes of each line, whether or not the
// whole output is shown because the text would not be shorter.
func Trace(o Options, output []byte) Fates {
	s := New(o)
	s.ledger.trace = map[int]kind{}
	_, _ = s.Write(output)
	f := Fates{Summary: s.Summary()}
	f.Lines, f.Alarms = make([]Fate, s.ledger.total), make([]bool, s.ledger.total)
	for n, k := range s.ledger.trace {
		f.Lines[n] = Cut
		if k.noise() {
			f.Lines[n] = Noise
		}
	}
	for _, e := range s.ledger.kept {
		f.Lines[e.n] = Kept
		f.Rewritten = f.Rewritten || e.event
	}
	for _, e := range s.asides {
		f.Lines[e.n] = Kept
	}
	f.Rewritten = f.Rewritten || structured(s.policy)
	f.Parsed = !s.found.gaps
	f.words(s.ledger.trace, output)
	return f
}

// words reads the lines once more: for alarming words, and for the last of many
// that tell of progress, which is shown for all of them and says no more.
func (f *Fates) words(trace map[int]kind, output []byte) {
	last := map[uint64]int{}
	moved := map[uint64]bool{}
	clean := cleaner{find: alarm}
	clean.emit = func(l line) {
		if l.n >= len(f.Lines) {
			return
		}
		f.Alarms[l.n] = f.Alarms[l.n] || alarming(l.text)
		if f.Alarms[l.n] || !progressing(l.text) {
			return
		}
		id := skeleton(l.text)
		if k, ok := trace[l.n]; ok && k == progress {
			moved[id] = true
		}
		last[id] = l.n
	}
	clean.aside = func(n int, _ string) {
		if n < len(f.Alarms) {
			f.Alarms[n] = true
		}
	}
	_, _ = clean.Write(output)
	clean.Close()
	for id, n := range last {
		if moved[id] && f.Lines[n] == Kept {
			f.Lines[n] = Noise
		}
	}
}

// structured reports whether a policy reads what spans lines, or fields of them.
func structured(p policy) bool {
	if a, ok := p.(*auto); ok {
		p = a.now
	}
	switch p.(type) {
	case *projection, *goEvents, *junit:
		return true
	}
	return false
}

// noise reports whether lines of a kind are left out for what they say.
func (k kind) noise() bool {
	switch k {
	case passing, progress, hints, headings, packages, info, blanks, events, skipped:
		return true
	}
	return false
}
