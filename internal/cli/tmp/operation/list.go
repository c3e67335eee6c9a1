// Package operation shows what is mapped: tmp list and tmp explain.
package operation

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type ListOptions struct {
	All, JSON bool
	Surface   string // only this one; "" for all
}

// NewList is tmp list.
func NewList(env *term.Env, f *command.Flags) command.Run {
	var o ListOptions
	f.Bool("all", &o.All)
	f.Bool("json", &o.JSON)
	f.String("surface", &o.Surface)
	return func(in command.Input) error { return o.Run(env, in.Args) }
}

// Unmapped is the failure that no operation has an ID: for one that waits in the
// project's maps, with what comes next.
func Unmapped(w *session.Session, id string) *term.Failure {
	if slices.Contains(w.Waiting(), id) {
		return term.Failf("%s is in the maps of this project, which are not in use: they are not trusted as they are now", id).
			Hint("tmp trust --review shows them and takes them into use; then call this again")
	}
	return term.Failf("no operation %q is mapped", id)
}

func (o *ListOptions) Run(env *term.Env, tools []string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	var ops []session.Operation
	for _, op := range w.Operations() {
		p := w.Describe(&op)
		if (o.Surface == "" || o.Surface == op.Surface) && (o.All || p.Applies && p.Verified) && (len(tools) == 0 || slices.Contains(tools, op.Tool)) {
			ops = append(ops, p)
		}
	}
	if o.JSON {
		return env.PrintJSON(struct {
			V          int                 `json:"v"`
			Operations []session.Operation `json:"operations"`
		}{1, append([]session.Operation{}, ops...)})
	}
	if n := len(w.Waiting()); n > 0 {
		env.Notice("%s not listed: its maps are not trusted as they are now; tmp trust --review shows them and takes them into use",
			map[bool]string{true: "1 operation of this project is", false: screen.Count(n, "operation") + " of this project are"}[n == 1])
	}
	if len(ops) == 0 {
		what := "operation"
		if o.Surface != "" {
			what = o.Surface
		}
		if o.All {
			env.Notice("no %s is mapped", what)
		} else {
			env.Notice("no %s is mapped here; --all shows those for elsewhere, and drafts", what)
		}
		return nil
	}
	o.print(env, ops)
	return nil
}

// standingWord is the standing in a word, "stale" for one whose source has changed.
func standingWord(o *session.Operation) string {
	if o.Stale != "" {
		return "stale"
	}
	return o.Standing
}

func (o *ListOptions) print(env *term.Env, ops []session.Operation) {
	st := env.StyleOf(1)
	width := 0
	for _, op := range ops {
		width = max(width, utf8.RuneCountInString(op.ID))
	}
	for _, op := range ops {
		say := op.Description
		if len(op.Intent) > 0 {
			say = op.Intent[0]
		}
		var notes []string
		if !op.Verified {
			notes = append(notes, standingWord(&op))
		}
		if !op.Applies {
			notes = append(notes, "not here")
		}
		if len(notes) > 0 {
			say += " (" + strings.Join(notes, ", ") + ")"
		}
		level, _ := tcpdb.ParseLevel(op.Risk)
		pad := strings.Repeat(" ", len("MEDIUM_RISK")-min(len(op.Risk), len("MEDIUM_RISK")))
		fmt.Fprintf(env.Stdout, "%-*s  %s%s  %s\n", width, op.ID, st.Level(level), pad, term.OneLine(say))
	}
}
