package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Tryer runs the program of an operation in a jail.
type Tryer func(context.Context, machine.Trial) (sandbox.Result, error)

// Trial is what is known for trying an operation.
type Trial struct {
	Run   Tryer
	Texts *Texts // of the tool; nil for a script
	// Command leads through the tool's tree: the chain of nodes that words of a
	// template name, the root first; nil if no map knows the tool.
	Command func(words []string) []*tcpdb.Node
	// Dir is where the operation applies: it is tried there, and can write
	// nothing. "" is an empty home.
	Dir string
	// Values are those that samples give its parameters.
	Values map[string]string
}

// DryRun tries an operation in a form that changes nothing: the one that the map
// declares, else its own template with the tool's option for a dry run, else its
// command and options with the one that asks for help. Options are those that
// the map or the tool's own texts name, commands those that its texts name:
// nothing is guessed.
func (t *Trial) DryRun(ctx context.Context, s *opmap.Source, op *opmap.Operation) Result {
	if op.Verify != nil && op.Verify.DryRun != "" {
		return t.declared(ctx, s, op)
	}
	if t.Texts == nil {
		return skipped(KindDry, `the map declares no form of it that changes nothing ("verify": {"dry_run": …})`)
	}
	words := strings.Fields(op.Template)
	chain := t.Command(words)
	if t.Texts.Empty() {
		return skipped(KindDry, "no text of "+t.Texts.Tool+" could be had: a verb that none names is not run")
	}
	if path, rest := t.Texts.command(words[1:]); len(path) < len(chain)-1 || len(rest) > 0 && t.Texts.wantsCommand(path) && !strings.HasPrefix(rest[0], "-") {
		return skipped(KindDry, fmt.Sprintf("it is not run: no text of %s names the command %q", t.Texts.Tool, strings.Join(words[:min(len(words), len(path)+2)], " ")))
	}
	tried := ""
	if argv := t.dryForm(s, op, chain); argv != nil {
		r := t.try(ctx, argv)
		switch {
		case r.err != nil:
			return skipped(KindDry, r.err.Error())
		case r.accepted():
			return r.passed("")
		case r.refused != "":
			return r.failed()
		}
		tried = fmt.Sprintf("%s could not be tried here: %s", invoke.Display(argv), r.lastLine())
	}
	return t.help(ctx, words, chain, tried)
}

// declared tries the form that the map declares.
func (t *Trial) declared(ctx context.Context, s *opmap.Source, op *opmap.Operation) Result {
	form := s.Compiled(op)
	form.Template = strings.Fields(op.Verify.DryRun)
	argv, err := invoke.Expand(&form, t.params(op))
	if err != nil {
		return skipped(KindDry, fmt.Sprintf("its form cannot be filled in: %v: a sample gives values", err))
	}
	r := t.try(ctx, argv)
	switch {
	case r.err != nil:
		return skipped(KindDry, r.err.Error())
	case r.accepted():
		return r.passed("")
	}
	return r.failed()
}

// params are the values to try an operation with.
func (t *Trial) params(op *opmap.Operation) map[string]string {
	out := map[string]string{}
	for _, p := range op.Parameters {
		if out[p.Name] = p.Default; t.Values[p.Name] != "" {
			out[p.Name] = t.Values[p.Name]
		}
	}
	return out
}

// dryForm is the template with the option for a dry run that the map knows of
// its command, nil if there is none or a value is lacking.
func (t *Trial) dryForm(s *opmap.Source, op *opmap.Operation, chain []*tcpdb.Node) []string {
	compiled := s.Compiled(op)
	argv, err := invoke.Expand(&compiled, t.params(op))
	if err != nil || len(chain) == 0 {
		return nil
	}
	for _, n := range slices.Backward(chain) {
		for i := range n.Flags {
			word, names := dryOption(&n.Flags[i])
			if word == "" {
				continue
			}
			if slices.ContainsFunc(argv, func(w string) bool { head, _, _ := strings.Cut(w, "="); return slices.Contains(names, head) }) {
				return argv // it is one already
			}
			end := slices.Index(argv, "--")
			if end < 0 {
				end = len(argv)
			}
			return slices.Insert(argv, end, word)
		}
	}
	return nil
}

// dryOption is the word that asks for a dry run, "" if a flag does not: one
// called --dry-run, or -n if its text says so.
func dryOption(f *tcpdb.Flag) (word string, names []string) {
	name := ""
	for _, n := range f.Names {
		switch {
		case n == "--dry-run", n == "--just-print" && name == "":
			name = n
		case n == "-n" && name == "" && strings.Contains(strings.ToLower(f.Description), "dry run"):
			name = n
		}
	}
	switch {
	case name == "" || f.Hidden:
		return "", nil
	case f.Value == tcpdb.NoValue:
		return name, f.Names
	}
	for _, v := range f.Spec.Enum {
		if v.Value == "client" { // kubectl's, which asks no server
			return name + "=client", f.Names
		}
	}
	if f.Value == tcpdb.OptionalValue {
		return name, f.Names
	}
	return "", nil
}

