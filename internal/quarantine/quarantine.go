// Package quarantine puts files out of the way instead of deleting them, in the
// layout of the freedesktop.org Trash specification 1.0, so that desktop tools
// see and restore what tmp put there and the other way round.
//
// A file goes into the trash of the file system that it is on: nothing is ever
// copied, and what cannot be moved in one step is refused.
package quarantine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ErrCannotHold is wrapped by the errors about what the trash cannot take; the
// file is untouched.
var ErrCannotHold = errors.New("cannot be put into the trash")

// Store is one user's trash over all file systems.
type Store struct {
	home string // the trash of the home directory's file system, "" without a home
	user string // the home directory itself
	uid  int
	// tops lists the top directories of the mounted file systems.
	tops func() []string
}

// Find returns the store that the environment names: $XDG_DATA_HOME/Trash, by
// default ~/.local/share/Trash, and the trash directories of the other file
// systems.
func Find(getenv func(string) string) *Store {
	s := &Store{uid: os.Getuid(), tops: mountPoints}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		s.user = filepath.Clean(home)
		s.home = filepath.Join(s.user, ".local/share/Trash")
	}
	if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		s.home = filepath.Join(data, "Trash")
	}
	return s
}

// Item is one file or directory in the trash.
type Item struct {
	// ID is the item's name in its trash directory.
	ID string
	// Path is where it was, absolute.
	Path string
	// Deleted is when it was put there, in local time to the second; zero if the
	// record does not say.
	Deleted time.Time
	// Dir is the trash directory that holds it.
	Dir string
	// Size is in bytes; -1 for a directory, whose size is not counted.
	Size int64
	// Mode tells a file from a directory or a link.
	Mode fs.FileMode
}

// Held is where the item is now.
func (it Item) Held() string { return filepath.Join(it.Dir, "files", it.ID) }

func (it Item) info() string { return filepath.Join(it.Dir, "info", it.ID+infoSuffix) }

const infoSuffix = ".trashinfo"

// Put moves a file or directory into the trash of its file system. A symbolic
// link is moved itself, not what it points to. A relative path is relative to
// the working directory.
func (s *Store) Put(path string, now time.Time) (Item, error) {
	place, err := s.accept(path)
	if err != nil {
		return Item{}, err
	}
	t, err := s.trashFor(place)
	if err != nil {
		return Item{}, err
	}
	if err := t.create(); err != nil {
		return Item{}, cannot(path, err)
	}
	return t.put(place, now)
}

// CanHold reports whether Put would take the path, without changing anything.
func (s *Store) CanHold(path string) error {
	place, err := s.accept(path)
	if err != nil {
		return err
	}
	t, err := s.trashFor(place)
	if err != nil {
		return err
	}
	return t.usable()
}

// spot is a file to be moved, its directory without symbolic links.
type spot struct {
	path string
	st   fs.FileInfo
	dev  uint64
}

// accept looks at the file and refuses what must not go into a trash.
func (s *Store) accept(path string) (spot, error) {
	if path == "" || strings.IndexByte(path, 0) >= 0 {
		return spot{}, cannot(path, errors.New("it is not a path"))
	}
	trimmed := strings.TrimRight(path, "/")
	if base := filepath.Base(trimmed); trimmed == "" || base == "." || base == ".." {
		return spot{}, cannot(path, errors.New("it is no named entry of a directory"))
	}
	full, err := filepath.Abs(trimmed)
	if err != nil {
		return spot{}, err
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(full))
	if err != nil {
		return spot{}, err
	}
	full = filepath.Join(parent, filepath.Base(full))
	st, err := os.Lstat(full)
	if err != nil {
		return spot{}, err
	}
	if trimmed != path && !st.IsDir() {
		return spot{}, &fs.PathError{Op: "put", Path: path, Err: errors.New("not a directory")}
	}
	dev, err := device(full)
	if err != nil {
		return spot{}, err
	}
	parentDev, err := device(parent)
	switch {
	case err != nil:
		return spot{}, err
	case dev != parentDev:
		return spot{}, cannot(path, errors.New("a file system is mounted there"))
	case s.user != "" && within(real(s.user), full):
		return spot{}, cannot(path, errors.New("it holds the home directory"))
	case s.home != "" && (within(real(s.home), full) || within(full, real(s.home))):
		return spot{}, cannot(path, errors.New("it belongs to the trash itself"))
	}
	return spot{full, st, dev}, nil
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/' || dir == "/")
}

// real resolves the symbolic links of the part of a path that exists.
func real(path string) string {
	for dir, rest := path, ""; ; {
		if r, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(r, rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return path
		}
		dir, rest = up, filepath.Join(filepath.Base(dir), rest)
	}
}

func cannot(path string, why error) error {
	return fmt.Errorf("%s %w: %w", path, ErrCannotHold, why)
}

// trashFor chooses the trash directory: that of the home directory on its own
// file system, else one in the top directory of the file's.
func (s *Store) trashFor(f spot) (trash, error) {
	if s.home != "" {
		if dev, err := device(real(existing(s.home))); err == nil && dev == f.dev {
			return trash{dir: s.home, uid: s.uid}, nil
		}
	}
	t, err := topTrash(topDir(filepath.Dir(f.path), f.dev), s.uid)
	if err != nil {
		return trash{}, cannot(f.path, err)
	}
	return t, nil
}

// topTrash is the first of topTrashes that can be used, or made.
func topTrash(top string, uid int) (own trash, err error) {
	for _, own = range topTrashes(top, uid) {
		err = own.sound()
		missing := errors.Is(err, fs.ErrNotExist)
		if err == nil || missing && own.usable() == nil {
			return own, nil
		}
		if missing {
			err = nil // making it says why it cannot be made
		}
	}
	return own, err
}

// topTrashes are the two places that the specification gives a user on a file
// system: .Trash/UID, where an administrator made .Trash, and .Trash-UID.
func topTrashes(top string, uid int) []trash {
	id := strconv.Itoa(uid)
	var ts []trash
	shared := filepath.Join(top, ".Trash")
	// The shared one counts only as a real directory with the sticky bit.
	if st, err := os.Lstat(shared); err == nil && st.IsDir() && st.Mode()&fs.ModeSticky != 0 {
		ts = append(ts, trash{dir: filepath.Join(shared, id), top: top, uid: uid, shared: true})
	}
	return append(ts, trash{dir: filepath.Join(top, ".Trash-"+id), top: top, uid: uid})
}

// topDir walks up from a directory as long as the file system stays the same.
func topDir(dir string, dev uint64) string {
	for {
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		if d, err := device(up); err != nil || d != dev {
			return dir
		}
		dir = up
	}
}

// existing is the nearest directory above a path that exists.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil {
			return path
		}
		up := filepath.Dir(path)
		if up == path {
			return path
		}
		path = up
	}
}
