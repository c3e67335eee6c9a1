package binding

import (
	"path/filepath"
	"strings"
	"time"
)

// A file that is changed and put back holds the same at each look, and something
// else in between. Its stat data tells: what has moved and holds the same may do so
// again, before a program opens it. It counts once it has been quiet for a while.

// Stir is the newest change to something that is the same again.
type Stir struct {
	Path string // as people read it
	At   int64  // Unix time in nanoseconds, 0: nothing has moved
}

func (s *Stir) add(path string, e *Entry) {
	if e.Ctime > s.At {
		s.Path, s.At = path, e.Ctime
	}
}

// Later is the later of two.
func (s Stir) Later(o Stir) Stir {
	if o.At > s.At {
		return o
	}
	return s
}

// Quiet is for how long nothing has moved; negative if it will move, by its times.
func (s Stir) Quiet(now time.Time) time.Duration { return time.Duration(now.UnixNano() - s.At) }

// Stirred is what moved last between two states that count as the same.
func Stirred(old, now *State) Stir {
	var s Stir
	for _, lists := range [...][2][]*Entry{{old.Project, now.Project}, {old.Other, now.Other}} {
		i, was := 0, lists[0]
		for _, e := range lists[1] {
			for i < len(was) && was[i].Path < e.Path {
				i++
			}
			if i == len(was) {
				break
			}
			if was[i].Path == e.Path && (e.Kind == File || e.Kind == Link) && e.Ctime > s.At && !was[i].sameStat(e) {
				s.add(now.shown(e.Path), e)
			}
		}
	}
	if now.stirred > old.Taken {
		s = s.Later(Stir{now.shown(now.stirring), now.stirred})
	}
	return s
}

// stirs notes the newest change in the folders of a walk. Where something is left
// out, a folder that changes tells nothing.
func (t *taking) stirs(f *folder, root string) {
	if len(t.Outputs)+len(t.Except) > 0 || filepath.Base(f.path) == ".tmp" {
		return
	}
	if f.changed > t.state.stirred {
		t.state.stirred, t.state.stirring = f.changed, root+"/"+strings.TrimSuffix(f.path, "/")
	}
	for _, sub := range f.subs {
		if sub != nil {
			t.stirs(sub, root)
		}
	}
}
