package opmap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/when"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maxValues caps the values that a context shows of one resolver, and
// maxValueLength the bytes of one: a context is to be read whole.
const (
	maxValues      = 20
	maxValueLength = 80
)

// Context is what can be done in a project, for people and agents to read:
// .tmp/context.json, and in short form .tmp/context.md. Nothing reads it back.
type Context struct {
	V          int                      `json:"v"`
	MapDigest  string                   `json:"map_digest"`
	Project    []ContextRole            `json:"project"` // what the project itself can do, first
	Tools      []ContextTool            `json:"tools"`
	Resolvers  map[string]ContextValues `json:"resolvers"`
	Unresolved []Unresolved             `json:"unresolved"`
	Ignored    []string                 `json:"ignored"` // layers that were left out, and why
}

// ContextRole is something that the project can do by a task of its own or by the
// standard command of its ecosystem.
type ContextRole struct {
	Role   string   `json:"role"`
	Title  string   `json:"title"`
	Argv   []string `json:"argv"`
	Line   string   `json:"line"` // Argv as a shell takes it
	Dir    string   `json:"dir"`  // from the root of the project
	Source string   `json:"source,omitempty"`
	Risk   string   `json:"risk"`
}

// ContextTool holds a tool's operations that apply here.
type ContextTool struct {
	Tool       string             `json:"tool"`
	Operations []ContextOperation `json:"operations"`
}

// ContextOperation is an operation in short.
type ContextOperation struct {
	ID          string             `json:"id"`
	Description string             `json:"description,omitempty"`
	Intents     []string           `json:"intent"`
	Template    string             `json:"template"`
	Parameters  []ContextParameter `json:"parameters"`
	Effect      string             `json:"effect"`
	Risk        string             `json:"risk"`
	Approval    string             `json:"approval,omitempty"`
	Standing    string             `json:"standing"`
	Runs        bool               `json:"runs"` // its standing is enough to be run
	Layer       string             `json:"layer"`

	bound bool // it needs files that are here
}

// ContextParameter is an input; its values are those of its resolver.
type ContextParameter struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
	Resolver string `json:"resolver,omitempty"`
	Match    string `json:"match,omitempty"` // "closed" or "filter", with a resolver
	Default  string `json:"default,omitempty"`
}

// ContextValues are the first values of a resolver.
type ContextValues struct {
	Values  []string `json:"values"`
	Omitted int      `json:"omitted"`
}

// Unresolved is a resolver that failed, and why.
type Unresolved struct {
	Resolver string `json:"resolver"`
	Reason   string `json:"reason"`
}

// Values asks a resolver for up to limit values and the number of others. An
// error is one line for a person.
type Values func(resolver string, limit int) (values []string, omitted int, err error)

// ContextFacts are what a context must know of the place that it is of.
type ContextFacts struct {
	Values Values // nil: no resolver is asked
	// Level rates an operation as it would be judged here, at least: what its map
	// declares may be less than what its template would do.
	Level func(op *tcpdb.Operation) tcpdb.Level
	// Installed reports whether there is a program of that name; nil: all are.
	Installed func(name string) bool
	// Project is what the project itself can do.
	Project []ContextRole
}

// NewContext collects what applies in dir and can be run there.
func NewContext(v *tcpdb.View, dir string, f ContextFacts) *Context {
	c := &Context{
		V: 1, MapDigest: v.Digest(), Project: append([]ContextRole{}, f.Project...), Tools: []ContextTool{}, Resolvers: map[string]ContextValues{},
		Unresolved: []Unresolved{}, Ignored: []string{},
	}
	here := &when.Place{Dir: dir, Values: all.Table().Resolve}
	ops := slices.DeleteFunc(v.Operations(), func(op tcpdb.Operation) bool {
		// Of what somebody wrote down here the tool may come yet.
		general := op.Layer < tcpdb.UserLayer && op.Surface == "cli" && len(op.Template) > 0
		return general && f.Installed != nil && !f.Installed(op.Template[0]) || !here.Applies(op)
	})
	slices.SortFunc(ops, func(a, b tcpdb.Operation) int {
		return strings.Compare(a.Tool+"\x00"+a.ID, b.Tool+"\x00"+b.ID)
	})
	for _, op := range ops {
		if n := len(c.Tools); n == 0 || c.Tools[n-1].Tool != op.Tool {
			c.Tools = append(c.Tools, ContextTool{Tool: op.Tool})
		}
		t := &c.Tools[len(c.Tools)-1]
		t.Operations = append(t.Operations, c.operation(op, f.Values, max(op.Risk, f.Level(&op))))
	}
	for _, p := range v.Problems() {
		c.Ignored = append(c.Ignored, printable(fmt.Sprintf("%v: %v", p.Layer, p.Err)))
	}
	return c
}

