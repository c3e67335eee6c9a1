// Package session is a working directory with the map that holds there, and
// what can be asked of both: to resolve an intent, to plan an operation, to
// judge a line, to bind what a plan would run, to let a person approve it, and
// to run it. The command line stands on it as any other door does; nothing here
// prints, reads a flag or ends the process.
//
//   - session.go: opening; where runs and state are kept
//   - resolve.go: an intent, or what was resolved last, becomes a plan
//   - plan.go, plansteps.go: an operation becomes a plan, a workflow one of steps
//   - judge.go: how bad a plan or a line is
//   - bind.go: what an approval of a plan holds for
//   - approve.go: who lets a plan through the gate
//   - opened.go: a script that is started as it was looked at
//   - run.go, streams.go, runsteps.go, resume.go: a plan becomes an envelope
//   - compress.go: what its output is shortened by
//   - stale.go, standing.go: whether an operation is still what was verified
//   - complete.go, operation.go: what completes, what is mapped
//   - refusal.go: why nothing runs
package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/project"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/when"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Caller is on whose behalf a session is opened, and what it may see of the
// world.
type Caller struct {
	Dir     string // the working directory, absolute; "" if it cannot be read
	Getenv  func(string) string
	Environ []string // NAME=value, for what is run
	Now     func() time.Time
	Who     gate.Who
	Agent   string // the name of the agent, "" for a person
	// Account is the state directory of the account, wherever the environment says
	// that state is kept; "" where the account has none. Approvals lie there, and all
	// state while an agent calls.
	Account string
	// Notice hears what an answer goes on without, a sentence each; nil: nobody does.
	Notice func(text string)
}

// Session is the map that holds in the caller's directory, and where things are
// kept. It is of one goroutine.
type Session struct {
	Caller
	Paths   place.Paths
	View    *tcpdb.View
	Project string // the directory whose .tmp is ours, or ""
	// Body is where the body of a request comes from, a file or "-"; "": from parameters.
	Body string
	// Piped is what came on standard input, where Body is "-".
	Piped   []byte
	hashes  map[string]hashed
	here    *when.Place // the directory as operations apply to it
	profile *project.Project
	looked  bool                // for the profile
	seen    map[string]lookedUp // programs, while a list of tasks is judged to be shown
	// versions of programs that were asked for, by their stamps.
	versions map[string]string
}

// Open opens the layers of the map. Those that are left out are the problems of
// the View.
func Open(c Caller) (*Session, error) {
	if c.Dir == "" {
		return nil, Fail("the working directory cannot be read").Hint("it may have been removed: cd to another one")
	}
	return At(c), nil
}

// At opens the layers of the map as Open does, without a working directory those
// that hold everywhere.
func At(c Caller) *Session {
	s := &Session{Caller: c, Paths: c.Places()}
	s.View = mapset.OpenView(s.Paths, c.Dir)
	if project, err := mapset.FindProject(s.Paths, c.Dir); err == nil {
		s.Project = project
	}
	return s
}

// Places are where the caller's files are. What an agent's environment says of the
// state directory does not count: trust, evidence and the audit log are there; nor
// of the compiled maps, which say what may run, and of what files are known to hold.
func (c *Caller) Places() place.Paths {
	p := place.Find(c.Getenv)
	if c.Agent == "" {
		return p
	}
	p.State = c.Account
	if c.Account != "" {
		home := account.Of(c.Account)
		p.Data, p.Cache = filepath.Join(home, ".local/share/tmp"), filepath.Join(home, ".cache/tmp")
	}
	return p
}

// outputs is the directory for outputs of no project. They prove nothing: where the
// account has none, the environment says which.
func (s *Session) outputs() string {
	if s.Paths.State != "" {
		return s.Paths.State
	}
	return place.Find(s.Getenv).State
}

// notice tells of something that the answer goes on without.
func (s *Session) notice(format string, args ...any) {
	if s.Notice != nil {
		s.Notice(fmt.Sprintf(format, args...))
	}
}

// Runs is where a new run is kept, and all places where runs of this directory are.
func (s *Session) Runs() (place runlog.Place, all []runlog.Place, err error) {
	if s.Project != "" {
		place = runlog.ProjectPlace(s.Project)
		all = append(all, place)
	}
	if state := s.outputs(); state != "" {
		all = append(all, runlog.StatePlace(state))
	}
	if len(all) == 0 {
		return place, nil, Fail("there is nowhere to keep the output").Hint("set HOME or TMP_STATE_DIR, or run tmp init in the project")
	}
	return all[0], all, nil
}

// Own reports whether a run is one of this project, or where there is none of this
// directory and those below it.
func (s *Session) Own(k runlog.Kept) bool {
	root := s.Project
	if root == "" {
		root = mapset.WorkTree(s.Paths, s.Dir)
	}
	if root == "" {
		root = s.Dir
	}
	return k.In(root)
}

// Kept is the run of that ID, or the last one here.
func (s *Session) Kept(id string) (k runlog.Kept, err error) {
	_, places, err := s.Runs()
	if err != nil {
		return k, err
	}
	if id != Last {
		k, err = runlog.Find(id, places...)
	} else {
		k, err = s.lastOwn(places)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return k, Fail("%s", err).Hint("tmp run keeps the output of what it runs; tmp runs list shows what there is")
	case err != nil:
		return k, Fail("%s", err).Hint("tmp runs list shows the IDs of the runs; last is the newest")
	}
	return k, nil
}

// lastOwn is the newest run here.
func (s *Session) lastOwn(places []runlog.Place) (runlog.Kept, error) {
	k, err := runlog.Last(places...)
	if err != nil || s.Own(k) {
		return k, err
	}
	kept, err := runlog.List(places...)
	for _, k := range kept {
		if s.Own(k) {
			return k, nil
		}
	}
	if err != nil {
		return runlog.Kept{}, err
	}
	return runlog.Kept{}, runlog.Absent("no run of this place is kept; tmp runs list --all shows those of other directories")
}

// Retention says which runs stay; what config.toml says wrongly is told.
func (s *Session) Retention() runlog.Retention {
	r, err := runlog.ReadRetention(s.Paths.Settings())
	if err != nil {
		s.notice("%s", err)
	}
	return r
}

// Last names the newest run in the place of its ID.
const Last = "last"

// state is the state directory, or an error that says what to do without one.
func (s *Session) state() (string, error) {
	if s.Paths.State == "" {
		return "", Fail("there is no state directory").Hint("set HOME or TMP_STATE_DIR")
	}
	return s.Paths.State, nil
}
