package law

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/pattern"
)

// JanitorOptions say what belongs to everybody.
type JanitorOptions struct {
	File     string
	Prefixes []string // of names that a tenant added
	// Schema are the names of the standard schema; nil: not held against it.
	Schema map[string]bool
}

// Janitor looks for data of people and of tenants in a source: in its literals,
// comments, names and numbers, and in literals that are put together. It is rules, not
// a proof: what is cut into small enough pieces passes.
func Janitor(source string, o JanitorOptions) []Finding {
	tree, err := Parse(source, strings.HasSuffix(o.File, ".tsx"))
	if err != nil {
		e := err.(*SyntaxError) //nolint:errorlint // Parse says so
		return []Finding{{File: o.File, Line: e.Line, Col: e.Col, Rule: "syntax", Message: e.Msg}}
	}
	j := &janitor{checker: checker{Options: Options{File: o.File}, tree: tree}, JanitorOptions: o}
	j.visit(tree.Root)
	j.comments()
	slices.SortStableFunc(j.out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Rule, b.Rule))
	})
	return slices.CompactFunc(j.out, func(a, b Finding) bool { return a.Line == b.Line && a.Rule == b.Rule && a.Col == b.Col })
}

type janitor struct {
	checker
	JanitorOptions
}

// crowd is how many literals one list may hold.
const crowd = 32

func (j *janitor) visit(n *Node) {
	switch n.Kind {
	case String, Template, JSXText:
		j.text(n.Pos, n.Text)
	case Regex:
		j.text(n.Pos, plainRegex(n.Text))
	case Number:
		j.number(n.Pos, n.Text)
	case Ident, Member, Pattern:
		j.name(n.End-len(n.Text), n.Text)
		if n.Kind == Member {
			j.column(n)
		}
	case Prop:
		if n.Named {
			j.name(n.Pos, n.Text)
		}
	case Object:
		j.table(n.Pos, literals(n.Kids), "properties of one object")
		j.pieces(n.Pos, n.Kids)
	case Array:
		j.table(n.Pos, literals(n.Kids), "literals in one list")
		j.pieces(n.Pos, n.Kids)
	case Call, New:
		j.table(n.Pos, literals(n.Kids[1:]), "arguments of one call")
		j.pieces(n.Pos, n.Kids[1:])
	case Binary:
		if n.Text == "+" {
			j.sum(n)
		}
	}
	for _, k := range n.Kids {
		j.visit(k)
	}
}

// sum holds the literals of a sum against the rules, put together.
func (j *janitor) sum(n *Node) {
	var parts []*Node
	var flat func(n *Node)
	flat = func(n *Node) {
		if n.Kind == Binary && n.Text == "+" {
			flat(n.Kids[0])
			flat(n.Kids[1])
			return
		}
		parts = append(parts, n)
	}
	flat(n)
	j.pieces(n.Pos, parts)
}

// pieces holds literals that stand beside each other against the rules, put together.
func (j *janitor) pieces(pos int, parts []*Node) {
	text, n, texts := "", 0, 0
	for _, p := range parts {
		if p.Kind == Prop && len(p.Kids) > 0 {
			p = p.Kids[len(p.Kids)-1]
		}
		if p.Kind == String || p.Kind == Template || p.Kind == Number {
			text += p.Text
			n++
			if p.Kind != Number {
				texts++
			}
		}
	}
	if n < 2 || n > crowd {
		return
	}
	if texts == 0 { // numbers beside each other are none but those of a card
		if allDigits(text) && len(text) >= 13 && len(text) <= 19 && n <= 6 && luhn(text) {
			j.add(pos, "pii/id", "the number of a card, put together of pieces")
		}
		return
	}
	for _, h := range pii(text) {
		if h.rule == "pii/email" || h.rule == "pii/secret" || h.rule == "pii/id" && strings.ContainsAny(text, "-") && uuidText.MatchString(text) || h.rule == "pii/phone" && strings.Contains(text, "+") || h.rule == "pii/id" && allDigits(text) {
			j.add(pos, h.rule, "%s, put together of pieces", h.what)
		}
	}
}

func allDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// literals counts literals, also those in elements that are lists themselves.
func literals(nodes []*Node) int {
	n := 0
	for _, k := range nodes {
		switch k.Kind {
		case String, Number, Template:
			n++
		case Unary:
			n += literals(k.Kids)
		case Prop:
			n += max(1, literals(k.Kids))
		case Array, Object:
			n += literals(k.Kids)
		}
	}
	return n
}

func (j *janitor) table(pos, n int, what string) {
	if n > crowd {
		j.add(pos, "data/table", "%d %s; at most %d: data belongs into the database", n, what, crowd)
	}
}

type hit struct{ rule, what string }

