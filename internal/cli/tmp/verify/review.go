package verify

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/review"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/evidence"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// reviewing is a map while a person reviews it.
type reviewing struct {
	v      *verifier
	t      *target
	tool   string
	data   []byte // the file as it was read
	report *mapReport
}

// reviewScreen shows the one map that is meant to the person at the terminal.
func (v *verifier) reviewScreen(targets []*target) error {
	if len(targets) != 1 {
		return term.Usagef("%d maps are meant, and --review shows one", len(targets)).Hint("name its file")
	}
	t := targets[0]
	if t.layer == "core" {
		return term.Failf("the map of %s ships with tmp: there is nothing to review", t.source.Tool).Hint("tmp generate %s drafts one of what is installed", t.source.Tool)
	}
	if kind := v.Env.Getenv("TERM"); kind == "" || kind == "dumb" {
		return term.Failf("the review screen needs a terminal that can place the cursor, and TERM is %q", kind).
			Hint("tmp verify --reviewed-by NAME asks in plain text")
	}
	if !strings.HasSuffix(t.file, ".json") {
		return term.Failf("the review screen edits maps that are JSON: %s is not", t.file).Hint("tmp verify --reviewed-by NAME %s asks in plain text", t.file)
	}
	s := &reviewing{v: v, t: t, tool: t.source.Tool}
	if s.tool == "" && len(t.source.Operations) > 0 {
		s.tool = t.source.ToolOf(t.source.Operations[0])
	}
	var err error
	if s.data, err = os.ReadFile(t.file); err != nil {
		return err
	}
	v.Env.Notice("reading what %s says of itself …", s.tool)
	if s.report, err = v.verify(v.Env.Context, t); err != nil {
		return term.Busy(err)
	}
	tty, err := v.Env.OpenTTY()
	if err != nil {
		return term.Failf("a review is given at a terminal: %s", err)
	}
	defer tty.Close()
	if err := s.show(tty); err != nil {
		return err
	}
	v.recompile(targets)
	return v.tell([]*mapReport{s.report})
}

func (s *reviewing) show(tty io.ReadWriter) error {
	env := s.v.Env
	r := review.Request{
		Title: strings.TrimSpace(s.tool + " " + s.report.Version), Accepted: s.v.store(env.Context, s.t).AcceptedItems(s.tool),
		Reviewer: s.v.o.reviewedBy, Save: s.save, Colour: bool(env.StyleOf(2)),
	}
	if r.Reviewer == "" {
		r.Reviewer = env.Getenv("USER")
	}
	for _, sub := range s.report.Subjects {
		for _, c := range sub.Checks {
			r.Missing = append(r.Missing, c.Missing...)
		}
	}
	if texts, err := s.v.texts(env.Context, s.tool); err == nil {
		r.Texts = texts
	}
	// The screen edits a copy: what is discarded never was.
	var problems opmap.Problems
	if r.Source, problems = opmap.Parse(s.t.source.File, s.data, opmap.KnownResolvers()); problems.Err() != nil {
		return problems.Err()
	}
	return review.Run(r, tty)
}

// save keeps what the person decided: the map if it changed, what was accepted,
// and the review if it is of the whole.
func (s *reviewing) save(d review.Decision) error {
	if d.Changed {
		if err := s.write(d.Source.Encode()); err != nil {
			return err
		}
	}
	store := s.v.store(s.v.Env.Context, s.t)
	if err := store.SetAcceptedItems(s.tool, d.Accepted, s.v.Env.Now()); err != nil {
		return err
	}
	if d.Changed {
		var err error
		if s.report, err = s.v.verify(s.v.Env.Context, s.t); err != nil {
			return err
		}
	}
	if d.Reviewer == "" {
		return nil
	}
	for i := range s.report.Subjects {
		sub := &s.report.Subjects[i]
		p := opmap.Proof{Kind: evidence.KindReview, Date: s.v.Env.Now(), By: d.Reviewer, Hash: sub.Hash, Note: "item by item"}
		if err := store.Add(s.t.source, sub.op, p); err != nil {
			return err
		}
		s.v.judge(store, s.t, sub)
	}
	return nil
}

// write puts the edited map in the place of its file, unless somebody else did
// so meanwhile. A project that is trusted as it stands stays so: the person at
// the terminal made the change.
func (s *reviewing) write(data []byte) error {
	name, err := filepath.EvalSymlinks(s.t.file)
	if err != nil {
		return err
	}
	now, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, s.data) {
		return fmt.Errorf("%s was changed by another program meanwhile: nothing is saved", s.t.file)
	}
	trusted := false
	if s.t.layer == "project" {
		if p, _, err := opmap.ReadProject(s.t.dir, opmap.KnownResolvers()); err == nil {
			trusted = p.Trusted(s.v.Paths)
		}
	}
	if err := tcpdb.WriteFile(name, data); err != nil {
		return err
	}
	source, problems := opmap.Parse(s.t.source.File, data, opmap.KnownResolvers())
	if err := problems.Err(); err != nil {
		return err
	}
	s.t.source, s.data = source, data
	if s.t.layer != "project" {
		return nil
	}
	p, _, err := opmap.ReadProject(s.t.dir, opmap.KnownResolvers())
	if err != nil {
		return err
	}
	s.v.maps.project = p
	if trusted {
		return p.Trust(s.v.Paths, s.v.Env.Now())
	}
	return nil
}
