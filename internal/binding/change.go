package binding

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/textdiff"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
)

// Change is a difference between two states.
type Change struct {
	Path string `json:"path"` // from the project's root where it is in it
	What string `json:"what"` // "content", "new", "gone", "touched" …
	// Ago is how long ago the file was changed, in seconds; -1 if that is not known.
	Ago int64 `json:"ago_s"`

	path string // absolute
}

// String is a change in a line: "deploy.sh: content, 12 s ago".
func (c Change) String() string {
	if c.Ago < 0 {
		return c.Path + ": " + c.What
	}
	return fmt.Sprintf("%s: %s, %s ago", c.Path, c.What, ago(c.Ago))
}

func ago(s int64) string {
	switch {
	case s < 120:
		return fmt.Sprintf("%d s", s)
	case s < 7200:
		return fmt.Sprintf("%d min", s/60)
	}
	return fmt.Sprintf("%d h", s/3600)
}

// Without is a state less what patterns cover, for comparing it with one that was
// taken without that.
func (s *State) Without(dir string, list []string) *State {
	if len(list) == 0 {
		return s
	}
	p := newPatterns(s.Root, dir, list)
	out := *s
	out.Project = slices.DeleteFunc(slices.Clone(s.Project), func(e *Entry) bool { return p.match(e.Path, false) })
	out.Other = slices.DeleteFunc(slices.Clone(s.Other), func(e *Entry) bool {
		if rel, ok := strings.CutPrefix(e.Path, s.Root+"/"); ok && p.match(rel, false) {
			return true
		}
		return p.matchAbs(e.Path)
	})
	return &out
}

// Changes are the differences from a state to a later one, those that the words
// name first.
func Changes(old, now *State) []Change {
	var out []Change
	if old.Root != now.Root {
		out = append(out, Change{Path: now.Root, What: "another project root", Ago: -1})
	}
	out = now.compare(out, old.Project, now.Project, now.Root+"/")
	out = now.compare(out, old.Other, now.Other, "")
	if !slices.Equal(old.Unbound, now.Unbound) || old.Cut != now.Cut {
		out = append(out, unboundChange(old, now)...)
	}
	named := map[string]bool{}
	for _, path := range old.first {
		named[path] = true
	}
	slices.SortStableFunc(out, func(a, b Change) int {
		return weight(named, &a) - weight(named, &b)
	})
	return out
}

// weight orders changes: what the words name, other files, where names lead.
func weight(named map[string]bool, c *Change) int {
	switch {
	case named[c.path]:
		return 0
	case strings.HasPrefix(c.Path, leads):
		return 2
	}
	return 1
}

func unboundChange(old, now *State) []Change {
	for _, u := range now.Unbound {
		if !slices.Contains(old.Unbound, u) {
			return []Change{{Path: u.What, What: "not bound: " + u.Why, Ago: -1}}
		}
	}
	for _, u := range old.Unbound {
		if !slices.Contains(now.Unbound, u) {
			return []Change{{Path: u.What, What: "was not bound", Ago: -1}}
		}
	}
	return []Change{{Path: now.Root, What: "how far it could be read", Ago: -1}}
}

// compare walks through two lists that are sorted by their paths.
func (s *State) compare(out []Change, old, now []*Entry, root string) []Change {
	i, j := 0, 0
	for i < len(old) || j < len(now) {
		switch {
		case j >= len(now) || i < len(old) && old[i].Path < now[j].Path:
			if old[i].Kind != Absent {
				out = append(out, s.change(root, old[i], "gone", -1))
			}
			i++
		case i >= len(old) || now[j].Path < old[i].Path:
			if now[j].Kind != Absent {
				out = append(out, s.change(root, now[j], "new", since(now[j])))
			}
			j++
		default:
			if !old[i].same(now[j]) {
				out = append(out, s.change(root, now[j], difference(old[i], now[j]), since(now[j])))
			}
			i, j = i+1, j+1
		}
	}
	return out
}

func (s *State) change(root string, e *Entry, what string, ago int64) Change {
	return Change{Path: s.shown(e.Path), What: what, Ago: ago, path: root + e.Path}
}

// shown is a path as people read it: from the project's root, or from home.
func (s *State) shown(path string) string {
	if rel, ok := strings.CutPrefix(path, s.Root+"/"); ok {
		return rel
	}
	home := getenv(s.Subject.Env, "HOME")
	if rel, ok := strings.CutPrefix(path, home+"/"); ok && home != "" {
		return "~/" + rel
	}
	return path
}

func since(e *Entry) int64 {
	if e.Kind == Value || e.Kind == Absent {
		return -1
	}
	return max(0, (time.Now().UnixNano()-max(e.Mtime, e.Ctime))/int64(time.Second))
}

// difference says what is different about a path.
func difference(old, now *Entry) string {
	switch {
	case old.Kind == Absent:
		return "new"
	case now.Kind == Absent:
		return "gone"
	case old.Kind != now.Kind:
		return "now " + now.Kind.name()
	case now.Kind == Value && filepath.Base(now.Path) == "index":
		return "what is staged"
	case now.Kind == Value:
		return "another"
	case now.Kind == Link:
		return "leads elsewhere"
	case old.Alg != Unknown && old.Alg == now.Alg && old.Sum != now.Sum:
		return "content"
	case old.Mode != now.Mode:
		return "permissions"
	case (old.Identity || now.Identity) && (old.Ino != now.Ino || old.Dev != now.Dev):
		return "replaced"
	case old.Ino != now.Ino || old.Dev != now.Dev:
		return "replaced"
	case old.Size != now.Size:
		return "content"
	}
	return "touched"
}

func (k Kind) name() string {
	switch k {
	case File:
		return "a file"
	case Link:
		return "a symbolic link"
	case Directory:
		return "a directory"
	case Special:
		return "no file"
	}
	return "nothing"
}

// text is what a text file held: as it was kept, or as git has it.
func (s *State) text(path string) (string, bool) {
	if text, ok := s.texts[path]; ok {
		return text, true
	}
	e := s.find(path)
	if e == nil || e.Kind != File || e.Alg != Git1 && e.Alg != Git2 || e.Size > maxText || strings.HasPrefix(filepath.Base(path), ".env") {
		return "", false
	}
	data, err := git.Blob(s.Root, e.Sum[:e.sumLen()])
	return string(data), err == nil && strings.IndexByte(string(data), 0) < 0
}

// maxDiff is how many lines of differences are shown.
const maxDiff = 20

// Diff shows how the text files among the changes differ from what the old state
// holds of them, in at most 20 lines.
func (s *State) Diff(changes []Change) []string {
	var out []string
	for _, c := range changes {
		old, known := s.text(c.path)
		if !known {
			continue
		}
		now, _ := disk.ReadRegular(c.path, maxText)
		if strings.IndexByte(string(now), 0) >= 0 {
			continue
		}
		diff := textdiff.Unified(old, string(now))
		if diff == "" {
			continue
		}
		out = append(out, c.Path+":")
		for line := range strings.Lines(diff) {
			if len(out) >= maxDiff {
				return out[:maxDiff]
			}
			out = append(out, strings.TrimRight(line, "\n"))
		}
	}
	return out[:min(len(out), maxDiff)]
}
