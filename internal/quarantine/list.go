package quarantine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// List returns what the trash directories of the user hold, the newest first,
// and what of them could not be read.
func (s *Store) List() (items []Item, problems []error) {
	for _, t := range s.trashes() {
		entries, err := os.ReadDir(filepath.Join(t.dir, "info"))
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				problems = append(problems, err)
			}
			continue
		}
		for _, e := range entries {
			id, ok := strings.CutSuffix(e.Name(), infoSuffix)
			if !ok || id == "" || id == "." || id == ".." {
				continue
			}
			it, err := t.read(id)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			items = append(items, it)
		}
	}
	slices.SortStableFunc(items, func(a, b Item) int {
		return cmp.Or(b.Deleted.Compare(a.Deleted), cmp.Compare(a.Path, b.Path), cmp.Compare(b.ID, a.ID))
	})
	return items, problems
}

// trashes are those that exist, the home trash first.
func (s *Store) trashes() []trash {
	var ts []trash
	if s.home != "" {
		ts = append(ts, trash{dir: s.home, uid: s.uid})
	}
	for _, top := range s.tops() {
		for _, t := range topTrashes(top, s.uid) {
			same := func(o trash) bool { return o.dir == t.dir }
			if t.sound() == nil && !slices.ContainsFunc(ts, same) {
				ts = append(ts, t)
			}
		}
	}
	return ts
}

// Match returns the items that a person means by a word: those that were at
// that path, relative to dir unless absolute; if there is none, those with that
// ID. They keep the order of items.
func Match(items []Item, dir, word string) []Item {
	path := word
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	path = filepath.Clean(path)
	resolved := filepath.Join(real(filepath.Dir(path)), filepath.Base(path))
	var at, named []Item
	for _, it := range items {
		if it.Path == path || it.Path == resolved {
			at = append(at, it)
		}
		if it.ID == word {
			named = append(named, it)
		}
	}
	if len(at) > 0 {
		return at
	}
	return named
}

// Restore moves an item back to where it was, or to another path if to is not
// "". The directories above are made if they are gone; what is there already
// is never replaced.
func (s *Store) Restore(it Item, to string) (string, error) {
	if to == "" {
		to = it.Path
	}
	to, err := filepath.Abs(to)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return "", err
	}
	if err := rename(it.Held(), to); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return "", fmt.Errorf("%s exists, and is not replaced: %w", to, fs.ErrExist)
		}
		return "", err
	}
	if err := os.Remove(it.info()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return to, fmt.Errorf("%s is restored, its record stays: %w", to, err)
	}
	return to, nil
}

// Purge deletes an item for good.
func (s *Store) Purge(it Item) error {
	held := it.Held()
	err := os.RemoveAll(held)
	if errors.Is(err, fs.ErrPermission) {
		// A directory that its owner may not write keeps what is in it.
		_ = filepath.WalkDir(held, func(path string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() {
				_ = os.Chmod(path, 0o700)
				if err != nil {
					return nil
				}
			}
			return nil
		})
		err = os.RemoveAll(held)
	}
	if err != nil {
		return err
	}
	if err := os.Remove(it.info()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Older returns the items that were put away before a moment; those without a
// date are not among them.
func Older(items []Item, than time.Time) []Item {
	var old []Item
	for _, it := range items {
		if !it.Deleted.IsZero() && it.Deleted.Before(than) {
			old = append(old, it)
		}
	}
	return old
}
