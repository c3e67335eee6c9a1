package recipe

import (
	"regexp"
	"strings"
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// call is a call of a function in a text: what stands between its brackets.
type call struct {
	args  []string          // as written, without those of named
	named map[string]string // help="…" of Python, the members of an object of JavaScript
	line  int
	after string // the text that follows
}

var (
	cobraRE = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[Ff]lags\(\)\.(String|Bool|Int|Uint|Float|Duration|Count)[A-Za-z0-9]*?(Var)?(P)?\(`)
	})
	goFlagRE = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bflag\.(String|Bool|Int|Uint|Float|Duration)[A-Za-z0-9]*?(Var)?\(`)
	})
	requiredRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`Mark(?:Persistent)?FlagRequired\(\s*"([^"]+)"`) })
	useRE      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(Use|Short):\s*"([^"]*)"`) })
)

// calls finds the calls of a function, at most 200.
func calls(text, name string) []call {
	var out []call
	from := 0
	for len(out) < 200 {
		i := strings.Index(text[from:], name+"(")
		if i < 0 {
			break
		}
		start := from + i + len(name) + 1
		parts, end := arguments(text[start:])
		from = start
		out = append(out, newCall(parts, text, start, end))
	}
	return out
}

func newCall(parts []string, text string, start, end int) call {
	c := call{named: map[string]string{}, line: 1 + strings.Count(text[:start], "\n"), after: text[start+end:]}
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if inner, ok := strings.CutPrefix(p, "{"); ok {
			members, _ := arguments(strings.TrimSuffix(inner, "}") + ")")
			for _, m := range members {
				if k, v, ok := strings.Cut(m, ":"); ok {
					c.named[strings.Trim(strings.TrimSpace(k), `"'`)] = strings.TrimSpace(v)
				}
			}
			continue
		}
		if k, v, ok := strings.Cut(p, "="); ok && identifier(strings.TrimSpace(k)) && !strings.HasPrefix(v, "=") && !strings.HasPrefix(v, ">") {
			c.named[strings.TrimSpace(k)] = strings.TrimSpace(v)
			continue
		}
		if p != "" {
			c.args = append(c.args, p)
		}
	}
	return c
}

func identifier(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" && (s[0] < '0' || s[0] > '9')
}

// arguments splits at the commas up to the bracket that closes, and returns
// where that stands.
func arguments(s string) (parts []string, end int) {
	var quote byte
	depth, start := 0, 0
	for i := 0; i < len(s) && i < 1<<16; i++ {
		switch b := s[i]; {
		case quote != 0:
			if b == '\\' {
				i++
			} else if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'' || b == '`':
			quote = b
		case b == '(' || b == '[' || b == '{':
			depth++
		case b == ')' || b == ']' || b == '}':
			if depth == 0 {
				return append(parts, s[start:i]), i
			}
			depth--
		case b == ',' && depth == 0:
			parts, start = append(parts, s[start:i]), i+1
		}
	}
	return append(parts, s[start:]), len(s)
}

