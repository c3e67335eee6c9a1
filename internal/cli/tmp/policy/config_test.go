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
		"[enter]\nword = 'please'\n[policy]\ncontent.own = 'word'\n[places]\nown = ['x']\n[runs]\nkeep = 3\nmax_age = '2w'\n": nil,
		"[enter]\nwide = 'ask'\n":                                                 {"2: enter.wide: is policy.content_wide by now, and counts as that"},
		"[policy.content]\nown = 'never'\n":                                       {`2: policy.content.own: is "never": want one of "silent"`},
		"# mine\n[enter]\nwide = 'never'\n[runs]\n\nmax_size = 'much'\nkep = 1\n": {`3: enter.wide: is "never": want one of "ask", "word"`, `6: runs.max_size: "much": want a size such as 500MB or 64KiB`, `7: runs.kep: is not known`},
		"[entr]\nwide = 'ask'\n":                                                  {`1: entr: unknown: known are enter, places, policy, audit, hook, runs, tab, tool_envelope, registries, max_age, api, sql`},
		"enter.word = 1\n":                                                        {`1: enter.word: is 1: want a word of 2 to 32 letters and digits`},
		"x = 1\nruns.keep = -1\n":                                                 {`1: x: unknown: known are enter, places, policy, audit, hook, runs, tab, tool_envelope, registries, max_age, api, sql`, `2: runs.keep: -1: want a number of runs`},
		"[enter]\nbuild_names = ['[']\n":                                          {`2: enter.build_names: holds "[", which is no pattern`},
		"[enter\n":                                                                {`2: expected`},
		"[tab]\nrecency = 1\nx = 2\n":                                             {`2: tab.recency: want true or false`, `3: tab.x: unknown: known are drafts, recency`},
		"[tab]\nrecency = false\n":                                                nil,
		"registries = ['dir:/srv/packs', 'oci:ghcr.io/acme/packs']\nmax_age = '12h'\n": nil,
		"[registries]\nteam = 'dir:/srv/packs'\nmax_age = '7d'\nuse = ['oci:x/y']\n":   nil,
		"registries = ['http://x']\n":                     {"1: registries: want dir:PATH or oci:HOST/PATH"},
		"[registries]\nteam = 'dir:packs'\nmax_age = 3\n": {"2: registries.team: want dir:PATH", `3: registries.max_age: want a time such as "30d"`},
		"[runs]\nkeep = 'all'\n":                          {`2: runs.keep: all: want a number of runs`},
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
	Enum       []string            `json:"enum"`
}

type property struct {
	Enum    []string `json:"enum"`
	Default any      `json:"default"`
	// Deprecated: of an earlier version.
	Deprecated bool                `json:"deprecated"`
	Properties map[string]property `json:"properties"`
}

// The schema names the fields that are decoded and no others, their values and
// their defaults.
func TestConfigSchema(t *testing.T) {
	var schema schemaOf
	if err := json.Unmarshal(opmap.ConfigSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(schema.Properties)); !slices.Equal(got, []string{"api", "audit", "enter", "hook", "max_age", "places", "policy", "registries", "runs", "sql", "tab", "tool_envelope"}) {
		t.Errorf("sections: %q", got)
	}
	// The keys of an earlier version are in the schema too, and marked.
	var fields []string
	answers := schema.Defs["answer"].Enum
	check := func(key string, f property) {
		if !f.Deprecated {
			fields = append(fields, key)
		}
		parts := strings.Split(key, ".")
		apply := func(value any) (ask.Settings, error) {
			inner := map[string]any{parts[len(parts)-1]: value}
			for _, p := range slices.Backward(parts[:len(parts)-1]) {
				inner = map[string]any{p: inner}
			}
			s := ask.Default()
			for _, f := range s.Apply(inner, false) {
				if !f.Moved {
					return s, f
				}
			}
			return s, nil
		}
		if s, err := apply(f.Default); err != nil || fmt.Sprint(s) != fmt.Sprint(ask.Default()) {
			t.Errorf("%s: its default %v is another: %v", key, f.Default, err)
		}
		enum := f.Enum
		if parts[0] == "policy" {
			enum = answers
		}
		for _, word := range append([]string{"pass", "mark", "ask", "always", "refuse"}, answers...) {
			if _, err := apply(word); enum != nil && (err == nil) != slices.Contains(enum, word) {
				t.Errorf("%s = %q: the schema and the decoder do not agree: %v", key, word, err)
			}
		}
	}
	for _, section := range ask.Sections() {
		for key, f := range schema.Defs[section].Properties {
			if f.Properties == nil {
				check(section+"."+key, f)
			}
			for column, cell := range f.Properties {
				check(section+"."+key+"."+column, cell)
			}
		}
	}
	known := ask.Keys()
	slices.Sort(known)
	if slices.Sort(fields); !slices.Equal(fields, known) {
		t.Errorf("fields %q, want %q", fields, known)
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
	if got := slices.Sorted(maps.Keys(schema.Defs["tab"].Properties)); !slices.Equal(got, []string{"drafts", "recency"}) {
		t.Errorf("fields of tab: %q", got)
	}
	// ReadRetention names what it does not know; what it knows is all there.
	if got := len(schema.Defs["runs"].Properties); got != 3 {
		t.Errorf("%d fields of runs", got)
	}
}
