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
	wake    [2]*os.File // a byte in the pipe says that a signal came
	gone    bool        // nothing more can be read
}

// seize puts the terminal into raw mode and drops what was typed before: it
// answers nothing.
func seize(f *os.File, getenv func(string) string) (*terminal, error) {
	t := &terminal{f: f, fd: int(f.Fd()), signals: make(chan os.Signal, 1)}
	var err error
	if t.wake[0], t.wake[1], err = os.Pipe(); err != nil {
		return nil, err
	}
	// In the background neither of these may stop us: the shell would hang.
	signal.Ignore(unix.SIGTTOU, unix.SIGTTIN)
	signal.Notify(t.signals, unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGTSTP)
	go func(signals chan os.Signal, w *os.File) {
		for range signals {
			_, _ = w.Write([]byte{0})
		}
	}(t.signals, t.wake[1])
	if t.old, err = term.MakeRaw(t.fd); err != nil {
		t.close()
		return nil, err
	}
	_ = flush(t.fd)
	t.style = styleOf(t.fd, getenv)
	t.style.EOL = "\r\n"
	return t, nil
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
		if err != nil || n == 0 || set.IsSet(wake) {
			return 0, false
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
	var word []rune
	erase := func(n int) {
		for range n {
			word = word[:len(word)-1]
			t.print("\b \b")
		}
	}
	for {
		switch r := t.key(); r {
		case keyEnter:
			return string(word), true
		case keyCancel:
			return "", true
		case keyEnd:
			return "", false
		case keyErase:
			erase(min(len(word), 1))
		case keyClear:
			erase(len(word))
		case keyIgnored:
		default:
			// What is wider than a column cannot be erased; no word has it.
			if len(word) < 64 && r > ' ' && r < 127 {
				word = append(word, r)
				t.print(string(r))
			}
		}
	}
}
