package shape

import (
	"slices"
	"sort"
)

// kind says why a line was left out.
type kind uint8

const (
	other kind = iota
	passing
	progress
	repeated
	hints
	headings
	context
	excerpts
	frames
	events
	skipped
	testOutput
	packages
	info
	matches
	rows
	blanks
	unselected
	warnings
	commits
	changes
	console
	capped
	kinds
)

// String is the name the kind is counted under; that of the seed where it has one.
func (k kind) String() string {
	return [kinds]string{
		"other_lines", "passing_test_lines", "progress_lines", "repeated_lines", "hint_lines", "heading_lines",
		"context_lines", "excerpt_lines", "stack_frame_lines", "event_lines", "skipped_test_lines", "test_output_lines",
		"passing_package_lines", "info_lines", "match_lines", "row_lines", "blank_lines", "unselected_lines",
		"warning_lines", "commit_lines", "changed_lines", "console_lines", "lines_over_the_cap",
	}[k]
}

const (
	maxKept   = 2 << 20 // bytes of kept lines
	recentN   = 40      // lines of the end that can be shown again,
	lastN     = 12      // those among them that are whatever they say
	maxQuiet  = 1 << 18
	maxAlarms = 60 // alarming lines among those left out that can be
)

// entry is a line that may be shown.
type entry struct {
	n    int
	text string
	// event says that the text is what an event told, and joined that the text
	// of the next event goes on in the same line.
	event, joined bool
	// note is a line of ours, after line n; it is not counted.
	note bool
	of   int // a note: the line that it is about, or -1
	cut  int // bytes that its text leaves out
}

// ledger counts every line of the output once: as shown, or as left out under
// a kind.
type ledger struct {
	total   int
	kept    []entry
	notes   []entry
	size    int // bytes in kept
	omitted [kinds]int
	find    func([]byte) int // what long lines are shortened around

	bytes  [recentN][]byte // the last lines
	fates  [recentN]kind
	watch  bool // alarming lines are kept an eye on even if they are left out
	alarms []alarmed

	failed bool   // the status says so
	turns  []turn // of the streams that lines are of
	quiet  []int  // lines left out for what they say: their gaps are not marked
	loud   []int  // lines left out for their place or number: theirs always are

	trace map[int]kind // of each line that was left out; nil if nobody asks
}

type alarmed struct {
	entry
	kind kind
}

// arrive notes that a line is there; each is then kept or dropped once.
func (g *ledger) arrive(l line) {
	g.total = l.n + 1
	i := l.n % recentN
	if len(l.text) <= maxShow {
		g.bytes[i] = append(g.bytes[i][:0], l.text...)
	} else {
		g.bytes[i] = append(g.bytes[i][:0], g.entry(l).text...)
	}
	g.fates[i] = kinds
}

// entry copies a line, shortened to what is shown.
func (g *ledger) entry(l line) entry {
	text, cut := shorten(l.text, g.find)
	return entry{n: l.n, text: string(text), cut: cut + l.cut}
}

func (g *ledger) keep(l line) {
	if g.size > maxKept {
		g.drop(l, capped)
		return
	}
	g.keepEntry(g.entry(l))
}

func (g *ledger) keepEntry(e entry) {
	if g.size += len(e.text) + 1; g.size > maxKept {
		g.dropEntry(e, capped)
		return
	}
	g.kept = append(g.kept, e)
}

func (g *ledger) drop(l line, k kind) {
	g.omit(l.n, k)
	g.fates[l.n%recentN] = k
	if g.watch && len(g.alarms) < maxAlarms && k != repeated && alarming(l.text) {
		g.alarms = append(g.alarms, alarmed{g.entry(l), k})
	}
}

// quietly notes that a line that was left out leaves no gap to be marked.
func (g *ledger) quietly(n int) {
	if len(g.quiet) < maxQuiet {
		g.quiet = append(g.quiet, n)
	}
}

// loudly notes that the gap that a line leaves is marked in any case.
func (g *ledger) loudly(n int) {
	if len(g.loud) < maxQuiet {
		g.loud = append(g.loud, n)
	}
}

// gap counts the lines from one to before the other whose absence is marked: of
// a policy that shows only what matters all, if one was left out of what it
// shows else.
func (g *ledger) gap(from, to int, gaps bool) int {
	if !gaps {
		i, _ := slices.BinarySearch(g.loud, from)
		if i == len(g.loud) || g.loud[i] >= to {
			return 0
		}
	}
	i, _ := slices.BinarySearch(g.quiet, from)
	j, _ := slices.BinarySearch(g.quiet, to)
	return to - from - (j - i)
}

func (g *ledger) omit(n int, k kind) {
	g.omitted[k]++
	switch k {
	case other, testOutput, rows, console:
		g.loudly(n)
	}
	if g.trace != nil {
		g.trace[n] = k
	}
}

func (g *ledger) dropEntry(e entry, k kind) { g.dropText(e, []byte(e.text), k) }

// dropText drops an entry whose text is held elsewhere.
func (g *ledger) dropText(e entry, text []byte, k kind) {
	g.omit(e.n, k)
	if e.n > g.total-1-recentN {
		g.fates[e.n%recentN] = k
	}
	if g.watch && len(g.alarms) < maxAlarms && k != repeated && alarming(text) {
		e.text = string(text)
		g.alarms = append(g.alarms, alarmed{e, k})
	}
}

// recall shows a line that was left out.
func (g *ledger) recall(e entry, k kind) {
	g.omitted[k]--
	delete(g.trace, e.n)
	if e.n > g.total-1-recentN {
		g.fates[e.n%recentN] = kinds
	}
	g.keepEntry(e)
}

// note adds a line of ours after line n.
func (g *ledger) note(n int, text string) { g.noteOn(-1, n, text) }

// noteOn adds a line of ours after line n, if line of is shown.
func (g *ledger) noteOn(of, n int, text string) {
	if len(g.notes) < 10_000 {
		g.notes = append(g.notes, entry{n: n, text: text, note: true, of: of})
	}
}

// reveal shows what was left out of the end of the output, and the alarming
// lines that were left out before.
func (g *ledger) reveal() {
	shown := make(map[int]bool, len(g.kept))
	for _, e := range g.kept {
		shown[e.n] = true
	}
	show := func(e entry, k kind) {
		if !shown[e.n] && k != kinds {
			shown[e.n] = true
			g.omitted[k]--
			delete(g.trace, e.n)
			g.kept = append(g.kept, e)
		}
	}
	for _, a := range g.alarms {
		show(a.entry, a.kind)
	}
	for n := max(0, g.total-recentN); n < g.total; n++ {
		i := n % recentN
		if g.fates[i] != kinds && g.fates[i].noise() && n < g.total-lastN {
			continue
		}
		show(g.entry(line{n: n, text: g.bytes[i]}), g.fates[i])
	}
}

// retract leaves out lines that were kept and that again says are shown
// elsewhere.
func (g *ledger) retract(k kind, again func(entry) bool) {
	g.kept = slices.DeleteFunc(g.kept, func(e entry) bool {
		if e.event || !again(e) {
			return false
		}
		g.size -= len(e.text) + 1
		g.dropEntry(e, k)
		return true
	})
}

// lines returns all that is shown, in the order of the output.
func (g *ledger) lines() []entry {
	slices.Sort(g.loud)
	all := slices.Concat(g.kept, g.notes)
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		return a.n < b.n || a.n == b.n && !a.note && b.note
	})
	return all
}

func (g *ledger) left() int {
	n := 0
	for _, c := range g.omitted {
		n += c
	}
	return n
}
