package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// items reads to the end, or to the closing bracket.
func (r *formReader) items(depth int, optional bool) {
	for r.i < len(r.s) && depth < 12 {
		switch c := r.s[r.i]; {
		case c == ' ' || c == ',':
			r.i++
		case c == ']' || c == ')' || c == '}':
			r.i++
			if depth > 0 {
				return
			}
		case c == '|':
			r.tight = r.i > 0 && r.i+1 < len(r.s) && r.s[r.i-1] != ' ' && r.s[r.i+1] != ' '
			r.i++
			r.alternative()
		case strings.HasPrefix(r.s[r.i:], "..."):
			r.i += 3
			if n := len(r.out.Items); n > 0 {
				r.out.Items[n-1].Repeatable = true
			}
		case (c == '[' || c == '(' || c == '{') && !r.choice(c):
			r.i++
			before := len(r.out.Items)
			r.items(depth+1, optional || c == '[')
			if c == '(' || c == '{' {
				r.groupValue(before, optional)
			}
			if strings.HasPrefix(r.s[r.i:], "...") {
				for j := before; j < len(r.out.Items); j++ {
					r.out.Items[j].Repeatable = true
				}
				r.i += 3
			}
		case c == '-':
			r.flag(optional)
		default:
			r.arg(optional)
		}
	}
}

// groupValue reads a value behind a group of flags, which is each one's:
// "(-m | --message) <text>".
func (r *formReader) groupValue(from int, optional bool) {
	at := r.i + 1
	if at >= len(r.s) || r.s[r.i] != ' ' {
		return
	}
	group := r.out.Items[from:]
	if r.s[at] != '<' && r.s[at] != Open && !(optional && len(group) > 1 && lower(r.s[at])) {
		return
	}
	for _, it := range group {
		if it.Flag == "" || it.Arity != draft.None {
			return
		}
	}
	end := wordEnd(r.s, at)
	for i := range group {
		group[i].Arity, group[i].Metavar, group[i].Optional = draft.Required, bareMetavar(r.s[at:end]), true
	}
	if len(group) > 0 {
		r.i = end
	}
}

// choice reports whether a bracket is a value and not a group: "{a,b}" and
// "(a|b)" without dashes in them.
func (r *formReader) choice(c byte) bool {
	end := balanced(r.s, r.i)
	if end == 0 {
		return false
	}
	in := r.s[r.i+1 : end-1]
	return c == '{' && !strings.Contains(in, "-") && strings.ContainsAny(in, ",|") && !strings.Contains(in, " ") ||
		c == '(' && strings.Contains(in, "|") && !strings.ContainsAny(in, "<- ")
}

// alternative puts the last item and the next into one group.
func (r *formReader) alternative() {
	n := len(r.out.Items)
	if n == 0 {
		return
	}
	r.bar = true
	if r.out.Items[n-1].Group == 0 {
		r.group++
		r.out.Items[n-1].Group = r.group
	}
}

// flag reads a flag with its value.
func (r *formReader) flag(optional bool) {
	end := r.i
	for end < len(r.s) && strings.IndexByte(" ]|)},", r.s[end]) < 0 {
		if strings.IndexByte("[<({\x01", r.s[end]) >= 0 {
			b := balanced(r.s, end)
			if b == 0 {
				break
			}
			end = b
			continue
		}
		end++
	}
	end = max(end, r.i+1)
	word := r.s[r.i:end]
	if word == "--" || word == "-" {
		r.dash = r.dash || word == "--"
		r.i = end
		return
	}
	// The value that follows: one word up to the bracket's end.
	text, at := word, end
	if at < len(r.s) && r.s[at] == ' ' {
		v := wordEnd(r.s, at+1)
		if v > at+1 && r.s[at+1] != '-' && r.valueFollows(at+1, v, optional) {
			text += r.s[at:v]
			at = v
		}
	}
	s, ok := ParseSpec(text, -1, true, true)
	if !ok || len(s.Names) == 0 || anyFlags(s.Names[0]) && !r.oneOf(at) {
		r.i = end
		return
	}
	r.i = at
	it := Item{Flag: s.Names[0], Arity: s.Arity, Metavar: s.Metavar, Optional: optional, Repeatable: s.Repeatable}
	if len(r.out.Items) > 0 && r.joined() {
		it.Group = r.out.Items[len(r.out.Items)-1].Group
		if r.tight && it.Arity == draft.Required {
			r.shareValue(it)
		}
	}
	r.bar = false
	if it.Arity == draft.Unsaid {
		it.Arity = draft.None
	}
	if name := it.Flag; it.Arity == draft.None && len(name) == 3 && lower(name[1]) && name[2] == 'N' {
		s.Names, it.Arity, it.Metavar = []string{name[:2]}, draft.Required, "N" // "[-wN]"
	}
	it.Bundle = it.Arity == draft.None && len(s.Names) == 1 && bundle(s.Names[0]) && !(r.oneOf(at) && len(s.Names[0]) > 3 && lowers(s.Names[0][1:]))
	for _, name := range s.Names {
		it.Flag = name
		r.out.Items = append(r.out.Items, it)
	}
}

