package shape

// outcome counts tests, for every policy that reads them.
type outcome struct {
	passed, failed, skipped int
	counted                 bool // passed is known
	first, file             string
}

func (o *outcome) fail(name, file string) {
	o.failed++
	if o.first == "" {
		o.first, o.file = name, file
	}
}

// report writes the counts into the findings. What a tool did not say is left
// out, not zero.
func (o *outcome) report(f *findings) {
	f.failures += o.failed
	add(f.fields, "failed_tests", o.failed)
	if o.counted || o.passed > 0 {
		add(f.fields, "passed_tests", o.passed)
	}
	if o.skipped > 0 {
		add(f.fields, "ignored_tests", o.skipped)
	}
	if _, ok := f.fields["first_failure"]; o.first != "" && !ok {
		f.fields["first_failure"] = o.first
		if o.file != "" {
			f.fields["failure_file"] = o.file
		}
	}
}

// add sums a count: one run may have several tools.
func add(fields map[string]any, name string, n int) {
	if old, ok := fields[name].(int); ok {
		n += old
	}
	fields[name] = n
}

const maxSkips = 20 // skipped tests that are shown

// few shows lines of one kind while they are few, and none of them otherwise,
// but for those that deviate in what values returns.
type few struct {
	g      *ledger
	kind   kind
	max    int
	values func(text []byte, out []cell) []cell // nil: nothing is compared
	held   []entry
	over   bool
	odds   *odds
	cells  []cell
}

func (f *few) add(l line) {
	if !f.over && len(f.held) < f.max {
		f.held = append(f.held, f.g.entry(l))
		return
	}
	f.over = true
	if f.values == nil {
		f.g.drop(l, f.kind)
		return
	}
	f.compare(f.g.entry(l))
}

// compare leaves a line out if it does not deviate.
func (f *few) compare(e entry) {
	if f.odds == nil {
		f.odds = newOdds(f.g, f.kind)
	}
	text := []byte(e.text)
	f.cells = f.values(text, f.cells[:0])
	f.odds.add(e, text, f.cells, false)
}

func (f *few) finish() {
	for _, e := range f.held {
		switch {
		case !f.over:
			f.g.keepEntry(e)
		case f.values == nil:
			f.g.dropEntry(e, f.kind)
		default:
			f.compare(e)
		}
	}
	if f.odds != nil {
		f.odds.finish()
	}
	f.held, f.odds = nil, nil
}

// position returns the file of a text that begins "file.go:12:" or "src/x.rs:3:4",
// or "".
func position(b []byte) string {
	for i, c := range b {
		switch {
		case c == ':':
			if i+1 >= len(b) || !digit(b[i+1]) || !contains(b[:i], ".") {
				return ""
			}
			return string(b[:i])
		case c == ' ' || c == '\t' || c == '\'' || c == '"' || i > 300:
			return ""
		}
	}
	return ""
}
