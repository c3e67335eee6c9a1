package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// Spec is the left part of an option's row: its names and value, and the text
// that follows them.
type Spec struct {
	Names      []string
	Arity      draft.Arity
	Metavar    string
	Values     []draft.Value
	Default    string
	Repeatable bool
	Negated    bool
	Numeric    bool   // "-NUM": any number
	Pattern    bool   // a name that stands for several, "--GTYPE-group-format"
	Colon      bool   // a colon parts the names from what follows
	Attached   bool   // a value stands right behind a short name, "-l<n>"
	Rest       string // what follows, without blanks around it
	RestAt     int    // where it begins, in bytes
	Gap        int    // blanks before it
	Open       bool   // a comma behind the names says that the line below has more
}

// scanner walks over a row.
type scanner struct {
	s       string
	i       int
	column  int  // where descriptions begin, -1 if not known
	beneath bool // the description stands in the lines below
	tag     bool // the row is the tag of a list: no description in it
	fixed   bool // that a value is required is said
	out     Spec
}

// ParseSpec reads the names and the value at the start of a row. Column is the
// byte where descriptions of this block begin, -1 if that is not known; beneath
// says that the row's description stands in deeper lines below it.
func ParseSpec(row string, column int, beneath, tag bool) (Spec, bool) {
	if s, ok := oddStart(row, column, beneath, tag); ok {
		return s, true
	}
	p := scanner{s: row, column: column, beneath: beneath, tag: tag}
	if !p.name() {
		return Spec{}, false
	}
	for (len(p.out.Names) > 0 || p.out.Numeric || p.out.Pattern) && p.more() {
	}
	p.finish()
	return p.out, len(p.out.Names) > 0 || p.out.Numeric || p.out.Pattern
}

// oddStart reads rows whose names do not stand bare at the start: names in
// brackets with their value behind, "[-D, --pgdata=]DATADIR", and a name behind
// one that begins with a plus, "+FIRST, --pages=FIRST".
func oddStart(row string, column int, beneath, tag bool) (Spec, bool) {
	if row == "" {
		return Spec{}, false
	}
	switch row[0] {
	case '-':
		return foreignNumber(row, column, beneath, tag)
	case '+':
		_, rest, ok := strings.Cut(row, ", -")
		if !ok || strings.Contains(row[:len(row)-len(rest)], "  ") {
			return Spec{}, false
		}
		return ParseSpec("-"+rest, column-(len(row)-len(rest)-1), beneath, tag)
	case '{': // "{--change-start|--adjust-start} <incr>"
		end := balanced(row, 0)
		if end < 6 || !strings.HasPrefix(row, "{--") {
			return Spec{}, false
		}
		return ParseSpec(row[1:end-1]+row[end:], column-2, beneath, tag)
	case '[':
		end := balanced(row, 0)
		if end < 4 || row[1] != '-' || row[end-2] != '=' {
			return Spec{}, false
		}
		s, ok := ParseSpec(row[1:end-2], -1, true, true)
		value := wordEnd(row, end)
		if !ok || s.Rest != "" || value == end {
			return Spec{}, false
		}
		s.Arity, s.Metavar, s.Values = draft.Required, bareMetavar(row[end:value]), choices(row[end:value])
		s.Rest = strings.TrimLeft(row[value:], " ")
		s.RestAt = len(row) - len(s.Rest)
		s.Gap = s.RestAt - value
		return s, true
	}
	return Spec{}, false
}

// finish cuts off the text after the names.
func (p *scanner) finish() {
	rest := p.s[p.i:]
	if rest == "," || strings.HasPrefix(rest, ",  ") {
		rest, p.out.Open = rest[1:], true
	}
	body := strings.TrimLeft(rest, " ")
	p.out.Gap, p.out.RestAt, p.out.Rest = len(rest)-len(body), len(p.s)-len(body), body
	for _, mark := range []string{": ", "- ", "-- ", "=> ", "– ", "— ", "# "} {
		if after, ok := strings.CutPrefix(p.out.Rest, mark); ok {
			p.out.Gap, p.out.Colon = max(p.out.Gap, 2), mark == ": "
			p.out.Rest = strings.TrimLeft(after, " ")
			break
		}
	}
	if p.out.Rest == ":" || p.out.Rest == "." {
		p.out.Rest = ""
	}
}

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

