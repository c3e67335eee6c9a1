package enter

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
)

func TestMarksAndQuestions(t *testing.T) {
	w := newWorkplace(t)
	for _, tc := range []struct {
		line, typed string
		status      int
		asked       bool
		shows       []string
	}{
		{"rm old.go", "", StatusRun, false, []string{"tmp: rm old.go: git has it unchanged"}},
		{"rm -rf node_modules", "", StatusRun, false, nil},
		{"rm -rf " + w.temp + "/scratch", "", StatusRun, false, nil},
		{"rm new.txt", "y", StatusRun, true, []string{"CRITICAL", "rm new.txt", "^^", "new.txt is not in git", "[y/N"}},
		{"rm changed.txt", "n", StatusKeep, true, []string{"changed.txt is changed"}},
		{"rm -rf src notes", "run\r", StatusRun, true, []string{"notes/idea.md is not in git"}},
		{"rm -rf notes", "y\r", StatusKeep, true, nil},
		{"git clean -fdX src", "", StatusRun, false, nil},
		{"git clean -fdX", "", StatusKeep, true, []string{".env is ignored by git", "Type "}},
		{"git clean -fd", "", StatusKeep, true, []string{" is not in git", "Type "}},
		{"git clean -fd docs", "", StatusRun, false, nil},
		{"GIT_DIR=x git clean -fdX src", "", StatusKeep, true, []string{"Type "}},
		{"find . -name '*.pyc' -delete", "", StatusRun, false, nil},
		{"find -name 'a.o' -type f -delete", "", StatusRun, false, nil},
		{"find . -name '*.txt' -delete", "", StatusKeep, true, []string{".txt is ", "Type "}},
		{"find . -delete -name '*.pyc'", "", StatusKeep, true, []string{"Type "}},
		{"find . -name '*x*' -delete", "", StatusKeep, true, []string{"Type "}},
		{"find . -name 'none*' -delete", "", StatusRun, false, nil},
		{"find node_modules target -delete", "", StatusRun, false, nil},
		{"find " + w.temp + "/scratch -delete", "", StatusRun, false, nil},
		// No key but y is a yes, whatever its bytes; each is read whole.
		{"rm new.txt", "\x1b", StatusKeep, true, nil},
		{"rm new.txt", "\x1b[A", StatusKeep, true, nil},
		{"rm new.txt", "\x1bOPy", StatusKeep, true, nil},
		{"rm new.txt", "\x1by", StatusKeep, true, nil},
		{"rm new.txt", "\x1b[200~y\x1b[201~", StatusKeep, true, nil},
		{"rm new.txt", "ÿ", StatusKeep, true, nil},
		{"rm new.txt", "\x04", StatusKeep, true, nil},
		{"rm new.txt", "\r", StatusKeep, true, nil},
		{"rm new.txt", "a", StatusKeep, true, nil}, // CRITICAL is not allowed for later
		{"rm -rf notes", "r\x1b[Dun\r", StatusRun, true, nil},
		{"rm -rf notes", "xx\x15run\r", StatusRun, true, nil},
		{"rm -rf notes", "ru\x1b", StatusKeep, true, nil},
	} {
		status, asked, screen, stderr, _ := w.enter(t, tc.line, tc.typed, nil)
		if status != tc.status || asked != tc.asked {
			t.Errorf("%s, typed %q: status %d, asked %v: %q %s", tc.line, tc.typed, status, asked, screen, stderr)
		}
		for _, s := range tc.shows {
			if !strings.Contains(screen, s) {
				t.Errorf("%s: %q is not in %q", tc.line, s, screen)
			}
		}
	}
}

// What can be had back is said once in a week by its kind, what a build makes not at all.
func TestMarkOnce(t *testing.T) {
	w := newWorkplace(t)
	for _, tc := range []struct{ line, shows string }{
		{"rm old.go", "tmp: rm old.go: git has it unchanged"},
		{"rm old.go", ""},
		{"rm -rf node_modules", ""},
		{"chmod +x old.go", ""},
		{"git commit --amend", ""},
		{"sudo apt-get install jq", "can be installed and removed again"},
		{"sudo apt-get install tree", ""},
	} {
		status, asked, screen, stderr, _ := w.enter(t, tc.line, "", nil)
		if status != StatusRun || asked || !strings.Contains(screen, tc.shows) || tc.shows == "" && screen+stderr != "" {
			t.Errorf("%s: status %d, asked %v: %q %s", tc.line, status, asked, screen, stderr)
		}
	}
}

// What a allows is that form of the command in that directory, and can be seen.
func TestAlways(t *testing.T) {
	w := newWorkplace(t)
	for _, tc := range []struct {
		line, typed string
		asked       bool
	}{
		{"systemctl stop x", "y", true},
		{"systemctl stop x", "a", true},
		{"systemctl stop x", "", false},
		{"systemctl stop y", "n", true},
		{"sudo systemctl stop x", "n", true},
		{"chmod 600 new.txt", "", false},
		{"chmod 777 new.txt", "n", true},
		{"kubectl --context staging delete pod a", "a", true},
		{"kubectl --context staging delete pod a", "", false},
		{"kubectl --context other delete pod a", "n", true},
		{"kubectl --context prod-eu delete pod a", "a", true}, // no key there
		{"kubectl --context prod-eu delete pod a", "n", true},
	} {
		_, asked, screen, _, _ := w.enter(t, tc.line, tc.typed, nil)
		if asked != tc.asked {
			t.Errorf("%s: asked %v: %q", tc.line, asked, screen)
		}
	}
}

