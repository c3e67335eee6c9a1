package completion

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// insertions fills what is inserted and shown.
func (t *target) insertions(cs []Candidate, items []item, covers bool) {
	for i := range cs {
		c := &cs[i]
		if !covers && t.suffix != "" {
			c.NoSpace = true // the text right of the cursor goes on, in its quotes
		}
		c.Insert = shline.Quote(t.dialect, c.Value, t.cursor, c.NoSpace)
		shown := items[i].display
		if shown == "" {
			shown = c.Value
		}
		c.Display = Clean(shown)
		c.Description = Clean(c.Description)
	}
}

// maxShown is how many bytes of a value or description a list shows at most.
const maxShown = 300

// Clean makes text fit to be shown on a terminal, in one line: control
// characters, marks that change the direction of text, invisible characters
// and bytes that are no UTF-8 become visible escapes, a long text is cut with "…".
func Clean(s string) string {
	if len(s) <= maxShown && printable(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if b.Len() >= maxShown {
			b.WriteString("…")
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case !visible(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// printable reports whether s is plain ASCII or visible UTF-8.
func printable(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] == 0x7f {
			return false
		}
		if s[i] >= utf8.RuneSelf {
			return visibleUTF8(s[i:])
		}
	}
	return true
}

func visibleUTF8(s string) bool {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") || r < 0x20 || r == 0x7f || !visible(r) {
			return false
		}
	}
	return true
}

// visible reports whether a rune shows as itself and moves nothing else:
// no C1 controls, no format characters (directional marks, zero-width), no
// line or paragraph separators, nothing unassigned or private.
func visible(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 0x20 && r != 0x7f
	}
	return unicode.IsGraphic(r) && r != '\u2028' && r != '\u2029'
}
