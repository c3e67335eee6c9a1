package help

import (
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
