package machine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// draftUnderStrace is what TestMain does of the binary that ran starts.
func draftUnderStrace() {
	name := os.Getenv("TEST_DRAFT")
	if name == "" {
		return
	}
	p, err := Find(os.Getenv("PATH"), name)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
		defer cancel()
		_, err = New(Options{Getenv: os.Getenv}).Draft(ctx, p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

var execve = regexp.MustCompile(`execve\("([^"]*)", \[([^\]]*)\]`)

// ran drafts a program under strace and returns the words of every execution of
// it, and the programs that were executed beside it.
func ran(t *testing.T, program string, env ...string) (words []string, others []string) {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command(strace, "-f", "-qq", "-s", "300", "-e", "trace=execve", "-o", log, self)
	cmd.Env = append(append(os.Environ(), "TEST_DRAFT="+filepath.Base(program)), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "ptrace") {
			t.Skipf("no strace here: %s", out)
		}
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range execve.FindAllStringSubmatch(string(data), -1) {
		switch args := strings.Split(strings.ReplaceAll(m[2], `"`, ""), ", "); m[1] {
		case program:
			words = append(words, strings.Join(args[1:], " "))
		case self, "/proc/self/exe":
		default:
			others = append(others, m[1])
		}
	}
	slices.Sort(words)
	return slices.Compact(words), others
}

// TestNoGuessedVerb: a word is run if the program's help names it. That its
// manual or a completion script has another one, in an example or for another
// version, is no reason; nor is a word in running text.
func TestNoGuessedVerb(t *testing.T) {
	p := newPlace(t)
	if err := p.m.Confined(); err != nil {
		t.Skipf("no jail on this machine: %v", err)
	}
	prog := p.tool("frob", `case "$*" in
--help) echo 'Usage: frob COMMAND

Commands:
  add     Add a thing, or wipe-clean and touch-all of it
  remote  Handle remotes
' ;;
"add --help") echo 'Usage: frob add [-f] THING
  -f, --force  even so' ;;
"remote --help") echo 'Usage: frob remote COMMAND

Commands:
  list    List them' ;;
"remote list --help") echo 'Usage: frob remote list [-v]' ;;
esac
`)
	p.write("man/man1/frob.1", ".TH FROB 1\n.SH NAME\nfrob \\- keep things\n.SH SYNOPSIS\n\\fBfrob\\fR \\fICOMMAND\\fR [\\fIARGS\\fR]\n.SH COMMANDS\n.TP\n.B add\nAdd.\n.TP\n.B remote\nRemotes.\n.TP\n\\fBtouch\\-glob\\fR DIR\nWhat the tests of frob are made of.\n.TP\n.B destroy\nThe verb of another version.\n", 0o644)
	p.write("man/man1/frob-topic.1", ".TH FROB-TOPIC 1\n.SH NAME\nfrob-topic \\- about topics\n", 0o644)
	p.write("share/bash-completion/completions/frob", "_frob() { COMPREPLY=($(compgen -W 'add remote nuke' -- \"$2\")); }\ncomplete -F _frob frob\n", 0o644)
	p.write("share/fish/vendor_completions.d/frob.fish", "complete -c frob -n __fish_use_subcommand -a nuke -d 'All of it'\n", 0o644)
	words, others := ran(t, prog.Path, "PATH="+filepath.Join(p.root, "bin"), "MANPATH="+filepath.Join(p.root, "man"), "XDG_DATA_DIRS="+filepath.Join(p.root, "share"), "HOME="+filepath.Join(p.root, "home"))
	if diff := cmp.Diff([]string{"--help", "add --help", "remote --help", "remote list --help"}, words); diff != "" {
		t.Errorf("ran (-want +got):\n%s", diff)
	}
	if len(others) > 0 {
		t.Errorf("executed beside it: %q", others)
	}
}

// TestVerbsOfTheManual: where the help lists no commands, those of the manual
// and of completion scripts are all there is.
func TestVerbsOfTheManual(t *testing.T) {
	p := newPlace(t)
	if err := p.m.Confined(); err != nil {
		t.Skipf("no jail on this machine: %v", err)
	}
	prog := p.tool("frob", "echo 'Usage: frob COMMAND [-v]'\n")
	p.write("man/man1/frob.1", ".TH FROB 1\n.SH NAME\nfrob \\- keep things\n.SH SYNOPSIS\n\\fBfrob\\fR \\fICOMMAND\\fR [\\fIARGS\\fR]\n.SH COMMANDS\n.TP\n\\fBre\\-add\\fR\nAdd again.\n.TP\n.B remote\nRemotes.\n", 0o644)
	words, _ := ran(t, prog.Path, "PATH="+filepath.Join(p.root, "bin"), "MANPATH="+filepath.Join(p.root, "man"), "XDG_DATA_DIRS="+filepath.Join(p.root, "share"), "HOME="+filepath.Join(p.root, "home"))
	if diff := cmp.Diff([]string{"--help", "re-add --help", "remote --help"}, words); diff != "" {
		t.Errorf("ran (-want +got):\n%s", diff)
	}
}

// TestInstalledTools drafts programs of this machine whose manuals are full of
// examples: each verb is a row in the help of the command above it.
func TestInstalledTools(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for _, name := range []string{"rclone", "gio"} {
		t.Run(name, func(t *testing.T) {
			prog, err := Find(os.Getenv("PATH"), name)
			if err != nil {
				t.Skip(err)
			}
			if err := New(Options{Getenv: os.Getenv}).Confined(); err != nil {
				t.Skipf("no jail on this machine: %v", err)
			}
			words, others := ran(t, prog.Path)
			if slices.ContainsFunc(others, func(o string) bool { return filepath.Base(o) == "git" }) {
				t.Error("git was started")
			}
			helps := map[string]string{}
			for _, line := range words {
				verbs := slices.DeleteFunc(strings.Fields(line), func(w string) bool { return w == "--help" || w == "-h" || w == "__complete" || w == "-" || w == "help" })
				for i, verb := range verbs {
					above := strings.Join(verbs[:i], " ")
					if _, have := helps[above]; !have {
						out, _ := exec.Command(prog.Path, append(slices.Clone(verbs[:i]), "--help")...).CombinedOutput()
						helps[above] = string(out)
					}
					if !regexp.MustCompile(`(?m)(^\s+|[{,])` + regexp.QuoteMeta(verb) + `([\s,}]|$)`).MatchString(helps[above]) {
						t.Errorf("%s %s: no row of the help of %q names %q", name, line, above, verb)
					}
				}
			}
		})
	}
}
