package term

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Ask reads a line from the terminal, "" at the end of input. What was
// typed before the question does not answer it.
func Ask(env *Env, question string) (string, error) {
	tty, err := env.OpenTTY()
	if err != nil {
		return "", err
	}
	defer tty.Close()
	if f, ok := tty.(*os.File); ok {
		flushInput(int(f.Fd()))
	}
	fmt.Fprint(tty, question)
	answer, err := bufio.NewReader(io.LimitReader(tty, 1024)).ReadString('\n')
	if err != nil {
		fmt.Fprintln(tty)
		return "", nil
	}
	return strings.TrimSpace(answer), nil
}

// IsYes reports whether an answer is a yes.
func IsYes(answer string) bool {
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
}

// flushInput drops what was typed and not yet read.
func flushInput(fd int) { _ = tcflush(fd, unix.TCIFLUSH) }

// Confirm asks a yes-or-no question at the terminal; the end of input is a no.
func Confirm(env *Env, question string) (bool, error) {
	answer, err := Ask(env, question)
	return IsYes(answer), err
}
