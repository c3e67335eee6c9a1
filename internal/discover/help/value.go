package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// more reads a separator and the next name, or a value that stands apart. It
// reports whether the row may go on.
func (p *scanner) more() bool {
	s := p.s
	k := 0
	for p.i+k < len(s) && s[p.i+k] == ' ' {
		k++
	}
	at := p.i + k
	if at >= len(s) || p.reached(at, k) {
		return false
	}
	if at > p.i && strings.HasPrefix(s[at:], "...") && (at+3 == len(s) || s[at+3] == ' ' || s[at+3] == ',') {
		p.out.Repeatable = true
		p.i = at + 3
		return true
	}
	if strings.HasPrefix(s[at:], "(\"") || strings.HasPrefix(s[at:], "('") { // a remark: -1 ("one"), --single
		if end := balanced(s, at); end > 0 && strings.HasPrefix(s[end:], ", -") {
			p.i = end
			return true
		}
	}
	if p.siblings(at) {
		return true
	}
	if next, ok := p.separator(at); ok {
		old := p.i
		p.i = next
		if p.name() {
			if strings.HasPrefix(s[at:], "[ ") && strings.HasPrefix(s[p.i:], " ]") {
				p.i += len(" ]")
			}
			return true
		}
		p.i = old
		return false
	}
	if s[at] == '-' && k > 0 {
		return p.another(at, k)
	}
	if k == 0 {
		return false
	}
	if vs, end := markedChoices(s[at:]); len(vs) > 1 {
		p.value(draft.Required, "")
		p.out.Values = vs
		p.i = at + end
		return true
	}
	if k > 1 && !p.column2(at) {
		return false
	}
	end := p.metavar(at, k)
	if end == 0 {
		return false
	}
	p.i = p.defaultBehind(end)
	return true
}

// siblings reads the names behind slashes that leave the dashes out,
// "-sS/sT/sA" and "--min-rate/max-rate".
func (p *scanner) siblings(at int) bool {
	if len(p.out.Names) == 0 || at != p.i || p.s[at] != '/' || p.out.Arity != draft.Unsaid {
		return false
	}
	last := p.out.Names[len(p.out.Names)-1]
	dashes := "-"
	if draft.Long(last) {
		dashes = "--"
	}
	n := nameLen(p.s[at+1:])
	end := at + 1 + n
	if n < 2 || draft.Short(last) || end < len(p.s) && !strings.ContainsRune("/: [<", rune(p.s[end])) || p.s[at+1] != last[len(dashes)] && !strings.Contains(last[len(dashes):], "-") {
		return false
	}
	p.add(dashes + p.s[at+1:end])
	p.i = end
	p.attached(dashes + p.s[at+1:end])
	return true
}

// defaultBehind passes over a default in brackets behind a value, "arg (=53)".
func (p *scanner) defaultBehind(end int) int {
	if !strings.HasPrefix(p.s[end:], " (=") {
		return end
	}
	close := balanced(p.s, end+1)
	if close == 0 {
		return end
	}
	p.out.Default = p.s[end+3 : close-1]
	return close
}

// reached reports whether position at, after k blanks, is where descriptions
// begin.
func (p *scanner) reached(at, k int) bool {
	if p.beneath && k == 1 && !strings.Contains(p.s[at:], " ") {
		return false // one word, and the text below: a value, wherever it begins
	}
	if p.column < 0 || k == 0 || at != p.column && (k == 1 || at < p.column) {
		return false
	}
	return !p.nameColumn(at, k) && !(k == 1 && p.overflows(at))
}

// nameColumn reports whether a long name in a column of its own begins at at:
// "-t   --totals   Display the sizes".
func (p *scanner) nameColumn(at, k int) bool {
	_, name, n := scanName(p.s[at:])
	if n == 0 || k < 2 || !draft.Long(name) {
		return false
	}
	end := wordEnd(p.s, at+n)
	return end == len(p.s) || strings.HasPrefix(p.s[end:], "  ")
}

// overflows reports whether a value in angle brackets that stands apart from
// what follows begins at at, where shorter rows have their descriptions.
func (p *scanner) overflows(at int) bool {
	if p.s[at] != '<' {
		return false
	}
	end := balanced(p.s, at)
	return end > 0 && strings.HasPrefix(p.s[end:], "  ")
}

