// Package shape makes a short text of a program's output that keeps what
// matters and says how much it left out. The whole output stays on disk; a
// shape only decides what is read first.
package shape

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Summary is shaped output. The lines add up: Lines = Shown + the counts in Omitted.
type Summary struct {
	// Compressor is "tmp" if lines were left out or changed by rule, else "none".
	Compressor string
	// Fields are what was counted and found, by name; the names are the seed's
	// where it has them ("failed_tests", "first_failure").
	Fields map[string]any
	// Omitted counts lines left out, by kind; "ansi_sequences" is "removed".
	Omitted map[string]any
	Text    string
	Lines   int
	Shown   int
}

const (
	// Below these sizes the generic policy shows everything.
	smallLines = 200
	smallBytes = 16 << 10

	maxLine = 4 << 10 // bytes of a line that are shown

	headLines   = 40
	tailLines   = 80
	windowLines = 160  // around lines that look like errors
	maxBlock    = 1000 // lines of one test that are held back until it ends
	before      = 2
	after       = 4
)

// Shape reads output to its end under an output policy: "raw" passes it
// through, "test_summary" drops what passing tests say, and any other is the
// generic one, which keeps the head, the tail and the surroundings of errors.
func Shape(mode string, output io.Reader) (Summary, error) {
	if mode == "raw" {
		data, err := io.ReadAll(output)
		n := lineCount(data)
		return Summary{Compressor: "none", Text: string(data), Lines: n, Shown: n, Fields: map[string]any{"lines": n, "bytes": len(data)}, Omitted: map[string]any{}}, err
	}
	s := shaper{omitted: map[string]int{}}
	if mode == "test_summary" {
		s.tests = &testCounts{}
	}
	err := s.read(bufio.NewReaderSize(output, 64<<10))
	return s.summary(), err
}

