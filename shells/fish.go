package shells

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// replyFish writes
//
//	ok [partial] [hold|open] [note TEXT]
//	MESSAGE
//	value TAB description, one a line, 0x1E in it for a newline
//
// With "open" the quote that fish closes behind the only value is to be opened
// again: the value is the beginning of a line.
//
// fish quotes what it inserts, so the values are as the tool gets them, but
// with the part that stands for an expansion as it was typed.
func (c *Call) replyFish(m matches) string {
	var b strings.Builder
	b.WriteString(m.head)
	rows := m.rows
	held := m.hold && len(rows) == 1
	if held {
		b.WriteString(" hold")
	}
	if held || m.alone || m.stuck && !m.loose && len(rows) > 1 {
		// With what is typed as one more of them nothing is inserted and the
		// pager opens. Matches that do not begin with it have nothing in common
		// for fish, and would be dropped beside one that does.
		rows = append(rows, row{text: shline.At(shline.Fish, c.Left, len(c.Left)).Cursor.Text})
	}
	if c.goesOn(m) && len(rows) == 1 {
		b.WriteString(" open")
	}
	b.WriteString(m.notice)
	b.WriteByte('\n')
	message := m.message
	if more := c.more(m.omitted); more != "" {
		message = strings.TrimSpace(message + " " + more)
	}
	b.WriteString(message)
	b.WriteByte('\n')
	for _, r := range rows {
		if r.nospace {
			r.text = strings.TrimSuffix(r.text, " ")
		}
		b.WriteString(r.text)
		if r.note != "" {
			b.WriteByte('\t')
			b.WriteString(r.note)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// goesOn reports whether the rows are a line in an open quote, whose next word is
// to follow.
func (c *Call) goesOn(m matches) bool {
	return !m.loose && !m.hold && m.rows[0].nospace && strings.HasSuffix(m.rows[0].text, " ") &&
		shline.At(shline.Fish, c.Left, len(c.Left)).Cursor.Open != shline.Unquoted
}

// forFish is what the text means to fish, with expansions as typed. It is false
// for what fish cannot be told. A tab in a value ends it; a control
// character from beyond ASCII would reach the terminal as it is. Of what has to
// be escaped fish forgets a space from beyond ASCII, and a ~ at the start, which
// would be a home: a file can be written otherwise.
func (c *Call) forFish(at shline.Context, text string, cand completion.Candidate) (value string, ok bool) {
	line := "x " + text
	value = shline.At(shline.Fish, line, len(line)).Cursor.Text
	if strings.HasPrefix(text, `\~`) && !strings.HasPrefix(at.Cursor.Raw, `\~`) {
		if cand.Kind != "file" && cand.Kind != "directory" {
			return "", false
		}
		value = "./" + value
	}
	if strings.HasPrefix(value, "./") && !strings.HasPrefix(at.Cursor.Raw, ".") && strings.HasPrefix(c.Dir, "/") {
		// A file whose name would be an option. fish offers what begins with a dot
		// only to one that is typed.
		value = strings.TrimSuffix(c.Dir, "/") + value[1:]
	}
	for i := 1; i < len(text); i++ {
		if text[i-1] == '\\' && text[i] >= 0x80 {
			return "", false
		}
	}
	if strings.ContainsAny(value, "\x1e\t") {
		return "", false
	}
	value = strings.ReplaceAll(value, "\n", "\x1e")
	return value, !strings.ContainsFunc(value, func(c rune) bool { return c >= 0x80 && c < 0xa0 })
}