var (
	uuidText   = pattern.New(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b`)
	ibanText   = pattern.New(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b`)
	cardText   = pattern.New(`\b\d(?:[ -]?\d){12,18}\b`)
	phoneText  = pattern.New(`(?:\+|\b00)\d{1,3}[ ().-]?(?:\(?\d{1,5}\)?[ .-]?){1,5}\d{2,}|\(\d{3}\) ?\d{3}[ .-]?\d{4}|\b\d{3}[.-]\d{3}[.-]\d{4}\b|\b0\d{2,4}[ /-]\d{4,}\b`)
	digitRun   = pattern.New(`\d{6,}`)
	secretText = pattern.New(`(?:sk|pk|rk)_(?:live|test)_\w+|\bsk-[\w-]{8,}|ghp_\w+|gho_\w+|github_pat_\w+|glpat-[\w-]+|AKIA[0-9A-Z]{8,}|xox[abprs]-[\w-]+|AIza[\w-]{10,}|-----BEGIN|eyJ[\w-]{10,}\.|(?i:bearer )\w{8,}|\b[a-z]+://[^\s/:@]+:[^\s/@]+@`)
	secretName = pattern.New(`(?i)(?:api_?key|secret|passw(?:or)?d|token)\s*[:=]\s*\S{6,}`)
)

// pii says what of people stands in a text.
func pii(text string) []hit {
	var out []hit
	if address.MatchString(text) {
		out = append(out, hit{"pii/email", "an e-mail address"})
	}
	if secretText.MatchString(text) || secretName.MatchString(text) || random(text) {
		out = append(out, hit{"pii/secret", "a key or a token"})
	}
	switch {
	case uuidText.MatchString(text):
		out = append(out, hit{"pii/id", "an identifier"})
	case ibanText.MatchString(text) && iban(ibanText.FindString(text)):
		out = append(out, hit{"pii/id", "a bank account"})
	case cardText.MatchString(text) && luhn(cardText.FindString(text)):
		out = append(out, hit{"pii/id", "the number of a card"})
	case phoneText.MatchString(text):
		out = append(out, hit{"pii/phone", "a telephone number"})
	default:
		for _, run := range digitRun.FindAllString(text, -1) {
			if !common(run) {
				out = append(out, hit{"pii/id", "a number that looks like an identifier"})
				break
			}
		}
	}
	return out
}

// random reports whether a text is one word of mixed kinds, as keys are.
func random(s string) bool {
	if len(s) < 20 || strings.ContainsAny(s, " \n\t/") {
		return false
	}
	var lower, upper, digit int
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= '0' && c <= '9':
			digit++
		}
	}
	return lower > 2 && upper > 2 && digit > 2
}

func luhn(s string) bool {
	sum, n := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		d := int(s[i] - '0')
		if n%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		n++
	}
	return n >= 13 && sum%10 == 0
}

func iban(s string) bool {
	s = strings.ReplaceAll(s, " ", "")
	if len(s) < 15 {
		return false
	}
	mod := 0
	for _, c := range s[4:] + s[:4] {
		if c >= 'A' && c <= 'Z' {
			mod = (mod*100 + int(c-'A') + 10) % 97
		} else {
			mod = (mod*10 + int(c-'0')) % 97
		}
	}
	return mod == 1
}

// common are numbers that every program has: powers of 2 and 10, seconds and
// milliseconds from a minute to a year, the ends of 32 bits.
func common(digits string) bool {
	v, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return false
	}
	if v&(v-1) == 0 || v == 1<<31-1 || v == 1<<32-1 || v == 1<<53-1 {
		return true
	}
	if strings.Trim(digits, "0") == "1" || strings.Trim(strings.TrimLeft(digits, "0"), "9") == "" {
		return true
	}
	for _, unit := range []uint64{60, 3600, 86400, 604800, 2592000, 2678400, 31536000, 31557600, 31622400, 7776000, 1209600, 15552000} {
		if v == unit || v == unit*1000 || v == unit*1_000_000 {
			return true
		}
	}
	return v%86400 == 0 && v/86400 <= 366 || v%86_400_000 == 0 && v/86_400_000 <= 366 || v%3_600_000 == 0 && v/3_600_000 <= 48 || v%60_000 == 0 && v/60_000 <= 120
}

func (j *janitor) text(pos int, text string) {
	for _, h := range pii(text) {
		j.add(pos, h.rule, "%s", h.what)
	}
	for _, word := range strings.FieldsFunc(text, notName) {
		j.custom(pos, word)
	}
}

func notName(r rune) bool {
	return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
}

