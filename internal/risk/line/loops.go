package line

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// pattern keeps the items of a loop through what patterns match, for words that
// are its variable: for f in *; do rm "$f"; done does what rm * does.
func (r *run) pattern(l *loop) {
	if len(l.items) > maxLines || slices.ContainsFunc(l.items, func(w shline.Word) bool { return w.Live && !w.Glob }) {
		return
	}
	if r.patterns == nil {
		r.patterns = map[string][]shline.Word{}
	}
	r.patterns[l.name] = l.items
}

// matched returns the items of the loop whose variable a word is, or begins or ends
// with: "$f", ./$f; nil for any other.
func (r *run) matched(w shline.Word) []shline.Word {
	if len(r.patterns) == 0 {
		return nil
	}
	raw := strings.TrimSuffix(strings.TrimPrefix(w.Raw, `"`), `"`)
	before, after, ok := strings.Cut(raw, "$")
	name, fallback, rest := reference(after)
	items := r.patterns[name]
	if !ok || name == "" || fallback != "" || items == nil || strings.ContainsAny(before+rest, "\"'`\\$*?[]{}~") {
		return nil
	}
	if _, set := r.known(name); set {
		return nil // another value by now
	}
	var out []shline.Word
	for _, item := range items {
		item.Text, item.Start, item.End = before+item.Text+rest, w.Start, w.End
		item.Raw = w.Raw
		if strings.ContainsAny(item.Text, "{") {
			return nil
		}
		out = append(out, item)
	}
	return out
}
