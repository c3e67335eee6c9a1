package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// sedProgram rates a sed script (POSIX sed; GNU's e, and the e and w flags of
// s): commands that it starts and files that it writes.
func sedProgram(script string) Reading {
	v := Reading{Level: tcpdb.Safe}
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
