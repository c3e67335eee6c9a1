package shelltest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Screen is what a terminal of fixed size shows. It understands the part of
// ECMA-48 and xterm's control sequences that line editors use: cursor moves,
// erasing, inserting and deleting, wrapping at the last column, scrolling, and
// the style of characters (style.go). Its zero value is not usable; call NewScreen.
type Screen struct {
	rows, cols int
	cells      [][]Cell
	style      Style // of what is written next
	row, col   int
	wrap       bool // the last column is written and the next character wraps
	saved      [2]int
	top, bot   int // scroll region, inclusive
	pending    []byte
	reply      []byte // answers to the program's queries
	bells      int
}

// NewScreen returns an empty screen.
func NewScreen(rows, cols int) *Screen {
	s := &Screen{rows: rows, cols: cols, bot: rows - 1}
	for range rows {
		s.cells = append(s.cells, s.blank())
	}
	return s
}

func (s *Screen) blank() []Cell {
	line := make([]Cell, s.cols)
	for i := range line {
		line[i].Rune = ' '
	}
	return line
}

// Cursor returns the cursor's row and column, from 0.
func (s *Screen) Cursor() (row, col int) { return s.row, s.col }

// Bells returns how often the bell rang.
func (s *Screen) Bells() int { return s.bells }

// Row returns the text of a row, without the blanks at its end; "" for a row
// that the screen does not have.
func (s *Screen) Row(n int) string {
	if n < 0 || n >= s.rows {
		return ""
	}
	return strings.TrimRight(s.text(s.cells[n]), " ")
}

// Before returns the text left of the cursor in its row, blanks included.
func (s *Screen) Before() string {
	return s.text(s.cells[s.row][:min(s.col, s.cols)])
}

// After returns the text at and right of the cursor in its row, without the
// blanks at its end.
func (s *Screen) After() string {
	return strings.TrimRight(s.text(s.cells[s.row][min(s.col, s.cols):]), " ")
}

func (s *Screen) text(cells []Cell) string {
	var b strings.Builder
	for _, c := range cells {
		if c.Rune != 0 {
			b.WriteRune(c.Rune)
		}
	}
	return b.String()
}

// String returns all rows, each ended by a newline, without the empty ones at
// the end.
func (s *Screen) String() string {
	var b strings.Builder
	for i := range s.rows {
		b.WriteString(s.Row(i))
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Write shows what a program sends. It never fails.
func (s *Screen) Write(p []byte) (int, error) {
	s.pending = append(s.pending, p...)
	for len(s.pending) > 0 {
		n := s.step(s.pending)
		if n == 0 {
			break
		}
		s.pending = s.pending[n:]
	}
	return len(p), nil
}

// step consumes one character or control sequence from b and returns its
// length, 0 if it is not whole yet.
func (s *Screen) step(b []byte) int {
	c := b[0]
	switch {
	case c == 0x1b:
		return s.escape(b)
	case c < 0x20 || c == 0x7f:
		s.control(c)
		return 1
	}
	if !utf8.FullRune(b) {
		return 0
	}
	r, n := utf8.DecodeRune(b)
	s.put(r)
	return n
}

func (s *Screen) control(c byte) {
	switch c {
	case '\a':
		s.bells++
	case '\b':
		s.move(s.row, s.col-1)
	case '\t':
		s.move(s.row, s.col/8*8+8)
	case '\n', '\v', '\f':
		s.feed()
	case '\r':
		s.move(s.row, 0)
	}
}

// put writes one character at the cursor.
func (s *Screen) put(r rune) {
	w := width(r)
	if w == 0 {
		return
	}
	if s.wrap || s.col+w > s.cols {
		s.col = 0
		s.feed()
		s.wrap = false
	}
	s.cells[s.row][s.col] = Cell{r, s.style}
	if w == 2 {
		s.cells[s.row][s.col+1] = Cell{0, s.style}
	}
	s.col += w
	if s.col >= s.cols {
		s.col = s.cols - 1
		s.wrap = true
	}
}

// width is the number of columns of a character: 0, 1 or 2.
func width(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
		r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

func (s *Screen) move(row, col int) {
	s.row = max(0, min(row, s.rows-1))
	s.col = max(0, min(col, s.cols-1))
	s.wrap = false
}

// feed moves down one row and scrolls at the end of the region.
func (s *Screen) feed() {
	s.wrap = false
	if s.row == s.bot {
		s.scroll(s.top, 1)
		return
	}
	s.row = min(s.row+1, s.rows-1)
}

// scroll removes n rows at row from and adds as many at the end of the region;
// a negative n adds rows at from and drops as many at the end.
func (s *Screen) scroll(from, n int) {
	for ; n > 0; n-- {
		copy(s.cells[from:s.bot+1], s.cells[from+1:s.bot+1])
		s.cells[s.bot] = s.blank()
	}
	for ; n < 0; n++ {
		copy(s.cells[from+1:s.bot+1], s.cells[from:s.bot])
		s.cells[from] = s.blank()
	}
}

func (s *Screen) erase(row, from, to int) {
	for i := max(0, from); i < min(to, s.cols); i++ {
		s.cells[row][i] = Cell{Rune: ' '}
	}
}

// escape reads a sequence that begins with ESC.
func (s *Screen) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				s.csi(string(b[2:i]), b[i])
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_', '^': // a string, up to BEL or ESC \
		for i := 2; i < len(b); i++ {
			if b[i] == '\a' {
				return i + 1
			}
			if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
				return i + 2
			}
		}
		return 0
	case '(', ')', '*', '+', '#', '%', ' ':
		if len(b) < 3 {
			return 0
		}
		return 3
	case 'M':
		if s.row == s.top {
			s.scroll(s.top, -1)
		} else {
			s.move(s.row-1, s.col)
		}
	case 'D':
		s.feed()
	case 'E':
		s.col = 0
		s.feed()
	case '7':
		s.saved = [2]int{s.row, s.col}
	case '8':
		s.move(s.saved[0], s.saved[1])
	}
	return 2
}

