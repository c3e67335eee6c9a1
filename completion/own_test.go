package completion

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// offered completes a line in dir with the core map.
func offered(t *testing.T, dir, line string) []string {
	t.Helper()
	e := coreEngine()
	e.Installed = func(name string) bool { return name == "git" }
	a := e.Complete(context.Background(), Request{Line: line, Point: len(line), Dir: dir, Getenv: func(string) string { return "" }})
	if a.State != resolvers.Fresh {
		t.Errorf("%q: %s: %s", line, a.State, a.Message)
	}
	var values []string
	for _, c := range a.Candidates {
		values = append(values, c.Value)
	}
	return values
}

func TestOwnOperations(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "Cargo.toml", "[package]\nname = \"x\"\n")
	if got := offered(t, dir, "tmp explain cargo.te"); !slices.Contains(got, "cargo.test") {
		t.Errorf("operations: %q", got)
	}
	// What needs a file that is here comes before what needs one that is not.
	all := offered(t, dir, "tmp explain ")
	if len(all) < 20 || !strings.HasPrefix(all[0], "cargo.") {
		t.Errorf("first of %d: %q", len(all), all[:min(len(all), 3)])
	}
}

func TestOwnIntents(t *testing.T) {
	dir := t.TempDir()
	if got := offered(t, dir, "tmp resolve show changes to be com"); len(got) > 0 {
		t.Errorf("no operation applies here, yet %q", got)
	}
	write(t, dir, "Cargo.toml", "[package]\nname = \"x\"\n")
	for line, want := range map[string]string{
		"tmp resolve run ben":    "benchmarks",
		"tmp run --json run ben": "benchmarks",
		"tmp resolve Run te":     "tests", // as resolve reads it, in either case
	} {
		if got := offered(t, dir, line); !slices.Contains(got, want) {
			t.Errorf("%s: %q lack %s", line, got, want)
		}
	}
	for _, got := range offered(t, dir, "tmp resolve run ") {
		if strings.ContainsAny(got, "<>") {
			t.Errorf("a place for a value is offered: %s", got)
		}
	}
}

func TestOwnCommands(t *testing.T) {
	dir := t.TempDir()
	for line, want := range map[string][]string{
		"tmp help out":               {"output"},
		"tmp help output ":           {"show"},
		"tmp man schema sha":         {"share"},
		"tmp db explain git reb":     {"rebase"},
		"tmp db lookup git stash po": {"pop"},
	} {
		if got := offered(t, dir, line); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if got := offered(t, dir, "tmp db explain g"); len(got) < 5 || got[0] != "git" {
		t.Errorf("the installed tool does not come first: %q", got)
	}
	if got := offered(t, dir, "tmp db explain no-such-tool "); len(got) > 0 {
		t.Errorf("below an unknown tool: %q", got)
	}
	if got := offered(t, dir, "tmp schema show carg"); !slices.Contains(got, "cargo") {
		t.Errorf("maps: %q", got)
	}
}