func (c *Context) operation(op tcpdb.Operation, values Values, level tcpdb.Level) ContextOperation {
	out := ContextOperation{
		ID: op.ID, Description: op.Description, Intents: op.Intents, Template: strings.Join(op.Template, " "),
		Parameters: []ContextParameter{}, Effect: op.Effect, Risk: level.String(), Approval: op.Approval,
		Standing: op.Standing.String(), Runs: op.Standing.Verified(), Layer: op.Layer.String(),
		bound: len(op.When)+len(op.Managers)+len(op.Values) > 0,
	}
	for _, p := range op.Params {
		cp := ContextParameter{Name: p.Name, Required: p.Required, Resolver: p.Resolver, Default: p.Default}
		if p.Resolver != "" {
			cp.Match = "closed"
			if p.Filter {
				cp.Match = "filter"
			}
			c.resolve(p.Resolver, values)
		}
		out.Parameters = append(out.Parameters, cp)
	}
	return out
}

// resolve asks each resolver once.
func (c *Context) resolve(name string, values Values) {
	if _, done := c.Resolvers[name]; done || values == nil {
		return
	}
	if slices.ContainsFunc(c.Unresolved, func(u Unresolved) bool { return u.Resolver == name }) {
		return
	}
	list, omitted, err := values(name, maxValues)
	if err != nil {
		c.Unresolved = append(c.Unresolved, Unresolved{name, printable(err.Error())})
		return
	}
	out := ContextValues{Values: []string{}, Omitted: omitted}
	for _, s := range list {
		// What cannot be shown as it is would be copied wrongly.
		if len(out.Values) >= maxValues || len(s) > maxValueLength || printable(s) != s {
			out.Omitted++
			continue
		}
		out.Values = append(out.Values, s)
	}
	c.Resolvers[name] = out
}

// printable replaces what a terminal or a reader could take for something else.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// JSON is the content of .tmp/context.json.
func (c *Context) JSON() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if enc.Encode(c) != nil { // cannot fail on these types
		return nil
	}
	return b.Bytes()
}

// maxMarkdown bounds .tmp/context.md, in bytes: it is for a context window. What
// does not fit is counted, and tmp list has it.
const maxMarkdown = 6 << 10

// Markdown is the content of .tmp/context.md: a line for each operation, the
// project's own first, then the user's, then those that files of the project make
// apply, as far as maxMarkdown allows.
func (c *Context) Markdown() []byte {
	var b strings.Builder
	b.WriteString("# What can be done here\n\n")
	b.WriteString("`tmp resolve \"<intent>\"` finds one of these or refuses; `tmp run` runs what was resolved. ")
	b.WriteString("`<x>` is a parameter, `[x]` an optional one. What is not listed is not mapped.\n")
	c.projectLines(&b)
	var tail strings.Builder
	c.valueLines(&tail)
	room := maxMarkdown - tail.Len() - len("\n10000 more: `tmp list` shows them.\n")
	if tail.Len() > maxMarkdown/2 { // values are found by tmp list, too
		tail.Reset()
		room = maxMarkdown
	}
	tool, omitted := "", 0
	for _, op := range c.byNeed() {
		var row strings.Builder
		if op.tool != tool {
			fmt.Fprintf(&row, "\n## %s\n", code(op.tool))
		}
		op.line(&row)
		if b.Len()+row.Len() > room {
			omitted++
			continue
		}
		tool = op.tool
		b.WriteString(row.String())
	}
	if omitted > 0 {
		fmt.Fprintf(&b, "\n%d more: `tmp list` shows them.\n", omitted)
	}
	b.WriteString(tail.String())
	return []byte(b.String())
}

