package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

func TestSettingFaults(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	paths := place.Paths{Config: dir}
	for text, want := range map[string][]string{
		"": nil,
		"[enter]\nword = 'please'\nwide = 'ask'\n[runs]\nkeep = 3\nmax_age = '2w'\n": nil,
		"# mine\n[enter]\nwide = 'never'\n[runs]\n\nmax_size = 'much'\nkep = 1\n":    {`3: enter.wide: is "never": want one of "ask", "word"`, `6: runs.max_size: "much": want a size such as 500MB or 64KiB`, `7: runs.kep: is not known`},
		"[entr]\nwide = 'ask'\n":         {`1: entr: unknown: known are enter, runs and tab`},
		"enter.word = 1\n":               {`1: enter.word: is 1: want a word of 2 to 32 letters and digits`},
		"x = 1\nruns.keep = -1\n":        {`1: x: unknown: known are enter, runs and tab`, `2: runs.keep: -1: want a number of runs`},
		"[enter]\nbuild_names = ['[']\n": {`2: enter.build_names: holds "[", which is no pattern`},
		"[enter\n":                       {`2: expected`},
		"[tab]\nrecency = 1\nx = 2\n":    {`2: tab.recency: want true or false`, `3: tab.x: unknown: known is recency`},
		"[tab]\nrecency = false\n":       nil,
		"[runs]\nkeep = 'all'\n":         {`2: runs.keep: all: want a number of runs`},
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range Faults(paths, "") {
			got = append(got, strings.TrimPrefix(p.Error(), file+":"))
		}
		ok := len(got) == len(want)
		for i := range want {
			ok = ok && strings.HasPrefix(got[i], want[i])
		}
		if !ok {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// schemaOf is the part of the schema of the settings that tests read.
type schemaOf struct {
	Properties map[string]property `json:"properties"`
	Defs       map[string]schemaOf `json:"$defs"`
}

type property struct {
	Enum    []string `json:"enum"`
	Default any      `json:"default"`
}

// The schema names the fields that are decoded and no others, their values and
// their defaults.
func TestConfigSchema(t *testing.T) {
	var schema schemaOf
	if err := json.Unmarshal(opmap.ConfigSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(schema.Properties)); !slices.Equal(got, []string{"enter", "runs", "tab"}) {
		t.Errorf("sections: %q", got)
	}
	fields := schema.Defs["enter"].Properties
	if got := slices.Sorted(maps.Keys(fields)); !slices.Equal(got, ask.Keys()) {
		t.Errorf("fields of enter: %q, want %q", got, ask.Keys())
	}
	apply := func(key string, value any) (ask.Settings, error) {
		s := ask.Default()
		for _, f := range s.Apply(map[string]any{key: value}, false) {
			return s, f
		}
		return s, nil
	}
	for key, f := range fields {
		if s, err := apply(key, f.Default); err != nil || fmt.Sprint(s) != fmt.Sprint(ask.Default()) {
			t.Errorf("enter.%s: its default %v is another: %v", key, f.Default, err)
		}
		for a := ask.Silent; a <= ask.Refuse; a++ {
			if _, err := apply(key, a.String()); f.Enum != nil && (err == nil) != slices.Contains(f.Enum, a.String()) {
				t.Errorf("enter.%s = %q: the schema and the decoder do not agree: %v", key, a, err)
			}
		}
	}
	for key, f := range schema.Defs["runs"].Properties {
		file := filepath.Join(t.TempDir(), "config.toml")
		value, err := json.Marshal(f.Default) // for these, TOML too
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, fmt.Appendf(nil, "[runs]\n%s = %s\n", key, value), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := runlog.ReadRetention(file); err != nil || r != runlog.DefaultRetention() {
			t.Errorf("runs.%s: its default %s is another: %+v %v", key, value, r, err)
		}
	}
	if got := slices.Sorted(maps.Keys(schema.Defs["tab"].Properties)); !slices.Equal(got, []string{"recency"}) {
		t.Errorf("fields of tab: %q", got)
	}
	// ReadRetention names what it does not know; what it knows is all there.
	if got := len(schema.Defs["runs"].Properties); got != 3 {
		t.Errorf("%d fields of runs", got)
	}
}
