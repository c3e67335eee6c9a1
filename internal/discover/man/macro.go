package man

import "strings"

// words splits the arguments of a macro: blanks between, quotes around, two
// quotes for one inside.
func words(s string) []string {
	var out []string
	for len(out) < 200 {
		s = strings.TrimLeft(s, " \t")
		if s == "" || strings.HasPrefix(s, `\"`) {
			return out
		}
		var b strings.Builder
		if s[0] == '"' {
			s = s[1:]
			for s != "" {
				if s[0] == '"' {
					if len(s) > 1 && s[1] == '"' {
						b.WriteByte('"')
						s = s[2:]
						continue
					}
					s = s[1:]
					break
				}
				b.WriteByte(s[0])
				s = s[1:]
			}
			out = append(out, b.String())
			continue
		}
		i := 0
		for i < len(s) && s[i] != ' ' && s[i] != '\t' {
			if s[i] == '\\' && i+1 < len(s) {
				i++
			}
			i++
		}
		i = min(i, len(s))
		out = append(out, s[:i])
		s = s[i:]
	}
	return out
}

// macro carries out a macro of man, or of mdoc.
func (r *reader) macro(name, args string) {
	switch name {
	case "TH":
		r.mdoc.on = false
		return
	case "SH":
		r.title(strings.Join(r.plainWords(args), " "), 0)
		return
	case "SS":
		r.title(strings.Join(r.plainWords(args), " "), 3)
		return
	case "B", "I", "R", "SM", "SB", "BR", "RB", "BI", "IB", "IR", "RI":
		r.fonts(name, args)
		return
	case "PP", "P", "LP", "br", "sp", "HP", "TP", "TQ", "IP", "RS", "RE", "INDENT", "UNINDENT", "nf", "fi", "EX", "EE", "SY", "YS", "OP":
		r.blocks(name, args)
		return
	case "UR", "MT":
		r.add(r.inline(args))
		return
	case "ft":
		r.setFont(strings.TrimSpace(args))
		return
	}
	r.mdocMacro(name, args)
}

func (r *reader) plainWords(args string) []string {
	var out []string
	for _, w := range words(args) {
		var b strings.Builder
		for _, p := range r.inline(w) {
			b.WriteString(p.text)
		}
		out = append(out, b.String())
	}
	return out
}

// fonts carries out the macros that set words in fonts, in turn.
func (r *reader) fonts(name, args string) {
	ws := words(args)
	if len(ws) == 0 {
		return
	}
	var ps []piece
	old, oldPrevious := r.font, r.previous
	for i, w := range ws {
		letter := name[i%len(name)]
		if len(name) == 1 || name == "SM" || name == "SB" {
			letter = name[len(name)-1]
			if i > 0 {
				ps = append(ps, piece{" ", macroFont(letter)})
			}
		}
		r.font = macroFont(letter)
		r.previous = r.font
		ps = append(ps, r.inline(w)...)
	}
	r.font, r.previous = old, oldPrevious
	r.add(ps)
	if r.literal {
		r.flush()
	}
	r.endTag()
}

func macroFont(c byte) font {
	switch c {
	case 'B':
		return bold
	case 'I':
		return italic
	}
	return roman
}

// blocks carries out the macros that begin paragraphs.
func (r *reader) blocks(name, args string) {
	if name != "OP" {
		r.flush()
	}
	if name != "br" && name != "OP" && name != "sp" {
		r.hanging = name == "HP"
	}
	switch name {
	case "PP", "P", "LP", "HP":
		r.indent, r.tagNext = r.margin, false
		r.blank()
	case "br":
		if r.hanging { // the lines of such a paragraph but the first are deeper
			r.indent = r.margin + listStep
		}
	case "sp":
		r.blank()
	case "TP", "TQ":
		r.indent = r.margin
		if name == "TP" {
			r.blank()
		}
		r.tagNext = true
	case "IP":
		r.indent = r.margin
		ws := words(args)
		if len(ws) == 0 || r.bullet(ws[0]) {
			r.indent += listStep
			if len(ws) > 0 {
				r.add([]piece{{"•", roman}})
			}
			return
		}
		r.tagNext = true
		r.add(r.inline(ws[0]))
		r.endTag()
	case "RS", "INDENT": // the second is what Docutils defines
		if len(r.stack) < 64 {
			r.stack = append(r.stack, nest{r.margin, r.indent, len(r.lines)})
			if strings.Trim(args, "0.") != "" || args == "" {
				r.margin += listStep
			}
		}
		r.indent = r.margin
	case "RE", "UNINDENT":
		r.margin = bodyIndent
		r.indent = r.margin
		if n := len(r.stack); n > 0 {
			r.margin = r.stack[n-1].margin
			r.indent = r.margin
			if name == "UNINDENT" { // what follows goes on with the text around
				r.indent = r.stack[n-1].indent
			}
			r.stack = r.stack[:n-1]
		}
	case "nf", "EX":
		r.literal = true
	case "fi", "EE":
		r.literal = false
	case "SY":
		r.add(r.inline(args))
	case "OP":
		r.option(words(args))
	}
}

// option is the macro for an option in a synopsis: "[-x value]".
func (r *reader) option(ws []string) {
	ps := []piece{{"[", roman}}
	for i, w := range ws {
		if i > 0 {
			ps = append(ps, piece{" ", roman})
		}
		f := bold
		if i > 0 {
			f = italic
		}
		for _, p := range r.inline(w) {
			ps = append(ps, piece{p.text, f})
		}
	}
	r.add(append(ps, piece{"]", roman}))
}

// bullet reports whether the tag of .IP is only a mark.
func (r *reader) bullet(tag string) bool {
	text := ""
	for _, p := range r.inline(tag) {
		text += p.text
	}
	text = strings.TrimSpace(text)
	switch text {
	case "", "•", "*", "-", "o", "+", "--":
		return true
	}
	return len(text) <= 3 && strings.Trim(text, "0123456789.)(") == ""
}
