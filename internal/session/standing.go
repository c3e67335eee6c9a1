package session

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// otherProgram says that the program of an operation is another one than it was
// verified with, and that its evidence does not count for that one; "" if it is
// the same or the evidence counts. A compiled map says how an operation stood
// when it was compiled.
func (s *Session) otherProgram(op *tcpdb.Operation, verified string) string {
	if op.Standing != tcpdb.Evidence || verified == "" || len(op.Template) == 0 {
		return ""
	}
	dir := ""
	if op.Layer == tcpdb.ProjectLayer {
		dir = s.Project
	}
	now := opmap.ProgramVersion(s.Getenv("PATH"), dir, &opmap.Operation{Template: strings.Join(op.Template, " ")})
	if now == verified {
		return ""
	}
	src, own := s.sourceOf(op.ID, dir)
	if src != nil && machine.Evidence(s.Paths, s.Getenv, dir).Standing(src, own) == tcpdb.Evidence {
		return ""
	}
	return fmt.Sprintf("%s was verified with another %s", op.ID, op.Template[0])
}

// sourceOf finds an operation in the sources of the project in dir, or with ""
// in the user's; nil if it is not there any more.
func (s *Session) sourceOf(id, dir string) (*opmap.Source, *opmap.Operation) {
	var sources []*opmap.Source
	if dir != "" {
		p, _, err := opmap.ReadProject(dir, opmap.KnownResolvers())
		if err != nil || !p.Trusted(s.Paths) {
			return nil, nil
		}
		sources = p.Sources
	} else {
		u, _, err := opmap.ReadUser(s.Paths, opmap.KnownResolvers())
		if err != nil {
			return nil, nil
		}
		sources = u.Sources
	}
	for _, src := range sources {
		for _, op := range src.Operations {
			if op.ID == id {
				return src, op
			}
		}
	}
	return nil, nil
}
