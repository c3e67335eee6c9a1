package tmp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestWorkflowFullDisk: where the journal cannot be kept nothing goes on, and
// it is said.
func TestWorkflowFullDisk(t *testing.T) {
	state := t.TempDir()
	if err := unix.Mount("tmpfs", state, "tmpfs", 0, "size=32k"); err != nil {
		t.Skip("cannot mount a small disk here")
	}
	defer func() { _ = unix.Unmount(state, unix.MNT_DETACH) }()
	env := mapped(t, flowMap)
	tmp := flowDir(t, env)
	if err := os.WriteFile(filepath.Join(env.Dir, "first"), []byte("head -c 100000 /dev/zero; exit 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := tmp("workflow", "run", "test.flow")
	cmd.Env = append(cmd.Env, "TMP_STATE_DIR="+state)
	out, err := cmd.CombinedOutput()
	if err == nil || strings.Contains(string(out), "test-slow: done") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(env.Dir, "pid")); err == nil {
		t.Error("the second step ran though the first could not keep its output")
	}
}
