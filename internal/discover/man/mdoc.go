package man

import (
	"slices"
	"strings"
)

// mdocState is what the mdoc macros keep.
type mdocState struct {
	on      bool
	name    string // the program, from the first .Nm
	lists   []string
	xo      bool // inside .Xo of a tag
	section string
}

// mdocMacro carries out a macro of mdoc. One that is not known is left out, its
// words are kept.
func (r *reader) mdocMacro(name, args string) {
	m := &r.mdoc
	switch name {
	case "Dd", "Os", "Dt":
		m.on = true
	case "Sh":
		m.section = strings.ToUpper(strings.Join(r.plainWords(args), " "))
		r.title(m.section, 0)
	case "Ss":
		section := m.section
		r.title(strings.Join(r.plainWords(args), " "), 3)
		m.section = section
	case "Pp", "Lp", "Bd", "Ed":
		r.flush()
		r.blank()
	case "Bl":
		r.flush()
		fields := strings.Fields(args)
		kind := "-tag"
		if len(fields) > 0 {
			kind = fields[0]
		}
		if len(m.lists) < 32 {
			m.lists = append(m.lists, kind)
			r.stack = append(r.stack, nest{r.margin, r.indent, len(r.lines)})
			if len(m.lists) > 1 {
				r.margin += listStep
			}
		}
	case "El":
		r.flush()
		if n := len(m.lists); n > 0 {
			m.lists = m.lists[:n-1]
		}
		if n := len(r.stack); n > 0 {
			r.margin = r.stack[n-1].margin
			r.stack = r.stack[:n-1]
		}
		r.indent = r.margin
		if len(m.lists) > 0 {
			r.indent += listStep
		}
	case "It":
		r.item(args)
	case "D1", "Dl":
		r.flush()
		r.add(r.mdocLine(words(args)))
		r.flush()
	case "Nm":
		r.programName(args)
	case "Xc":
		m.xo = false
		if rest := words(args); len(rest) > 0 {
			r.add(r.mdocLine(rest))
		}
		r.endTag()
	case "Rs", "Re", "Bk", "Ek", "Sm", "Bf", "Ef", "Ud", "PD", "ad", "na", "nh", "hy", "in", "ti", "ta", "ne", "nr", "rm", "rr", "als", "ll", "pl", "ev", "di", "ce", "fam", "ps", "vs", "lf", "tr", "warn", "mso", "UE", "ME", "DT", "UC", "AT", "cc", "ec", "eo", "c2", "rn", "ns", "rs", "bp", "ss", "cs", "lt", "pc", "hc", "hw", "hlm", "shc", "break", "nop", "return", "do", "FN", "IX", "Id", "|", "Vb", "Ve", "\\}":
		r.verbatim(name)
	default:
		if len(name) > 3 && !m.on || strings.HasPrefix(name, "%") {
			return
		}
		if _, ok := inlineMacro(name); !ok {
			return
		}
		r.add(r.mdocLine(append([]string{name}, words(args)...)))
		if !m.xo {
			r.endTag()
		}
	}
}

// verbatim carries out pod2man's macros around code.
func (r *reader) verbatim(name string) {
	switch name {
	case "Vb":
		r.flush()
		r.literal = true
	case "Ve":
		r.flush()
		r.literal = false
	}
}

// programName carries out .Nm: in a synopsis it begins a line.
func (r *reader) programName(args string) {
	m := &r.mdoc
	ws := words(args)
	if len(ws) > 0 && m.name == "" {
		m.name = ws[0]
	}
	if m.section == "SYNOPSIS" {
		r.flush()
	}
	r.add(r.mdocLine(append([]string{"Nm"}, ws...)))
}

// item begins an item of a list.
func (r *reader) item(args string) {
	m := &r.mdoc
	r.flush()
	r.indent = r.margin
	kind := "-tag"
	if n := len(m.lists); n > 0 {
		kind = m.lists[n-1]
	}
	switch kind {
	case "-bullet", "-dash", "-hyphen", "-enum", "-item":
		r.blank()
		r.indent += listStep
		if kind != "-item" {
			r.add([]piece{{"•", roman}})
		}
		return
	}
	ws := words(args)
	m.xo = slices.Contains(ws, "Xo") && !slices.Contains(ws, "Xc")
	r.tagNext = true
	r.add(r.mdocLine(ws))
	if !m.xo {
		r.endTag()
	}
}

// style is how an inline macro sets its words.
type style struct {
	font        font
	open, close string
	line        bool // reaches to the end of the line
}

func inlineMacro(name string) (style, bool) {
	switch name {
	case "Ar", "Va", "Vt", "Fa", "Ft":
		return style{font: italic}, true
	case "Fl", "Cm", "Ic", "Sy", "Nm", "Fn", "Cd":
		return style{font: bold}, true
	case "Pa", "Ev", "Em", "Ad", "An", "Mt", "Lk", "Tn", "Dv", "Er", "Ms", "No", "Xr", "Ns", "Pf", "Ap", "Ux", "Bx", "St", "Lb", "In", "Me", "Ta", "Xo", "Xc", "Oc", "Brc", "Pc", "Ac", "Bc", "Dc", "Sc", "Qc", "Bsx", "Fx", "Nx", "Ox", "Dx", "At", "Li", "Ql", "Es", "En", "Ec", "Eo":
		return style{font: roman}, true
	case "Op", "Oo", "Bq", "Bo":
		return style{open: "[", close: "]", line: true}, true
	case "Brq", "Bro":
		return style{open: "{", close: "}", line: true}, true
	case "Pq", "Po":
		return style{open: "(", close: ")", line: true}, true
	case "Aq", "Ao":
		return style{open: "<", close: ">", line: true}, true
	case "Dq", "Do", "Qq", "Qo":
		return style{open: `"`, close: `"`, line: true}, true
	case "Sq", "So":
		return style{open: "'", close: "'", line: true}, true
	case "Nd":
		return style{open: "- ", line: true}, true
	}
	return style{}, false
}

