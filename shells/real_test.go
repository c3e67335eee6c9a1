package shells_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// project makes the shell's directory a git repository with awkward branches
// and files, and the home one with awkward names.
func (x *shell) project() {
	x.t.Helper()
	x.git("init", "-q", "-b", "trunk")
	x.git("commit", "-q", "--allow-empty", "-m", "first")
	for _, branch := range []string{"feature/nlep-2270", "release/1.0", "fix/a'b", "cmd/$(touch${IFS}pwned)", "tick/`touch`", "semi;colon", "bang!x", "cost/$5", "-rf", "umlaut/ä"} {
		x.git("update-ref", "refs/heads/"+branch, "HEAD")
	}
	for _, f := range []string{
		"work/some file", "work/foo$", "work/[x] y", "work/a>b", "work/--", "work/~", "work/new\nline", "work/quote\"d",
		"Down/some file with spaces.txt", "Down/with space/inner", "bug/[Hello] World.txt",
	} {
		x.write(f, "x\n")
	}
	for _, tool := range []string{"just", "mise"} { // fish asks nothing for what is not there
		x.write("bin/"+tool, "#!/bin/sh\n")
		if err := os.Chmod(filepath.Join(x.home, "bin", tool), 0o755); err != nil {
			x.t.Fatal(err)
		}
	}
	x.write("work/Jm/justfile", "mod foo\nbuild:\n\ttrue\n")
	x.write("work/Jm/foo.just", "bar:\n\ttrue\nbaz:\n\ttrue\nquit:\n\ttrue\n")
	x.write("work/Jm/mise.toml", "[tasks]\nlint = 'x'\n'//:agent:build:base' = 'x'\n'//:agent:personas' = 'x'\n")
	x.write("work/Jm/package.json", `{"scripts": {"css:build": "x", "css:watch": "x", "test": "x"}}`)
	x.write("work/tilde/package.json", `{"scripts": {"~": "x"}}`)
}

func (x *shell) git(args ...string) { x.gitOutput(args...) }

// gitOutput runs git and returns what it prints, without the newline at the end.
func (x *shell) gitOutput(args ...string) string {
	x.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = x.dir
	cmd.Env = []string{
		"HOME=" + x.home, "PATH=/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com",
		"GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com",
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		x.t.Fatalf("git %v: %v\n%s", args, err, out)
	} else {
		return strings.TrimSpace(string(out))
	}
	return ""
}

