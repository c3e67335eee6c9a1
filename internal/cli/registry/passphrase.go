package registry

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	cli "github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
)

// maxPassphrase bounds what is read of a passphrase.
const maxPassphrase = 1024

// passphraseFrom is where a passphrase comes from: a file descriptor that is named, else
// the terminal.
type passphraseFrom struct {
	c  *call
	fd int
	// read keeps what came from the descriptor: it can be read once.
	read *string
}

func (c *call) flagPassphrase(f *command.Flags) *passphraseFrom {
	p := &passphraseFrom{c: c, fd: -1}
	f.Int("passphrase-fd", &p.fd)
	return p
}

// ask asks for a passphrase.
func (p *passphraseFrom) ask(prompt string) (string, error) {
	fd := p.fd
	if fd < 0 {
		if n, err := strconv.Atoi(p.c.Getenv("TMP_PASSPHRASE_FD")); err == nil {
			fd = n
		}
	}
	if fd >= 0 {
		return p.fromFD(fd)
	}
	return p.fromTerminal(prompt)
}

func (p *passphraseFrom) fromFD(fd int) (string, error) {
	if p.read != nil {
		return *p.read, nil
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return "", fault.New(fault.Denied, "the file descriptor %d is not open: --passphrase-fd 3 wants 3<FILE", fd)
	}
	file := os.NewFile(uintptr(fd), "passphrase")
	text, err := bufio.NewReader(io.LimitReader(file, maxPassphrase)).ReadString('\n')
	if err != nil && text == "" {
		return "", fault.New(fault.Denied, "the file descriptor %d holds no passphrase", fd)
	}
	text = strings.TrimRight(text, "\r\n")
	p.read = &text
	return text, nil
}

// quiet turns the echo of a terminal off, before anybody is asked to type; the result
// turns it on again.
func quiet(tty io.ReadWriteCloser) func() {
	f, ok := tty.(*os.File)
	if !ok {
		return func() {}
	}
	old, err := unix.IoctlGetTermios(int(f.Fd()), getTermios)
	if err != nil {
		return func() {}
	}
	off := *old
	off.Lflag &^= unix.ECHO
	_ = unix.IoctlSetTermios(int(f.Fd()), setTermios, &off)
	return func() { _ = unix.IoctlSetTermios(int(f.Fd()), setTermios, old) }
}

// fromTerminal reads without an echo.
func (p *passphraseFrom) fromTerminal(prompt string) (string, error) {
	if p.c.Agent() != "" {
		return "", fault.New(fault.NotPerson, "an agent types no passphrase").Hint("--passphrase-fd N reads it from a file descriptor")
	}
	tty, err := p.c.OpenTTY()
	if err != nil {
		return "", fault.New(fault.Denied, "there is no terminal to ask for the passphrase").Hint("--passphrase-fd 3 3<FILE reads it from a file descriptor")
	}
	defer tty.Close()
	defer quiet(tty)()
	if _, err := io.WriteString(tty, cli.OneLine(prompt)); err != nil {
		return "", err
	}
	var line []byte
	if f, ok := tty.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		line, err = term.ReadPassword(int(f.Fd()))
		_, _ = io.WriteString(tty, "\n")
	} else {
		var text string
		text, err = bufio.NewReader(io.LimitReader(tty, maxPassphrase)).ReadString('\n')
		line = []byte(strings.TrimRight(text, "\r\n"))
	}
	if err != nil && len(line) == 0 {
		return "", fault.New(fault.Denied, "no passphrase was typed")
	}
	return string(line), nil
}
