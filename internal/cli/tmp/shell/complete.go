// Package shell holds the commands about the shell that the person uses: its
// hook, what is active in it, and one Tab as an answer to a program.
package shell

import (
	"fmt"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// noMap is the exit status of complete where there is no map for the command, or
// none that says what stands at the cursor of the shell that asks.
const noMap = 10

// complete exits with 0 when it answered, also with no values, and with 10
// where there is no map.
type completeOptions struct {
	shell, line, cwd string
	point, limit     int
	json             bool
}

// NewComplete is tmp complete.
func NewComplete(env *term.Env, f *command.Flags) command.Run {
	o := completeOptions{point: -1, limit: -1}
	f.String("shell", &o.shell)
	f.String("line", &o.line)
	f.String("cwd", &o.cwd)
	f.Int("point", &o.point)
	f.Int("limit", &o.limit)
	f.Bool("json", &o.json)
	return func(in command.Input) error {
		if !in.Dashed && !f.Given("line") {
			return term.Usagef("give --line LINE, or the words after --").Hint("tmp complete -- git checkout ''")
		}
		if in.Dashed && f.Given("line") {
			return term.Usagef("give --line or the words after --, not both")
		}
		if in.Dashed && len(in.Rest) == 0 {
			return term.Usagef("no words after --").Hint("the last word is the one to complete; it may be ''")
		}
		if f.Given("point") {
			o.point = max(o.point, 0)
		}
		if in.Dashed && f.Given("point") {
			return term.Usagef("--point belongs to --line")
		}
		return o.run(env, in.Rest)
	}
}

func (o *completeOptions) run(env *term.Env, words []string) error {
	dir := env.Dir
	if o.cwd != "" {
		if dir = o.cwd; !filepath.IsAbs(dir) {
			dir = filepath.Join(env.Dir, dir)
		}
	}
	caller := env.Caller()
	caller.Dir = dir
	engine := session.At(caller).Engine()
	point := o.point
	if point < 0 {
		point = len(o.line)
	}
	a := engine.Complete(env.Context, completion.Request{
		Shell: o.shell, Line: o.line, Point: point, Words: words, Dir: dir, Getenv: env.Getenv, Limit: o.limit, Explain: true,
	})
	if o.json {
		if err := env.PrintJSON(session.NewCompletion(a)); err != nil {
			return err
		}
	} else {
		printAnswer(env, a)
	}
	if !a.Handled {
		return term.ExitStatus(noMap)
	}
	return nil
}

// printAnswer prints a value a line, with its description and, where it raises
// the command to HIGH or above, its level, after tabs.
func printAnswer(env *term.Env, a completion.Answer) {
	st := env.StyleOf(1)
	for _, c := range a.Candidates {
		line := term.OneLine(c.Value)
		if c.Description != "" || c.Raises {
			line += "\t" + st.Dim(term.OneLine(c.Description))
		}
		if c.Raises {
			line += "\t" + st.Level(c.Level)
		}
		fmt.Fprintln(env.Stdout, line)
	}
	if a.Omitted > 0 {
		env.Notice("… %d more (--limit 0 shows all)", a.Omitted)
	}
	switch {
	case a.Message != "":
		env.Notice("%s", a.Message)
	case !a.Handled && a.Mapped:
		env.Notice("the map has nothing here: the shell's own completion runs")
	case !a.Handled:
		env.Notice("there is no map for this command")
	}
}
