package session

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

// pickTime is how long the numbers of a list hold.
const pickTime = time.Hour

// KeepPicks keeps what a refusal suggested for the terminal, in the place of its
// last list: a number means nothing once another list was shown.
func (s *Session) KeepPicks(terminal, text string, r intent.Resolution) {
	state, err := s.state()
	if err != nil || terminal == "" {
		return
	}
	if len(r.Suggestions) == 0 { // the list before is over too
		if err := runlog.ForgetPicks(state, terminal); err != nil {
			s.notice("the numbers of the list before may still count: %s", err)
		}
		return
	}
	p := runlog.Picks{Dir: s.Dir, MapDigest: s.View.Digest(), Time: s.Now().UTC(), Text: text}
	for _, sug := range r.Suggestions {
		p.List = append(p.List, runlog.Pick{OperationID: sug.OperationID, Intent: sug.Intent, Argv: sug.Argv, Dir: sug.Dir})
	}
	if err := runlog.SavePicks(state, terminal, p); err != nil {
		s.notice("the numbers are not kept: %s", err)
	}
}

// Picked is what stands at a number, from 1, of the list that the terminal showed
// last, as it is now.
func (s *Session) Picked(ctx context.Context, terminal string, n int) (Resolved, error) {
	state, err := s.state()
	if err != nil {
		return Resolved{}, err
	}
	p, err := runlog.LoadPicks(state, terminal)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(p.List) == 0:
		return Resolved{}, Fail("no list was shown in this terminal").Hint(`tmp resolve "WORDS" shows one where it refuses`)
	case err != nil:
		return Resolved{}, err
	case p.Dir != s.Dir:
		return Resolved{}, Fail("the list was shown in %s", p.Dir).Hint("ask again here")
	case p.MapDigest != s.View.Digest() || s.Now().Sub(p.Time) > pickTime:
		return Resolved{}, Fail("the list is no longer that of today").Hint("ask again: %s", p.Text)
	case n < 1 || n > len(p.List):
		return Resolved{}, Fail("the list has %d lines", len(p.List))
	}
	want := p.List[n-1]
	if want.Argv == nil {
		return s.Resolve(ctx, want.OperationID, nil)
	}
	if s.Profile() != nil {
		a := s.Profile().Ask(p.Text)
		for i := range a.Near {
			pl := &a.Near[i]
			if slices.Equal(pl.Argv, want.Argv) && filepath.Join(s.Profile().Root, pl.Dir) == want.Dir {
				return s.ofProject(pl)
			}
		}
	}
	return Resolved{}, Fail("%s is no longer what number %d was", invoke.Display(want.Argv), n).Hint("ask again: %s", p.Text)
}
