package session

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/printed"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// resolveTime is how long the resolvers of one intent may take together.
const resolveTime = 10 * time.Second

// Prepared is a plan that was judged and bound, as it would be run.
type Prepared struct {
	Plan       *invoke.Plan
	Judgement  Judgement
	Level      tcpdb.Level // with what its effect is at least
	Digest     string
	Operation  *string // its ID; nil of a plain command
	Parameters map[string]string
	Output     printed.Form // what it will print
	facts      gate.Facts   // what the gate decides by
	earlier    *Earlier     // of a workflow that is taken up
	bound      *bound       // what an approval holds for; nil where nobody is asked
}

// Prepare is what was resolved, as it would be run.
func (s *Session) Prepare(r Resolved) *Prepared {
	return s.prepared(&Prepared{Plan: r.Plan, Judgement: r.Judgement, Operation: &r.Operation.ID, Parameters: r.Parameters})
}

// Command is a plain command as it would be run; fed: something comes on its
// standard input.
func (s *Session) Command(argv []string, fed bool) *Prepared {
	environ, withheld := invoke.Environment(s.Environ, "", s.Agent != "", workflow.Detail{})
	p := &Prepared{
		Plan:      &invoke.Plan{Argv: argv, Dir: s.Dir, Env: invoke.Settle(environ, s.Dir), Withheld: withheld, MapDigest: s.View.Digest()},
		Judgement: s.judge(argv, nil),
	}
	if fed {
		p.Judgement.raise(s.judgeFed(argv))
	}
	return s.prepared(p)
}

func (s *Session) prepared(p *Prepared) *Prepared {
	p.facts = s.gate(p.Plan, p.Judgement)
	p.Level = p.facts.EffectiveLevel()
	s.bind(p)
	p.Digest = p.Plan.Digest()
	if len(p.Plan.Steps) == 0 && p.Plan.Call == nil {
		p.Output = printed.Of(s.View, p.Plan.Argv)
	}
	return p
}

// plan makes the plan of an operation.
func (s *Session) plan(ctx context.Context, op *tcpdb.Operation, params map[string]string) (*invoke.Plan, error) {
	d, err := workflow.Parse(s.View.Detail(op.ID))
	if err != nil {
		return nil, Fail("operation %s: what is needed to run it cannot be read: %s", op.ID, err)
	}
	if op.Surface == "workflow" {
		return s.planSteps(ctx, op, params, d)
	}
	if why := s.Staleness(op); why != "" {
		return nil, Refuse(Stale, "%s", why).
			Hint("read it again and review it: tmp script add, tmp script import or tmp compile, then tmp trust --review")
	}
	if surface.Is(op.Surface) {
		return s.planCall(op, params, d)
	}
	words, dir := s.place(op, d)
	environ, withheld := invoke.Environment(s.Environ, op.Surface, s.Agent != "", d)
	p, err := invoke.NewPlan(op, params, dir, invoke.Settle(environ, dir), s.View.Digest())
	if err != nil {
		return nil, err
	}
	p.Withheld = withheld
	for i, word := range p.Argv {
		if there := words[word]; there != "" {
			p.Argv[i] = there
		}
	}
	p.Timeout = d.Limit()
	return p, nil
}

// place puts a plan where its sources are: a script that the template names is
// found from every directory below, and a program that works on a file of its
// own directory is started there.
func (s *Session) place(op *tcpdb.Operation, d workflow.Detail) (argv0 map[string]string, dir string) {
	dir = s.Dir
	if len(d.Sources) == 0 {
		return nil, dir
	}
	first := d.Sources[0]
	file := s.source(first)
	if d.Directory == "source" && file != "" {
		return nil, filepath.Dir(file)
	}
	if filepath.IsAbs(first.File) || file == "" || file == filepath.Join(dir, first.File) {
		return nil, dir
	}
	argv0 = map[string]string{}
	for _, word := range op.Template {
		if filepath.Clean(word) == first.File {
			argv0[word] = file
		}
	}
	return argv0, dir
}

// isParameter reports whether an error is about the value of a parameter.
func isParameter(err error) bool { return errors.Is(err, invoke.ErrParameter) }
