package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// resolve exits with 0 when there is exactly one verified operation, with 1 otherwise.
type resolveOptions struct {
	json bool
	set  []string
}

// NewResolve is tmp resolve.
func NewResolve(env *term.Env, f *command.Flags) command.Run {
	var o resolveOptions
	f.Bool("json", &o.json)
	f.Strings("set", &o.set)
	return func(in command.Input) error { return o.run(env, intentText(in.Args)) }
}

// intentText joins the words of the command line. A word that holds blanks
// beside others was quoted for the shell, and stays one word.
func intentText(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a
		if a != "" && !strings.ContainsAny(a, " \t\n") {
			continue
		}
		for _, q := range []string{`"`, `'`, "`"} {
			if !strings.Contains(a, q) {
				words[i] = q + a + q
				break
			}
		}
	}
	return strings.Join(words, " ")
}

func (o *resolveOptions) run(env *term.Env, text string) error {
	ForgetResolved(env)
	given, err := Values(o.set)
	if err != nil {
		return err
	}
	w, err := env.Session()
	if err != nil {
		return err
	}
	r, err := w.Resolve(env.Context, text, given)
	if err != nil {
		return err
	}
	w.RefuseMissing(&r)
	answer := w.Resolution(r)
	if r.Resolved() {
		if err := w.Save(text, r, answer); err != nil {
			if w.Remembers() {
				return err
			}
			env.Notice("not kept for tmp run: %s", err)
		}
	}
	if !r.Resolved() {
		w.KeepPicks(env.Terminal(), text, r.Resolution)
	}
	switch {
	case o.json && r.Resolved():
		return env.PrintJSON(answer)
	case o.json:
		if err := env.PrintJSON(answer); err != nil {
			return err
		}
		return term.ExitStatus(1)
	case r.Resolved():
		printResolved(env, w, r)
		return nil
	}
	return refusal(r.Resolution, 1)
}

// ForgetResolved sees to it that tmp run does not take up what was resolved
// before, however this question ends.
func ForgetResolved(env *term.Env) {
	s := session.Session{Caller: env.Caller(), Paths: env.Places()}
	if err := s.Forget(); err != nil && s.Remembers() {
		env.Notice("tmp run would still run what was resolved before: %s", err)
	}
}

// refusal is a refused intent as an error with hints.
func refusal(r intent.Resolution, status int) error {
	f := term.Failf("not resolved (%s): %s", r.Reason, r.Message)
	f.Status = status
	for i, s := range r.Suggestions {
		f.Hint("%s", session.SuggestionLine(i, s))
	}
	if len(r.Suggestions) > 0 {
		f.Hint("tmp run --pick N runs one of them")
	}
	if len(r.Suggestions) == 0 && r.Reason == intent.NotMapped {
		f.Hint("tmp list shows what is mapped here")
	}
	return f
}

func printResolved(env *term.Env, w *session.Session, r session.Resolved) {
	st := env.StyleOf(1)
	fmt.Fprintln(env.Stdout, st.Bold(term.OneLine(invoke.Display(r.Plan.Argv))))
	if r.Play != nil {
		fmt.Fprintf(env.Stdout, "  %s\n", st.Dim(term.OneLine(evidence(w, r))))
	}
	fmt.Fprintf(env.Stdout, "  %s, %s, %s\n", r.Operation.ID, cmp.Or(r.Operation.Effect, "no effect stated"), st.Level(w.EffectiveLevel(r)))
	if a := w.Approval(r); a != "none" {
		fmt.Fprintf(env.Stdout, "  approval %s\n", a)
	}
}

// evidence says where an answer of the project comes from: "package.json:9 · pnpm by
// pnpm-lock.yaml".
func evidence(w *session.Session, r session.Resolved) string {
	var parts []string
	for i, e := range r.Play.Evidence {
		text := e.Why
		if i == 0 && r.Play.Task {
			if text = e.File; e.Line > 0 {
				text += fmt.Sprintf(":%d", e.Line)
			}
		}
		if text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	if r.Plan.Dir != w.Dir {
		parts = append(parts, "in "+r.Plan.Dir)
	}
	if r.Play.Note != "" {
		parts = append(parts, r.Play.Note)
	}
	return strings.Join(parts, " · ")
}
