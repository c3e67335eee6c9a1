package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/project"
	"github.com/tool-mapping-protocol/tmp/internal/when"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// What the project of the directory can do, beside what the maps say: its own
// tasks and the standard commands of its ecosystems are operations
// "project.RUNNER.TASK" that nobody has to write down. internal/project finds them
// and reads the words; here they get a level, a standing and a plan.

// projectPrefix begins the ID of an operation that was read from the project.
const projectPrefix = "project."

// Profile is what can be done in the project of the caller's directory, nil where
// there is none.
func (s *Session) Profile() *project.Project {
	if s.looked {
		return s.profile
	}
	s.looked = true
	prefer, err := s.Preferences()
	if err != nil {
		s.notice("%s", err)
	}
	p, ok := project.Open(project.Disk{}, s.Dir, project.Who{UID: uint32(os.Getuid()), Home: s.Paths.Home}, project.CoreRoles(), prefer)
	if ok {
		s.profile = p
		p.Recall, p.Keep = s.recallMembers, s.keepMembers
	}
	return s.profile
}

// Played is a play as an operation: with its plan's directory and its judgement.
type Played struct {
	project.Play
	Operation tcpdb.Operation
	Dir       string // absolute
	Judgement Judgement
}

// Level is how bad it is to run it, with what its effect is at least.
func (p *Played) Level() tcpdb.Level {
	return max(p.Judgement.Level, gate.EffectLevel(p.Operation.Effect))
}

// Played judges a play where it would run.
func (s *Session) Played(pl *project.Play) Played {
	dir := filepath.Join(s.Profile().Root, pl.Dir)
	out := Played{Play: *pl, Dir: dir}
	if at := pl.Local; at != nil {
		out.Judgement = s.in(filepath.Join(s.Profile().Root, at.Dir)).judge(at.Argv, nil)
	} else {
		out.Judgement = s.in(dir).judge(pl.Argv, nil)
	}
	if pl.Task && strings.TrimSpace(pl.Body) == "" && out.Judgement.Level < tcpdb.Medium {
		out.Judgement.Level = tcpdb.Medium
		out.Judgement.Reasons = append([]string{"what the task runs cannot be read"}, out.Judgement.Reasons...)
	}
	op := tcpdb.Operation{
		ID: projectID(pl), Surface: "cli", Tool: pl.Runner, Template: pl.Argv, Effect: effectOf(out.Judgement.Level),
		Risk: out.Judgement.Level, OutputMode: "summary", Retention: "7d", Standing: tcpdb.OfProject, Layer: tcpdb.ProjectLayer,
	}
	if pl.Dir != "." {
		op.Params = []tcpdb.Param{{Name: "dir", Default: pl.Dir, Description: "where it runs, from the root of the project"}}
	}
	unread := pl.Task && strings.TrimSpace(pl.Body) == ""
	if s.Profile().Foreign || unread && s.Who == gate.Agent {
		op.Approval = "required"
	}
	out.Operation = op
	return out
}

// projectID is the ID of the operation of a play.
func projectID(pl *project.Play) string { return projectPrefix + pl.Runner + "." + pl.Name }

// effectOf is what something of that level does at least, in the words of a map.
func effectOf(l tcpdb.Level) string {
	switch {
	case l >= tcpdb.High:
		return "destructive"
	case l == tcpdb.Safe:
		return "read-only"
	}
	return "build-test"
}

// in is the session as it would be in another directory, for judging.
func (s *Session) in(dir string) *Session {
	if dir == s.Dir {
		return s
	}
	at := *s
	at.Dir, at.here, at.hashes = dir, (*when.Place)(nil), nil
	return &at
}

// ofProject makes what was read from the project a resolution with its plan.
func (s *Session) ofProject(pl *project.Play) (Resolved, error) {
	played := s.Played(pl)
	op := &played.Operation
	r := Resolved{Resolution: intent.Resolution{Operation: *op, Parameters: map[string]string{}}, Play: pl}
	if pl.Dir != "." {
		r.Parameters["dir"] = pl.Dir
	}
	environ, withheld := invoke.Environment(s.Environ, op.Surface, s.Agent != "", workflow.Detail{})
	plan := &invoke.Plan{
		Operation: op, Parameters: r.Parameters, Argv: slices.Clone(pl.Argv), Dir: played.Dir, Env: environ,
		MapDigest: s.View.Digest(), Withheld: withheld,
	}
	r.Plan, r.Judgement = plan, played.Judgement
	return r, nil
}

