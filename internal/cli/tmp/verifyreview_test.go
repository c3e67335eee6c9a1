package tmp

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

const gizmoMap = `{"schema": 1, "tool": "gizmo", "node": {"name": "gizmo", "description": "turn gizmos", "flags": [
  {"names": ["-d", "--depth"], "value": "required", "value_spec": {"type": "int"}, "description": "how deep"},
  {"names": ["--ghost"], "value": "none", "description": "not there"},
  {"names": ["--wide"], "value": "none", "description": "go wide"}]},
 "operations": [{"id": "gizmo.turn", "surface": "cli", "intent": ["turn the gizmo"], "template": "gizmo --wide", "effect": "local-write", "risk": "low"}]}`

const gizmoManual = `.TH GIZMO 1
.SH NAME
gizmo \- turn gizmos
.SH OPTIONS
.TP
\fB\-d\fR, \fB\-\-depth\fR=\fIN\fR
How deep to turn.
.TP
\fB\-\-wide\fR
Go wide.
`

// bench is a home with a map of one's own, a tool and its manual.
type bench struct {
	t    *testing.T
	home string
	file string // the map
	env  []string
}

func newBench(t *testing.T, vars ...string) *bench {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, home: home, file: filepath.Join(home, ".config/tmp/schemas/gizmo.json")}
	b.env = append([]string{"HOME=" + home, "PATH=" + home + "/bin:/usr/bin:/bin", "MANPATH=" + home + "/man", "XDG_DATA_DIRS=" + home, "USER=ann", "TERM=xterm-256color"}, vars...)
	for name, text := range map[string]string{b.file: gizmoMap, home + "/man/man1/gizmo.1": gizmoManual, home + "/bin/gizmo": "#!/bin/sh\n", home + "/work/.keep": ""} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(home, "tmp")); err != nil {
		t.Fatal(err)
	}
	return b
}

// start starts tmp on a terminal.
func (b *bench) start(args ...string) *shelltest.Term {
	return shelltest.Start(b.t, shelltest.Options{
		Args: append([]string{filepath.Join(b.home, "tmp")}, args...), Env: b.env, Dir: filepath.Join(b.home, "work"), Patience: 40 * time.Second,
	})
}

func (b *bench) run(args ...string) (int, string, string) {
	env, _, _ := testEnv(b.t, filepath.Join(b.home, "work"), b.env...)
	return tmpRun(b.t, env, args...)
}

func shows(parts ...string) func(*shelltest.Screen) bool {
	return func(s *shelltest.Screen) bool {
		text := s.String()
		for _, p := range parts {
			if !strings.Contains(text, p) {
				return false
			}
		}
		return true
	}
}

// TestReviewScreen: a person goes through a map at a terminal of 80 × 24, which
// is made smaller and larger on the way, and what they decide is recorded.
func TestReviewScreen(t *testing.T) {
	b := newBench(t)
	x := b.start("verify", "--files-only", "--review", "gizmo")
	x.Wait("the tree, the keys and what is missing", shows("Review of gizmo: 0 of 5 accepted, 1 in no text (!)", ">   gizmo", "!   --ghost", "a accept", "q leave"))
	x.Keys("j")
	x.Wait("the manual's line", shows(">     -d, --depth VALUE", "its manual", "> ", "-d, --depth=N"))
	x.Resize(14, 40)
	x.Wait("one part above the other", shows("----------------------------------------", ">     -d, --depth VALUE", "a accept"))
	x.Resize(40, 120)
	x.Wait("a large window", func(s *shelltest.Screen) bool {
		return shows("How deep to turn", "q leave   ? keys")(s) && strings.Contains(s.Row(39), "q leave")
	})
	x.Resize(24, 80)
	x.Wait("the first size again", shows(">     -d, --depth VALUE", "? keys"))

	x.Keys("/wid\r")
	x.Wait("the filtered list", shows("2 shown: with wid"))
	x.Keys("e\x1b[B\x1b[B\x1b[B") // the text of --wide
	x.Wait("the form", shows("Edit gizmo --wide", "> text", "go wide"))
	x.Keys("\x15go far\r")
	x.Wait("the edit", shows("edited and accepted", "+~"))
	x.Keys("\x1b")
	x.Wait("all again", shows("--ghost"))
	x.Keys("gA")
	x.Wait("those that a text names", shows("2 accepted, 1 left"))
	x.Keys("nx")
	x.Wait("the rejected one", shows("1 rejected"))
	x.Keys("na")
	x.Wait("the whole", shows("4 of 5 accepted, 1 rejected"))
	x.Keys("q")
	x.Wait("the question", shows("All 5 are decided. Reviewed by (empty: no record): ann"))
	x.Keys("\r")
	x.Wait("the end", shows("gizmo.json: verified", "reviewed by ann"))

	data, err := os.ReadFile(b.file)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); strings.Contains(text, "--ghost") || !strings.Contains(text, "go far") {
		t.Errorf("the map is\n%s", text)
	}
	if status, out, errs := b.run("verify", "--check", "gizmo"); status != 0 || out != "" {
		t.Errorf("check: %d\n%s%s", status, out, errs)
	}
	if status, out, _ := b.run("list", "--all", "--json"); status != 0 || !strings.Contains(out, `"standing": "evidence"`) {
		t.Errorf("the operation does not stand on evidence: %d\n%s", status, out)
	}

	if status, out, errs := b.run("resolve", "turn the gizmo"); status != 0 {
		t.Errorf("it does not resolve: %d\n%s%s", status, out, errs)
	}

	// Another program in its place: the map is not verified any more, at once.
	if err := os.WriteFile(filepath.Join(b.home, "bin/gizmo"), []byte("#!/bin/sh\n# 2\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := b.run("verify", "--check"); status != 1 || !strings.Contains(out, "gizmo.turn: lacks human_review") {
		t.Errorf("with another program: %d\n%s", status, out)
	}
	status, out, errs := b.run("resolve", "turn the gizmo")
	if status != 1 || !strings.Contains(errs, "gizmo.turn was verified with another gizmo") {
		t.Errorf("with another program it resolves: %d\n%s%s", status, out, errs)
	}
}

