package layers

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Trusting makes a project's maps complete and be judged. Its operations run
// only after a review, which a person gives at the terminal: an agent that
// could give it could let itself run what it wrote.

type trustOptions struct{ review, user, json bool }

// NewTrust is tmp trust.
func NewTrust(env *term.Env, f *command.Flags) command.Run {
	var o trustOptions
	f.Bool("review", &o.review)
	f.Bool("user", &o.user)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *trustOptions) run(env *term.Env, args []string) error {
	// With a review the question is the proof: it is answered at the terminal.
	switch who := env.Who(); {
	case who == gate.Agent:
		return untrusting("an agent cannot trust a project", "TMP_AGENT_ID is set: a person does this in a terminal of their own")
	case who != gate.Person && !o.review:
		return untrusting("only a person at a terminal can trust a project", "what it asks must be seen and what it is told be typed: run it without redirections")
	}
	c := NewCompiler(env, false)
	if c.Paths.State == "" {
		return opmap.ErrNoState
	}
	if o.user {
		return o.reviewUser(c, args)
	}
	dir, err := projectDir(env, c.Paths, args)
	if err != nil {
		return err
	}
	p, problems, err := opmap.ReadProject(dir, opmap.KnownResolvers())
	if err != nil {
		return err
	}
	if c.Problems = problems; problems.Err() != nil {
		c.Print()
		return term.Failf("the maps of %s have faults and are not trusted", dir)
	}
	t := describeTrust(env, p, c.Paths)
	switch {
	case !o.json:
		t.print(env.Stdout, env.StyleOf(1))
	case o.review: // what a person says yes to is shown in any case
		t.print(env.Stderr, env.StyleOf(2))
	}
	if o.review {
		if t.Reviewed, err = reviewAll(c, p.Sources, dir); err != nil {
			return err
		}
		if t.Reviewed == 0 && env.Who() != gate.Person {
			return untrusting("only a person at a terminal can trust a project", "there is no operation to ask about")
		}
	}
	if err := p.Trust(c.Paths, env.Now()); err != nil {
		return term.Busy(err)
	}
	c.ProjectImage(p)
	c.context(dir)
	if o.json {
		c.fish()
		t.Outputs = c.Results
		return env.PrintJSON(t)
	}
	return c.report(false)
}

// untrusting is the refusal of a trust that no person gives.
func untrusting(reason, hint string) error {
	return &term.Failure{Status: invoke.StatusRefused, Msg: reason, Hints: []string{hint}}
}

// projectDir is the project that a command is about.
func projectDir(env *term.Env, paths place.Paths, args []string) (string, error) {
	if len(args) == 0 {
		dir, err := mapset.FindProject(paths, env.Dir)
		if err != nil {
			return "", term.Failf("%s: %s", filepath.Join(dir, ".tmp"), err)
		}
		if dir == "" {
			return "", term.Failf("there is no .tmp here or above: this is no project of tmp's yet").Hint("tmp init makes one")
		}
		return dir, nil
	}
	dir := args[0]
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(env.Dir, dir)
	}
	found, err := mapset.FindProject(place.Paths{}, dir)
	if err != nil {
		return "", term.Failf("%s: %s", filepath.Join(found, ".tmp"), err)
	}
	if found != filepath.Clean(dir) {
		return "", term.Failf("%s is no project: it has no .tmp with schemas or a configuration", dir)
	}
	return found, nil
}

// trustReport is what a project's maps contain.
type trustReport struct {
	V          int              `json:"v"`
	Directory  string           `json:"directory"`
	Hash       string           `json:"hash"`
	Was        string           `json:"was"` // "untrusted", "changed", "trusted"
	Files      int              `json:"files"`
	Commands   []string         `json:"commands"` // tools whose completion the maps add to
	Operations []trustOperation `json:"operations"`
	Reviewed   int              `json:"reviewed"`
	Outputs    []Result         `json:"outputs"`
}

type trustOperation struct {
	ID       string `json:"id"`
	Template string `json:"template"`
	Effect   string `json:"effect"`
	Risk     string `json:"risk"`
	Replaces string `json:"replaces,omitempty"` // what it stands in place of: layer and risk
	Changed  string `json:"changed,omitempty"`  // a source that is not what the operation was made from
}

func describeTrust(env *term.Env, p *opmap.Project, paths place.Paths) *trustReport {
	t := &trustReport{
		V: 1, Directory: p.Dir, Hash: p.Hash, Was: "untrusted", Files: p.Count(),
		Commands: []string{}, Operations: []trustOperation{},
	}
	if old, err := opmap.ReadTrust(paths, p.Dir); err == nil {
		t.Was = "changed"
		if old.Hash == p.Hash {
			t.Was = "trusted"
		}
	}
	below := mapset.OpenView(paths, "")
	for _, s := range p.Sources {
		if s.Node != nil {
			t.Commands = append(t.Commands, s.Tool)
		}
	}
	for _, x := range AskedAbout(env, p.Dir, p.Sources) {
		if old, ok := below.Operation(x.ID); ok {
			x.Replaces = fmt.Sprintf("%s, %s", old.Layer, old.Risk)
		}
		t.Operations = append(t.Operations, x)
	}
	slices.Sort(t.Commands)
	return t
}