// resolveWords finds what words mean: an operation that somebody wrote for this
// machine or project, what the project itself can do, or an operation of a map that
// ships, in this order. What the project understands and cannot do is refused.
func (s *Session) resolveWords(ctx context.Context, text string, given map[string]string) (Resolved, error) {
	own := intent.Resolution{Reason: intent.NotMapped}
	if s.hasOwn() {
		own = s.resolve(ctx, text, given, func(op *tcpdb.Operation) bool { return op.Layer >= tcpdb.UserLayer })
	}
	if own.Resolved() || own.Reason == intent.Ambiguous || own.Reason == intent.MissingParameter || own.Reason == intent.ResolverFailed || s.Profile() == nil {
		if s.Profile() == nil && !own.Resolved() {
			own = s.resolve(ctx, text, given, nil)
		}
		return s.planOf(ctx, own)
	}
	a := s.Profile().Ask(text)
	if a.Play != nil && len(given) == 0 {
		return s.ofProject(a.Play)
	}
	if a.Maps || a.Object {
		r := s.resolve(ctx, text, given, func(op *tcpdb.Operation) bool {
			return a.Role == "" || s.narrows(op, a.Role) || a.Object && a.Role != "test" && len(op.Params) == 0
		})
		if r.Resolved() || a.Object && (r.Reason == intent.MissingParameter || r.Reason == intent.ResolverFailed) || a.Role == "" && a.Reason == project.NotMapped && (r.Reason != intent.NotMapped || len(a.Near) == 0) {
			return s.planOf(ctx, r)
		}
		if own.Reason == intent.Draft && a.Role == "" {
			return s.planOf(ctx, own)
		}
	}
	return Resolved{Resolution: s.refusal(a)}, nil
}

// hasOwn reports whether somebody wrote maps for this machine or project.
func (s *Session) hasOwn() bool {
	user, _ := s.View.Image(tcpdb.UserLayer)
	own, _ := s.View.Image(tcpdb.ProjectLayer)
	return user != nil || own != nil
}

// narrows reports whether an operation of a map may do for one object what the
// project does as a whole: it is for projects of this kind, by their files.
func (s *Session) narrows(op *tcpdb.Operation, role string) bool {
	if role == "test" {
		return op.Tool == "go" || op.Tool == "cargo"
	}
	return len(op.When)+len(op.Managers)+len(op.Values) > 0
}

func (s *Session) planOf(ctx context.Context, found intent.Resolution) (Resolved, error) {
	r := Resolved{Resolution: found}
	if !r.Resolved() {
		return r, nil
	}
	err := s.planned(ctx, &r)
	return r, err
}

// refusal is why the project does not do what was asked.
func (s *Session) refusal(a project.Answer) intent.Resolution {
	r := intent.Resolution{Reason: intent.Reason(a.Reason), Message: a.Message, LookedFor: a.LookedFor}
	for i := range a.Near {
		pl := &a.Near[i]
		r.Suggestions = append(r.Suggestions, intent.Suggestion{
			OperationID: projectID(pl), Intent: phraseOf(pl), Score: 1 - float64(i)/10, Argv: pl.Argv, Dir: filepath.Join(s.Profile().Root, pl.Dir),
		})
	}
	return r
}

// phraseOf is how a play can be asked for.
func phraseOf(pl *project.Play) string {
	if pl.Phrase != "" {
		return pl.Phrase
	}
	return strings.Join(pl.Argv, " ")
}

// projectOperation is the operation of an ID that begins with "project.".
func (s *Session) projectOperation(id string, given map[string]string) (Resolved, error) {
	p := s.Profile()
	name := strings.TrimPrefix(id, projectPrefix)
	runner, task, ok := strings.Cut(name, ".")
	if p == nil || !ok {
		return Resolved{Resolution: intent.Resolution{Reason: intent.NotMapped, Message: fmt.Sprintf("%s is no operation of a project here", id)}}, nil
	}
	pl := p.Named(runner, task, given["dir"])
	if pl == nil {
		return Resolved{Resolution: intent.Resolution{Reason: intent.NotApplicable, Message: fmt.Sprintf("%s is not there: the project has no such task", id)}}, nil
	}
	return s.ofProject(pl)
}
