package db

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type explainOptions struct{ json, all bool }

// NewExplain is tmp db explain.
func NewExplain(env *term.Env, f *command.Flags) command.Run {
	var o explainOptions
	f.Bool("json", &o.json)
	f.Bool("all", &o.all)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

// explained is the whole answer.
type explained struct {
	V      int         `json:"v"`
	Key    string      `json:"key"` // the command whose descriptor decides
	Known  bool        `json:"known"`
	Level  string      `json:"level"`
	Action string      `json:"action"`
	Flags  []string    `json:"flags"`
	Scope  string      `json:"scope"`
	Record string      `json:"record,omitempty"` // the 24 bytes of the key by its name alone
	Costs  *costs      `json:"costs,omitempty"`
	Read   reading     `json:"read"`
	Bits   []bitSource `json:"bits"`
	Rules  []ruleRow   `json:"rules"`
	Lines  []string    `json:"lines,omitempty"` // shell lines that it hands on and that are not followed
}

type costs struct {
	MS int `json:"ms"`
	MB int `json:"mb"`
	KB int `json:"kb"`
}

// reading is how the words were read.
type reading struct {
	Command   string   `json:"command"`
	Options   []string `json:"options"` // by their IDs, or as typed if nobody knows them
	Arguments []string `json:"arguments"`
}

// bitSource says which rules set a bit of the verdict.
type bitSource struct {
	Bit   string   `json:"bit"`
	Rules []string `json:"rules"`
}

// ruleRow is a base entry or a variant and what became of it.
type ruleRow struct {
	Key        string   `json:"key"`
	Layer      string   `json:"layer"`
	Provenance string   `json:"provenance"`
	Source     string   `json:"source,omitempty"` // file:line of the shipped tables
	Rule       string   `json:"rule"`
	Base       bool     `json:"base"`
	Condition  string   `json:"condition,omitempty"`
	Effect     string   `json:"effect,omitempty"`
	Holds      bool     `json:"holds"`
	Counts     bool     `json:"counts"`
	Level      string   `json:"level"`
	Flags      []string `json:"flags"`
	Scope      string   `json:"scope"`
	Reason     string   `json:"reason"`
	Safer      string   `json:"safer,omitempty"`
}

func (o *explainOptions) run(env *term.Env, args []string) error {
	words := args
	if len(args) == 1 && strings.Contains(args[0], " ") {
		commands := shline.Split(shline.Bash, args[0]).Commands
		if len(commands) != 1 {
			return term.Usagef("%q is not one simple command", args[0]).Hint("tmp check judges whole lines")
		}
		words = shline.Texts(commands[0].Words)
	}
	if len(words) == 0 {
		return term.Usagef("there is no command to explain")
	}
	w, err := env.Session()
	if err != nil {
		return err
	}
	facts := w.Facts()
	a := explain(w.View, words, facts)
	if o.json {
		err = env.PrintJSON(a)
	} else {
		o.print(env, a)
	}
	if err == nil && !a.Known {
		return term.ExitStatus(1)
	}
	return err
}

func explain(v *tcpdb.View, words []string, facts risk.Facts) *explained {
	verdict := risk.Judge(v, words, facts)
	parts := explanations(v, words, facts)
	x := parts[0]
	a := &explained{
		V: 1, Key: x.Key, Known: verdict.Known, Level: verdict.Level.String(), Action: verdict.Level.Action(),
		Flags: verdict.Flags.Names(), Scope: verdict.Scope.String(), Read: readingOf(words, x),
		Bits: bitSources(verdict, parts), Rules: []ruleRow{},
	}
	if d, ok := v.Lookup(x.Key); ok {
		b := d.Encode()
		a.Record, a.Costs = hex.EncodeToString(b[:]), &costs{int(d.ExecMS), int(d.MemoryMB), int(d.OutputKB)}
	}
	sources := map[string]string{}
	for _, part := range parts {
		for i := range part.Rules {
			a.Rules = append(a.Rules, rowOf(&part.Rules[i], sources))
		}
	}
	for _, l := range verdict.Lines {
		a.Lines = append(a.Lines, l.Text)
	}
	return a
}

// explanations are those of a command and of the commands that it carries as
// words, the outermost first.
func explanations(v *tcpdb.View, words []string, facts risk.Facts) []risk.Explanation {
	var out []risk.Explanation
	for queue := [][]string{words}; len(queue) > 0 && len(out) < maxCarried; queue = queue[1:] {
		x := risk.Explain(v, queue[0], facts)
		out = append(out, x)
		if x.Bound == nil {
			continue
		}
		for _, in := range x.Bound.Inner {
			if in.Start < in.End {
				queue = append(queue, x.Bound.Words[in.Start:in.End])
			}
		}
	}
	return out
}

// maxCarried bounds how many commands within a command are explained.
const maxCarried = 16

func readingOf(words []string, x risk.Explanation) reading {
	r := reading{Command: words[0], Options: []string{}, Arguments: []string{}}
	if x.Bound == nil {
		r.Arguments = append(r.Arguments, words[1:]...)
		return r
	}
	r.Command = x.Bound.Node().Path
	for _, f := range x.Bound.Flags {
		text := f.Name
		if f.Flag != nil {
			text = f.Flag.ID
		}
		if f.ValueWord >= 0 {
			text += "=" + f.Value
		}
		r.Options = append(r.Options, text)
	}
	for _, arg := range x.Bound.Args {
		r.Arguments = append(r.Arguments, arg.Text)
	}
	return r
}

// bitSources lists the level and each capability with the rules that set it,
// those of commands within the command too.
func bitSources(v risk.Verdict, parts []risk.Explanation) []bitSource {
	bits := []bitSource{{Bit: v.Level.String(), Rules: []string{}}}
	add := func(b *bitSource, rule string) {
		if !slices.Contains(b.Rules, rule) {
			b.Rules = append(b.Rules, rule)
		}
	}
	for _, f := range v.Findings {
		if f.Level == v.Level {
			add(&bits[0], f.Rule)
		}
	}
	for _, name := range v.Flags.Names() {
		flag, err := tcpdb.ParseFlag(name)
		if err != nil {
			continue
		}
		b := bitSource{Bit: name, Rules: []string{}}
		for _, f := range v.Findings {
			if f.Flags&flag != 0 {
				add(&b, f.Rule)
			}
		}
		for _, p := range parts { // what a wrapper such as sudo adds is no rule's
			if p.Bound != nil && p.Bound.Node().Wrapper.Adds&flag != 0 {
				add(&b, p.Bound.Node().Path+" (wrapper)")
			}
		}
		bits = append(bits, b)
	}
	return bits
}

func rowOf(r *risk.Rule, sources map[string]string) ruleRow {
	row := ruleRow{
		Key: r.Key, Layer: r.Layer.String(), Provenance: r.Provenance, Rule: r.Rule, Base: r.Base, Holds: r.Holds, Counts: r.Counts,
		Level: r.Descriptor.Level().String(), Flags: r.Descriptor.Flags.Capabilities().Names(), Scope: r.Scope.String(),
		Reason: r.Reason, Safer: r.Safer,
	}
	if !r.Base {
		row.Condition, row.Effect = condition(&r.Variant), effectName(r.Effect)
	}
	if r.Layer == tcpdb.CoreLayer {
		if _, ok := sources[r.Key]; !ok {
			sources[r.Key] = ""
			if file, line := opmap.CoreRiskFile(r.Key); file != "" {
				sources[r.Key] = fmt.Sprintf("%s:%d", file, line)
			}
		}
		row.Source = sources[r.Key]
	}
	return row
}

func effectName(e tcpdb.Effect) string {
	switch e {
	case tcpdb.RaiseEffect:
		return "raise"
	case tcpdb.HarmlessEffect:
		return "harmless"
	}
	return "set"
}

// condition writes the conditions of a variant in words.
func condition(x *tcpdb.Variant) string {
	var parts []string
	if len(x.All) > 0 {
		parts = append(parts, "with "+strings.Join(x.All, " and "))
	}
	if len(x.Any) > 0 {
		parts = append(parts, "with "+strings.Join(x.Any, " or "))
	}
	if len(x.None) > 0 {
		parts = append(parts, "without "+strings.Join(x.None, " or "))
	}
	if x.ArgClass != "" {
		parts = append(parts, "arguments "+x.ArgClass)
	}
	return strings.Join(parts, ", ")
}

func (o *explainOptions) print(env *term.Env, a *explained) {
	s := env.StyleOf(1)
	out := env.Stdout
	level, _ := tcpdb.ParseLevel(a.Level)
	fmt.Fprintln(out, strings.TrimRight(s.Bold(term.OneLine(a.Read.Command))+"  "+s.Level(level)+"  "+strings.Join(a.Flags, " "), " "))
	if a.Record != "" {
		fmt.Fprintf(out, "  %s  %s by name alone, %d ms, %d MB, %d KB\n", a.Record, term.OneLine(a.Key), a.Costs.MS, a.Costs.MB, a.Costs.KB)
	}
	if len(a.Read.Options) > 0 {
		fmt.Fprintf(out, "  options    %s\n", term.OneLine(strings.Join(a.Read.Options, " ")))
	}
	if len(a.Read.Arguments) > 0 {
		fmt.Fprintf(out, "  arguments  %s\n", term.OneLine(strings.Join(a.Read.Arguments, " ")))
	}
	for _, b := range a.Bits {
		fmt.Fprintf(out, "  %-20s from %s\n", b.Bit, term.OneLine(strings.Join(b.Rules, ", ")))
	}
	for _, l := range a.Lines {
		fmt.Fprintf(out, "  hands on a shell line, which tmp check follows: %s\n", term.OneLine(l))
	}
	printRules(env, a.Rules, o.all)
}

// printRules shows the rules that count, those that hold and are overruled, and
// with all the others too.
func printRules(env *term.Env, rules []ruleRow, all bool) {
	head, hidden := "", 0
	for _, r := range rules {
		if !r.Holds && !all {
			hidden++
			continue
		}
		from := r.Layer + " " + r.Provenance
		if r.Source != "" {
			from = r.Source + ", " + from
		}
		if h := fmt.Sprintf("%s (%s)", term.OneLine(r.Key), from); h != head {
			fmt.Fprintln(env.Stdout, h)
			head = h
		}
		mark, what := "+", "by its name"
		if !r.Base {
			what = r.Condition
			if r.Effect != "set" {
				what += ", " + r.Effect
			}
		}
		switch {
		case !r.Holds:
			mark = "-"
		case !r.Counts:
			mark = "o" // overruled, or of a command above
		}
		line := fmt.Sprintf("  %s %s: %s", mark, what, strings.TrimSpace(r.Level+" "+strings.Join(r.Flags, " ")))
		line += ", " + r.Reason
		if r.Safer != "" {
			line += "; safer: " + r.Safer
		}
		fmt.Fprintln(env.Stdout, term.OneLine(line))
	}
	if hidden > 0 {
		fmt.Fprintf(env.Stdout, "%d more do not hold here; --all shows them\n", hidden)
	}
}
