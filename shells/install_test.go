package shells_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells"
)

// What install.sh puts under a prefix works from there, without PATH, and goes again.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	prefix := filepath.Join(t.TempDir(), "pre fix")
	install := func(args ...string) {
		t.Helper()
		cmd := exec.Command("bash", append([]string{"../scripts/install.sh", "--prefix", prefix}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	install()
	for _, name := range []string{"bash", "zsh", "fish"} {
		text, err := os.ReadFile(filepath.Join(prefix, "share/tmp/hook."+name))
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := shells.Hook(name, shells.Tab|shells.Enter); string(text) != want {
			t.Errorf("hook.%s is not the hook", name)
		}
		load := ". '" + filepath.Join(prefix, "share/tmp/hook."+name) + "'"
		x := start(t, name, setup{noTab: true, before: load, env: []string{"TEST_REAL=1"}})
		x.tab("git swit", "git switch ")
	}
	mine := filepath.Join(prefix, "share/tmp/mine")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	install("--uninstall")
	for _, gone := range []string{"bin/tmp", "bin/tmp-tab", "share/tmp/hook.bash"} {
		if _, err := os.Stat(filepath.Join(prefix, gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("a file that was not installed is gone: %v", err)
	}
}
