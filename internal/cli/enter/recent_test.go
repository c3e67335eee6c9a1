package enter

import (
	"os"
	"path/filepath"
	"testing"
)

// What runs is noted, what stays in the editor is not, nor what an agent runs
// or what the settings forbid; then the file goes.
func TestRecency(t *testing.T) {
	state, config := t.TempDir(), t.TempDir()
	file := filepath.Join(state, "recent")
	size := func() int64 {
		st, err := os.Stat(file)
		if err != nil {
			return 0
		}
		if st.Mode().Perm() != 0o600 {
			t.Errorf("mode %v", st.Mode())
		}
		return st.Size()
	}
	env := map[string]string{"TMP_STATE_DIR": state, "TMP_CONFIG_DIR": config, "HOME": t.TempDir()}
	run := func(line string, want int) {
		t.Helper()
		if status, _, stderr := press(t, "bash", line+"\x00", "", "", env); status != want || want == StatusRun && stderr != "" {
			t.Fatalf("%s: status %d, %s", line, status, stderr)
		}
	}
	run(" git status", StatusRun)
	if size() != 0 {
		t.Error("a line that begins with a blank is noted")
	}
	run("rm -rf src", StatusKeep)
	if size() != 0 {
		t.Error("a refused line is noted")
	}
	env["TMP_AGENT_ID"] = "a"
	run("git status", StatusRun)
	if size() != 0 {
		t.Error("an agent's line is noted")
	}
	delete(env, "TMP_AGENT_ID")
	run("git status", StatusRun)
	if size() == 0 {
		t.Fatal("nothing is noted")
	}
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte("[tab]\nrecency = false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run("git status", StatusRun)
	if size() != 0 {
		t.Error("turned off, the file stays")
	}
}