// another reads a name that follows without a separator, as in
// "-p NUM  --strip=NUM", unless it begins the description.
func (p *scanner) another(at, k int) bool {
	_, name, n := scanName(p.s[at:])
	if k == 1 && name == "-N" && len(p.out.Names) == 1 && draft.Short(p.out.Names[0]) { // "-n -N[bkm]"
		end := wordEnd(p.s, at)
		p.value(draft.Required, p.s[at+1:end])
		p.i = end
		return true
	}
	if n == 0 || k > 4 && !p.tag && p.column < 0 && !p.nameColumn(at, k) {
		return false
	}
	first := "" // of a row that begins with "-NUM"
	if len(p.out.Names) > 0 {
		first = p.out.Names[0]
	}
	if !p.tag && k == 1 && draft.Long(name) && draft.Long(first) && (p.out.Arity == draft.Unsaid || !strings.HasPrefix(p.s[at+n:], "  ")) {
		return false // "--profit=QUERY --pnl  text" names two
	}
	if !p.tag && !draft.Long(name) && k == 1 && !draft.Short(first) {
		return false
	}
	if tail := p.s[at+n:]; !p.tag && k > 1 && draft.Short(name) && draft.Short(first) && tail != "" && tail[0] == ' ' && !strings.HasPrefix(tail, "  ") && strings.ContainsFunc(tail, func(r rune) bool { return r >= 0x2e80 }) {
		return false // "-a   -t a と同様。"
	}
	old := p.i
	p.i = at
	if p.name() {
		return true
	}
	p.i = old
	return false
}

// separator recognises what stands between two names: a comma, a bar, a slash,
// "or", brackets around a name. It gives the place of the next name.
func (p *scanner) separator(at int) (next int, ok bool) {
	s := p.s
	skip := func(i int) int {
		for i < len(s) && s[i] == ' ' {
			i++
		}
		return i
	}
	i := at
	switch c := s[i]; {
	case c == ',' || c == '|' || c == '/' || c == ';':
		i = skip(i + 1)
		if strings.HasPrefix(s[i:], "or ") {
			i = skip(i + 3)
		}
	case c == '-' && strings.HasPrefix(s[i:], "- --"): // a dash alone is a name too: "-a - --all"
		return i + 2, true
	case c == '.' && strings.HasPrefix(s[i:], ". --"): // a comma mistyped
		return i + 2, true
	case at > p.i && orWord(s[i:]) > 0:
		i = skip(i + orWord(s[i:]))
	case strings.HasPrefix(s[i:], "and ") && at > p.i && p.tag:
		i = skip(i + 4)
	case strings.HasPrefix(s[i:], "[ --") && len(p.out.Names) == 1 && draft.Short(p.out.Names[0]): // Boost's "-x [ --xx ] arg"
		return i + 2, true
	case (c == '(' || c == '[') && i+2 < len(s) && s[i+1] == '-' && s[i+2] == '-' && strings.IndexByte("])", s[balancedOr(s, i)-1]) >= 0 && nameLen(s[i+3:]) > 0:
		return i + 1, true
	default:
		return 0, false
	}
	return i, i < len(s) && s[i] == '-'
}

func balancedOr(s string, i int) int {
	if end := balanced(s, i); end > 0 {
		return end
	}
	return i + 1
}

// markedChoices reads choices of which the default stands in brackets of its own,
// "md5 |(sha1)| sha256", and where they end.
func markedChoices(s string) (vs []draft.Value, end int) {
	marked, i := false, 0
	for {
		inner, closed := i, false
		if i < len(s) && s[i] == '(' {
			inner, closed = i+1, true
		}
		n := nameLen(s[inner:])
		if n == 0 {
			return nil, 0
		}
		vs = append(vs, draft.Value{Text: s[inner : inner+n]})
		i = inner + n
		if closed {
			if i == len(s) || s[i] != ')' {
				return nil, 0
			}
			marked = true
			i++
		}
		end = i
		for i < len(s) && s[i] == ' ' && i < end+2 {
			i++
		}
		if i == len(s) || s[i] != '|' {
			break
		}
		for i++; i < len(s) && s[i] == ' '; i++ {
		}
	}
	if !marked || len(vs) < 2 || end < len(s) && s[end] != ' ' {
		return nil, 0
	}
	return vs, end
}

// column2 reports whether what follows a wide gap is a column of values and not
// the description: brackets or capitals, and a gap or the end behind it.
func (p *scanner) column2(at int) bool {
	s := p.s
	c := s[at]
	end := wordEnd(s, at)
	word := s[at:end]
	if k := kindWord(word); k && lower(c) && strings.HasPrefix(s[end:], "  ") && strings.TrimLeft(s[end:], " ") != "" {
		return true // "-pace  number   How fast"
	}
	if c != '<' && c != '[' && c != '{' && !upper(c) && c != Open {
		return strings.Contains(word, "|") && len(choices(word)) > 1 && strings.HasPrefix(s[end:], "  ")
	}
	if c == '[' && annotation(s[at:]) {
		return false
	}
	if upper(c) && !capitals(word) {
		return false
	}
	if end == len(s) {
		return p.beneath || p.tag
	}
	if upper(c) && strings.Trim(s[end:], " ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return false // the cells of a table
	}
	return strings.HasPrefix(s[end:], "  ") || p.column >= 0 && end+1 == p.column
}
