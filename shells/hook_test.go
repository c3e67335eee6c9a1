package shells_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells"
)

// The hooks are read without an error by their shells and by shellcheck.
func TestHooksParse(t *testing.T) {
	for _, c := range []struct {
		shell string
		args  []string
	}{
		{"bash", []string{"bash", "-n"}},
		{"bash", []string{"shellcheck", "-"}},
		{"zsh", []string{"zsh", "-n"}},
		{"fish", []string{"fish", "-n"}},
	} {
		if _, err := exec.LookPath(c.args[0]); err != nil {
			continue
		}
		text, err := shells.Hook(c.shell, shells.Tab|shells.Enter)
		if err != nil {
			t.Fatal(err)
		}
		if c.shell == "zsh" || c.args[0] == "shellcheck" { // in quotes there, and without comments
			text = ""
			files := []string{"begin.zsh", "hook.zsh", "enter.zsh", "end.zsh"}
			if c.shell == "bash" {
				files = []string{"begin.bash", "hook.bash", "enter.bash", "tmp.bash", "end.bash"}
			}
			for _, file := range files {
				part, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				text += string(part)
			}
		}
		cmd := exec.Command(c.args[0], c.args[1:]...)
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v: %v\n%s", c.args, err, out)
		}
	}
	if _, err := shells.Hook("ksh", shells.Tab); err == nil {
		t.Error("ksh has a hook")
	}
}

// In a shell that is not interactive, or too old, a hook changes nothing.
func TestHooksStayOut(t *testing.T) {
	for _, c := range []struct{ shell, script, want string }{
		{"bash", `. $HOOK; complete -p; echo "${_tmp_tab_loaded-no}"`, "no\n"},
		{"zsh", `. $HOOK; print ${_tmp_tab_loaded-no}`, "no\n"},
		{"fish", `source $HOOK; set -q __tmp_tab_loaded; or echo no`, "no\n"},
	} {
		path, err := exec.LookPath(c.shell)
		if err != nil {
			continue
		}
		text, err := shells.Hook(c.shell, shells.Tab|shells.Enter)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "hook")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(path, "-c", c.script)
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOOK=" + file} // no HOME, no TERM
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != c.want {
			t.Errorf("%s: %v\n%s", c.shell, err, out)
		}
	}
}
