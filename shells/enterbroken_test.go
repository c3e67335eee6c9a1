package shells_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// asking returns the process that asks in a shell.
func (x *shell) asking() int {
	x.t.Helper()
	for range 100 {
		dirs, _ := filepath.Glob("/proc/[0-9]*")
		for _, d := range dirs {
			comm, _ := os.ReadFile(d + "/comm")
			stat, _ := os.ReadFile(d + "/stat")
			_, rest, _ := strings.Cut(string(stat), ") ")
			if f := strings.Fields(rest); string(comm) == "tmp-enter\n" && len(f) > 3 && f[3] == strconv.Itoa(x.Pid()) { // of its session
				pid, _ := strconv.Atoi(filepath.Base(d))
				return pid
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	x.t.Fatal("tmp-enter does not run")
	return 0
}

// Killed while it asks: that is no answer, the line stays, and the terminal is
// as before.
func TestRealEnterKilled(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("processes cannot be listed here")
	}
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{cols: 120})
		for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSEGV} {
			x.Keys("rm new.txt\r")
			x.question("new.txt")
			if err := syscall.Kill(x.asking(), sig); err != nil {
				t.Fatal(err)
			}
			x.shows("ended without an answer (status ")
			x.line("rm new.txt|")
			x.holds("work/new.txt", "new\n")
			x.clear()
			x.runs("stty -a | grep -o '[-]*icanon.*echo '", "icanon iexten echo")
			x.prompt()
		}
		x.Keys("rm new.txt\r") // and it asks again
		x.question("new.txt")
		x.Keys("y")
		x.gone("work/new.txt")
		x.line("|")
	})
}

// A state directory that cannot be written, one that is full, no home, a
// damaged map: lines are judged, questions asked, and what is wrong is said
// beside the question and nowhere else.
func TestRealEnterSurroundings(t *testing.T) {
	for _, c := range []struct {
		name string
		s    setup
		says string
	}{
		{"no state", setup{env: []string{"TMP_STATE_DIR=/proc/self/none"}}, "tmp: the audit log cannot be written: "},
		{"full state", setup{
			wrap: []string{"unshare", "-m", "sh", "-c", `mkdir -p "$HOME/.local/state" && mount -t tmpfs -o size=4k tmpfs "$HOME/.local/state" && mkdir "$HOME/.local/state/tmp" &&
				{ cat /dev/zero >"$HOME/.local/state/full"; :; } 2>/dev/null; exec "$@"`, "sh"},
		}, "tmp: the audit log cannot be written: "},
		{"no home", setup{env: []string{"HOME=", "XDG_DATA_HOME="}}, "tmp: HOME is not set"},
		{"damaged map", setup{before: `echo damaged >"$XDG_DATA_HOME/tmp/system.tcpdb"`}, "tmp: a map is left out: "},
		{"damaged allowances", setup{before: `mkdir -p "$HOME/.local/state/tmp"; echo '{' >"$HOME/.local/state/tmp/allowed.json"`}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "full state" && exec.Command("unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", t.TempDir()).Run() != nil {
				t.Skip("nothing can be mounted here")
			}
			each(t, func(t *testing.T, name string) {
				s, says := c.s, c.says
				if name == "fish" && c.name == "no home" {
					says = "" // it finds one
				}
				s.cols = 200
				if c.name == "damaged map" {
					s.before = `mkdir -p "$XDG_DATA_HOME/tmp"; ` + s.before
				}
				x := dirty(t, name, s)
				x.prompt()
				x.runs("echo harm''less", "harmless")
				if raw := x.Raw(); strings.Contains(raw, "tmp:") {
					t.Errorf("something is said on a harmless line\n%q", raw)
				}
				x.prompt()
				for _, answer := range []string{"n", "y"} {
					x.Keys("rm new.txt\r")
					x.question("new.txt")
					x.Keys(answer)
					if answer == "n" {
						x.line("rm new.txt|")
						x.holds("work/new.txt", "new\n")
						x.clear()
					}
				}
				x.gone("work/new.txt")
				x.line("|")
				if raw := x.Raw(); says != "" && !strings.Contains(raw, says) || says == "" && strings.Contains(raw, "tmp:") {
					t.Errorf("want %q said\n%s", says, x.Screen())
				}
			})
		})
	}
}

// The safer way of a text of several lines: all of it where it is in the editor,
// else its last line.
func TestRealEnterSaferLines(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{cols: 120})
		x.Keys(paste("echo one\nrm new.txt\necho two") + "\r")
		x.question("new.txt")
		x.Keys("s")
		x.Wait("the safer lines", func(s *shelltest.Screen) bool {
			return strings.HasSuffix(s.Before(), "echo two") && strings.Contains(s.String(), "tmp quarantine put -- new.txt\n")
		})
		x.holds("work/new.txt", "new\n")
		x.Quiet(300 * time.Millisecond)
		x.Keys("\r")
		x.gone("work/new.txt")
		x.Wait("the prompt", func(s *shelltest.Screen) bool {
			return strings.HasSuffix(s.String(), "\ntwo\n$\n") && s.Before() == "$ "
		})
		if got := x.Screen(); !strings.Contains(got, "\none\n") {
			t.Errorf("the first line did not run\n%s", got)
		}
		x.soil()
		x.prompt()
		if name == "fish" {
			return
		}
		x.Keys("echo three &&\r")
		x.line0("> ")
		x.Keys("rm new.txt\r")
		x.question("new.txt")
		x.Keys("s")
		x.line0("> tmp quarantine put -- new.txt")
		x.Quiet(300 * time.Millisecond)
		x.Keys("\r")
		x.gone("work/new.txt")
		x.line("|")
		if got := x.Screen(); strings.Count(got, "\nthree\n") != 1 {
			t.Errorf("the first line did not run once\n%s", got)
		}
	})
}
