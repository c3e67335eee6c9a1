package completion

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// How well a form fits, before its options are counted.
const (
	asAsked    = 100 // by an intent: "git checkout <branch>" of what runs git switch
	asTemplate = 200
	allOptions = 300 // the line has every option of the template
)

// operation finds the operation that is being typed: the one whose template,
// cut before a parameter, puts that parameter into the slot at the cursor, or
// else one that is asked for in the words of the line. Of several the one that
// shares most options with the line.
func (e *Engine) operation(t *target, s slot) (id, parameter string) {
	if t.place != argument {
		return "", ""
	}
	best := 0
	try := func(op *tcpdb.Operation, form []string, asked bool) {
		for i, word := range form {
			name, ok := placeholder(word)
			if !ok {
				continue
			}
			b := argv.Bind(e.Map, literal(form[:i]))
			if b == nil || b.Node().Path != t.bound.Node().Path || !sameSlot(b, word, s) {
				continue
			}
			if n := fit(b, t.bound, asked); n > best {
				best, id, parameter = n, op.ID, name
			}
		}
	}
	tool := t.bound.Chain[0].Name
	for _, op := range e.Map.Operations() {
		if len(op.Template) == 0 || path.Base(op.Template[0]) != tool {
			continue
		}
		try(&op, whole(op.Template), false)
		for _, text := range op.Intents {
			words := strings.Fields(text)
			if len(words) > 0 && words[0] != tool {
				words = append([]string{tool}, words...)
			}
			try(&op, words, true)
		}
	}
	return id, parameter
}

// whole is a template with its optional options written out: "[--env <env>]"
// as "--env <env>".
func whole(template []string) []string {
	if !slices.ContainsFunc(template, func(w string) bool { return strings.HasPrefix(w, "[-") }) {
		return template
	}
	out := make([]string, len(template))
	for i, w := range template {
		if out[i] = w; strings.HasPrefix(w, "[-") || strings.HasSuffix(w, ">]") {
			out[i] = strings.Trim(w, "[]")
		}
	}
	return out
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

// fit rates how well a form, cut before its slot, fits the line; 0 is not at
// all. A line without an option that is one of several actions (git branch
// --delete) is not about that action; asked for in words, the options must be
// the same, for words leave open what others would do (git checkout -b).
func fit(form, line *argv.Bound, asked bool) int {
	has, lacks, given := 0, 0, 0
	for i := range line.Flags {
		if line.Flags[i].Node == len(line.Chain)-1 {
			given++
		}
	}
	for i := range form.Flags {
		u := &form.Flags[i]
		switch {
		case u.Flag == nil || form.Pending != nil && i == len(form.Flags)-1:
			// The last one waits for the value at the cursor.
		case line.Has(u.Flag.ID):
			has++
		case u.Flag.Group != "":
			return 0
		default:
			lacks++
		}
	}
	switch {
	case asked && (lacks > 0 || has < given):
		return 0
	case asked:
		return asAsked + has
	case lacks > 0:
		return max(1, asTemplate+has-lacks)
	}
	return allOptions + has
}
