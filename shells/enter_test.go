package shells_test

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/term"

	"github.com/tool-mapping-protocol/tmp/internal/cli/enter"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// fakeEnter is the tmp-enter of these tests: it keeps the wire of the real one
// and asks "<text>? " about every text that holds the word danger or names an
// alias, a variable or a function that does. y runs it, e puts "safe" in the
// place of danger, any other key keeps it. What it was sent goes to $HOME/sent.
func fakeEnter(args []string) int {
	shell, sep, silent, counts := "", "\x00", slices.Contains(args, "--silent"), []int{0, 0, 0}
	for i, a := range args {
		switch a {
		case "--shell":
			shell = args[i+1]
		case "--split":
			sep = "\x1f"
		case "--aliases", "--variables", "--functions":
			n, _ := strconv.Atoi(args[i+1])
			counts[slices.Index([]string{"--aliases", "--variables", "--functions"}, a)] = n
		}
	}
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 1
	}
	records := strings.Split(strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), sep), sep)
	if len(records) != 1+counts[0]+counts[1]+counts[2] {
		fmt.Fprintf(os.Stderr, "%d records, want %v\n", len(records), counts)
		return 1
	}
	if f, err := os.OpenFile(filepath.Join(os.Getenv("HOME"), "sent"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintf(f, "%q\n", append([]string{strings.Join(args, " ")}, records...))
		_ = f.Close()
	}
	text := records[0]
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n;|&(){}$\"'", r) })
	danger := strings.Contains(text, "danger")
	for i, r := range records[1:] {
		name, value, _ := strings.Cut(r, "=")
		danger = danger || strings.Contains(value, "danger") && (i >= counts[0] || slices.Contains(words, name))
	}
	d, _ := shline.ParseDialect(shell)
	switch {
	case strings.Contains(text, "crash"):
		return 1
	case strings.Contains(text, "slow") && silent:
		interrupt := make(chan os.Signal, 1)
		signal.Notify(interrupt, os.Interrupt)
		fmt.Fprint(os.Stderr, "judging\r\n")
		select {
		case <-interrupt:
			return enter.StatusInterrupted
		case <-time.After(20 * time.Second):
		}
		return 0
	case !shline.Split(d, text).Complete || strings.HasSuffix(text, "\ndanger loop"):
		return 12
	case strings.HasPrefix(text, "tmp off -- "), !danger:
		return 0
	case silent:
		return 13
	}
	return fakeQuestion(text)
}

func fakeQuestion(text string) int {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return 1
	}
	old, err := term.MakeRaw(int(tty.Fd()))
	if err != nil {
		return 1
	}
	if len(text) > 1<<16 {
		fmt.Fprintf(tty, "\r\n%d bytes? ", len(text))
	} else {
		fmt.Fprintf(tty, "\r\n%q? ", text)
	}
	var b [1]byte
	_, err = tty.Read(b[:])
	fmt.Fprint(tty, "\r\n")
	_ = term.Restore(int(tty.Fd()), old)
	switch {
	case err != nil:
		return 1
	case b[0] == 'y':
		return 0
	case b[0] == 'e':
		_, _ = os.NewFile(3, "reply").WriteString(strings.ReplaceAll(text, "danger", "safe"))
		return 11
	}
	return 10
}

func realEnter() int { return enter.Main(enter.System()) }

// entering starts a shell with the hook of Enter, "ran" a program that counts
// how often it runs: it prints "ran:" and its arguments.
func entering(t *testing.T, name string, s setup) *shell {
	t.Helper()
	s.enter = true
	x := start(t, name, s)
	x.write("bin/ran", "#!/bin/sh\necho \"ran:$*.\"\necho \"$*\" >>\"$HOME/ran\"\n")
	x.write("bin/danger", "#!/bin/sh\nexec ran \"danger $*\"\n")
	for _, f := range []string{"ran", "danger"} {
		if err := os.Chmod(filepath.Join(x.home, "bin", f), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// times counts how often ran has run with the arguments.
func (x *shell) times(args string) int {
	data, _ := os.ReadFile(filepath.Join(x.home, "ran"))
	n := 0
	for _, l := range strings.Split(string(data), "\n") {
		if l == args {
			n++
		}
	}
	return n
}

// asked waits for the question about a text.
func (x *shell) asked(text string) {
	x.t.Helper()
	want := fmt.Sprintf("%q? ", text)
	x.Wait("the question "+want, func(s *shelltest.Screen) bool {
		return strings.HasSuffix(s.Before(), want) || strings.HasSuffix(strings.ReplaceAll(s.String(), "\n", "")+" ", want)
	})
}

// echo types echo and waits for what it prints: the shell is alive at its prompt.
func (x *shell) echo(what, want string) {
	x.t.Helper()
	x.Keys("\x0c") // a clean screen
	x.line("|")
	x.Keys("echo " + what + "\r")
	x.Wait("the line "+want, func(s *shelltest.Screen) bool {
		return slices.Contains(strings.Split(s.String(), "\n"), want) && s.Before() == "$ "
	})
}

// runs types a line that asks nothing and waits for its output.
func (x *shell) runs(typed, output string) {
	x.t.Helper()
	x.Keys(typed + "\r")
	x.Wait(output, func(s *shelltest.Screen) bool { return strings.Contains(s.String(), output+"\n") && s.Before() == "$ " })
}

func (x *shell) ranTimes(args string, want int) {
	x.t.Helper()
	if n := x.times(args); n != want {
		x.t.Errorf("ran %q %d times, want %d\n%s", args, n, want, x.Screen())
	}
}

func status(name string) string {
	if name == "fish" {
		return "$status"
	}
	return "$?"
}

// each runs a test in the three shells at once.
func each(t *testing.T, f func(t *testing.T, name string)) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, name)
		})
	}
}

func TestEnterAnswers(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := entering(t, name, setup{})
		x.runs("ran harmless", "ran:harmless.")
		x.ranTimes("harmless", 1)

		// Refused: the line is back, the cursor where it was, $? too.
		x.Keys("false\r")
		x.line("|")
		x.Keys("danger é one\x02\x02\r")
		x.asked("danger é one")
		x.Keys("n")
		x.line("danger é o|ne")
		x.clear()
		x.echo(status(name), "1")

		// Ctrl-C is a no, and the terminal is as before.
		x.Keys("danger two\r")
		x.asked("danger two")
		x.Keys("\x03")
		x.line("danger two|")
		x.clear()
		x.ranTimes("danger two", 0)

		// Accepted: once.
		x.Keys("danger three\r")
		x.asked("danger three")
		x.Keys("y")
		x.Wait("the output", func(s *shelltest.Screen) bool {
			return strings.Contains(s.String(), "ran:danger three.\n") && s.Before() == "$ "
		})
		x.ranTimes("danger three", 1)

		// Replaced: in the buffer, not run.
		x.Keys("danger four\r")
		x.asked("danger four")
		x.Keys("e")
		x.line("safe four|")
		x.clear()

		// In the history is what ran, once.
		x.Keys("\x0c\x1b[A")
		x.line("danger three|")
		x.Keys("\x1b[A")
		x.Wait("the line before", func(s *shelltest.Screen) bool { return strings.HasPrefix(s.Before(), "$ echo $") })
	})
}
