package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// name reads one name with the value that is attached to it.
func (p *scanner) name() bool {
	s, start := p.s, p.i
	optional, bare, n := scanName(s[start:])
	if n == 0 {
		return false
	}
	if tail := s[start+n:]; tail != "" && !endsName(tail) {
		return false
	}
	p.i = start + n
	again := p.out.Arity == draft.Unsaid && slices.Contains(p.out.Names, bare)
	switch {
	case numericName(bare):
		p.out.Numeric = true
		return true
	case optional != "":
		p.out.Negated = negation(optional, bare)
		p.add(bare)
		p.add(optional)
	default:
		p.add(bare)
	}
	p.attached(bare)
	if again && p.out.Arity == draft.Required { // "-c, --check, --check=diagnose-first"
		p.out.Arity = draft.Optional
	}
	return true
}

func (p *scanner) add(name string) {
	if placeholderName(name) {
		p.out.Pattern = true
		return
	}
	for _, have := range p.out.Names {
		if have == name {
			return
		}
	}
	p.out.Names = append(p.out.Names, name)
}

// placeholderName reports whether a part of a name stands for several words, as
// in diff's "--GTYPE-group-format".
func placeholderName(name string) bool {
	first, rest, _ := strings.Cut(strings.TrimPrefix(name, "--"), "-")
	return strings.HasPrefix(name, "--") && len(first) > 3 && allCaps(first) && rest != "" && !allCaps(rest)
}

// endsName reports whether what follows a name is one of the characters that
// may: anything else, as in "-foo(3)" or "--x'", shows running text.
func endsName(tail string) bool {
	switch tail[0] {
	case ' ', ',', '=', '[', '<', '{', '|', '/', ':', ';', Open, '(', '.', ')', ']', '}', '"', '\'', '*', '+', '&', '\\', '$', '%', '>':
		return tail[0] != '(' || strings.Contains(tail, "|")
	}
	return tail[0] >= 0x80
}

// scanName reads a name at the start of s. For "--[no-]x" it gives both forms.
func scanName(s string) (optional, name string, n int) {
	if strings.HasPrefix(s, "-/+") || strings.HasPrefix(s, "+/-") {
		if m := nameLen(s[3:]); m > 0 {
			return "+" + s[3:3+m], "-" + s[3:3+m], 3 + m
		}
	}
	dashes := 0
	for dashes < len(s) && dashes < 3 && s[dashes] == '-' {
		dashes++
	}
	if dashes == 0 || dashes == 3 || dashes == len(s) {
		return "", "", 0
	}
	prefix := s[:dashes]
	i := dashes
	if open := s[i]; open == '[' || open == '(' {
		if end := strings.IndexAny(s[i:], "])"); end > 2 && end < 12 && (optionalPart(s[i+1:i+end]) || openPart(s[i+1:i+end])) {
			part := s[i+1 : i+end]
			m := nameLen(s[i+end+1:])
			if m == 0 {
				return "", "", 0
			}
			rest := s[i+end+1 : i+end+1+m]
			return prefix + part + rest, prefix + rest, i + end + 1 + m
		}
		return "", "", 0
	}
	if dashes == 1 && strings.IndexByte("?#@!%.:,$^+~/_", s[i]) >= 0 {
		m := 1
		for i+m < len(s) && s[i+m] == s[i] && s[i] == '#' {
			m++
		}
		if s[i] != '?' && s[i] != '#' && i+m < len(s) && s[i+m] != ' ' && s[i+m] != ',' && s[i+m] != '|' {
			return "", "", 0
		}
		return "", s[:i+m], i + m
	}
	if dashes == 1 && (s[i] == '<' || s[i] == '>') && strings.HasPrefix(s[i+1:], ", --") {
		return "", s[:i+1], i + 1
	}
	m := nameLen(s[i:])
	if m == 0 {
		return "", "", 0
	}
	i += m
	// "--bind[-to]" and "--color[s]" are two names; "--x[=v]" and "--x[v]" are not.
	if i+3 < len(s) && s[i] == '[' && s[i+1] == '-' && dashes == 2 {
		if end := strings.IndexByte(s[i:], ']'); end > 2 && nameLen(s[i+2:i+end]) == end-2 {
			return s[:i] + s[i+1:i+end], s[:i], i + end + 1
		}
	}
	return "", s[:i], i
}

// optionalPart reports whether the bracketed beginning of a name is a prefix of
// negation, as in "--[no-]x" and "-W[no-]x".
func optionalPart(s string) bool {
	switch strings.TrimSuffix(s, "-") {
	case "no", "not", "non", "dont", "disable", "enable", "without", "un", "skip":
		return true
	}
	return false
}

// openPart reports whether the bracketed beginning of a name is the rest of a
// longer form of it, as in "--[section-]headers".
func openPart(s string) bool {
	return len(s) > 2 && s[len(s)-1] == '-' && nameLen(s[:len(s)-1]) == len(s)-1
}

// negation reports whether the longer of two names says no to the other.
func negation(long, short string) bool {
	part, ok := strings.CutSuffix(strings.TrimLeft(long, "-"), strings.TrimLeft(short, "-"))
	return ok && optionalPart(part)
}

// nameLen is the length of the name's letters at the start of s.
func nameLen(s string) int {
	n := 0
	for n < len(s) {
		c := s[n]
		switch {
		case alnum(c), c == '_' && n > 0:
		case (c == '-' || c == '.' || c == '+') && n > 0 && n+1 < len(s) && alnum(s[n+1]):
		case c == '-' && n > 2 && n+2 < len(s) && s[n+1] == '-' && lower(s[n+2]) && alnum(s[n-1]): // "--parallel--safe-build"
			n++
		case c == '+' && n > 0 && (s[n-1] == '+' || n+1 == len(s) || s[n+1] == '+' || s[n+1] == ' '):
		default:
			return n
		}
		n++
		// A dash may end a name that is a prefix: "-gdwarf-", "-Wlarger-than-<n>".
		if n > 1 && n < len(s) && s[n] == '-' && (n+1 == len(s) || s[n+1] == '<' || s[n+1] == ' ' || s[n+1] == '[') {
			return n + 1
		}
	}
	return n
}

func alnum(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

func lower(c byte) bool { return c >= 'a' && c <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

// numericName reports whether a name stands for a number: "-NUM", "-LINES".
func numericName(name string) bool {
	switch name {
	case "-NUM", "-NUMBER", "-LINES", "-LEVEL", "-COLUMN", "-COLUMNS", "-NN", "-NNN", "-num", "-number", "-SIGNAL", "-SIG", "-signum", "-DIGIT", "-WIDTH":
		return true
	}
	return len(name) > 2 && digits(name[1:])
}
