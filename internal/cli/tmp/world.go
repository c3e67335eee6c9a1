package tmp

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/facts"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/internal/when"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// resolveTime is how long the resolvers of one intent may take together.
const resolveTime = 10 * time.Second

// world is the map that holds in the working directory, and where things are kept.
type world struct {
	env     *Env
	paths   place.Paths
	view    *tcpdb.View
	project string // the directory whose .tmp is ours, or ""
	hashes  map[string]hashed
	here    *when.Place // the working directory as operations apply to it
}

// openWorld opens the layers of the map and says on standard error which of
// them are left out.
func openWorld(env *Env) (*world, error) {
	if env.Dir == "" {
		return nil, failf("the working directory cannot be read").hint("it may have been removed: cd to another one")
	}
	w := &world{env: env, paths: place.Find(env.Getenv)}
	w.view = mapset.OpenView(w.paths, env.Dir)
	for _, p := range w.view.Problems() {
		switch {
		case p.File == "" || strings.Contains(p.Err.Error(), p.File):
			env.notice("%s", p.Err)
		default:
			env.notice("%s: %s", p.File, p.Err)
		}
	}
	if project, err := mapset.FindProject(w.paths, env.Dir); err == nil {
		w.project = project
	}
	return w, nil
}

// agent is the name of the calling agent, "" for a person.
func (e *Env) agent() string { return e.Getenv("TMP_AGENT_ID") }

// who says on whose behalf a command is called. A person counts only with a
// terminal to read the question on and to answer it from.
func (e *Env) who() gate.Who {
	switch {
	case e.agent() != "":
		return gate.Agent
	case e.IsTerminal(0) && e.IsTerminal(2):
		return gate.Person
	}
	return gate.Nobody
}

// request is an intent in the working directory.
func (w *world) request(text string) intent.Request {
	if w.here == nil {
		w.here = &when.Place{Dir: w.env.Dir, Getenv: w.env.Getenv, CacheDir: w.paths.Resolvers()}
	}
	return intent.Request{
		Text: text, Operations: w.operations(), Dir: w.env.Dir,
		Getenv: w.env.Getenv, CacheDir: w.paths.Resolvers(), Here: w.here, Argv: invoke.Expand,
	}
}

// resolve asks for the one operation of an intent.
func (w *world) resolve(text string) intent.Resolution {
	ctx, cancel := context.WithTimeout(w.env.Context, resolveTime)
	defer cancel()
	r := intent.Resolve(ctx, w.request(text))
	w.sayStale(&r)
	return r
}

// runs is where a new run is kept, and all places where runs of this directory are.
func (w *world) runs() (place runlog.Place, all []runlog.Place, err error) {
	if w.project != "" {
		place = runlog.ProjectPlace(w.project)
		all = append(all, place)
	}
	if w.paths.State != "" {
		all = append(all, runlog.StatePlace(w.paths.State))
	}
	if len(all) == 0 {
		return place, nil, failf("there is nowhere to keep the output").hint("set HOME or TMP_STATE_DIR, or run tmp init in the project")
	}
	return all[0], all, nil
}

// retention says which runs stay; what config.toml says wrongly is told.
func (w *world) retention() runlog.Retention {
	r, err := runlog.ReadRetention(w.paths.Settings())
	if err != nil {
		w.env.notice("%s", err)
	}
	return r
}

// state is the state directory, or an error that says what to do without one.
func (w *world) state() (string, error) {
	if w.paths.State == "" {
		return "", failf("there is no state directory").hint("set HOME or TMP_STATE_DIR")
	}
	return w.paths.State, nil
}

// judgement is the risk of a command.
type judgement struct {
	level   tcpdb.Level
	flags   tcpdb.Flags
	reasons []string // the deciding one first
	safer   string
}

