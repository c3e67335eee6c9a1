package rtk

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// translation writes an expression of Rust's regex crate in Go's syntax. Most
// of it is the same; what differs is written out, refused as Rust refuses it,
// or refused because Go has nothing like it (errUnsupported).
type translation struct {
	src      string
	at       int
	out      strings.Builder
	boundary bool // \b or \B was seen
	operand  bool // what stands before can be repeated
}

func (t *translation) run() error {
	if !utf8.ValidString(t.src) {
		return fmt.Errorf("is not valid UTF-8")
	}
	for t.at < len(t.src) {
		if err := t.next(); err != nil {
			return err
		}
	}
	return nil
}

func (t *translation) rest() string { return t.src[t.at:] }

// copy takes the next n bytes as they are.
func (t *translation) copy(n int) {
	t.out.WriteString(t.src[t.at : t.at+n])
	t.at += n
}

func (t *translation) next() error {
	switch c := t.src[t.at]; c {
	case '\\':
		t.operand = true
		return t.escape(false)
	case '[':
		t.operand = true
		return t.class()
	case '{':
		return t.repetition()
	case '(':
		t.operand = false
		return t.group()
	case '|':
		t.operand = false
		t.copy(1)
	default:
		_, n := utf8.DecodeRuneInString(t.rest())
		t.operand = c != '*' && c != '+' && c != '?' || t.operand
		t.copy(n)
	}
	return nil
}

// repetition takes {n}, {n,} or {n,m}. Rust reads every other brace that is not
// escaped as a mistake; Go as itself.
func (t *translation) repetition() error {
	end := strings.IndexByte(t.rest(), '}')
	if end < 0 {
		return fmt.Errorf("a repetition is not closed at %q: write \\{ for a brace", t.rest())
	}
	body := t.rest()[1:end]
	low, high, _ := strings.Cut(body, ",")
	if low == "" || strings.Trim(low+high, "0123456789") != "" {
		return fmt.Errorf("%q is no repetition: write \\{ for a brace", "{"+body+"}")
	}
	if !t.operand {
		return fmt.Errorf("there is nothing to repeat before %q", "{"+body+"}")
	}
	t.copy(end + 1)
	return nil
}

// group takes the opening of a group, with its flags.
func (t *translation) group() error {
	if !strings.HasPrefix(t.rest(), "(?") {
		t.copy(1)
		return nil
	}
	for i, c := range t.rest()[2:] {
		switch {
		case c == 'i' || c == 'm' || c == 's' || c == 'U' || c == '-':
			continue
		case c == ')' || c == ':':
			t.copy(2 + i + 1)
			return nil
		case i == 0 && (c == 'P' || c == '<'):
			if strings.HasPrefix(t.rest(), "(?<=") || strings.HasPrefix(t.rest(), "(?<!") {
				return fmt.Errorf("looking around (%s) is not supported", t.rest()[:4])
			}
			t.copy(3)
			return nil
		case i == 0 && (c == '=' || c == '!'):
			return fmt.Errorf("looking around (%s) is not supported", t.rest()[:3])
		case c == 'x' || c == 'u' || c == 'R':
			return fmt.Errorf("the flag %c %w", c, errUnsupported)
		}
		return fmt.Errorf("%q is no flag of a group", c)
	}
	return fmt.Errorf("a group is not closed at %q", t.rest())
}

// escape takes a backslash and what belongs to it.
func (t *translation) escape(class bool) error {
	rest := t.rest()
	if len(rest) < 2 {
		return fmt.Errorf("ends in a backslash")
	}
	c := rest[1]
	if set := perlClass(c, class); set != "" {
		t.out.WriteString(set)
		t.at += 2
		return nil
	}
	switch {
	case c == 'b' || c == 'B':
		if strings.HasPrefix(rest[2:], "{") {
			return fmt.Errorf("%s… %w", rest[:3], errUnsupported)
		}
		t.boundary = true
		t.operand = false
	case c == '<' || c == '>':
		return fmt.Errorf("\\%c %w", c, errUnsupported)
	case c == 'Q' || c == 'E' || c == 'C' || c >= '0' && c <= '9':
		return fmt.Errorf("\\%c is not supported", c)
	case c == 'x' || c == 'u' || c == 'U':
		return t.codePoint(c)
	}
	if c >= utf8.RuneSelf {
		return fmt.Errorf("%q cannot be escaped", rest[1:])
	}
	t.copy(2)
	if (c == 'p' || c == 'P') && t.at < len(t.src) {
		n := 1
		if t.src[t.at] == '{' {
			if n = strings.IndexByte(t.rest(), '}') + 1; n == 0 {
				return fmt.Errorf("%s is not closed", rest)
			}
		}
		t.copy(n)
	}
	return nil
}

// perlClass is what \d, \s, \w and their opposites stand for, "" for others;
// class says that it is within brackets, where nothing can be negated.
func perlClass(c byte, class bool) string {
	switch {
	case c == 'd':
		return `\p{Nd}`
	case c == 'D':
		return `\P{Nd}`
	case c == 's' && class:
		return spaceSet
	case c == 's':
		return "[" + spaceSet + "]"
	case c == 'S' && class:
		return notSpaceSet()
	case c == 'S':
		return "[^" + spaceSet + "]"
	case c == 'w' && class:
		return wordSet
	case c == 'w':
		return "[" + wordSet + "]"
	case c == 'W' && class:
		return notWordSet()
	case c == 'W':
		return "[^" + wordSet + "]"
	}
	return ""
}

// codePoint takes \x7f, \x{7f}, \u007f, \u{7f} and \U0000007f.
func (t *translation) codePoint(c byte) error {
	rest := t.rest()[2:]
	digits, n := rest, hexDigits(c)
	if strings.HasPrefix(rest, "{") {
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			return fmt.Errorf("\\%c%s is not closed", c, rest)
		}
		digits, n = rest[1:end], end+1
	} else {
		if len(rest) < n {
			return fmt.Errorf("\\%c%s wants %d hexadecimal digits", c, rest, n)
		}
		digits = rest[:n]
	}
	if digits == "" || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		return fmt.Errorf("%q is no hexadecimal number", digits)
	}
	fmt.Fprintf(&t.out, `\x{%s}`, digits)
	t.at += 2 + n
	return nil
}

// hexDigits is how many digits stand after \x, \u and \U.
func hexDigits(c byte) int {
	switch c {
	case 'x':
		return 2
	case 'u':
		return 4
	}
	return 8
}

// class takes a bracketed class. Rust also knows classes within classes and
// operations on them.
func (t *translation) class() error {
	start := t.at
	t.copy(1)
	if strings.HasPrefix(t.rest(), "^") {
		t.copy(1)
	}
	for first := true; t.at < len(t.src); first = false {
		rest := t.rest()
		switch {
		case rest[0] == ']' && !first:
			t.copy(1)
			return nil
		case strings.HasPrefix(rest, "[:") && strings.Contains(rest, ":]"):
			t.copy(strings.Index(rest, ":]") + 2)
		case rest[0] == '[':
			return fmt.Errorf("a class within a class (%s) %w", t.src[start:], errUnsupported)
		case strings.HasPrefix(rest, "&&") || strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "~~"):
			return fmt.Errorf("%s in a class %w", rest[:2], errUnsupported)
		case rest[0] == '\\':
			if err := t.escape(true); err != nil {
				return err
			}
		default:
			_, n := utf8.DecodeRuneInString(rest)
			t.copy(n)
		}
	}
	return fmt.Errorf("a class is not closed at %q", t.src[start:])
}
