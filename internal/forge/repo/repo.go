// Package repo is the git repository of the tools: objects, references and the
// index are written by go-git, no git program is needed. HEAD stays on main; a
// branch is nothing but a reference and its objects, so that the working tree is
// always main's.
package repo

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// Hash names an object.
type Hash = plumbing.Hash

// Zero is no object.
var Zero = plumbing.ZeroHash

// Main is the branch that holds.
const Main = "main"

// Repo is an open repository.
type Repo struct {
	Dir string // the directory whose .git it is; of a bare one the repository itself
	git string // what git itself keeps
	st  *filesystem.Storage
}

// ErrNone: there is no repository.
var ErrNone = errors.New("there is no repository")

// Open opens the repository of a directory.
func Open(dir string) (*Repo, error) {
	git := filepath.Join(dir, ".git")
	if st, err := os.Lstat(git); err != nil || !st.IsDir() {
		return nil, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	return &Repo{dir, git, storage(git)}, nil
}

// OpenBare opens a repository without a working tree, or the .git of one with it.
func OpenBare(dir string) (*Repo, error) {
	for _, git := range []string{filepath.Join(dir, ".git"), dir} {
		if st, err := os.Stat(filepath.Join(git, "objects")); err == nil && st.IsDir() {
			return &Repo{git, git, storage(git)}, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", dir, ErrNone)
}

func storage(git string) *filesystem.Storage {
	return filesystem.NewStorage(osfs.New(git, osfs.WithBoundOS()), cache.NewObjectLRU(8*cache.MiByte))
}

// Init makes the repository of a directory, with main checked out.
func Init(dir string) (*Repo, error) {
	git := filepath.Join(dir, ".git")
	if err := os.MkdirAll(git, 0o755); err != nil {
		return nil, err
	}
	r := &Repo{dir, git, storage(git)}
	if err := r.st.Init(); err != nil {
		return nil, err
	}
	if err := r.st.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, plumbing.NewBranchReferenceName(Main))); err != nil {
		return nil, err
	}
	c := config.NewConfig()
	c.Core.IsBare = false
	return r, r.st.SetConfig(c)
}

// Branch is the commit of a branch; Zero if there is none.
func (r *Repo) Branch(name string) Hash {
	ref, err := r.st.Reference(plumbing.NewBranchReferenceName(name))
	if err != nil {
		return Zero
	}
	return ref.Hash()
}

// Branches are the branches, by name.
func (r *Repo) Branches() (map[string]Hash, error) {
	it, err := r.st.IterReferences()
	if err != nil {
		return nil, err
	}
	defer it.Close()
	out := map[string]Hash{}
	err = it.ForEach(func(ref *plumbing.Reference) error {
		if ref.Type() == plumbing.HashReference && ref.Name().IsBranch() {
			out[ref.Name().Short()] = ref.Hash()
		}
		return nil
	})
	return out, err
}

// ErrMoved: a branch is not where it was thought to be.
var ErrMoved = errors.New("the branch has moved")

// SetBranch moves a branch from one commit to another; from Zero: it must be new.
func (r *Repo) SetBranch(name string, to, from Hash) error {
	return r.setRef(plumbing.NewBranchReferenceName(name), to, func() error {
		if r.Branch(name) != from {
			return fmt.Errorf("%s: %w", name, ErrMoved)
		}
		return nil
	})
}

// Track notes where a branch of the hub was seen.
func (r *Repo) Track(name string, to Hash) error {
	return r.setRef(plumbing.NewRemoteReferenceName("hub", name), to, func() error { return nil })
}

// Tracked is where a branch of the hub was last seen.
func (r *Repo) Tracked(name string) Hash {
	ref, err := r.st.Reference(plumbing.NewRemoteReferenceName("hub", name))
	if err != nil {
		return Zero
	}
	return ref.Hash()
}

// DeleteBranch removes a branch.
func (r *Repo) DeleteBranch(name string) error {
	return r.st.RemoveReference(plumbing.NewBranchReferenceName(name))
}

// ClearLocks removes what a killed process left. Only who holds our lock calls it.
func (r *Repo) ClearLocks() {
	git := filepath.Join(r.Dir, ".git")
	for _, pattern := range []string{"*.lock", "refs/heads/*.lock", "refs/heads/*/*.lock", "refs/remotes/*/*.lock"} {
		names, _ := filepath.Glob(filepath.Join(git, pattern))
		for _, n := range names {
			if filepath.Base(n) != "tgp.lock" {
				_ = os.Remove(n)
			}
		}
	}
}

// File is a file of a commit.
type File struct {
	Path string
	Hash Hash
	Mode filemode.FileMode
}

// Regular reports whether it is a plain file.
func (f File) Regular() bool { return f.Mode == filemode.Regular || f.Mode == filemode.Executable }

// Commit is a commit.
type Commit struct {
	Hash    Hash
	Tree    Hash
	Parents []Hash
	Message string
	Author  string
	When    time.Time
}

// Subject is the first line of the message.
func (c *Commit) Subject() string { s, _, _ := strings.Cut(c.Message, "\n"); return s }

// Commit reads a commit.
func (r *Repo) Commit(h Hash) (*Commit, error) {
	c, err := object.GetCommit(r.st, h)
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", h, err)
	}
	return &Commit{h, c.TreeHash, c.ParentHashes, c.Message, c.Author.Name, c.Author.When}, nil
}

