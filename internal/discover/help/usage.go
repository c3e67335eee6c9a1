package help

import (
	"strings"
	"unicode"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// Form is one way to call a program, as a usage line or a synopsis shows it.
type Form struct {
	Line    int
	Subs    []string // words behind the command's own name, "add"
	Others  []string // words that may stand in place of the first of Subs
	Default bool     // the words may be left out
	Items   []Item
	lead    string // options of the command itself, before Subs
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
		f, ok := readForm(e, path)
		if !ok {
			continue
		}
		forms = append(forms, f)
		if len(f.Subs) > 0 && len(f.lead) > 1 {
			lead := Form{Line: e.no}
			(&formReader{s: f.lead, out: &lead}).items(0, false)
			forms = append(forms, lead)
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
	s := tight.Replace(strings.TrimLeft(e.text, "$ "))
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

// tight takes the blanks away that some leave within brackets: "[ OPTIONS ]".
var tight = strings.NewReplacer("[ ", "[", " ]", "]", "{ ", "{", " }", "}")

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
		if at < len(r.s) && len(r.out.Subs) == 0 && (strings.HasPrefix(r.s[at:], "[-") || strings.HasPrefix(r.s[at:], "[<options") || strings.HasPrefix(r.s[at:], "[options") || strings.HasPrefix(r.s[at:], "[OPTION") || strings.HasPrefix(r.s[at:], "[\x01OPTION")) {
			// "git remote [-v | --verbose] show": flags of the command itself
			next := pastOptions(r.s[at:], strings.IndexByte(r.s, Open) >= 0)
			if word, _, _ := strings.Cut(next, " "); !commandWord(word) && (next == "" || next[0] != '{' || !r.bracketedWord(len(r.s)-len(next))) {
				return
			}
			r.out.lead = r.s[at : len(r.s)-len(next)]
			if len(r.out.Subs) > 0 {
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

// pastOptions is what follows the options in brackets that a form begins with; a
// word behind several of them is only known to be no value where values are marked.
func pastOptions(s string, marked bool) string {
	for n := 0; strings.HasPrefix(s, "["); n++ {
		end := balanced(s, 0)
		if end == 0 {
			return ""
		}
		s = strings.TrimLeft(s[end:], " ")
		if n > 0 && !marked && s != "" && s[0] != '[' && s[0] != '{' {
			return ""
		}
		if !strings.HasPrefix(s, "[-") && !strings.HasPrefix(s, "[\x01FORMAT") {
			break
		}
	}
	return s
}

// bracedWords are the first words of what braces hold, "{add FILE | list | {-h |
// --help}}", options aside; nil if one is no command.
func bracedWords(in string) []string {
	var words []string
	some, kinds := false, 0
	for in != "" {
		end := 0
		for end < len(in) && in[end] != '|' {
			if strings.IndexByte("[{(<", in[end]) >= 0 {
				if past := balanced(in, end); past > end {
					end = past
					continue
				}
			}
			end++
		}
		part := strings.TrimSpace(in[:end])
		in = strings.TrimPrefix(in[end:], "|")
		first := part
		if end := strings.IndexFunc(part, unicode.IsSpace); end > 0 {
			first, some = part[:end], true
		}
		switch {
		case part == "":
		case strings.IndexByte("-[{(<", part[0]) >= 0:
			some = true
		case !commandWord(first):
			return nil
		default:
			if kindWord(first) {
				kinds++
			}
			words = append(words, first)
		}
	}
	if !some || len(words) < 2 || kinds == len(words) {
		return nil
	}
	return words
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
	if words := bracedWords(in); r.s[at] == '{' && words != nil && strings.TrimSpace(r.s[end:]) == "" {
		r.out.Subs, r.out.Others = words[:1], words[1:]
		r.i = end
		return true
	}
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
	return inTable("words that are no command", w) || strings.HasSuffix(w, "_options") || strings.HasSuffix(w, "-options") || strings.HasSuffix(w, "_flags")
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
