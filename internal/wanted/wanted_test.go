package wanted

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/place"
)

// world is a home with a program in ~/.local/bin.
type world struct {
	t    *testing.T
	home string
	tab  Tab
}

func newWorld(t *testing.T) *world {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: home}
	env := map[string]string{"HOME": home, "PATH": w.path(".local/bin")}
	w.tab = Tab{Dir: home, Getenv: func(name string) string { return env[name] }}
	w.tab.Paths = place.Find(w.tab.Getenv)
	w.program(".local/bin/frob")
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.home, name) }

func (w *world) write(name, text string, mode os.FileMode) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), mode); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) program(name string) { w.write(name, "#!/bin/sh\n", 0o755) }

// note writes what a draft leaves, as old as it is said to be.
func (w *world) note(age time.Duration) {
	w.t.Helper()
	name, err := filepath.Rel(w.home, Note(w.tab.Paths, "frob"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(name, "{}", 0o644)
	then := time.Now().Add(-age)
	if err := os.Chtimes(w.path(name), then, then); err != nil {
		w.t.Fatal(err)
	}
}

func TestWhichDraftsAreWanted(t *testing.T) {
	env := func(w *world, key, value string) {
		was := w.tab.Getenv
		w.tab.Getenv = func(name string) string {
			if name == key {
				return value
			}
			return was(name)
		}
		w.tab.Paths = place.Find(w.tab.Getenv)
	}
	for _, c := range []struct {
		name    string
		tool    string
		drafted bool
		prepare func(w *world)
		want    bool
	}{
		{"a program of the user's", "frob", false, nil, true},
		{"one that is not installed", "nosuch", false, nil, false},
		{"a path", "./frob", false, nil, false},
		{"an absolute path", "/usr/bin/env", false, nil, false},
		{"an option", "-x", false, nil, false},
		{"it was drafted, or nothing was found", "frob", false, func(w *world) { w.note(-time.Second) }, false},
		{"its draft holds", "frob", true, func(w *world) { w.note(-time.Second) }, false},
		{"the program is newer than its draft", "frob", true, func(w *world) { w.note(time.Hour) }, true},
		{"the program is newer than that nothing was found", "frob", false, func(w *world) { w.note(time.Hour) }, true},
		{"its draft is an administrator's", "frob", true, nil, false},
		{"somebody is at it", "frob", false, func(w *world) { Claim(w.tab.Paths, "frob") }, false},
		{"somebody was at it and was killed", "frob", false, func(w *world) {
			Claim(w.tab.Paths, "frob")
			then := time.Now().Add(-2 * claimed)
			os.Chtimes(claim(w.tab.Paths, "frob"), then, then)
		}, true},
		{"no home", "frob", false, func(w *world) { env(w, "HOME", "") }, false},
		{"switched off", "frob", false, func(w *world) { w.write(".config/tmp/config.toml", "[tab]\ndrafts = false\n", 0o600) }, false},
		{"a project's program", "frob", false, func(w *world) {
			w.write("src/p/.git/HEAD", "", 0o644)
			w.program("src/p/bin/frob")
			env(w, "PATH", w.path("src/p/bin"))
		}, false},
		{"a program that a project brings", "frob", false, func(w *world) {
			w.program("src/p/node_modules/.bin/frob")
			env(w, "PATH", w.path("src/p/node_modules/.bin"))
		}, false},
		{"a program below the working directory", "frob", false, func(w *world) {
			w.program("here/bin/frob")
			env(w, "PATH", w.path("here/bin"))
			w.tab.Dir = w.path("here")
		}, false},
		{"a link into the working directory", "frob", false, func(w *world) {
			w.program("here/frob")
			os.Remove(w.path(".local/bin/frob"))
			os.Symlink(w.path("here/frob"), w.path(".local/bin/frob"))
			w.tab.Dir = w.path("here")
		}, false},
		{"a checkout of tools", "frob", false, func(w *world) {
			w.write(".frobenv/.git/HEAD", "", 0o644)
			w.program(".frobenv/bin/frob")
			env(w, "PATH", w.path(".frobenv/bin"))
		}, true},
		{"a directory that is not absolute", "frob", false, func(w *world) { env(w, "PATH", "bin:.") }, false},
		{"a directory that everybody writes", "frob", false, func(w *world) { os.Chmod(w.path(".local/bin"), 0o777) }, false},
		{"a program that everybody writes", "frob", false, func(w *world) { os.Chmod(w.path(".local/bin/frob"), 0o777) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			if c.prepare != nil {
				c.prepare(w)
			}
			if got := w.tab.Wants(c.tool, c.drafted); got != c.want {
				t.Errorf("wanted: %v, want %v", got, c.want)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	for text, want := range map[string]bool{
		"":                               true,
		"[tab]\ndrafts = true\n":         true,
		"[tab]\ndrafts = false # no\n":   false,
		"[tab]\n\"drafts\" = false\n":    false,
		"tab.drafts = false\n":           false,
		"[tab]\n# drafts = false\n":      true,
		"[tab]\nrecency = false\n":       true,
		"[runs]\ndrafts = false\n":       true,
		"[tab]\ndrafts = nonsense\n":     false,
		"[ tab ]\n  drafts=false\n[x]\n": false,
	} {
		w := newWorld(t)
		w.write(".config/tmp/config.toml", text, 0o600)
		if got := Allowed(w.tab.Paths); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// One of many Tabs at the same time drafts.
func TestOneClaims(t *testing.T) {
	w := newWorld(t)
	got := make(chan bool)
	for range 20 {
		go func() { got <- Claim(w.tab.Paths, "frob") }()
	}
	n := 0
	for range 20 {
		if <-got {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d have the claim, want 1", n)
	}
	Release(w.tab.Paths, "frob")
	if !Claim(w.tab.Paths, "frob") {
		t.Error("a claim that was given back cannot be had")
	}
}

func TestProgramsOfPath(t *testing.T) {
	w := newWorld(t)
	w.program("open/evil")
	if err := os.Chmod(w.path("open"), 0o777); err != nil {
		t.Fatal(err)
	}
	path := w.path(".local/bin") + ":" + w.path("open") + ":relative"
	if got := strings.Join(Programs(w.tab.Paths, path), " "); got != "frob" {
		t.Errorf("programs: %q, want frob", got)
	}
	w.write(".config/tmp/config.toml", "[tab]\ndrafts = false\n", 0o600)
	if got := Programs(w.tab.Paths, path); got != nil {
		t.Errorf("programs where drafts are off: %q", got)
	}
}
