package definition

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Finding is something in a definition that a person should look at before it is
// trusted. It is advice: it neither allows nor refuses.
type Finding struct {
	Code   string `json:"code"`
	Place  string `json:"place"` // "description", "inputSchema.properties.path.description"
	Detail string `json:"detail"`
}

// Codes of findings.
const (
	HiddenCharacters = "hidden_characters"
	Instructions     = "instructions"
	Secrets          = "secrets"
	Shadowing        = "shadowing"
	TooLong          = "too_long"
)

// The words by which a text talks to the model in place of saying what the tool
// does. They are looked for in the text without its hidden characters.
var (
	instructions = pattern(`(?i)<\s*/?\s*(important|system|secret|instructions?|assistant|admin)\b|` +
		`\b(ignore|disregard|forget|override)\b.{0,40}\b(previous|prior|above|earlier|all|other|system)\b.{0,40}\b(instructions?|prompts?|rules|messages?|context|guidelines?)|` +
		`\b(do not|don't|never|without)\b.{0,30}\b(tell|mention|inform|reveal|show|notify|ask(ing)?|telling|mentioning|informing)\b.{0,30}\b(user|person|human|anyone|operator)|` +
		`\byou (must|should|have to|need to|are required to)\b.{0,60}\b(first|before|always|instead|also)\b|` +
		`\b(before|after|when|whenever) (using|calling|invoking|running|you (use|call|invoke|run)) (this|any|the|other|another)\b.{0,40}\btools?\b|` +
		`\b(always|must) (call|use|invoke|run|prefer|read|send|include|pass)\b|` +
		`\bside ?note\b|\bas an? (ai|assistant|language model)\b|\bsystem prompt\b|\bnew instructions?\b`)
	secrets = pattern(`(?i)~/\.(ssh|aws|gnupg|kube|docker|netrc|config|cursor|claude)|\bid_(rsa|ed25519|ecdsa)\b|\.env\b|/etc/(passwd|shadow)|\bmcp\.json\b|` +
		`\b(api[ _-]?keys?|private keys?|ssh keys?|access tokens?|passwords?|credentials?|environment variables?)\b.{0,60}\b(pass|include|send|provide|read|put|paste|content|contents|attach|as)\b|` +
		`\b(pass|include|send|provide|read|put|paste|attach|exfiltrate)\b.{0,60}\b(api[ _-]?keys?|private keys?|ssh keys?|access tokens?|passwords?|credentials?|environment variables?|conversation|chat history)\b`)
)

// pattern compiles an expression when it is first used: most programs that hold
// this package never look through a definition.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Others are the tools beside a definition, by the name that an agent sees.
type Others struct {
	Own    []string // names of the door's own tools
	Names  []string // names of other servers' tools
	Server string   // the server that lists the definition
}

// Findings looks through a definition.
func (t *Tool) Findings(others Others) []Finding {
	out := []Finding{}
	add := func(code, place, format string, args ...any) {
		out = append(out, Finding{code, place, fmt.Sprintf(format, args...)})
	}
	for _, p := range t.texts() {
		clean := strings.Map(func(r rune) rune {
			if hides(r) {
				return -1
			}
			return r
		}, p.text)
		if n := len([]rune(p.text)) - len([]rune(clean)); n > 0 {
			add(HiddenCharacters, p.place, "%d characters that are not seen", n)
		}
		flat := strings.Join(strings.Fields(clean), " ")
		if m := instructions().FindString(flat); m != "" {
			add(Instructions, p.place, "talks to the model: %q", short(m))
		}
		if m := secrets().FindString(flat); m != "" {
			add(Secrets, p.place, "asks for what is secret: %q", short(m))
		}
		if len(p.text) > MaxText {
			add(TooLong, p.place, "%d bytes, of which %d are shown", len(p.text), MaxText)
		}
		if p.place != "name" {
			if name := mentions(flat, others, t.Name); name != "" {
				add(Shadowing, p.place, "speaks of the tool %q, which is not this server's", name)
			}
		}
	}
	if other := t.twin(others); other != "" {
		add(Shadowing, "name", "looks like %q", other)
	}
	return out
}

func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}

// mentions returns a tool of another hand that a text names.
func mentions(text string, others Others, own string) string {
	lower := strings.ToLower(text)
	for _, list := range [...][]string{others.Own, others.Names} {
		for _, name := range list {
			// A name of one plain word ("read", "search") is English too.
			if len(name) < 5 || name == own || !strings.ContainsAny(name, "_-.") {
				continue
			}
			if at := strings.Index(lower, strings.ToLower(name)); at >= 0 && wordAt(lower, at, len(name)) {
				return name
			}
		}
	}
	return ""
}

func wordAt(s string, at, n int) bool {
	letter := func(i int) bool {
		return i >= 0 && i < len(s) && (s[i] == '_' || s[i] == '-' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= '0' && s[i] <= '9')
	}
	return !letter(at-1) && !letter(at+n)
}

// twin returns another's tool whose name is this one's, or differs by what the
// eye passes over: letters of either case, separators, 0 and o, 1, l and i.
func (t *Tool) twin(others Others) string {
	mine := skeleton(t.Name)
	for _, list := range [...][]string{others.Own, others.Names} {
		for _, name := range list {
			if skeleton(name) == mine {
				return name
			}
		}
	}
	return ""
}

// skeleton folds what looks alike.
func skeleton(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', '.', ' ':
			return -1
		case '0', 'О', 'о', 'Ο', 'ο': // Cyrillic and Greek
			return 'o'
		case '1', 'l', 'I', 'і', 'ı', '|':
			return 'i'
		case 'а', 'А':
			return 'a'
		case 'е', 'Е', 'ё':
			return 'e'
		case 'с', 'С':
			return 'c'
		case 'р', 'Р':
			return 'p'
		case 'х', 'Х':
			return 'x'
		case 'ѕ', '5':
			return 's'
		}
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}