// lowers reports whether a word is letters in lower case.
func lowers(s string) bool {
	for i := range len(s) {
		if !lower(s[i]) {
			return false
		}
	}
	return true
}

// shareValue gives the value of a flag to the one that a bar without blanks parts
// from it: "[-e|-E expr]". Spellings get it where they are joined; of three
// flags the last alone has it.
func (r *formReader) shareValue(it Item) {
	n := len(r.out.Items)
	before := &r.out.Items[n-1]
	if before.Flag == "" || before.Arity != draft.None || !draft.Short(before.Flag) || !draft.Short(it.Flag) || n > 1 && r.out.Items[n-2].Group == it.Group {
		return
	}
	before.Arity, before.Metavar = it.Arity, it.Metavar
}

// anyFlags reports whether a name in a usage line stands for all flags, as in
// "[--global_flags]" and "[-options]".
func anyFlags(name string) bool {
	switch strings.TrimLeft(name, "-") {
	case "options", "option", "opts", "flags", "switches", "OPTIONS", "FLAGS", "OPTS", "args", "arguments":
		return true
	}
	return strings.HasSuffix(name, "_flags") || strings.HasSuffix(name, "-flags") && strings.Contains(name, "global") || strings.HasSuffix(name, "_options")
}

// oneOf reports whether bars part the item that ends at i from others.
func (r *formReader) oneOf(i int) bool {
	return len(r.out.Items) > 0 && r.joined() || strings.HasPrefix(strings.TrimLeft(r.s[i:], " "), "|")
}

// joined reports whether a bar stands before the item that ends at r.i.
func (r *formReader) joined() bool {
	n := len(r.out.Items)
	return r.bar && r.out.Items[n-1].Group == r.group && r.group > 0
}

// valueFollows reports whether the word at [at, end) is the value of the flag
// before it and not an argument: in brackets it ends the bracket or a bar
// follows; outside it is a placeholder.
func (r *formReader) valueFollows(at, end int, optional bool) bool {
	c := r.s[at]
	if c == '|' || c == '.' || c == ']' {
		return false
	}
	if !optional {
		return c == '<' || c == Open || capitals(r.s[at:end]) || lower(c)
	}
	if c == '[' {
		return !strings.HasPrefix(r.s[at:], "[-")
	}
	return true
}

// bundle reports whether a word such as "-46AaC" is flags of one letter each:
// in both cases, with digits, or in the order of the alphabet.
func bundle(name string) bool {
	if draft.Long(name) || len(name) < 3 {
		return false
	}
	letters := name[1:]
	sorted, mixed, ups := true, false, 0
	for i := range len(letters) {
		c := letters[i]
		if !alnum(c) && c != '?' && c != '#' && c != '@' && c != '%' {
			return false
		}
		if upper(c) {
			ups++
		}
		if i > 0 && foldByte(letters[i-1]) > foldByte(c) && !digit(letters[i-1]) {
			sorted = false
		}
		mixed = mixed || i > 0 && upper(c) && lower(letters[i-1]) || digit(c) && len(letters) > 2
	}
	if slices.Contains([]string{"all", "in", "no", "out", "add", "key", "cert", "dir", "fips", "is", "or", "at", "hot", "ex"}, letters) {
		return false
	}
	return sorted || mixed || ups == len(letters) || len(letters) == 2 || ascending(letters)
}

// ascending reports whether many letters, each there once, stand nearly in the
// order of the alphabet: "abcdfhilovxs".
func ascending(letters string) bool {
	up := 0
	for i := range len(letters) {
		if strings.IndexByte(letters[i+1:], letters[i]) >= 0 {
			return false
		}
		if i > 0 && foldByte(letters[i-1]) <= foldByte(letters[i]) {
			up++
		}
	}
	return len(letters) > 5 && up*4 >= (len(letters)-1)*3
}

func foldByte(c byte) byte {
	if upper(c) {
		return c + 32
	}
	return c
}

// arg reads a positional argument or a word.
func (r *formReader) arg(optional bool) {
	end := wordEnd(r.s, r.i)
	if j := strings.IndexByte(r.s[r.i:end], '|'); j > 0 && r.s[r.i] != '<' && r.s[r.i] != '{' && r.s[r.i] != '(' && r.s[r.i] != Open {
		end = r.i + j
	}
	if end == r.i {
		r.i++
		return
	}
	word := r.s[r.i:end]
	r.i = end
	it := Item{Metavar: bareMetavar(word), Optional: optional, Repeatable: strings.HasSuffix(word, "..."), Dash: r.dash}
	it.Plain = lower(word[0]) && commandWord(word)
	if it.Metavar == "" || optionsWord(it.Metavar) {
		return
	}
	if n := len(r.out.Items); n > 0 && r.joined() && r.out.Items[n-1].Flag == "" {
		it.Group = r.out.Items[n-1].Group
	}
	r.bar = false
	r.out.Items = append(r.out.Items, it)
}