// The same words in another place are asked about again, and what an earlier
// version allowed is not used.
func TestAllowedElsewhere(t *testing.T) {
	w := newWorkplace(t)
	kube := func(context string) {
		w.write(t, w.home+"/.kube/config", "current-context: "+context+"\n")
	}
	asks := func(line, typed string, want bool) string {
		t.Helper()
		_, asked, screen, stderr, _ := w.enter(t, line, typed, nil)
		if asked != want {
			t.Errorf("%s: asked %v: %q", line, asked, screen)
		}
		return screen + stderr
	}
	kube("staging")
	asks("kubectl delete pod a", "a", true)
	asks("kubectl delete pod a", "", false)
	kube("qa")
	asks("kubectl delete pod a", "n", true)
	w.git(t, "checkout", "-q", "-b", "mine")
	asks("git push --force-with-lease", "", false)
	w.git(t, "checkout", "-q", "-b", "release/2")
	asks("git push --force-with-lease", "n", true)

	state := w.home + "/.local/state/tmp"
	w.write(t, state+"/allowed.json", `{"v":1,"allowed":[{"dir":"`+w.repo+`","rule":"npm.publish","form":"npm publish"}]}`)
	if said := asks("systemctl stop x", "n", true); !strings.Contains(said, "1 allowed by an earlier version") {
		t.Errorf("%q", said)
	}
	if said := asks("systemctl stop x", "n", true); strings.Contains(said, "earlier version") {
		t.Errorf("said again: %q", said)
	}
}

// What a task of the project runs is asked about as if it were typed.
func TestTasksAreAskedAbout(t *testing.T) {
	w := newWorkplace(t)
	w.write(t, w.repo+"/package.json", `{"scripts": {"db:reset": "prisma migrate reset --force", "prebuild": "rm -rf dist", "build": "true", "clean": "rm -rf dist gen", "nuke": "rm -rf notes", "deploy": "kubectl delete -f k8s"}}`)
	w.write(t, w.repo+"/src/Makefile", "clean:\n\trm -f a.o b.o\nall:\n\trm -f a.c new.c\n")
	w.write(t, w.repo+"/src/new.c", "x")
	for _, tc := range []struct {
		line, typed string
		status      int
		asked       bool
		shows       string
	}{
		{"npm run db:reset", "y", StatusKeep, true, "npm run db:reset runs: prisma migrate reset --force"},
		{"npm run db:reset", "run\r", StatusRun, true, "(package.json)"},
		{"npm run build", "", StatusRun, false, ""},
		{"npm run clean", "", StatusRun, false, ""},
		{"npm run nuke", "", StatusKeep, true, "notes/idea.md is not in git"},
		{"make -C src clean", "", StatusRun, false, ""}, // the same note,
		{"cd src && make clean", "", StatusRun, false, ""},
		{"make -C src all", "", StatusKeep, true, "src/new.c is not in git"},
		{"npm run deploy", "n", StatusKeep, true, "npm run deploy runs: kubectl delete -f k8s"},
		{"npm run deploy", "a", StatusRun, true, "npm run deploy kubectl delete --filename=k8s"},
		{"npm run deploy", "", StatusRun, false, ""},
	} {
		status, asked, screen, stderr, _ := w.enter(t, tc.line, tc.typed, nil)
		if status != tc.status || asked != tc.asked || !strings.Contains(strings.Join(strings.Fields(screen), " "), tc.shows) {
			t.Errorf("%s, typed %q: status %d, asked %v: %q %s", tc.line, tc.typed, status, asked, screen, stderr)
		}
	}
	w.write(t, w.repo+"/package.json", `{"scripts": {"deploy": "kubectl delete -f other"}}`)
	if _, asked, screen, _, _ := w.enter(t, "npm run deploy", "n", nil); !asked {
		t.Errorf("what the task runs is another, and nobody was asked: %q", screen)
	}
}

func TestSaferLine(t *testing.T) {
	w := newWorkplace(t)
	status, _, screen, _, reply := w.enter(t, "git push --force origin main", "s\r", nil)
	if status != StatusReplace || reply != "git push --force-with-lease origin main" {
		t.Errorf("%d %q %q", status, reply, screen)
	}
}