// real are keys and the lines they make with the real engine and map; the
// number is a row of testdata/cases/completion.tsv.
var real = []struct {
	row, shells, typed, want string
}{
	{"", "bash zsh fish", "git swit", "git switch "},
	{"", "bash zsh fish", "git checkout rel", "git checkout release/1.0 "},
	{"", "bash zsh fish", "sudo git checkout rel", "sudo git checkout release/1.0 "},
	{"", "bash zsh fish", "git commit --no-edi", "git commit --no-edit "},
	{"", "bash zsh", "git checkout fix/", `git checkout fix/a\'b `},
	{"", "fish", "git checkout fix/", `git checkout fix/a\'b `},
	{"", "bash zsh", "git checkout cmd/", `git checkout cmd/\$\(touch\${IFS}pwned\) `},
	{"", "bash zsh", "git checkout 'cmd/", `git checkout 'cmd/$(touch${IFS}pwned)' `},
	{"", "bash zsh", "git checkout tick", "git checkout tick/\\`touch\\` "},
	{"", "bash zsh fish", "git checkout semi", `git checkout semi\;colon `},
	{"1", "bash zsh fish", "make -f ~/Down/some", `make -f ~/Down/some\ file\ with\ spaces.txt `},
	{"1", "bash zsh fish", "mv ~/Down/some", `mv ~/Down/some\ file\ with\ spaces.txt `},
	{"1", "bash zsh fish", "cp x ~/Down/some", `cp x ~/Down/some\ file\ with\ spaces.txt `},
	{"3", "bash", `make -f ~"/Down/with sp`, `make -f ~"/Down/with space/`}, // the open quote goes on, without a second ~
	{"3", "bash", `mv ~"/Down/with space`, `mv ~"/Down/with space/`},
	{"3", "bash", `cp ~'/Down/with sp`, `cp ~'/Down/with space/`},
	{"3", "bash", `mv "$HOME/Down/with sp`, `mv "$HOME/Down/with space/`}, // zsh expands it first
	{"3", "bash", `mv $HOME"/Down/with sp`, `mv $HOME"/Down/with space/`},
	{"5", "bash zsh fish", "git log 2>som", `git log 2>some\ file `},
	{"5", "bash zsh fish", "git log <som", `git log <some\ file `},
	{"5", "bash zsh fish", "echo test 2>som", `echo test 2>some\ file `},
	{"5", "bash zsh fish", "echo test <som", `echo test <some\ file `},
	{"5", "bash zsh fish", "git checkout 2>x rel", "git checkout 2>x release/1.0 "},
	{"5", "bash zsh fish", "git log >>som", `git log >>some\ file `},
	{"5", "bash zsh fish", "git commit <x --no-edi", "git commit <x --no-edit "},
	{"9", "bash zsh fish", "make -f some", `make -f some\ file `},
	{"9", "bash zsh fish", "make -f a", `make -f a\>b `},
	{"11", "bash zsh fish", "git commit --file=som", `git commit --file=some\ file `},
	{"11", "bash zsh fish", "kubectl --log-dir=Do", "kubectl --log-dir=Do"},
	{"11", "bash zsh fish", "kubectl --log-dir=til", "kubectl --log-dir=tilde/"},
	{"11", "bash zsh fish", "kubectl --log-dir=tilde/", "kubectl --log-dir=tilde/package.json "},
	{"11", "bash zsh fish", "git log --format=onel", "git log --format=oneline "},
	{"13", "bash zsh fish", "git clone --depth=1 --dept", "git clone --depth=1 --dept"},
	{"13", "bash zsh fish", "git clone --depth 1 --dept", "git clone --depth 1 --dept"},
	{"13", "bash zsh fish", "git commit -m x --mess", "git commit -m x --message "}, // repeatable
	{"15", "bash zsh fish", "kubectl apply --dry-run", "kubectl apply --dry-run"},   // two: with a blank and with =
	{"15", "bash zsh fish", "kubectl apply --dry-run=cl", "kubectl apply --dry-run=client "},
	{"15", "bash zsh fish", "kubectl apply --dry-run cl", "kubectl apply --dry-run cl"},
	{"19", "bash zsh fish", "git checkout zzz", "git checkout zzz"},
	{"19", "bash zsh fish", "git frobnicate --zzz", "git frobnicate --zzz"},
	{"23", "bash zsh", "< a.txt cat --number-n", "< a.txt cat --number-nonblank "},
	{"23", "bash zsh", "2>err cat --number-n", "2>err cat --number-nonblank "},
	{"23", "bash zsh", "A=b <a.txt git checkout rel", "A=b <a.txt git checkout release/1.0 "},
	{"25", "bash zsh fish", "just -f Jm/justfile foo::", "just -f Jm/justfile foo::"},
	{"25", "bash zsh fish", "just -f Jm/justfile foo::b", "just -f Jm/justfile foo::ba"},
	{"25", "bash zsh fish", "just -f Jm/justfile foo::q", "just -f Jm/justfile foo::quit "},
	{"25", "bash zsh fish", "just -f Jm/justfile foo:", "just -f Jm/justfile foo::"},
	{"25", "bash zsh fish", "npm --prefix Jm run css:w", "npm --prefix Jm run css:watch "},
	{"25", "bash zsh fish", "npm --prefix Jm run cs", "npm --prefix Jm run css:"},
	{"27", "zsh", "git -C ~/Dow", "git -C ~/Down/"},
	{"27", "zsh fish bash", "make -f ~/Down/wi", `make -f ~/Down/with\ space/`},
	{"27", "zsh bash", "git -C ~/", "git -C ~/"},
	{"29", "zsh bash fish", "mise -C Jm run //", "mise -C Jm run //:agent:"},
	{"29", "zsh bash fish", "mise -C Jm run //:agent:p", "mise -C Jm run //:agent:personas "},
	{"29", "zsh bash fish", "mise -C Jm run //:agent:b", "mise -C Jm run //:agent:build:base "},
	{"23", "bash zsh", "< a.txt git checkout rel", "< a.txt git checkout release/1.0 "},
	{"31", "bash zsh fish", `git checkout "rel`, `git checkout "release/1.0" `},
	{"31", "bash zsh fish", `git checkout 'rel`, `git checkout 'release/1.0' `},
	{"33", "zsh", "git log foo >./Ji", "git log foo >./Ji"},
	{"33", "zsh", "git log >./som", `git log >./some\ file `},
	{"35", "fish", `make -f ~/bug/\[`, `make -f ~/bug/\[Hello\]\ World.txt `},
	{"35", "fish", `make -f ~/bug/[`, `make -f ~/bug/\[Hello\]\ World.txt `},
	{"35", "fish", `cat $HOME/bug/\[`, `cat $HOME/bug/\[Hello\]\ World.txt `},
	{"37", "bash fish", `ls "fo`, `ls "foo\$" `},
	{"37", "bash zsh fish", `git checkout "cost`, `git checkout "cost/\$5" `},
	{"37", "bash zsh fish", `make -f "fo`, `make -f "foo\$" `},
	{"41", "zsh bash fish", "git merge feature/nl", "git merge feature/nlep-2270 "},
	{"41", "zsh bash fish", "git branch -d nlep", "git branch -d feature/nlep-2270 "},
	{"41", "zsh bash fish", "git merge 1", "git merge release/1.0 "},
	{"41", "zsh bash fish", "git checkout feature/nlep", "git checkout feature/nlep-2270 "},
	{"", "bash zsh fish", "timeout 5 git checkout rel", "timeout 5 git checkout release/1.0 "},
	{"", "bash zsh fish", "find . -exec git checkout rel", "find . -exec git checkout release/1.0 "},
	{"", "bash fish", `git commit --file="som`, `git commit --file="some file" `},
	{"", "zsh", `git commit --file="some f`, `git commit --file=some\ file `},
	{"", "fish", "npm --prefix tilde run ", "npm --prefix tilde run "}, // ~ would be a home
	{"", "bash zsh", "npm --prefix tilde run ", `npm --prefix tilde run \~ `},
	{"", "bash zsh fish", "bash -c 'git checkout rel", "bash -c 'git checkout release/1.0 "},
	{"", "bash zsh fish", `sh -c "git swit`, `sh -c "git switch `},
	{"", "bash zsh", "bash -c 'git checkout fix", `bash -c 'git checkout fix/a\'\''b `},
	{"", "fish", "bash -c 'git checkout fix", `bash -c 'git checkout fix/a\\\'b `},
	{"", "bash zsh fish", `bash -c "git checkout fix`, `bash -c "git checkout fix/a\\'b `},
	{"", "bash zsh fish", `bash -c 'make -f til`, `bash -c 'make -f tilde/`},
	{"", "bash zsh fish", "watch git checkout fix", `watch git checkout fix/a\\\'b `},
	{"", "bash zsh fish", "true && eval 'git swit", "true && eval 'git switch "},
	{"", "zsh", "for x (a b) git checkout rel", "for x (a b) git checkout release/1.0 "},
	{"", "zsh", "if (( 1 )) { git checkout rel", "if (( 1 )) { git checkout release/1.0 "},
	{"", "fish", "begin; not git checkout rel", "begin; not git checkout release/1.0 "},
	{"", "bash zsh fish", "git checkout zzznothing", "git checkout zzznothing"},
	{"", "bash zsh", "make -f $HOME/Down/some", `make -f $HOME/Down/some\ file\ with\ spaces.txt `},
}

