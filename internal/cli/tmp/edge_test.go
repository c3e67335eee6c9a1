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
	for name, tt := range map[string]struct{ shows, keys string }{
		"less": {"the first line", "q"},
		"vim":  {"the first line", ":q!\r"},
	} {
		if _, err := exec.LookPath(name); err != nil {
			t.Logf("no %s here", name)
			continue
		}
		env := mapped(t, processMap)
		if err := os.WriteFile(filepath.Join(env.Dir, "text"), []byte("the first line\n"+strings.Repeat("more\n", 200)), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := started(t, env, "run", "--", name, "text")
		cmd.Env = append(cmd.Env, "TERM=xterm", "LESS=")
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
