package session

import (
	"fmt"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// An operation that was read from files of a project, or that runs a script of
// it, holds as long as they are what they were: who changes the script changes
// what the operation does, and nobody has reviewed that.

// Operations are those of the map; one whose sources have changed is a draft.
func (s *Session) Operations() []tcpdb.Operation {
	ops := s.View.Operations()
	for i := range ops {
		if ops[i].Layer >= tcpdb.UserLayer && ops[i].Standing.Verified() && s.Staleness(&ops[i]) != "" {
			ops[i].Standing = tcpdb.Draft
		}
	}
	return ops
}

// OfProject are the operations that this project's maps hold, in use or not.
func (s *Session) OfProject() []*opmap.Operation {
	if s.Project == "" {
		return nil
	}
	p, _, err := opmap.ReadProject(s.Project, opmap.KnownResolvers())
	if err != nil {
		return nil
	}
	var out []*opmap.Operation
	for _, source := range p.Sources {
		out = append(out, source.Operations...)
	}
	return out
}

// Waiting are the IDs of those that are not in use, since the project's maps are
// not trusted as they are now.
func (s *Session) Waiting() []string {
	var out []string
	for _, op := range s.OfProject() {
		if used, ok := s.View.Operation(op.ID); !ok || used.Layer != tcpdb.ProjectLayer {
			out = append(out, op.ID)
		}
	}
	return out
}

// Lookup is the operation of an ID, as Operations has it.
func (s *Session) Lookup(id string) (tcpdb.Operation, bool) {
	op, ok := s.View.Operation(id)
	if ok && op.Standing.Verified() && s.Staleness(&op) != "" {
		op.Standing = tcpdb.Draft
	}
	return op, ok
}

// Staleness says which source of an operation is not what it was, or that its
// program is not, "" if all are.
func (s *Session) Staleness(op *tcpdb.Operation) string {
	d, err := workflow.Parse(s.View.Detail(op.ID))
	if err != nil {
		return fmt.Sprintf("what is needed to run %s cannot be read: %s", op.ID, err)
	}
	for _, src := range d.Sources {
		file := s.source(src)
		switch sum, err := s.hash(file); {
		case file == "":
			return fmt.Sprintf("%s was made from %s, which is not here or above", op.ID, src.File)
		case err != nil:
			return fmt.Sprintf("%s was made from %s, which cannot be read: %s", op.ID, src.File, err)
		case sum != src.SHA256:
			return fmt.Sprintf("%s has changed since %s was made from it", src.File, op.ID)
		}
	}
	if why := s.outOfVersions(op, d.Versions); why != "" {
		return why
	}
	return s.otherProgram(op, d.Program)
}

// source is the path of a source, "" if it is nowhere.
func (s *Session) source(src workflow.Source) string {
	if filepath.IsAbs(src.File) {
		return src.File
	}
	return intent.Upwards(s.Dir, src.File)
}

// hash is the hash of a file's content; a command reads each file once for it.
func (s *Session) hash(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	if h, ok := s.hashes[file]; ok {
		return h.sum, h.err
	}
	sum, err := opmap.HashFile(file)
	if s.hashes == nil {
		s.hashes = map[string]hashed{}
	}
	s.hashes[file] = hashed{sum, err}
	return sum, err
}

type hashed struct {
	sum string
	err error
}

// sayStale puts the reason in the place of "is a draft" where an operation is
// one only because its sources have changed. What a signature verifies is looked at
// here, when it is the answer: that may mean to ask its program for its version.
func (s *Session) sayStale(r *intent.Resolution) {
	if r.Resolved() && r.Operation.Layer == tcpdb.PackLayer {
		if why := s.Staleness(&r.Operation); why != "" {
			r.Reason, r.Message = intent.Draft, why
		}
		return
	}
	if r.Reason != intent.Draft {
		return
	}
	for _, near := range r.Suggestions {
		if op, ok := s.View.Operation(near.OperationID); ok && op.Standing.Verified() {
			r.Message = s.Staleness(&op) + ": read it again and review it (tmp script add, tmp script import or tmp compile, then tmp verify or tmp trust --review)"
			return
		}
	}
}
