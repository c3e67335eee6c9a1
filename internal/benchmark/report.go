package benchmark

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Report is what records say together.
type Report struct {
	V       int      `json:"v"`
	Tasks   []Pair   `json:"tasks"`
	Targets []Target `json:"targets"`
}

// Pair is a task in both modes; Baseline is nil where a task has none.
type Pair struct {
	TaskID   string  `json:"task_id"`
	Baseline *Record `json:"baseline"`
	Head     *Record `json:"head,omitempty"`
	Assisted *Record `json:"tmp_assisted"`
}

// Target is a row of seed 000's table of metrics with what was measured.
type Target struct {
	Name     string  `json:"name"`
	Want     string  `json:"target"`
	Baseline float64 `json:"baseline"`
	Assisted float64 `json:"tmp_assisted"`
	Value    float64 `json:"measured"` // a share, or a count of Unit "operations"
	Unit     string  `json:"unit"`     // "saved", "operations", "share"
	Tasks    int     `json:"tasks"`    // how many it is measured over
	Met      bool    `json:"met"`      // false when there is nothing to measure it by
}

// NewReport puts records together. Of several records of one task and mode the
// last counts.
func NewReport(records []Record) Report {
	r := Report{V: 1, Tasks: []Pair{}}
	for i := range records {
		rec := &records[i]
		at := slices.IndexFunc(r.Tasks, func(p Pair) bool { return p.TaskID == rec.TaskID })
		if at < 0 {
			at = len(r.Tasks)
			r.Tasks = append(r.Tasks, Pair{TaskID: rec.TaskID})
		}
		switch rec.Mode {
		case Baseline:
			r.Tasks[at].Baseline = rec
		case Head:
			r.Tasks[at].Head = rec
		default:
			r.Tasks[at].Assisted = rec
		}
	}
	r.Targets = []Target{
		r.saved("tool calls", 0.50, "calls", func(rec *Record) int { return rec.ToolCalls }),
		r.saved("input tokens of discovery", 0.30, "discovery", func(rec *Record) int { return rec.InputTokens }),
		r.saved("output tokens of noisy commands", 0.60, "noisy", func(rec *Record) int { return rec.OutputTokens }),
		r.invalid(), r.precision(), r.signals(), r.listing(),
	}
	return r
}

// saved is how much less of something the assisted mode needs, over the tasks
// that count for it.
func (r *Report) saved(name string, want float64, counts string, of func(*Record) int) Target {
	t := Target{Name: name, Want: fmt.Sprintf("−%.0f %%", 100*want), Unit: "saved"}
	for _, p := range r.Tasks {
		if p.Baseline == nil || p.Assisted == nil || !slices.Contains(p.Assisted.Counts, counts) {
			continue
		}
		t.Tasks++
		t.Baseline += float64(of(p.Baseline))
		t.Assisted += float64(of(p.Assisted))
	}
	if t.Baseline > 0 {
		t.Value = 1 - t.Assisted/t.Baseline
		t.Met = t.Value >= want
	}
	return t
}

func (r *Report) invalid() Target {
	t := Target{Name: "invalid operations", Want: "0", Unit: "operations"}
	for _, p := range r.Tasks {
		if p.Assisted == nil {
			continue
		}
		t.Tasks++
		if p.Assisted.InvalidOperationAttempted {
			t.Assisted++
		}
	}
	t.Value, t.Met = t.Assisted, t.Tasks > 0 && t.Assisted == 0
	return t
}

func (r *Report) precision() Target {
	t := Target{Name: "completion precision at five", Want: "90 %", Unit: "share"}
	for _, p := range r.Tasks {
		if p.Assisted != nil {
			t.Tasks += p.Assisted.Completed
			t.Assisted += float64(p.Assisted.WithinFive)
		}
	}
	if t.Tasks > 0 {
		t.Value = t.Assisted / float64(t.Tasks)
		t.Met = t.Value >= 0.90
	}
	return t
}

func (r *Report) signals() Target {
	t := Target{Name: "outputs with every signal", Want: "100 %", Unit: "share"}
	for _, p := range r.Tasks {
		if p.Assisted == nil || p.Assisted.ToolCalls == 0 {
			continue
		}
		t.Tasks++
		if p.Assisted.OutputSignalPreserved {
			t.Assisted++
		}
	}
	if t.Tasks > 0 {
		t.Value = t.Assisted / float64(t.Tasks)
		t.Met = t.Value == 1
	}
	return t
}

