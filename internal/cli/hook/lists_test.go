package hook

import (
	"os"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/hook"
)

// read returns the lines of a list; \n stands for a line break.
func readList(t *testing.T, name string) (lines []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(data)) {
		lines = append(lines, strings.ReplaceAll(strings.TrimSuffix(l, "\n"), `\n`, "\n"))
	}
	return lines
}

// stopped are the lines of a list that an agent would be stopped at.
func (w *workplace) stopped(list []string) (stopped []string) {
	claude, _ := hook.Find("claude")
	for _, line := range list {
		if v, reason := w.hand(w.event("claude", line), "claude").verdict(w.t, claude); v == "ask" || v == "deny" {
			stopped = append(stopped, v+" "+line+"\n\t"+reason)
		}
	}
	return stopped
}

// Of a thousand lines of the kinds that agents type, which lose nothing here, two
// in a hundred may be stopped.
func TestDay(t *testing.T) {
	w := newPlace(t)
	list := readList(t, "day.txt")
	got := w.stopped(list)
	t.Logf("%d of %d", len(got), len(list))
	if len(list) < 1000 || len(got)*50 > len(list) {
		t.Errorf("%d of %d are stopped:\n%s", len(got), len(list), strings.Join(got, "\n"))
	} else if testing.Verbose() {
		t.Log(strings.Join(got, "\n"))
	}
}

// Data that looks like danger is data.
func TestData(t *testing.T) {
	w := newPlace(t)
	list := readList(t, "data.txt")
	if got := w.stopped(list); len(list) < 60 || len(got) > 0 {
		t.Errorf("%d of %d are stopped:\n%s", len(got), len(list), strings.Join(got, "\n"))
	}
}

// What peers stop for a reason is stopped: lines of their kinds, in a place where
// each would lose something.
func TestDanger(t *testing.T) {
	w := newPlace(t)
	w.write(w.repo+"/changed.go", "package main\n", 0o644)
	w.git("add", "changed.go")
	w.git("commit", "-q", "-m", "second")
	w.git("checkout", "-q", "-b", "unmerged")
	w.write(w.repo+"/only.go", "package main\n", 0o644)
	w.git("add", "only.go")
	w.git("commit", "-q", "-m", "third")
	w.git("checkout", "-q", "-")
	w.write(w.repo+"/changed.go", "package changed\n", 0o644)
	w.git("stash", "-q")
	w.write(w.repo+"/changed.go", "package changed\n", 0o644)
	w.write(w.repo+"/dev.db", "x", 0o644)
	w.write(w.repo+"/k8s/a.yaml", "x", 0o644)
	list := readList(t, "danger.txt")
	stopped := map[string]bool{}
	for _, line := range list {
		if len(w.stopped([]string{line})) > 0 {
			stopped[line] = true
		}
	}
	for _, line := range list {
		if !stopped[line] {
			t.Errorf("passes: %s", line)
		}
	}
	t.Logf("%d of %d", len(stopped), len(list))
}
