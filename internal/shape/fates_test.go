package shape

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTrace(t *testing.T) {
	kept, noise, cut := Kept, Noise, Cut
	for _, c := range []struct {
		name, command, output string
		status                int
		want                  []Fate
		alarms                []int
	}{
		{
			"passing tests", "go test -v ./...", "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    b_test.go:3: got 1\n--- FAIL: TestB (0.00s)\nFAIL\n", 1,
			[]Fate{noise, noise, noise, kept, kept, cut},
			[]int{4, 5},
		},
		{"the last of many that tell of progress", "tool", "Restoring a.1...\nRestoring a.2...\nRestoring a.3...\nwrote x\n", 0, []Fate{noise, noise, noise, kept}, nil},
		{"one alone that tells of progress", "tool", "Restoring a.1...\nwrote x\n", 0, []Fate{kept, kept}, nil},
		{"a line that comes again may say something", "tool", "same\nsame\nother error\n", 0, []Fate{kept, cut, kept}, []int{2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := Trace(Options{Command: CommandOf(c.command), Status: c.status, Ended: true}, []byte(c.output))
			if !slices.Equal(f.Lines, c.want) {
				t.Errorf("%v, want %v", f.Lines, c.want)
			}
			for n, alarm := range f.Alarms {
				if alarm != slices.Contains(c.alarms, n) {
					t.Errorf("line %d: alarm %v", n, alarm)
				}
			}
		})
	}
	events := "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"TestA\"}\n"
	if f := Trace(Options{}, []byte(events)); !f.Rewritten {
		t.Error("events are read as lines")
	}
}

// A traced output is shaped as any other, and the fates count what the summary
// counts.
func TestTraceAgrees(t *testing.T) {
	for _, dir := range []string{"testdata/real", "testdata/own"} {
		for _, smp := range samples(t, dir) {
			o := smp.options()
			f := Trace(o, smp.raw)
			sum, _ := Shape(o, strings.NewReader(string(smp.raw)))
			if f.Summary.Text != sum.Text || len(f.Lines) != sum.Lines {
				t.Errorf("%s: %d lines, %d", smp.name, len(f.Lines), sum.Lines)
			}
			left := 0
			for _, fate := range f.Lines {
				if fate != Kept {
					left++
				}
			}
			counted := 0
			for _, n := range sum.Omitted {
				if n, ok := n.(int); ok {
					counted += n
				}
			}
			if sum.Compressor == "native" && (left < counted-20 || left > counted+10) {
				t.Errorf("%s: %d lines are left out, %d are counted (%s)", smp.name, left, counted, fmt.Sprint(sum.Omitted))
			}
		}
	}
}
