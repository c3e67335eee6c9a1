package shells

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// replyBash writes rows for COMPREPLY. They are what is inserted, except where
// bash only lists: there each has its description beside it.
func (c *Call) replyBash(m matches) string {
	rows, extra := m.rows, ""
	switch c.Kind {
	case KindMenu, KindInsertAll:
		// These insert blindly, one Tab or one key after the other.
		rows = nil
		for _, r := range m.rows {
			if r.mark == "" {
				rows = append(rows, r)
			}
		}
		if len(rows) == 0 {
			return "none\n"
		}
	default:
		if m.hold && len(rows) == 1 {
			return "hold " + rows[0].display + "  " + rows[0].note + "\n"
		}
		extra = c.bashExtra(m)
	}
	if c.Limit == nil && len(rows) > bashRows {
		rows = rows[:bashRows]
	}
	var b strings.Builder
	b.WriteString(m.head)
	if len(rows) == 1 && extra == "" && rows[0].nospace {
		b.WriteString(" nospace")
	}
	b.WriteString(m.notice)
	b.WriteByte('\n')
	c.bashRows(&b, rows, extra, m.omitted)
	return b.String()
}

// bashExtra is a row that is no match: it shares no beginning with the others,
// so that readline inserts nothing, or it says that there are more.
func (c *Call) bashExtra(m matches) string {
	if m.omitted > 0 {
		return c.more(m.omitted)
	}
	if len(m.rows) == 1 && !m.alone && (m.rows[0].nospace && m.quoted || !m.quoted && c.outerQuote()) {
		// A value that goes on in an open quote, or a command in one: beside
		// another that begins with it readline does not close the quote.
		return m.rows[0].text + " "
	}
	if c.Kind != KindList && m.stuck && common(m.rows) != "" && (len(m.rows) > 1 || m.alone) {
		return " "
	}
	return ""
}

// outerQuote reports whether a quote is open where Word begins, as readline sees it,
// though the word is in none: that of "$(command word.
func (c *Call) outerQuote() bool {
	var q byte
	left := c.Left[:len(c.Left)-len(c.Word)]
	for i := 0; i < len(left); i++ {
		switch b := left[i]; {
		case b == '\\' && q != '\'':
			i++
		case q != 0 && b == q:
			q = 0
		case q == 0 && (b == '"' || b == '\''):
			q = b
		}
	}
	return q != 0
}

// listing reports whether bash will show the rows.
func (c *Call) listing() bool {
	return c.Kind == KindList || c.Kind == KindListCommon || c.Kind == KindListStuck
}

// bashRows writes the rows, with their notes if they are for a list of more
// than one: a single row may be inserted.
func (c *Call) bashRows(b *strings.Builder, rows []row, extra string, omitted int) {
	noted := false
	for _, r := range rows {
		noted = noted || r.note != ""
	}
	if c.Kind == KindList && len(rows) > 1 {
		// Nothing will be inserted: the list shows what is meant.
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i].text = oneLine(rows[i].display)
		}
	}
	noted = noted && c.listing() && len(rows) > 1
	if c.listing() && c.Limit == nil && len(rows) > 1 && c.Rows > 4 {
		rows, extra, noted = c.bashScreen(rows, extra, omitted, noted)
	}
	if noted {
		c.bashTable(b, rows)
	} else {
		size := len(extra) + 1
		for i := range rows {
			size += len(rows[i].text) + 1
		}
		b.Grow(size)
		for i := range rows {
			b.WriteString(rows[i].text)
			b.WriteByte('\n')
		}
	}
	if extra != "" {
		b.WriteString(extra)
		b.WriteByte('\n')
	}
}

// bashScreen makes a list fit the screen: of a longer one readline shows a page
// and waits for a key ("--More--"). What is too long with its notes, one row
// below the other, is listed without them, but with its marks; what is too long
// even so ends with how many more there are.
func (c *Call) bashScreen(rows []row, extra string, omitted int, noted bool) ([]row, string, bool) {
	room := c.Rows - 2
	count := len(rows)
	if extra != "" {
		count++
	}
	if noted && count > room && c.Kind == KindList {
		plain := slices.Clone(rows)
		for i, r := range plain {
			plain[i].text = strings.TrimSpace(r.text + " " + r.mark)
		}
		if c.abreast(plain, extra)*room >= count {
			return plain, extra, false
		}
	}
	abreast := 1
	if !noted {
		abreast = c.abreast(rows, extra)
	}
	if keep := abreast*room - 1; count > keep+1 {
		extra = c.more(omitted + len(rows) - keep)
		rows = rows[:keep]
	}
	return rows, extra, noted
}

// abreast is how many of the rows readline sets side by side (display_matches in
// its complete.c: two blanks behind the longest, and not to the last column).
func (c *Call) abreast(rows []row, extra string) int {
	longest := screen.Width(extra)
	for _, r := range rows {
		longest = max(longest, screen.Width(r.text))
	}
	n := c.Columns / (longest + 2)
	if n > 1 && n*(longest+2) == c.Columns {
		n--
	}
	return max(n, 1)
}

// bashTable writes rows of one width, more than half the screen, so that
// readline sets them one below the other. The first token stays what would be
// inserted: readline still inserts what the rows have in common.
func (c *Call) bashTable(b *strings.Builder, rows []row) {
	left := 0
	for _, r := range rows {
		left = max(left, screen.Width(r.text))
	}
	full := max(c.Columns-1, 20)
	left = min(left, full/2)
	for _, r := range rows {
		line := r.text
		if r.note != "" {
			line += strings.Repeat(" ", max(1, left-screen.Width(r.text)+2)) + r.note
		}
		if c.Kind == KindList || screen.Width(r.text) < full {
			line = c.clip(line, full)
		} else {
			line = screen.Clip(line, full) // what rows have in common is inserted, and dots are in none
		}
		b.WriteString(line)
		b.WriteString(strings.Repeat(" ", max(0, full/2+1-screen.Width(line))))
		b.WriteByte('\n')
	}
}

// clip cuts a text to n columns and says so with dots.
func (c *Call) clip(s string, n int) string {
	if screen.Width(s) <= n {
		return s
	}
	dots := "…"
	if c.ASCII {
		dots = "..."
	}
	return screen.Clip(s, n-screen.Width(dots)) + dots
}
