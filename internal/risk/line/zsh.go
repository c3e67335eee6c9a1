package line

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// precommands leaves out what zsh lets stand before a command: "-", "repeat 3".
func precommands(words []shline.Word) []shline.Word {
	for {
		switch {
		case len(words) > 1 && words[0].Raw == "-":
			words = words[1:]
			continue
		case len(words) > 2 && words[0].Raw == "repeat":
			words = words[2:]
			continue
		}
		if rest := module(words); rest != nil {
			words = rest
			continue
		}
		return words
	}
}

// paths gives =rm, which is the path of rm, the text of its name.
func paths(words []shline.Word) []shline.Word {
	for i, w := range words {
		if name, ok := strings.CutPrefix(w.Raw, "="); ok && name != "" && w.Text == w.Raw && name[0] != '(' {
			words = slices.Clone(words)
			words[i].Text = name
			if i == 0 {
				words[i].Raw = name
			}
		}
	}
	return words
}

// qualifiers judges the code in zsh's glob qualifiers: *(e:'rm $REPLY':).
func (r *run) qualifiers(words []shline.Word) {
	for _, w := range words {
		if !w.Glob || !strings.HasSuffix(w.Raw, ")") {
			continue
		}
		inner := w.Raw[strings.LastIndexByte(w.Raw, '(')+1 : len(w.Raw)-1]
		for i := 0; i+2 < len(inner); i++ {
			d := inner[i+1]
			if inner[i] != 'e' || d >= '0' && d <= '9' || d >= 'a' && d <= 'z' || d >= 'A' && d <= 'Z' {
				continue
			}
			code, _, _ := strings.Cut(inner[i+2:], string(d))
			r.source(strings.Trim(code, `'"`), false, r.text.at(w.Start, w.End), shellLanguage, len(r.text.s), []shline.Word{{Text: "zsh"}})
			break
		}
	}
}

// expansions judges what zsh's ${(e)…} substitutes in the value of a variable or
// in a default: ${(e):-'$(rm x)'}.
func (r *run) expansions(words []shline.Word) {
	for _, w := range words {
		for rest := w.Raw; ; {
			_, after, ok := strings.Cut(rest, "${(")
			if !ok {
				break
			}
			inner, evaluates := expansionFlags(after)
			rest = inner
			if !evaluates {
				continue
			}
			span := r.text.at(w.Start, w.End)
			_, text, given := strings.Cut(inner, ":-")
			if end := strings.LastIndexByte(text, '}'); end >= 0 {
				text = text[:end]
			}
			if !given {
				name, _, _ := reference(inner)
				fields, known := r.known(name)
				if !known {
					r.source("", true, span, shellLanguage, len(r.text.s), words)
					continue
				}
				text = strings.Join(fields, " ")
			}
			r.source(": \""+strings.Trim(text, `'"`)+"\"", false, span, shellLanguage, len(r.text.s), []shline.Word{{Text: "zsh"}})
		}
	}
}

// expansionFlags reads the flags behind "${(" and reports whether e is among
// them. Some flags have an argument between two equal characters.
func expansionFlags(s string) (rest string, evaluates bool) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ')':
			return s[i+1:], evaluates
		case c == 'e':
			evaluates = true
		case strings.IndexByte("sjlrIZg_", c) >= 0 && i+1 < len(s):
			end := strings.IndexByte(s[i+2:], s[i+1])
			if end < 0 {
				return "", false
			}
			i += 2 + end
		}
	}
	return "", false
}

// module returns the command that a command of zsh's modules and functions
// stands for or runs: sched +1 rm x, zargs -- *.o -- rm, zf_rm x. Nil if there
// is none.
func module(words []shline.Word) []shline.Word {
	switch name := words[0].Text; {
	case name == "sched" && len(words) > 2 && !strings.HasPrefix(words[1].Text, "-"):
		return words[2:]
	case name == "foreach":
		for i := 2; i+1 < len(words); i++ {
			if strings.HasSuffix(words[i].Raw, ")") {
				return words[i+1:]
			}
		}
	case name == "zargs":
		for i := len(words) - 2; i > 0; i-- {
			if words[i].Raw == "--" {
				return words[i+1:]
			}
		}
	case strings.HasPrefix(name, "zf_") && len(name) > 3:
		first := words[0]
		first.Text, first.Raw = name[3:], name[3:]
		return append([]shline.Word{first}, words[1:]...)
	}
	return nil
}

// withoutArithmetic puts a command that does nothing, and blanks, in the place of
// each (( … )), so that its bytes stand where they stood. What is substituted in
// one is left for the lexer to find.
func withoutArithmetic(s string) string {
	out := []byte(nil)
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '(' || s[i+1] != '(' || i > 0 && strings.IndexByte(" \t\n;&|{!", s[i-1]) < 0 {
			continue
		}
		end := strings.Index(s[i:], "))")
		if end < 0 {
			break
		}
		end += i + 2
		if inner := s[i:end]; strings.ContainsAny(inner, "`'\"\n") || strings.Contains(inner, "$(") {
			continue
		}
		if out == nil {
			out = []byte(s)
		}
		start := i
		if head := strings.TrimRight(s[:i], " \t"); strings.HasSuffix(head, "for") {
			start = len(head) - len("for") // its body follows as it is
		}
		for k := start; k < end; k++ {
			out[k] = ' '
		}
		out[start], out[start+1] = ':', ';'
		i = end - 1
	}
	if out == nil {
		return s
	}
	return string(out)
}

// shortBlock cuts words such as while true { rm x } at the braces: what stands
// before them, and what stands in them.
func shortBlock(words []shline.Word) (before, block []shline.Word) {
	for i := 1; i+1 < len(words); i++ {
		if words[i].Raw != "{" {
			continue
		}
		block = words[i+1:]
		if block[len(block)-1].Raw == "}" {
			block = block[:len(block)-1]
		}
		return words[:i], block
	}
	return words, nil
}
