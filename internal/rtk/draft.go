package rtk

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shape"
)

// Operation is what a filter is drafted for.
type Operation struct {
	ID       string
	Template []string      // the words of the command, with <p> for a parameter
	Policy   string        // its output policy, "" if it has none
	Command  shape.Command // what is known of what it prints
}

// Sample is an output of the operation.
type Sample struct {
	Name   string // where it is from
	Output []byte
	Status int
	Ended  bool // the status is known
}

// Path is what is best done with the output of an operation (seed 000, the
// four paths).
type Path string

const (
	PathRTK    Path = "rtk"    // RTK has a handler of its own
	PathNative Path = "native" // an output policy of tmp
	PathDraft  Path = "draft"  // a draft of a filter for RTK
	PathRaw    Path = "raw"    // nothing shortens it safely
)

// Draft is what came of the samples of an operation.
type Draft struct {
	Path    Path
	Reason  string  // why it is no filter; "" for PathDraft
	Filter  *Filter // of PathDraft, as the others below
	Tests   []Test
	Text    string // the part of a file that holds filter and tests
	Policy  string // the output policy of tmp that the samples call for, "" for none
	Samples []Measured
	Notes   []string // what the person who reviews it has to know
}

// Measured is what becomes of a sample, in lines and tokens.
type Measured struct {
	Name                 string
	Status               int
	Ended                bool
	Lines                int
	Signals              int // lines that must stay
	Left                 int // lines that the filter leaves
	Tokens               int
	FilterTokens, Native int // of what the filter and the policy of tmp leave
}

const (
	// minSaving is the least share of the tokens that a filter is worth.
	minSaving = 0.3
	// A test that is made of a sample has at most so many lines that stay, and
	// so many of each rule.
	maxTestLines = 80
	maxRuleLines = 3
)

// filterName is the name of an operation's filter.
func filterName(id string) string { return strings.ReplaceAll(id, ".", "-") }