// mdocWriter sets the words of one line.
type mdocWriter struct {
	r    *reader
	out  []piece
	glue bool // no blank before the next word
}

// mdocLine sets the words of a line, macros among them.
func (r *reader) mdocLine(ws []string) []piece {
	w := &mdocWriter{r: r, glue: true}
	w.set(ws, 0)
	return w.out
}

func (w *mdocWriter) put(text string, f font) {
	if text == "" {
		return
	}
	if !w.glue {
		w.out = append(w.out, piece{" ", roman})
	}
	w.glue = false
	w.out = append(w.out, piece{text, f})
}

// set writes words from the start of ws; depth bounds the nesting.
func (w *mdocWriter) set(ws []string, depth int) {
	current := style{}
	for i := 0; i < len(ws); i++ {
		word := ws[i]
		if len(word) == 1 && strings.Contains(".,;:)]?!", word) {
			w.glue = true
			w.put(word, roman)
			continue
		}
		if len(word) == 1 && strings.Contains("([", word) {
			w.put(word, roman)
			w.glue = true
			continue
		}
		st, ok := inlineMacro(word)
		switch {
		case !ok:
			w.text(word, current.font)
		case st.line && depth < 20:
			w.enclosed(st, ws[i+1:], depth)
			return
		default:
			current = st
			i = w.inline(ws, i, st)
		}
	}
}

// text sets a word in a font, unless it says another itself.
func (w *mdocWriter) text(word string, f font) {
	for j, p := range w.r.inline(word) {
		if p.font != roman {
			f = p.font
		}
		if j > 0 {
			w.glue = true
		}
		w.put(p.text, f)
	}
}

// enclosed sets the rest of a line in the brackets of its macro, and what ends a
// sentence behind them.
func (w *mdocWriter) enclosed(st style, rest []string, depth int) {
	w.put(st.open, roman)
	w.glue = true
	n := len(rest)
	for n > 0 && len(rest[n-1]) == 1 && strings.Contains(".,;:", rest[n-1]) {
		n--
	}
	w.set(rest[:n], depth+1)
	w.closing(st.close)
	w.set(rest[n:], depth+1)
}

// inline sets what the macro at ws[i] says of itself, and returns the place of
// the last word that it took.
func (w *mdocWriter) inline(ws []string, i int, st style) int {
	next := ""
	if i+1 < len(ws) {
		next = ws[i+1]
	}
	alone := func(ends string) bool {
		_, macro := inlineMacro(next)
		return next == "" || macro || len(next) == 1 && strings.Contains(ends, next)
	}
	switch ws[i] {
	case "Fl":
		return w.flags(ws, i)
	case "Ns":
		w.glue = true
	case "Ap":
		w.glue = true
		w.put("'", roman)
		w.glue = true
	case "Pf":
		w.glue = true
		if next != "" {
			w.put(next, roman)
			w.glue = true
			return i + 1
		}
	case "Ar":
		if alone(".,;:)]|") {
			w.put("file", italic)
			w.glue = true
			w.put(" ...", roman)
		}
	case "Nm":
		if alone(".,;:)]") {
			w.put(w.r.mdoc.name, bold)
		}
	case "Xr":
		if i+2 < len(ws) && next != "" {
			w.put(next+"("+ws[i+2]+")", roman)
			return i + 2
		}
	case "Oc", "Bc":
		w.closing("]")
	case "Brc":
		w.closing("}")
	case "Pc":
		w.closing(")")
	case "Ac":
		w.closing(">")
	case "Dc", "Qc":
		w.closing(`"`)
	case "Sc":
		w.closing("'")
	case "Oo", "Bo", "Bro", "Po", "Ao", "Do", "Qo", "So":
		w.put(st.open, roman)
		w.glue = true
	case "Ta":
		w.put("  ", roman)
	}
	return i
}

func (w *mdocWriter) closing(text string) {
	w.glue = true
	w.put(text, roman)
}

// flags writes the names after .Fl and returns the index of the last word used.
func (w *mdocWriter) flags(ws []string, i int) int {
	if i+1 >= len(ws) {
		w.put("-", bold)
		return i
	}
	if _, macro := inlineMacro(ws[i+1]); macro {
		w.put("-", bold)
		w.glue = ws[i+1] == "Fl" || ws[i+1] == "Ns" || ws[i+1] == "Cm" || ws[i+1] == "Ar" && false
		return i
	}
	for i+1 < len(ws) {
		next := ws[i+1]
		if _, macro := inlineMacro(next); macro || len(next) == 1 && strings.Contains(".,;:)]|([", next) {
			break
		}
		name := ""
		for _, p := range w.r.inline(next) {
			name += p.text
		}
		w.put("-"+name, bold)
		i++
	}
	return i
}
