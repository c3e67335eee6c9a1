package tmp

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

// operations are those of the map; one whose sources have changed is a draft.
func (w *world) operations() []tcpdb.Operation {
	ops := w.view.Operations()
	for i := range ops {
		if ops[i].Layer >= tcpdb.UserLayer && ops[i].Standing.Verified() && w.staleness(&ops[i]) != "" {
			ops[i].Standing = tcpdb.Draft
		}
	}
	return ops
}

// lookup is the operation of an ID, as operations has it.
func (w *world) lookup(id string) (tcpdb.Operation, bool) {
	op, ok := w.view.Operation(id)
	if ok && op.Standing.Verified() && w.staleness(&op) != "" {
		op.Standing = tcpdb.Draft
	}
	return op, ok
}

// staleness says which source of an operation is not what it was, or that its
// program is not, "" if all are.
func (w *world) staleness(op *tcpdb.Operation) string {
	d, err := workflow.Parse(w.view.Detail(op.ID))
	if err != nil {
		return fmt.Sprintf("what is needed to run %s cannot be read: %s", op.ID, err)
	}
	for _, s := range d.Sources {
		file := w.source(s)
		switch sum, err := w.hash(file); {
		case file == "":
			return fmt.Sprintf("%s was made from %s, which is not here or above", op.ID, s.File)
		case err != nil:
			return fmt.Sprintf("%s was made from %s, which cannot be read: %s", op.ID, s.File, err)
		case sum != s.SHA256:
			return fmt.Sprintf("%s has changed since %s was made from it", s.File, op.ID)
		}
	}
	return w.otherProgram(op, d.Program)
}

// sources are the files that an operation was made from.
func (w *world) sources(id string) []workflow.Source {
	d, _ := workflow.Parse(w.view.Detail(id))
	return d.Sources
}

// source is the path of a source, "" if it is nowhere.
func (w *world) source(s workflow.Source) string {
	if filepath.IsAbs(s.File) {
		return s.File
	}
	return intent.Upwards(w.env.Dir, s.File)
}

// hash is the hash of a file's content; a command reads each file once for it.
func (w *world) hash(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	if h, ok := w.hashes[file]; ok {
		return h.sum, h.err
	}
	sum, err := opmap.HashFile(file)
	if w.hashes == nil {
		w.hashes = map[string]hashed{}
	}
	w.hashes[file] = hashed{sum, err}
	return sum, err
}

type hashed struct {
	sum string
	err error
}

// sayStale puts the reason in the place of "is a draft" where an operation is
// one only because its sources have changed.
func (w *world) sayStale(r *intent.Resolution) {
	if r.Reason != intent.Draft {
		return
	}
	for _, s := range r.Suggestions {
		if op, ok := w.view.Operation(s.OperationID); ok && op.Standing.Verified() {
			r.Message = w.staleness(&op) + ": read it again and review it (tmp script add, tmp script import or tmp compile, then tmp verify or tmp trust --review)"
			return
		}
	}
}

// place puts a plan where its sources are: a script that the template names is
// found from every directory below, and a program that works on a file of its
// own directory is started there.
func (w *world) place(op *tcpdb.Operation, d workflow.Detail) (argv0 map[string]string, dir string) {
	dir = w.env.Dir
	if len(d.Sources) == 0 {
		return nil, dir
	}
	first := d.Sources[0]
	file := w.source(first)
	if d.Directory == "source" && file != "" {
		return nil, filepath.Dir(file)
	}
	if filepath.IsAbs(first.File) || file == "" || file == filepath.Join(dir, first.File) {
		return nil, dir
	}
	argv0 = map[string]string{}
	for _, word := range op.Template {
		if filepath.Clean(word) == first.File {
			argv0[word] = file
		}
	}
	return argv0, dir
}
