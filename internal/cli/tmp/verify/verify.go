// Package verify is tmp verify: it holds maps against what this machine says of
// their programs, tries operations, lets a person review them, and records what
// that proves.
package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/evidence"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type options struct {
	check      bool
	review     bool
	reviewedBy string
	filesOnly  bool
	json       bool
}

// New is tmp verify.
func New(env *term.Env, f *command.Flags) command.Run {
	var o options
	f.Bool("check", &o.check)
	f.Bool("review", &o.review)
	f.String("reviewed-by", &o.reviewedBy)
	f.Bool("files-only", &o.filesOnly)
	f.Bool("json", &o.json)
	return func(in command.Input) error {
		switch {
		case o.check && (o.review || o.reviewedBy != ""):
			return term.Usagef("--check writes nothing: it does not go with a review")
		case o.review && len(in.Args) != 1:
			return term.Usagef("--review shows one map").Hint("tmp verify --review FILE, or the name of a tool")
		}
		return o.run(env, in.Args)
	}
}

// verifier verifies maps and keeps what it found of programs.
type verifier struct {
	*layers.Compiler
	o       *options
	machine *machine.Machine
	maps    *installedMaps
	tools   map[string]*toolTexts
	targets []*target   // that are verified in this run
	lies    []string    // operations that do more than their map says: nobody's review counts
	view    *tcpdb.View // the maps of this machine, opened when they are needed
}

// toolTexts is what this machine says of a tool.
type toolTexts struct {
	program machine.Program
	texts   *evidence.Texts // nil if they were not asked for
	version string
	err     error // there is no such program
}

func (o *options) run(env *term.Env, args []string) error {
	if (o.review || o.reviewedBy != "") && env.Who() != gate.Person {
		return term.Failf("a review is given by a person at a terminal").Hint("an agent, or a program without a terminal, cannot record one")
	}
	v := &verifier{
		Compiler: layers.NewCompiler(env, o.check), o: o, tools: map[string]*toolTexts{},
		machine: machine.New(machine.Options{Getenv: env.Getenv, NoRun: o.filesOnly}),
	}
	if v.Paths.State == "" {
		return opmap.ErrNoState
	}
	var err error
	if v.maps, err = findMaps(env, v.Paths); err != nil {
		return err
	}
	targets, err := v.maps.pick(env, v.Paths, args)
	if err != nil {
		return err
	}
	v.Problems = v.maps.problemsOf(targets, len(args) == 0)
	if v.Problems.Err() != nil {
		v.Print()
		return term.Failf("what has faults is not verified")
	}
	v.Problems = nil
	if o.review {
		return v.reviewScreen(targets)
	}
	var reports []*mapReport
	v.targets = targets
	for _, t := range targets {
		r, err := v.verify(env.Context, t)
		if err != nil {
			return term.Busy(err)
		}
		reports = append(reports, r)
	}
	if o.reviewedBy != "" {
		if err := v.review(targets, reports); err != nil {
			return err
		}
	}
	if !o.check {
		v.recompile(targets)
	}
	return v.tell(reports)
}

// subject is what evidence is about: the tree of a map, or one of its operations.
type subject struct {
	op    *opmap.Operation // nil for the tree
	field string
}

// subjects are the tree, if there is one, and the operations.
func (t *target) subjects() []subject {
	var out []subject
	if t.source.Node != nil {
		out = append(out, subject{nil, "node"})
	}
	for i, op := range t.source.Operations {
		field := fmt.Sprintf("operations[%d]", i)
		if t.source.Tool == "" && len(t.source.Operations) == 1 {
			field = ""
		}
		out = append(out, subject{op, field})
	}
	return out
}

// verify makes the checks of a map and records what they earn; with --check it
// looks at what is recorded.
func (v *verifier) verify(ctx context.Context, t *target) (*mapReport, error) {
	r := &mapReport{Tool: t.source.Tool, File: t.file, Layer: t.layer, Range: t.source.VersionRange, target: t, Subjects: []subjectReport{}}
	r.Intents = layers.Problems(v.intentsOf(t))
	store := v.store(ctx, t)
	for _, sub := range t.subjects() {
		s := subjectReport{Subject: "tree", Hash: t.source.TreeHash(), op: sub.op}
		if sub.op != nil {
			s.Subject, s.Hash = sub.op.ID, t.source.Hash(sub.op)
		}
		tool := v.tool(ctx, t.source.ProgramOf(sub.op))
		if tool.err == nil {
			r.Version = tool.version
		}
		if !v.o.check {
			s.Checks = v.checks(ctx, t, sub)
			if t.layer != "core" {
				if err := v.record(store, t, sub, &s, tool.version); err != nil {
					return nil, err
				}
			}
		}
		v.judge(store, t, &s)
		r.Subjects = append(r.Subjects, s)
	}
	return r, nil
}

