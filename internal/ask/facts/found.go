package facts

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
)

// maxFound bounds the directory entries that are looked at for one find.
const maxFound = 50_000

var errEnough = errors.New("enough seen")

// found tells what becomes of the files at and below a target whose names match
// a pattern. Directories are left out unless they are taken with all that is in
// them: find deletes none that is not empty.
func (w *World) found(t line.Target, pattern string, dirs, split bool) ask.Loss {
	p := w.absolute(t)
	if _, err := filepath.Match(pattern, ""); err != nil || p == "" || !t.Known || t.Glob || strings.ContainsAny(pattern, "[\\/") {
		return ask.Loss{}
	}
	root := physical(p)
	if root == "" {
		return ask.Loss{}
	}
	worst, seen := ask.Loss{Fate: ask.Nothing}, 0
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if seen++; err != nil || seen > maxFound || w.ctx.Err() != nil {
			worst = ask.Loss{}
			return errEnough
		}
		if ok, _ := filepath.Match(pattern, e.Name()); !ok || e.IsDir() && !dirs {
			return nil
		}
		if split && strings.ContainsAny(file[len(root):], " \t\n'\"\\") {
			worst = ask.Loss{}
			return errEnough
		}
		if worst = w.path(file, filepath.IsAbs(t.Path) && !t.Home); worst.Fate == ask.Lost {
			return errEnough
		}
		if e.IsDir() {
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return ask.Loss{}
	}
	return worst
}

// cleaned tells what git clean would take away that no one could give back.
func (w *World) cleaned(targets []line.Target, c ask.Clean) ask.Loss {
	repo := w.repo(w.Dir)
	if repo == nil {
		return ask.Loss{}
	}
	if len(targets) == 0 {
		targets = []line.Target{{Path: ".", Known: true}}
	}
	total := ask.Loss{Fate: ask.Nothing}
	for _, t := range targets {
		p := w.absolute(t)
		if p == "" || t.Glob || strings.ContainsAny(t.Path, ":*?[\\") { // a pattern, of the shell or of git
			return ask.Loss{}
		}
		real := physical(p)
		rel, ok := strings.CutPrefix(real+"/", repo.Root()+"/")
		if real == "" || !ok {
			return ask.Loss{}
		}
		f := repo.Cleaned(strings.TrimSuffix(rel, "/"), git.CleanOf{Untracked: c.Untracked, Ignored: c.Ignored, Directories: c.Directories}, w.settings.BuildMakes)
		switch {
		case f.Lost != "":
			return ask.Loss{Path: w.relative(repo.Root() + "/" + f.Lost), Why: f.Why}
		case f.Rebuilt > 0:
			total.Fate = ask.Rebuilt
		}
	}
	return total
}
