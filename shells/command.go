package shells

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/completion"
)

// ParseCommandCall reads a call of bash's "complete -C tmp-tab command": three
// arguments (the command, the word, the word before), the line, COMP_POINT and
// COMP_TYPE. Bash counts COMP_POINT in the characters of its locale; its
// environment may not tell which that is, but the word must end there.
func ParseCommandCall(args []string, line, point, kind string, utf8Locale bool) (*Call, error) {
	if len(args) != 3 {
		return nil, usage("%d arguments beside COMP_LINE: want the command, the word and the word before", len(args))
	}
	n, err := strconv.Atoi(point)
	if err != nil || n < 0 {
		n = len(line)
	}
	c := &Call{Shell: "bash", Kind: KindTab, Columns: 80, command: true}
	if k, err := strconv.Atoi(kind); err == nil {
		c.Kind = k
	}
	bytes, chars := n, byteOffset(line, n)
	at := chars
	if !utf8Locale {
		at = bytes
	}
	c.Left, c.Right = cut(line, at)
	if !strings.HasSuffix(c.Left, args[1]) {
		left, right := cut(line, bytes+chars-at)
		if !strings.HasSuffix(left, args[1]) {
			// Some other program's idea of the word: complete it all the same.
			left, right = c.Left, c.Right
			args = []string{"", "", ""}
		}
		c.Left, c.Right = left, right
	}
	c.Word = args[1]
	// A second Tab asks for a list; readline then inserts an only match if the
	// first Tab inserted nothing.
	c.Armed = c.Kind == KindList
	return c, nil
}

// byteOffset is the offset of the n-th character.
func byteOffset(s string, n int) int {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// replyCommand writes one value a line, without control words: there is no
// hook to read them.
func (c *Call) replyCommand(a completion.Answer) string {
	m := c.matches(a)
	if len(m.rows) == 0 || m.hold && len(m.rows) == 1 {
		return ""
	}
	var b strings.Builder
	for _, r := range m.rows {
		b.WriteString(r.text)
		b.WriteByte('\n')
	}
	if extra := c.bashExtra(m); extra != "" {
		b.WriteString(extra)
		b.WriteByte('\n')
	}
	return b.String()
}
