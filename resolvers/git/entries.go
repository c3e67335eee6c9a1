package git

import (
	"encoding/hex"
	"errors"
	"io/fs"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// IndexEntry is a tracked file as git's index has it (gitformat-index(5)). The
// fields of stat(2) have 32 bits, the times are seconds and nanoseconds.
type IndexEntry struct {
	Path         string
	Mode         uint32
	ID           []byte // the object's name
	Stage        int    // 0, or 1 to 3 of a conflict
	CTime, MTime [2]uint32
	Dev, Ino     uint32
	Size         uint32
	Assumed      bool // the user says that it is unchanged, or wants it not to be there
}

// Index are the tracked files of a repository, sorted by path and stage. One of
// many files is read without a value for each.
type Index struct{ entries []indexEntry }

// ReadIndex reads an index, with its shared part where it is split; gitDir is the
// directory in which that lies, idLen the length of an object's name in bytes (20
// or 32). No file is an empty index.
func ReadIndex(file, gitDir string, idLen int) (*Index, error) {
	ix, err := readIndex(file, idLen)
	if errors.Is(err, fs.ErrNotExist) {
		return &Index{}, nil
	}
	if err != nil {
		return nil, err
	}
	if ix.link != nil {
		base, err := readIndex(gitDir+"/sharedindex."+hex.EncodeToString(ix.link.base), idLen)
		if err == nil {
			err = ix.join(base)
		}
		if err != nil {
			return nil, &indexError{file, "split index: " + err.Error()}
		}
	}
	return &Index{ix.entries}, nil
}

// Len is the number of entries.
func (ix *Index) Len() int { return len(ix.entries) }

// Path is that of the entry at i.
func (ix *Index) Path(i int) string { return ix.entries[i].path }

// At is the entry at i.
func (ix *Index) At(i int) IndexEntry {
	e := &ix.entries[i]
	return IndexEntry{
		Path: e.path, Mode: e.mode, ID: e.id(), Stage: e.stage(),
		CTime: [2]uint32{e.field(statCTime), e.field(statCNano)}, MTime: [2]uint32{e.field(statMTime), e.field(statMNano)},
		Dev: e.field(statDev), Ino: e.field(statIno), Size: e.field(statSize),
		Assumed: e.flags&flagAssume != 0 || e.extra&(extraSkip|extraIntent) != 0,
	}
}

// Blob is what the repository of a work tree keeps under the name of an object, which
// is to be the content of a file. What is in the repository counts and no variable.
func Blob(workTree string, id []byte) ([]byte, error) {
	none := func(string) string { return "" }
	repo, err := openGit(resolvers.Request{Dir: workTree, Getenv: none})
	if err != nil {
		return nil, err
	}
	s := openObjects(repo)
	defer s.close()
	kind, data, err := s.read(hex.EncodeToString(id))
	if err == nil && kind != blobObject {
		err = errBadObject
	}
	return data, err
}
