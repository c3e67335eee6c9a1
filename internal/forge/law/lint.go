// Package law reads the source of a tool and holds it against the laws of the
// forge: no data in code, no way out but the bridge, an effect that is declared
// (seed 003, 4 and 5.4). It reads the TypeScript as it was written, never what
// a compiler made of it, and runs nothing.
//
//   - lex.go, parse.go, declare.go, expr.go, jsx.go, types.go: the source becomes a tree
//   - manifest.go: what the docblock declares
//   - lint.go, rules.go: the laws
//   - janitor.go: what must not leave the house
package law

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/pattern"
)

// Longest is how many UTF-16 units a literal may have.
const Longest = 16

// MaxSource is how large a tool may be in bytes.
const MaxSource = 64 << 10

// Finding is a breach of a law.
type Finding struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // from 1
	Col     int    `json:"col"`  // from 1, UTF-16 units
	Rule    string `json:"rule"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
}

func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", f.File, f.Line, f.Col, f.Rule, f.Message)
}

// Options are what the configuration lets a tool do.
type Options struct {
	File    string   // as it is shown
	Allowed []string // packages that may be imported, with their subpaths
	// Schema reports whether a specifier names the schema of the database.
	Schema func(spec string) bool
	// Names are not literals: names of queries and variables of the configuration.
	Names []string
	// Writes are the names of queries that write.
	Writes []string
}

// Result is what is known of a source.
type Result struct {
	Findings []Finding
	Manifest *Manifest
	Tree     *Tree // nil if the source cannot be read
}

// Check holds a source against the laws.
func Check(source string, opts Options) Result {
	c := &checker{Options: opts}
	if len(source) > MaxSource {
		c.out = append(c.out, Finding{File: opts.File, Line: 1, Col: 1, Rule: "size", Message: fmt.Sprintf("%d bytes; a tool has at most %d", len(source), MaxSource)})
		return Result{Findings: c.out, Manifest: &Manifest{Effects: []string{"read-only"}}}
	}
	if i := strings.IndexByte(source, 0); i >= 0 {
		source = strings.ReplaceAll(source, "\x00", "\x01")
	}
	tree, err := Parse(source, strings.HasSuffix(opts.File, ".tsx"))
	if err != nil {
		e := err.(*SyntaxError) //nolint:errorlint // Parse says so
		return Result{
			Findings: []Finding{{File: opts.File, Line: e.Line, Col: e.Col, Rule: "syntax", Message: e.Msg}},
			Manifest: &Manifest{Effects: []string{"read-only"}},
		}
	}
	c.tree, c.manifest = tree, tree.Manifest()
	for _, r := range c.manifest.findings {
		c.add(r.pos, r.rule, "%s", r.msg)
	}
	c.visit(tree.Root)
	slices.SortStableFunc(c.out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Rule, b.Rule))
	})
	return Result{Findings: slices.Compact(c.out), Manifest: c.manifest, Tree: tree}
}

type checker struct {
	Options
	tree     *Tree
	manifest *Manifest
	out      []Finding
}

func (c *checker) add(pos int, rule, format string, args ...any) *Finding {
	line, col := c.tree.Place(pos)
	c.out = append(c.out, Finding{File: c.File, Line: line, Col: col, Rule: rule, Message: fmt.Sprintf(format, args...)})
	return &c.out[len(c.out)-1]
}

// visit holds a node and all below it against the laws.
func (c *checker) visit(n *Node) {
	switch n.Kind {
	case String:
		c.literal(n.Pos, "a string", n.Text)
	case Template:
		c.literal(n.Pos, "the fixed parts of a template", n.Text)
	case JSXText:
		c.literal(n.Pos, "the text of an element", n.Text)
	case Number:
		if digits(n.Text) > 20 {
			c.add(n.Pos, "law/number", "a number of %d digits; at most 20", digits(n.Text))
		}
	case Regex:
		if run := literalRun(n.Text); run > Longest {
			c.add(n.Pos, "law/regex", "%d literal characters in a row; at most %d", run, Longest)
		}
	case Object:
		if !n.Target {
			c.keys(n.Kids)
		}
	case Class:
		for _, k := range n.Kids {
			c.keys(k.Kids)
		}
	case Enum:
		c.keys(n.Kids)
	case Prop:
		if n.Named && len(n.Kids) == 0 { // of an element
			c.literal(n.Pos, "a key", n.Text)
		}
	case Binary:
		if n.Text == "+" {
			c.concat(n)
			return
		}
	case Import:
		c.imported(n.Pos, n.Text)
	case ImportCall:
		if len(n.Kids) != 1 || n.Kids[0].Kind != String {
			c.add(n.Pos, "import/dynamic", "import takes a literal here")
			break
		}
		c.imported(n.Kids[0].Pos, n.Text)
		return
	case Call, New:
		if c.called(n) {
			return
		}
	case Member:
		c.member(n)
	case Index:
		if n.Kids[1].Kind == String && n.Kids[0].Kind == Ident && (n.Kids[0].Text == "tgp" || n.Kids[0].Text == "process") {
			c.member(&Node{Kind: Member, Pos: n.Pos, Text: n.Kids[1].Text, Kids: n.Kids[:1]})
		}
	case Unary:
		if n.Text == "typeof" && n.Kids[0].Kind == Ident {
			return
		}
	case Ident:
		c.reference(n)
	}
	for _, k := range n.Kids {
		c.visit(k)
	}
}

func (c *checker) keys(props []*Node) {
	for _, p := range props {
		if p.Kind == Prop && p.Named {
			c.literal(p.Pos, "a key", p.Text)
		}
	}
}

var address = pattern.New(`[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)

