package tmp

import (
	"strings"
	"testing"
)

// TestWordsOfAnOpenValue: what the map offers for a value that may be any is no
// bound on it, and the help does not say so; a closed one stays closed.
func TestWordsOfAnOpenValue(t *testing.T) {
	env, _, _ := testEnv(t, t.TempDir(), "HOME="+t.TempDir())
	for _, line := range []string{
		"runs prune --dry-run --older 12h", "runs prune --dry-run --max-size 64KiB",
		"output show 2020-01-01T00-00-00Z-0000", "schema import none.yaml --licence Zlib",
		"benchmark run --tasks . --list of.my.own",
	} {
		if status, _, errs := tmpRun(t, env, strings.Fields(line)...); status == 2 || strings.Contains(errs, "is not one of") {
			t.Errorf("%s: %d, %s", line, status, errs)
		}
	}
	if status, _, _ := tmpRun(t, env, "check", "--shell", "tcsh", "ls"); status != 2 {
		t.Error("a closed value takes any")
	}
	if _, out, _ := tmpRun(t, env, "runs", "prune", "--help"); !strings.Contains(out, "--older <older>") {
		t.Errorf("%s", out)
	}
}
