package binding

import (
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
)

// find is the entry of an absolute real path, or nil.
func (s *State) find(path string) *Entry {
	list, name := s.Other, path
	if rel, ok := strings.CutPrefix(path, strings.TrimSuffix(s.Root, "/")+"/"); ok {
		if i := sort.Search(len(s.Project), func(i int) bool { return s.Project[i].Path >= rel }); i < len(s.Project) && s.Project[i].Path == rel {
			return s.Project[i]
		}
	}
	if i := sort.Search(len(list), func(i int) bool { return list[i].Path >= name }); i < len(list) && list[i].Path == name {
		return list[i]
	}
	return nil
}

// settle is how long after the last reading the stat data is looked at once more:
// somebody who waits for the reading has changed the file by then.
const settle = time.Millisecond

// Look is the last look before a start: the programs, and what the words name and
// take in, read again, and stat'ed once more. It is short, so that little time is
// left after it. stir is the newest that has moved, though it holds the same.
func (s *State) Look() (out []Change, stir Stir) {
	var seen []*Entry
	look := func(path string, old *Entry) {
		now := lstat(path)
		now.Path, now.Identity = old.Path, old.Identity
		if now.Kind == File && old.Alg != Unknown {
			now.Alg = old.Alg
			if _, err := hashFile(&now, path); err != nil {
				now.Kind = Absent
			}
		}
		if now.Kind == Link {
			return // where links lead is bound apart
		}
		if !old.same(&now) {
			out = append(out, s.change("", &now, difference(old, &now), since(&now)))
			return
		}
		if !old.sameStat(&now) {
			stir.add(s.shown(path), &now)
		}
		now.Path = path
		seen = append(seen, &now)
	}
	for i := range s.Other {
		if e := s.Other[i]; e.Identity {
			look(e.Path, e)
		}
	}
	for _, path := range s.first {
		if e := s.find(path); e != nil && e.Kind == File {
			look(path, e)
		}
	}
	if len(out) > 0 {
		return out, stir
	}
	time.Sleep(settle)
	for _, e := range seen {
		if now := lstat(e.Path); e.Kind == File && !now.sameStat(e) {
			now.Path = e.Path
			out = append(out, s.change("", &now, difference(e, &now), since(&now)))
		}
	}
	return out, stir
}

// Holds reports whether data is what the state knows a file to hold. The path is
// one that the words name, as the kernel follows it.
func (s *State) Holds(path string, data []byte) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	e := s.find(real)
	if e == nil || e.Kind != File || e.Alg == Unknown || !slices.Contains(s.first, real) || e.Size != int64(len(data)) {
		return false
	}
	h := newHash(e.Alg, e.Size)
	h.Write(data)
	var sum [32]byte
	h.Sum(sum[:0])
	return sum == e.Sum
}
