package workflow

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

func step(id string, needs ...string) Step {
	return Step{ID: id, Run: "x." + id, Needs: append([]string{}, needs...)}
}

func TestCheck(t *testing.T) {
	with := func(change func(*Step)) Step {
		s := step("a")
		change(&s)
		return s
	}
	for _, tt := range []struct {
		name  string
		steps []Step
		want  string // part of the first error, "" for none
	}{
		{"diamond", []Step{step("a"), step("b", "a"), step("c", "a"), step("d", "b", "c")}, ""},
		{"none", nil, "no steps"},
		{"twice", []Step{step("a"), step("a")}, "given twice"},
		{"unknown need", []Step{step("a", "z")}, `needs "z"`},
		{"itself", []Step{step("a", "a")}, "a → a"},
		{"circle", []Step{step("a", "c"), step("b", "a"), step("c", "b")}, "a → c → b → a"},
		{"name", []Step{step("A b")}, "lower-case"},
		{"path as a name", []Step{step("../x")}, "lower-case"},
		{"no operation", []Step{{ID: "a"}}, "names no operation"},
		{"slot", []Step{with(func(s *Step) { s.With = map[string]string{"x": "<nope>"} })}, "<nope>"},
		{"condition", []Step{with(func(s *Step) { s.If = "p == <q>" })}, "if"},
		{"condition of another", []Step{with(func(s *Step) { s.If = "<nope>" })}, "<nope>"},
		{"good condition", []Step{with(func(s *Step) { s.If = "<p> != x" })}, ""},
		{"on", []Step{with(func(s *Step) { s.On = "sometimes" })}, "sometimes"},
		{"retry", []Step{with(func(s *Step) { s.Retry = 11 })}, "retry 11"},
	} {
		got := errors.Join(Check(tt.steps, []string{"p"})...)
		if (got == nil) != (tt.want == "") || got != nil && !strings.Contains(got.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, got, tt.want)
		}
	}
}

func TestConditions(t *testing.T) {
	params := map[string]string{"p": "yes", "blank": "a  b"}
	for cond, want := range map[string]bool{
		"": true, "<p>": true, "!<p>": false, "<q>": false, "!<q>": true, "<p> = yes": true, "<p>=yes": true,
		"<p> = no": false, "<p> != no": true, "<p> != yes": false, "<q> = ": true, "<blank> = a  b": true, "nonsense": false,
	} {
		if got := (Step{If: cond}).Wanted(params); got != want {
			t.Errorf("%q: %v, want %v", cond, got, want)
		}
	}
}

// schedule runs steps of which some fail; it returns how each ended and the
// order of the beginnings.
func schedule(t *testing.T, steps []Step, jobs int, before []string, fail ...string) (bool, map[string]State, []string) {
	t.Helper()
	var mu sync.Mutex
	var begun []string
	running, most := 0, 0
	states := map[string]State{}
	done := map[string]bool{}
	for _, id := range before {
		done[id] = true
	}
	good := Schedule(context.Background(), steps, Scheduled{
		Jobs: jobs, Before: done,
		Do: func(_ context.Context, s Step) bool {
			mu.Lock()
			begun = append(begun, s.ID)
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(5 * time.Millisecond)
			mu.Lock()
			running--
			mu.Unlock()
			return !slices.Contains(fail, s.ID)
		},
		Tell: func(s Step, st State, _ string) { states[s.ID] = st },
	})
	if most > jobs {
		t.Errorf("%d steps at once, want at most %d", most, jobs)
	}
	return good, states, begun
}