func TestRealAnswers(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := ""
			if name == "zsh" {
				before = compinit
			}
			x := start(t, name, setup{before: before, env: []string{"TEST_REAL=1"}, cols: 100})
			x.project()
			for _, c := range real {
				if !strings.Contains(c.shells, name) {
					continue
				}
				x.Keys(c.typed + "\t_")
				if want := "$ " + c.want + "_"; !x.Try(func(s *shelltest.Screen) bool { return s.Before() == want }) {
					t.Errorf("%s<Tab>: want %s\n%s", c.typed, c.want, x.Screen())
				}
				x.clear()
				x.Keys("\x0c")
			}
			if _, err := os.Stat(filepath.Join(x.dir, "pwned")); err == nil {
				t.Error("a branch's name was executed")
			}
		})
	}
}

// A risky only match is held back with its mark, end to end.
func TestRealHold(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := ""
			if name == "zsh" {
				before = compinit
			}
			x := start(t, name, setup{before: before, env: []string{"TEST_REAL=1"}, cols: 100})
			x.project()
			x.Keys("git reset --har\t")
			x.shows("[CRITICAL]")
			x.line("git reset --har|")
			keys := "\t_"
			if name == "fish" {
				keys = "\t\r_"
			}
			x.Keys(keys)
			x.line("git reset --hard _|")
		})
	}
}

