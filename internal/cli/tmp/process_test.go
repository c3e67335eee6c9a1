package tmp

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// These tests start tmp as a program of its own (see TestMain), where signals,
// terminals and several at once matter.

const processMap = `{"schema": 1, "tool": "test", "operations": [
  {"id": "test.slow", "surface": "cli", "intent": ["count slowly"], "template": "sh ./slow", "effect": "read-only", "risk": "low", "verified": true},
  {"id": "test.high", "surface": "cli", "intent": ["high mark"], "template": "touch marked", "effect": "local-write", "risk": "high", "verified": true},
  {"id": "test.critical", "surface": "cli", "intent": ["critical mark"], "template": "touch marked", "effect": "local-write", "risk": "critical", "verified": true},
  {"id": "test.read", "surface": "cli", "intent": ["read a line"], "template": "sh ./read", "effect": "read-only", "risk": "low", "verified": true},
  {"id": "test.echo", "surface": "cli", "intent": ["echo <v>"], "template": "echo <v>",
   "parameters": [{"name": "v", "type": "string", "required": true}], "effect": "read-only", "risk": "low", "verified": true}
]}`

// started is tmp, ready to start, in a directory with a few scripts.
func started(t *testing.T, env term.Env, args ...string) *exec.Cmd {
	t.Helper()
	for name, text := range map[string]string{
		"slow": "i=0; while [ $i -lt 600 ]; do echo line $i; i=$((i+1)); sleep 0.05; done\n",
		"read": "read line; echo got \"$line\"; exit 5\n",
	} {
		if err := os.WriteFile(filepath.Join(env.Dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("tmp", args...)
	cmd.Dir, cmd.Env = env.Dir, append(env.Environ, "TERM=dumb")
	t.Cleanup(func() { stopLeftOver(t, env.Dir) }) // also where the test fails in between
	return cmd
}

// rawLogs lists the raw outputs that are kept.
func rawLogs(env term.Env) []string {
	logs, _ := filepath.Glob(filepath.Join(env.Getenv("HOME"), ".local/state/tmp/runs/*/raw.log"))
	return logs
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 200 {
		if ok() {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("waited in vain until %s", what)
}

// TestKillLeavesReadableOutput: after kill -9 the output so far is there.
func TestKillLeavesReadableOutput(t *testing.T) {
	env := mapped(t, processMap)
	cmd := started(t, env, "run", "count slowly")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begun := func() bool {
		logs := rawLogs(env)
		if len(logs) != 1 {
			return false
		}
		data, _ := os.ReadFile(logs[0])
		return bytes.Contains(data, []byte("line 3\n"))
	}
	eventually(t, "the output begins", begun)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	status, out, errs := tmpRun(t, env, "output", "show")
	if status != 0 || !strings.HasPrefix(out, "line 0\nline 1\nline 2\nline 3\n") || !strings.Contains(errs, "run 2") {
		t.Errorf("status %d, %q, %s", status, out, errs)
	}
	stopLeftOver(t, env.Dir)
}

// stopLeftOver ends the script that a killed tmp leaves running in dir.
func stopLeftOver(t *testing.T, dir string) {
	t.Helper()
	procs, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, p := range procs {
		var pid int
		if at, err := os.Readlink(p); err == nil && at == dir {
			if _, err := fmt.Sscanf(p, "/proc/%d/cwd", &pid); err == nil {
				_ = unix.Kill(pid, unix.SIGKILL)
			}
		}
	}
}

// TestTermIsPassedOn: SIGTERM ends the program and not only tmp.
func TestTermIsPassedOn(t *testing.T) {
	env := mapped(t, processMap)
	cmd := started(t, env, "run", "--json", "count slowly")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the run begins", func() bool {
		logs := rawLogs(env)
		if len(logs) != 1 {
			return false
		}
		st, err := os.Stat(logs[0])
		return err == nil && st.Size() > 0
	})
	_ = cmd.Process.Signal(unix.SIGTERM)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 143 {
		t.Errorf("exit status %d, want 143", code)
	}
	if !strings.Contains(out.String(), `"signal": "SIGTERM"`) {
		t.Errorf("envelope %s", out.String())
	}
}

func TestTwoRunsAtOnce(t *testing.T) {
	env := mapped(t, processMap)
	var wg sync.WaitGroup
	for i := range 8 {
		cmd := started(t, env, "run", "echo "+fmt.Sprint("value", i))
		wg.Go(func() {
			out, err := cmd.Output()
			if want := fmt.Sprintf("value%d\n", i); err != nil || string(out) != want {
				t.Errorf("%q, %v; want %q", out, err, want)
			}
		})
	}
	wg.Wait()
	if logs := rawLogs(env); len(logs) != 8 {
		t.Errorf("%d outputs are kept", len(logs))
	}
}

// sitting is tmp at a terminal.
type sitting struct {
	t    *testing.T
	cmd  *exec.Cmd
	tty  *os.File
	mu   sync.Mutex
	seen bytes.Buffer
	done chan struct{}
}

func atTerminal(t *testing.T, cmd *exec.Cmd) *sitting {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 200})
	if err != nil {
		t.Skipf("no terminal: %v", err)
	}
	s := &sitting{t: t, cmd: cmd, tty: tty, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		buf := make([]byte, 4096)
		for {
			n, err := tty.Read(buf)
			s.mu.Lock()
			s.seen.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s
}

func (s *sitting) screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ReplaceAll(s.seen.String(), "\r\n", "\n")
}

func (s *sitting) expect(text string) {
	s.t.Helper()
	for range 200 {
		if strings.Contains(s.screen(), text) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	_ = s.cmd.Process.Kill()
	s.t.Fatalf("the terminal never shows %q:\n%s", text, s.screen())
}

func (s *sitting) keys(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.tty, text); err != nil {
		s.t.Fatal(err)
	}
}

// end waits for tmp and returns its exit status.
func (s *sitting) end() int {
	s.t.Helper()
	timer := time.AfterFunc(10*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	_ = s.cmd.Wait()
	_ = s.tty.Close()
	<-s.done
	return s.cmd.ProcessState.ExitCode()
}

func TestPersonIsAsked(t *testing.T) {
	for _, tt := range []struct {
		intent, prompt, keys string
		status               int
		ran                  bool
	}{
		{"high mark", "Run it? [y/N] ", "y\n", 0, true},
		{"high mark", "Run it? [y/N] ", "yes\n", 0, true},
		{"high mark", "Run it? [y/N] ", "\n", 125, false},
		{"high mark", "Run it? [y/N] ", "n\n", 125, false},
		{"high mark", "Run it? [y/N] ", "maybe\n", 125, false},
		{"high mark", "Run it? [y/N] ", "\x04", 125, false},
		{"critical mark", `Type "run" to run it`, "run\n", 0, true},
		{"critical mark", `Type "run" to run it`, "y\n", 125, false},
		{"critical mark", `Type "run" to run it`, "\n", 125, false},
	} {
		env := mapped(t, processMap)
		s := atTerminal(t, started(t, env, "run", tt.intent))
		s.expect(tt.prompt)
		s.expect("touch marked")
		s.keys(tt.keys)
		if status := s.end(); status != tt.status || marked(env) != tt.ran {
			t.Errorf("%s, %q: status %d, ran %v; want %d, %v\n%s", tt.intent, tt.keys, status, marked(env), tt.status, tt.ran, s.screen())
		}
	}
}

// TestInterruptAtTheQuestion: Ctrl-C leaves everything as it was.
func TestInterruptAtTheQuestion(t *testing.T) {
	env := mapped(t, processMap)
	s := atTerminal(t, started(t, env, "run", "high mark"))
	s.expect("Run it? [y/N] ")
	s.keys("\x03")
	if status := s.end(); status == 0 || marked(env) || len(rawLogs(env)) != 0 {
		t.Errorf("status %d, ran %v, %v", status, marked(env), rawLogs(env))
	}
}

// TestApproveElsewhere: an agent asks, a person approves at a terminal, the
// agent's same command runs once.
func TestApproveElsewhere(t *testing.T) {
	env := mapped(t, processMap, "TMP_AGENT_ID=robot")
	env.Now = time.Now // the person's tmp has the real clock
	person := env
	person.Environ = nil
	for _, v := range env.Environ {
		if !strings.HasPrefix(v, "TMP_AGENT_ID=") {
			person.Environ = append(person.Environ, v)
		}
	}
	started(t, env) // its files are there before anything is asked for
	_, e := runJSON(t, env, "high mark")
	digest := strings.TrimPrefix(e.Error.Approve, "tmp approve ")
	s := atTerminal(t, started(t, person, "approve", digest[:12]))
	s.expect("asked for by the agent robot")
	s.expect("Run it? [y/N] ")
	s.keys("y\n")
	if status := s.end(); status != 0 {
		t.Fatalf("approve: status %d\n%s", status, s.screen())
	}
	if status, e := runJSON(t, env, "critical mark"); status != 125 || e.Error.Code != "refused" {
		t.Errorf("another plan: status %d, %+v", status, e.Error)
	}
	if status, _ := runJSON(t, env, "high mark"); status != 0 || !marked(env) {
		t.Errorf("approved: status %d, ran %v", status, marked(env))
	}
	if status, e := runJSON(t, env, "high mark"); status != 125 || e.Error.Code != "approval_required" {
		t.Errorf("a second time: status %d, %+v", status, e.Error)
	}
	log, err := os.ReadFile(filepath.Join(env.Getenv("HOME"), ".local/state/tmp/audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{`"answer":"refused"`, `"answer":"approved"`, `"answer":"ran"`} {
		if !strings.Contains(string(log), answer) {
			t.Errorf("the audit log lacks %s:\n%s", answer, log)
		}
	}
}

// TestProgramHasTheTerminal: the program reads keys, its output is shown as it
// comes, its status is ours, and tmp has the terminal back afterwards.
func TestProgramHasTheTerminal(t *testing.T) {
	env := mapped(t, processMap)
	s := atTerminal(t, started(t, env, "run", "read a line"))
	time.Sleep(200 * time.Millisecond)
	s.keys("hello\n")
	if status := s.end(); status != 5 {
		t.Errorf("status %d, want 5", status)
	}
	if !strings.Contains(s.screen(), "got hello\n") || !strings.Contains(s.screen(), "exit status 5") {
		t.Errorf("the terminal shows\n%s", s.screen())
	}
}

// TestInterruptReachesTheProgram: Ctrl-C ends the program, and tmp tells.
func TestInterruptReachesTheProgram(t *testing.T) {
	env := mapped(t, processMap)
	s := atTerminal(t, started(t, env, "run", "count slowly"))
	s.expect("line 2")
	s.keys("\x03")
	if status := s.end(); status != 130 {
		t.Errorf("status %d, want 130\n%s", status, s.screen())
	}
	s.expect("ended by SIGINT")
}

// TestStopAndContinue: Ctrl-Z stops the program and tmp with it, as one job.
func TestStopAndContinue(t *testing.T) {
	env := mapped(t, processMap)
	cmd := started(t, env, "run", "count slowly")
	s := atTerminal(t, cmd)
	s.expect("line 2")
	s.keys("\x1a")
	stopped := func() bool {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
		return strings.Contains(string(data), ") T ")
	}
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		_ = cmd.Process.Kill()
		t.Skip("no /proc")
	}
	eventually(t, "tmp is stopped", stopped)
	before := strings.Count(s.screen(), "\n")
	_ = cmd.Process.Signal(unix.SIGCONT)
	eventually(t, "the output goes on", func() bool { return strings.Count(s.screen(), "\n") > before+2 })
	s.keys("\x03")
	if status := s.end(); status != 130 {
		t.Errorf("status %d, want 130", status)
	}
}