func TestSchedule(t *testing.T) {
	clean, alarm := step("clean", "d"), step("alarm")
	clean.On, alarm.On = "always", "failure"
	steps := []Step{alarm, step("a"), step("b", "a"), step("c", "a"), step("d", "b", "c"), clean}

	good, states, begun := schedule(t, steps, 2, nil)
	if !good || states["alarm"] != Skipped || states["d"] != Done || states["clean"] != Done || begun[0] != "a" || begun[len(begun)-1] != "clean" {
		t.Errorf("all good: %v %v %v", good, states, begun)
	}
	good, states, begun = schedule(t, steps, 2, nil, "b")
	if good || states["b"] != Failed || states["d"] != Skipped || states["clean"] != Done || states["alarm"] != Done {
		t.Errorf("b fails: %v %v %v", good, states, begun)
	}
	good, states, begun = schedule(t, steps, 1, []string{"a", "b"})
	if !good || slices.Contains(begun, "a") || slices.Contains(begun, "b") || states["c"] != Done || states["d"] != Done {
		t.Errorf("taken up: %v %v %v", good, states, begun)
	}
}

// A caller that gives up lets nothing further begin.
func TestScheduleStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var states []State
	good := Schedule(ctx, []Step{step("a"), step("b", "a")}, Scheduled{
		Jobs: 1, Do: func(context.Context, Step) bool { cancel(); return true },
		Tell: func(_ Step, st State, _ string) { states = append(states, st) },
	})
	if good || !slices.Equal(states, []State{Done, Skipped}) {
		t.Errorf("%v %v", good, states)
	}
}

func TestPictures(t *testing.T) {
	a := step("a")
	a.If = `<p> = "x" & <y>`
	steps := []Step{a, step("b", "a"), step("c", "a"), step("d", "b", "c")}
	text := Text(steps, 80)
	for _, want := range []string{"── a = x.a if <p> = ", "┌─ b = x.b   ← a\n", "└─ c = x.c   ← a\n", "── d = x.d   ← b, c\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	svg := SVG("a <b> & c", steps)
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	boxes, arrows := 0, 0
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, svg)
		}
		if e, ok := tok.(xml.StartElement); ok {
			switch e.Name.Local {
			case "rect":
				boxes++
			case "path":
				arrows++
			}
		}
	}
	if boxes != 4 || arrows != 4+1 { // one path is the head of the arrows
		t.Errorf("%d boxes, %d paths", boxes, arrows)
	}
}

func TestDetail(t *testing.T) {
	if (Detail{}).Text() != "" {
		t.Error("an empty detail is not empty")
	}
	d := Detail{Env: []string{"A"}, Bare: true, Timeout: "90s", Idempotent: true, Steps: []Step{step("a")}}
	got, err := Parse(d.Text())
	if err != nil || got.Text() != d.Text() || got.Limit() != 90*time.Second {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Parse("{"); err == nil {
		t.Error("half an object is read")
	}
}

func TestGraphFits(t *testing.T) {
	long := strings.Repeat("x", 60)
	steps := []Step{{ID: "a" + long, Run: "op." + long}}
	for i := range 12 {
		steps = append(steps, Step{ID: fmt.Sprintf("s%d", i), Run: "op." + long, Needs: []string{steps[0].ID}, If: "<" + long + ">"})
	}
	last := Step{ID: "last", Run: "op.last"}
	for _, s := range steps[1:] {
		last.Needs = append(last.Needs, s.ID+"")
	}
	steps = append(steps, last)
	for _, columns := range []int{80, 40, 20, 1} {
		text := Text(steps, columns)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > max(columns, 20) {
				t.Errorf("%d columns: %d: %q", columns, n, line)
			}
		}
		for _, s := range steps[1:] {
			if !strings.Contains(text, s.ID) {
				t.Errorf("%d columns: %s is not drawn:\n%s", columns, s.ID, text)
			}
		}
	}
	var picture struct {
		Width int `xml:"width,attr"`
	}
	data := SVG("<&\x1b\"'>", append(steps, Step{ID: "evil", Run: "<script>alert(1)</script>\x00\x1b"}))
	if err := xml.Unmarshal(data, &picture); err != nil || picture.Width > maxWidth {
		t.Errorf("%v, width %d", err, picture.Width)
	}
	if strings.Contains(string(data), "<script") {
		t.Error("a name becomes an element")
	}
}