// intentsOf are the intents of a map that name no object or collide with those
// of the other installed maps.
func (v *verifier) intentsOf(t *target) opmap.Problems {
	var own, user []*opmap.Source
	dir := ""
	switch t.layer {
	case "core":
		return nil
	case "project":
		own, user, dir = v.maps.sources("project"), v.maps.sources("user"), t.dir
	case "user":
		own = v.maps.sources("user")
	default:
		own, user = []*opmap.Source{t.source}, v.maps.sources("user")
	}
	var out opmap.Problems
	for _, p := range opmap.CheckIntents(own, user, dir, opmap.Error) {
		if p.File == t.source.File {
			out = append(out, p)
		}
	}
	return out
}

// judge says whether a subject is verified and what it lacks.
func (v *verifier) judge(store *opmap.EvidenceStore, t *target, s *subjectReport) {
	s.Required = t.source.Required(s.op)
	s.Missing, s.Evidence = []string{}, []opmap.Proof{}
	if t.layer == "core" {
		s.Verified, s.Required = true, []string{}
		return
	}
	s.Missing = append(s.Missing, store.Missing(t.source, s.op)...)
	s.Evidence = append(s.Evidence, store.Counting(t.source, s.op)...)
	s.Verified = len(s.Missing) == 0
}

// store is the evidence of this machine, with the versions of programs.
func (v *verifier) store(ctx context.Context, t *target) *opmap.EvidenceStore {
	store := machine.Evidence(v.Paths, v.Env.Getenv, t.dir)
	store.Version = func(_ *opmap.Source, op *opmap.Operation) string {
		return v.tool(ctx, t.source.ProgramOf(op)).version
	}
	return store
}

// tool finds a program and its version, once.
func (v *verifier) tool(ctx context.Context, name string) *toolTexts {
	if t := v.tools[name]; t != nil {
		return t
	}
	t := &toolTexts{}
	v.tools[name] = t
	switch {
	case name == "":
		t.err = fmt.Errorf("runs no program of its own")
		return t
	case strings.Contains(name, "/"):
		t.err = fmt.Errorf("%s is a script of its own, which no text describes", name)
		return t
	}
	if t.program, t.err = machine.Find(v.Env.Getenv("PATH"), name); t.err == nil {
		t.version = v.machine.AskVersion(ctx, t.program)
	}
	return t
}

// texts are a tool's own texts, read once.
func (v *verifier) texts(ctx context.Context, name string) (*evidence.Texts, error) {
	t := v.tool(ctx, name)
	if t.err != nil {
		return nil, t.err
	}
	if t.texts == nil {
		d, err := v.draft(ctx, t.program, name)
		if err != nil {
			return nil, err
		}
		t.texts = evidence.NewTexts(d.Texts, d.Answers)
	}
	return t.texts, nil
}

// draft reads what is written about a program: all of it for the tree of a map;
// for operations alone only what is about their commands.
func (v *verifier) draft(ctx context.Context, p machine.Program, name string) (*machine.Draft, error) {
	var commands [][]string
	for _, t := range v.targets {
		if t.source.Node != nil && t.source.Tool == name {
			return v.machine.Draft(ctx, p)
		}
		for _, op := range t.source.Operations {
			if t.source.ProgramOf(op) == name {
				commands = append(commands, strings.Fields(op.Template)[1:])
			}
		}
	}
	if len(commands) == 0 {
		return v.machine.Draft(ctx, p)
	}
	return v.machine.DraftOf(ctx, p, commands)
}