// Files are the files of a commit, or of a directory in it ("tools", "" for all).
func (r *Repo) Files(commit Hash, under string) (map[string]File, error) {
	out := map[string]File{}
	if commit.IsZero() {
		return out, nil
	}
	c, err := r.Commit(commit)
	if err != nil {
		return nil, err
	}
	tree := c.Tree
	if under != "" {
		for part := range strings.SplitSeq(under, "/") {
			if tree, err = r.sub(tree, part); err != nil || tree.IsZero() {
				return out, err
			}
		}
	}
	return out, r.collect(tree, under, 0, out)
}

func (r *Repo) sub(tree Hash, name string) (Hash, error) {
	t, err := object.GetTree(r.st, tree)
	if err != nil {
		return Zero, err
	}
	for _, e := range t.Entries {
		if e.Name == name && e.Mode == filemode.Dir {
			return e.Hash, nil
		}
	}
	return Zero, nil
}

// most bounds what is read of a tree.
const most = 200_000

func (r *Repo) collect(tree Hash, dir string, depth int, out map[string]File) error {
	if depth > 20 {
		return errors.New("the tree is too deep")
	}
	t, err := object.GetTree(r.st, tree)
	if err != nil {
		return err
	}
	for _, e := range t.Entries {
		name := path.Join(dir, e.Name)
		if e.Mode == filemode.Dir {
			if err := r.collect(e.Hash, name, depth+1, out); err != nil {
				return err
			}
			continue
		}
		if len(out) > most {
			return errors.New("the tree has too many files")
		}
		out[name] = File{name, e.Hash, e.Mode}
	}
	return nil
}

// Blob reads a file of at most limit bytes.
func (r *Repo) Blob(h Hash, limit int64) ([]byte, error) {
	b, err := object.GetBlob(r.st, h)
	if err != nil {
		return nil, err
	}
	if b.Size > limit {
		return nil, fmt.Errorf("%d bytes are too many", b.Size)
	}
	rd, err := b.Reader()
	if err != nil {
		return nil, err
	}
	defer rd.Close()
	return io.ReadAll(io.LimitReader(rd, limit+1))
}

// Change is what becomes of a file: its new content, nil to take it away.
type Change struct {
	Path string
	Data []byte
}

// NewCommit writes a commit that changes files of base. The references stay.
func (r *Repo) NewCommit(base Hash, parents []Hash, changes []Change, message, author string, when time.Time) (Hash, error) {
	tree := Zero
	if !base.IsZero() {
		c, err := r.Commit(base)
		if err != nil {
			return Zero, err
		}
		tree = c.Tree
	}
	tree, err := r.apply(tree, changes)
	if err != nil {
		return Zero, err
	}
	if tree.IsZero() {
		if tree, err = r.store(&object.Tree{}); err != nil {
			return Zero, err
		}
	}
	who := object.Signature{Name: author, Email: author + "@localhost", When: when}
	return r.store(&object.Commit{Author: who, Committer: who, Message: message + "\n", TreeHash: tree, ParentHashes: parents})
}

