package tmp

import (
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// askedAbout are the operations of source maps as a person is asked about them.
// Each is at the level at which it would run, which is what its map says or
// more: a map that says less than the judge is not to look harmless just where
// it is decided upon. dir is where they would run.
func askedAbout(env *Env, dir string, sources []*opmap.Source) []trustOperation {
	here := *env
	here.Dir = dir
	w := &world{env: &here, paths: place.Find(env.Getenv)}
	w.view = mapset.OpenView(w.paths, dir)
	w.project, _ = mapset.FindProject(w.paths, dir)
	levels := map[string]tcpdb.Level{}
	for _, s := range sources {
		for _, op := range opmap.Compiled(s, tcpdb.ProjectLayer) {
			if op.Surface != "workflow" {
				levels[op.ID] = max(levels[op.ID], w.leastLevel(&op))
			}
		}
	}
	level := func(op *opmap.Operation) tcpdb.Level {
		l := max(op.Level(), levels[op.ID])
		for i := range op.Steps {
			if own, ok := levels[op.Steps[i].Run]; ok {
				l = max(l, own)
			} else if known, ok := w.lookup(op.Steps[i].Run); ok {
				l = max(l, w.leastLevel(&known))
			}
		}
		return l
	}
	out := []trustOperation{}
	for _, s := range sources {
		for _, op := range s.Operations {
			out = append(out, trustOperation{ID: op.ID, Template: runsText(op), Effect: op.Effect, Risk: level(op).String(), Changed: changedSource(op, dir)})
		}
	}
	return out
}

// changedSource is the first source of an operation whose content is not what
// the operation was made from, "" if there is none.
func changedSource(op *opmap.Operation, dir string) string {
	for _, src := range op.Sources {
		name := src.File
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if sum, err := opmap.HashFile(name); err != nil || sum != src.SHA256 {
			return src.File
		}
	}
	return ""
}