func lineCount(data []byte) int {
	n := strings.Count(string(data), "\n")
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

type shaper struct {
	keep    keeper
	tests   *testCounts // nil for the generic policy
	omitted map[string]int
	lines   int
	ansi    bool
	cut     int
	// block are the lines since a test began, which go if it passes.
	block   []string
	inBlock bool
}

// read takes the output line by line; a line longer than maxLine is cut.
func (s *shaper) read(r *bufio.Reader) error {
	var line []byte
	dropped := 0
	for {
		part, err := r.ReadSlice('\n')
		if len(part) > 0 && len(line)+len(part) <= maxLine {
			line = append(line, part...)
		} else if len(part) > 0 {
			n := max(0, maxLine-len(line))
			line = append(line, part[:n]...)
			dropped += len(part) - n
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if len(line)+dropped > 0 {
			s.line(strings.TrimSuffix(string(line), "\n"), dropped)
		}
		line, dropped = line[:0], 0
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *shaper) line(text string, dropped int) {
	s.lines++
	text = strings.TrimSuffix(text, "\r")
	if i := strings.LastIndexByte(text, '\r'); i >= 0 {
		text = text[i+1:] // what a terminal would show at last
	}
	if plain := stripANSI(text); plain != text {
		text, s.ansi = plain, true
	}
	v := verdict{}
	if s.tests != nil {
		v = s.tests.line(text)
	}
	if dropped > 0 {
		s.cut++
		text += fmt.Sprintf(" … (%d more bytes)", dropped)
	}
	switch {
	case v.passed:
		s.omitted["passing_test_lines"] += len(s.block) + 1
		s.block, s.inBlock = s.block[:0], false
	case v.began:
		s.flush()
		s.inBlock = true
		s.omitted[v.drop]++
	case v.drop != "":
		s.omitted[v.drop]++
	case s.inBlock && !v.keep && len(s.block) < maxBlock:
		s.block = append(s.block, text)
	default:
		s.flush()
		s.keep.add(text)
	}
}

// flush keeps the lines of a test of which it is not known that it passed.
func (s *shaper) flush() {
	for _, l := range s.block {
		s.keep.add(l)
	}
	s.block, s.inBlock = s.block[:0], false
}

func (s *shaper) summary() Summary {
	s.flush()
	text, shown, left := s.keep.text()
	sum := Summary{Compressor: "none", Text: text, Lines: s.lines, Shown: shown, Fields: map[string]any{"lines": s.lines}, Omitted: map[string]any{}}
	if left > 0 {
		s.omitted["other_lines"] = left
	}
	for kind, n := range s.omitted {
		sum.Omitted[kind] = n
	}
	if s.ansi {
		sum.Omitted["ansi_sequences"] = "removed"
	}
	if s.cut > 0 {
		sum.Fields["lines_cut"] = s.cut
	}
	if len(sum.Omitted) > 0 || s.cut > 0 {
		sum.Compressor = "tmp"
	}
	if s.tests != nil {
		s.tests.fields(sum.Fields)
	}
	return sum
}

// stripANSI removes escape sequences: CSI, OSC, and two-character ones (ECMA-48).
func stripANSI(s string) string {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			i++
			continue
		}
		i++
		if i == len(s) {
			break
		}
		switch s[i] {
		case '[':
			for i++; i < len(s) && (s[i] < 0x40 || s[i] > 0x7e); i++ {
			}
			i++
		case ']':
			for i++; i < len(s) && s[i] != 0x07 && !(s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\'); i++ {
			}
			if i < len(s) && s[i] == 0x1b {
				i++
			}
			i++
		default:
			i++
		}
	}
	return b.String()
}

// keeper keeps every line of a short output; of a long one the head, the tail
// and windows around errors, in bounded memory.
type keeper struct {
	n, bytes int
	all      []numbered // while the output is short
	long     bool
	head     []numbered
	windows  []numbered
	tail     []numbered // the last lines, oldest first
	open     int        // lines still wanted after an error
}

type numbered struct {
	n    int
	text string
}

func (k *keeper) add(text string) {
	l := numbered{k.n, text}
	k.n++
	k.bytes += len(text) + 1
	if !k.long {
		k.all = append(k.all, l)
	}
	if len(k.head) < headLines {
		k.head = append(k.head, l)
	}
	if k.tail = append(k.tail, l); len(k.tail) > 2*tailLines {
		k.tail = append(k.tail[:0], k.tail[len(k.tail)-tailLines:]...)
	}
	if looksLikeError(text) {
		for _, p := range k.tail[max(0, len(k.tail)-1-before) : len(k.tail)-1] {
			k.window(p)
		}
		k.open = after + 1
	}
	if k.open > 0 {
		k.open--
		k.window(l)
	}
	if !k.long && (k.n > smallLines || k.bytes > smallBytes) {
		k.long, k.all = true, nil
	}
}

func (k *keeper) window(l numbered) {
	if len(k.windows) < windowLines && (len(k.windows) == 0 || k.windows[len(k.windows)-1].n < l.n) {
		k.windows = append(k.windows, l)
	}
}

// text joins what was kept, with a line for each gap.
func (k *keeper) text() (text string, shown, left int) {
	var b strings.Builder
	next := 0
	write := func(lines []numbered) {
		for _, l := range lines {
			if l.n < next {
				continue
			}
			if l.n > next {
				fmt.Fprintf(&b, "… %d lines omitted …\n", l.n-next)
			}
			b.WriteString(l.text + "\n")
			next = l.n + 1
			shown++
		}
	}
	if !k.long {
		write(k.all)
		return b.String(), shown, 0
	}
	write(k.head)
	write(k.windows)
	write(k.tail[max(0, len(k.tail)-tailLines):])
	return b.String(), shown, k.n - shown
}

// looksLikeError reports whether a line has one of the words that tools use for
// what went wrong. It may say yes too often: that only keeps more.
func looksLikeError(s string) bool {
	s = strings.ToLower(s)
	for _, w := range []string{"error", "fail", "panic", "fatal", "exception", "traceback", "denied", "cannot", "undefined", "not found", "warning:"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
