package benchmark

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOwnTasks(t *testing.T) {
	tasks, err := Own()
	if err != nil {
		t.Fatal(err)
	}
	counted, surfaces := map[string]int{}, map[string]int{}
	for _, task := range tasks {
		surfaces[task.Surface]++
		for _, c := range task.Counts {
			counted[c]++
		}
	}
	if len(tasks) < 14 || counted["calls"] < 5 || counted["discovery"] < 5 || counted["noisy"] < 5 {
		t.Errorf("%d tasks, that count for %v", len(tasks), counted)
	}
	if surfaces["workflow"] == 0 {
		t.Errorf("no task is a workflow: %v", surfaces)
	}
}

func TestTaskFaultsNameTheirPlace(t *testing.T) {
	const good = "id = \"a\"\ntitle = \"A\"\nsurface = \"cli\"\n"
	for _, x := range []struct{ text, want string }{
		{good + "sutep = 1\n[[assisted]]\nrun = \"true\"\n", "x.toml:4: sutep: no such key"},
		{good + "[[assisted]]\nrun = \"true\"\nreeds = true\n", "x.toml:6: assisted.reeds: no such key"},
		{"id = \"A b\"\ntitle = \"A\"\nsurface = \"cli\"\n", `x.toml:1: id: "A b": want lower-case words with dots, such as make.failing_test`},
		{"id = \"a\"\ntitle = \"A\"\nsurface = \"sql\"\n", `x.toml:3: surface: "sql": want cli, script, workflow or agent`},
		{good, "x.toml: assisted: want a step, or a complete"},
		{good + "counts = [\"calls\"]\n[[assisted]]\nrun = \"true\"\n", "x.toml:4: counts: want steps of the baseline and assisted ones to compare"},
		{good + "status = \"one\"\n", "x.toml:4:"},
		{good + "signals = [\n", "x.toml:"},
	} {
		_, err := ParseTask("x.toml", x.text)
		if err == nil || !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%q: %v, want %s", x.text, err, x.want)
		}
	}
	double := fstest.MapFS{
		"a.toml": {Data: []byte(good + "[[assisted]]\nrun = \"true\"\n")},
		"b.toml": {Data: []byte(good + "[[assisted]]\nrun = \"true\"\n")},
	}
	if _, err := ReadTasks(double); err == nil || !strings.Contains(err.Error(), `"a" is the task of a.toml too`) {
		t.Errorf("two tasks of one ID: %v", err)
	}
}

// runner runs tasks with a program in the place of tmp that prints an envelope,
// completes two words, and does what "bad" stands for.
func runner(t *testing.T) *Runner {
	t.Helper()
	self := filepath.Join(t.TempDir(), "fake")
	script := `#!/bin/sh
case $1 in
run) printf '%s\n' '{"v":1,"output":"say \"no\"\n","raw_output":{"bytes":4000}}' ;;
bad) rm -f kept; exit 0 ;;
refuse) exit 125 ;;
complete) echo '{"candidates":[{"value":"a"},{"value":"b"},{"value":"c"},{"value":"d"},{"value":"e"},{"value":"sixth"}]}' ;;
esac
`
	if err := os.WriteFile(self, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	r := &Runner{Self: self, Getenv: os.Getenv, Now: func() time.Time { return time.Date(2026, 6, 3, 0, 0, 0, 0, time.UTC) }}
	if err := r.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(r.root); !os.IsNotExist(err) {
			t.Errorf("%s is left behind", r.root)
		}
	})
	return r
}

