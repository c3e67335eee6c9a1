package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// Form is one way to call a program, as a usage line or a synopsis shows it.
type Form struct {
	Line    int
	Subs    []string // words behind the command's own name, "add"
	Others  []string // words that may stand in place of the first of Subs
	Default bool     // the words may be left out
	Items   []Item
}

// Item is a flag or an argument of a form.
type Item struct {
	Flag       string // "-x", "" for an argument
	Bundle     bool   // Flag holds letters that are flags each, "-46A"
	Arity      draft.Arity
	Metavar    string // the argument's name, or the flag's value
	Optional   bool
	Repeatable bool
	Group      int  // not 0: one of the items with this number
	Dash       bool // stands after "--"
	Plain      bool // the word is printed without marks: it may be typed so
}

// Forms reads the lines of a usage section. Path is the command's own, the
// program first. Used is how many of the lines belong to the forms.
func Forms(lines []Line, path []string) (forms []Form, used int) {
	es, used := entries(lines, path)
	for _, e := range es {
		if f, ok := readForm(e, path); ok {
			forms = append(forms, f)
		}
	}
	return forms, used
}

// formReader walks over a form's tokens.
type formReader struct {
	s     string
	i     int
	out   *Form
	group int
	bar   bool // a bar stands before the next item
	tight bool // no blanks stand around it
	dash  bool
}

func readForm(e entry, path []string) (Form, bool) {
	f := Form{Line: e.no}
	s := strings.TrimLeft(e.text, "$ ")
	if len(path) > 0 {
		if _, piped, ok := strings.Cut(s, "| "+path[0]+" "); ok {
			s = path[0] + " " + piped
		}
	}
	first, rest, _ := strings.Cut(s, " ")
	if first == "" || first[0] == '-' || first[0] == '[' {
		rest = s
	} else if len(path) > 0 && baseName(first) != path[0] && baseName(first) != path[len(path)-1] && !strings.HasPrefix(first, "<") && strings.ContainsAny(first, ".,;:") {
		return f, false
	}
	r := formReader{s: rest, out: &f}
	if len(path) > 1 && baseName(first) != path[len(path)-1] {
		r.skipPath(path[1:])
		if r.i == 0 { // "git log" in what "git whatchanged" prints
			if baseName(first) != path[0] && commandWord(first) && first != rest {
				return f, false // another program's
			}
			r.words()
			f.Subs, f.Others = nil, nil
			r.items(0, false)
			return f, true
		}
	}
	r.words()
	r.items(0, false)
	return f, true
}

// skipPath passes over the words of the command's path, and the flags that may
// stand between them.
func (r *formReader) skipPath(path []string) {
	i := r.i
	for _, want := range path {
		at := i
		for {
			for at < len(r.s) && r.s[at] == ' ' {
				at++
			}
			if at < len(r.s) && r.s[at] == '[' {
				if end := balanced(r.s, at); end > 0 {
					at = end
					continue
				}
			}
			break
		}
		end := at + strings.IndexByte(r.s[at:]+" ", ' ')
		have := r.s[at:end]
		short := len(have) > 2 && strings.HasPrefix(want, have) // "ip neigh" on the page of "ip neighbour"
		if have != want && !short && (len(want) < 2 || !strings.HasPrefix(have, want) || !commandWord(have)) {
			return
		}
		i = end
		r.i = end
	}
}

// words takes the plain words at the start of a form: sub-commands.
func (r *formReader) words() {
	for {
		at := r.i
		for at < len(r.s) && r.s[at] == ' ' {
			at++
		}
		if at < len(r.s) && len(r.out.Subs) == 0 && strings.IndexByte("[({", r.s[at]) >= 0 && r.bracketedWord(at) {
			return
		}
		if at < len(r.s) && len(r.out.Subs) == 0 && (strings.HasPrefix(r.s[at:], "[-") || strings.HasPrefix(r.s[at:], "[<options") || strings.HasPrefix(r.s[at:], "[options") || strings.HasPrefix(r.s[at:], "[OPTION")) {
			// "git remote [-v | --verbose] show": flags of the command itself
			end := balanced(r.s, at)
			if end == 0 {
				return
			}
			next := strings.TrimLeft(r.s[end:], " ")
			word, _, _ := strings.Cut(next, " ")
			if !commandWord(word) || end >= len(r.s) {
				return
			}
			r.i = len(r.s) - len(next)
			continue
		}
		end := at + strings.IndexByte(r.s[at:]+" ", ' ')
		word := r.s[at:end]
		if !commandWord(word) || len(r.out.Subs) == 3 {
			return
		}
		r.out.Subs = append(r.out.Subs, word)
		r.i = end
	}
}

// bracketedWord reads sub-commands in brackets: "[push [-p] …]", "[show]",
// "(init | list)". Only the first is taken as the form's; the others are kept
// beside it.
func (r *formReader) bracketedWord(at int) bool {
	end := balanced(r.s, at)
	if end == 0 {
		return false
	}
	in := strings.TrimSpace(r.s[at+1 : end-1])
	if strings.Contains(in, "|") && !strings.ContainsAny(in, "-<[(") || r.s[at] != '[' {
		var words []string
		kinds := 0
		for w := range strings.SplitSeq(in, "|") {
			w = strings.TrimSpace(w)
			if !commandWord(w) || kindWord(w) && r.s[at] != '{' {
				return false
			}
			if kindWord(w) {
				kinds++
			}
			words = append(words, w)
		}
		if len(words) < 2 || kinds == len(words) {
			return false
		}
		r.out.Subs, r.out.Others = words[:1], words[1:]
		r.i = end
		return true
	}
	word, rest, more := strings.Cut(in, " ")
	if !commandWord(word) || kindWord(word) || more && !strings.HasPrefix(rest, "[") || !more && strings.TrimSpace(r.s[end:]) == "" && r.s[at] == '[' {
		return false
	}
	r.out.Subs, r.out.Default = []string{word}, true
	r.s = r.s[:at] + " " + rest + r.s[end:]
	r.i = at
	return true
}

// commandWord reports whether a word looks like a sub-command.
func commandWord(w string) bool { return commandShape(w) && !otherWord(w) }

// otherWord reports whether a word of the shape of a command is, in running text
// and in usage lines, something else: a placeholder, or a word of a sentence.
func otherWord(w string) bool {
	switch w {
	case "commande", "commandes", "befehl", "befehle", "orden", "ordenes", "opciones", "optionen", "opcje", "comando", "comandos", "opzioni", "polecenie", "kommando", "paquet", "paquets", "fichier", "fichiers", "datei", "dateien", "archivo", "archivos", "fichero", "ficheros":
		return true
	case "options", "option", "flags", "file", "files", "command", "subcommand", "action", "arguments", "args", "can", "is", "are", "will", "has", "does", "and", "or", "the", "a", "an", "with", "takes", "reads", "may", "might":
		return true
	}
	return false
}

// commandShape reports whether a word is written as commands are.
func commandShape(w string) bool {
	if w == "" || len(w) > 40 || !lower(w[0]) && !digit(w[0]) {
		return false
	}
	for i := range len(w) {
		if c := w[i]; !lower(c) && !upper(c) && !digit(c) && c != '-' && c != '_' && c != ':' && c != '.' {
			return false
		}
	}
	last := w[len(w)-1]
	return last != '.' && last != ':' && last != '-'
}

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