// literal is the text of a string, several that follow each other joined; "" for
// what is none.
func literal(s string) string {
	var b strings.Builder
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimLeft(s, " \t\n+\\") {
		s = strings.TrimLeft(s, "rfbu")
		if s == "" || s[0] != '"' && s[0] != '\'' && s[0] != '`' {
			break
		}
		end := 1
		for end < len(s) && s[end] != s[0] {
			if s[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(s) {
			break
		}
		b.WriteString(strings.ReplaceAll(s[1:end], `\`, ""))
		s = s[end+1:]
	}
	return b.String()
}

// list are the texts of a list's items.
func list(s string) []draft.Value {
	i := strings.IndexByte(s, '[')
	if j := strings.IndexByte(s, '('); i < 0 || j >= 0 && j < i && !strings.Contains(s[:i], "Choice") {
		i = j
	}
	if i < 0 {
		return nil
	}
	parts, _ := arguments(s[i+1:])
	var out []draft.Value
	for _, p := range parts {
		if t := literal(p); t != "" {
			out = append(out, draft.Value{Text: t})
		}
	}
	return out
}

// libraries read what a program declares to the libraries that read arguments, by
// its language.
var libraries = map[string]func(*Script){
	"python": (*Script).argparse, "node": (*Script).nodeLibraries, "ruby": (*Script).optionParser, "go": (*Script).goFlags,
}

// declared adds what a program declares to the libraries that read arguments.
func (s *Script) declared() {
	if read := libraries[s.Language]; read != nil {
		read(s)
	}
}

func (s *Script) argparse() {
	for _, c := range calls(s.text, "ArgumentParser") {
		s.say(literal(c.named["description"]))
	}
	for _, name := range [...]string{".add_argument", "click.option", "click.argument", "typer.Option"} {
		for _, c := range calls(s.text, name) {
			s.python(&c, strings.HasSuffix(name, ".argument"))
		}
	}
}

func (s *Script) nodeLibraries() {
	for _, c := range calls(s.text, ".description") {
		if len(c.args) > 0 {
			s.say(literal(c.args[0]))
		}
	}
	for _, name := range [...]string{".option", ".requiredOption", "new Option", ".addOption"} {
		for _, c := range calls(s.text, name) {
			s.commander(&c, name == ".requiredOption")
		}
	}
	for _, name := range [...]string{".argument", ".arguments", ".positional"} {
		for _, c := range calls(s.text, name) {
			s.commanderArgument(&c)
		}
	}
}

func (s *Script) optionParser() {
	for _, c := range calls(s.text, ".on") {
		s.optparse(&c)
	}
}

// say keeps the first description that is declared, where the header has none.
func (s *Script) say(text string) {
	if s.Summary == "" {
		s.Summary = strings.TrimRight(text, ".")
	}
}

func (s *Script) python(c *call, argument bool) {
	at := draft.Place{Source: draft.Script, Line: c.line}
	f := &draft.Flag{Arity: draft.Required, ArityAt: at, At: []draft.Place{at}, Description: literal(c.named["help"])}
	name := ""
	for _, a := range c.args {
		t := literal(a)
		for part := range strings.SplitSeq(t, "/") { // click: --shout/--no-shout
			switch {
			case strings.HasPrefix(part, "-"):
				f.Names = append(f.Names, part)
				if strings.Contains(t, "/") {
					f.Arity = draft.None
				}
			case part != "" && name == "":
				name = part
			}
		}
	}
	f.Values = list(c.named["choices"])
	if strings.Contains(c.named["type"], "Choice") {
		f.Values = list(c.named["type"])
	}
	if k := c.named["type"]; k == "int" || k == "float" {
		f.Kind = "number"
	}
	if action := literal(c.named["action"]); strings.HasPrefix(action, "store_") || action == "count" || action == "help" || action == "version" || c.named["is_flag"] == "True" || strings.Contains(c.named["action"], "BooleanOptional") {
		f.Arity = draft.None
	}
	if d := c.named["default"]; f.Arity == draft.Required && d != "None" {
		if f.Default = literal(d); f.Default == "" && strings.Trim(d, "0123456789.-") == "" {
			f.Default = d
		}
	}
	if c.named["required"] == "True" {
		f.Group = requiredGroup
	}
	if len(f.Names) > 0 {
		s.add(f)
		return
	}
	if name == "" {
		return
	}
	nargs := strings.Trim(c.named["nargs"], `"'`)
	a := &draft.Arg{
		Name: name, Kind: f.Kind, Values: f.Values, Description: f.Description, At: at,
		Required: nargs != "?" && nargs != "*" && c.named["default"] == "", Repeatable: nargs == "*" || nargs == "+" || nargs == "-1",
	}
	if argument {
		a.Required = c.named["required"] != "False" && c.named["default"] == ""
	}
	s.argument(a)
}

// argument adds an argument in its order; what a usage line said of it is joined.
func (s *Script) argument(a *draft.Arg) {
	for _, old := range s.Node.Args {
		if parameterName(old.Name) == parameterName(a.Name) {
			old.Required, old.Values, old.Kind = a.Required, a.Values, a.Kind
			if old.Description == "" {
				old.Description = a.Description
			}
			return
		}
	}
	s.Node.Args = append(s.Node.Args, a)
}

// commander reads "-p, --port <n>" of commander, and the name and object of yargs.
func (s *Script) commander(c *call, required bool) {
	if len(c.args) == 0 {
		return
	}
	at := draft.Place{Source: draft.Script, Line: c.line}
	f := &draft.Flag{Arity: draft.None, ArityAt: at, At: []draft.Place{at}}
	spec := literal(c.args[0])
	if len(c.args) > 1 {
		f.Description = literal(c.args[1])
	}
	if len(c.args) > 2 {
		f.Default = literal(c.args[2])
	}
	if !strings.HasPrefix(spec, "-") {
		if spec == "" || len(c.named) == 0 {
			return
		}
		f.Names, f.Arity = []string{"--" + spec}, draft.Required
		if k := literal(c.named["type"]); k == "boolean" || k == "count" || c.named["boolean"] == "true" {
			f.Arity = draft.None
		} else if k == "number" {
			f.Kind = "number"
		}
		if a := literal(c.named["alias"]); a != "" {
			f.Names = append(f.Names, strings.Repeat("-", min(2, len(a)))+a)
		}
		f.Description = literal(c.named["describe"]) + literal(c.named["description"]) + literal(c.named["desc"])
		f.Values, f.Default = list(c.named["choices"]), literal(c.named["default"])
		required = c.named["demandOption"] == "true" || c.named["required"] == "true"
	}
	for w := range strings.FieldsFuncSeq(spec, func(r rune) bool { return r == ' ' || r == ',' || r == '|' || r == '=' }) {
		switch w[0] {
		case '-':
			f.Names = append(f.Names, w)
		case '<', '[':
			f.Arity, f.Metavar = draft.Required, strings.Trim(w, "<>[].")
		}
	}
	if rest, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(c.after, ")"), " \n\t"), ".choices("); ok {
		parts, _ := arguments(rest)
		f.Values = list(parts[0])
	}
	if required {
		f.Group = requiredGroup
	}
	if len(f.Names) > 0 {
		s.add(f)
	}
}

func (s *Script) commanderArgument(c *call) {
	if len(c.args) == 0 {
		return
	}
	description := ""
	if len(c.args) > 1 {
		description = literal(c.args[1])
	}
	for w := range strings.FieldsSeq(literal(c.args[0])) {
		a := &draft.Arg{Name: strings.Trim(w, "<>[]."), Required: w[0] != '[', Repeatable: strings.Contains(w, "..."), Description: description, At: draft.Place{Source: draft.Script, Line: c.line}}
		if d := literal(c.named["describe"]); d != "" {
			a.Description = d
		}
		a.Values = list(c.named["choices"])
		if a.Name != "" {
			s.argument(a)
		}
	}
}

// optparse reads opts.on("-e", "--env ENV", "what it is") of Ruby.
func (s *Script) optparse(c *call) {
	at := draft.Place{Source: draft.Script, Line: c.line}
	f := &draft.Flag{Arity: draft.None, ArityAt: at, At: []draft.Place{at}}
	for _, arg := range c.args {
		t := literal(arg)
		name, value, has := strings.Cut(strings.Replace(t, "=", " ", 1), " ")
		switch {
		case strings.HasPrefix(name, "-"):
			f.Names = append(f.Names, strings.Replace(name, "--[no-]", "--", 1))
			if has {
				f.Arity, f.Metavar = draft.Required, strings.Trim(value, "[]<>")
			}
		case t != "":
			f.Description = t
		}
	}
	if len(f.Names) > 0 {
		s.add(f)
	}
}

// goFlags reads the flags of cobra (pflag) and of Go's own flag.
func (s *Script) goFlags() {
	for _, m := range useRE().FindAllStringSubmatch(s.text, -1) {
		if m[1] == "Short" {
			s.say(m[2])
		}
		if m[1] == "Use" && strings.ContainsAny(m[2], "<[") {
			name, rest, _ := strings.Cut(m[2], " ")
			read := help.Parse("Usage: "+name+" "+rest+"\n", []string{name})
			for _, a := range read.Args {
				s.argument(a)
			}
		}
	}
	for _, m := range cobraRE().FindAllStringSubmatchIndex(s.text, -1) {
		s.goFlag(m, m[6] >= 0, "--")
	}
	for _, m := range goFlagRE().FindAllStringSubmatchIndex(s.text, -1) {
		s.Node.SingleDashLong = true
		s.goFlag(m, false, "-")
	}
	for _, m := range requiredRE().FindAllStringSubmatch(s.text, -1) {
		if f := s.Node.Flag("--" + m[1]); f != nil {
			f.Group = requiredGroup
		}
	}
}

func (s *Script) goFlag(m []int, short bool, dashes string) {
	parts, _ := arguments(s.text[m[1]:])
	if m[4] >= 0 && len(parts) > 0 { // …Var: the variable goes first
		parts = parts[1:]
	}
	if len(parts) == 0 || literal(parts[0]) == "" {
		return
	}
	at := draft.Place{Source: draft.Script, Line: 1 + strings.Count(s.text[:m[0]], "\n")}
	f := &draft.Flag{Names: []string{dashes + literal(parts[0])}, Arity: draft.Required, ArityAt: at, At: []draft.Place{at}, Description: literal(parts[len(parts)-1])}
	if short && len(parts) > 1 && literal(parts[1]) != "" {
		f.Names = append(f.Names, "-"+literal(parts[1]))
	}
	switch s.text[m[2]:m[3]] {
	case "Bool", "Count":
		f.Arity = draft.None
	case "Int", "Uint", "Float":
		f.Kind = "number"
	}
	if len(parts) >= 3 && f.Arity == draft.Required {
		f.Default = literal(parts[len(parts)-2])
	}
	if dashes == "-" {
		s.styles[f.Names[0]] = joined
	}
	s.add(f)
}
