package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// makefile rates the text of a makefile by the recipes of all its rules, and what
// $(shell …) and != run while it is read.
func makefile(code string) Reading {
	v := Reading{Level: tcpdb.Medium}
	values, seen := map[string]string{}, map[string]bool{}
	runs := func(text string) {
		if !seen[text] {
			seen[text] = true
			v.Lines = append(v.Lines, text)
		}
	}
	for line := range strings.Lines(strings.ReplaceAll(code, "\\\n", " ")) {
		line = strings.TrimRight(line, "\n")
		if text, ok := MadeShell(line); ok {
			runs(recipe(text, values))
		}
		if strings.HasPrefix(line, "\t") {
			runs(recipe(line, values))
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if name, assigned := strings.CutSuffix(name, "!"); ok && assigned && isName(name) {
			runs(recipe(value, values))
			continue
		}
		if name = strings.TrimRight(name, ":?+ "); ok && isName(name) {
			values[strings.TrimSpace(name)] = strings.TrimSpace(value)
			if strings.TrimSpace(name) == "SHELL" {
				runs(strings.TrimSpace(value))
			}
			continue
		}
		if _, text, ok := strings.Cut(line, ";"); ok && strings.Contains(line[:strings.IndexByte(line, ';')], ":") {
			runs(recipe(text, values))
		}
	}
	return v
}

// isName reports whether a text, blanks around it left out, may name a variable.
func isName(s string) bool {
	s = strings.TrimSpace(s)
	for i := range len(s) {
		if !isWord(s[i]) {
			return false
		}
	}
	return s != ""
}

// recipe is the line that make hands to its shell: without the marks before it,
// and with variables as far as they are known.
func recipe(line string, values map[string]string) string {
	line = strings.TrimLeft(line, "@-+ \t")
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		if line[i] != '$' || i+1 == len(line) {
			b.WriteByte(line[i])
			continue
		}
		i++
		shut := ""
		switch line[i] {
		case '(':
			shut = ")"
		case '{':
			shut = "}"
		}
		switch end := strings.Index(line[i:], shut); {
		case line[i] == '$':
			b.WriteByte('$')
		case shut == "":
			b.WriteString("x") // $@, $<
		case end < 0:
			return b.String()
		default:
			name := line[i+1 : i+end]
			switch value, ok := values[name]; {
			case ok:
				b.WriteString(value)
			case name == "RM":
				b.WriteString("rm -f")
			default:
				b.WriteString("x")
			}
			i += end
		}
	}
	return b.String()
}

// MadeShell returns the line in make's $(shell LINE).
func MadeShell(text string) (line string, ok bool) {
	for _, open := range [...]string{"$(shell ", "${shell "} {
		if _, line, ok = strings.Cut(text, open); ok {
			line = strings.TrimRight(line, " ")
			return strings.TrimSuffix(strings.TrimSuffix(line, ")"), "}"), true
		}
	}
	return "", false
}
