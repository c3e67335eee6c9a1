package shells_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells"
)

// What install.sh puts under a prefix works from there, without PATH, and goes again.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	prefix, home := filepath.Join(t.TempDir(), "pre fix"), t.TempDir()
	env := append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME=", "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=")
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // else in the new home
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(out)))
	}
	install := func(args ...string) {
		t.Helper()
		cmd := exec.Command("bash", append([]string{"../scripts/install.sh", "--prefix", prefix}, args...)...)
		cmd.Env = env
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
	// What one user has of it: made by tmp, or their own.
	made := []string{".cache/tmp/resolvers/x", ".cache/tmp/projects/1.tcpdb", ".local/share/tmp/user.tcpdb", ".local/share/tmp/system.tcpdb"}
	own := []string{".config/tmp/risk.toml", ".config/tmp/schemas/x.json", ".local/state/tmp/audit.jsonl", ".local/share/tmp/drafts/ls.json"}
	other := []string{".cache/other/x", ".config/tmp/notes", ".local/share/other"}
	for _, file := range slices.Concat(made, own, other) {
		file = filepath.Join(home, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stay := func(want bool, files []string) {
		t.Helper()
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(home, file)); (err == nil) != want {
				t.Errorf("%s: there is %v, want %v", file, err == nil, want)
			}
		}
	}
	install("--uninstall")
	stay(false, made)
	stay(true, own)
	install("--uninstall", "--purge")
	stay(false, own)
	stay(false, []string{".local/state/tmp", ".cache/tmp", ".local/share/tmp"})
	stay(true, other)
	for _, gone := range []string{"bin/tmp", "bin/tmp-tab", "share/tmp/hook.bash"} {
		if _, err := os.Stat(filepath.Join(prefix, gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("a file that was not installed is gone: %v", err)
	}
}