// judge rates the words of a plan; op is nil for a plain command.
func (w *world) judge(argv []string, op *tcpdb.Operation) judgement {
	known := w.known()
	v := risk.Judge(w.view, argv, known)
	j := judgement{level: v.Level, flags: v.Flags}
	for _, f := range v.Findings {
		j.add(f.Reason, f.Safer)
	}
	for _, l := range v.Lines {
		dialect, _ := shline.ParseDialect(l.Dialect)
		in := line.Judge(w.view, l.Text, dialect, known, line.Options{Posix: shline.IsPOSIX(l.Dialect)})
		if l.Use != nil {
			in = line.Configured(w.view, l, known)
		}
		if in.Level > j.level { // what decides is told first
			j.reasons, j.safer = nil, ""
		}
		j.level, j.flags = max(j.level, in.Level), j.flags|in.Flags
		for _, f := range in.Findings {
			j.add(f.Reason, f.Safer)
		}
	}
	if len(v.Tasks) > 0 {
		in := line.Judge(w.view, invoke.Display(argv), shline.Bash, known, line.Options{})
		if in.Level > j.level {
			j.reasons, j.safer = nil, ""
			for _, f := range in.Findings {
				j.add(f.Reason, f.Safer)
			}
		}
		j.level, j.flags = max(j.level, in.Level), j.flags|in.Flags
	}
	if op != nil && op.Risk > j.level {
		j.level = op.Risk
		j.reasons = append([]string{"the map rates " + op.ID + " so"}, j.reasons...)
	}
	return j
}

// judgeFed rates a command that reads what nobody knows: an interpreter runs it.
func (w *world) judgeFed(argv []string) judgement {
	known := w.known()
	dialect, _ := shline.ParseDialect("bash")
	v := line.Judge(w.view, "cat | "+invoke.Display(argv), dialect, known, line.Options{})
	j := judgement{level: v.Level, flags: v.Flags}
	for _, f := range v.Findings {
		j.add(f.Reason, f.Safer)
	}
	return j
}

// raise takes over another judgement of the same command if it is higher.
func (j *judgement) raise(o judgement) {
	if o.level > j.level {
		*j = judgement{o.level, j.flags | o.flags, o.reasons, o.safer}
	}
}

// add takes a reason over, the deciding ones first.
func (j *judgement) add(reason, safer string) {
	if reason != "" {
		j.reasons = append(j.reasons, reason)
	}
	if j.safer == "" {
		j.safer = safer
	}
}

// ground is the place that commands are judged for: the programs of it are
// those that a plan would start.
func (w *world) ground() facts.Place {
	return facts.Place{Paths: w.paths, Dir: w.env.Dir, Getenv: w.env.Getenv, Look: func(word string) (string, error) {
		path, _, err := invoke.Look(word, w.env.Dir, w.env.Environ)
		return path, err
	}}
}

// known is what the judgement may know of that place.
func (w *world) known() risk.Facts { return facts.Of(w.ground()) }

func (w *world) installed(name string) bool { return w.ground().Installed(name) }

// plan makes the plan of an operation.
func (w *world) plan(op *tcpdb.Operation, params map[string]string) (*invoke.Plan, error) {
	d, err := workflow.Parse(w.view.Detail(op.ID))
	if err != nil {
		return nil, failf("operation %s: what is needed to run it cannot be read: %s", op.ID, err)
	}
	if op.Surface == "workflow" {
		return w.planSteps(op, params, d)
	}
	if why := w.staleness(op); why != "" {
		f := refuse("stale", "%s", why)
		f.hints = append(f.hints, "read it again and review it: tmp script add, tmp script import or tmp compile, then tmp trust --review")
		return nil, f
	}
	words, dir := w.place(op, d)
	environ, withheld := invoke.Environment(w.env.Environ, op.Surface, w.env.agent() != "", d)
	p, err := invoke.NewPlan(op, params, dir, environ, w.view.Digest())
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

// facts are those of the gate for a plan.
func (w *world) facts(p *invoke.Plan, j judgement) gate.Facts {
	f := gate.Facts{Level: j.level, Who: w.env.who()}
	if p.Operation != nil {
		f.Mapped, f.Standing = true, p.Operation.Standing
		f.Effect, f.Approval = p.Operation.Effect, p.Operation.Approval
		if len(p.Steps) > 0 {
			f.Effect, f.Approval = p.Effect, p.Approval
		}
	}
	return f
}

// isParameter reports whether an error is about the value of a parameter.
func isParameter(err error) bool { return errors.Is(err, invoke.ErrParameter) }
