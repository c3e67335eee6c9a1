package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
)

// Strings returns the string literals of a text in the notation of JSON or of a
// language like it.
func Strings(text string) []string {
	var out []string
	for _, t := range tokens("node", text) {
		if t.literal {
			out = append(out, t.text)
		}
	}
	return out
}

// literals joins the string literals of a call, up to its end.
func literals(s []token) string {
	var out []string
	depth := 0
	for i, t := range s {
		switch {
		case t.literal && len(out) > 0 && i > 1 && !s[i-1].literal && (s[i-1].text == "+" || s[i-1].text == ".") && s[i-2].literal:
			out[len(out)-1] += t.text // joined to the one before
			continue
		case t.literal:
			out = append(out, t.text)
			continue
		case t.text == "(":
			depth++
		case t.text == ")":
			depth--
		}
		if t.text == ";" || depth < 0 || depth == 0 && t.text == ")" {
			break
		}
	}
	return strings.Join(out, " ")
}

// token is a dotted name, a literal, or one other character of a program.
type token struct {
	text    string
	literal bool
	quote   byte
}

// tokens cuts a program, far enough to tell names from literals and comments.
func tokens(lang, code string) []token {
	var out []token
	for i := 0; i < len(code); {
		c := code[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if c == '\n' {
				out = append(out, token{text: ";"})
			}
			i++
		case c == '#' && lang != "node", c == '/' && lang == "node" && strings.HasPrefix(code[i:], "//"):
			if k := strings.IndexByte(code[i:], '\n'); k >= 0 {
				i += k
			} else {
				i = len(code)
			}
		case c == '\'' || c == '"' || c == '`' && lang != "python":
			open := string(c)
			if t := strings.Repeat(open, 3); lang == "python" && strings.HasPrefix(code[i:], t) {
				open = t
			}
			text, n := quoted(code[i+len(open):], open)
			out = append(out, token{text, true, c})
			i += len(open) + n
		case c == '/' && (lang == "perl" || lang == "ruby" || lang == "node") && regexMayBegin(out):
			_, n := quoted(code[i+1:], "/")
			out = append(out, token{text: "/"})
			i += 1 + n
		case isWord(c):
			if n, replacement := pattern(lang, code[i:], out); n > 0 {
				out = append(append(out, token{text: "/"}), replacement...)
				i += n
				continue
			}
			k := i
			for k < len(code) && (isWord(code[k]) || (code[k] == '.' || code[k] == ':' && strings.HasPrefix(code[k:], "::") || code[k] == ':' && code[k-1] == ':') && k+1 < len(code) && (isWord(code[k+1]) || code[k+1] == ':')) {
				k++
			}
			out = append(out, token{text: code[i:k]})
			i = k
		case c == '.' && len(out) > 0 && i+1 < len(code) && isWord(code[i+1]):
			// A method of what a call returned: the name goes on by itself.
			i++
		default:
			out = append(out, token{text: code[i : i+1]})
			i++
		}
	}
	return out
}

// pattern returns the length of perl's s///, m//, qr//, tr/// or y/// at the
// start of code, 0 if there is none, and the tokens of a replacement that is
// code.
func pattern(lang, code string, before []token) (n int, replacement []token) {
	if lang != "perl" || len(before) > 0 && wordlist.Has("$ @ % & -> -", before[len(before)-1].text) {
		return 0, nil
	}
	parts := 1
	name := 1
	switch {
	case strings.HasPrefix(code, "s"), strings.HasPrefix(code, "y"):
		parts = 2
	case strings.HasPrefix(code, "tr"):
		parts, name = 2, 2
	case strings.HasPrefix(code, "qr"):
		name = 2
	case !strings.HasPrefix(code, "m"):
		return 0, nil
	}
	if len(code) <= name || isWord(code[name]) || strings.IndexByte(" \t\n=,;)>.-:(", code[name]) >= 0 {
		return 0, nil
	}
	open := code[name]
	shut := map[byte]byte{'{': '}', '[': ']', '<': '>'}[open]
	if shut == 0 {
		shut = open
	}
	n = name + 1
	text := ""
	for i := range parts {
		if i > 0 && shut != open {
			k := strings.IndexByte(code[n:], open)
			if k < 0 {
				return len(code), nil
			}
			n += k + 1
		}
		var k int
		if text, k = quoted(code[n:], string(shut)); k == 0 {
			return n, nil
		}
		n += k
		if n >= len(code) {
			return len(code), nil
		}
	}
	flags := n
	for n < len(code) && code[n] >= 'a' && code[n] <= 'z' {
		n++
	}
	if code[0] == 's' && strings.Contains(code[flags:n], "e") {
		replacement = tokens(lang, text)
	}
	return n, replacement
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// quoted returns the text of a literal up to its closing quote, and the bytes
// it takes with that.
func quoted(s, shut string) (text string, n int) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], shut):
			return b.String(), i + len(shut)
		case s[i] == '\\' && i+1 < len(s):
			i++
			if s[i] == 'n' {
				b.WriteByte('\n')
			} else {
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), len(s)
}
