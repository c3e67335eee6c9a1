package machine

import (
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
)

// Evidence is what this machine holds for proven; scripts named by a path are
// those of dir. Versions are those that packages and builds tell: nothing is run.
func Evidence(paths place.Paths, getenv func(string) string, dir string) *opmap.EvidenceStore {
	path := getenv("PATH")
	files := sync.OnceValue(func() *Machine { return New(Options{Getenv: getenv, NoRun: true}) })
	return &opmap.EvidenceStore{
		Paths: paths,
		Program: func(s *opmap.Source, op *opmap.Operation) string {
			if op == nil {
				return opmap.ToolVersion(path, s)
			}
			return opmap.ProgramVersion(path, dir, op)
		},
		Version: func(s *opmap.Source, op *opmap.Operation) string {
			p, err := Find(path, s.ProgramOf(op))
			if err != nil {
				return ""
			}
			return files().Version(p)
		},
	}
}
