package tmp

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// terminal is a terminal with a person who types the answer.
type terminal struct {
	io.Reader
	asked strings.Builder
}

func (t *terminal) Write(p []byte) (int, error) { return t.asked.Write(p) }
func (t *terminal) Close() error                { return nil }

// TestReviewLetsOperationsRun: trust alone completes; a person's review at the
// terminal makes the operation one that resolves; "no" changes nothing.
func TestReviewLetsOperationsRun(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, "proj")
	if err := os.MkdirAll(filepath.Join(dir, ".tmp", "schemas"), 0o755); err != nil {
		t.Fatal(err)
	}
	record := `{"id": "kit.greet", "surface": "cli", "intent": ["greet the reviewer"], "template": "echo hello",
		"effect": "read-only", "risk": "low"}`
	if err := os.WriteFile(filepath.Join(dir, ".tmp", "schemas", "t.json"), []byte(record), 0o644); err != nil {
		t.Fatal(err)
	}
	env, _, _ := testEnv(t, dir, "HOME="+home, "PATH="+os.Getenv("PATH"))
	env.IsTerminal = func(int) bool { return true }
	answer := func(text string) *terminal {
		tty := &terminal{Reader: strings.NewReader(text)}
		env.OpenTTY = func() (io.ReadWriteCloser, error) { return tty, nil }
		return tty
	}
	resolves := func() bool {
		status, out, _ := tmpRun(t, env, "resolve", "--json", "greet the reviewer")
		return status == 0 && strings.Contains(out, `"kit.greet"`)
	}
	if status, _, errs := tmpRun(t, env, "trust"); status != 0 {
		t.Fatalf("trust: %d, %s", status, errs)
	}
	if resolves() {
		t.Error("an operation that nobody reviewed resolves")
	}
	answer("n\n")
	if status, _, errs := tmpRun(t, env, "trust", "--review"); status != 1 || !strings.Contains(errs, "not reviewed") || resolves() {
		t.Errorf("after a no: status %d, %q", status, errs)
	}
	tty := answer("y\n")
	status, out, errs := tmpRun(t, env, "trust", "--review", "--json")
	if status != 0 || !strings.Contains(out, `"reviewed": 1`) {
		t.Fatalf("trust --review: %d, %s%s", status, out, errs)
	}
	if !strings.Contains(tty.asked.String(), "read this operation, and may tmp run it?") || !strings.Contains(errs, "echo hello") {
		t.Errorf("asked %q after showing %q", tty.asked.String(), errs)
	}
	if !resolves() {
		t.Error("a reviewed operation does not resolve")
	}
	if err := os.WriteFile(filepath.Join(dir, ".tmp", "schemas", "t.json"), []byte(strings.Replace(record, "hello", "bye", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := tmpRun(t, env, "trust"); status != 0 || resolves() {
		t.Error("the review of other content counts")
	}
}

// TestTrustShowsTheLevelThatRuns: what a map says too low of an operation is not
// what the person who decides on it is shown. The program is one that nobody
// rates, which is MEDIUM_RISK; the workflow is at the highest of its steps.
func TestTrustShowsTheLevelThatRuns(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".tmp", "schemas"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, record := range map[string]string{
		"a.json": `{"id": "kit.sweep", "surface": "cli", "intent": ["sweep the floor"], "template": "rm -rf floor", "effect": "read-only", "risk": "safe"}`,
		"b.json": `{"id": "kit.own", "surface": "cli", "intent": ["play the fiddle"], "template": "./fiddle", "effect": "read-only", "risk": "safe"}`,
		"c.json": `{"id": "kit.all", "surface": "workflow", "intent": ["sweep and play"], "steps": ["kit.own", "kit.sweep"], "effect": "read-only", "risk": "safe"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, ".tmp", "schemas", name), []byte(record), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env, _, _ := testEnv(t, dir, "HOME="+t.TempDir(), "PATH="+os.Getenv("PATH"))
	env.IsTerminal = func(int) bool { return true }
	status, out, errs := tmpRun(t, env, "trust")
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	for id, level := range map[string]string{"kit.sweep": "CRITICAL", "kit.own": "MEDIUM_RISK", "kit.all": "CRITICAL"} {
		found := false
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "  "+id+" ") {
				found = strings.Contains(line, level)
			}
		}
		if !found {
			t.Errorf("%s is not shown as %s:\n%s", id, level, out)
		}
	}
}