// NewDraft drafts a filter that leaves every line that must stay, with tests
// made of the samples, or says what is better than a filter. A draft is
// complete when it passes its own tests; it is for a person to review.
func NewDraft(op Operation, samples []Sample) *Draft {
	d := &Draft{Path: PathDraft}
	d.notes(samples)
	studied := make([]*study, len(samples))
	for i, s := range samples {
		studied[i] = newStudy(op, s)
	}
	d.Policy = policyOf(studied)
	f := bareFilter(op, studied)
	f.StripLines = induceFrom(studied)
	if err := f.prepare(); err != nil {
		return d.without(PathNative, "no filter can be written: "+err.Error())
	}
	for _, s := range studied {
		m := s.measure(f)
		if m.Left == 0 && m.Lines > 0 {
			neutral := "no line left by the filter: the exit status tells how it ended"
			f.OnEmpty = &neutral
			m = s.measure(f)
		}
		d.Samples = append(d.Samples, m)
	}
	switch reason := d.refuses(op, f, studied); {
	case reason == "":
	case d.nativeSaves() >= minSaving, Handled(op.Template[0]) && d.nativeSaves() > 0 && d.Policy != "generic":
		return d.without(PathNative, reason)
	case Handled(op.Template[0]):
		return d.without(PathRTK, reason)
	default:
		return d.without(PathRaw, reason)
	}
	f.Description = "Draft, not reviewed: the output of " + op.ID + " without lines that tell only of progress or success"
	d.Filter = f
	for i, s := range studied {
		d.Tests = append(d.Tests, s.test(f, testName(samples[i], len(samples) > 1, i)))
	}
	d.Text = Encode(f, d.Tests, d.comment(op))
	if reason := d.broken(); reason != "" {
		return d.without(PathNative, reason)
	}
	return d
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// without turns the draft into an answer without a filter.
func (d *Draft) without(p Path, reason string) *Draft {
	d.Path, d.Reason, d.Filter, d.Tests, d.Text = p, reason, nil, nil, ""
	return d
}

func (d *Draft) notes(samples []Sample) {
	failed, unknown := false, false
	for _, s := range samples {
		failed = failed || s.Ended && s.Status != 0
		unknown = unknown || !s.Ended
	}
	if unknown {
		d.Notes = append(d.Notes, "the exit status of a sample is not known: give it as FILE:STATUS")
	}
	if !failed {
		d.Notes = append(d.Notes, "no sample is known to be of a failure: what one prints was not seen, add one before you rely on the filter")
	}
	d.Notes = append(d.Notes, "RTK uses the filters of a project only after rtk trust, and again after each change")
}

// bareFilter is the filter without its rules for lines.
func bareFilter(op Operation, studied []*study) *Filter {
	f := &Filter{Name: filterName(op.ID), MatchCommand: matchCommand(op.Template), FilterStderr: true}
	for _, s := range studied {
		f.StripANSI = f.StripANSI || bytes.Contains(s.Output, []byte("\x1b["))
		if s.frames && f.Replace == nil {
			// Of what was overwritten in a line, what a terminal shows in the end.
			f.Replace = []Replace{{Pattern: `^.*\r([^\r]+)$`, Replacement: "$1"}}
		}
	}
	return f
}

// matchCommand is the expression for the commands of a template. The words of
// parameters may be anything, and may be missing.
func matchCommand(template []string) string {
	var b strings.Builder
	b.WriteString("^" + literal(base(template[0])))
	for i, w := range template[1:] {
		slot := strings.IndexByte(w, '<')
		switch {
		case slot >= 0 && strings.HasSuffix(w, ">") && i == len(template)-2:
			if slot > 0 {
				return b.String() + "( " + literal(w[:slot]) + ".*)?( |$)"
			}
		case slot >= 0 && strings.HasSuffix(w, ">"):
			b.WriteString("( " + literal(w[:slot]) + ".+)?")
		default:
			b.WriteString(" " + literal(w))
		}
	}
	return b.String() + "( |$)"
}

// prepare compiles the expressions, as reading the filter back would.
func (f *Filter) prepare() error {
	r := reader{name: f.Name}
	if !r.compile("filters."+quoteKey(f.Name), f) {
		return r.problems[0]
	}
	return nil
}

// refuses returns why a filter is not the way, or "".
func (d *Draft) refuses(op Operation, f *Filter, studied []*study) string {
	if Handled(op.Template[0]) {
		return fmt.Sprintf("RTK handles %s itself, so it never asks a filter about it", op.Template[0])
	}
	for _, s := range studied {
		if s.fates.Rewritten {
			return "the output has a structure that is read as a whole: lines left out one by one would lose what it says"
		}
		if s.lost(f) != "" {
			return fmt.Sprintf("a filter would lose the line %q of %s", s.lost(f), s.Name)
		}
	}
	if len(f.StripLines)+len(f.Replace) == 0 {
		return "no kind of lines can be left out without a line that may say something"
	}
	var before, after int
	for _, m := range d.Samples {
		before, after = before+m.Tokens, after+m.FilterTokens
	}
	saved := 1 - float64(after)/float64(max(before, 1))
	if saved < minSaving {
		return fmt.Sprintf("a filter that loses nothing would save %.0f %% of the tokens; %.0f %% is the least that is worth one", 100*saved, 100*minSaving)
	}
	if native := d.nativeSaves(); native > saved+0.3 {
		return fmt.Sprintf("a filter that loses nothing would save %.0f %% of the tokens, the policy %s saves %.0f %%", 100*saved, d.Policy, 100*native)
	}
	return ""
}

// nativeSaves is the share of the tokens that the policy of tmp saves.
func (d *Draft) nativeSaves() float64 {
	var before, after int
	for _, m := range d.Samples {
		before, after = before+m.Tokens, after+m.Native
	}
	return 1 - float64(after)/float64(max(before, 1))
}

// policyOf is the output policy that the samples were shaped by.
func policyOf(studied []*study) string {
	name := ""
	for _, s := range studied {
		if p := s.fates.Summary.Policy; p != "generic" && p != "raw" {
			name = p
		} else if name == "" {
			name = p
		}
	}
	return name
}

func (d *Draft) comment(op Operation) []string {
	out := []string{
		"Draft for the operation " + op.ID + ", made of " + count(len(d.Samples), "sample") + ". Nobody has reviewed it:",
		"read the rules, run tmp rtk verify, then take the word Draft out of the description.",
	}
	return append(out, d.Notes[:len(d.Notes)-1]...)
}

func testName(s Sample, many bool, i int) string {
	name := "keeps what matters"
	if s.Ended && s.Status != 0 {
		name += fmt.Sprintf(" of a run that ended with status %d", s.Status)
	} else if s.Ended {
		name += " of a run that ended with status 0"
	}
	if many {
		name += fmt.Sprintf(", sample %d", i+1)
	}
	return name
}

// broken reads the text back and runs its tests: it returns what is wrong with
// it, or "".
func (d *Draft) broken() string {
	file, problems := Parse("draft", []byte("schema_version = 1\n\n"+d.Text))
	if file == nil || len(file.Filters) != 1 {
		return "the draft is not read back: " + problems[0].Error()
	}
	outcomes := file.RunTests()
	if i := slices.IndexFunc(outcomes, func(o Outcome) bool { return !o.Passed }); i >= 0 {
		return fmt.Sprintf("the draft fails its own test %q", outcomes[i].Name)
	}
	return ""
}

// study is a sample with what must stay of it.
type study struct {
	Sample
	fates  shape.Fates
	frames bool     // frames were overwritten within lines, none of which tells of an error
	lines  []string // as the filter sees them before it chooses
	must   []bool   // which of them must stay
}

func newStudy(op Operation, sample Sample) *study {
	sample.Output = []byte(validUTF8(string(sample.Output)))
	s := &study{Sample: sample}
	policy := op.Policy
	if policy == "rtk" || policy == "raw" || policy == "generic" {
		policy = "" // see what the output itself calls for
	}
	s.fates = shape.Trace(shape.Options{Policy: policy, Command: op.Command, Status: s.Status, Ended: s.Ended}, s.Output)
	raw := splitLines(string(s.Output))
	for i, l := range raw {
		if strings.Contains(strings.TrimRight(l, "\r"), "\r") {
			s.frames = true
			if i < len(s.fates.Alarms) && s.fates.Alarms[i] {
				s.frames = false
				break
			}
		}
	}
	return s
}

// settle cuts the sample into lines as the filter sees them.
func (s *study) settle(f *Filter) {
	if s.lines != nil {
		return
	}
	s.lines = f.clean(string(s.Output))
	s.must = make([]bool, len(s.lines))
	for i, l := range s.lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		fate, alarm := shape.Kept, false
		if i < len(s.fates.Lines) {
			fate, alarm = s.fates.Lines[i], s.fates.Alarms[i]
		}
		s.must[i] = fate != shape.Noise && (s.fates.Parsed || alarm || !idle(l))
	}
}

