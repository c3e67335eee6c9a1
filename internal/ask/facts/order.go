package facts

import (
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
)

// touches reports whether what is written at and below a path may be among the
// targets, in the whole work tree without any. Where that cannot be told it may.
func (w *World) touches(written line.Target, targets []line.Target) bool {
	at := w.resting(written)
	if at == "" {
		return true
	}
	if len(targets) == 0 {
		repo := w.repo(w.Dir)
		return repo == nil || overlaps(at, repo.Root())
	}
	for _, t := range targets {
		if t.Glob {
			t.Path, t.Glob = t.Path[:strings.LastIndexByte(t.Path[:strings.IndexAny(t.Path+"*", "*?[(~^<")], '/')+1], false
			if t.Path == "" && !t.Home {
				t.Path = "."
			}
		}
		if p := w.resting(t); p == "" || overlaps(at, p) {
			return true
		}
	}
	return false
}

// overlaps reports whether one of two paths lies at or below the other.
func overlaps(a, b string) bool {
	return strings.HasPrefix(a+"/", b+"/") || strings.HasPrefix(b+"/", a+"/")
}

// resting is the path of a target with the links of its directories followed, and
// its own; "" if that is not known.
func (w *World) resting(t line.Target) string {
	p := w.absolute(t)
	if p == "" || !t.Known || t.Glob {
		return ""
	}
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	// What is not there yet lies where the deepest directory that is there leads.
	rest := ""
	for dir := filepath.Clean(p); ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == "/" || dir == "." {
			return ""
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = filepath.Dir(dir)
	}
}