func (t *trustReport) print(w io.Writer, st term.Style) {
	fmt.Fprintf(w, "%s: %s, %s (%s)\n", term.OneLine(t.Directory), screen.Count(t.Files, "file"), screen.Count(len(t.Operations), "operation"), t.Was)
	if len(t.Commands) > 0 {
		fmt.Fprintf(w, "completes %s\n", term.OneLine(strings.Join(t.Commands, ", ")))
	}
	for _, op := range t.Operations {
		op.Print(w, st)
	}
}

func (op *trustOperation) Print(w io.Writer, st term.Style) {
	level, _ := tcpdb.ParseLevel(op.Risk)
	fmt.Fprintf(w, "  %s  %s  %s, %s", st.Bold(term.OneLine(op.ID)), term.OneLine(op.Template), st.Level(level), term.OneLine(op.Effect))
	if op.Replaces != "" {
		fmt.Fprintf(w, "  in place of the one of %s", op.Replaces)
	}
	if op.Changed != "" {
		fmt.Fprintf(w, "  stale: %s has changed since", term.OneLine(op.Changed))
	}
	fmt.Fprintln(w)
}

// reviewUser records a review of the user's own operations.
func (o *trustOptions) reviewUser(c *Compiler, args []string) error {
	if !o.review || len(args) > 0 {
		return term.Usagef("--user goes with --review and without a directory").Hint("your own maps need no trust, only a review before their operations run")
	}
	u, problems, err := opmap.ReadUser(c.Paths, opmap.KnownResolvers())
	if err != nil {
		return err
	}
	if c.Problems = problems; problems.Err() != nil {
		c.Print()
		return term.Failf("your maps have faults")
	}
	c.Problems = nil // the compile below names them
	for _, x := range AskedAbout(c.Env, c.Env.Dir, u.Sources) {
		x.Print(c.Env.Stderr, c.Env.StyleOf(2))
	}
	if _, err := reviewAll(c, u.Sources, ""); err != nil {
		return err
	}
	c.UserLayer()
	return c.report(o.json)
}

func theseOperations(n int) string {
	if n == 1 {
		return "this operation"
	}
	return fmt.Sprintf("these %d operations", n)
}

// reviewAll asks the person at the terminal and records human_review for each
// operation. Returned is the number.
func reviewAll(c *Compiler, sources []*opmap.Source, dir string) (int, error) {
	count := 0
	for _, s := range sources {
		count += len(s.Operations)
	}
	if count == 0 {
		return 0, nil
	}
	yes, err := term.Confirm(c.Env, fmt.Sprintf("Have you read %s, and may tmp run %s? [y/N] ", theseOperations(count), map[bool]string{true: "it", false: "them"}[count == 1]))
	if err != nil {
		return 0, untrusting("a review is given at a terminal: "+err.Error(), "run it in one")
	}
	if !yes {
		return 0, term.Failf("not reviewed; nothing is changed")
	}
	store := machine.Evidence(c.Paths, c.Env.Getenv, dir)
	ws, err := c.Env.Session()
	if err != nil {
		return 0, err
	}
	for _, s := range sources {
		for _, op := range s.Operations {
			if op.Surface == surface.SQL {
				if found := ws.CheckQuery(c.Env.Context, s, op); found.Lies {
					c.Env.Notice("%s stays a draft: %s", op.ID, found.Error)
					count--
					continue
				}
			}
			if err := store.Add(s, op, opmap.Proof{Kind: "human_review", By: c.Env.Getenv("USER"), Date: c.Env.Now()}); err != nil {
				return 0, term.Busy(err)
			}
		}
	}
	return count, nil
}

type untrustOptions struct{ json bool }

// NewUntrust is tmp untrust.
func NewUntrust(env *term.Env, f *command.Flags) command.Run {
	var o untrustOptions
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *untrustOptions) run(env *term.Env, args []string) error {
	paths := env.Places()
	if paths.State == "" {
		return opmap.ErrNoState
	}
	var dir string
	if len(args) > 0 { // it need not be a project any more
		if dir = args[0]; !filepath.IsAbs(dir) {
			dir = filepath.Join(env.Dir, dir)
		}
		dir = filepath.Clean(dir)
	} else {
		var err error
		if dir, err = projectDir(env, paths, nil); err != nil {
			return err
		}
	}
	was, err := opmap.Untrust(paths, dir)
	if err != nil {
		return err
	}
	RefreshFish(env, paths)
	if o.json {
		return env.PrintJSON(struct {
			V         int    `json:"v"`
			Directory string `json:"directory"`
			Was       bool   `json:"was_trusted"`
		}{1, dir, was})
	}
	if was {
		fmt.Fprintf(env.Stdout, "%s is not trusted any more\n", term.OneLine(dir))
	} else {
		fmt.Fprintf(env.Stdout, "%s was not trusted\n", term.OneLine(dir))
	}
	return nil
}
