package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// opened is a session of an agent in an empty directory, under a home of its own.
func opened(t *testing.T) *Session {
	t.Helper()
	home := t.TempDir()
	environ := []string{"HOME=" + home, "PATH=/usr/local/bin:/usr/bin:/bin"}
	s, err := Open(Caller{
		Dir: t.TempDir(), Environ: environ, Now: time.Now, Who: gate.Agent, Agent: "robot",
		Account: filepath.Join(home, ".local/state/tmp"),
		Getenv: func(name string) string {
			for _, e := range environ {
				if value, ok := strings.CutPrefix(e, name+"="); ok {
					return value
				}
			}
			return ""
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// of is a session of a person in the same place.
func (s *Session) of(t *testing.T, who gate.Who) *Session {
	t.Helper()
	c := s.Caller
	c.Who, c.Agent = who, ""
	p, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// answer says it to every question, and keeps the last one.
type answer struct {
	yes bool
	q   Question
}

func (a *answer) Ask(q Question) (Answer, error) {
	a.q = q
	if a.yes {
		return Yes, nil
	}
	return No, nil
}

// approve is Approve without anything else.
func (s *Session) approve(digest string, a *answer) error {
	_, err := s.Approve(digest, Approving{}, a)
	return err
}

// code is that of a refusal, "" without one.
func code(err error) Code {
	if r := (*Refusal)(nil); errors.As(err, &r) {
		return r.Code
	}
	return ""
}

// TestAgentWaitsForPerson: with no command line in between an agent is refused,
// a person is asked about what was refused, and the yes holds once, and for the
// file as it was.
func TestAgentWaitsForPerson(t *testing.T) {
	s := opened(t)
	file := filepath.Join(s.Dir, "job")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func() (*Envelope, error) {
		return s.Run(t.Context(), s.Command([]string{"chmod", "777", "job"}, false), How{Silent: true})
	}
	write("as it was")
	e, err := run()
	if code(err) != "approval_required" || e.Started || e.PlanDigest == nil {
		t.Fatalf("%v, %+v", err, e)
	}
	digest := *e.PlanDigest
	if err := s.approve(digest, &answer{yes: true}); err == nil {
		t.Error("the agent approves by itself")
	}
	no := &answer{}
	if err := s.of(t, gate.Person).approve(digest, no); err == nil {
		t.Error("a no approves")
	}
	if no.q.Agent != "robot" || no.q.Level != tcpdb.High || no.q.Bound.Files == 0 {
		t.Errorf("asked: %+v", no.q)
	}
	if err := s.of(t, gate.Person).approve(digest[:12], &answer{yes: true}); err != nil {
		t.Fatal(err)
	}
	write("as nobody has seen it")
	if e, err := run(); code(err) != ApprovalStale || *e.PlanDigest == digest {
		t.Errorf("the approval holds for another file: %v", err)
	}
	write("as it was")
	if e, err := run(); code(err) != ApprovalRequired || *e.PlanDigest != digest {
		t.Errorf("what was struck holds again: %v", err)
	}
	if err := s.of(t, gate.Person).approve(digest, &answer{yes: true}); err != nil {
		t.Fatal(err)
	}
	if e, err := run(); err != nil || !e.Success || e.RunID == nil {
		t.Errorf("approved, and not run: %v", err)
	}
	if _, err := run(); code(err) != "approval_required" {
		t.Errorf("the approval holds twice: %v", err)
	}
}

// TestPersonIsAsked: whoever has a person to ask does, and a no is a refusal.
func TestPersonIsAsked(t *testing.T) {
	s := opened(t).of(t, gate.Person)
	p := s.Command([]string{"git", "reset", "--hard"}, false)
	no := &answer{}
	e, err := s.Run(t.Context(), p, How{Silent: true, Asker: no})
	if code(err) != Declined || e.Started || !no.q.Word || no.q.Level != tcpdb.Critical {
		t.Errorf("%v, %+v", err, no.q)
	}
	if a := s.DryRun(t.Context(), p); a.Decision != "ask" || a.PlanDigest != *e.PlanDigest {
		t.Errorf("%+v", a)
	}
}

// TestNothingResolved: what cannot be answered is a refusal with what to do.
func TestNothingResolved(t *testing.T) {
	s := opened(t)
	if _, err := s.LastResolved(t.Context()); code(err) != Failed || len(err.(*Refusal).Hints) == 0 {
		t.Errorf("%v", err)
	}
	r, err := s.Resolve(t.Context(), "make me a sandwich of gravel", nil)
	if err != nil || r.Resolved() || code(Unresolved(r.Resolution)) != NotMapped {
		t.Errorf("%v, %+v", err, r)
	}
	if a := s.Resolution(r); a.Status != "refused" || *a.Reason != string(NotMapped) {
		t.Errorf("%+v", a)
	}
	if _, err := Open(Caller{Getenv: s.Getenv}); err == nil {
		t.Error("a session of no directory")
	}
}