func TestCounting(t *testing.T) {
	task, err := ParseTask("x.toml", `
id = "count.words"
title = "Count"
surface = "cli"
counts = ["calls"]
setup = "printf 'one two\n' > f"
signals = ['say "no"']
[[baseline]]
run = "cat f"
reads = true
[[baseline]]
run = 'printf "say \"no\"\n"; seq 3 >&2'
[[assisted]]
run = "tmp run"
[[complete]]
line = "x "
want = "e"
[[complete]]
line = "x "
want = "sixth"
`)
	if err != nil {
		t.Fatal(err)
	}
	records, err := runner(t).Do(context.Background(), &task)
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		records[i].WallTimeMS, records[i].CPUTimeMS = 0, 0
	}
	// "one two\n" is two words and a line's end. The envelope's 60 bytes are its
	// length with the newline that echo prints.
	// What goes to standard error may be read before what goes to standard output.
	first := int64(8)
	if records[0].AnswerAt == first+int64(len("1\n2\n3\n")) {
		first = records[0].AnswerAt
	}
	want := []Record{
		{
			RunID: "2026-06-03T00-00-00Z-count-words", TaskID: "count.words", Mode: Baseline, Surface: "cli", Counts: []string{"calls"},
			ToolCalls: 2, InputTokens: 3, OutputTokens: records[0].OutputTokens, RawOutputBytes: 9 + 6, ShapedOutputBytes: 9 + 6, OutputSignalPreserved: true, Success: true, AnswerAt: first,
		},
		{
			RunID: "2026-06-03T00-00-00Z-count-words", TaskID: "count.words", Mode: Assisted, Surface: "cli", Counts: []string{"calls"},
			ToolCalls: 1, OutputTokens: records[1].OutputTokens, RawOutputBytes: 4000, ShapedOutputBytes: int64(len(`{"v":1,"output":"say \"no\"\n","raw_output":{"bytes":4000}}`) + 1), OutputSignalPreserved: true, Success: true,
			AnswerAt:  60 + 8, // in the text that the envelope holds, after it
			Completed: 2, WithinFive: 1, Faults: []string{"x : sixth is not among the first five"},
		},
	}
	if d := cmp.Diff(want, records); d != "" {
		t.Error(d)
	}
	for _, r := range records {
		if r.OutputTokens < 6 || r.OutputTokens > 40 {
			t.Errorf("%s: %d output tokens", r.Mode, r.OutputTokens)
		}
	}
}

func TestWhatMustBeRefused(t *testing.T) {
	for _, x := range []struct {
		step    string
		invalid bool
	}{{"tmp refuse", false}, {"tmp bad", true}, {"rm kept; exit 1", true}} {
		task := Task{ID: "a", Surface: "cli", Refuse: true, Setup: "touch kept", Check: "test -f kept", Assisted: []Step{{Run: x.step}}}
		records, err := runner(t).Do(context.Background(), &task)
		if err != nil || len(records) != 1 {
			t.Fatal(records, err)
		}
		if r := records[0]; r.InvalidOperationAttempted != x.invalid || r.Success == x.invalid {
			t.Errorf("%s: %+v", x.step, r)
		}
	}
}

func TestStepsThatFail(t *testing.T) {
	task := Task{ID: "a", Surface: "cli", Signals: []string{"here", "not here"}, Status: 3, Assisted: []Step{{Run: "no-such-program"}, {Run: "echo here; exit 4"}}}
	records, err := runner(t).Do(context.Background(), &task)
	if err != nil {
		t.Fatal(err)
	}
	r := records[0]
	if r.Success || r.FailedAttempts != 2 || r.OutputSignalPreserved || !slices.Equal(r.Lost, []string{"not here"}) {
		t.Errorf("%+v", r)
	}
	task.Setup = "echo no disk; exit 1"
	if _, err := runner(t).Do(context.Background(), &task); err == nil || !strings.Contains(err.Error(), "no disk") {
		t.Errorf("a setup that fails: %v", err)
	}
}

func TestReport(t *testing.T) {
	all := []string{"calls", "discovery", "noisy"}
	r := NewReport([]Record{
		{TaskID: "a", Mode: Baseline, Counts: all, ToolCalls: 4, InputTokens: 100, OutputTokens: 1000},
		{TaskID: "a", Mode: Assisted, Counts: all, ToolCalls: 1, InputTokens: 90, OutputTokens: 300, OutputSignalPreserved: true},
		{TaskID: "b<script>", Mode: Baseline, Counts: []string{"calls"}, ToolCalls: 2, OutputTokens: 9999},
		{TaskID: "b<script>", Mode: Assisted, Counts: []string{"calls"}, ToolCalls: 2, InvalidOperationAttempted: true, Completed: 10, WithinFive: 9, Lost: []string{"x"}},
	})
	var got []string
	for _, x := range r.Targets {
		got = append(got, x.Name+": "+x.Measured()+" "+x.Verdict())
	}
	want := []string{
		"tool calls: −50 % met", // 6 to 3
		"input tokens of discovery: −10 % missed",
		"output tokens of noisy commands: −70 % met",
		"invalid operations: 1 missed",
		"completion precision at five: 90.0 % met",
		"outputs with every signal: 50.0 % missed",
		"tokens of 300 tools behind the door: not measured ",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var page, table strings.Builder
	if err := r.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "http://", "https://", "src="} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if !strings.Contains(page.String(), "b&lt;script&gt;") || strings.Count(page.String(), "<svg") != 3 {
		t.Error("the page lacks a task or a plot")
	}
	if err := r.WriteTable(&table); err != nil || !strings.Contains(table.String(), "b<script> (tmp_assisted): lost: x") {
		t.Errorf("%v: %s", err, table.String())
	}
	if empty := NewReport(nil); empty.Targets[0].Met || empty.Targets[3].Met || empty.Targets[0].Measured() != "not measured" {
		t.Errorf("nothing was measured: %+v", empty.Targets)
	}
}

