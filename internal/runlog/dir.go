// Package runlog keeps what has happened: the output of runs, what was resolved
// last, and which plans a person approved. Everything is written
// for its owner alone, and nothing is written or read through a symbolic link
// below the directory that the caller names.
package runlog

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// dir is an open directory. Its files are reached through it and not by path,
// so that nobody can put a symbolic link in between.
type dir struct {
	f     *os.File
	path  string // for messages
	later bool   // what is written is not waited for
}

// openDir opens a directory that may itself be reached through links.
func openDir(path string) (*dir, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return &dir{f: f, path: path}, nil
}

func (d *dir) fd() int { return int(d.f.Fd()) }

func (d *dir) Close() error { return d.f.Close() }

// sub opens a directory in d, never through a symbolic link; with create it is
// made, for the owner alone, if it does not exist.
func (d *dir) sub(name string, create bool) (*dir, error) {
	path := filepath.Join(d.path, name)
	if create {
		if err := unix.Mkdirat(d.fd(), name, 0o700); err != nil && err != unix.EEXIST {
			return nil, &os.PathError{Op: "mkdir", Path: path, Err: err}
		}
	}
	fd, err := unix.Openat(d.fd(), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, d.linkError(name, err)
	}
	return &dir{f: os.NewFile(uintptr(fd), path), path: path}, nil
}

// open opens a file in d, never through a symbolic link.
func (d *dir) open(name string, flags int) (*os.File, error) {
	fd, err := unix.Openat(d.fd(), name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, d.linkError(name, err)
	}
	return os.NewFile(uintptr(fd), filepath.Join(d.path, name)), nil
}

// ErrLink is wrapped by the errors about a symbolic link in place of a file or
// directory of ours.
var ErrLink = errors.New("is a symbolic link, which is not followed")

func (d *dir) linkError(name string, err error) error {
	var st unix.Stat_t
	if unix.Fstatat(d.fd(), name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return fmt.Errorf("%s %w", filepath.Join(d.path, name), ErrLink)
	}
	return &os.PathError{Op: "open", Path: filepath.Join(d.path, name), Err: err}
}

// write puts a file in place whole: a temporary beside it, fsync, rename, fsync
// of the directory.
func (d *dir) write(name string, data []byte) error {
	if d.later {
		return d.writeLater(name, data)
	}
	err := d.put(name, (*os.File).Sync, func(*os.File) ([]byte, error) { return data, nil })
	if err != nil {
		return err
	}
	return d.f.Sync()
}

// writeLater is write for what may be lost with the machine: it is not waited for.
func (d *dir) writeLater(name string, data []byte) error {
	return d.put(name, func(*os.File) error { return nil }, func(*os.File) ([]byte, error) { return data, nil })
}

// writeSealed is write for a record that says which file it is.
func (d *dir) writeSealed(name string, content func(inode uint64, birth int64) ([]byte, error)) error {
	err := d.put(name, (*os.File).Sync, func(f *os.File) ([]byte, error) { return content(born(f)) })
	if err != nil {
		return err
	}
	return d.f.Sync()
}

func (d *dir) put(name string, sync func(*os.File) error, content func(*os.File) ([]byte, error)) error {
	tmp := "." + name + "." + randomHex(4)
	f, err := d.open(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	data, err := content(f)
	if err == nil {
		_, err = f.Write(data)
	}
	err = errors.Join(err, sync(f), f.Close())
	if err == nil {
		if e := unix.Renameat(d.fd(), tmp, d.fd(), name); e != nil {
			err = &os.PathError{Op: "rename", Path: filepath.Join(d.path, name), Err: e}
		}
	}
	if err != nil {
		_ = unix.Unlinkat(d.fd(), tmp, 0)
	}
	return err
}

// read returns the content of a regular file of at most limit bytes.
func (d *dir) read(name string, limit int64) ([]byte, error) {
	f, err := d.open(name, os.O_RDONLY|unix.O_NONBLOCK)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > limit {
		return nil, fmt.Errorf("%s is not a file of ours", f.Name())
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// names lists the entries that do not begin with a dot, in no order.
func (d *dir) names() ([]string, error) {
	// A second descriptor: reading one moves its offset for good.
	again, err := d.sub(".", false)
	if err != nil {
		return nil, err
	}
	defer again.Close()
	all, err := again.f.Readdirnames(-1)
	var out []string
	for _, n := range all {
		if !strings.HasPrefix(n, ".") {
			out = append(out, n)
		}
	}
	return out, err
}

// remove removes a file, or an empty directory with rmdir.
func (d *dir) remove(name string, rmdir bool) error {
	flags := 0
	if rmdir {
		flags = unix.AT_REMOVEDIR
	}
	return unix.Unlinkat(d.fd(), name, flags)
}

func randomHex(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // never fails, see crypto/rand
	return hex.EncodeToString(b)
}
