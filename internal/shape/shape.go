// Package shape makes a short text of a program's output that keeps what
// matters and says how much it left out. The whole output stays on disk; a
// shape only decides what is read first.
//
// Output passes line by line through a cleaner (escape sequences, overwritten
// frames, long lines), a policy that knows its class of output, and a ledger
// that counts each line once: as shown, or as left out under a kind. Nothing is
// invented: a line of the text is one of the output, or begins "[tmp] ".
package shape

import (
	"bytes"
	"io"
)

// Options say what is shaped.
type Options struct {
	// Policy is the output policy of an operation; "" follows from the command.
	Policy string
	// Command is what is known of the command that made the output. Without one,
	// and without a policy, the output itself decides.
	Command Command
	// Status is the exit status, if Ended.
	Status int
	Ended  bool
	// Paths choose values of JSON (json_projection).
	Paths []string
}

// Command is what is known, before it runs, of the command that makes an output.
type Command struct {
	// Argv are its words, without what only carries it (sudo, env); nil if it is not
	// known.
	Argv []string
	// Output is the form of what it prints, one of Outputs; "" if that is not known.
	Output string
	// Search is a text that it looks for and that stands in the lines it finds.
	Search string
	Tests  bool // it runs tests, of whatever kind
	File   bool // it shows a file that it names
	Relays bool // it passes on what others print, as docker logs does
}

// Summary is shaped output. The lines add up: Lines = Shown + the counts in Omitted.
type Summary struct {
	// Policy is the one that was followed.
	Policy string
	// Compressor is "native" if lines were left out or changed by rule, else "raw".
	Compressor string
	// Fields are what was counted and found, by name; the names are the seed's
	// where it has them ("failed_tests", "first_failure").
	Fields map[string]any
	// Omitted counts lines left out, by kind (int); beside them in words
	// "ansi_sequences", "progress_frames", and "long_lines".
	Omitted map[string]any
	Text    string
	Lines   int
	Shown   int
	// RawTokens and Tokens estimate what a language model would read of the
	// output and of Text; see Tokens.
	RawTokens, Tokens int
}

// policy shapes one class of output: it keeps or drops each line in the ledger,
// at once or when it knows more.
type policy interface {
	line(line)
	finish()
}

// findings are what a policy learns.
type findings struct {
	fields   map[string]any
	failures int  // what it takes for the reason of a failure
	gaps     bool // lines are left out that may matter: each gap is marked
	whole    bool // the output is to be shown as it was
}

// Shaper takes output as it comes; Summary shapes it.
type Shaper struct {
	options  Options
	cleaner  cleaner
	ledger   ledger
	found    findings
	policy   policy
	name     string
	named    bool     // a file that the command names is shown
	raw      [][]byte // all of it, while it is not too much, in chunks
	size     int
	tokens   counter
	asides   []entry
	asideIDs map[uint64]int
}

const (
	maxRaw    = maxKept + 1<<20 // bytes of output that can be shown as it was,
	maxWhole  = 24 << 20        // under the policy "raw"
	maxNamed  = 96 << 10        // and of a file that was asked for by its name
	rawChunk  = 256 << 10
	maxAsides = 50
)

// New returns a shaper of an output.
func New(o Options) *Shaper {
	s := &Shaper{options: o, asideIDs: map[uint64]int{}}
	find := alarm
	if o.Command.Search != "" {
		find = pattern(o.Command.Search)
	}
	s.found.fields = map[string]any{}
	s.cleaner = cleaner{emit: s.line, aside: s.aside, find: find}
	s.ledger = ledger{find: find, watch: !o.Ended || o.Status != 0, failed: o.Ended && o.Status != 0}
	if len(o.Paths) > 0 && o.Policy == "" {
		s.options.Policy = "json_projection"
	}
	s.name, s.policy = choose(s, s.options)
	s.named = s.options.Policy == "" && o.Command.File
	return s
}

// Shape reads output to its end and shapes it.
func Shape(o Options, output io.Reader) (Summary, error) {
	s := New(o)
	_, err := io.CopyBuffer(struct{ io.Writer }{s}, output, make([]byte, 256<<10))
	return s.Summary(), err
}

