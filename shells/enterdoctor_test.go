package shells_test

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// doctor types tmp doctor, and returns what it says.
func (x *shell) doctor() string {
	x.t.Helper()
	x.prompt()
	before := len(x.Raw())
	x.Keys("tmp doctor\r")
	x.Wait("all that doctor says", func(s *shelltest.Screen) bool {
		return strings.Contains(s.String(), "\naround ") && s.Before() == "$ "
	})
	return x.Raw()[before:]
}

func TestRealDoctor(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a dozen shells")
	}
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{hookArgs: " --no-tab", rows: 60, cols: 200})
		says := func(what string, texts ...string) {
			t.Helper()
			got := x.doctor()
			for _, text := range texts {
				if text, no := strings.CutPrefix(text, "!"); strings.Contains(got, text) == no {
					t.Errorf("%s: %q is there: %v\n%s", what, text, no, got)
				}
			}
		}
		on := "ok       Enter is judged in this " + name
		says("hooked", on, "ok       Enter is judged in a new "+name, "tmp-enter judges", "Tab is left to "+name, "!not loaded", "!does not load the hook\r\n           eval", "!setting")
		x.runs("tmp pause 5", map[string]string{"bash": "", "zsh": "5 minutes", "fish": "5 minutes"}[name])
		says("paused", "note     Enter is not judged in this "+name+" until ", "tmp resume", "!"+on)
		x.runs("tmp resume", "tmp: Enter is judged in this shell")
		x.write(".config/tmp/config.toml", "[enter]\n\nword = 3\n[entre]\n[runs]\nkeep = -1\n")
		says("a wrong configuration", on, "config.toml:3: enter.word: is 3", "config.toml:4: entre: ", "config.toml:6: runs.keep: -1")
		x.Keys(map[string]string{"bash": `bind '"\C-m": accept-line'`, "zsh": "bindkey '^M' .accept-line", "fish": `bind \r execute`}[name] + "\r")
		says("Enter taken", "problem  Enter is not judged in this "+name+": it is bound to something else", "ok       Enter is judged in a new "+name, "!"+on)
	})
}
