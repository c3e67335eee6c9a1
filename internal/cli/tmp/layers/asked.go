package layers

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// AskedAbout are the operations of source maps as a person is asked about them.
// Each is at the level at which it would run, which is what its map says or
// more: a map that says less than the judge is not to look harmless just where
// it is decided upon. dir is where they would run.
func AskedAbout(env *term.Env, dir string, sources []*opmap.Source) []trustOperation {
	caller := env.Caller()
	caller.Dir = dir
	w := session.At(caller)
	levels := map[string]tcpdb.Level{}
	for _, s := range sources {
		for _, op := range opmap.Compiled(s, tcpdb.ProjectLayer) {
			if op.Surface != "workflow" {
				levels[op.ID] = max(levels[op.ID], w.LeastLevel(&op))
			}
		}
	}
	level := func(op *opmap.Operation) tcpdb.Level {
		l := max(op.Level(), levels[op.ID])
		for i := range op.Steps {
			if own, ok := levels[op.Steps[i].Run]; ok {
				l = max(l, own)
			} else if known, ok := w.Lookup(op.Steps[i].Run); ok {
				l = max(l, w.LeastLevel(&known))
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

// runsText is what an operation of a source runs, for a person who reviews it.
func runsText(op *opmap.Operation) string {
	if text := op.Sends(); text != "" {
		return text
	}
	if len(op.Steps) == 0 {
		return op.Template
	}
	var parts []string
	for _, s := range op.Steps {
		text := s.Run
		for _, name := range slices.Sorted(maps.Keys(s.With)) {
			text += " " + name + "=" + s.With[name]
		}
		if s.If != "" {
			text += " if " + s.If
		}
		parts = append(parts, text)
	}
	return "workflow: " + strings.Join(parts, "; ")
}