func TestScreens(t *testing.T) {
	w := newWorkplace(t)
	_, _, screen, _, _ := w.enter(t, "rm '\x1b[2Jx' new.txt", "n", nil)
	if strings.Contains(screen, "\x1b") {
		t.Errorf("%q", screen)
	}
	_, _, screen, _, _ = w.enter(t, "rm new.txt", "n", map[string]string{"TERM": "xterm"})
	if !strings.Contains(screen, "\x1b[1;31mCRITICAL") {
		t.Errorf("no colour: %q", screen)
	}
	for _, env := range []map[string]string{{"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}} {
		if _, _, screen, _, _ = w.enter(t, "rm new.txt", "n", env); strings.Contains(screen, "\x1b") {
			t.Errorf("%v: %q", env, screen)
		}
	}
}

// A signal ends the question as a no, and the terminal is as before.
func TestSignal(t *testing.T) {
	keys, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer keys.Close()
	defer tty.Close()
	before, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGTSTP, syscall.SIGINT} {
		tm, err := seize(tty, func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(50*time.Millisecond, func() { _ = syscall.Kill(os.Getpid(), s) })
		if r := tm.key(); r != keyCancel {
			t.Errorf("%v: %d", s, r)
		}
		tm.close()
		if after, err := term.GetState(int(tty.Fd())); err != nil || *after != *before {
			t.Errorf("%v: the terminal is not as before: %v", s, err)
		}
	}
}

func TestAgentIsTold(t *testing.T) {
	w := newWorkplace(t)
	for line, reason := range map[string]string{
		"rm -rf notes": "critical", "rm new.txt": "critical", "npm publish": "approval_required", "TMP_CHECK=off npm publish": "approval_required", "tmp off -- rm x": "critical",
	} {
		status, asked, screen, stderr, _ := w.enter(t, line, "y", map[string]string{"TMP_AGENT_ID": "bot"})
		var r refusal
		if err := json.Unmarshal([]byte(stderr), &r); err != nil || status != StatusKeep || asked || r.V != 1 || r.Reason != reason || len(r.Findings) == 0 {
			t.Errorf("%s: %d %v %q %s (%v)", line, status, asked, screen, stderr, err)
		}
	}
}

// Every HIGH and above is in the log with its answer, nothing else, no secret.
func TestAudited(t *testing.T) {
	w := newWorkplace(t)
	w.enter(t, "ls", "", nil)
	w.enter(t, "cp a b", "", nil)
	w.enter(t, "rm old.go", "", nil)
	w.enter(t, "rm new.txt", "y", nil)
	w.enter(t, "mysql -phunter2 -e 'DROP DATABASE x'", "n\r", nil)
	w.enter(t, "TMP_CHECK=off rm new.txt", "", nil)
	w.enter(t, "git push --force", "s\r", nil)
	w.enter(t, "rm new.txt", "", map[string]string{"TMP_AGENT_ID": "bot"})
	var got []string
	bad, err := audit.Read(w.home+"/.local/state/tmp", func(e audit.Entry) {
		got = append(got, string(e.Answer)+" "+e.Line)
		if e.Via != "enter" || e.Dir != w.repo || e.Shell != "bash" || e.Level == "" || len(e.Rules) == 0 {
			t.Errorf("%+v", e)
		}
	})
	want := []string{
		"waived rm old.go", "allowed rm new.txt", "refused mysql -p*** -e 'DROP DATABASE x'", "bypassed TMP_CHECK=off rm new.txt",
		"safer git push --force", "refused rm new.txt",
	}
	if bad != 0 || err != nil || !slices.Equal(got, want) {
		t.Errorf("%d %v\n got %q\nwant %q", bad, err, got, want)
	}
}

// Where the settings say so every line that runs is in the log, once, and of those
// that do not run those that were refused.
func TestAuditedAll(t *testing.T) {
	w := newWorkplace(t)
	w.write(t, w.home+"/.config/tmp/config.toml", "[audit]\nall = true\n")
	w.enter(t, "ls", "", nil)
	w.enter(t, "mysql -phunter2 -e 'select 1'", "", nil)
	w.enter(t, "rm new.txt", "y", nil)
	w.enter(t, "rm new.txt", "n", nil)
	w.enter(t, "ls", "", map[string]string{"TMP_AGENT_ID": "bot"})
	var got []string
	if _, err := audit.Read(w.home+"/.local/state/tmp", func(e audit.Entry) { got = append(got, string(e.Answer)+" "+e.Line) }); err != nil {
		t.Fatal(err)
	}
	want := []string{"waived ls", "waived mysql -p*** -e 'select 1'", "allowed rm new.txt", "refused rm new.txt", "waived ls"}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// A state that cannot be written is one notice, and never in the way.
func TestReadOnlyState(t *testing.T) {
	w := newWorkplace(t)
	status, _, _, stderr, _ := w.enter(t, "rm new.txt", "y", map[string]string{"TMP_STATE_DIR": "/dev/null/x"})
	if status != StatusRun || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "audit") {
		t.Errorf("%d %q", status, stderr)
	}
}

// Ctrl-C before there is a question keeps the line, and is no death by signal.
func TestInterrupted(t *testing.T) {
	if os.Getenv("TEST_INTERRUPTED") != "" {
		exitOnInterrupt()
		_, _ = os.Stdout.WriteString("ready\n")
		time.Sleep(20 * time.Second)
		return
	}
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupted$")
		cmd.Env = append(os.Environ(), "TEST_INTERRUPTED=1")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 6)); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Process.Signal(sig)
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != StatusInterrupted {
			t.Errorf("%v: status %d", sig, got)
		}
	}
}
