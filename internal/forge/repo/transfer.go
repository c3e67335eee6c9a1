package repo

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Bounds of what is taken from another repository.
const (
	largestObject = 8 << 20 // bytes
	deepestTree   = 64
)

// transfer copies the objects that a commit reaches and that are not there yet. What an
// object names is copied before it: whenever the copy is killed, an object that is there
// is whole, and the next copy goes on from it.
func transfer(from, to *Repo, want Hash) error {
	todo := []Hash{want}
	for len(todo) > 0 {
		h := todo[len(todo)-1]
		if h.IsZero() || to.has(h) {
			todo = todo[:len(todo)-1]
			continue
		}
		c, err := from.Commit(h)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrRemote, err)
		}
		missing := 0
		for _, p := range c.Parents {
			if !to.has(p) {
				todo = append(todo, p)
				missing++
			}
		}
		if missing > 0 {
			continue // until they are there
		}
		if err := copyTree(from, to, c.Tree, 0); err != nil {
			return err
		}
		if err := copyObject(from, to, h); err != nil {
			return err
		}
	}
	return nil
}

func (r *Repo) has(h Hash) bool { return r.st.HasEncodedObject(h) == nil }

func copyTree(from, to *Repo, h Hash, depth int) error {
	if to.has(h) {
		return nil
	}
	if depth > deepestTree {
		return fmt.Errorf("%w: a tree of more than %d levels", ErrRemote, deepestTree)
	}
	t, err := object.GetTree(from.st, h)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRemote, err)
	}
	for _, e := range t.Entries {
		switch e.Mode {
		case filemode.Dir:
			err = copyTree(from, to, e.Hash, depth+1)
		case filemode.Submodule: // of another repository
		default:
			err = copyObject(from, to, e.Hash)
		}
		if err != nil {
			return err
		}
	}
	return copyObject(from, to, h)
}

func copyObject(from, to *Repo, h Hash) error {
	if to.has(h) {
		return nil
	}
	o, err := from.st.EncodedObject(plumbing.AnyObject, h)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRemote, err)
	}
	if o.Size() > largestObject {
		return fmt.Errorf("%w: an object of %d bytes", ErrRemote, o.Size())
	}
	_, err = to.st.SetEncodedObject(o)
	return err
}