// A map of the user's that is not compiled is told once, and the Tab answers.
func TestRealNote(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := ""
			if name == "zsh" {
				before = compinit
			}
			x := start(t, name, setup{before: before, env: []string{"TEST_REAL=1"}, cols: 120})
			x.write(".config/tmp/schemas/x.json", "{}")
			x.Keys("git swit	")
			x.shows("x.json is not compiled yet: run tmp compile")
			x.Keys("_")
			x.line("git switch _|")
			x.clear()
			x.Keys("\x0c")
			x.Wait("an empty screen", func(s *shelltest.Screen) bool { return s.String() == "$\n" })
			x.tab("git swit", "git switch ")
			if s := x.Screen(); strings.Contains(s, "compile") {
				t.Errorf("told twice:\n%s", s)
			}
			x.Keys("git check\t\t") // a list is one all the same
			x.shows("check-ignore")
		})
	}
}

// In a new bash with bash-completion the first Tab is answered as any other,
// also for what bash-completion registers early.
func TestRealFirstTab(t *testing.T) {
	for _, where := range []string{"before", "after"} {
		for _, c := range [][2]string{
			{"< a.txt git checkout rel", "< a.txt git checkout release/1.0 "},
			{`mv ~"/Down/with sp`, `mv ~"/Down/with space/`},
			{"xargs git merge rel", "xargs git merge release/1.0 "},
		} {
			t.Run(where+" "+c[0], func(t *testing.T) {
				t.Parallel()
				s := setup{before: ". /usr/share/bash-completion/bash_completion", env: []string{"TEST_REAL=1"}}
				if where == "after" {
					s.before, s.after = "", s.before
				}
				x := start(t, "bash", s)
				x.project()
				x.tab(c[0], c[1])
			})
		}
	}
}

// What a wrapper runs in fish is completed whoever knows it.
func TestRealFishWrappers(t *testing.T) {
	t.Parallel()
	x := start(t, "fish", setup{env: []string{"TEST_REAL=1"}})
	x.project()
	x.write("bin/owner", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(x.home, "bin/owner"), 0o755); err != nil {
		t.Fatal(err)
	}
	x.write(".config/fish/completions/owner.fish", "complete -c owner -f -a 'owned other'\n")
	for _, c := range [][2]string{
		{"timeout 5 owner ow", "timeout 5 owner owned "},
		{"find . -exec owner ow", "find . -exec owner owned "},
		{"echo (sudo -u root nice owner ow", "echo (sudo -u root nice owner owned "},
		{"timeout 5 git checkout rel", "timeout 5 git checkout release/1.0 "},
		{"sudo git checkout rel", "sudo git checkout release/1.0 "},
	} {
		x.tab(c[0], c[1])
	}
}

// Where the map has no answer fish has its own, and is asked for no longer
// than that: the next Tab is ours again, with what the user has added.
func TestRealFishOwnOnce(t *testing.T) {
	t.Parallel()
	x := start(t, "fish", setup{env: []string{"TEST_REAL=1"}, after: "complete -c sudo -f -a added"})
	x.project()
	x.tab("sudo nosuchcommand ", "sudo nosuchcommand ")
	x.tab("sudo git checkout rel", "sudo git checkout release/1.0 ")
	x.tab("sudo adde", "sudo added ")
}

// Rows of the case file that concern the shells are tested here or by the test
// named; the others are the engine's.
func TestEveryCaseHasATest(t *testing.T) {
	data, err := os.ReadFile("../testdata/cases/completion.tsv")
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := map[string]string{
		"7": "TestRealOldBash", "17": "TestRealMidWord", "21": "TestRealMidWord", "39": "TestRealManyBranches",
		"43": "TestRealKeysReachPrograms",
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		id, _, _ := strings.Cut(line, "\t")
		found := elsewhere[id] != ""
		for _, c := range real {
			found = found || c.row == id
		}
		if !found {
			t.Errorf("row %s has no test", id)
		}
	}
}
