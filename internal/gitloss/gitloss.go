// Package gitloss tells what of a repository's history a command would leave
// without a branch, tag or other ref. It reads the repository through the storage
// of go-git and runs nothing; Tab and Enter do not link it.
//
// go-git does less than git in places (it knows no reftable and no SHA-256, and
// takes repositories of any owner): the caller has the owner checked, and what this
// package does not know is ErrUnknown, never a loss that is too small.
package gitloss

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// ErrUnknown says that the answer cannot be told: the repository has an extension
// that go-git does not know, a name means nothing, or the history is too long.
var ErrUnknown = errors.New("not known")

// Loss is what no ref would hold any more.
type Loss struct {
	Commits int
	Newest  Commit // zero if there are none
}

// Commit is one of them.
type Commit struct {
	Hash    string // 40 hex digits
	Subject string // the first line of its message
	When    time.Time
}

// Repo is an open repository. It is for one goroutine.
type Repo struct {
	store   *filesystem.Storage
	refs    map[plumbing.ReferenceName]plumbing.Hash // all but HEAD
	head    plumbing.Hash
	branch  plumbing.ReferenceName // that HEAD is on, or ""
	others  []plumbing.Hash        // HEADs of other work trees
	shallow map[plumbing.Hash]bool
	cut     time.Time // when to give up
}

// patience is how long one repository is read.
const patience = 2 * time.Second

// Open opens the repository of a work tree, whose owner the caller has checked.
// Errors are those of the system, go-git's, or ErrUnknown.
func Open(workTree string) (r *Repo, err error) {
	defer caught(&err)
	dir, common, err := gitDirs(workTree)
	if err != nil {
		return nil, err
	}
	fs := dotgit.NewRepositoryFilesystem(osfs.New(dir), osfs.New(common))
	r = &Repo{
		store: filesystem.NewStorageWithOptions(fs, cache.NewObjectLRU(8<<20), filesystem.Options{KeepDescriptors: true, LargeObjectThreshold: maxCommit}),
		refs:  map[plumbing.ReferenceName]plumbing.Hash{}, shallow: map[plumbing.Hash]bool{}, cut: time.Now().Add(patience),
	}
	if err := r.read(dir, common); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close gives the files back.
func (r *Repo) Close() { _ = r.store.Close() }

// gitDirs finds the git directory of a work tree, and the one that it shares with
// others (gitrepository-layout(5)).
func gitDirs(workTree string) (dir, common string, err error) {
	dir = filepath.Join(workTree, ".git")
	if data, err := os.ReadFile(dir); err == nil {
		to, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
		if !ok {
			return "", "", ErrUnknown
		}
		dir = within(workTree, to)
	}
	if _, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil {
		return "", "", err
	}
	common = dir
	if data, err := os.ReadFile(filepath.Join(dir, "commondir")); err == nil {
		common = within(dir, strings.TrimSpace(string(data)))
	}
	return dir, common, nil
}

func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// read takes in the refs and what limits the history.
func (r *Repo) read(dir, common string) error {
	config, err := r.store.Config()
	if err != nil {
		return err
	}
	for _, o := range config.Raw.Section("extensions").Options {
		switch strings.ToLower(o.Key) {
		case "noop", "worktreeconfig", "relativeworktrees":
		default: // objectFormat, refStorage, partialClone …
			return ErrUnknown
		}
	}
	shallow, err := r.store.Shallow()
	if err != nil {
		return err
	}
	for _, h := range shallow {
		r.shallow[h] = true
	}
	if err := r.readRefs(); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(common, "info/grafts")); err == nil {
		return ErrUnknown
	}
	heads, err := filepath.Glob(filepath.Join(common, "worktrees/*/HEAD"))
	if err != nil {
		return err
	}
	own := filepath.Join(dir, "HEAD")
	for _, file := range append(heads, filepath.Join(common, "HEAD")) {
		if file == own {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		// On a branch it holds what that holds.
		if text := strings.TrimSpace(string(data)); plumbing.IsHash(text) {
			r.others = append(r.others, plumbing.NewHash(text))
		}
	}
	return nil
}

func (r *Repo) readRefs() error {
	iter, err := r.store.IterReferences()
	if err != nil {
		return err
	}
	defer iter.Close()
	return iter.ForEach(func(ref *plumbing.Reference) error {
		switch {
		case strings.HasPrefix(string(ref.Name()), "refs/replace/"):
			return ErrUnknown
		case ref.Name() == plumbing.HEAD && ref.Type() == plumbing.HashReference:
			r.head = ref.Hash()
		case ref.Name() == plumbing.HEAD:
			r.branch = ref.Target()
			if at, err := r.store.Reference(r.branch); err == nil {
				r.head = at.Hash()
			}
		case ref.Type() == plumbing.HashReference:
			r.refs[ref.Name()] = ref.Hash()
		}
		return nil
	})
}

// Deleted tells what is lost with branches or tags: names in a directory of
// refs, "refs/heads/" or "refs/tags/".
func (r *Repo) Deleted(kind string, names []string) (l Loss, err error) {
	defer caught(&err)
	gone := map[plumbing.ReferenceName]bool{}
	var from []plumbing.Hash
	for _, name := range names {
		ref := plumbing.ReferenceName(kind + name)
		hash, ok := r.refs[ref]
		if !ok {
			return Loss{}, fmt.Errorf("%w: %s", ErrUnknown, ref)
		}
		gone[ref] = true
		from = append(from, hash)
	}
	return r.lost(from, r.held(gone, r.head))
}

// Reset tells what is lost when the branch of HEAD is moved to a revision: the
// name of a ref, a whole hash, HEAD, each with any ~N and ^N behind it.
func (r *Repo) Reset(revision string) (l Loss, err error) {
	defer caught(&err)
	to, err := r.resolve(revision)
	if err != nil {
		return Loss{}, err
	}
	return r.lost([]plumbing.Hash{r.head}, r.held(map[plumbing.ReferenceName]bool{r.branch: true}, to))
}

// held lists what all refs but those that are gone hold, with HEAD.
func (r *Repo) held(gone map[plumbing.ReferenceName]bool, head plumbing.Hash) []plumbing.Hash {
	out := append([]plumbing.Hash{head}, r.others...)
	for name, hash := range r.refs {
		if !gone[name] {
			out = append(out, hash)
		}
	}
	return out
}

// caught makes an error of a panic: the repository is a stranger's, and go-git a
// reader of a binary format.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v", ErrUnknown, p)
	}
}