func (j *janitor) number(pos int, text string) {
	plain := strings.TrimSuffix(strings.ReplaceAll(text, "_", ""), "n")
	whole, fraction, _ := strings.Cut(plain, ".")
	if strings.HasPrefix(whole, "0x") || strings.HasPrefix(whole, "0X") {
		v, err := strconv.ParseUint(whole[2:], 16, 64)
		if err == nil && v < 1<<32 && len(whole) <= 10 {
			return // a mask
		}
		if err == nil {
			whole = strconv.FormatUint(v, 10)
		}
	}
	if len(whole) >= 6 && allDigits(whole) && !common(whole) || len(fraction) >= 12 && allDigits(fraction) {
		j.add(pos, "pii/id", "a number that looks like an identifier")
	}
}

// name holds a name against the rules: words joined by "_" or by capitals.
func (j *janitor) name(pos int, name string) {
	j.custom(pos, name)
	if m := digitRun.FindString(name); m != "" && !common(m) {
		j.add(pos, "pii/id", "a name with a number that looks like an identifier")
	}
	if spoken := strings.NewReplacer("_at_", "@", "_AT_", "@", "_dot_", ".", "$at$", "@").Replace(name); spoken != name && address.MatchString(strings.ReplaceAll(spoken, "_", ".")) {
		j.add(pos, "pii/email", "a name that spells an e-mail address")
	}
	if secretText.MatchString(name) {
		j.add(pos, "pii/secret", "a name that is a key or a token")
	}
}

func (j *janitor) custom(pos int, name string) {
	for _, p := range j.Prefixes {
		if p != "" && strings.HasPrefix(strings.ToLower(name), strings.ToLower(p)) && len(name) > len(p) {
			j.add(pos, "schema/custom", "%s is a field of one tenant (%s)", name, p)
			return
		}
	}
}

// column holds schema.table.column against the standard schema.
func (j *janitor) column(n *Node) {
	if j.Schema == nil || n.Kids[0].Kind != Ident && n.Kids[0].Kind != Member {
		return
	}
	base := n.Kids[0]
	for base.Kind == Member {
		base = base.Kids[0]
	}
	if base.Kind != Ident || !j.fromSchema(base.Text) || j.Schema[n.Text] {
		return
	}
	j.add(n.End-len(n.Text), "schema/unknown", "%s is not in the standard schema", n.Text)
}

// fromSchema reports whether a name was imported from the schema.
func (j *janitor) fromSchema(name string) bool {
	found := false
	j.tree.Root.walk(func(n *Node) bool {
		if n.Kind == Import && isSchema(n.Text) || n.Kind == Assign && len(n.Kids) == 2 && holdsSchema(n.Kids[1]) {
			for _, local := range locals(n) {
				found = found || local == name
			}
		}
		return !found
	})
	return found
}

func isSchema(spec string) bool { return spec == "tgp:schema" || strings.Contains(spec, "schema") }

// holdsSchema reports whether an expression is await import of the schema.
func holdsSchema(n *Node) bool {
	found := false
	n.walk(func(n *Node) bool {
		found = found || n.Kind == ImportCall && isSchema(n.Text)
		return !found
	})
	return found
}

// locals are the names that a declaration binds.
func locals(n *Node) []string {
	if n.Kind == Import {
		return n.Names
	}
	var out []string
	n.Kids[0].walk(func(k *Node) bool {
		if k.Kind == Pattern && k.Text != "" {
			out = append(out, k.Text)
		}
		return true
	})
	return out
}

// comments holds what is no code against the rules.
func (j *janitor) comments() {
	l := &commentReader{j.tree.Source, strings.HasSuffix(j.checker.File, ".tsx")}
	for _, c := range l.all() {
		at := c[0]
		for line := range strings.SplitAfterSeq(j.tree.Source[c[0]:c[1]], "\n") {
			for _, h := range pii(line) {
				j.add(at, h.rule, "%s in a comment", h.what)
			}
			for _, word := range strings.FieldsFunc(line, notName) {
				j.custom(at, word)
			}
			at += len(line)
		}
	}
}

// commentReader finds comments by the places where the parser's lexer skips.
type commentReader struct {
	src string
	jsx bool
}

func (c *commentReader) all() [][2]int {
	p := &parser{lexer: lexer{src: c.src, comments: &[][2]int{}}, jsx: c.jsx, declared: map[string]bool{}, notArrow: map[int]bool{}, left: perByte * (len(c.src) + 100)}
	func() {
		defer func() { _ = recover() }()
		p.advance()
		for p.tok.kind != tEOF {
			p.statement()
		}
	}()
	seen := map[[2]int]bool{}
	var out [][2]int
	for _, s := range *p.comments {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

func plainRegex(s string) string {
	return strings.NewReplacer(`\.`, ".", `\-`, "-", `\/`, "/", `\+`, "+", `\(`, "(", `\)`, ")", "^", "", "$", "").Replace(s)
}

var schemaName = pattern.New(`[A-Za-z_]\w*`)

// SchemaNames are all names and strings of a schema in TypeScript, SQL or Prisma.
func SchemaNames(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range schemaName.FindAllString(text, -1) {
		out[m] = true
	}
	return out
}
