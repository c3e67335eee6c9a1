package shape

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

const (
	maxHold = 1 << 20 // bytes of an unfinished line that are held
	maxShow = 2000    // bytes of a line that are shown

	longHead = 600 // of a line longer than that: its begin,
	longTail = 200 // its end,
	around   = 120 // and as much on both sides of what is looked for,
	maxSpots = 6   // at most so many times
)

// line is one line of output as a terminal would leave it: without its end,
// escape sequences and what was overwritten.
type line struct {
	n    int    // its place in the output, from 0
	text []byte // valid until the next line
	cut  int    // bytes that were let go, marked in the text
}

// cleaner cuts output into lines and cleans them.
type cleaner struct {
	emit  func(line)               // takes each line
	aside func(n int, text string) // takes an overwritten frame that tells of an error
	find  func([]byte) int         // the place of what a long line is shortened around, or -1

	buf    []byte // the unfinished line
	prefix []byte // what is shown of the part of it that was let go
	cut    int    // bytes of that part that are not
	strip  []byte
	n      int

	ansi   bool
	frames int
}

func (c *cleaner) Write(p []byte) (int, error) {
	size := len(p)
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		switch {
		case i < 0:
			c.hold(p)
			return size, nil
		case len(c.buf) == 0 && len(c.prefix) == 0:
			c.end(p[:i])
		default:
			c.hold(p[:i])
			c.end(c.buf)
			c.buf = c.buf[:0]
		}
		p = p[i+1:]
	}
	return size, nil
}

// Close takes what stands after the last line end.
func (c *cleaner) Close() {
	if len(c.buf) > 0 || len(c.prefix) > 0 {
		c.end(c.buf)
		c.buf = nil
	}
}

func (c *cleaner) hold(p []byte) {
	for len(c.buf)+len(p) > maxHold {
		n := maxHold - len(c.buf)
		c.buf = append(c.buf, p[:n]...)
		p = p[n:]
		c.shrink()
	}
	c.buf = append(c.buf, p...)
}

// shrink lets go of the begin of a line that is too long to hold: of frames all
// but the last, of text all but its begin and what is looked for.
func (c *cleaner) shrink() {
	if i := bytes.LastIndexByte(c.buf, '\r'); i > 0 && i < len(c.buf)-1 {
		text := c.plain(c.buf[:i+1])
		c.overwritten(append(bytes.TrimRight(text, "\r"), '\r'))
		c.buf = append(c.buf[:0], c.buf[i+1:]...)
		c.prefix, c.cut = c.prefix[:0], 0
	}
	if len(c.buf) < maxHold/2 {
		return
	}
	keep := len(c.buf) - 4*maxShow
	for keep > 0 && keep < len(c.buf) && !utf8.RuneStart(c.buf[keep]) {
		keep++
	}
	if len(c.prefix) < 8*maxShow {
		text, cut := shorten(c.plain(c.buf[:keep]), c.find)
		c.prefix, c.cut = append(c.prefix, text...), c.cut+cut
	} else {
		c.cut += keep
	}
	c.buf = append(c.buf[:0], c.buf[keep:]...)
}

func (c *cleaner) end(raw []byte) {
	text := c.plain(raw)
	for len(text) > 0 && text[len(text)-1] == '\r' {
		text = text[:len(text)-1]
	}
	if i := bytes.LastIndexByte(text, '\r'); i >= 0 {
		c.overwritten(text[:i+1])
		text = text[i+1:]
		c.prefix, c.cut = c.prefix[:0], 0
	}
	if bytes.IndexByte(text, '\b') >= 0 {
		text = backspace(text)
	}
	if len(c.prefix) > 0 {
		c.prefix = fmt.Appendf(c.prefix, "…[tmp: %d bytes cut in all]…", c.cut)
		text = append(c.prefix, text...)
	}
	c.emit(line{c.n, text, c.cut})
	c.prefix, c.cut = nil, 0
	c.n++
}

// overwritten counts frames, each ended by a carriage return, and saves those
// that tell of an error.
func (c *cleaner) overwritten(text []byte) {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\r')
		if i < 0 {
			i = len(text) - 1
		}
		if frame := text[:i]; i > 0 {
			c.frames++
			if alarming(frame) {
				text, _ := shorten(frame, c.find)
				c.aside(c.n, string(text))
			}
		}
		text = text[i+1:]
	}
}

// shorten cuts a text that is too long to show around what find finds; the cuts
// are marked and fall between characters. cut is the number of bytes left out.
func shorten(text []byte, find func([]byte) int) (short []byte, cut int) {
	if len(text) <= maxShow {
		return text, 0
	}
	out := append([]byte(nil), text[:floorRune(text, longHead)]...)
	at := len(out)
	end := floorRune(text, len(text)-longTail)
	gap := func(n int) {
		if n > 0 {
			cut += n
			out = fmt.Appendf(out, "…[tmp: %d bytes cut]…", n)
		}
	}
	for range maxSpots {
		i := find(text[at:end])
		if i < 0 {
			break
		}
		from, to := floorRune(text, max(at, at+i-around)), floorRune(text, min(end, at+i+2*around))
		gap(from - at)
		out = append(out, text[from:to]...)
		at = to
	}
	gap(end - at)
	return append(out, text[end:]...), cut
}

// floorRune returns the begin of the character that stands at i.
func floorRune(b []byte, i int) int {
	if i <= 0 {
		return 0
	}
	if i >= len(b) {
		return len(b)
	}
	for j := i; j > i-utf8.UTFMax && j > 0; j-- {
		if utf8.RuneStart(b[j]) {
			return j
		}
	}
	return i
}

// plain removes escape sequences (ECMA-48: CSI, OSC and other strings, and
// those with intermediate bytes).
func (c *cleaner) plain(s []byte) []byte {
	i := bytes.IndexByte(s, 0x1b)
	if i < 0 {
		return s
	}
	c.ansi = true
	out := c.strip[:0]
	for i >= 0 {
		out = append(out, s[:i]...)
		s = s[i+escape(s[i:]):]
		i = bytes.IndexByte(s, 0x1b)
	}
	out = append(out, s...)
	c.strip = out
	return out
}

// escape returns the length of the escape sequence that s begins with. One that
// is not finished ends before the first byte that cannot be its; a string
// without an end is only its introducer, so that no text is lost in it.
func escape(s []byte) int {
	if len(s) < 2 {
		return len(s)
	}
	i := 2
	switch b := s[1]; {
	case b == '[':
		for i < len(s) && s[i] >= 0x20 && s[i] < 0x40 {
			i++
		}
		if i < len(s) && s[i] >= 0x40 && s[i] <= 0x7e {
			i++
		}
	case b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_':
		for j := i; j < len(s); j++ {
			switch {
			case s[j] == 0x07:
				return j + 1
			case s[j] == 0x1b && j+1 < len(s) && s[j+1] == '\\':
				return j + 2
			case s[j] == 0x1b || s[j] == '\r':
				return i
			}
		}
	case b >= 0x20 && b < 0x30:
		for i < len(s) && s[i] >= 0x20 && s[i] < 0x30 {
			i++
		}
		if i < len(s) && s[i] >= 0x30 && s[i] <= 0x7e {
			i++
		}
	case b < 0x20 || b > 0x7e:
		return 1
	}
	return i
}

// backspace deletes the character before each backspace.
func backspace(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for _, b := range s {
		if b != '\b' {
			out = append(out, b)
		} else if len(out) > 0 {
			_, n := utf8.DecodeLastRune(out)
			out = out[:len(out)-n]
		}
	}
	return out
}
