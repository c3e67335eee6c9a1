package tmp

import "testing"

// TestCompletedBehindTmp: bash's "complete -C tmp tmp" is answered; a program that
// merely inherits COMP_LINE is not.
func TestCompletedBehindTmp(t *testing.T) {
	env, _, _ := testEnv(t, t.TempDir(), "COMP_LINE=tmp resol", "COMP_POINT=9", "COMP_TYPE=9")
	if status, out, errs := tmpRun(t, env, "tmp", "resol", "tmp"); status != 0 || out != "resolve\n" || errs != "" {
		t.Errorf("complete -C: status %d, %q, %q", status, out, errs)
	}
	if _, out, _ := tmpRun(t, env, "version"); out == "resolve\n" || out == "" {
		t.Errorf("tmp version below a completer: %q", out)
	}
	env, _, _ = testEnv(t, t.TempDir())
	if status, out, _ := tmpRun(t, env, "tmp", "resol", "tmp"); status != 2 || out != "" {
		t.Errorf("without COMP_LINE: status %d, %q", status, out)
	}
}