// csi carries out the sequence ESC [ params final.
func (s *Screen) csi(params string, final byte) {
	if params != "" && strings.IndexByte("?><=", params[0]) >= 0 {
		return // modes and queries of a private kind
	}
	p := numbers(params)
	n := max(1, arg(p, 0, 1))
	switch final {
	case 'A':
		s.move(s.row-n, s.col)
	case 'B', 'e':
		s.move(s.row+n, s.col)
	case 'C', 'a':
		s.move(s.row, s.col+n)
	case 'D':
		s.move(s.row, s.col-n)
	case 'E':
		s.move(s.row+n, 0)
	case 'F':
		s.move(s.row-n, 0)
	case 'G', '`':
		s.move(s.row, n-1)
	case 'd':
		s.move(n-1, s.col)
	case 'H', 'f':
		s.move(n-1, max(1, arg(p, 1, 1))-1)
	case 'J':
		s.eraseScreen(arg(p, 0, 0))
	case 'K':
		s.eraseLine(arg(p, 0, 0))
	case 'X':
		s.erase(s.row, s.col, s.col+n)
	case '@':
		line := s.cells[s.row]
		n = min(n, s.cols-s.col)
		copy(line[s.col+n:], line[s.col:])
		s.erase(s.row, s.col, s.col+n)
	case 'P':
		line := s.cells[s.row]
		n = min(n, s.cols-s.col)
		copy(line[s.col:], line[s.col+n:])
		s.erase(s.row, s.cols-n, s.cols)
	case 'L':
		s.scroll(s.row, -min(n, s.rows))
	case 'M':
		s.scroll(s.row, min(n, s.rows))
	case 'S':
		s.scroll(s.top, min(n, s.rows))
	case 'T':
		s.scroll(s.top, -min(n, s.rows))
	case 'r':
		s.top = max(0, arg(p, 0, 1)-1)
		s.bot = min(s.rows, arg(p, 1, s.rows)) - 1
		s.move(0, 0)
	case 's':
		s.saved = [2]int{s.row, s.col}
	case 'u':
		s.move(s.saved[0], s.saved[1])
	case 'n':
		switch n {
		case 5:
			s.reply = append(s.reply, "\x1b[0n"...)
		case 6:
			s.reply = append(s.reply, "\x1b["+itoa(s.row+1)+";"+itoa(s.col+1)+"R"...)
		}
	case 'c':
		s.reply = append(s.reply, "\x1b[?1;2c"...)
	case 'm':
		s.style.set(p)
	}
}

func (s *Screen) eraseScreen(mode int) {
	switch mode {
	case 0:
		s.erase(s.row, s.col, s.cols)
		for i := s.row + 1; i < s.rows; i++ {
			s.erase(i, 0, s.cols)
		}
	case 1:
		for i := range s.row {
			s.erase(i, 0, s.cols)
		}
		s.erase(s.row, 0, s.col+1)
	default:
		for i := range s.rows {
			s.erase(i, 0, s.cols)
		}
	}
}

func (s *Screen) eraseLine(mode int) {
	switch mode {
	case 0:
		s.erase(s.row, s.col, s.cols)
	case 1:
		s.erase(s.row, 0, s.col+1)
	default:
		s.erase(s.row, 0, s.cols)
	}
}

// numbers reads "1;2" into its numbers; an empty one is -1.
func numbers(params string) []int {
	if params == "" {
		return nil
	}
	var out []int
	for _, f := range strings.FieldsFunc(strings.ReplaceAll(params, ";", "; "), func(r rune) bool { return r == ';' }) {
		n, seen := 0, false
		for _, c := range strings.TrimSpace(f) {
			if c >= '0' && c <= '9' && n < 1<<16 {
				n, seen = n*10+int(c-'0'), true
			}
		}
		if !seen {
			n = -1
		}
		out = append(out, n)
	}
	return out
}

// arg returns the i-th number, or def if it is not given.
func arg(p []int, i, def int) int {
	if i >= len(p) || p[i] < 0 {
		return def
	}
	return p[i]
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}