// attached reads the value that stands right behind a name.
func (p *scanner) attached(name string) {
	s := p.s
	if p.i >= len(s) {
		return
	}
	switch c := s[p.i]; {
	case c == '|' && draft.Short(name) && p.repeats(name[1]):
	case strings.HasPrefix(s[p.i:], "[=]") && p.i+3 < len(s) && s[p.i+3] != ' ': // "--file[=]NAME"
		p.i += len("[=]")
		p.assigned()
	case strings.HasPrefix(s[p.i:], "[="), strings.HasPrefix(s[p.i:], "[:<"), strings.HasPrefix(s[p.i:], "[:"+string(rune(Open))):
		if end := balanced(s, p.i); end > 0 {
			in := s[p.i+2 : end-1]
			if in == "true" || in == "false" {
				p.out.Default = in
				p.value(draft.None, "")
			} else {
				p.value(draft.Optional, in)
			}
			p.i = end
		}
	case c == '=' && p.i+1 < len(s) && s[p.i+1] != ' ':
		p.i++
		p.assigned()
	case c == '=':
		p.value(draft.Required, "")
		p.fixed = true // "--pcrs= [PCR...]" says what may stand there
		p.i++
	case c == '[' || c == '<' || c == '{' || c == Open:
		p.bracketed(name)
	case c == '(' && strings.Contains(s[p.i:], "|"):
		p.bracketed(name)
	case (c == ',' || c == ':') && p.i+1 < len(s) && (s[p.i+1] == '<' || s[p.i+1] == Open || c == ':' && (s[p.i+1] == '.' || s[p.i+1] == '[' || upper(s[p.i+1]) || s[p.i+1] == '{' || p.colonWord())):
		end := wordEnd(s, p.i+1)
		p.value(draft.Required, s[p.i+1:end])
		p.out.Attached = true
		p.i = end
	}
	for strings.HasPrefix(s[p.i:], "...") || strings.HasPrefix(s[p.i:], "*") || strings.HasPrefix(s[p.i:], "[...]") {
		p.out.Repeatable = true
		p.i = min(len(s), p.i+len("..."))
		if strings.HasPrefix(s[p.i:], ".]") {
			p.i += 2
		}
	}
}

// bracketed reads a value in brackets right behind a name, "-l<n>", "-u[mode]".
func (p *scanner) bracketed(name string) {
	s, start := p.s, p.i
	end := balanced(s, start)
	if end == 0 {
		if s[start] == '[' && draft.Long(name) { // a list that goes on below
			p.value(draft.Optional, "")
			p.i = len(s)
		}
		return
	}
	in := s[start+1 : end-1]
	if strings.HasPrefix(in, "...") || in == "" {
		p.i, p.out.Repeatable = end, true
		return
	}
	if s[start] == '[' && (in[0] == '-' || in[0] == ' ' || holdsOption(in)) {
		return
	}
	if draft.Short(name) && strings.Trim(in, name[1:]) == "" {
		p.i, p.out.Repeatable = end, true // "-v[v]"
		return
	}
	end = wordEnd(s, start)
	arity := draft.Required
	if s[start] == '[' {
		arity = draft.Optional
	}
	p.value(arity, s[start:end])
	p.out.Attached = true
	p.i = end
}

