package line

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// value is what the text assigns to a variable: the last value that is literal,
// and those before it, which it may still have where the last assignment stands
// under a condition. A list has several fields.
type value struct {
	fields []string
	before [][]string
}

// assign remembers literal values of variables, for the words they stand in.
func (r *run) assign(c *command) {
	switch {
	case len(c.words) == 0:
	case r.text.dialect == shline.Fish && len(c.words) > 2 && c.words[0].Text == "set":
		r.set(c.words[1:])
		return
	case names(c.words[0].Text, "read", "readarray", "mapfile", "getopts", "unset", "vared", "let"):
		for _, w := range c.words[1:] {
			delete(r.vars, w.Text)
		}
		if in, ok := literalInput(c); ok && c.words[0].Text == "read" && len(c.words) > 1 {
			line, _, _ := strings.Cut(in, "\n")
			r.keep(c.words[len(c.words)-1].Text, []string{strings.TrimSpace(line)})
		}
	case c.words[0].Text == "printf" && len(c.words) > 2 && c.words[1].Text == "-v":
		delete(r.vars, c.words[2].Text)
		if text, ok := printf(shline.Texts(c.words[3:])); ok && !live(c.words) {
			r.keep(c.words[2].Text, []string{text})
		}
	}
	assigns := c.assigns
	if len(c.words) > 1 && names(c.words[0].Text, "export", "declare", "typeset", "local", "readonly") {
		assigns = c.words[1:]
	}
	for _, a := range assigns {
		name, text, ok := strings.Cut(a.Text, "=")
		if !ok {
			continue
		}
		name, more := strings.CutSuffix(name, "+")
		fields, ok := []string{text}, !a.Live
		if _, inner, list := strings.Cut(a.Raw, "=("); list {
			fields, ok = strings.Fields(strings.TrimSuffix(inner, ")")), !strings.ContainsAny(inner, `'"\`+"`$*?[{")
		}
		if !ok && len(c.words) == 0 || !ok && len(c.assigns) == 0 {
			fields, ok = r.computed(a)
		}
		if !ok || len(c.words) > 0 && len(c.assigns) > 0 {
			delete(r.vars, name)
			continue
		}
		if old, known := r.known(name); more && known {
			if strings.Contains(a.Raw, "=(") {
				fields = append(slices.Clip(old), fields...)
			} else {
				fields = []string{strings.Join(old, " ") + strings.Join(fields, " ")}
				if !r.spend(r.text, len(fields[0])) {
					delete(r.vars, name)
					continue
				}
			}
		}
		r.keep(name, fields)
	}
}

// computed returns the value of an assignment that is made of values that are
// known, or of what a command is known to write.
func (r *run) computed(a shline.Word) (fields []string, ok bool) {
	k := strings.IndexByte(a.Raw, '=')
	if k < 0 || strings.HasPrefix(a.Raw[k:], "=(") {
		return nil, false
	}
	w := shline.ParseWord(r.text.dialect, a.Raw[k+1:], a.Start+k+1)
	if substitution(w.Raw) {
		text, known := r.output(r.within(w, nil))
		return []string{strings.TrimRight(text, "\n")}, known
	}
	if passed := r.passed([]shline.Word{w}); len(passed) == 1 && !passed[0].Live {
		return []string{passed[0].Text}, true
	}
	if fields, ok = r.values(w); ok {
		return []string{strings.Join(fields, " ")}, true
	}
	return nil, false
}

// set remembers a variable that fish sets with set [options] NAME VALUE….
func (r *run) set(words []shline.Word) {
	for len(words) > 0 && strings.HasPrefix(words[0].Text, "-") {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	if slices.ContainsFunc(words, func(w shline.Word) bool { return w.Live || w.Glob }) {
		delete(r.vars, words[0].Text)
		return
	}
	r.keep(words[0].Text, shline.Texts(words[1:]))
}

func (r *run) keep(name string, fields []string) {
	if r.vars == nil {
		r.vars = map[string]value{}
	}
	old, ok := r.vars[name]
	if ok && len(old.before) < maxLines && !slices.Equal(old.fields, fields) {
		old.before = append(old.before, old.fields)
	}
	r.vars[name] = value{fields, old.before}
}

// known returns the literal value of a variable.
func (r *run) known(name string) (fields []string, ok bool) {
	if n, err := strconv.Atoi(name); err == nil {
		switch {
		case r.params == nil || n == 0:
			return nil, false
		case n > len(r.params):
			return []string{""}, true
		}
		return []string{r.params[n-1].Text}, !r.params[n-1].Live
	}
	if v, ok := r.vars[name]; ok {
		return v.fields, true
	}
	text, ok := r.text.options.Variables[name]
	return []string{text}, ok
}

// values returns the words that a word becomes if it is made of literal text
// and of variables whose values are known.
func (r *run) values(w shline.Word) (fields []string, ok bool) {
	raw := w.Raw
	quoted := len(raw) > 1 && raw[0] == '"' && raw[len(raw)-1] == '"'
	if quoted {
		raw = raw[1 : len(raw)-1]
	}
	if !strings.Contains(raw, "$") || strings.ContainsAny(raw, "\"'`\\(*?[]~") && !strings.Contains(raw, "[@]") {
		return nil, false
	}
	var b strings.Builder
	for raw != "" {
		at := strings.IndexByte(raw, '$')
		if at < 0 {
			b.WriteString(raw)
			break
		}
		b.WriteString(raw[:at])
		name, fallback, rest := reference(raw[at+1:])
		if name == "" {
			return nil, false
		}
		got, ok := r.known(name)
		if list := strings.HasPrefix(raw[at:], "${"+name+"[@]}"); ok && b.Len() == 0 && rest == "" && (list || len(got) > 1 || r.text.dialect == shline.Fish) {
			return got, true
		}
		text := strings.Join(got, " ")
		if !ok || text == "" && fallback != "" {
			if text = fallback; fallback == "" {
				return nil, false
			}
		}
		if !r.spend(r.text, len(text)) {
			return nil, false
		}
		b.WriteString(text)
		raw = rest
	}
	if !quoted && r.text.dialect == shline.Bash {
		return r.split(b.String()), true
	}
	return []string{b.String()}, true
}

// split cuts what a variable holds into words, as IFS says.
func (r *run) split(s string) []string {
	separators, ok := r.known("IFS")
	if !ok || len(separators) != 1 {
		return strings.Fields(s)
	}
	return strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(separators[0]+" \t\n", c) })
}

// reference reads what follows a "$": NAME, {NAME}, {NAME[@]} or {NAME:-text}.
// The name is "" if it is anything else.
func reference(s string) (name, fallback, rest string) {
	braced := strings.HasPrefix(s, "{")
	s = strings.TrimPrefix(s, "{")
	end := 0
	for end < len(s) && (s[end] == '_' || s[end] >= 'a' && s[end] <= 'z' || s[end] >= 'A' && s[end] <= 'Z' || end > 0 && s[end] >= '0' && s[end] <= '9') {
		end++
	}
	if end == 0 && s != "" && s[0] >= '1' && s[0] <= '9' {
		end = 1
	}
	name, rest = s[:end], s[end:]
	if !braced {
		return name, "", rest
	}
	rest = strings.TrimPrefix(rest, "[@]")
	inner, rest, ok := strings.Cut(rest, "}")
	if !ok {
		return "", "", ""
	}
	if inner != "" {
		text, found := strings.CutPrefix(inner, ":-")
		if !found || strings.ContainsAny(text, "${`") {
			return "", "", ""
		}
		fallback = text
	}
	return name, fallback, rest
}

// simple judges a simple command, and where its words hold variables whose
// values are known also as it is with those: the higher counts, because an
// assignment may not have taken place.
func (r *run) simple(c *command, words []shline.Word) {
	facts := r.settledFacts()
	v := risk.Judge(r.view, shline.Texts(words), facts)
	filled := r.fill(words)
	if v.Level >= tcpdb.High && len(r.patterns) > 0 {
		filled = r.patterned(words, filled)
	}
	if filled == nil {
		r.verdict(c, words, &v)
		return
	}
	f := risk.Judge(r.view, shline.Texts(filled), facts)
	r.verdict(c, filled, &f)
	if v.Level > f.Level && !slices.ContainsFunc(v.Findings, func(f risk.Finding) bool { return f.Rule == risk.Computed }) {
		r.verdict(c, words, &v)
	}
}

// literal returns commands with the values of variables in their words, where all
// that is live in a word is known.
func (r *run) literal(list []command) []command {
	if !r.spend(r.text, commandWork*len(list)) {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		if !live(list[i].words) {
			continue
		}
		words := make([]shline.Word, 0, len(list[i].words))
		for _, w := range r.passed(list[i].words) {
			if fields, ok := r.values(w); ok && w.Live {
				words = append(words, placed(fields, w)...)
				continue
			}
			words = append(words, w)
		}
		list[i].words = words
	}
	return list
}

// settled returns a word with the values of its variables, if they are known and
// make one word.
func (r *run) settled(w shline.Word) shline.Word {
	words := r.passed([]shline.Word{{}, w})
	if filled := r.fill(words); filled != nil {
		words = filled
		words[len(words)-1].Live = false
	}
	if len(words) != 2 {
		return w
	}
	return words[1]
}

// fill puts the values of variables into the words after the first; nil if there
// are none.
func (r *run) fill(words []shline.Word) []shline.Word {
	var out []shline.Word
	for i, w := range words {
		if i > 0 && w.Live {
			if fields, ok := r.values(w); ok {
				if out == nil {
					out = slices.Clone(words[:i])
				}
				w.Live = !r.outside(w)
				for _, f := range fields {
					w.Text = f
					out = append(out, w)
				}
				continue
			}
		}
		if out != nil {
			out = append(out, w)
		}
	}
	return out
}

// outside reports whether all that is live in a word are variables that nothing in
// the line sets, so that it holds what the shell says; unquoted, no pattern.
func (r *run) outside(w shline.Word) bool {
	for raw := w.Raw; ; {
		at := strings.IndexByte(raw, '$')
		if at < 0 {
			return true
		}
		name, _, rest := reference(raw[at+1:])
		value, given := r.text.options.Variables[name]
		_, set := r.vars[name]
		if name == "" || !given || set || r.sets(name) || w.Raw[0] != '"' && strings.ContainsAny(value, "*?[{~ \t\n") {
			return false
		}
		raw = rest
	}
}

// formerly judges a command whose word is a variable with the values that it
// had before.
func (r *run) formerly(c *command) {
	w := c.words[0]
	name, _, rest := reference(strings.TrimPrefix(strings.Trim(w.Raw, `"`), "$"))
	if !w.Live || name == "" || rest != "" {
		return
	}
	for _, fields := range r.vars[name].before {
		line := strings.Join(fields, " ") + r.text.s[w.End:max(w.End, c.end)]
		r.line(text{s: line, span: r.text.at(c.start, c.end), dialect: r.text.dialect, options: r.text.options, literal: true, from: r, index: r.index}, r.depth+1)
	}
}

// loop is a loop's variable and what it goes through.
type loop struct {
	at    int // where the loop begins
	name  string
	items []shline.Word
}

// enter gives the variables of the loops that begin before an offset their
// values: each item in turn, or none that is known.
func (r *run) enter(at int) {
	for len(r.program.loops) > 0 && r.program.loops[0].at <= at {
		l := &r.program.loops[0]
		r.program.loops = r.program.loops[1:]
		delete(r.vars, l.name)
		if slices.ContainsFunc(l.items, func(w shline.Word) bool { return w.Live || w.Glob || strings.Contains(w.Raw, "{") }) {
			r.pattern(l)
			continue
		}
		for _, w := range l.items[:min(len(l.items), maxLines)] {
			r.keep(l.name, []string{w.Text})
		}
	}
}
