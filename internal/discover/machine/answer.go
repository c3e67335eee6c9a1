package machine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/question"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Asker is a way in which programs complete themselves.
type Asker string

// The ways that are known: cobra's hidden command __complete, and the variable
// COMPLETE of clap_complete.
const (
	Cobra Asker = "cobra"
	Clap  Asker = "clap"
)

// maxAsked bounds how often one program is asked.
const maxAsked = 400

// Asked drafts the map of a program and asks the program itself, in the jail,
// for options and values that its texts leave open. An empty kind finds out
// which it is. The error says why it cannot be asked.
func (m *Machine) Asked(ctx context.Context, p Program, kind Asker) (*Draft, Asker, error) {
	if err := m.mayRun(p); err != nil {
		return nil, kind, err
	}
	q := &asker{m: m, p: p, kind: kind}
	if err := q.settle(ctx); err != nil {
		return nil, kind, err
	}
	d, err := m.Draft(ctx, p)
	if err != nil {
		return nil, q.kind, err
	}
	walk, cancel := context.WithTimeout(ctx, maxWalk)
	defer cancel()
	q.source = d.Source
	q.node(walk, d.Source.Node, nil, nil)
	if q.left > 0 {
		q.gapf(d.Source.Tool, "it was asked %d times and no more: %d questions are left", maxAsked, q.left)
	}
	return d, q.kind, ctx.Err()
}

// asker puts questions to one program.
type asker struct {
	m      *Machine
	p      Program
	kind   Asker
	source *opmap.Source
	count  int
	left   int // questions that were not put
}

func (q *asker) gapf(node, format string, args ...any) {
	q.source.Gaps = append(q.source.Gaps, opmap.Gap{Node: node, Text: fmt.Sprintf(format, args...)})
}

// settle finds out how the program answers, or that it does not answer as is said.
func (q *asker) settle(ctx context.Context) error {
	cobra := usesCobra(goInfo(q.p))
	if q.kind == Cobra || q.kind == "" && cobra {
		q.kind = Cobra
		if a := q.ask(ctx, ""); !a.whole {
			return fmt.Errorf("%s does not answer __complete as programs made with cobra do", q.p.Name)
		}
		return nil
	}
	if q.kind == "" && goInfo(q.p) != nil {
		return fmt.Errorf("%s is not made with cobra: tmp generate drafts its map", q.p.Name)
	}
	r, err := q.m.runWith(ctx, q.p, []string{"COMPLETE=bash"}, question.Bare())
	if err != nil {
		return err
	}
	if !strings.Contains(string(r.Stdout), "_CLAP_COMPLETE_INDEX") {
		return fmt.Errorf("%s completes itself neither as cobra nor as clap does: tmp generate drafts its map", q.p.Name)
	}
	q.kind = Clap
	return nil
}

// answer is what a program offers for the last of some words.
type answer struct {
	words     []draft.Value
	directive int  // cobra's bits
	whole     bool // the answer came to its end
}

// Bits of cobra's directive.
const (
	cobraError      = 1
	cobraExtensions = 8
	cobraDirs       = 16
)

// ask asks what may stand in the place of the last word.
func (q *asker) ask(ctx context.Context, words ...string) answer {
	if q.count >= maxAsked || ctx.Err() != nil {
		q.left++
		return answer{}
	}
	q.count++
	if q.kind == Cobra {
		r, err := q.m.run(ctx, q.p, question.Complete(words...))
		if err != nil {
			return answer{}
		}
		return readAnswer(string(r.Stdout), true)
	}
	r, err := q.m.runWith(ctx, q.p, []string{"COMPLETE=fish"}, question.CompleteClap(q.p.Name, words...))
	if err != nil || r.Status != 0 || r.Cut || r.TimedOut {
		return answer{}
	}
	return readAnswer(string(r.Stdout), false)
}

// readAnswer reads a word and its description a line; after cobra's comes a line
// with its directive, ":4".
func readAnswer(out string, directive bool) answer {
	a := answer{whole: !directive}
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\r\n")
		if n, ok := strings.CutPrefix(line, ":"); ok && directive {
			if bits, err := strconv.Atoi(n); err == nil {
				a.directive, a.whole = bits, bits&cobraError == 0
				break
			}
		}
		word, text, _ := strings.Cut(line, "\t")
		if word == "" || directive && strings.HasPrefix(word, "_activeHelp_") {
			continue
		}
		a.words = append(a.words, draft.Value{Text: word, Description: text})
	}
	if !a.whole {
		return answer{}
	}
	return a
}

func (a *answer) same(b answer) bool {
	return a.directive == b.directive && slices.Equal(a.words, b.words)
}

// node asks for a command and those below it. Options of those above hold too.
func (q *asker) node(ctx context.Context, n *opmap.Node, path []string, above []*opmap.Flag) {
	where := strings.Join(append([]string{q.p.Name}, path...), " ")
	plain := q.ask(ctx, append(slices.Clone(path), "")...)
	options := q.ask(ctx, append(slices.Clone(path), "-")...)
	n.Flags = joinAnswered(n.Flags, above, answered(options.words))
	for _, f := range n.Flags {
		if f.Value == "none" || f.Spec != nil {
			continue
		}
		q.value(ctx, f, where, path, plain)
	}
	q.arguments(n, where, plain)
	for _, sub := range n.Subcommands {
		if sub.Name != "help" && sub.Name != "completion" {
			q.node(ctx, sub, append(slices.Clone(path), sub.Name), slices.Concat(above, n.Flags))
		}
	}
}