// assigned reads what follows "=". A literal there is a default.
func (p *scanner) assigned() {
	end := wordEnd(p.s, p.i)
	word := p.s[p.i:end]
	p.i = end
	literal := strings.TrimSuffix(word, ":")
	colon := len(literal) < len(word)
	switch {
	case literal == "true" || literal == "false" || literal == "true|false" || literal == "false|true":
		p.out.Default = strings.TrimSuffix(strings.TrimSuffix(literal, "|false"), "|true")
		p.value(draft.None, "")
	case colon && literal == "":
		p.value(draft.Required, "")
	case colon && (literal == "''" || literal == `""` || literal == "[]" || digits(literal) || strings.Trim(literal, "'\"") != literal || lower(literal[0])):
		p.out.Default = strings.Trim(literal, "'\"")
		p.value(draft.Required, "")
	case literal == "[]": // the default of a list in Go
		p.value(draft.Required, "")
		p.out.Repeatable = true
	case strings.HasPrefix(word, "[") && balanced(word, 0) == len(word):
		arity := draft.Optional
		if len(choices(word)) > 1 || numberRange(word[1:len(word)-1]) || strings.ContainsAny(word[2:], "=,") {
			arity = draft.Required // the brackets hold what may stand there
		}
		p.value(arity, word)
	default:
		p.value(draft.Required, strings.TrimRight(word, ":"))
	}
	if strings.HasSuffix(p.out.Metavar, "...") {
		p.out.Repeatable = true
	}
}

// numberRange reports whether s is a range of numbers, "0-255".
func numberRange(s string) bool {
	from, to, ok := strings.Cut(s, "-")
	return ok && digits(from) && digits(to)
}

func digits(s string) bool {
	for i := range len(s) {
		if !digit(s[i]) {
			return false
		}
	}
	return s != ""
}

// value notes that the names take a value. What shows one wins over what does
// not; one that is always optional stays so.
func (p *scanner) value(a draft.Arity, metavar string) {
	if before, _, ok := strings.Cut(metavar, "[=\""); ok && before != "" && a == draft.Required { // pflag: "string[="x"]"
		a, metavar = draft.Optional, before
	}
	switch {
	case p.out.Arity == draft.Unsaid || p.out.Arity == draft.None:
		p.out.Arity = a
	case a == draft.Optional && p.out.Arity == draft.Required && !p.fixed:
		p.out.Arity = draft.Optional
	}
	if a == draft.None {
		return
	}
	if strings.HasSuffix(metavar, "...") {
		p.out.Repeatable = true
	}
	if len(p.out.Values) == 0 {
		p.out.Values = choices(metavar)
	}
	metavar = bareMetavar(metavar)
	if p.out.Metavar == "" {
		p.out.Metavar = metavar
	}
}

// balanced returns the index behind the bracket that closes the one at i, 0 if
// none does. Brackets of the other kinds nest.
func balanced(s string, i int) int {
	if end := closing(s, i, false); end > 0 {
		return end
	}
	return closing(s, i, true) // "<FILE or ->"
}

// closing is balanced; with arrows "->" and "=>" close a bracket too.
func closing(s string, i int, arrows bool) int {
	depth := 0
	for j := i; j < len(s) && j < i+400; j++ {
		switch s[j] {
		case '[', '<', '{', '(', Open:
			depth++
		case ']', '>', '}', ')', Close:
			if !arrows && s[j] == '>' && j > 0 && (s[j-1] == '-' || s[j-1] == '=') {
				continue
			}
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return 0
}

// wordEnd returns where the value that begins at i ends: at a blank or a comma
// outside of brackets and quotes.
func wordEnd(s string, i int) int {
	for i < len(s) {
		switch c := s[i]; {
		case c == ' ':
			return i
		case c == ',' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '-'):
			return i
		case (c == '|' || c == '/') && i+1 < len(s) && s[i+1] == '-' && i+2 < len(s) && s[i+2] != '1':
			return i
		case c == '[' || c == '<' || c == '{' || c == '(' || c == Open:
			end := balanced(s, i)
			if end == 0 {
				return strings.IndexByte(s[i:]+" ", ' ') + i
			}
			i = end
			continue
		case c == ']' || c == ')' || c == '}':
			return i
		case c == '"' || c == '\'':
			if end := strings.IndexByte(s[i+1:], c); end >= 0 {
				i += end + 2
				continue
			}
		}
		i++
	}
	return i
}