// maxProjectLines bounds what the project's own lines take of maxMarkdown.
const maxProjectLines = maxMarkdown / 2

// projectLines leads with what the project itself can do.
func (c *Context) projectLines(b *strings.Builder) {
	if len(c.Project) == 0 {
		return
	}
	b.WriteString("\n## This project\n")
	start, omitted := b.Len(), 0
	for _, r := range c.Project {
		row := fmt.Sprintf("- %s: %s; %s", printable(r.Title), code(r.Line), r.Risk)
		if r.Dir != "." {
			row += ", in " + code(r.Dir)
		}
		if r.Source != "" {
			row += ", " + code(r.Source)
		}
		if b.Len()-start+len(row) > maxProjectLines {
			omitted++
			continue
		}
		b.WriteString(row + "\n")
	}
	if omitted > 0 {
		fmt.Fprintf(b, "- %d more: `tmp project` shows them\n", omitted)
	}
}

// needed is an operation with its tool, to be put in order.
type needed struct {
	*ContextOperation
	tool string
}

// byNeed are the operations with those first that are this project's.
func (c *Context) byNeed() []needed {
	var all []needed
	for i := range c.Tools {
		for k := range c.Tools[i].Operations {
			all = append(all, needed{&c.Tools[i].Operations[k], c.Tools[i].Tool})
		}
	}
	rank := func(n needed) int {
		switch {
		case n.Layer == "project":
			return 0
		case n.Layer == "user":
			return 1
		case n.bound:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(all, func(a, b needed) int { return rank(a) - rank(b) })
	return all
}

func (op *ContextOperation) line(b *strings.Builder) {
	quoted := make([]string, min(len(op.Intents), 3))
	for i := range quoted {
		quoted[i] = code(op.Intents[i])
	}
	fmt.Fprintf(b, "- %s: ", code(op.ID))
	if op.Template != "" {
		b.WriteString(code(op.Template) + "; ")
	}
	b.WriteString(op.Risk + ", " + op.Effect)
	if op.Approval != "" {
		b.WriteString(", approval " + op.Approval)
	}
	if !op.Runs {
		b.WriteString(", " + op.Standing + " (does not run)")
	}
	if len(quoted) > 0 {
		b.WriteString("; ask " + strings.Join(quoted, ", "))
	}
	for _, p := range op.Parameters {
		switch {
		case p.Match == "filter":
			fmt.Fprintf(b, "; %s matches %s", code(p.Name), p.Resolver)
		case p.Resolver != "":
			fmt.Fprintf(b, "; %s one of %s", code(p.Name), p.Resolver)
		case p.Required && op.Template == "":
			fmt.Fprintf(b, "; %s", code(p.Name))
		}
		if p.Default != "" {
			fmt.Fprintf(b, "; %s else %s", code(p.Name), code(p.Default))
		}
	}
	b.WriteByte('\n')
}

func (c *Context) valueLines(b *strings.Builder) {
	if len(c.Resolvers)+len(c.Unresolved) > 0 {
		b.WriteString("\n## Values\n")
	}
	for _, name := range sortedNames(c.Resolvers) {
		v := c.Resolvers[name]
		fmt.Fprintf(b, "- %s: ", name)
		for i, s := range v.Values {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(code(s))
		}
		switch {
		case len(v.Values) == 0 && v.Omitted == 0:
			b.WriteString("none")
		case v.Omitted > 0:
			fmt.Fprintf(b, " … %d more", v.Omitted)
		}
		b.WriteByte('\n')
	}
	for _, u := range c.Unresolved {
		fmt.Fprintf(b, "- %s: not resolved (%s)\n", u.Resolver, u.Reason)
	}
	for _, s := range c.Ignored {
		fmt.Fprintf(b, "\nLeft out: %s\n", s)
	}
}

func sortedNames(m map[string]ContextValues) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// code is a Markdown code span around s, fenced so that no backtick in s ends it.
func code(s string) string {
	fence, run := 1, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		if run++; run >= fence {
			fence = run + 1
		}
	}
	pad := ""
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || s == "" {
		pad = " "
	}
	return strings.Repeat("`", fence) + pad + printable(s) + pad + strings.Repeat("`", fence)
}
