package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/creack/pty"
)

// pressed is how often Enter is pressed for one sample: the kernel counts a
// shell's CPU time in ticks of 10 ms.
const pressed = 25

// session is a shell at its prompt on a terminal of its own.
type session struct {
	cmd    *exec.Cmd
	file   *os.File
	seen   []byte
	number int // of the next line
}

// enters measures what one Enter on a harmless line costs in a shell, with the
// hook and with an empty Go program in the place of tmp-enter, over the shell
// without the hook: CPU of the shell and of what it started, per Enter.
func enters(match *regexp.Regexp, p *programs, rounds int) error {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		name := "Enter with hook, " + shell
		if !match.MatchString(name) {
			continue
		}
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		if err := p.enterRow(name, shell, min(rounds, 9)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (p *programs) enterRow(name, shell string, rounds int) error {
	subjects := []struct{ name, program string }{{"with the hook", p.enter}, {"with an empty Go program", p.goOS.argv[0]}, {"without the hook", ""}}
	var sessions []*session
	defer func() {
		for _, s := range sessions {
			s.close()
		}
	}()
	for _, c := range subjects {
		s, err := p.startShell(shell, c.program)
		if err != nil {
			return err
		}
		sessions = append(sessions, s)
	}
	costs := make([][]time.Duration, len(subjects))
	for round := range rounds + 1 {
		for i, s := range sessions {
			d, err := s.press(pressed)
			if err != nil {
				return fmt.Errorf("%s: %w", subjects[i].name, err)
			}
			if round > 0 { // the first fills caches
				costs[i] = append(costs[i], d/pressed)
			}
		}
	}
	var median [3]float64
	for i := range costs {
		slices.Sort(costs[i])
		median[i] = ms(costs[i][len(costs[i])/2])
	}
	fmt.Printf("\n%s  (goal: ≤ 1.3 × an empty Go program started by the same hook)\n  %-34s %9s %9s\n", name, "", "cpu ms", "× empty")
	for i, c := range subjects {
		fmt.Printf("  %-34s %9.2f %9.2f\n", c.name, median[i], median[i]/median[1])
	}
	fmt.Printf("  over the shell alone: %.2f and %.2f ms, × %.2f\n", median[0]-median[2], median[1]-median[2], (median[0]-median[2])/(median[1]-median[2]))
	return nil
}

// startShell starts an interactive shell with the hook of Enter and a program
// as its tmp-enter, or without the hook if there is none.
func (p *programs) startShell(shell, program string) (*session, error) {
	dir, err := os.MkdirTemp(p.dir, "enter-")
	if err != nil {
		return nil, err
	}
	text, err := exec.Command(p.tmp, "hook", shell, "--no-tab").Output()
	if err != nil {
		return nil, err
	}
	if program == "" {
		text = nil
	} else if err := os.Symlink(program, filepath.Join(dir, "tmp-enter")); err != nil {
		return nil, err
	}
	var argv []string
	rc, prompt := "", "PS1='> '\n"
	switch shell {
	case "bash":
		rc, argv = "bashrc", []string{"bash", "--noprofile", "--rcfile", filepath.Join(dir, "bashrc")}
	case "zsh":
		rc, argv = ".zshrc", []string{"zsh", "-d"}
	case "fish":
		rc, argv = "fish/config.fish", []string{"fish"}
		prompt = "function fish_prompt; echo -n '> '; end\nfunction fish_greeting; end\nset -g fish_autosuggestion_enabled 0\n"
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, rc)), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, rc), append([]byte(prompt), text...), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(p.env(), "PATH="+dir+":"+os.Getenv("PATH"), "TERM=xterm", "LC_ALL=C.UTF-8", "ZDOTDIR="+dir, "XDG_CONFIG_HOME="+dir, "HISTFILE=/dev/null")
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		return nil, err
	}
	s := &session{cmd: cmd, file: file}
	return s, s.wait("> ")
}

func (s *session) close() {
	_ = s.cmd.Process.Kill()
	_ = s.file.Close()
	_ = s.cmd.Wait()
}

// press types a line and Enter n times, each when the one before has run, and
// returns the CPU time of all.
func (s *session) press(n int) (time.Duration, error) {
	before, err := s.cpu()
	if err != nil {
		return 0, err
	}
	for range n {
		s.number++
		s.seen = s.seen[:0]
		if _, err := fmt.Fprintf(s.file, "echo n\"%d\".\r", s.number); err != nil {
			return 0, err
		}
		if err := s.wait(fmt.Sprintf("n%d.", s.number)); err != nil {
			return 0, err
		}
		if err := s.wait("> "); err != nil {
			return 0, err
		}
	}
	after, err := s.cpu()
	return after - before, err
}

// wait reads until a text has come, and drops what came before its end.
func (s *session) wait(text string) error {
	buf := make([]byte, 1<<16)
	for end := time.Now().Add(20 * time.Second); ; {
		if i := bytes.Index(s.seen, []byte(text)); i >= 0 {
			s.seen = append(s.seen[:0], s.seen[i+len(text):]...)
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("never saw %q: %q", text, s.seen)
		}
		_ = s.file.SetReadDeadline(time.Now().Add(time.Second))
		n, err := s.file.Read(buf)
		if err != nil && !os.IsTimeout(err) {
			return err
		}
		s.seen = append(s.seen, buf[:n]...)
		if bytes.Contains(buf[:n], []byte("\x1b[c")) { // a query of fish
			_, _ = s.file.WriteString("\x1b[?1;2c")
		}
	}
}

// cpu is the CPU time of the shell and of what it started and waited for:
// fields 14 to 17 of /proc/PID/stat (proc(5)), in ticks of 10 ms.
func (s *session) cpu() (time.Duration, error) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(s.cmd.Process.Pid) + "/stat")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	fields, ticks := strings.Fields(rest), int64(0)
	if len(fields) < 15 {
		return 0, fmt.Errorf("/proc/PID/stat: %q", data)
	}
	for _, f := range fields[11:15] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}
