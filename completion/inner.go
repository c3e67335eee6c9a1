package completion

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// This file completes a command line that stands inside a word of another: the
// text of bash -c, what ssh, watch and eval hand to a shell.

// carrier is what a command line inside a word has from the one that carries it.
type carrier struct {
	depth     int  // how many lines there are around it
	elsewhere bool // it runs on another machine or in a container
}

// maxCarried bounds lines within lines.
const maxCarried = 4

// innerLine is a command line that a shell will read out of the words left of
// the cursor.
type innerLine struct {
	text    string // the line up to the cursor
	skip    int    // how much of text stands in earlier words
	before  string // how much of the cursor's word stands before the line: "--exec="
	dialect string // of the shell that will read it, "" for the asking one's
}

// carried returns the line that the cursor's word is the end of, if a command
// hands it to a shell. Which do is the judge's knowledge.
func (e *Engine) carried(t *target, s slot) (in innerLine, ok bool) {
	text := t.cursor.Text
	if !t.joined && !mayCarry(t, s) {
		return in, false
	}
	at := len(t.outer)
	words := append(t.outer[:at:at], text)
	v := risk.Judge(e.Map, words, risk.Facts{Trusted: once(e.Trusted), Alias: t.aliasText})
	for _, l := range v.Lines {
		switch {
		case l.Word == at && strings.HasSuffix(text, l.Text):
			before := text[:len(text)-len(l.Text)]
			if before != "" && before != s.prefix {
				continue
			}
			return innerLine{text: l.Text, before: before, dialect: l.Dialect}, true
		case l.Word < at && l.Word >= 0 && t.joined && l.Text == strings.Join(words[l.Word:], " "):
			return innerLine{text: l.Text, skip: len(l.Text) - len(text), dialect: l.Dialect}, true
		}
	}
	return in, false
}

// mayCarry is a cheap look at whether the cursor's word may be a line: it has
// more than one word in it, or nothing else is known of what may stand there.
func mayCarry(t *target, s slot) bool {
	if t.bound == nil {
		return false // among them the command word behind sudo, which no shell reads
	}
	if strings.ContainsAny(t.cursor.Text, " \t;|&<>()`") {
		return true
	}
	if t.place != argument {
		return false
	}
	if flag := t.bound.Node().Wrapper.ShellFlag; flag != "" && t.bound.Has(flag) {
		return true
	}
	return !s.flags && !s.subcommands && !slices.ContainsFunc(s.specs, func(v tcpdb.ValueSpec) bool {
		return v.Kind != tcpdb.AnySpec || len(v.Enum) > 0
	})
}

// within completes the line inside the cursor's word and writes what it finds
// in the quotes of that word. The quotes stay open: the line goes on.
func (e *Engine) within(ctx context.Context, r Request, t *target, in innerLine, c carrier) Answer {
	inner := r
	inner.Words, inner.Aliases, inner.Dir = nil, nil, t.dir
	inner.Line, inner.Point = in.text+t.suffixText, len(in.text)
	if in.dialect != "" {
		inner.Shell = in.dialect
	}
	a := e.answer(ctx, inner, carrier{c.depth + 1, c.elsewhere || t.elsewhere})
	start := a.Replace.Start
	if start < in.skip {
		return Answer{State: a.State, Handled: true, Replace: t.replace(), Message: a.Message}
	}
	a.Handled, a.Inner, a.Operation, a.Parameter = true, 0, "", ""
	closed := t.suffix != "" && t.suffixText == "" // the closing quote is there
	// Where the word is one of the line's own, it ends as any other.
	closed = closed || start == in.skip && t.suffix == "" && (in.skip > 0 || t.cursor.Open == shline.Unquoted)
	a.Replace = t.replace()
	if closed {
		a.Replace.End += len(t.suffix)
	}
	whole := func(insert string, blank, open bool) string {
		if blank && !closed {
			insert += " "
		}
		return shline.Quote(t.dialect, in.before+in.text[in.skip:start]+insert, t.cursor, open)
	}
	outer := risk.Judge(e.Map, append(t.outer[:len(t.outer):len(t.outer)], t.cursor.Text), risk.Facts{Trusted: once(e.Trusted), Alias: t.aliasText})
	for i := range a.Candidates {
		x := &a.Candidates[i]
		x.Insert = whole(x.Insert, !x.NoSpace && t.suffixText == "", !closed || x.NoSpace && t.suffix == "")
		x.NoSpace = x.NoSpace || !closed
		x.Level, x.Flags = max(x.Level, outer.Level), x.Flags|outer.Flags.Capabilities()
	}
	if a.Common != "" {
		a.CommonInsert = whole(a.CommonInsert, false, true)
	}
	return a
}
