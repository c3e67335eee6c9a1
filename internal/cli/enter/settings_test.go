package enter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSections: what the program tmp answers is taken over; whatever else
// happens is a problem that names the file, and the defaults hold. The programs
// here are stand-ins; shells tests the real one.
func TestSections(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	for _, tc := range []struct {
		name, script string // "" for no program
		word         any
		problem      string
		line         int
	}{
		{"sections", `[ "$1 $2" = "config --json" ] && echo '{"v":1,"sections":{"enter":{"word":"please"}},"problems":[]}'`, "please", "", 0},
		{"faults beside", `echo '{"v":1,"sections":{"enter":{"word":"please"}},"problems":[{"file":"x","line":3,"message":"runs.keep: -1"}]}'`, "please", "", 0},
		{"no TOML", `echo '{"v":1,"sections":{},"problems":[{"file":"x","line":3,"message":"expected a key"}]}'`, nil, "expected a key", 3},
		{"no program", "", nil, "tmp is not beside tmp-enter", 0},
		{"failing", "exit 3", nil, "exit status 3", 0},
		{"no JSON", "echo hello", nil, "invalid character", 0},
	} {
		w := world{env: &Env{}}
		if tc.script != "" {
			tool := filepath.Join(dir, "tmp-"+strings.ReplaceAll(tc.name, " ", "-"))
			if err := os.WriteFile(tool, []byte("#!/bin/sh\n"+tc.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			w.env.Tool = func() string { return tool }
		}
		all, problems := w.sections(file, "")
		enter, _ := all["enter"].(map[string]any)
		if enter["word"] != tc.word {
			t.Errorf("%s: %v", tc.name, all)
		}
		switch {
		case tc.problem == "" && len(problems) == 0:
		case tc.problem == "" || len(problems) != 1:
			t.Errorf("%s: %v", tc.name, problems)
		case problems[0].File != file || problems[0].Line != tc.line || !strings.Contains(problems[0].Error(), tc.problem):
			t.Errorf("%s: %v, want line %d, %q", tc.name, problems[0], tc.line, tc.problem)
		}
	}
}
