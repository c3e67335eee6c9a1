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
	if m.hold && len(rows) == 1 {
		// With what is typed as a second one nothing is inserted and the pager opens.
		b.WriteString(" hold")
		at := shline.At(shline.Fish, c.Left, len(c.Left))
		rows = append(rows, row{text: at.Cursor.Raw, value: at.Cursor.Text})
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
