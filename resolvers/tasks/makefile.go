package tasks

import "strings"

// makeTarget is a target of explicit rules.
type makeTarget struct {
	name string
	// help is the text of a "##" comment on the rule or right above it.
	help string
	// recipe is the first line of the recipe.
	recipe string
	// lines and needs are the recipe and the prerequisites, if the parser keeps them.
	// always are those of the lines that make -n runs too.
	lines, needs, always []string
}

// makeParser reads makefiles as far as names of targets go. It runs nothing and
// evaluates no function: a name that depends on one is left out. Both branches
// of a conditional count. Any text is accepted.
type makeParser struct {
	// include is called for each word of an include directive.
	include func(p *makeParser, path string)
	// late, if not nil, says that it is time to stop.
	late func() bool
	// budget is how many bytes variables may still be made into.
	budget int
	// whole says that recipes, prerequisites and what is asked of variables are kept.
	whole bool
	// open are variables that a caller may set (?=), tested those that a
	// conditional asks about.
	open, tested map[string]bool
	// dependencies says that the file only lists what objects depend on.
	dependencies bool

	// fixed are variables that the command line sets.
	fixed map[string]bool
	// reading are commands that run while the makefile is read, if whole.
	reading []string

	vars    map[string]string
	targets []*makeTarget
	index   map[string]*makeTarget
	phony   map[string]bool
	// first is the goal that make takes without one.
	first *makeTarget

	current []*makeTarget // of the rule being read
	inRule  bool          // a rule was seen: a line that begins with a tab is a recipe
	prefix  byte          // of recipe lines
	// oneShell: the lines of a recipe go to one shell.
	oneShell bool
	define   int    // depth of define … endef
	above    string // "##" comment of the lines just above
}

func newMakeParser() *makeParser {
	return &makeParser{vars: map[string]string{}, index: map[string]*makeTarget{}, phony: map[string]bool{}, prefix: '\t', budget: maxWork}
}

// parse reads one makefile.
func (p *makeParser) parse(text string) {
	for text != "" && (p.late == nil || !p.late()) {
		var line string
		line, text = logicalLine(text)
		p.line(line)
	}
	p.current, p.above, p.define = nil, "", 0
}

// logicalLine cuts off the first line; one that ends in "\" goes on in the next
// after a blank.
func logicalLine(text string) (line, rest string) {
	var joined strings.Builder
	for {
		line, rest, _ = strings.Cut(text, "\n")
		line = strings.TrimSuffix(line, "\r")
		n := len(line) - len(strings.TrimRight(line, "\\"))
		if n%2 == 0 {
			break
		}
		joined.WriteString(line[:len(line)-1])
		joined.WriteByte(' ')
		if text = strings.TrimLeft(rest, " \t"); rest == "" {
			line = ""
			break
		}
		if joined.Len() > maxMakeLine {
			return "", text
		}
	}
	if joined.Len() == 0 {
		return line, rest
	}
	joined.WriteString(line)
	return joined.String(), rest
}

// maxMakeLine, maxExpansion and maxWork bound a logical line, what variables may
// make of a word, and of all words together, in bytes.
const (
	maxMakeLine  = 4 << 20
	maxExpansion = 64 << 10
	maxWork      = 16 << 20
)

func (p *makeParser) line(line string) {
	if p.inRule && line != "" && line[0] == p.prefix && p.define == 0 {
		p.recipeLine(line[1:])
		return
	}
	code, comment, hasComment := cutMakeComment(line)
	code = strings.TrimSpace(code)
	if code == "" {
		if help, ok := strings.CutPrefix(comment, "#"); ok && hasComment {
			p.above = strings.TrimSpace(help)
		} else if !hasComment {
			p.above = ""
		}
		return
	}
	above := p.above
	p.above = ""
	word, rest, _ := strings.Cut(strings.ReplaceAll(code, "\t", " "), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case word == "define":
		p.define++
		return
	case word == "endef":
		p.define = max(0, p.define-1)
		return
	case p.define > 0:
		return
	}
	switch word {
	case "ifeq", "ifneq", "ifdef", "ifndef":
		if p.whole {
			p.reading = append(p.reading, makeShells(rest)...)
			for name := range strings.FieldsFuncSeq(rest, func(r rune) bool { return !isVariableRune(r) }) {
				p.tested[name] = true
			}
		}
		return
	case "else", "endif", "vpath", "undefine", "unexport", "load", "-load":
		return
	case "include", "-include", "sinclude":
		p.includeLine(rest)
		return
	case "export", "override", "private":
		code = rest
	}
	at, kind := makeSeparator(code)
	if p.whole && (kind != makeAssignment || code[at] == ':' || code[at] == '!') {
		p.reading = append(p.reading, makeShells(code)...)
	}
	switch kind {
	case makeAssignment:
		p.assign(code, at)
	case makeRule:
		if help, ok := strings.CutPrefix(comment, "#"); ok {
			above = strings.TrimSpace(help)
		}
		p.rule(code[:at], code[at:], above)
	}
}