// induceFrom finds the rules for all samples together.
func induceFrom(studied []*study) []string {
	f := bareFilter(Operation{Template: []string{"x"}}, studied)
	if f.prepare() != nil {
		return nil
	}
	var drop, keep []string
	for _, s := range studied {
		s.settle(f)
		for i, l := range s.lines {
			switch {
			case s.must[i]:
				keep = append(keep, l)
			case i >= len(s.fates.Alarms) || !s.fates.Alarms[i]:
				drop = append(drop, l)
			}
		}
	}
	return induce(drop, keep)
}

// lost returns a line that must stay and that the filter leaves out, or "".
func (s *study) lost(f *Filter) string {
	for i, l := range s.lines {
		if s.must[i] && f.matchesLine(l) {
			return l
		}
	}
	return ""
}

func (s *study) measure(f *Filter) Measured {
	text := f.Apply(string(s.Output))
	m := Measured{
		Name: s.Name, Status: s.Status, Ended: s.Ended, Lines: len(s.lines), Left: len(splitLines(text)),
		Tokens: s.fates.Summary.RawTokens, FilterTokens: shape.Tokens(text), Native: s.fates.Summary.Tokens,
	}
	for _, must := range s.must {
		if must {
			m.Signals++
		}
	}
	return m
}

// test makes a test of the sample. It is thinned, so that a person can read it:
// of the lines that are left out, the first of each rule are in the input, and
// of those that stay the first of a long sample. What is expected
// is told by hand, line by line, and not by applying the filter.
func (s *study) test(f *Filter, name string) Test {
	input := strings.SplitAfter(string(s.Output), "\n")
	t := Test{Filter: f.Name, Name: name}
	var in, out strings.Builder
	used := map[int]int{}
	kept := 0
	for i, l := range s.lines {
		rule := slices.IndexFunc(f.lines, func(r *regex) bool { return r.match(l) })
		if rule < 0 {
			if kept++; kept > maxTestLines {
				continue
			}
			out.WriteString(l + "\n")
		} else if used[rule]++; used[rule] > maxRuleLines {
			continue
		}
		in.WriteString(input[i])
	}
	t.Input, t.Expected = in.String(), out.String()
	if f.OnEmpty != nil && strings.TrimSpace(t.Expected) == "" {
		t.Expected = *f.OnEmpty
	}
	return t
}
