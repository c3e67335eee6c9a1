package rtk

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// regex is a regular expression as RTK reads it: the syntax is that of Rust's
// regex crate, where \d, \s, \w and \b know Unicode.
type regex struct {
	re   *regexp.Regexp
	prog *syntax.Prog // with word boundaries, which Go knows of ASCII alone; else nil
}

// errUnsupported is wrapped by the errors about an expression that RTK takes
// and this program does not: nothing can be said about what it matches.
var errUnsupported = errors.New("cannot be checked here")

func compile(pattern string) (*regex, error) {
	t := translation{src: pattern}
	if err := t.run(); err != nil {
		return nil, err
	}
	re, err := regexp.Compile(t.out.String())
	if err != nil {
		var s *syntax.Error
		if errors.As(err, &s) {
			if s.Code == syntax.ErrInvalidCharRange && strings.HasPrefix(s.Expr, `\p`) || s.Code == syntax.ErrInvalidRepeatOp || s.Code == syntax.ErrInvalidRepeatSize {
				return nil, fmt.Errorf("%s %q %w", s.Code, s.Expr, errUnsupported)
			}
			return nil, fmt.Errorf("%s: %s", s.Code, s.Expr)
		}
		return nil, err
	}
	r := &regex{re: re}
	if t.boundary {
		tree, err := syntax.Parse(t.out.String(), syntax.Perl)
		if err != nil {
			return nil, err
		}
		if r.prog, err = syntax.Compile(tree.Simplify()); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// match reports whether the expression matches anywhere in the text.
func (r *regex) match(text string) bool {
	if r.prog != nil && !ascii(text) {
		return search(r.prog, text, 0) != nil
	}
	return r.re.MatchString(text)
}

// replaceAll replaces each match by the template, in which $1, $name and
// ${name} stand for groups and $$ for a dollar sign.
func (r *regex) replaceAll(text, template string) string {
	var out strings.Builder
	last := 0
	for _, m := range r.all(text) {
		out.WriteString(text[last:m[0]])
		r.expand(&out, template, text, m)
		last = m[1]
	}
	out.WriteString(text[last:])
	return out.String()
}

// all returns the matches from left to right, none of them empty right after
// another one.
func (r *regex) all(text string) [][]int {
	if r.prog == nil || ascii(text) {
		return r.re.FindAllStringSubmatchIndex(text, -1)
	}
	var all [][]int
	for at, end := 0, -1; at <= len(text); {
		m := search(r.prog, text, at)
		if m == nil {
			break
		}
		if m[0] != m[1] || m[0] != end {
			all = append(all, m)
		}
		end, at = m[1], m[1]
		if m[0] == m[1] {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += max(n, 1)
		}
	}
	return all
}

// expand writes a replacement as the regex crate does: a name is as long as it
// can be, a group that is not there is empty, and a $ that begins nothing
// stands for itself.
func (r *regex) expand(out *strings.Builder, template, text string, m []int) {
	for {
		before, rest, ok := strings.Cut(template, "$")
		out.WriteString(before)
		if !ok {
			return
		}
		if strings.HasPrefix(rest, "$") {
			out.WriteByte('$')
			template = rest[1:]
			continue
		}
		name, after := groupName(rest)
		if name == "" && after == rest {
			out.WriteByte('$')
			template = rest
			continue
		}
		if i := r.group(name); i >= 0 && 2*i+1 < len(m) && m[2*i] >= 0 {
			out.WriteString(text[m[2*i]:m[2*i+1]])
		}
		template = after
	}
}

// groupName cuts the name of a group off what follows a dollar sign; after is
// rest if there is none.
func groupName(rest string) (name, after string) {
	if strings.HasPrefix(rest, "{") {
		if i := strings.IndexByte(rest, '}'); i > 0 {
			return rest[1:i], rest[i+1:]
		}
		return "", rest
	}
	i := 0
	for i < len(rest) && (rest[i] == '_' || asciiAlnum(rune(rest[i]))) {
		i++
	}
	return rest[:i], rest[i:]
}

func (r *regex) group(name string) int {
	if n, err := strconv.Atoi(name); err == nil {
		return n
	}
	if name == "" {
		return -1
	}
	return r.re.SubexpIndex(name)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func asciiAlnum(c rune) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// What \s and \w stand for in a class (Unicode's White_Space; Alphabetic, Mark,
// decimal numbers, connectors and the two joiners).
const (
	spaceSet = `\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`
	wordSet  = `\pL\pM\p{Nd}\p{Nl}\p{Pc}\x{24b6}-\x{24e9}\x{1f130}-\x{1f149}\x{1f150}-\x{1f169}\x{1f170}-\x{1f189}\x{200c}\x{200d}`
)

// word reports whether \w matches a character.
func word(c rune) bool {
	if c < utf8.RuneSelf {
		return c == '_' || asciiAlnum(c)
	}
	return unicode.In(c, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}

// notWordSet is what \W stands for inside a class.
var notWordSet = sync.OnceValue(func() string { return complement(word) })

// notSpaceSet is what \S stands for inside a class.
var notSpaceSet = sync.OnceValue(func() string {
	return complement(func(c rune) bool { return unicode.Is(unicode.White_Space, c) })
})

// complement writes the characters outside a set as ranges of a class.
func complement(in func(rune) bool) string {
	var b strings.Builder
	start := rune(-1)
	for c := rune(0); c <= unicode.MaxRune+1; c++ {
		out := c <= unicode.MaxRune && !in(c)
		switch {
		case out && start < 0:
			start = c
		case !out && start >= 0:
			fmt.Fprintf(&b, `\x{%x}-\x{%x}`, start, c-1)
			start = -1
		}
	}
	return b.String()
}