// joinAnswered adds the options that no text names, here or above.
func joinAnswered(flags, above, answered []*opmap.Flag) []*opmap.Flag {
	ids := map[string]bool{}
	for _, f := range flags {
		ids[flagID(f)] = true
	}
	for _, f := range answered {
		if slices.ContainsFunc(slices.Concat(flags, above), func(have *opmap.Flag) bool {
			return slices.ContainsFunc(f.Names, func(name string) bool { return slices.Contains(have.Names, name) })
		}) {
			continue
		}
		for id, i := flagID(f), 2; ids[flagID(f)]; i++ {
			f.ID = fmt.Sprintf("%s-%d", id, i)
		}
		ids[flagID(f)] = true
		flags = append(flags, f)
	}
	return flags
}

func flagID(f *opmap.Flag) string {
	if f.ID != "" {
		return f.ID
	}
	return opmap.FlagID(f.Names)
}

// plainWord reports whether a text can be one word of a map.
func plainWord(s string) bool {
	return s != "" && len(s) <= 256 && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar })
}

// answered are the options among the words of an answer. A short name with the
// description of the long one beside it is the same option.
func answered(words []draft.Value) []*opmap.Flag {
	var flags []*opmap.Flag
	for i, w := range words {
		name := strings.TrimSuffix(w.Text, "=")
		if !draft.Short(name) && !draft.Long(name) || strings.Contains(name, "=") || !plainWord(name) {
			continue
		}
		if at := slices.IndexFunc(flags, func(f *opmap.Flag) bool {
			return w.Description != "" && f.Description == w.Description && len(f.Names) == 1 && draft.Short(f.Names[0]) != draft.Short(name)
		}); at >= 0 {
			if !slices.Contains(flags[at].Names, name) {
				flags[at].Names = append(flags[at].Names, name)
			}
			continue
		}
		flags = append(flags, &opmap.Flag{Names: []string{name}, Description: oneLine(w.Description), From: []string{fmt.Sprintf("answer:%d", i+1)}})
	}
	return flags
}

// value asks for the values of an option. Where the answer is that of no option,
// it takes none.
func (q *asker) value(ctx context.Context, f *opmap.Flag, where string, path []string, plain answer) {
	name := f.Names[0]
	for _, n := range f.Names {
		if draft.Long(n) {
			name = n
		}
	}
	a := q.ask(ctx, append(slices.Clone(path), name, "")...)
	unknown := f.Value == ""
	switch {
	case !a.whole, len(a.words) == 0 && len(plain.words) == 0:
		if unknown {
			q.gapf(where, "whether %s takes a value is not told", name)
		}
		return
	case a.same(plain):
		if unknown {
			f.Value = "none"
		}
		return
	case unknown:
		f.Value = "required"
	}
	f.Spec = specOf(a)
}

// specOf is where values come from, as an answer tells.
func specOf(a answer) *opmap.Spec {
	switch {
	case a.directive&cobraDirs != 0:
		return &opmap.Spec{Dir: true}
	case a.directive&cobraExtensions != 0:
		if len(a.words) == 1 && plainWord(a.words[0].Text) && !strings.ContainsAny(a.words[0].Text, "/*?[\\") {
			return &opmap.Spec{Resolver: "files:*." + strings.TrimPrefix(a.words[0].Text, ".")}
		}
		return &opmap.Spec{File: true}
	}
	s := &opmap.Spec{}
	for _, w := range a.words {
		if !strings.HasPrefix(w.Text, "-") && plainWord(w.Text) && len(s.Enum) < 200 {
			s.Enum = append(s.Enum, opmap.EnumValue{Value: w.Text, Description: oneLine(w.Description)})
		}
	}
	if len(s.Enum) == 0 {
		return nil
	}
	return s
}

// arguments notes that a program completes arguments: what it offers in an empty
// home is not what it will offer.
func (q *asker) arguments(n *opmap.Node, where string, plain answer) {
	if plain.directive&(cobraDirs|cobraExtensions) != 0 && len(n.Args) == 0 && len(n.Subcommands) == 0 {
		n.Args = []*opmap.Arg{{Name: "argument", Repeatable: true, Spec: specOf(plain)}}
		return
	}
	for _, w := range plain.words {
		if !strings.HasPrefix(w.Text, "-") && !slices.ContainsFunc(n.Subcommands, func(s *opmap.Node) bool { return s.Name == w.Text || slices.Contains(s.Aliases, w.Text) }) {
			q.gapf(where, "it completes arguments itself: they are not in the map")
			return
		}
	}
}

// oneLine makes a text fit for a map.
func oneLine(s string) string { return draft.OneLine(s, 500) }
