// Package project holds the commands that show what a project can do and that
// settle what it says in two ways: tmp project, tmp project prefer, and tmp without
// a word. What they show is the session's, internal/session.
package project

import (
	"cmp"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

type options struct{ json bool }

// New is tmp project.
func New(env *term.Env, f *command.Flags) command.Run {
	var o options
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *options) run(env *term.Env, args []string) error {
	at := *env
	if len(args) > 0 {
		dir, err := env.Path(args[0])
		if err != nil {
			return term.Failf("%s", err)
		}
		at.Dir = strings.TrimSuffix(dir, "/")
	}
	s, err := at.Session()
	if err != nil {
		return err
	}
	if s.Profile() == nil {
		return term.Failf("no project lies in %s or above", at.Dir).Hint("a project is a directory with a manifest or a task file: package.json, Cargo.toml, Makefile …")
	}
	if o.json {
		// A large monorepo allocates much in a short life.
		defer debug.SetGCPercent(debug.SetGCPercent(400))
		data, err := s.ProfileJSON()
		if err != nil {
			return err
		}
		_, err = env.Stdout.Write(data)
		return err
	}
	Screen(&at, s, 0)
	return nil
}

// Screen prints what can be done here, a line for each role with where it comes
// from; rows bounds the lines, 0 for all.
func Screen(env *term.Env, s *session.Session, rows int) {
	p := s.ProjectView()
	st, w := env.StyleOf(1), env.Stdout
	fmt.Fprintf(w, "%s%s\n", st.Bold(term.OneLine(p.Root)), kinds(p))
	if p.Foreign {
		fmt.Fprintln(w, "  these files belong to somebody else: nothing of them runs without your yes")
	}
	lines := make([][4]string, 0, len(p.Roles))
	for _, r := range p.Roles {
		where := ""
		if len(r.Evidence) > 0 {
			where = r.Evidence[0].File
			if r.Evidence[0].Line > 0 {
				where += fmt.Sprintf(":%d", r.Evidence[0].Line)
			}
		}
		line := term.OneLine(invoke.Display(r.Argv))
		if r.Play.Dir != "." && r.Play.Dir != p.Package {
			where += " in " + r.Play.Dir
		}
		level := r.Level()
		pad := strings.Repeat(" ", max(0, len("MEDIUM_RISK")-len(level.String())))
		lines = append(lines, [4]string{r.Title, line, st.Level(level) + pad, term.OneLine(where)})
	}
	shown := len(lines)
	if rows > 0 && shown > rows {
		shown = rows
	}
	table(w, lines[:shown], env.Width())
	if more := len(lines) - shown; more > 0 {
		fmt.Fprintf(w, "  … %d more: tmp project\n", more)
	}
	if n := p.Others; n > 0 {
		fmt.Fprintln(w, "\n"+more(n))
	}
	for _, c := range p.Conflicts {
		fmt.Fprintf(w, "\n%s: %s\n  %s\n", st.Bold(term.OneLine(c.Of)), term.OneLine(c.Why), term.OneLine(strings.Join(c.Candidates, "  or  ")))
		fmt.Fprintf(w, "  settle it with: %s\n", term.OneLine(settle(c.Of, c.Candidates)))
	}
	if len(p.Unread) > 0 && rows == 0 {
		fmt.Fprintln(w, "\nnot read:")
		for _, u := range p.Unread {
			fmt.Fprintf(w, "  %s %s\n", term.OneLine(u.File), term.OneLine(u.Why))
		}
	}
}

// screenRows is how many roles tmp without a word shows: one screen.
const screenRows = 18

// Alone prints what can be done here for tmp without a word; false where no project
// lies here.
func Alone(env *term.Env) bool {
	s, err := session.Open(env.Caller())
	if err != nil || s.Profile() == nil {
		return false
	}
	Screen(env, s, screenRows)
	fmt.Fprintf(env.Stdout, "\n%s\n", env.StyleOf(1).Dim(next(s)+"; tmp help lists the commands"))
	return true
}

// next is what a person may try with what is shown.
func next(s *session.Session) string {
	roles := s.ProjectView().Roles
	if len(roles) == 0 {
		return "no task of this project is known, tmp list shows what can be done all the same"
	}
	said := roles[0].Title
	for _, r := range roles {
		if r.Title == "run the tests" {
			said = r.Title
		}
	}
	return `tmp run "` + said + `" runs one of these`
}

// settle is the command that settles a conflict.
func settle(of string, candidates []string) string {
	// Tasks of one runner are told apart by their names alone.
	if role, ok := strings.CutPrefix(of, "role "); ok && len(candidates) > 1 {
		a, b := strings.Fields(candidates[0]), strings.Fields(candidates[1])
		if len(a) > 1 && len(b) > 1 && a[0] == b[0] {
			return "tmp project prefer role." + role + " " + a[0] + ":" + a[len(a)-1]
		}
	}
	kind, name, _ := strings.Cut(of, " ")
	first := ""
	if len(candidates) > 0 {
		first = candidates[0]
	}
	if kind == "manager" {
		return "tmp project prefer manager " + first
	}
	first, _, _ = strings.Cut(first, " ")
	return cmp.Or("tmp project prefer runner "+first, name)
}

func kinds(p session.ProjectView) string {
	var out []string
	for _, e := range p.Ecosystems {
		text := e.Name
		if e.Manager != "" && e.Manager != e.Name {
			text += " by " + e.Manager
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "  (" + strings.Join(out, ", ") + ")"
}

// table prints rows in columns, the third one being a level.
func table(w io.Writer, rows [][4]string, width int) {
	a, b := 0, 0
	for _, r := range rows {
		a, b = max(a, len(r[0])), max(b, len(r[1]))
	}
	a, b = min(a, 38), min(b, max(20, width-a-30))
	for _, r := range rows {
		fmt.Fprintf(w, "  %-*s  %-*s  %s  %s\n", a, r[0], b, r[1], r[2], r[3])
	}
}

// NewPrefer is tmp project prefer.
func NewPrefer(env *term.Env, f *command.Flags) command.Run {
	var take bool
	f.Bool("remove", &take)
	return func(in command.Input) error { return prefer(env, in.Args, take) }
}

func prefer(env *term.Env, args []string, take bool) error {
	s, err := env.Session()
	if err != nil {
		return err
	}
	if s.Agent != "" || !env.IsTerminal(0) && env.Getenv("TMP_AGENT_ID") != "" {
		return term.Failf("what a project prefers is for a person to settle")
	}
	value := ""
	if len(args) > 1 {
		value = args[1]
	}
	if value == "" && !take {
		return term.Usagef("say which: tmp project prefer %s VALUE", args[0])
	}
	key, err := s.PreferenceKey(args[0], value)
	if err != nil {
		return err
	}
	if err := s.Prefer(key, value); err != nil {
		return err
	}
	if take {
		env.Notice("%s is no longer settled for %s", key, s.Profile().Root)
		return nil
	}
	env.Notice("%s is %s for %s", key, value, s.Profile().Root)
	return nil
}

// more says that there are further tasks, which only their names ask for.
func more(n int) string {
	if n == 1 {
		return "1 more task by its name: tmp project --json lists it"
	}
	return fmt.Sprintf("%d more tasks by their names: tmp project --json lists them", n)
}
