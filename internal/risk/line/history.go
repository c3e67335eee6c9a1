package line

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// history takes a command of a prompt's line that names earlier lines (!!,
// !rm, !$, ^old^new) for one that cannot be analysed: what it stands for is the
// shell's to know. In a script ! has no such meaning.
func (r *run) history(c *command) bool {
	if r.text.options.Expanded || r.text.dialect == shline.Fish || r.text.options.Posix || r.text.literal || r.text.call != nil {
		return false
	}
	for i, w := range c.words {
		if recalls(w.Raw, i == 0) || i == 0 && w.Start == 0 && strings.HasPrefix(w.Raw, "^") && strings.Count(w.Raw, "^") > 1 {
			r.add(Finding{
				Span: r.text.at(w.Start, w.End), Level: tcpdb.High, Rule: "not-analysed",
				Reason: "not analysed: stands for an earlier line",
			})
			return true
		}
	}
	return false
}

// recalls reports whether a whole word is a history reference. Among arguments
// only the forms count that are hardly anything else.
func recalls(raw string, command bool) bool {
	rest, ok := strings.CutPrefix(raw, "!")
	if !ok || rest == "" {
		return false
	}
	switch c := rest[0]; {
	case c == '!' || c == '$' || c == '*' || c == '^':
		return len(rest) == 1 || rest[1] == ':'
	case c == '-' || c == '?' || c >= '0' && c <= '9':
		return command
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '/' || c == '.':
		return command
	}
	return false
}
