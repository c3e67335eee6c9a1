package project

import (
	"slices"
	"strings"
)

// said is a request in words: as they were typed, and cut into the small parts that
// readings compare.
type said struct {
	raw   []string // as typed, without the punctuation of a sentence
	parts []string // small letters, without fillers
	stems []string // of parts, without the endings of plurals
	last  string   // the last raw word, which may be a free value
}

// hear cuts a request into words.
func (r *Roles) hear(text string) said {
	var s said
	for _, w := range strings.Fields(text) {
		w = strings.Trim(w, "\"'`,;!?()[]")
		if t := strings.TrimRight(w, "."); t != "" && !strings.HasSuffix(w, "...") {
			w = t
		}
		if w != "" {
			s.raw = append(s.raw, w)
		}
	}
	if len(s.raw) > 0 {
		s.last = s.raw[len(s.raw)-1]
	}
	for _, w := range s.raw {
		w = strings.ToLower(w)
		if slices.Contains(r.Fillers, w) {
			continue
		}
		if of, ok := strings.CutSuffix(w, "'s"); ok {
			if slices.Contains(wholes, of) || slices.Contains(always, of) { // "this project's tests"
				continue
			}
			w = of
		}
		s.parts = append(s.parts, nameParts(w)...)
	}
	s.cutTail(r.Tail)
	for n := len(s.parts) - 1; n > 0 && slices.Contains(prepositions, s.parts[n]); n-- { // "for me"
		s.parts = s.parts[:n]
	}
	for _, p := range s.parts {
		s.stems = append(s.stems, stem(p))
	}
	return s
}

// article reports whether the last thing that was named has an article before it.
func (s *said) article() bool {
	return len(s.raw) > 1 && strings.EqualFold(s.raw[len(s.raw)-2], "the")
}

// cutTail takes away words at the end that say nothing: "in this repository".
func (s *said) cutTail(tails []string) {
	for changed := true; changed; {
		changed = false
		text := strings.Join(s.parts, " ")
		for _, t := range tails {
			if rest, ok := strings.CutSuffix(text, " "+t); ok {
				s.parts, changed = s.parts[:strings.Count(rest, " ")+1], true
				break
			}
		}
	}
}

// stem drops the ending of a plural.
func stem(s string) string {
	switch {
	case len(s) > 4 && strings.HasSuffix(s, "ies"):
		return s[:len(s)-3] + "y"
	case len(s) > 4 && (strings.HasSuffix(s, "ches") || strings.HasSuffix(s, "shes") || strings.HasSuffix(s, "sses") || strings.HasSuffix(s, "xes")):
		return s[:len(s)-2]
	case len(s) > 3 && strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss") && !strings.HasSuffix(s, "us") && !strings.HasSuffix(s, "is"):
		return s[:len(s)-1]
	}
	return s
}

// prepositions stand between what is done and what it is done to.
var prepositions = []string{"for", "of", "in", "on", "from", "inside", "within", "under", "to", "with", "at", "using"}

// meant is a role with what it is asked of: no object for the whole project.
type meant struct {
	role   *Role
	object []string // small parts
}

// meant are the roles that the words may ask for.
func (r *Roles) meant(s said) []meant {
	text := strings.Join(s.stems, " ")
	var out []meant
	for i := range r.Roles {
		role := &r.Roles[i]
		whole, first := false, len(out)
		role.match(text, func(from, to int) {
			if from == to {
				whole = true
				return
			}
			object := s.parts[wordAt(text, from):wordAt(text, to)]
			if !slices.ContainsFunc(out[first:], func(o meant) bool { return slices.Equal(o.object, object) }) {
				out = append(out, meant{role, object})
			}
		})
		if whole {
			out = append(out[:first], meant{role: role})
		}
	}
	return out
}

// wordAt is the number of the word that begins, or the words that end, at a place of
// a text.
func wordAt(text string, at int) int {
	if at >= len(text) {
		return strings.Count(text, " ") + 1
	}
	return strings.Count(text[:at], " ") + strings.Count(text[at:at+1], " ")
}

