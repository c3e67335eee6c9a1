package rtk

import (
	"regexp"
	"strings"
)

// A template is a line with slots for what differs from one line to the next.
// It becomes an expression that takes whole lines, so that a word more, such as
// one that tells of a failure, is not taken with them.
type template struct {
	tokens []token // words, with the blanks before each
	end    string  // blanks at the end of the line
	lines  int     // how many lines, of all samples, it was made from
}

// token is a word of a template: what is spelled, or a slot.
type token struct {
	blanks string
	text   string          // with digits put as "0"
	values map[string]bool // of a slot; nil for a word that is spelled
}

// anything is the text of a slot that takes the rest of a line.
const anything = "\x00"

// templateOf reads a line as a template. Its words are told apart by blanks;
// digits are put as one "0" for each run, since counts and times differ from
// line to line.
func templateOf(line string) *template {
	t := &template{lines: 1}
	rest := line
	for rest != "" {
		word := strings.TrimLeft(rest, " \t")
		blanks := rest[:len(rest)-len(word)]
		if word == "" {
			t.end = blanks
			break
		}
		n := strings.IndexAny(word, " \t")
		if n < 0 {
			n = len(word)
		}
		t.tokens = append(t.tokens, token{blanks: blanks, text: maskDigits(word[:n])})
		rest = word[n:]
	}
	return t
}

// maskDigits puts 0 for each run of digits.
func maskDigits(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= '0' && c <= '9' {
			if i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
				continue
			}
			c = '0'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// key is the same for templates that take the same lines.
func (t *template) key() string { return t.expression() }

// merge makes one template of two that differ in words only, or nil: at least
// half of the words must be spelled alike, one of them must be a word that says
// something, and what differs must look like a name.
func merge(a, b *template) *template {
	if len(a.tokens) != len(b.tokens) || a.end != b.end {
		return nil
	}
	m := &template{end: a.end, lines: a.lines + b.lines}
	same, telling := 0, false
	for i, x := range a.tokens {
		y := b.tokens[i]
		if x.blanks != y.blanks && !aligned(x.blanks, y.blanks, i) {
			return nil
		}
		if x.blanks != y.blanks {
			x.blanks = "  " // columns: one blank or more
		}
		if x.values == nil && y.values == nil && x.text == y.text {
			same++
			telling = telling || tells(x.text)
			m.tokens = append(m.tokens, x)
			continue
		}
		slot := token{blanks: x.blanks, values: map[string]bool{}}
		for _, t := range []token{x, y} {
			if t.values == nil {
				slot.values[t.text] = true
			}
			for v := range t.values {
				slot.values[v] = true
			}
		}
		m.tokens = append(m.tokens, slot)
	}
	if !telling || 2*same < len(m.tokens) {
		return nil
	}
	for i, t := range m.tokens {
		if t.values != nil && !m.name(i) {
			return nil
		}
	}
	return m
}

// aligned reports whether blanks between words differ as those of columns do.
func aligned(a, b string, at int) bool {
	return at > 0 && strings.Trim(a, " ") == "" && strings.Trim(b, " ") == ""
}

// tells reports whether a word says something: three letters at least.
func tells(word string) bool {
	n := 0
	for _, c := range word {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			n++
		}
	}
	return n >= 3 || strings.ContainsAny(word, "✓✔√")
}

// name reports whether the values of a slot look like names and not like
// verdicts: they have a sign that names have, or they stand where no verdict
// does: within the line and not behind a colon, or alone behind a verb in -ing.
func (m *template) name(i int) bool {
	t := m.tokens[i]
	if named(t.values) {
		return true
	}
	if i == 0 {
		return false
	}
	before := m.tokens[i-1]
	if i == len(m.tokens)-1 {
		return i == 1 && before.values == nil && strings.HasSuffix(before.text, "ing") && len(t.values) >= 3
	}
	return before.values != nil || !verdict(before.text)
}

// verdict reports whether what follows a word may be how something ended.
func verdict(before string) bool {
	return strings.HasSuffix(before, ":") || strings.HasSuffix(before, "=") || strings.HasSuffix(before, "...") ||
		strings.HasSuffix(before, "…") || before == "-" || before == "is" || before == "was" || before == "->" || before == "→"
}

// named reports whether every value has a sign that words of a sentence lack.
func named(values map[string]bool) bool {
	for v := range values {
		if !strings.ContainsAny(strings.Trim(v, ".,:;()[]'\"!"), "0/._-:@") {
			return false
		}
	}
	return len(values) > 0
}

// expression is the regular expression of a template.
func (t *template) expression() string {
	var b strings.Builder
	b.WriteByte('^')
	for i, tok := range t.tokens {
		switch {
		case len(tok.blanks) > 1 && i > 0 && strings.Trim(tok.blanks, " ") == "":
			b.WriteString(" +")
		default:
			b.WriteString(literal(tok.blanks))
		}
		if tok.text == anything {
			b.WriteString(".*")
			continue
		}
		if tok.values == nil && strings.Contains(tok.text, "/") && strings.Contains(tok.text, "0") {
			b.WriteString("[^ ]*/[^ ]*") // a path whose numbers differ will differ in names
			continue
		}
		if tok.values == nil {
			b.WriteString(strings.ReplaceAll(literal(tok.text), "0", "[0-9]+"))
			continue
		}
		b.WriteString(slotClass(tok.values))
	}
	if t.end != "" {
		b.WriteString(" *")
	}
	b.WriteByte('$')
	return b.String()
}

// slotClass is the narrowest class of words that takes all values.
func slotClass(values map[string]bool) string {
	numbers, paths := true, true
	for v := range values {
		numbers = numbers && strings.Trim(v, "0.,:/%") == ""
		paths = paths && strings.Contains(v, "/")
	}
	switch {
	case numbers:
		return "[0-9.,:/%]+"
	case paths:
		return "[^ ]*/[^ ]*"
	case named(values):
		return "[^ ]*[0-9/._:@-][^ ]*"
	}
	return "[^ ]+"
}

// literal writes a text as an expression that RTK and Go read alike.
func literal(s string) string {
	s = regexp.QuoteMeta(s)
	return strings.ReplaceAll(s, "\t", `\t`)
}