// Write takes the next part of the output. It never fails.
func (s *Shaper) Write(p []byte) (int, error) {
	if left := s.rawLimit() - s.size; left > 0 {
		s.hold(p[:min(left, len(p))])
	}
	if left := maxRaw - s.size; left > 0 {
		s.tokens.add(p[:min(left, len(p))])
	}
	s.size += len(p)
	if w, ok := s.policy.(*projection); ok {
		w.write(p)
	}
	return s.cleaner.Write(p)
}

// rawLimit is how much of the output is held so that it can be shown as it was.
func (s *Shaper) rawLimit() int {
	if s.name == "raw" {
		return maxWhole
	}
	return maxRaw
}

func (s *Shaper) hold(p []byte) {
	for len(p) > 0 {
		last := len(s.raw) - 1
		if last < 0 || len(s.raw[last]) == cap(s.raw[last]) {
			size := rawChunk
			if last < 0 {
				size = 4 << 10
			}
			s.raw = append(s.raw, make([]byte, 0, size))
			last++
		}
		n := min(len(p), cap(s.raw[last])-len(s.raw[last]))
		s.raw[last] = append(s.raw[last], p[:n]...)
		p = p[n:]
	}
}

func (s *Shaper) line(l line) {
	s.ledger.arrive(l)
	s.policy.line(l)
}

// aside keeps an overwritten frame that tells of an error.
func (s *Shaper) aside(n int, text string) {
	id := skeleton([]byte(text))
	if s.asideIDs[id]++; s.asideIDs[id] <= 2 && len(s.asides) < maxAsides {
		s.asides = append(s.asides, entry{n: n, text: text, note: true, of: -2})
	}
}

// Summary ends the output and returns its shape.
func (s *Shaper) Summary() Summary {
	s.cleaner.Close()
	s.policy.finish()
	s.readFinds()
	raw := s.size <= s.rawLimit()
	sum := Summary{Policy: s.name, Compressor: "raw", Fields: s.found.fields, Omitted: map[string]any{}, Lines: s.ledger.total, RawTokens: s.tokens.total()}
	if s.size > maxRaw {
		sum.RawTokens = int(float64(sum.RawTokens) * float64(s.size) / maxRaw)
	}
	sum.Fields["lines"], sum.Fields["bytes"] = s.ledger.total, s.size
	if s.name == "raw" && raw || s.size == 0 || s.found.whole && raw || s.named && s.size <= maxNamed {
		return s.whole(sum)
	}
	if s.options.Ended && s.options.Status != 0 && s.found.failures == 0 {
		s.ledger.reveal()
		sum.Fields["unsure"] = true
	} else if s.ledger.omitted[capped] > 0 {
		s.ledger.reveal() // what is said last says most
	}
	text, shown, cut := s.render()
	if raw && (len(text) >= s.size || Tokens(text) >= sum.RawTokens) {
		return s.whole(sum)
	}
	sum.Text, sum.Shown, sum.Compressor = text, shown, "native"
	for k, n := range s.ledger.omitted {
		if n > 0 {
			sum.Omitted[kind(k).String()] = n
		}
	}
	if s.cleaner.ansi {
		sum.Omitted["ansi_sequences"] = "removed"
	}
	if s.cleaner.frames > 0 {
		sum.Omitted["progress_frames"] = plural(s.cleaner.frames, "frame") + " overwritten"
	}
	if cut > 0 {
		sum.Omitted["long_lines"] = plural(cut, "byte") + " cut"
	}
	return measure(sum)
}

// whole shows the output as it was: nothing shorter keeps what matters.
func (s *Shaper) whole(sum Summary) Summary {
	delete(sum.Fields, "unsure")
	sum.Text, sum.Shown = string(bytes.Join(s.raw, nil)), s.ledger.total
	return measure(sum)
}

func measure(sum Summary) Summary {
	var c counter
	c.add([]byte(sum.Text))
	sum.Tokens = c.total()
	sum.Fields["shown_lines"] = sum.Shown
	return sum
}

// generic is for output of which nothing is known but its lines.
type generic struct {
	*spread
	s *Shaper
}

func newGeneric(s *Shaper) policy {
	s.found.gaps = true
	return generic{newSpread(&s.ledger, wide()), s}
}

func (p generic) line(l line) { p.spread.line(l) }
func (p generic) finish() {
	p.spread.finish()
	p.s.found.failures += p.spread.alarmN
}

// pattern returns what finds a text in a line.
func pattern(text string) func([]byte) int {
	w := []byte(text)
	return func(b []byte) int { return bytes.Index(b, w) }
}
