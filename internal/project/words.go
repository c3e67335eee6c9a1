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
		w = strings.TrimSuffix(w, "'s")
		s.parts = append(s.parts, nameParts(w)...)
	}
	s.cutTail(r.Tail)
	for _, p := range s.parts {
		s.stems = append(s.stems, stem(p))
	}
	return s
}

// cutTail takes away words at the end that say nothing: "in this repository".
func (s *said) cutTail(tails []string) {
	for changed := true; changed; {
		changed = false
		for _, t := range tails {
			words := strings.Fields(t)
			words = slices.DeleteFunc(words, func(w string) bool { return w == "this" || w == "the" })
			if n := len(s.parts) - len(words); n > 0 && len(words) > 0 && slices.Equal(s.parts[n:], words) {
				s.parts, changed = s.parts[:n], true
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

func stems(text string) []string {
	var out []string
	for _, w := range strings.Fields(text) {
		for _, p := range nameParts(w) {
			out = append(out, stem(p))
		}
	}
	return out
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
	var out []meant
	for i := range r.Roles {
		role := &r.Roles[i]
		whole := false
		objects := role.match(s.stems, func(from, to int) {
			if from == to {
				whole = true
				return
			}
			m := meant{role, s.parts[from:to]}
			if !slices.ContainsFunc(out, func(o meant) bool { return o.role == role && slices.Equal(o.object, m.object) }) {
				out = append(out, m)
			}
		})
		_ = objects
		if whole {
			out = append(slices.DeleteFunc(out, func(m meant) bool { return m.role == role }), meant{role: role})
		}
	}
	return out
}

// match calls found for each way in which words ask for the role, with the place of
// the object in them; from == to for none.
func (r *Role) match(words []string, found func(from, to int)) bool {
	any := false
	hit := func(from, to int) {
		if from < to {
			if rest := words[from:to]; r.isWhole(rest) {
				from = to
			}
		}
		any = true
		found(from, to)
	}
	for _, p := range r.Phrases {
		if from, to, ok := matchPhrase(stems2(p), words); ok {
			hit(from, to)
		}
	}
	for _, v := range r.Verbs {
		if rest, ok := cutWords(words, stems2(v)); ok {
			r.behind(words, len(words)-len(rest), true, hit)
		}
	}
	for _, n := range r.Nouns {
		noun := stems2(n)
		if len(noun) == 0 {
			continue
		}
		starts := []int{0}
		for _, run := range r.Runs {
			if rest, ok := cutWords(words, stems2(run)); ok {
				starts = append(starts, len(words)-len(rest))
			}
		}
		for _, start := range starts {
			for at := start; at+len(noun) <= len(words); at++ {
				if !slices.Equal(words[at:at+len(noun)], noun) {
					continue
				}
				end := at + len(noun)
				switch {
				case at == start:
					r.behind(words, end, false, hit)
				case end == len(words): // "parser tests"
					hit(start, at)
				}
			}
		}
	}
	return any
}

// behind reads what stands behind a verb or a noun: nothing, what means the whole
// project, a preposition and an object, or after a verb an object alone.
func (r *Role) behind(words []string, at int, verb bool, hit func(from, to int)) {
	rest := words[at:]
	if len(rest) == 0 || r.isWhole(rest) {
		hit(len(words), len(words))
		return
	}
	if slices.Contains(prepositions, rest[0]) && len(rest) > 1 {
		hit(at+1, len(words))
		return
	}
	if !verb {
		if len(rest) > 0 {
			hit(at, len(words)) // "tests parser"
		}
		return
	}
	for _, w := range r.Whole {
		whole := stems2(w)
		if after, ok := cutWords(rest, whole); ok && len(after) > 1 && slices.Contains(prepositions, after[0]) {
			hit(len(words)-len(after)+1, len(words))
			return
		}
	}
	hit(at, len(words))
}

// isWhole reports whether words mean all of the project.
func (r *Role) isWhole(words []string) bool {
	list := r.Whole
	if len(list) == 0 {
		list = wholes
	}
	for _, w := range list {
		if slices.Equal(stems2(w), words) {
			return true
		}
	}
	return len(words) == 1 && (words[0] == "project" || words[0] == "all" || words[0] == "everything" || words[0] == "code")
}

var wholes = []string{"project", "code", "app", "application", "everything", "repo", "repository", "codebase", "whole project", "all", "package", "all packages", "workspace"}

// cutWords takes words from the start of a list.
func cutWords(words, lead []string) ([]string, bool) {
	if len(lead) == 0 || len(words) < len(lead) || !slices.Equal(words[:len(lead)], lead) {
		return nil, false
	}
	return words[len(lead):], true
}

// matchPhrase matches a phrase whose "*" is an object.
func matchPhrase(phrase, words []string) (from, to int, ok bool) {
	at := slices.Index(phrase, "*")
	if at < 0 {
		return len(words), len(words), slices.Equal(phrase, words)
	}
	n := len(phrase) - 1 - at
	if len(words) < len(phrase) || !slices.Equal(words[:at], phrase[:at]) || !slices.Equal(words[len(words)-n:], phrase[at+1:]) {
		return 0, 0, false
	}
	return at, len(words) - n, true
}

// stems2 are the stems of a phrase of roles.json, without its fillers.
func stems2(text string) []string {
	if text == "*" {
		return []string{"*"}
	}
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
	return out
}

// alike are words that tasks and people write in several ways; each is the first of
// its list.
var alike = [...][]string{
	{"doc", "documentation"}, {"fmt", "format", "formatting"}, {"db", "database"}, {"gen", "generate"}, {"int", "integration"}, {"dev", "development"},
	{"prod", "production"}, {"cov", "coverage"}, {"bench", "benchmark"}, {"dep", "dependency"}, {"js", "javascript"}, {"py", "python"}, {"ts", "typescript"},
	{"perf", "performance"}, {"img", "image"}, {"lint", "linter", "linting"}, {"env", "environment"}, {"config", "configuration"}, {"min", "minified"}, {"e2e", "endtoend"}, {"migration", "migrate"},
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