// TestReviewWithoutColour: NO_COLOR leaves marks and no colours; what is broken
// off is not saved.
func TestReviewWithoutColour(t *testing.T) {
	b := newBench(t, "NO_COLOR=1")
	x := b.start("verify", "--files-only", "--review", b.file)
	x.Wait("the tree", shows("Review of gizmo", ">   gizmo"))
	x.Keys("a")
	x.Wait("an accepted item", shows(" +  gizmo"))
	if drawn := regexp.MustCompile(`\x1b\[[0-9;]*m`).FindString(x.Raw()); drawn != "" {
		t.Errorf("drawn with %q", drawn)
	}
	x.Keys("\x03")
	x.Wait("the end", shows("the review was broken off; what was not saved is lost"))
	if data, err := os.ReadFile(b.file); err != nil || string(data) != gizmoMap {
		t.Errorf("%v, the map is\n%s", err, data)
	}
	if status, out, _ := b.run("verify", "--check"); status != 1 || !strings.Contains(out, "human_review") {
		t.Errorf("check: %d\n%s", status, out)
	}
}

// TestReviewIsAPersons: neither an agent at a terminal nor one without reviews,
// and a terminal that cannot place the cursor is told of the other way.
func TestReviewIsAPersons(t *testing.T) {
	b := newBench(t, "TMP_AGENT_ID=robot")
	for _, flag := range []string{"--review", "--reviewed-by=ann"} {
		x := b.start("verify", "--files-only", flag, "gizmo")
		x.Wait("a refusal", shows("a review is given by a person at a terminal"))
		if status, _, errs := b.run("verify", "--files-only", flag, "gizmo"); status != 1 || !strings.Contains(errs, "a review is given by a person at a terminal") {
			t.Errorf("%s without a terminal: %d, %s", flag, status, errs)
		}
	}
	b = newBench(t, "TERM=dumb")
	b.env = append(b.env[:5:5], "TERM=dumb")
	x := b.start("verify", "--files-only", "--review", "gizmo")
	x.Wait("a refusal", shows("needs a terminal that can place the cursor", "--reviewed-by NAME"))
}

// TestReviewedBy: in plain text the person is shown what they say yes to.
func TestReviewedBy(t *testing.T) {
	b := newBench(t)
	x := b.start("verify", "--files-only", "--reviewed-by", "bob", "gizmo")
	x.Wait("the question", shows("tree of gizmo: 0 commands, 3 options", "gizmo.turn", "Have you read this, 2 trees and operations, and is it right? [y/N]"))
	x.Keys("n\r")
	x.Wait("a refusal", shows("no review is recorded"))
	x = b.start("verify", "--files-only", "--reviewed-by", "bob", "gizmo")
	x.Wait("the question", shows("is it right? [y/N]"))
	x.Keys("y\r")
	x.Wait("the end", shows("gizmo.turn: verified, reviewed by bob", "tree: lacks parsed_help, reviewed by bob"))
}
