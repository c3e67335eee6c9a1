package completion

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
)

// operation finds the operation that is being typed: the one whose template,
// cut before a parameter, puts that parameter into the slot at the cursor, and
// of several the one that shares most words with the line.
func (e *Engine) operation(t *target, s slot) (id, parameter string) {
	if t.place != argument {
		return "", ""
	}
	best := 0
	for _, op := range e.Map.Operations() {
		if len(op.Template) == 0 || op.Template[0] != t.bound.Chain[0].Name {
			continue
		}
		for i, word := range op.Template {
			name, ok := placeholder(word)
			if !ok {
				continue
			}
			before := literal(op.Template[:i])
			b := argv.Bind(e.Map, before)
			if b == nil || b.Node().Path != t.bound.Node().Path || !sameSlot(b, word, s) {
				continue
			}
			if n := shared(before, t.bound.Words); n > best {
				best, id, parameter = n, op.ID, name
			}
		}
	}
	return id, parameter
}

// placeholder returns the parameter's name in a template word such as "<bin>"
// or "--bin=<bin>".
func placeholder(word string) (name string, ok bool) {
	_, rest, ok := strings.Cut(word, "<")
	if !ok || !strings.HasSuffix(rest, ">") {
		return "", false
	}
	return rest[:len(rest)-1], true
}

// literal returns the words with placeholders filled by a neutral word.
func literal(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		if _, ok := placeholder(w); ok {
			w = w[:strings.IndexByte(w, '<')] + "x"
		}
		out[i] = w
	}
	return out
}

// sameSlot reports whether a word after those of b stands where the cursor does.
func sameSlot(b *argv.Bound, word string, s slot) bool {
	if name, _, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
		f, _ := argv.FindLong(b.Node(), name)
		return f != nil && s.flag != nil && f.ID == s.flag.ID
	}
	if b.Pending != nil || s.flag != nil {
		return b.Pending != nil && s.flag != nil && b.Pending.ID == s.flag.ID
	}
	a := b.Arg()
	return a != nil && s.arg != nil && a.Name == s.arg.Name
}

// shared counts the words of the template that stand in the line.
func shared(template, line []string) int {
	n := 0
	for _, w := range template {
		for _, l := range line {
			if w == l {
				n++
				break
			}
		}
	}
	return n
}
