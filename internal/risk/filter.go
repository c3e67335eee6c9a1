package risk

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// filterPrograms judges the programs that awk and sed have among their words:
// they can start commands and write files.
func filterPrograms(b *argv.Bound, at int) (v Verdict, ok bool) {
	var judge func(string) Verdict
	switch b.Node().Name {
	case "awk", "gawk", "mawk", "nawk", "original-awk":
		judge = awkProgram
	case "sed", "gsed":
		judge = sedProgram
	default:
		return Verdict{}, false
	}
	if b.Has("sandbox") {
		return Verdict{}, false // the program may do neither
	}
	v = Verdict{Level: tcpdb.Safe, Known: true}
	add := func(text string, word int) {
		o := judge(text)
		for i := range o.Findings {
			o.Findings[i].Word = at + word
		}
		for i := range o.Lines {
			o.Lines[i].Word = at + word
		}
		v.merge(o)
		ok = true
	}
	inFile := b.Has("file") || b.Has("exec")
	for _, u := range b.Flags {
		if u.Flag != nil && (u.Flag.ID == "expression" || u.Flag.ID == "source") && u.ValueWord >= 0 {
			add(u.Value, u.ValueWord)
		}
	}
	if !ok && !inFile && len(b.Args) > 0 {
		add(b.Args[0].Text, b.Args[0].Word)
	}
	return v, ok
}

// writes is the verdict on a program that writes to a file, as the shell would
// with a redirection: that is how the line's judge rates the target.
func writes(target string) Verdict {
	if target == "" {
		return says(tcpdb.Medium, tcpdb.FileModification, tcpdb.NamedFiles, "code.write", "writes files")
	}
	return Verdict{Level: tcpdb.Safe, Known: true, Lines: []Line{{Text: "printf x > '" + strings.ReplaceAll(target, "'", `'\''`) + "'", Dialect: "posix"}}}
}

func starts(line string) Verdict {
	if strings.TrimSpace(line) == "" {
		return says(tcpdb.High, 0, tcpdb.NoScope, "code.shell", "starts a program that is known only when it runs")
	}
	return Verdict{Level: tcpdb.Safe, Known: true, Lines: []Line{{Text: line, Dialect: "posix"}}}
}

// awkProgram rates an awk program (POSIX awk, "Output Statements"; gawk's |&):
// system(), commands on either side of a pipe, and output to files.
func awkProgram(code string) Verdict {
	v := Verdict{Level: tcpdb.Safe, Known: true}
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
func awkOutput(s []token) Verdict {
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
				return Verdict{Level: tcpdb.Safe, Known: true}
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
	return Verdict{Level: tcpdb.Safe, Known: true}
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
	switch t.text {
	case ")", "]", "$", "/":
		return false
	case "print", "return", "in", "if", "unless", "and", "or", "not", "when", "while", "until", "split", "grep", "puts", "map", "case":
		return true
	}
	return !isWord(t.text[0])
}

// sedProgram rates a sed script (POSIX sed; GNU's e, and the e and w flags of
// s): commands that it starts and files that it writes.
func sedProgram(script string) Verdict {
	v := Verdict{Level: tcpdb.Safe, Known: true}
	p := sedScript{script}
	for p.s != "" {
		p.address()
		if p.s == "" {
			break
		}
		c := p.s[0]
		p.s = p.s[1:]
		switch c {
		case 's':
			before := p.s
			flags := p.substitute()
			if letters, target, ok := strings.Cut(flags, "w"); ok {
				v.merge(writes(strings.TrimSpace(target)))
				flags = letters
			}
			if strings.Contains(flags, "e") {
				v.merge(starts(""))
				if line := replacementOf(before); line != "" {
					v.merge(starts(line))
				}
			}
		case 'y':
			p.part(p.delimiter())
		case 'e':
			v.merge(starts(p.line()))
		case 'w', 'W':
			if target := strings.TrimSpace(p.line()); target != "/dev/stdout" && target != "/dev/stderr" {
				v.merge(writes(target))
			}
		case 'r', 'R', 'a', 'i', 'c', '#':
			p.text()
		case ':', 'b', 't', 'T':
			p.label()
		}
	}
	return v
}

// replacementOf returns what stands in the place of a match, as far as its text
// tells a command: "rm " of s/.*/rm &/e. The arguments of s begin with its
// delimiter.
func replacementOf(s string) string {
	if s == "" {
		return ""
	}
	p := sedScript{s[1:]}
	p.part(s[0])
	text := p.s
	p.part(s[0])
	text = strings.TrimSuffix(text[:len(text)-len(p.s)], s[:1])
	command, _, _ := strings.Cut(text, " ")
	if command == "" || command == text || strings.ContainsAny(command, `\&`) {
		return ""
	}
	return command + " x"
}

// sedScript is what is left of a script.
type sedScript struct{ s string }

// address skips blanks, separators, braces and the addresses before a command.
func (p *sedScript) address() {
	for p.s != "" {
		switch c := p.s[0]; {
		case strings.IndexByte(" \t\n\r;{},!~+$0123456789IM", c) >= 0:
			p.s = p.s[1:]
		case c == '/':
			p.s = p.s[1:]
			p.part('/')
		case c == '\\' && len(p.s) > 1:
			d := p.s[1]
			p.s = p.s[2:]
			p.part(d)
		default:
			return
		}
	}
}

func (p *sedScript) delimiter() byte {
	if p.s == "" {
		return 0
	}
	d := p.s[0]
	p.s = p.s[1:]
	p.part(d)
	return d
}

// part skips to the end of a part that a delimiter closes.
func (p *sedScript) part(d byte) {
	for i := 0; i < len(p.s); i++ {
		switch p.s[i] {
		case '\\':
			i++
		case d:
			p.s = p.s[i+1:]
			return
		}
	}
	p.s = ""
}

// substitute skips both parts of s and returns its flags.
func (p *sedScript) substitute() string {
	d := p.delimiter()
	p.part(d)
	end := strings.IndexAny(p.s, ";}\n")
	if w := strings.IndexByte(p.s, 'w'); w >= 0 && (end < 0 || w < end) {
		end = strings.IndexByte(p.s, '\n') // a file's name goes to the end of the line
	}
	if end < 0 {
		end = len(p.s)
	}
	flags := p.s[:end]
	p.s = p.s[end:]
	return flags
}

// line takes the rest of the line.
func (p *sedScript) line() string {
	line, rest, _ := strings.Cut(p.s, "\n")
	p.s = rest
	return line
}

// text skips a text whose lines end in a backslash where it goes on.
func (p *sedScript) text() {
	for strings.HasSuffix(p.line(), `\`) && p.s != "" {
	}
}

func (p *sedScript) label() {
	if end := strings.IndexAny(p.s, ";\n"); end >= 0 {
		p.s = p.s[end:]
		return
	}
	p.s = ""
}
