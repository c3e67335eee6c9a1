package runlog

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseAgeAndSize(t *testing.T) {
	const day = 24 * time.Hour
	for s, want := range map[string]time.Duration{"30d": 30 * day, "2w": 14 * day, "12h": 12 * time.Hour, "0": 0, "0d": 0, "1h30m": 90 * time.Minute} {
		if got, err := ParseAge(s); err != nil || got != want {
			t.Errorf("age %q: %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "d", "soon", "-1h", "-3d", "1.5d", "999999999999w", "30"} {
		if got, err := ParseAge(s); err == nil {
			t.Errorf("age %q is read as %v", s, got)
		}
	}
	for s, want := range map[string]int64{"4096": 4096, "500MB": 500e6, "1.5GB": 1.5e9, "64KiB": 65536, "2k": 2000, "0B": 0, "1 TB": 1e12} {
		if got, err := ParseSize(s); err != nil || got != want {
			t.Errorf("size %q: %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "MB", "-1", "iB", "1iB", "NaN", "Inf", "1e30", "9999999TB", "4 x"} {
		if got, err := ParseSize(s); err == nil {
			t.Errorf("size %q is read as %v", s, got)
		}
	}
}

func TestReadRetention(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	if r, err := ReadRetention(file); err != nil || r != DefaultRetention() {
		t.Errorf("without a file: %+v, %v", r, err)
	}
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("[runs]\nkeep = 0\nmax_age = \"2w\"\nmax_size = \"1MB\"\n[enter]\nhigh = \"always\"\n")
	if r, err := ReadRetention(file); err != nil || r != (Retention{0, 14 * 24 * time.Hour, 1e6}) {
		t.Errorf("%+v, %v", r, err)
	}
	write("[runs]\nkeep = 7\nmax_age = \"soon\"\nkept = 3\n")
	r, err := ReadRetention(file)
	if r.Keep != 7 || r.MaxAge != DefaultRetention().MaxAge || err == nil || !strings.Contains(err.Error(), "runs.kept") || !strings.Contains(err.Error(), "runs.max_age") {
		t.Errorf("%+v, %v", r, err)
	}
	write("[runs\n")
	if r, err := ReadRetention(file); err == nil || r != DefaultRetention() {
		t.Errorf("%+v, %v", r, err)
	}
}

// Each bound alone; the newest run stays under each of them.
func TestPrune(t *testing.T) {
	for _, tt := range []struct {
		name string
		keep Retention
		left int
	}{
		{"no bound", Retention{}, 4},
		{"number", Retention{Keep: 2}, 2},
		{"age", Retention{MaxAge: 90 * time.Minute}, 2},
		{"size", Retention{MaxSize: 25}, 2},
		{"all too old", Retention{MaxAge: time.Nanosecond}, 1},
		{"all too large", Retention{MaxSize: 1}, 1},
	} {
		place := StatePlace(t.TempDir())
		for i := range 4 {
			run, err := New(place, noon.Add(time.Duration(i)*time.Hour))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := run.Raw.WriteString("0123456789"); err != nil {
				t.Fatal(err)
			}
			if err := run.Finish([]byte("{}"), Retention{}); err != nil {
				t.Fatal(err)
			}
		}
		now := noon.Add(3*time.Hour + time.Minute)
		would, err := Prune(place, tt.keep, now, true)
		if all, _ := List(place); err != nil || len(all) != 4 || len(would) != 4-tt.left {
			t.Errorf("%s: a dry run left %d of 4 and names %d, %v", tt.name, len(all), len(would), err)
		}
		gone, err := Prune(place, tt.keep, now, false)
		left, _ := List(place)
		if err != nil || len(left) != tt.left || len(gone) != len(would) {
			t.Errorf("%s: %d left, want %d; %d gone; %v", tt.name, len(left), tt.left, len(gone), err)
		}
		if len(left) > 0 && left[0].Began() != noon.Add(3*time.Hour) {
			t.Errorf("%s: the newest is not among those left", tt.name)
		}
	}
}

func TestStderrIndex(t *testing.T) {
	for text, want := range map[string][]Range{
		"":                nil,
		"0 4\n":           {{0, 4}},
		"0 4\n4 2\n8 2\n": {{0, 6}, {8, 2}},
		"2 0\n3 1\n":      {{3, 1}},
		"0 4\n8 ":         {{0, 4}},
		"0 4\n8 2":        {{0, 4}},
	} {
		got, err := parseIndex(text, 10)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"x\n", "4 2\n0 1\n", "0 11\n", "-1 2\n", "0 -1\n", "9223372036854775807 2\n", "\n"} {
		if got, err := parseIndex(text, 10); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
	place := StatePlace(t.TempDir())
	run, err := New(place, noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Finish([]byte("{}"), Retention{}); err != nil {
		t.Fatal(err)
	}
	k, err := Last(place)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Stderr(); !errors.Is(err, ErrOneStream) {
		t.Errorf("without an index: %v", err)
	}
}