type encoder interface {
	Encode(plumbing.EncodedObject) error
}

func (r *Repo) store(o encoder) (Hash, error) {
	e := r.st.NewEncodedObject()
	if err := o.Encode(e); err != nil {
		return Zero, err
	}
	return r.put(e)
}

// put stores an object that is not there yet.
func (r *Repo) put(e plumbing.EncodedObject) (Hash, error) {
	if r.st.HasEncodedObject(e.Hash()) == nil {
		return e.Hash(), nil
	}
	return r.st.SetEncodedObject(e)
}

// PutBlob stores a file.
func (r *Repo) PutBlob(data []byte) (Hash, error) {
	e := r.st.NewEncodedObject()
	e.SetType(plumbing.BlobObject)
	w, err := e.Writer()
	if err != nil {
		return Zero, err
	}
	if _, err := w.Write(data); err != nil {
		return Zero, err
	}
	if err := w.Close(); err != nil {
		return Zero, err
	}
	return r.put(e)
}

// apply changes a tree and returns the new one, Zero if nothing is left in it.
func (r *Repo) apply(tree Hash, changes []Change) (Hash, error) {
	t := &object.Tree{}
	if !tree.IsZero() {
		var err error
		if t, err = object.GetTree(r.st, tree); err != nil {
			return Zero, err
		}
	}
	entries := map[string]object.TreeEntry{}
	for _, e := range t.Entries {
		entries[e.Name] = e
	}
	below := map[string][]Change{}
	for _, c := range changes {
		name, rest, deeper := strings.Cut(c.Path, "/")
		switch {
		case deeper:
			below[name] = append(below[name], Change{rest, c.Data})
		case c.Data == nil:
			delete(entries, name)
		default:
			h, err := r.PutBlob(c.Data)
			if err != nil {
				return Zero, err
			}
			entries[name] = object.TreeEntry{Name: name, Mode: filemode.Regular, Hash: h}
		}
	}
	for name, cs := range below {
		old := Zero
		if e, ok := entries[name]; ok && e.Mode == filemode.Dir {
			old = e.Hash
		}
		h, err := r.apply(old, cs)
		if err != nil {
			return Zero, err
		}
		if h.IsZero() {
			delete(entries, name)
			continue
		}
		entries[name] = object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: h}
	}
	if len(entries) == 0 {
		return Zero, nil
	}
	n := &object.Tree{}
	for _, e := range entries {
		n.Entries = append(n.Entries, e)
	}
	slices.SortFunc(n.Entries, func(a, b object.TreeEntry) int { return cmp.Compare(sortName(a), sortName(b)) })
	return r.store(n)
}

// sortName is the name by which git orders a tree.
func sortName(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}

// WriteIndex makes the index that of a commit.
func (r *Repo) WriteIndex(commit Hash) error {
	files, err := r.Files(commit, "")
	if err != nil {
		return err
	}
	idx := &index.Index{Version: 2}
	for _, f := range files {
		e := &index.Entry{Name: f.Path, Hash: f.Hash, Mode: f.Mode}
		if st, err := os.Lstat(filepath.Join(r.Dir, f.Path)); err == nil {
			e.ModifiedAt, e.Size = st.ModTime(), uint32(st.Size())
		}
		idx.Entries = append(idx.Entries, e)
	}
	slices.SortFunc(idx.Entries, func(a, b *index.Entry) int { return strings.Compare(a.Name, b.Name) })
	return r.st.SetIndex(idx)
}

