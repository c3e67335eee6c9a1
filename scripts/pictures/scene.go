package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// scene is one picture: what is typed into which shell, and what must be seen.
type scene struct {
	name, shell string
	title       string // shown over the picture
	takes       [][]step
}

// Size of the terminal. A picture ends where its text does.
const rows, cols = 14, 92

// step types keys and waits until the screen holds a text, or, where that is the
// prompt, until it is all that stands before the cursor.
type step struct{ keys, until string }

const prompt = "$ "

func (st step) done(s *shelltest.Screen) bool {
	if st.until == prompt {
		return s.Before() == prompt
	}
	return strings.Contains(s.String(), st.until)
}

// scenes are the pictures. Each take is a new shell; their screens stand below
// each other.
var scenes = []scene{
	{
		name: "tab", shell: "zsh", title: "zsh · Tab after each line",
		takes: [][]step{
			{{"git checkout \t", "notes.go"}},
			{{"git reset --h\t", "changes are lost"}},
		},
	},
	{
		name: "enter", shell: "bash", title: "bash · Enter, then n",
		takes: [][]step{{
			{"git status --short\r", "notes.go"},
			{"", prompt},
			{"git reset --hard\r", "anything else keeps it:"},
			{"n\r", "\n$ git reset --hard"},
		}},
	},
	{
		name: "resolve", shell: "bash", title: "bash · tmp resolve",
		takes: [][]step{{
			{"tmp resolve \"run parser tests\"\r", "go.test"},
			{"", prompt},
			{"tmp resolve \"delete the release\"\r", "not_mapped"},
			{"", prompt},
		}},
	},
}

// stage is a throwaway home and project, and the programs.
type stage struct{ home, project, bin string }

// setUp builds the programs of the module at root and makes a home and a project
// below a new directory, which close removes.
func setUp(root string) (*stage, error) {
	dir, err := os.MkdirTemp("", "tmp-pictures")
	if err != nil {
		return nil, err
	}
	s := &stage{home: dir, project: filepath.Join(dir, "notes"), bin: filepath.Join(dir, "bin")}
	if err := s.fill(root); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *stage) close() { _ = os.RemoveAll(s.home) }

func (s *stage) fill(root string) error {
	build := exec.Command("go", "build", "-o", s.bin+"/", "./cmd/tmp", "./cmd/tmp-tab", "./cmd/tmp-enter")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	for name, text := range map[string]string{
		"go.mod":                "module example.com/notes\n\ngo 1.24\n",
		"notes.go":              "package notes\n",
		"parser/parser_test.go": "package parser\n\nimport \"testing\"\n\nfunc TestParser(*testing.T) {}\n",
	} {
		if err := write(filepath.Join(s.project, name), text); err != nil {
			return err
		}
	}
	for _, g := range []struct {
		days int // ago
		args []string
	}{
		{5, []string{"init", "-q", "-b", "main"}},
		{5, []string{"add", "-A"}},
		{5, []string{"commit", "-q", "-m", "First notes"}},
		{4, []string{"checkout", "-q", "-b", "feature/login"}},
		{3, []string{"checkout", "-q", "-b", "feature/search"}},
		{2, []string{"checkout", "-q", "-b", "feature/parser"}},
		{1, []string{"checkout", "-q", "main"}},
	} {
		git := exec.Command("git", g.args...)
		// Midway between two days, so that no picture changes while it is drawn.
		then := time.Now().Add(-time.Duration(g.days*24+12) * time.Hour).Format(time.RFC3339)
		git.Dir, git.Env = s.project, append(s.env(), "GIT_AUTHOR_DATE="+then, "GIT_COMMITTER_DATE="+then)
		if out, err := git.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", strings.Join(g.args, " "), err, out)
		}
	}
	if err := write(filepath.Join(s.project, "notes.go"), "package notes\n\n// Not committed yet.\n"); err != nil {
		return err
	}
	// tmp resolve looks whether go is installed, and does not run it.
	if err := os.WriteFile(filepath.Join(s.bin, "go"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		return err
	}
	return s.giveAway()
}

// actor is who types where the pictures are drawn by root, whom Enter warns more.
const actor = 65534

// giveAway makes the stage the actor's.
func (s *stage) giveAway() error {
	if os.Getuid() != 0 {
		return nil
	}
	return filepath.WalkDir(s.home, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, actor, actor)
	})
}

func write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o600)
}

// env is the whole environment of what runs on the stage.
func (s *stage) env() []string {
	return []string{
		"HOME=" + s.home, "ZDOTDIR=" + s.home, "PATH=" + s.bin + ":/usr/bin:/bin", "TERM=xterm-256color", "LC_ALL=C.UTF-8",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com",
	}
}

// play acts a scene and returns the rows of the screens.
func (s *stage) play(t shelltest.TB, sc scene) [][]shelltest.Cell {
	t.Helper()
	args := []string{sc.shell, "-d"}
	rc, text := ".zshrc", "autoload -U compinit && compinit -u -D\nPS1='$ '\neval \"$(tmp hook zsh)\"\n"
	if sc.shell == "bash" {
		args = []string{"bash", "--noprofile", "--rcfile", filepath.Join(s.home, ".bashrc")}
		rc, text = ".bashrc", "PS1='$ '\neval \"$(tmp hook bash)\"\n"
	}
	if err := write(filepath.Join(s.home, rc), text); err != nil {
		t.Fatalf("%v", err)
	}
	if err := s.giveAway(); err != nil {
		t.Fatalf("%v", err)
	}
	if os.Getuid() == 0 {
		id := strconv.Itoa(actor)
		args = append([]string{"setpriv", "--reuid", id, "--regid", id, "--clear-groups"}, args...)
	}
	var all [][]shelltest.Cell
	for i, take := range sc.takes {
		if i > 0 {
			all = append(all, nil)
		}
		all = append(all, s.take(t, args, take)...)
	}
	return all
}

// take types into a new shell and returns its screen without the empty rows at
// the end, the cursor in reverse.
func (s *stage) take(t shelltest.TB, args []string, steps []step) [][]shelltest.Cell {
	t.Helper()
	x := shelltest.Start(t, shelltest.Options{
		Args: args, Env: s.env(), Dir: s.project, Rows: rows, Cols: cols, Patience: 30 * time.Second,
	})
	x.Wait("the prompt", step{until: prompt}.done)
	for _, st := range steps {
		x.Keys(st.keys)
		x.Wait(st.until, st.done)
		x.Quiet(400 * time.Millisecond)
	}
	var screen [][]shelltest.Cell
	x.See(func(scr *shelltest.Screen) {
		for n := range rows {
			screen = append(screen, scr.Cells(n))
		}
		r, c := scr.Cursor()
		screen[r][c].Style.Reverse = true
	})
	written := func(c shelltest.Cell) bool { return c != shelltest.Cell{Rune: ' '} }
	for len(screen) > 0 && !slices.ContainsFunc(screen[len(screen)-1], written) {
		screen = screen[:len(screen)-1]
	}
	return screen
}
