package line

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// maxSites bounds the calls of one function that its body is judged for.
const maxSites = 8

// invoked returns the commands that a command runs in this shell, so that they
// may be calls of functions: itself, those of the text of eval and trap, those
// that it makes hooks of.
func (r *run) invoked(c *command) [][]shline.Word {
	var out [][]shline.Word
	for _, a := range c.assigns {
		if name, value, _ := strings.Cut(a.Text, "="); name == "PROMPT_COMMAND" || strings.HasSuffix(strings.TrimSuffix(name, "+"), "_functions") {
			out = append(out, r.commandsIn(strings.Trim(value, "()"))...)
		}
	}
	words := c.words
	if r.text.dialect == shline.Zsh && len(words) > 0 {
		words = precommands(words)
	}
	if len(words) == 0 {
		return out
	}
	switch words[0].Text {
	case "eval", "trap":
		text := ""
		for i, w := range words[1:] {
			if words[0].Text == "eval" || i == 0 || i == 1 && words[1].Text == "--" {
				text += w.Text + " "
			}
		}
		return append(out, r.commandsIn(text)...)
	case "export", "declare", "typeset":
		// A shell that another program of the line starts may call it.
		for i, w := range words[1:] {
			if i > 0 && strings.HasPrefix(words[1].Text, "-") && strings.Contains(words[1].Text, "f") && r.mentions(w.Text) > 2 {
				out = append(out, []shline.Word{w, {Text: "$x", Raw: "$x", Live: true}})
			}
		}
		return out
	case "add-zsh-hook", "add-zle-hook-widget":
		for i := range words[1:] {
			out = append(out, words[i+1:i+2])
		}
		return out
	}
	return append(out, words)
}

// mentions returns how often a name stands in the text as a word.
func (r *run) mentions(name string) int {
	if r.counts == nil {
		r.counts = map[string]int{}
		for w := range strings.FieldsFuncSeq(r.text.s, func(r rune) bool { return strings.ContainsRune(" \t\n;|&(){}'\"`$<>", r) }) {
			r.counts[w]++
		}
	}
	return r.counts[name]
}

// commandsIn returns the words of the simple commands of a text.
func (r *run) commandsIn(text string) [][]shline.Word {
	var out [][]shline.Word
	if len(text) > maxFunction {
		return nil
	}
	for _, c := range shline.Split(r.text.dialect, text).Commands {
		out = append(out, c.Words)
	}
	return out
}

// callSite notes a call of a function of the text, by a command that stands in
// the function outer, and reports whether it is a new one.
func (r *run) callSite(outer string, words []shline.Word) (added bool) {
	name := words[0].Text
	if !r.called[name] {
		r.called[name], added = true, true
	}
	for _, params := range r.sites[outer] {
		call := expanded(words[1:], params, r.text.zero)
		if call == nil {
			call = []shline.Word{}
		}
		added = r.addSite(name, call) || added
	}
	return added
}

// addSite notes the words of a call, and reports whether they are new.
func (r *run) addSite(name string, call []shline.Word) bool {
	sites := r.sites[name]
	if len(sites) >= maxSites {
		call = nil // too many to tell apart
	}
	if slices.ContainsFunc(sites, func(s []shline.Word) bool {
		return (s == nil) == (call == nil) && slices.EqualFunc(s, call, func(a, b shline.Word) bool { return a.Text == b.Text && a.Live == b.Live })
	}) {
		return false
	}
	r.sites[name] = append(sites, call)
	return true
}

// body reports whether a name is that of a function whose body is judged with
// this text or with the one around it that the same shell runs.
func (r *run) body(name string) bool {
	for ; r != nil; r = r.text.from {
		if r.called[name] {
			return true
		}
		if !r.text.same {
			break
		}
	}
	return false
}

// positional follows what set and shift make of $1, $2 …. Where they may not run,
// or run again and again, both readings are judged.
func (r *run) positional(c *command, words []shline.Word) {
	if r.text.dialect == shline.Fish || words[0].Raw != words[0].Text {
		return
	}
	var next [][]shline.Word
	switch words[0].Text {
	case "set":
		call, ok := setWords(words[1:])
		if !ok {
			return
		}
		next = [][]shline.Word{call}
	case "shift":
		if r.params == nil {
			return
		}
		n := 1
		if len(words) > 1 {
			n, _ = strconv.Atoi(words[1].Text)
		}
		next = [][]shline.Word{r.params[min(max(n, 0), len(r.params)):]}
		for k := range r.params {
			next = append(next, r.params[k:])
		}
	default:
		return
	}
	if r.straight() {
		r.params = next[0]
		r.sites[c.function][r.site] = r.params
		return
	}
	for _, call := range next {
		r.addSite(c.function, call)
	}
}

