package openapi

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

func snake(s string) string { return surface.Snake(s) }

// name is a name in the grammar that begins with a letter and is not longer than most.
func name(s, otherwise string, most int) string {
	out := snake(s)
	if out == "" {
		out = otherwise
	}
	if out[0] < 'a' || out[0] > 'z' {
		out = otherwise + "_" + out
	}
	if len(out) > most {
		out = strings.TrimRight(out[:most], "_")
	}
	return out
}

// unique is the name, with a number behind it where it is taken, and takes it.
func unique(taken map[string]bool, name string) string {
	out := name
	for n := 2; taken[out]; n++ {
		out = fmt.Sprintf("%s_%d", name, n)
	}
	taken[out] = true
	return out
}

// toolName is the name of an API by its title: "Swagger Petstore - OpenAPI 3.0" is
// "swagger_petstore".
func toolName(title string) string {
	title, _, _ = strings.Cut(title, " - ")
	words := strings.Split(snake(title), "_")
	words = slices.DeleteFunc(words, func(w string) bool {
		return slices.Contains([]string{"api", "apis", "rest", "openapi", "specification", "the", "of", "for"}, w) || isVersion(w)
	})
	return name(strings.Join(words, "_"), "api", 40)
}

func isVersion(w string) bool {
	return strings.Trim(strings.TrimPrefix(w, "v"), "0123456789") == ""
}

// line is a text in one line of at most so many bytes.
func line(s string, most int) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	s = strings.ToValidUTF8(s, "")
	if len(s) > most {
		cut := s[:most]
		if i := strings.LastIndexByte(cut, ' '); i > most/2 {
			cut = cut[:i]
		}
		s = strings.ToValidUTF8(cut, "") + "…"
	}
	return s
}

// sentence is the first sentence of a text.
func sentence(s string, most int) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if first, _, ok := strings.Cut(s, ". "); ok {
		s = first
	}
	return line(strings.TrimSuffix(s, "."), most)
}

// intents are the words by which an operation is found: its summary, and its name
// behind that of the API.
func intents(tool string, o *operation, taken map[string]bool) []string {
	var out []string
	add := func(text string) {
		text = plainWords(text)
		norm := phrase.Normalize(text)
		if norm == "" || phrase.Vague(norm) || taken[norm] || len(norm) > 200 {
			return
		}
		taken[norm] = true
		out = append(out, text)
	}
	summary := strings.ToLower(sentence(o.summary, 120))
	add(summary)
	spoken := strings.ReplaceAll(o.name, "_", " ")
	add(tool + " " + spoken)
	if len(out) < 2 && summary != "" {
		add(tool + " " + summary)
	}
	if len(out) == 0 { // a name is unique
		out = append(out, strings.ReplaceAll(tool, "_", " ")+" "+spoken)
	}
	return out
}

// plainWords leaves out what is neither letter nor number: an intent has no signs.
func plainWords(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-':
			return r
		case r == '\'' || r == '`' || r == '’':
			return -1
		}
		return ' '
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// Words that say what a request does beside its method.
var (
	forGood = []string{"purge", "purges", "destroy", "destroys", "erase", "erases", "wipe", "wipes", "permanently", "permanent", "irreversibly", "irreversible", "truncate", "obliterate"}
	acts    = []string{
		"delete", "deletes", "remove", "removes", "reset", "resets", "deploy", "deploys", "redeploy", "transfer", "transfers", "pay", "pays",
		"refund", "payout", "revoke", "revokes", "terminate", "terminates", "cancel", "cancels", "shutdown", "reboot", "rollback",
	}
	deploys = []string{"deploy", "deploys", "redeploy"}
)

// rate is the level and the effect of a request.
func rate(o *operation) (risk, effect string) {
	words := strings.FieldsFunc(strings.ToLower(o.summary+" "+strings.ReplaceAll(o.name, "_", " ")+" "+literal(o.path)), func(r rune) bool {
		return !unicode.IsLetter(r)
	})
	has := func(list []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	switch o.method {
	case "GET", "HEAD", "OPTIONS":
		if !actsFirst(o) {
			return "low", "network + read-only"
		}
		return "high", "network-write"
	case "DELETE":
		effect = "network-write + destructive"
	default:
		effect = "network-write"
	}
	risk = "high"
	if has(forGood) {
		risk, effect = "critical", "network-write + destructive"
	}
	if has(deploys) && o.method != "DELETE" {
		effect += " + deployment"
	}
	return risk, effect
}

// actsFirst reports whether a request that should only read says that it does
// something: by the first word of its summary or name, or the last of its path. Any
// other word may be what it reads about.
func actsFirst(o *operation) bool {
	first := func(s string) string {
		w, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(s)), " ")
		return w
	}
	path := strings.Split(strings.Trim(literal(o.path), "/ "), "/")
	for _, w := range []string{first(o.summary), first(strings.ReplaceAll(o.name, "_", " ")), strings.ToLower(path[len(path)-1])} {
		if slices.Contains(acts, w) || slices.Contains(forGood, w) {
			return true
		}
	}
	return false
}

// literal is a path without its parameters.
func literal(path string) string {
	var b strings.Builder
	depth := 0
	for _, r := range path {
		switch {
		case r == '{':
			depth++
		case r == '}':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
