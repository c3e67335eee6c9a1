package tmp

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// resolve exits with 0 when there is exactly one verified operation, with 1 otherwise.
type resolveOptions struct{ json bool }

func newResolve(env *Env, f *flags) runFunc {
	var o resolveOptions
	f.Bool("json", &o.json)
	return func(in input) error { return o.run(env, intentText(in.Args)) }
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

func (o *resolveOptions) run(env *Env, text string) error {
	forgetResolved(env)
	w, err := env.session()
	if err != nil {
		return err
	}
	r, err := w.Resolve(env.Context, text)
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
			env.notice("not kept for tmp run: %s", err)
		}
	}
	switch {
	case o.json && r.Resolved():
		return env.printJSON(answer)
	case o.json:
		if err := env.printJSON(answer); err != nil {
			return err
		}
		return exitStatus(1)
	case r.Resolved():
		printResolved(env, w, r)
		return nil
	}
	return refusal(r.Resolution, 1)
}

// forgetResolved sees to it that tmp run does not take up what was resolved
// before, however this question ends.
func forgetResolved(env *Env) {
	s := session.Session{Caller: env.caller(), Paths: place.Find(env.Getenv)}
	if err := s.Forget(); err != nil && s.Remembers() {
		env.notice("tmp run would still run what was resolved before: %s", err)
	}
}

// refusal is a refused intent as an error with hints.
func refusal(r intent.Resolution, status int) error {
	f := failf("not resolved (%s): %s", r.Reason, r.Message)
	f.status = status
	for _, s := range r.Suggestions {
		f.hint("%q is %s", s.Intent, s.OperationID)
	}
	if len(r.Suggestions) == 0 && r.Reason == intent.NotMapped {
		f.hint("tmp list shows what is mapped here")
	}
	return f
}

func printResolved(env *Env, w *session.Session, r session.Resolved) {
	st := env.styleOf(1)
	fmt.Fprintln(env.Stdout, st.bold(oneLine(invoke.Display(r.Plan.Argv))))
	fmt.Fprintf(env.Stdout, "  %s, %s, %s\n", r.Operation.ID, orElse(r.Operation.Effect, "no effect stated"), st.level(w.EffectiveLevel(r)))
	if a := w.Approval(r); a != "none" {
		fmt.Fprintf(env.Stdout, "  approval %s\n", a)
	}
}

func orElse(s, or string) string {
	if s == "" {
		return or
	}
	return s
}
