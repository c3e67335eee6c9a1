package risk

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// files judges git checkout NAME as git checkout -- NAME where git takes the name
// for a file: one that is here, and no branch.
func (j *judge) files(b *argv.Bound, at, depth int) (v Verdict, ok bool) {
	if j.facts.TakesForFile == nil || b.Node().Path != "git checkout" || len(b.Args) != 1 || b.Args[0].AfterDash {
		return Verdict{}, false
	}
	if b.Has("b") || b.Has("B") || b.Has("orphan") || b.Has("track") || b.Has("detach") {
		return Verdict{}, false // the word is a revision
	}
	arg := b.Args[0]
	for _, in := range append([]string{""}, j.facts.In...) {
		if j.facts.TakesForFile(Source{File: "git", Words: b.Words, In: in}, arg.Text) {
			ok = true
		}
	}
	if !ok {
		return Verdict{}, false
	}
	v = j.named(slices.Insert(slices.Clone(b.Words), arg.Word, "--"), at, depth+1)
	c := &Command{Bound: b, At: at, Outer: j.outer}
	for i := range v.Findings {
		v.Findings[i].Word, v.Findings[i].Command = at+arg.Word, c
	}
	v.Lines = nil // those of the words as they are
	return v, true
}

// given judges a setting that git is given on the line: KEY=VALUE, or KEY=NAME of a
// variable of the environment.
func (h *hand) given(variable bool, u argv.Use) {
	key, value, _ := strings.Cut(u.Value, "=")
	if !variable {
		if line, ok := h.setting(h.handed(u.Value, u.Word), key, value); ok {
			h.v.Lines = append(h.v.Lines, line)
		}
		return
	}
	if row, ok := gitSetting(key); ok && row.reads != "ext" || strings.HasPrefix(strings.ToLower(key), "alias.") {
		o := says(tcpdb.High, 0, tcpdb.NoScope, "settings.computed", "takes a program, "+key+", from the environment")
		o.Findings[0].Word = h.at + u.Word
		h.v.merge(o)
	}
}

// setting returns the line that git runs if the line gives a key a value.
func (j *judge) setting(l Line, key, value string) (Line, bool) {
	r, ok := gitSetting(key)
	if !ok {
		return l, false
	}
	if r.reads == "line" {
		value = strings.TrimPrefix(value, "!") // as if it were an alias
	}
	s := Setting{Key: key, Value: value}
	if l.Text, ok = r.line(s); !ok {
		return l, false
	}
	l.Use = &Use{Setting: s, Reads: r.reads, Usual: r.usual}
	return l, true
}

// configured returns what git config sets for git to run by itself, or when an
// alias is called.
func (j *judge) configured(b *argv.Bound, at int) []Line {
	args := b.Args
	if b.Node().Path == "git config" && len(args) > 2 && args[0].Text == "set" {
		args = args[1:]
	}
	if !strings.HasPrefix(b.Node().Path, "git config") || len(args) < 2 {
		return nil
	}
	key, value := args[0].Text, args[1].Text
	l := Line{Text: value, Dialect: "posix", Word: at + args[1].Word, Outer: &Command{Bound: b, At: at, Outer: j.outer}}
	if line, alias := strings.CutPrefix(value, "!"); alias && strings.HasPrefix(strings.ToLower(key), "alias.") {
		l.Text, l.Use = line, &Use{Setting: Setting{Key: key, Value: value}, Reads: "alias"}
		return []Line{l}
	}
	if l, ok := j.setting(l, key, value); ok {
		return []Line{l}
	}
	return nil
}
