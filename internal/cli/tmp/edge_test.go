package tmp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFullScreenProgramHasTheTerminal: a pager and an editor get the terminal on
// both ends, and work as they do without tmp.
func TestFullScreenProgramHasTheTerminal(t *testing.T) {
	for name, tt := range map[string]struct {
		args  []string
		shows string
		keys  string
	}{
		"less": {nil, "the first line", "q"},
		"vim":  {[]string{"-u", "NONE", "-i", "NONE"}, "the first line", ":q!\r"},
	} {
		if _, err := exec.LookPath(name); err != nil {
			t.Logf("no %s here", name)
			continue
		}
		env := mapped(t, processMap)
		if err := os.WriteFile(filepath.Join(env.Dir, "text"), []byte("the first line\n"+strings.Repeat("more\n", 200)), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := started(t, env, append(append([]string{"run", "--", name}, tt.args...), "text")...)
		// Of a vt100 nothing is asked that nobody here would answer.
		cmd.Env = append(cmd.Env, "TERM=vt100", "LESS=")
		s := atTerminal(t, cmd)
		s.expect(tt.shows)
		if strings.Contains(s.screen(), "not to a terminal") || !strings.Contains(s.screen(), "\x1b[") {
			t.Errorf("%s does not have the terminal:\n%q", name, s.screen())
		}
		s.keys(tt.keys)
		if status := s.end(); status != 0 {
			t.Errorf("%s: status %d\n%q", name, status, s.screen())
		}
		if !strings.Contains(s.screen(), "went to the terminal and is not kept") {
			t.Errorf("%s: nothing says that its output is not kept:\n%q", name, s.screen())
		}
	}
}

// TestNothingIsAskedOfTheTerminal: libraries for screens ask a terminal for its
// colours as soon as they are linked, and wait for the answer.
func TestNothingIsAskedOfTheTerminal(t *testing.T) {
	env := mapped(t, processMap)
	cmd := started(t, env, "version")
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "NO_COLOR=1")
	s := atTerminal(t, cmd)
	if status := s.end(); status != 0 || strings.Contains(s.screen(), "\x1b") {
		t.Errorf("status %d, %q", status, s.screen())
	}
}

// TestStandardInputIsPassedOn: what is piped into tmp run reaches the program.
func TestStandardInputIsPassedOn(t *testing.T) {
	env := mapped(t, processMap)
	cmd := started(t, env, "run", "--raw", "--", "cat")
	cmd.Stdin = strings.NewReader("one\ntwo\x00\xff\n")
	if out, err := cmd.Output(); err != nil || string(out) != "one\ntwo\x00\xff\n" {
		t.Errorf("%q, %v", out, err)
	}
}

func TestStatusesOfTheShell(t *testing.T) {
	env := mapped(t, processMap)
	for name, want := range map[string]int{"exit 0": 0, "exit 42": 42, "kill -TERM $$": 143, "kill -KILL $$": 137} {
		if err := os.WriteFile(filepath.Join(env.Dir, "ends"), []byte(name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := started(t, env, "run", "--", "sh", "./ends")
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: status %d, want %d", name, got, want)
		}
	}
	if err := os.WriteFile(filepath.Join(env.Dir, "plain"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]int{"./plain": 126, "./none": 127, "no-such-program": 127, "/": 126} {
		cmd := started(t, env, "run", "--", args)
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: status %d, want %d", args, got, want)
		}
	}
	cmd := started(t, env, "run", "--timeout", "100ms", "--", "sleep", "60")
	_ = cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != 124 {
		t.Errorf("out of time: status %d", got)
	}
}
