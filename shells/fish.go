package shells

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// replyFish writes
//
//	ok [hold]
//	MESSAGE
//	value TAB description, one a line
//
// fish quotes what it inserts, so the values are as the tool gets them, but
// with the part that stands for an expansion as it was typed.
func (c *Call) replyFish(m matches) string {
	var b strings.Builder
	b.WriteString("ok")
	rows := m.rows
	held := m.hold && len(rows) == 1
	if held {
		b.WriteString(" hold")
	}
	if held || m.alone || m.stuck && !m.loose && len(rows) > 1 {
		// With what is typed as one more of them nothing is inserted and the
		// pager opens. Matches that do not begin with it have nothing in common
		// for fish, and would be dropped beside one that does.
		rows = append(rows, row{text: shline.At(shline.Fish, c.Left, len(c.Left)).Cursor.Raw})
	}
	b.WriteByte('\n')
	message := m.message
	if more := c.more(m.omitted); more != "" {
		message = strings.TrimSpace(message + " " + more)
	}
	b.WriteString(message)
	b.WriteByte('\n')
	for _, r := range rows {
		b.WriteString(fishValue(r))
		if r.note != "" {
			b.WriteByte('\t')
			b.WriteString(r.note)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// fishValue is what the text means to fish, with expansions as typed.
func fishValue(r row) string {
	line := "x " + r.text
	return shline.At(shline.Fish, line, len(line)).Cursor.Text
}
