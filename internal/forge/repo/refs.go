package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// How long a lock of git is waited for, and after which time nobody holds it: git has
// one for as long as it takes to write a line.
const (
	lockWait = 5 * time.Second
	lockDead = 3 * time.Second
)

// setRef moves a reference from one commit to another as git does: by a lock file
// beside it, which becomes the reference whole. go-git writes into the file itself, so
// that who is killed then leaves a repository that nobody can read.
func (r *Repo) setRef(name plumbing.ReferenceName, to Hash, check func() error) error {
	file := filepath.Join(r.git, filepath.FromSlash(name.String()))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	lock, err := lockRef(file + ".lock")
	if err != nil {
		return err
	}
	defer os.Remove(file + ".lock") // gone if all went well
	if err := check(); err != nil {
		return errors.Join(err, lock.Close())
	}
	_, err = lock.WriteString(to.String() + "\n")
	if err := errors.Join(err, lock.Sync(), lock.Close()); err != nil {
		return err
	}
	return os.Rename(file+".lock", file)
}

// lockRef makes a lock file. One whose maker was killed is taken away.
func lockRef(name string) (*os.File, error) {
	for end := time.Now().Add(lockWait); ; time.Sleep(20 * time.Millisecond) {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
		if st, err := os.Lstat(name); err == nil && time.Since(st.ModTime()) > lockDead {
			_ = os.Remove(name)
			continue
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("%s is there: another process is writing", name)
		}
	}
}
