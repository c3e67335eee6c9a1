package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// awkProgram rates an awk program (POSIX awk, "Output Statements"; gawk's |&):
// system(), commands on either side of a pipe, and output to files.
func awkProgram(code string) Reading {
	v := Reading{Level: tcpdb.Safe}
	s := awkTokens(code)
	fillAwk(s)
	for i := 0; i < len(s); i++ {
		t := s[i]
		switch {
		case t.literal:
			if i+2 < len(s) && s[i+1].text == "|" && s[i+2].text == "getline" {
				v.merge(starts(t.text))
			}
		case t.text == "system" && i+1 < len(s) && s[i+1].text == "(":
			v.merge(starts(argument(s[i+2:])))
		case t.text == "getline" && i >= 1 && s[i-1].text == "|" && (i < 2 || !s[i-2].literal):
			v.merge(starts(""))
		case t.text == "print" || t.text == "printf":
			v.merge(awkOutput(s[i+1:]))
		}
	}
	return v
}

// fillAwk puts the text of variables that one literal is assigned to in their
// place, behind the first such assignment.
func fillAwk(s []token) {
	var values map[string]token
	fill := func(k int) {
		if s[k].literal || k+1 < len(s) && !s[k+1].literal && s[k+1].text == "=" {
			return
		}
		if value, ok := values[s[k].text]; ok {
			s[k] = value
		}
	}
	for k := range s {
		fill(k)
		// That no other literal is joined to the one assigned shows at the next word.
		i := k - 3
		if i < 0 || s[k].literal || s[i].literal || !isWord(s[i].text[0]) || s[i+1].literal || s[i+1].text != "=" || !s[i+2].literal {
			continue
		}
		if _, ok := values[s[i].text]; ok {
			continue
		}
		if values == nil {
			values = map[string]token{}
		}
		values[s[i].text] = s[i+2]
		fill(k)
	}
}

// argument is the text of a call's argument if it is one literal, with what is
// joined to it left out; "" if it begins with something else.
func argument(s []token) string {
	if len(s) == 0 || !s[0].literal {
		return ""
	}
	var parts []string
	for _, t := range s {
		switch {
		case t.literal:
			parts = append(parts, t.text)
		case t.text == ")":
			return strings.Join(parts, "x")
		}
	}
	return strings.Join(parts, "x")
}

// awkOutput rates where a print statement, whose words follow, writes to.
func awkOutput(s []token) Reading {
	depth := 0
	for i, t := range s {
		if t.literal {
			continue
		}
		switch t.text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case ";", "}", "{":
			if depth <= 0 {
				return Reading{Level: tcpdb.Safe}
			}
		case ">", "|":
			if depth > 0 {
				continue
			}
			rest := s[i+1:]
			if len(rest) > 0 && (rest[0].text == ">" || rest[0].text == "&") && !rest[0].literal {
				rest = rest[1:]
			}
			target := ""
			if len(rest) > 0 && rest[0].literal {
				target = rest[0].text
			}
			if t.text == "|" && target != "" {
				return starts("cat - | " + target)
			}
			if t.text == "|" {
				return starts("")
			}
			return writes(target)
		}
	}
	return Reading{Level: tcpdb.Safe}
}

// awkTokens cuts an awk program into names, literals and other characters.
// Regular expressions are left out.
func awkTokens(code string) []token {
	var out []token
	for i := 0; i < len(code); {
		c := code[i]
		switch {
		case c == '\n':
			out = append(out, token{text: ";"})
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\\':
			i++
		case c == '#':
			for i < len(code) && code[i] != '\n' {
				i++
			}
		case c == '"':
			text, n := quoted(code[i+1:], `"`)
			out = append(out, token{text, true, c})
			i += 1 + n
		case c == '/' && regexMayBegin(out):
			_, n := quoted(code[i+1:], "/")
			out = append(out, token{text: "/"})
			i += 1 + n
		case isWord(c):
			k := i
			for k < len(code) && isWord(code[k]) {
				k++
			}
			out = append(out, token{text: code[i:k]})
			i = k
		default:
			out = append(out, token{text: code[i : i+1]})
			i++
		}
	}
	return out
}

// regexMayBegin reports whether a slash here begins a regular expression, and
// does not divide.
func regexMayBegin(before []token) bool {
	if len(before) == 0 {
		return true
	}
	t := before[len(before)-1]
	if t.literal {
		return false
	}
	if wordlist.Has(") ] $ /", t.text) {
		return false
	}
	return !isWord(t.text[0]) || wordlist.Has("print return in if unless and or not when while until split grep puts map case", t.text)
}
