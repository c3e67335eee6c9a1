package ask

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
)

// rewritten reports whether a command earlier in the line may have written to the
// targets, to the whole work tree without any: what git says of them now does not
// hold any more then.
func (f *Facts) rewritten(g *line.Finding, targets []line.Target) bool {
	w := g.Earlier
	if !w.Any() {
		return false
	}
	if w.All || f.Touches == nil && len(targets) == 0 {
		return true
	}
	return slices.ContainsFunc(w.Paths, func(t line.Target) bool {
		if f.Touches != nil {
			return f.Touches(t, targets)
		}
		return slices.ContainsFunc(targets, func(u line.Target) bool { return related(t, u) })
	})
}

// related reports whether one target may lie at or below the other.
func related(a, b line.Target) bool {
	if a.Home != b.Home || path.IsAbs(a.Path) != path.IsAbs(b.Path) || a.Glob || b.Glob {
		return true
	}
	p, q := path.Clean(a.Path)+"/", path.Clean(b.Path)+"/"
	return p == "./" || q == "./" || strings.HasPrefix(p, "..") || strings.HasPrefix(q, "..") || strings.HasPrefix(p, q) || strings.HasPrefix(q, p)
}

// fate is what becomes of one target by the time that the command runs. That a
// build makes it again, or that it is temporary, is so whatever was written to it.
func (f *Facts) fate(g *line.Finding, t line.Target) Loss {
	var loss Loss
	switch {
	case t.Fresh:
		return Loss{Fate: Temporary}
	case g.Only != "" && f.Found != nil:
		loss = f.Found(t, g.Only, g.Dirs, g.Split)
	default:
		loss = f.Loss(t)
	}
	if (loss.Fate == InGit || loss.Fate == Nothing) && f.rewritten(g, []line.Target{t}) {
		return Loss{Path: t.Path, Why: "perhaps written to earlier in the line"}
	}
	return loss
}

// named reports whether it is known which files all targets are.
func (f *Facts) named(targets []line.Target) bool {
	return !slices.ContainsFunc(targets, func(t line.Target) bool { return !t.Known && (!t.Fresh || f.blankTemp()) })
}

// blankTemp reports whether the name of a temporary file has blanks, at which a
// shell may cut it.
func (f *Facts) blankTemp() bool {
	return f.Env == nil || slices.ContainsFunc(f.Env([]string{"TMPDIR"}), func(v string) bool { return strings.ContainsAny(v, " \t\n*?[#") })
}

// deleted are the targets of a command whose content it takes away: the operand
// of= of dd, all arguments of others.
func deleted(g *line.Finding) []line.Target {
	if g.Key != "dd" {
		return g.Targets
	}
	var out []line.Target
	for _, t := range g.Targets {
		if name, ok := strings.CutPrefix(t.Path, "of="); ok {
			t.Path = name
			t.Known = t.Known && !strings.HasPrefix(name, "~") && !t.Glob
			out = append(out, t)
		}
	}
	return out
}
