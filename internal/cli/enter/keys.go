package enter

import (
	"os"
	"os/signal"
	"syscall"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// terminal is the person's terminal in raw mode: keys come as they are, Ctrl-C
// too. Signals end the question as a no, with the terminal as it was.
type terminal struct {
	f       *os.File
	fd      int
	old     *term.State
	style   screen.Style
	signals chan os.Signal
	wake    [2]*os.File // a byte in the pipe says that a signal came, 1 that the window has another size
	gone    bool        // nothing more can be read
	getenv  func(string) string
	redraw  func() // writes the question again
	typed   []rune // of the word that it waits for
}

// seize puts the terminal into raw mode and drops what was typed before: it
// answers nothing.
func seize(f *os.File, getenv func(string) string) (*terminal, error) {
	t := &terminal{f: f, fd: int(f.Fd()), signals: make(chan os.Signal, 1), getenv: getenv}
	var err error
	if t.wake[0], t.wake[1], err = os.Pipe(); err != nil {
		return nil, err
	}
	// In the background neither of these may stop us: the shell would hang.
	signal.Ignore(unix.SIGTTOU, unix.SIGTTIN)
	signal.Notify(t.signals, unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGTSTP, unix.SIGWINCH)
	go func(signals chan os.Signal, w *os.File) {
		for s := range signals {
			kind := byte(0)
			if s == unix.SIGWINCH {
				kind = resized
			}
			_, _ = w.Write([]byte{kind})
		}
	}(t.signals, t.wake[1])
	if t.old, err = term.MakeRaw(t.fd); err != nil {
		t.close()
		return nil, err
	}
	_ = flush(t.fd)
	t.measure()
	return t, nil
}

// resized is what a new size of the window writes into the pipe.
const resized = 1

func (t *terminal) measure() {
	t.style = styleOf(t.fd, t.getenv)
	t.style.EOL = "\r\n"
}

// settle is how long the shell gets to draw its prompt again in a window of
// another size: zsh does so over the question.
const settle = 100 * time.Millisecond

// interrupted reads what the pipe holds, and writes the question again if it is
// only that the window has another size. It is true for a signal that is a no.
func (t *terminal) interrupted() bool {
	var b [64]byte
	for {
		n, err := t.wake[0].Read(b[:])
		if err != nil {
			return true
		}
		for _, kind := range b[:n] {
			if kind != resized {
				return true
			}
		}
		if !t.waits(int(t.wake[0].Fd()), settle) {
			break
		}
	}
	if t.measure(); t.redraw != nil {
		t.redraw()
	}
	return false
}

// waits reports whether something can be read within a time.
func (t *terminal) waits(fd int, most time.Duration) bool {
	var set unix.FdSet
	set.Set(fd)
	tv := unix.NsecToTimeval(int64(most))
	n, err := unix.Select(fd+1, &set, nil, nil, &tv)
	return err == nil && n > 0
}

// styleOf returns how to write on a terminal.
func styleOf(fd int, getenv func(string) string) screen.Style {
	st := screen.Style{Columns: 80, EOL: "\n"}
	if w, _, err := term.GetSize(fd); err == nil && w > 0 {
		st.Columns = max(w, 12)
	}
	kind := getenv("TERM")
	st.Colour = getenv("NO_COLOR") == "" && kind != "" && kind != "dumb"
	return st
}

// close gives the terminal back as it was.
func (t *terminal) close() {
	if t.old != nil {
		_ = term.Restore(t.fd, t.old)
	}
	signal.Stop(t.signals)
	signal.Reset(unix.SIGTTOU, unix.SIGTTIN)
	close(t.signals)
	_ = t.wake[1].Close()
	_ = t.wake[0].Close()
}

func (t *terminal) print(s string) { _, _ = t.f.WriteString(s) }

// Keys that are no characters.
const (
	keyCancel  = -1 - iota // Ctrl-C, Escape, a signal
	keyIgnored             // an arrow, a function key, a paste: read whole, means nothing
	keyEnter
	keyErase // backspace
	keyClear // Ctrl-U, Ctrl-W
	keyEnd   // Ctrl-D, which is how a terminal tells the end of its input, or the terminal is gone
)

// pause is how long the rest of a sequence may take after its first byte.
const pause = 50 * time.Millisecond

// key reads one key, whole.
func (t *terminal) key() rune {
	c, ok := t.read(-1)
	if !ok {
		if t.gone {
			return keyEnd
		}
		return keyCancel
	}
	switch {
	case c == '\r' || c == '\n':
		return keyEnter
	case c == 8 || c == 127:
		return keyErase
	case c == 21 || c == 23:
		return keyClear
	case c == 27:
		return t.sequence()
	case c == 4:
		return keyEnd
	case c == 3 || c == 7 || c == 26 || c == 28:
		return keyCancel
	case c < ' ':
		return keyIgnored
	}
	return t.rest(c)
}

// rest reads the rest of a UTF-8 sequence.
func (t *terminal) rest(first byte) rune {
	if first < utf8.RuneSelf {
		return rune(first)
	}
	b := []byte{first}
	for len(b) < utf8.UTFMax && !utf8.FullRune(b) {
		c, ok := t.read(pause)
		if !ok {
			return keyIgnored
		}
		b = append(b, c)
	}
	r, _ := utf8.DecodeRune(b)
	if r == utf8.RuneError {
		return keyIgnored
	}
	return r
}

// sequence reads what follows an Escape: nothing, if it was the key itself.
func (t *terminal) sequence() rune {
	c, ok := t.read(pause)
	if !ok {
		return keyCancel
	}
	switch c {
	case 27:
		return keyCancel
	case 'O':
		_, _ = t.read(pause)
	case '[':
		t.control()
	case ']', 'P', '^', '_', 'X': // until BEL or ESC \
		for last := byte(0); ; last = c {
			if c, ok = t.read(pause); !ok || c == 7 || last == 27 && c == '\\' {
				break
			}
		}
	default:
		_ = t.rest(c) // Alt and a character
	}
	return keyIgnored
}

// control reads a control sequence to its final byte (ECMA-48 §5.4), and a
// bracketed paste to its end.
func (t *terminal) control() {
	var args []byte
	for {
		c, ok := t.read(pause)
		if !ok {
			return
		}
		if c >= 0x40 && c <= 0x7e {
			if string(args)+string(rune(c)) == "200~" {
				t.paste()
			}
			return
		}
		if args = append(args, c); len(args) > 64 {
			return
		}
	}
}

// paste reads to the end of a bracketed paste.
func (t *terminal) paste() {
	const end = "\x1b[201~"
	for matched := 0; matched < len(end); {
		c, ok := t.read(time.Second)
		switch {
		case !ok:
			return
		case c == end[matched]:
			matched++
		case c == end[0]:
			matched = 1
		default:
			matched = 0
		}
	}
}

// read reads one byte. It is false at the end of input, after a signal, and
// when nothing comes in time; a negative time waits for ever.
func (t *terminal) read(most time.Duration) (byte, bool) {
	wake := int(t.wake[0].Fd())
	for {
		var set unix.FdSet
		set.Set(t.fd)
		set.Set(wake)
		var timeout *unix.Timeval
		if most >= 0 {
			tv := unix.NsecToTimeval(int64(most))
			timeout = &tv
		}
		n, err := unix.Select(max(t.fd, wake)+1, &set, nil, nil, timeout)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return 0, false
		}
		if set.IsSet(wake) {
			if t.interrupted() {
				return 0, false
			}
			continue
		}
		var b [1]byte
		n, err = unix.Read(t.fd, b[:])
		if err == syscall.EINTR || err == syscall.EAGAIN {
			continue
		}
		t.gone = n != 1 || err != nil
		return b[0], !t.gone
	}
}

// word reads a line and echoes it; "" is a no. It is not ok at the end of input.
func (t *terminal) word() (text string, ok bool) {
	erase := func(n int) {
		for range n {
			t.typed = t.typed[:len(t.typed)-1]
			t.print("\b \b")
		}
	}
	for {
		switch r := t.key(); r {
		case keyEnter:
			return string(t.typed), true
		case keyCancel:
			return "", true
		case keyEnd:
			return "", false
		case keyErase:
			erase(min(len(t.typed), 1))
		case keyClear:
			erase(len(t.typed))
		case keyIgnored:
		default:
			// What is wider than a column cannot be erased; no word has it.
			if len(t.typed) < 64 && r > ' ' && r < 127 {
				t.typed = append(t.typed, r)
				t.print(string(r))
			}
		}
	}
}
