package shells

import (
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// replyZsh writes
//
//	ok FLAGS [note TEXT]
//	MESSAGE
//	RUNS
//	texts, one a line
//	lines for the list, as many
//
// FLAGS are of "partial", "stuck" (insert nothing common), "hold" (insert nothing, be
// armed) and "notes" (the lines have descriptions: set them one below the
// other). RUNS are lengths of runs of texts, "3 2- 1": those with "-" are not
// followed by a blank.
func (c *Call) replyZsh(m matches) string {
	var b strings.Builder
	b.WriteString(m.head)
	switch {
	case m.hold && len(m.rows) == 1:
		b.WriteString(" hold")
	case m.stuck && len(m.rows) > 1, m.alone:
		b.WriteString(" stuck")
	}
	left, noted := 0, false
	for _, r := range m.rows {
		left = max(left, screen.Width(r.display))
		noted = noted || r.note != ""
	}
	if noted {
		b.WriteString(" notes")
	}
	b.WriteString(m.notice)
	b.WriteByte('\n')
	message := m.message
	if more := c.more(m.omitted); more != "" {
		message = strings.TrimSpace(message + " " + more)
	}
	b.WriteString(message)
	b.WriteByte('\n')
	writeRuns(&b, m.rows)
	for _, r := range m.rows {
		b.WriteString(r.text)
		b.WriteByte('\n')
	}
	full := max(c.Columns-1, 20)
	left = min(left, full/2)
	for _, r := range m.rows {
		line := oneLine(r.display)
		if r.note != "" {
			line += strings.Repeat(" ", max(1, left-screen.Width(line)+2)) + oneLine(r.note)
		}
		b.WriteString(c.clip(line, full))
		b.WriteByte('\n')
	}
	return b.String()
}

func writeRuns(b *strings.Builder, rows []row) {
	for i := 0; i < len(rows); {
		n := i
		for n < len(rows) && rows[n].nospace == rows[i].nospace {
			n++
		}
		b.WriteString(strconv.Itoa(n - i))
		if rows[i].nospace {
			b.WriteByte('-')
		}
		b.WriteByte(' ')
		i = n
	}
	b.WriteByte('\n')
}
