package line

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// here returns the rest of a word in which a leading $PWD is all that is expanded;
// ok is false for any other, and where the line sets PWD.
func (r *run) here(w *shline.Word) (rest string, ok bool) {
	for _, lead := range [...]string{"$PWD", "${PWD}", "$(pwd)", "`pwd`", "(pwd)"} {
		rest, ok = strings.CutPrefix(w.Text, lead)
		if !ok || lead == "(pwd)" && r.text.dialect != shline.Fish || r.sets("PWD") {
			continue
		}
		if rest != "" && rest[0] != '/' || strings.ContainsAny(rest, "$`()") || strings.HasPrefix(w.Raw, "'") || w.Raw[0] == '\\' {
			return "", false
		}
		return strings.TrimLeft(rest, "/"), true
	}
	return "", false
}

// inTemp reads a word in which a leading $TMPDIR is all that is expanded.
func (r *run) inTemp(w *shline.Word, t *Target) bool {
	for _, lead := range [...]string{"$TMPDIR/", "${TMPDIR}/"} {
		rest, ok := strings.CutPrefix(w.Text, lead)
		if ok && rest != "" && !strings.ContainsAny(rest, "$`()") && !strings.HasPrefix(w.Raw, "'") && w.Raw[0] != '\\' {
			t.Temp, t.Path = true, strings.TrimLeft(rest, "/")
			return t.Path != ""
		}
	}
	return false
}

// maxPlain bounds the commands of a line that is looked through for each variable.
const maxPlain = 64

// fresh reports whether a word is a variable whose only value is the name of a
// file or directory that mktemp has just made: d=$(mktemp -d); rm -rf "$d".
func (r *run) fresh(w *shline.Word) bool {
	raw := w.Raw
	if len(raw) > 1 && raw[0] == '"' && raw[len(raw)-1] == '"' {
		raw = raw[1 : len(raw)-1]
	}
	dollar, ok := strings.CutPrefix(raw, "$")
	name, fallback, rest := reference(dollar)
	if len(r.program.commands) > maxPlain || name == "" || !ok || fallback != "" || rest != "" || r.sets("TMPDIR") || r.sets("IFS") || r.index >= len(r.program.commands) || r.program.commands[r.index].function != "" {
		return false
	}
	made := false
	for i := range r.program.commands {
		c := &r.program.commands[i]
		values := c.assigns
		switch {
		case len(c.words) == 3 && r.text.dialect == shline.Fish && c.words[0].Text == "set" && c.words[1].Text == name:
			values = []shline.Word{{Raw: name + "=" + c.words[2].Raw, Text: name + "="}}
		case len(c.words) > 0 && mentionsName(c.words[1:], name):
			return false // read, unset, export: whatever it does with it
		}
		for k := range values {
			if n, _, _ := strings.Cut(values[k].Text, "="); strings.TrimSuffix(n, "+") != name {
				continue
			}
			_, value, _ := strings.Cut(values[k].Raw, "=")
			if made || i >= r.index || c.function != "" || !r.makesTemporary(value) {
				return false
			}
			made = true
		}
	}
	for i := range r.program.loops {
		made = made && r.program.loops[i].name != name
	}
	return made
}

// mentionsName reports whether a word is a name, or sets it: NAME, NAME=x.
func mentionsName(words []shline.Word, name string) bool {
	for i := range words {
		if rest, ok := strings.CutPrefix(words[i].Text, name); ok && (rest == "" || rest[0] == '=' || rest[0] == '+' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// makesTemporary reports whether a value is $(mktemp …) with words that are plain.
func (r *run) makesTemporary(value string) bool {
	value = strings.TrimSuffix(strings.TrimPrefix(value, `"`), `"`)
	inner, ok := strings.CutPrefix(value, "$(")
	if !ok {
		inner, ok = strings.CutPrefix(value, "`")
	}
	if !ok && r.text.dialect == shline.Fish {
		inner, ok = strings.CutPrefix(value, "(")
	}
	inner = strings.TrimRight(inner, ")`")
	words := strings.Fields(inner)
	return ok && len(words) > 0 && words[0] == "mktemp" && !strings.ContainsAny(inner, "$`;|&<>(){}'\"\\*?[\n")
}
