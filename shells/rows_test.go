package shells_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// realShells starts each shell with the real engine and map.
func realShells(t *testing.T, names string, s setup, f func(t *testing.T, x *shell)) {
	for _, name := range strings.Fields(names) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := s
			s.env = append([]string{"TEST_REAL=1"}, s.env...)
			if name == "zsh" {
				s.before = compinit + "\n" + s.before
			}
			if s.cols == 0 {
				s.cols = 100
			}
			f(t, start(t, name, s))
		})
	}
}

// Text right of the cursor decides with what is left of it, or is kept.
func TestRealMidWord(t *testing.T) {
	realShells(t, "bash zsh", setup{}, func(_ *testing.T, x *shell) {
		x.project()
		for _, c := range [][3]string{
			{"git merge rel| bar", "git merge release/1.0| bar", "git merge release/1.0 | bar"},
			{"git checkout rel|xyz", "git checkout rel|xyz", "git checkout rel|xyz"},
			{"git checkout fea|2270", "git checkout feature/nlep-|2270", "git checkout feature/nlep-2270 |"},
			{"find x -e|mp", "find x -empty |", "find x -empty |"},
			{"git log; git checkout rel| && ls", "git log; git checkout release/1.0| && ls", "git log; git checkout release/1.0 | && ls"},
			{"bash -c 'git swit|'", "bash -c 'git switch|'", "bash -c 'git switch'|"},
		} {
			want := c[1]
			if x.name == "zsh" {
				want = c[2]
			}
			x.amid(c[0], want)
		}
	})
}

// A list shows names as they are; what is inserted is quoted. An option with an
// optional value is there twice, one that is given is not there again.
func TestRealRowLists(t *testing.T) {
	realShells(t, "bash zsh fish", setup{rows: 50}, func(t *testing.T, x *shell) {
		x.project()
		twice := "\t\t"
		if x.name != "bash" {
			twice = "\t"
		}
		for _, c := range []struct{ typed, shown, not string }{
			{"make -f ", "some file", `some\ file`},
			{"make -f ", "a>b", `a\>b`},
			{"kubectl apply --dry-run", "--dry-run=", "--dry-run=="},
			{"kubectl --log-dir=", "tilde/", "--log-dir=--log-dir"},
			{"git clone --depth=1 --", "--branch", "--depth "},
			{"mise -C Jm run //:agent:", "//:agent:build:base", `\:`},
			{"just -f Jm/justfile foo::", "baz", "foo::foo"},
			{"git branch -d e", "feature/nlep-2270", "zzz"},
		} {
			x.Keys(c.typed + twice)
			if !x.Try(func(s *shelltest.Screen) bool { return strings.Contains(s.String(), c.shown) }) {
				t.Errorf("%s: never saw %s:\n%s", c.typed, c.shown, x.Screen())
			}
			x.Quiet(50 * time.Millisecond)
			if s := x.Screen(); strings.Contains(s, c.not) {
				t.Errorf("%s: %q is on the screen:\n%s", c.typed, c.not, s)
			}
			if x.name == "fish" {
				x.Keys("\x1b")
				x.Quiet(100 * time.Millisecond)
			}
			x.Keys("\x05\x15\x0c")
			x.Wait("an empty screen", func(s *shelltest.Screen) bool { return s.String() == "$\n" })
		}
	})
}

// A bash whose complete and compopt know fewer options, as those of older
// versions do, loads the hook without a word and completes.
func TestRealOldBash(t *testing.T) {
	const poorer = `
compopt() { case " $* " in *nosort* | *noquote* | *fullquote*) echo "compopt: invalid option name" >&2; return 2 ;; esac; builtin compopt "$@"; }
complete() { case " $* " in *nosort* | *noquote* | *fullquote* | *' -I '*) echo "complete: invalid option" >&2; return 2 ;; esac; builtin complete "$@"; }
`
	ours := strings.NewReplacer("builtin compopt ", "compopt ", "builtin complete ", "complete ").Replace
	realShells(t, "bash", setup{before: poorer, edit: ours}, func(t *testing.T, x *shell) {
		x.project()
		if s := x.Screen(); s != "$\n" {
			t.Errorf("said at the start:\n%s", s)
		}
		x.tab("git checkout rel", "git checkout release/1.0 ")
		x.tab("mv ~/Down/some", `mv ~/Down/some\ file\ with\ spaces.txt `)
		if s := x.Screen(); strings.Contains(s, "invalid") {
			t.Errorf("on the screen:\n%s", s)
		}
	})
}

// With many branches the ones that fit come at once.
func TestRealManyBranches(t *testing.T) {
	realShells(t, "bash zsh fish", setup{}, func(t *testing.T, x *shell) {
		x.project()
		head := x.gitOutput("rev-parse", "HEAD")
		var packed strings.Builder
		packed.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
		for i := range 16_000 {
			fmt.Fprintf(&packed, "%s refs/heads/part/branch-%05d\n", head, i)
		}
		x.write("work/.git/packed-refs", packed.String())
		x.tab("git checkout rel", "git checkout release/1.0 ") // once, to load what the shell loads late
		began := time.Now()
		x.tab("git checkout part/branch-1234", "git checkout part/branch-1234")
		x.tab("git checkout part/branch-12345", "git checkout part/branch-12345 ")
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("two Tabs took %s", took)
		}
	})
}

// Nothing of ours stands between the terminal and a program: a lone Escape is
// read at once, as it was typed.
func TestRealKeysReachPrograms(t *testing.T) {
	realShells(t, "bash zsh fish", setup{enter: false}, func(t *testing.T, x *shell) {
		x.tab("git swit", "git switch ")
		x.write("bin/tui", "#!/bin/sh\nstty raw -echo\nprintf 'ready\\r\\n'\nod -An -tx1 -N1\nprintf '\\r\\n'\nod -An -tx1 -N3\nstty sane\necho over\n")
		x.Keys("sh ~/bin/tui\r")
		x.shows("ready")
		began := time.Now()
		x.Keys("\x1b")
		x.shows("1b")
		if took := time.Since(began); took > time.Second {
			t.Errorf("Escape took %s", took)
		}
		x.Keys("\t[A")
		x.shows("09 5b 41")
		x.shows("over")
		x.Wait("the prompt", func(s *shelltest.Screen) bool { return s.Before() == "$ " })
		x.tab("git swit", "git switch ")
	})
}