// listing is what an agent reads that has the tools of other servers behind the
// door, as a share of what their list would be.
func (r *Report) listing() Target {
	t := Target{Name: "tokens of 300 tools behind the door", Want: "≤ 3 %", Unit: "share"}
	solved := true
	for _, p := range r.Tasks {
		if p.Baseline == nil || p.Assisted == nil || !slices.Contains(p.Assisted.Counts, "listing") {
			continue
		}
		t.Tasks++
		t.Baseline += float64(p.Baseline.InputTokens)
		t.Assisted += float64(p.Assisted.InputTokens)
		solved = solved && p.Assisted.Success
	}
	if t.Baseline > 0 {
		t.Value = t.Assisted / t.Baseline
		t.Met = solved && t.Value <= 0.03
	}
	return t
}

// Measured is a target's value as text.
func (t Target) Measured() string {
	switch {
	case t.Tasks == 0:
		return "not measured"
	case t.Unit == "operations":
		return fmt.Sprintf("%.0f", t.Value)
	case t.Unit == "share":
		return fmt.Sprintf("%.1f %%", 100*t.Value)
	case t.Value < 0:
		return fmt.Sprintf("+%.0f %%", -100*t.Value)
	}
	return fmt.Sprintf("−%.0f %%", 100*t.Value)
}

// Verdict is "met", "missed", or "" where nothing was measured.
func (t Target) Verdict() string {
	switch {
	case t.Tasks == 0:
		return ""
	case t.Met:
		return "met"
	}
	return "missed"
}

// WriteTable writes the report for a terminal.
func (r *Report) WriteTable(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "TASK\tCALLS\tINPUT TOKENS\tOUTPUT TOKENS\tSIGNAL\tWALL MS\t")
	for _, p := range r.Tasks {
		signal, name := "kept", p.TaskID
		if a := p.Assisted; a != nil {
			if !a.OutputSignalPreserved {
				signal = "lost"
			}
			if !a.Success {
				name += " (failed)"
			}
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t\n", name,
			p.both(func(r *Record) int64 { return int64(r.ToolCalls) }), p.both(func(r *Record) int64 { return int64(r.InputTokens) }),
			p.both(func(r *Record) int64 { return int64(r.OutputTokens) }), signal, p.both(func(r *Record) int64 { return r.WallTimeMS }))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if err := r.writeSearches(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	tw = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "TARGET\tWANTED\tMEASURED\t\tOVER")
	for _, t := range r.Targets {
		over := "tasks"
		if t.Name == "completion precision at five" {
			over = "words"
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%d %s\n", t.Name, t.Want, t.Measured(), t.Verdict(), t.Tasks, over)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, p := range r.Tasks {
		for _, rec := range []*Record{p.Baseline, p.Head, p.Assisted} {
			if rec == nil {
				continue
			}
			for _, text := range slices.Concat(prefixed("lost: ", rec.Lost), rec.Faults) {
				fmt.Fprintf(w, "%s (%s): %s\n", rec.TaskID, rec.Mode, text)
			}
		}
	}
	return nil
}

// writeSearches compares, for the tasks that look for an answer, how many characters
// are read until it is there: of the tool itself, of its first lines, through te.
func (r *Report) writeSearches(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	any := false
	for _, p := range r.Tasks {
		if p.Baseline == nil || p.Head == nil || p.Assisted == nil {
			continue
		}
		if !any {
			any = true
			fmt.Fprintln(w)
			fmt.Fprintln(tw, "CHARACTERS UNTIL THE ANSWER\tRAW\tHEAD -100\tTE\tALL: RAW\tHEAD\tTE\tCALLS OF TE\t")
		}
		fmt.Fprint(tw, p.TaskID)
		for _, rec := range []*Record{p.Baseline, p.Head, p.Assisted} {
			if rec.AnswerAt == 0 {
				fmt.Fprint(tw, "\tnot there")
			} else {
				fmt.Fprintf(tw, "\t%d", rec.AnswerAt)
			}
		}
		fmt.Fprintf(tw, "\t%d\t%d\t%d\t%d\t\n", p.Baseline.ShapedOutputBytes, p.Head.ShapedOutputBytes, p.Assisted.ShapedOutputBytes, p.Assisted.ToolCalls)
	}
	return tw.Flush()
}

func prefixed(with string, lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		out = append(out, with+l)
	}
	return out
}

// both is a number in each mode, "120 → 30".
func (p Pair) both(of func(*Record) int64) string {
	var out []string
	for _, rec := range []*Record{p.Baseline, p.Assisted} {
		if rec == nil {
			out = append(out, "–")
			continue
		}
		out = append(out, fmt.Sprint(of(rec)))
	}
	return strings.Join(out, " → ")
}