// checks makes the checks of a subject.
func (v *verifier) checks(ctx context.Context, t *target, sub subject) []evidence.Result {
	name := t.source.ProgramOf(sub.op)
	if sub.op != nil && sub.op.Surface == surface.SQL {
		return v.query(ctx, t, sub.op)
	}
	if sub.op != nil && sub.op.Surface != "cli" {
		return v.trials(ctx, t, sub.op, nil)
	}
	texts, err := v.texts(ctx, name)
	if err != nil {
		return []evidence.Result{{Check: evidence.KindHelp, Status: evidence.Skipped, Why: err.Error()}}
	}
	if versions, err := opmap.ParseRange(t.source.VersionRange); err == nil {
		if tool := v.tool(ctx, name); tool.version != "" && !versions.Holds(tool.version) {
			return []evidence.Result{{Check: evidence.KindHelp, Status: evidence.Failed, Why: fmt.Sprintf(
				"%s %s is installed, which is not in the map's range %s", tool.program.Name, tool.version, t.source.VersionRange)}}
		}
	}
	if sub.op == nil {
		return []evidence.Result{evidence.Tree(t.source, texts)}
	}
	out := []evidence.Result{evidence.Operation(sub.op, fieldOf(sub.field, "template"), texts)}
	return append(out, v.trials(ctx, t, sub.op, texts)...)
}

// query has a template of SQL prepared by its database, which says what it does.
func (v *verifier) query(ctx context.Context, t *target, op *opmap.Operation) []evidence.Result {
	r := evidence.Result{Check: evidence.KindDry, Status: evidence.Skipped}
	s, err := v.Env.Session()
	if err != nil {
		r.Why = err.Error()
		return []evidence.Result{r}
	}
	var found session.CheckedQuery
	if t.trusted {
		found = s.CheckQuery(ctx, t.source, op)
	} else {
		found = session.CheckWords(t.source, op, "the project is not trusted: tmp trust")
	}
	r.Why = found.Text()
	switch {
	case found.Error != "":
		r.Status = evidence.Failed
	case found.Checked:
		r.Status, r.Hash = evidence.Passed, t.source.Hash(op)
	}
	if found.Lies {
		v.lies = append(v.lies, op.ID)
	}
	return []evidence.Result{r}
}

func fieldOf(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// record keeps what the checks earned, and takes back what does not hold any
// more.
func (v *verifier) record(store *opmap.EvidenceStore, t *target, sub subject, s *subjectReport, version string) error {
	for _, c := range s.Checks {
		var err error
		switch c.Status {
		case evidence.Passed:
			err = store.Add(t.source, sub.op, opmap.Proof{Kind: c.Check, Date: v.Env.Now(), ToolVersion: version, Hash: c.Hash, Note: c.Why})
		case evidence.Failed:
			err = store.Withdraw(t.source, sub.op, c.Check)
		}
		if err == nil && sub.op != nil && slices.Contains(v.lies, sub.op.ID) {
			err = store.Withdraw(t.source, sub.op, evidence.KindReview)
		}
		if err != nil {
			return err
		}
	}
	return store.See(t.source, sub.op, version)
}

// review asks the person at the terminal and records human_review of every
// subject.
func (v *verifier) review(targets []*target, reports []*mapReport) error {
	count := 0
	for i, t := range targets {
		if t.layer == "core" {
			return term.Failf("the map of %s ships with tmp: there is nothing to review", t.source.Tool)
		}
		count += len(reports[i].Subjects)
		reports[i].outline(v.Env, v.Env.Stderr, v.Env.StyleOf(2))
	}
	yes, err := term.Confirm(v.Env, fmt.Sprintf("Have you read this, %s, and is it right? [y/N] ", things(count)))
	if err != nil {
		return term.Failf("a review is given at a terminal: %s", err)
	}
	if !yes {
		return term.Failf("not reviewed; no review is recorded")
	}
	for i, t := range targets {
		store := v.store(v.Env.Context, t)
		for j := range reports[i].Subjects {
			s := &reports[i].Subjects[j]
			if slices.Contains(v.lies, s.Subject) {
				continue
			}
			p := opmap.Proof{Kind: evidence.KindReview, Date: v.Env.Now(), By: v.o.reviewedBy, Hash: s.Hash}
			if err := store.Add(t.source, s.op, p); err != nil {
				return term.Busy(err)
			}
			v.judge(store, t, s)
		}
	}
	return nil
}

func things(n int) string {
	if n == 1 {
		return "one tree or operation"
	}
	return fmt.Sprintf("%d trees and operations", n)
}

// recompile lets what is verified now, or not any more, count: it compiles the
// layers that the maps are of.
func (v *verifier) recompile(targets []*target) {
	user, project := false, false
	for _, t := range targets {
		user = user || t.layer == "user"
		project = project || t.layer == "project"
	}
	if user {
		v.UserLayer()
	}
	if p := v.maps.project; project && p.Trusted(v.Paths) {
		v.ProjectImage(p)
	}
}