// What stands behind the door is a share of the list, and only if all is found.
func TestListing(t *testing.T) {
	for _, tt := range []struct {
		session int
		success bool
		want    string
	}{{30, true, "3.0 % met"}, {31, true, "3.1 % missed"}, {30, false, "3.0 % missed"}} {
		r := NewReport([]Record{
			{TaskID: "a", Mode: Baseline, Counts: []string{"listing"}, InputTokens: 1000, Success: true},
			{TaskID: "a", Mode: Assisted, Counts: []string{"listing"}, InputTokens: tt.session, Success: tt.success},
		})
		x := r.Targets[len(r.Targets)-1]
		if got := x.Measured() + " " + x.Verdict(); got != tt.want {
			t.Errorf("%d: %s, want %s", tt.session, got, tt.want)
		}
	}
}

func TestRecordsRoundTrip(t *testing.T) {
	in := []Record{{RunID: "r", TaskID: "a", Mode: Baseline, Surface: "cli", RawOutputBytes: 7}, {TaskID: "b", Mode: Assisted, Lost: []string{"<&>"}}, {TaskID: "b", Mode: Head}}
	var text strings.Builder
	if err := WriteRecords(&text, in); err != nil {
		t.Fatal(err)
	}
	out, err := ReadRecords(strings.NewReader(text.String()))
	if err != nil || cmp.Diff(in, out) != "" {
		t.Error(err, cmp.Diff(in, out))
	}
	for text, want := range map[string]string{"{}\n": "line 1: not a benchmark record", "\n{": "line 2:"} {
		if _, err := ReadRecords(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestSchemaHasEveryField holds the published schema to the record.
func TestSchemaHasEveryField(t *testing.T) {
	var s struct {
		Properties map[string]any `json:"properties"`
		Required   []string       `json:"required"`
	}
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(Record{})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	for name := range fields {
		if s.Properties[name] == nil {
			t.Errorf("the schema lacks %s", name)
		}
	}
	if len(s.Properties) != len(fields) {
		t.Errorf("the schema has %d fields, the record %d", len(s.Properties), len(fields))
	}
	// The fields of seed 000's record.
	if len(s.Required) != 15 {
		t.Errorf("%d fields are required", len(s.Required))
	}
}

func FuzzTask(f *testing.F) {
	f.Add("id = \"a\"\n[[complete]]\nline = \"x\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		if task, err := ParseTask("x.toml", text); err == nil && (task.ID == "" || len(task.Assisted)+len(task.Completes) == 0) {
			t.Error("a task without what it needs")
		}
	})
}

// TestSearches: a task that looks for an answer is done three times, and the table says
// where it was not there.
func TestSearches(t *testing.T) {
	task, err := ParseTask("x.toml", `
id = "look.for"
title = "Look"
surface = "cli"
signals = ["900"]
[[baseline]]
run = "seq 1000"
[[head]]
run = "seq 1000 | head -100"
[[assisted]]
run = "echo 900"
`)
	if err != nil {
		t.Fatal(err)
	}
	records, err := runner(t).Do(context.Background(), &task)
	if err != nil {
		t.Fatal(err)
	}
	report := NewReport(records)
	var text strings.Builder
	if err := report.WriteTable(&text); err != nil {
		t.Fatal(err)
	}
	// 9 lines of 2 characters, 90 of 3, 801 of 4 less the last newline.
	if !strings.Contains(text.String(), " 3491  not there   3 ") {
		t.Errorf("%s", text.String())
	}
}
