package line

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// source judges a program given in the line itself.
func (r *run) source(s string, live bool, span tcpdb.Span, lang string, at int, inner []shline.Word) {
	if live {
		r.add(Finding{Span: span, Level: tcpdb.High, Rule: "flow.computed", Reason: "runs code that is known only when it runs"})
		if lang != shellLanguage {
			return
		}
	}
	if lang != shellLanguage {
		if r.spend(r.text, len(s)) {
			r.code(lang, s, span, inner)
		}
		return
	}
	t := text{s: s, span: span, dialect: r.text.dialect, options: r.text.options, literal: true, from: r, index: r.index, outer: &risk.Command{}}
	t.same = names(inner[0].Text, "trap", "eval", "source", ".")
	t.here = r.readsHere(inner)
	if root := r.view.Root(path.Base(inner[0].Text)); root != nil {
		t.away = root.Wrapper.Elsewhere
	}
	t.mapped = r.text.mapped && strings.HasPrefix(r.text.s[min(at, len(r.text.s)):], s)
	t.options.Aliases, t.options.Functions = nil, nil
	shell := inner[0].Text[strings.LastIndexByte(inner[0].Text, '/')+1:]
	if d, ok := shline.ParseDialect(shell); ok {
		t.dialect, t.options.Posix = d, shline.IsPOSIX(shell)
	}
	r.line(t, r.depth+1)
}

// code judges a program of another language, which the interpreter of inner reads;
// nil where it is none of the text.
func (r *run) code(lang, s string, span tcpdb.Span, inner []shline.Word) {
	here := r.readsHere(inner)
	var reader *risk.Command
	if here && inner[0].Start == r.program.commands[r.index].words[0].Start {
		if b := argv.Bind(r.view, shline.Texts(inner)); b != nil {
			reader = &risk.Command{Bound: b}
		}
	}
	facts := r.settledFacts()
	v := facts.Program(lang, s)
	r.out.Level = max(r.out.Level, v.Level)
	for _, f := range v.Findings {
		out := Finding{Span: span, Level: f.Level, Flags: f.Flags, Rule: f.Rule, Reason: f.Reason, Safer: f.Safer, Scope: f.Scope, Stake: f.Stake}
		if f.Stake.Fact == tcpdb.PlaceFact {
			r.describe(&out, reader, inner)
		}
		r.add(out)
	}
	for _, l := range v.Lines {
		t := text{s: l.Text, span: span, dialect: shline.Bash, literal: true, from: r, index: r.index, outer: &risk.Command{}, here: here}
		r.line(t, r.depth+1)
	}
}

// readsHere reports whether an interpreter, the words of which are inner, reads a
// program where the command stands that is being judged.
func (r *run) readsHere(inner []shline.Word) bool {
	if r.index >= len(r.program.commands) || len(inner) == 0 {
		return false
	}
	words := r.program.commands[r.index].words
	for range maxLines {
		if len(words) == 0 {
			return false
		}
		b := argv.Bind(r.view, shline.Texts(words))
		if words[0].Start == inner[0].Start {
			return b == nil || !b.Node().Wrapper.Elsewhere // ssh reads lines too
		}
		if b == nil || len(b.Inner) == 0 || b.Inner[0].Start == 0 || b.Inner[0].Start >= b.Inner[0].End || !r.binds(len(words)) ||
			!staysHere(&risk.Command{Bound: b}) {
			return false
		}
		words = words[b.Inner[0].Start:b.Inner[0].End]
	}
	return false
}
