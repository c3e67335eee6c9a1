package enter

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// press runs the program on a line; typed is what the person answers, after
// the question stands on the terminal; with "" there is no terminal.
func press(t *testing.T, shell, input, ahead, typed string, env map[string]string) (status int, screen, stderr string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"x", "a", "src", "\x1b[2Jx"} { // of what is not there nothing is lost
		if err := os.WriteFile(dir+"/"+name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var errs bytes.Buffer
	e := Env{
		Args: append([]string{"--shell"}, strings.Fields(shell)...), Stdin: strings.NewReader(input), Stderr: &errs, Dir: dir,
		Getenv: func(k string) string {
			if k == "PATH" {
				return "/usr/local/bin:/usr/bin:/bin"
			}
			return env[k]
		},
		OpenTTY: func() (*os.File, error) { return nil, errors.New("no terminal") },
	}
	if typed == "" {
		return Main(e), "", errs.String()
	}
	keys, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer keys.Close()
	e.OpenTTY = func() (*os.File, error) { return tty, nil }
	if _, err := keys.WriteString(ahead); err != nil {
		t.Fatal(err)
	}
	shown := make(chan string)
	go func() {
		var seen []byte
		buf := make([]byte, 4096)
		for answered := false; ; {
			n, err := keys.Read(buf)
			seen = append(seen, buf[:n]...)
			if err != nil {
				shown <- string(seen)
				return
			}
			if !answered && (bytes.HasSuffix(seen, []byte("] ")) || bytes.Contains(seen, []byte("keeps it: "))) {
				answered = true
				_, _ = keys.WriteString(typed)
			}
		}
	}()
	status = Main(e)
	select {
	case screen = <-shown:
	case <-time.After(5 * time.Second):
		t.Fatal("the terminal was not closed")
	}
	return status, screen, errs.String()
}

func TestDecision(t *testing.T) {
	for _, tc := range []struct {
		shell, input, ahead, typed string
		status                     int
	}{
		{"bash", "", "", "", StatusRun},
		{"bash", "ls\x00", "", "", StatusRun},
		{"bash", "cp a b\x00", "", "", StatusRun},
		{"bash", "echo 'a\x00", "", "", StatusUnfinished},
		{"bash", "cat <<E\nrm x\nE\x00", "", "", StatusRun},
		{"bash", "rm x\x00", "", "", StatusKeep}, // nobody to ask
		{"bash", "chmod u+s x\x00", "", "y", StatusRun},
		{"bash", "chmod u+s x\x00", "", "n", StatusKeep},
		{"bash", "chmod u+s x\x00", "", "\x03", StatusKeep},
		{"bash", "chmod u+s x\x00", "y", "n", StatusKeep}, // a y typed ahead is no answer
		{"bash", "rm x\x00", "", "y", StatusRun},
		{"bash", "rm -rf x\x00", "", "y\r", StatusKeep},
		{"bash", "rm -rf x\x00", "", "run\r", StatusRun},
		{"bash", "rm -rf x\x00", "", "rux\x7fn\r", StatusRun},
		{"bash", "rm -rf x\x00", "", "ru\x03", StatusKeep},
		{"bash", "rm -rf x\x00", "run\r", "\r", StatusKeep},
		{"bash", "x a\x00x=rm -rf\x00", "", "\r", StatusKeep},
		{"bash", "TMP_CHECK=off rm -rf x\x00", "", "", StatusRun},
		{"bash", "TMP_CHECK=off ls; rm -rf x\x00", "", "\r", StatusKeep},
		{"bash", "TMP_CHECK=off ls $(rm -rf x)\x00", "", "\r", StatusKeep},
		{"fish", "function f; rm -rf x; end\x00", "", "", StatusRun},
		{"fish", "if true; rm -rf x\x00", "", "", StatusUnfinished},
		{"zsh", "rm -rf x &|\x00", "", "\r", StatusKeep},
	} {
		status, screen, _ := press(t, tc.shell, tc.input, tc.ahead, tc.typed, nil)
		if status != tc.status {
			t.Errorf("%s %q, typed %q: %d, want %d; screen %q", tc.shell, tc.input, tc.typed, status, tc.status, screen)
		}
	}
}

// An agent is told and never asked, and cannot wave a line through.
func TestAgent(t *testing.T) {
	for _, input := range []string{"rm -rf x\x00", "TMP_CHECK=off rm -rf x\x00"} {
		status, _, stderr := press(t, "bash", input, "", "", map[string]string{"TMP_AGENT_ID": "a"})
		if status != StatusKeep || !strings.Contains(stderr, "CRITICAL") {
			t.Errorf("%q: %d %q", input, status, stderr)
		}
	}
}

// TMP_CHECK from the environment means nothing.
func TestBypassIsText(t *testing.T) {
	status, _, _ := press(t, "bash", "rm -rf x\x00", "", "\r", map[string]string{"TMP_CHECK": "off"})
	if status != StatusKeep {
		t.Errorf("%d", status)
	}
}

func TestQuestionIsPrintable(t *testing.T) {
	_, screen, _ := press(t, "bash", "rm -rf '\x1b[2Jx'\x00", "", "\r", nil)
	if strings.Contains(screen, "\x1b") || !strings.Contains(screen, "CRITICAL") {
		t.Errorf("%q", screen)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"--shell"}, {"--shell", "tcsh"}, {"x"}, {}} {
		var errs bytes.Buffer
		if got := Main(Env{Args: args, Stderr: &errs}); got != StatusUsage || errs.Len() == 0 {
			t.Errorf("%q: %d %q", args, got, errs.String())
		}
	}
}