// cutMakeComment cuts at "#", unless it is escaped.
func cutMakeComment(line string) (code, comment string, ok bool) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '#':
			return line[:i], line[i+1:], true
		}
	}
	return line, "", false
}

type makeKind uint8

const (
	makeOther makeKind = iota
	makeRule
	makeAssignment
)

// makeSeparator finds what makes a line a rule (the place of its colon) or an
// assignment (the place of its operator), outside of $(…) and ${…}.
func makeSeparator(code string) (at int, kind makeKind) {
	for i := 0; i < len(code); i++ {
		switch b := code[i]; b {
		case '\\':
			i++
		case '$':
			i = skipReference(code, i) - 1
		case '=':
			if i > 0 && strings.IndexByte("?+!", code[i-1]) >= 0 {
				return i - 1, makeAssignment
			}
			return i, makeAssignment
		case ':':
			if n := len(code[i:]) - len(strings.TrimLeft(code[i:], ":")); strings.HasPrefix(code[i+n:], "=") {
				return i, makeAssignment
			}
			return i, makeRule
		}
	}
	return 0, makeOther
}

// skipReference is the place after the reference to a variable that begins at i.
func skipReference(s string, i int) int {
	i++
	if i >= len(s) {
		return i
	}
	var end byte
	open := s[i]
	switch open {
	case '(':
		end = ')'
	case '{':
		end = '}'
	default:
		return i + 1
	}
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// assign keeps the text of a variable; "!=", which runs a command, makes it unknown.
func (p *makeParser) assign(code string, at int) {
	name := strings.TrimSpace(code[:at])
	op, value, _ := strings.Cut(code[at:], "=")
	value = strings.TrimSpace(value)
	if name == ".RECIPEPREFIX" {
		if p.prefix = '\t'; value != "" {
			p.prefix = value[0]
		}
		return
	}
	if p.fixed[name] {
		return
	}
	old, known := p.vars[name]
	switch op {
	case "!":
		if p.whole {
			p.reading = append(p.reading, value)
		}
		value = "$(shell)"
	case "?":
		if p.whole {
			p.open[name] = true
		}
		if known {
			return
		}
	case "+":
		if p.budget -= len(old); p.budget < 0 {
			value = "$(shell)"
		} else {
			value = strings.TrimSpace(old + " " + value)
		}
	}
	if len(value) <= maxExpansion {
		p.vars[name] = value
	} else {
		p.vars[name] = "$(shell)"
	}
}

func (p *makeParser) includeLine(list string) {
	if p.include == nil {
		return
	}
	for _, word := range makeWords(list) {
		if path, ok := p.expand(word); ok {
			for _, part := range strings.Fields(path) {
				p.include(p, part)
			}
		}
	}
}

// rule takes "targets: prerequisites".
func (p *makeParser) rule(left, right, help string) {
	right = strings.TrimLeft(right, ":")
	left = strings.TrimSuffix(left, "&") // grouped targets
	if at, kind := makeSeparator(right); kind == makeAssignment && isVariableName(right[:at]) {
		return // a variable of the target
	}
	p.inRule = true
	p.current = p.current[:0:0]
	right, inline, hasInline := strings.Cut(right, ";")
	var needs []string
	if p.whole {
		for _, word := range makeWords(right) {
			if names, ok := p.expand(word); ok && word != "|" {
				needs = append(needs, splitNames(names)...)
			}
		}
	}
	for _, word := range makeWords(left) {
		names, ok := p.expand(word)
		if !ok {
			continue
		}
		for _, name := range splitNames(names) {
			if name == ".PHONY" {
				p.declarePhony(right)
			} else if name == ".ONESHELL" {
				p.oneShell = true
			} else if isOrdinaryTarget(name) && !p.dependencies {
				t := p.target(name, help)
				if p.budget -= 16 * len(needs); p.budget >= 0 {
					t.needs = append(t.needs, needs...)
				}
				p.current = append(p.current, t)
			}
		}
	}
	if hasInline && p.whole {
		p.recipeLine(strings.TrimSpace(inline))
	}
}

func isVariableRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

func (p *makeParser) declarePhony(list string) {
	for _, word := range makeWords(list) {
		names, ok := p.expand(word)
		if !ok {
			continue
		}
		for _, name := range splitNames(names) {
			if isOrdinaryTarget(name) {
				p.phony[name] = true
			}
		}
	}
}

// isVariableName reports whether s, but for words that may stand before one, is a name.
func isVariableName(s string) bool {
	names := strings.Fields(s)
	for len(names) > 1 && (names[0] == "export" || names[0] == "override" || names[0] == "private") {
		names = names[1:]
	}
	return len(names) == 1 && !strings.ContainsAny(names[0], ":#")
}

// isOrdinaryTarget leaves out pattern rules, special targets (.SUFFIXES) and
// suffix rules (.c.o).
func isOrdinaryTarget(name string) bool {
	return name != "" && !strings.Contains(name, "%") && (name[0] != '.' || strings.Contains(name, "/"))
}

func (p *makeParser) target(name, help string) *makeTarget {
	t := p.index[name]
	if t == nil {
		t = &makeTarget{name: name}
		p.index[name] = t
		p.targets = append(p.targets, t)
		if p.first == nil {
			p.first = t
		}
	}
	if t.help == "" {
		t.help = help
	}
	return t
}

// makeWords splits at blanks outside of references; "\ " does not split.
func makeWords(s string) []string {
	var list []string
	start := -1
	for i := 0; i < len(s); i++ {
		b := s[i]
		if b == ' ' || b == '\t' {
			if start >= 0 {
				list = append(list, s[start:i])
				start = -1
			}
			continue
		}
		if start < 0 {
			start = i
		}
		switch b {
		case '\\':
			i++
		case '$':
			i = skipReference(s, i) - 1
		}
	}
	if start >= 0 {
		list = append(list, s[start:])
	}
	return list
}

// expand replaces references to variables that are plain text; false if the
// word refers to anything else.
func (p *makeParser) expand(word string) (string, bool) {
	budget := min(maxExpansion, p.budget)
	before := budget
	text, ok := p.expandAt(word, 0, &budget)
	if strings.IndexByte(word, '$') >= 0 {
		p.budget -= before - budget
	}
	return text, ok
}

func (p *makeParser) expandAt(s string, depth int, budget *int) (string, bool) {
	if strings.IndexByte(s, '$') < 0 {
		*budget -= len(s)
		return s, *budget >= 0
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '$')
		if i < 0 {
			i = len(s)
		}
		b.WriteString(s[:i])
		*budget -= i + 1
		if s = s[i:]; s == "" {
			break
		}
		end := skipReference(s, 0)
		ref := s[1:min(end, len(s))]
		s = s[min(end, len(s)):]
		if ref == "$" {
			b.WriteByte('$')
			continue
		}
		ref = strings.TrimSuffix(strings.TrimSuffix(strings.TrimLeft(ref, "({"), ")"), "}")
		value, known := p.vars[ref]
		if !known || depth > 10 || *budget < 0 {
			return "", false
		}
		text, ok := p.expandAt(value, depth+1, budget)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), *budget >= 0
}

// splitNames splits an expanded text into names and takes the escapes away.
func splitNames(s string) []string {
	if strings.IndexByte(s, '\\') < 0 {
		return strings.Fields(s)
	}
	var list []string
	for _, word := range makeWords(s) {
		var b strings.Builder
		for i := 0; i < len(word); i++ {
			if word[i] == '\\' && i+1 < len(word) && strings.IndexByte(` \:#%`, word[i+1]) >= 0 {
				i++
			}
			b.WriteByte(word[i])
		}
		list = append(list, b.String())
	}
	return list
}
