package man

import "strings"

// Limits of the macros that a page defines.
const (
	maxMacros     = 500
	maxMacroLines = 200     // of one macro
	maxCalled     = 50_000  // lines carried out for all calls of a page
	maxFilled     = 4 << 20 // bytes of them
	maxCallDepth  = 8
)

// definition begins the definition of a macro, or a passage to leave out, and
// returns the line that ends it.
func (r *reader) definition(request string, args []string) (end string) {
	if request == "ig" {
		if len(args) > 0 {
			return "." + args[0]
		}
		return ".."
	}
	end = ".."
	if len(args) > 1 {
		end = "." + args[1]
	}
	if len(args) == 0 || builtin(args[0]) || len(r.macros) >= maxMacros {
		return end
	}
	r.defining = args[0]
	if request[:2] == "de" {
		delete(r.macros, r.defining)
	}
	return end
}

// define keeps a line of the macro that is being defined. A line of a definition
// is read once more when it is carried out, so "\\\\" stands for "\\" in it.
func (r *reader) define(line string) {
	if r.defining == "" || len(r.macros[r.defining]) >= maxMacroLines || len(line) > maxText {
		return
	}
	r.macros[r.defining] = append(r.macros[r.defining], strings.ReplaceAll(line, `\\`, `\`))
}

// alias gives a macro that the page defines, or one of ours, another name.
func (r *reader) alias(name, of string) {
	switch body, ok := r.macros[of]; {
	case builtin(name) || len(r.macros) >= maxMacros:
	case ok:
		r.macros[name] = body
	case builtin(of):
		r.macros[name] = []string{"." + of + ` \$@`}
	}
}

// call carries out a macro that the page defines. It reports false for one that
// it does not define.
func (r *reader) call(name, args string) bool {
	body, ok := r.macros[name]
	if !ok {
		return false
	}
	if r.depth >= maxCallDepth {
		return true
	}
	r.depth++
	defer func() { r.depth-- }()
	ws := words(args)
	before := r.args
	r.args = len(ws)
	defer func() { r.args = before }()
	ignore := ""
	for _, line := range body {
		if r.called++; r.called > maxCalled || r.filled > maxFilled {
			break
		}
		if ignore != "" {
			if strings.TrimSpace(line) == ignore {
				ignore, r.defining = "", ""
			} else {
				r.define(line)
			}
			continue
		}
		line = fill(line, ws)
		r.filled += len(line)
		ignore = r.line(line)
	}
	r.defining = ""
	return true
}

// fill puts the arguments of a call into a line of a macro: "\$1", "\$*", "\$@".
func fill(line string, args []string) string {
	if !strings.Contains(line, `\$`) {
		return line
	}
	var b strings.Builder
	for line != "" && b.Len() < maxText {
		before, after, ok := strings.Cut(line, `\$`)
		b.WriteString(before)
		if !ok {
			break
		}
		name, n := argument(after)
		line = after[n:]
		switch {
		case name == "*":
			b.WriteString(strings.Join(args, " "))
		case name == "@":
			b.WriteString(quoteAll(args))
		case len(name) == 1 && name[0] >= '1' && name[0] <= '9' && int(name[0]-'0') <= len(args):
			b.WriteString(args[name[0]-'1'])
		}
	}
	return b.String()
}

func quoteAll(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = `"` + strings.ReplaceAll(a, `"`, `""`) + `"`
	}
	return strings.Join(quoted, " ")
}

// builtin reports whether a macro is carried out as man and mdoc define it,
// whatever a page says: pages define them anew for old formatters.
func builtin(name string) bool {
	switch name {
	case "TH", "SH", "SS", "B", "I", "R", "SM", "SB", "BR", "RB", "BI", "IB", "IR", "RI", "PP", "P", "LP", "HP", "TP", "TQ", "IP", "RS", "RE", "nf", "fi", "EX", "EE", "SY", "YS", "OP", "UR", "UE", "MT", "ME", "PD", "DT", "Vb", "Ve", "INDENT", "UNINDENT", "br", "sp", "ft", "IX", "TS", "TE",
		"Dd", "Dt", "Os", "Sh", "Ss", "Pp", "Bl", "El", "It", "Xo", "Xc", "Nm", "Nd", "Fl", "Ar", "Op", "Cm":
		return true
	}
	return false
}
