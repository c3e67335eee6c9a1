package line

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maxFunction bounds the body of a shell function that is looked into, in
// bytes. Longer ones are programs of their own, such as version managers, of
// which one call runs a small part.
const maxFunction = 4 << 10

// shellFunction judges the call of a function that the shell has: its body, with
// the words of the call in the place of "$@". What is only known when the body
// runs makes the call no worse than a program that is not known, because the
// person put the function there.
func (r *run) shellFunction(words []shline.Word) bool {
	name := words[0].Text
	body, ok := r.text.options.Functions[name]
	if !ok || words[0].Raw != name {
		return false
	}
	span := r.text.at(words[0].Start, words[0].End)
	if len(body) > maxFunction || r.depth >= maxLines {
		r.add(Finding{Span: span, Level: tcpdb.Medium, Rule: "function", Reason: "runs a function of this shell: " + name})
		r.out.Known = false
		return true
	}
	t := text{s: body, span: span, dialect: r.text.dialect, options: r.text.options, literal: true, from: r, index: r.index, call: words[1:]}
	t.options.Aliases = nil
	t.options.Functions = without(r.text.options.Functions, name)
	if defines(body, name) {
		t.s += "\n" + name + ` "$@"`
		if r.text.dialect == shline.Fish {
			t.s = body + "\n" + name + " $argv"
		}
	}
	before := r.out
	r.out.Findings, r.out.Level, r.out.Scope = nil, tcpdb.Safe, tcpdb.NoScope
	r.line(t, r.depth+1)
	found := r.out.Findings
	r.out.Level, r.out.Scope, r.out.Findings, r.out.Known = before.Level, before.Scope, before.Findings, before.Known
	for _, f := range found {
		if onlyRun(f.Rule) {
			f = Finding{Span: span, Level: tcpdb.Medium, Rule: "function", Reason: "runs a function of this shell: " + name}
		}
		r.add(f)
	}
	return true
}

// defines reports whether a function's text is its whole definition, as bash's
// declare -f and fish's functions print it, and not the body alone.
func defines(body, name string) bool {
	body = strings.TrimLeft(body, " \t\n")
	for strings.HasPrefix(body, "#") { // fish says where it was defined
		_, body, _ = strings.Cut(body, "\n")
	}
	if rest, ok := strings.CutPrefix(body, "function "); ok {
		rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), name)
		return ok && (rest == "" || strings.IndexByte(" \t\n(;{", rest[0]) >= 0)
	}
	rest, ok := strings.CutPrefix(body, name)
	return ok && strings.HasPrefix(strings.TrimLeft(rest, " "), "()")
}

func without(m map[string]string, name string) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		if k != name {
			out[k] = v
		}
	}
	return out
}