// match calls found for each way in which words ask for the role, with the place of
// the object in them, in bytes; from == to for none.
func (r *Role) match(text string, found func(from, to int)) {
	hit := func(from, to int) {
		if from < to && r.isWhole(text[from:to]) {
			from = to
		}
		found(from, to)
	}
	for _, p := range r.Phrases {
		before, after, object := strings.Cut(p, "*")
		switch {
		case !object && p == text:
			hit(0, 0)
		case object && len(text) > len(before)+len(after) && strings.HasPrefix(text, before) && strings.HasSuffix(text, after):
			hit(len(before), len(text)-len(after))
		}
	}
	for _, v := range r.Verbs {
		if at, ok := lead(text, v); ok {
			r.behind(text, at, true, hit)
		}
	}
	starts := []int{0}
	for _, run := range r.Runs {
		if at, ok := lead(text, run); ok && at < len(text) {
			starts = append(starts, at)
		}
	}
	for _, thing := range r.Things {
		for _, start := range starts[1:] {
			if at, ok := lead(text[start:], thing); ok {
				r.behind(text, start+at, false, hit)
			}
		}
	}
	for _, noun := range r.Nouns {
		for _, start := range starts {
			if at, ok := lead(text[start:], noun); ok {
				r.behind(text, start+at, false, hit)
			}
			if end := len(text) - len(noun); end > start+1 && text[end-1] == ' ' && text[end:] == noun {
				hit(start, end-1) // "parser tests"
			}
		}
	}
}

// lead is the place behind words with which a text begins.
func lead(text, words string) (int, bool) {
	switch {
	case words == "" || !strings.HasPrefix(text, words):
		return 0, false
	case len(text) == len(words):
		return len(words), true
	}
	return len(words) + 1, text[len(words)] == ' '
}

// behind reads what stands behind a verb or a noun: nothing, what means the whole
// project, a preposition and an object, or an object alone.
func (r *Role) behind(text string, at int, verb bool, hit func(from, to int)) {
	rest := text[min(at, len(text)):]
	if rest == "" || r.isWhole(rest) {
		hit(0, 0)
		return
	}
	if n := preposition(rest); n > 0 {
		hit(at+n, len(text))
		return
	}
	if verb {
		for _, w := range r.Whole {
			if n, ok := lead(rest, w); ok {
				if k := preposition(rest[n:]); k > 0 {
					hit(at+n+k, len(text))
					return
				}
			}
		}
	}
	hit(at, len(text))
}

// preposition is the length of the one that a text begins with, with the blank
// behind it; 0 if there is none, or nothing behind it.
func preposition(text string) int {
	word, rest, ok := strings.Cut(text, " ")
	if ok && rest != "" && slices.Contains(prepositions, word) {
		return len(word) + 1
	}
	return 0
}

// isWhole reports whether words mean all of the project.
func (r *Role) isWhole(words string) bool {
	list := r.Whole
	if len(list) == 0 {
		list = wholes
	}
	return slices.Contains(list, words) || slices.Contains(always, words)
}

var (
	wholes = []string{"app", "application", "repo", "repository", "codebase", "whole project", "package", "all package", "workspace"}
	always = []string{"project", "all", "everything", "code"}
)

// Normal is a phrase in the form in which phrases are compared: small letters, no
// plurals, without articles; "*" stands for an object.
func Normal(text string) string {
	var out []string
	for _, w := range strings.Fields(text) {
		switch w {
		case "*":
			out = append(out, w)
		case "a", "an", "the":
		default:
			for _, p := range nameParts(w) {
				out = append(out, stem(p))
			}
		}
	}
	return strings.Join(out, " ")
}

// alike are words that tasks and people write in several ways; each is the first of
// its list.
var alike = [...][]string{
	{"doc", "documentation"},
	{"fmt", "format", "formatting"},
	{"db", "database"},
	{"gen", "generate"},
	{"int", "integration"},
	{"dev", "development"},
	{"prod", "production"},
	{"cov", "coverage"},
	{"bench", "benchmark"},
	{"dep", "dependency"},
	{"js", "javascript"},
	{"py", "python"},
	{"ts", "typescript"},
	{"perf", "performance"},
	{"img", "image"},
	{"lint", "linter", "linting"},
	{"env", "environment"},
	{"config", "configuration"},
	{"min", "minified"},
	{"e2e", "endtoend"},
	{"migration", "migrate"},
	{"www", "website", "site"},
}

func same(w string) string {
	for _, list := range alike {
		if slices.Contains(list, w) {
			return list[0]
		}
	}
	return w
}

// bag are words for a comparison in which their order does not count.
func bag(words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, same(stem(w)))
	}
	slices.Sort(out)
	return out
}
