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
	r.patterns = append(r.patterns, *l)
}

// patterned puts the items of loops over patterns into words, or into what was
// filled in for them; it returns the latter where there are none.
func (r *run) patterned(words, filled []shline.Word) []shline.Word {
	if filled != nil {
		words = filled
	}
	var out []shline.Word
	for i, w := range words {
		items := []shline.Word{w}
		if i > 0 && w.Live {
			if m := r.matched(w); m != nil {
				if out == nil {
					out = slices.Clone(words[:i])
				}
				items = m
			}
		}
		if out != nil {
			out = append(out, items...)
		}
	}
	if out == nil {
		return filled
	}
	return out
}

// matched returns the items of the loop whose variable a word is, or begins or ends
// with: "$f", ./$f; nil for any other.
func (r *run) matched(w shline.Word) []shline.Word {
	raw := strings.TrimSuffix(strings.TrimPrefix(w.Raw, `"`), `"`)
	before, after, ok := strings.Cut(raw, "$")
	name, fallback, rest := reference(after)
	var items []shline.Word
	for i := range r.patterns {
		if r.patterns[i].name == name {
			items = r.patterns[i].items // the last of that name
		}
	}
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