// setWords returns the words that set gives to $1, $2 …: nil if they are not
// known; ok is false if it leaves them alone.
func setWords(words []shline.Word) (call []shline.Word, ok bool) {
	for len(words) > 0 {
		switch t := words[0].Text; {
		case t == "--" || t == "-":
			words, ok = words[1:], true
		case t != "" && (t[0] == '-' || t[0] == '+'):
			n := 1
			if strings.HasSuffix(t, "o") { // -o and -euo take the name of an option
				n = 2
			}
			words = words[min(n, len(words)):]
			continue
		}
		break
	}
	if !ok && len(words) == 0 {
		return nil, false
	}
	if slices.ContainsFunc(words, func(w shline.Word) bool { return w.Glob || w.Live && w.Raw[0] != '"' || w.Raw == `"$@"` }) {
		return nil, true
	}
	return append([]shline.Word{}, words...), true
}

// straight is straight for the text of the run, which is looked through once.
func (r *run) straight() bool {
	if r.straightly == 0 {
		if r.straightly = -1; straight(r.text.s) {
			r.straightly = 1
		}
	}
	return r.straightly > 0
}

// straight reports whether each command of a text runs once, and in the order in
// which they stand.
func straight(s string) bool {
	if strings.Contains(s, "&&") || strings.Contains(s, "||") {
		return false
	}
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if wordlist.Has("if case select while until for repeat foreach", w) {
			return false
		}
	}
	return true
}

// passed puts the words of the call that is being judged in the place of "$@",
// "$*" and $argv among the words, and each in that of its number.
func (r *run) passed(words []shline.Word) []shline.Word {
	if r.params == nil && r.text.zero.Text == "" {
		return words
	}
	return expanded(words, r.params, r.text.zero)
}

// expanded is passed for the words of any call; zero is the word for $0.
func expanded(words, call []shline.Word, zero shline.Word) []shline.Word {
	var out []shline.Word
	for i, w := range words {
		args, ok := parameter(w.Raw, call, zero)
		if !ok {
			if out != nil {
				out = append(out, w)
			}
			continue
		}
		if out == nil {
			out = append(make([]shline.Word, 0, len(words)+len(args)), words[:i]...)
		}
		for _, a := range args {
			a.Start, a.End = w.Start, w.End // they do not stand in this text
			out = append(out, a)
		}
	}
	if out == nil {
		return words
	}
	return out
}

// parameter returns the words that a word stands for if it is one reference to
// the words of a call.
func parameter(raw string, call []shline.Word, zero shline.Word) (args []shline.Word, ok bool) {
	if call == nil && zero.Text == "" || !strings.Contains(raw, "$") {
		return nil, false
	}
	name, ok := strings.CutPrefix(strings.Trim(raw, `"`), "$")
	if !ok {
		return nil, false
	}
	if strings.HasPrefix(name, "{") && strings.HasSuffix(name, "}") {
		name = name[1 : len(name)-1]
	}
	from := 0
	switch head, rest, _ := strings.Cut(name, ":"); {
	case name == "@" || name == "*" || name == "argv":
	case name == "0":
		return []shline.Word{zero}, zero.Text != ""
	case len(name) == 1 && name[0] >= '1' && name[0] <= '9':
		n := int(name[0] - '1')
		if n >= len(call) {
			return nil, false
		}
		return call[n : n+1], true
	case (head == "@" || head == "*") && len(rest) == 1 && rest[0] >= '1' && rest[0] <= '9':
		from = int(rest[0] - '1')
	case strings.HasPrefix(name, "argv[") && len(name) > 6 && name[5] >= '1' && name[5] <= '9':
		from = int(name[5] - '1')
		if name[6] == ']' {
			if from >= len(call) {
				return nil, false
			}
			return call[from : from+1], true
		}
	default:
		return nil, false
	}
	return call[min(from, len(call)):], call != nil
}