// Walk visits the commits of histories, each once, newest first; visit returns false to
// end.
func (r *Repo) Walk(from []Hash, visit func(*Commit) bool) error {
	seen := map[Hash]bool{}
	var todo []*Commit
	add := func(h Hash) error {
		if h.IsZero() || seen[h] {
			return nil
		}
		seen[h] = true
		c, err := r.Commit(h)
		if err == nil {
			todo = append(todo, c)
		}
		return err
	}
	for _, h := range from {
		if err := add(h); err != nil {
			return err
		}
	}
	for len(todo) > 0 {
		newest := 0
		for i, c := range todo {
			if c.When.After(todo[newest].When) {
				newest = i
			}
		}
		c := todo[newest]
		todo = slices.Delete(todo, newest, newest+1)
		if !visit(c) {
			return nil
		}
		for _, h := range c.Parents {
			if err := add(h); err != nil {
				return err
			}
		}
	}
	return nil
}

// Changed are the paths under a directory that differ between two commits.
func (r *Repo) Changed(a, b Hash, under string) ([]string, error) {
	x, err := r.Files(a, under)
	if err != nil {
		return nil, err
	}
	y, err := r.Files(b, under)
	if err != nil {
		return nil, err
	}
	var out []string
	for p, f := range y {
		if x[p].Hash != f.Hash {
			out = append(out, p)
		}
	}
	for p := range x {
		if _, ok := y[p]; !ok {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out, nil
}

// Touched are the paths that a commit changes: that differ from all of its parents, so
// that a merge changes only what neither side had. Only the directories that differ are
// read.
func (r *Repo) Touched(c *Commit) ([]string, error) {
	if len(c.Parents) == 0 {
		var out []string
		err := r.differ(Zero, c.Tree, "", 0, &out)
		return out, err
	}
	var touched []string
	for i, h := range c.Parents {
		p, err := r.Commit(h)
		if err != nil {
			return nil, err
		}
		var out []string
		if err := r.differ(p.Tree, c.Tree, "", 0, &out); err != nil {
			return nil, err
		}
		if i > 0 {
			out = slices.DeleteFunc(out, func(p string) bool { return !slices.Contains(touched, p) })
		}
		if touched = out; len(touched) == 0 {
			return nil, nil
		}
	}
	return touched, nil
}

func (r *Repo) differ(a, b Hash, dir string, depth int, out *[]string) error {
	if a == b || depth > 20 {
		return nil
	}
	read := func(h Hash) (map[string]object.TreeEntry, error) {
		m := map[string]object.TreeEntry{}
		if h.IsZero() {
			return m, nil
		}
		t, err := object.GetTree(r.st, h)
		if err != nil {
			return nil, err
		}
		for _, e := range t.Entries {
			m[e.Name] = e
		}
		return m, nil
	}
	x, err := read(a)
	if err != nil {
		return err
	}
	y, err := read(b)
	if err != nil {
		return err
	}
	for name, e := range y {
		o := x[name]
		if o.Hash == e.Hash && o.Mode == e.Mode {
			continue
		}
		p := path.Join(dir, name)
		if e.Mode != filemode.Dir {
			*out = append(*out, p)
			continue
		}
		old := Zero
		if o.Mode == filemode.Dir {
			old = o.Hash
		}
		if err := r.differ(old, e.Hash, p, depth+1, out); err != nil {
			return err
		}
	}
	for name, e := range x {
		if _, ok := y[name]; ok {
			continue
		}
		if e.Mode == filemode.Dir {
			if err := r.differ(e.Hash, Zero, path.Join(dir, name), depth+1, out); err != nil {
				return err
			}
			continue
		}
		*out = append(*out, path.Join(dir, name))
	}
	return nil
}

// IsAncestor reports whether one commit is another, or behind it in its history.
func (r *Repo) IsAncestor(old, now Hash) (bool, error) {
	if old.IsZero() || old == now {
		return true, nil
	}
	seen := map[Hash]bool{}
	todo := []Hash{now}
	for len(todo) > 0 {
		h := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if h == old {
			return true, nil
		}
		if h.IsZero() || seen[h] {
			continue
		}
		seen[h] = true
		c, err := r.Commit(h)
		if err != nil {
			return false, err
		}
		todo = append(todo, c.Parents...)
	}
	return false, nil
}