// literal holds a text in the code against the laws.
func (c *checker) literal(pos int, what, text string) {
	if slices.Contains(c.Names, text) {
		return
	}
	if address.MatchString(text) {
		c.add(pos, "law/email", "an address stands in the code: take it as a parameter")
	}
	if n := units(text); n > Longest {
		c.add(pos, "law/literal", "%s of %d characters; at most %d", what, n, Longest)
	}
	c.sql(pos, text)
}

var statement = pattern.New(`(?is)^[\s(]*(?:select\s+[\w*"'(\[]|insert\s+(?:or\s+\w+\s+)?into\b|update\s+\S+\s+set\b|update\s+\w+\s*$|delete\s+from\b|replace\s+into\b|drop\s+(?:table|view|index|database|schema)\b|alter\s+table\b|create\s+(?:temp|table|view|index|or|unique|function|trigger)\b|truncate\s+\w|with\s+\w+\s+as\s*\(|pragma\s+\w|attach\s+\w|grant\s+\w|copy\s+\w|vacuum\b|exec\s+\w)`)

func (c *checker) sql(pos int, text string) {
	if statement.MatchString(text) {
		c.add(pos, "sql/raw", "a statement of SQL stands in the code: use the query builder or a query of the configuration")
	}
}

// concat holds a sum with its literals together against the laws.
func (c *checker) concat(n *Node) {
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
	c.joined(n.Pos, parts)
	for _, p := range parts {
		c.visit(p)
	}
}

// joined reports literals that are put together to more than one may have.
func (c *checker) joined(pos int, parts []*Node) {
	text, long, literals := "", false, 0
	for _, p := range parts {
		if p.Kind != String && p.Kind != Template {
			continue
		}
		literals++
		text += p.Text
		long = long || units(p.Text) > Longest || address.MatchString(p.Text) || statement.MatchString(p.Text)
	}
	if literals < 2 || long {
		return
	}
	if n := units(text); n > Longest {
		c.add(pos, "law/concat", "literals are put together to %d characters; at most %d", n, Longest)
	}
	if address.MatchString(text) {
		c.add(pos, "law/email", "an address is put together in the code: take it as a parameter")
	}
	c.sql(pos, text)
}

func digits(number string) int {
	n := 0
	hex := strings.HasPrefix(number, "0x") || strings.HasPrefix(number, "0X")
	if len(number) > 2 && number[0] == '0' && strings.ContainsRune("xXoObB", rune(number[1])) {
		number = number[2:]
	}
	for _, c := range number {
		if c >= '0' && c <= '9' || hex && (c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			n++
		}
	}
	return n
}

// literalRun is the longest run of characters that stand for themselves.
func literalRun(re string) int {
	longest, run := 0, 0
	end := func() { longest, run = max(longest, run), 0 }
	rs := []rune(re)
	for i := 0; i < len(rs); i++ {
		switch r := rs[i]; {
		case r == '\\' && i+1 < len(rs):
			i++
			switch c := rs[i]; {
			case strings.ContainsRune("dDwWsSbBkpP123456789", c):
				end()
			case c == 'x':
				i += 2
				run++
			case c == 'u' && i+1 < len(rs) && rs[i+1] == '{':
				for i < len(rs) && rs[i] != '}' {
					i++
				}
				run++
			case c == 'u':
				i += 4
				run++
			default:
				run++
			}
		case strings.ContainsRune(".*+?()[]{}|^$", r):
			end()
		default:
			run++
			if r > 0xffff {
				run++
			}
		}
	}
	end()
	return longest
}

// builtins are the modules of Node.
var builtins = strings.Fields(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
	events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl sea sqlite stream
	string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib`)

// imported holds the specifier of an import against the configuration.
func (c *checker) imported(pos int, spec string) {
	scheme, _, _ := strings.Cut(spec, ":")
	first, _, _ := strings.Cut(strings.TrimPrefix(spec, "node:"), "/")
	switch {
	case c.Schema != nil && c.Schema(spec):
	case strings.HasPrefix(spec, "node:"), slices.Contains(builtins, first):
		c.add(pos, "import/builtin", "%s is of Node, and there is no Node here", spec).Code = "EPERM"
	case spec == "tgp:schema":
		c.add(pos, "import/denied", "the configuration has no db.schemaPath")
	case strings.HasPrefix(spec, "//"), scheme != spec && !strings.ContainsAny(scheme, "/."):
		c.add(pos, "import/url", "%s is not a package of the project", spec)
	case !Within(c.Allowed, spec):
		c.add(pos, "import/denied", "%s is not among allowedImports", spec)
	}
}

// Within reports whether a specifier is one of the packages, or a subpath of one.
func Within(packages []string, spec string) bool {
	if spec == "" || strings.ContainsAny(spec, "\\?#\x00") || path.Clean(spec) != spec {
		return false
	}
	return slices.ContainsFunc(packages, func(p string) bool { return spec == p || strings.HasPrefix(spec, p+"/") })
}

// Builtin reports whether a module is one of Node's.
func Builtin(name string) bool { return slices.Contains(builtins, name) }