// help tries the command and its options with the one that asks for help.
func (t *Trial) help(ctx context.Context, words []string, chain []*tcpdb.Node, tried string) Result {
	path, _ := t.Texts.command(words[1:])
	argv := helpWords(words, 1+len(path))
	option := t.helpOption(argv, chain)
	if option == "" {
		why := "neither the map nor a text names an option for a dry run or for help"
		if tried != "" {
			why = tried
		}
		return skipped(KindDry, why)
	}
	argv = append(argv, option)
	r := t.try(ctx, argv)
	switch {
	case r.err != nil:
		return skipped(KindDry, r.err.Error())
	case r.refused != "" || !machine.IsHelp(r.text()):
		return r.failed()
	}
	return r.passed(tried)
}

// helpWords are the words of a template that can stand before an option that
// asks for help: those of the command, and options that wait for no value. What
// is an argument could keep the option behind it from being one.
func helpWords(words []string, command int) []string {
	out := slices.Clone(words[:command])
	for i, w := range words[command:] {
		if w == "--" {
			break
		}
		next := command + i + 1
		// What follows may be its value, which could stand for anything.
		if strings.HasPrefix(w, "-") && !strings.Contains(w, "<") && (next == len(words) || strings.HasPrefix(words[next], "-")) {
			out = append(out, w)
		}
	}
	return out
}

// helpOption is the option for help that the map or the texts name for a command.
func (t *Trial) helpOption(argv []string, chain []*tcpdb.Node) string {
	options := []string{"--help", "-h"}
	if t.Texts.Tool == "git" {
		options = []string{"-h"} // --help opens the manual
	}
	path, _ := t.Texts.command(argv[1:])
	for _, o := range options {
		for _, n := range chain {
			if n.Flag(o) != nil {
				return o
			}
		}
		if t.Texts.namesAbove(path, o) {
			return o
		}
	}
	return ""
}

// attempt is what came of a run.
type attempt struct {
	argv    []string
	result  sandbox.Result
	err     error  // it was not run
	refused string // the line in which the tool refuses a word
}

func (t *Trial) try(ctx context.Context, argv []string) attempt {
	a := attempt{argv: argv}
	if a.result, a.err = t.Run(ctx, machine.Trial{Args: argv[1:], Dir: t.Dir}); a.err == nil {
		a.refused = refusal(string(a.result.Stderr), a.result.Status)
		if a.refused == "" && len(a.result.Stderr) == 0 {
			a.refused = refusal(string(a.result.Stdout), a.result.Status)
		}
	}
	return a
}

func (a *attempt) accepted() bool {
	return a.result.Status == 0 && !a.result.TimedOut && !a.result.Cut && a.refused == ""
}

func (a *attempt) text() string { return string(a.result.Stdout) + "\n" + string(a.result.Stderr) }

func (a *attempt) passed(note string) Result {
	why := invoke.Display(a.argv) + " is accepted"
	if note != "" {
		why += "; " + note
	}
	return Result{Check: KindDry, Status: Passed, Why: why, Hash: a.hash()}
}

func (a *attempt) failed() Result {
	why := fmt.Sprintf("%s ends with status %d", invoke.Display(a.argv), a.result.Status)
	switch line := a.lastLine(); {
	case a.result.TimedOut:
		why = invoke.Display(a.argv) + " does not end"
	case a.result.Cut:
		why = invoke.Display(a.argv) + " prints without end"
	case a.refused != "":
		why += ": " + a.refused
	case line != "":
		why += ": " + line
	}
	return Result{Check: KindDry, Status: Failed, Why: why, Hash: a.hash()}
}

func (a *attempt) hash() string {
	parts := append([]string{fmt.Sprint(a.result.Status), string(a.result.Stdout), string(a.result.Stderr)}, a.argv...)
	return hashOf(parts...)
}

// lastLine is the last line that says something, of errors first.
func (a *attempt) lastLine() string {
	for _, text := range []string{string(a.result.Stderr), string(a.result.Stdout)} {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
			return clip(last)
		}
	}
	return ""
}

func clip(s string) string {
	if len(s) > 200 {
		return strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

// refusal is the line in which a tool says that it does not know a word, "" if
// there is none. Such a line stands at the beginning or at the end, at the left.
func refusal(text string, status int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		if i >= 3 && i < len(lines)-3 || i > 0 && status == 0 {
			continue
		}
		if line == "" || strings.ContainsAny(line[:1], " \t-") {
			continue
		}
		lower := strings.ToLower(line)
		if contains(lower, "unknown", "unrecogni", "unexpected", "invalid", "illegal", "no such ", "not a valid", "is not a ", "not defined", "unsupported", "bad option", "bad flag") &&
			contains(lower, "option", "argument", "flag", "switch", "command", "operand") {
			return clip(strings.TrimSpace(line))
		}
	}
	return ""
}

func contains(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
