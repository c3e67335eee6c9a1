package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// No name of the person's stays: not of the home, the directory, the login, the machine.
func TestMask(t *testing.T) {
	variables := map[string]string{"HOME": "/home/ada", "USER": "ada", "LOGNAME": "ada"}
	env := &term.Env{Dir: "/home/ada/work/secret-plan", Getenv: func(name string) string { return variables[name] }}
	m := newMask(env)
	host, _ := os.Hostname()
	for in, want := range map[string]string{
		"/home/ada/.config/tmp/config.toml":  "~/.config/tmp/config.toml",
		"in /home/ada/work/secret-plan/.tmp": "in ~/work/DIRECTORY/.tmp",
		"secret-plan secret-plan":            "DIRECTORY DIRECTORY",
		"/srv/ada/x of ada":                  "/srv/USER/x of USER",
		"adapter, Canada":                    "adapter, Canada",
		"/home/adam":                         "/home/adam",
		"on " + host + ".":                   "on HOST.",
	} {
		if host == "localhost" && strings.HasPrefix(in, "on ") {
			continue
		}
		if got := m.hide(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// Settings are named; what they say, and what a person called something, is not.
func TestSettingsNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	text := "[policy]\nnotes = false\n[places]\nproduction = [\"db.acme.example\"]\n[api.deploy]\nfrom = \"env:ACME\"\n[[agent.server]]\nname = \"acme\"\n[audit]\nall = true\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := settingsNames(file), "agent, api, audit.all, places, policy.notes"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := settingsNames(filepath.Join(t.TempDir(), "none")); got != "" {
		t.Errorf("no file: %q", got)
	}
}

func TestOwnVariables(t *testing.T) {
	got := strings.Join(ownVariables([]string{"TMP_TAB_BIN=/x", "AWS_SECRET_ACCESS_KEY=y", "XDG_DATA_HOME=/z", "XDG_SESSION_ID=4", "NO_COLOR=1", "HOME=/h"}), " ")
	if want := "NO_COLOR TMP_TAB_BIN XDG_DATA_HOME"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
