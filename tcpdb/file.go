package tcpdb

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

const (
	lockWait = 5 * time.Second
	lockPoll = 20 * time.Millisecond
)

// BusyError says that another process holds the lock of a file.
type BusyError struct {
	Path string
	PID  int // of the holder; 0 if it is not known
}

func (e *BusyError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("%s is being written by another process", e.Path)
	}
	return fmt.Sprintf("%s is being written by process %d", e.Path, e.PID)
}

// ExitCode is EX_TEMPFAIL of sysexits.h: try again later.
func (e *BusyError) ExitCode() int { return 75 }

// WriteFile puts data in the place of the file at path, readable by all: after
// it, and after a crash at any moment of it, the file is the old one or the new
// one. It waits up to five seconds for another writer, then returns *BusyError.
func WriteFile(path string, data []byte) error { return writeLocked(path, data, 0o644) }

// WritePrivateFile is WriteFile for a file that only its owner may read.
func WritePrivateFile(path string, data []byte) error { return writeLocked(path, data, 0o600) }

func writeLocked(path string, data []byte, mode fs.FileMode) error {
	l, err := Lock(path)
	if err != nil {
		return err
	}
	defer l.Unlock()
	return l.Write(data, mode)
}

// FileLock is the right to write one file. The lock is on a file beside it,
// "<path>.lock", which stays; it ends with the process in any case.
type FileLock struct {
	path string
	file *os.File
}

// Lock takes the lock of the file at path, for builders that must not work
// beside each other. It waits as WriteFile does.
func Lock(path string) (*FileLock, error) {
	f, err := openLock(path + ".lock")
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(lockWait)
	for {
		err := flock(f)
		if err == nil {
			break
		}
		if !errors.Is(err, errLocked) {
			f.Close()
			return nil, &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
		if time.Now().After(deadline) {
			defer f.Close()
			return nil, &BusyError{Path: path, PID: holder(f)}
		}
		time.Sleep(lockPoll)
	}
	// The number is for people; that it cannot be written does no harm.
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	return &FileLock{path: path, file: f}, nil
}

// holder reads the process number in a lock file.
func holder(f *os.File) int {
	var buf [20]byte
	n, _ := f.ReadAt(buf[:], 0)
	pid, _ := strconv.Atoi(strings.TrimSpace(string(buf[:n])))
	return pid
}

// Unlock gives the lock up.
func (l *FileLock) Unlock() error { return l.file.Close() }

// Write replaces the file as WriteFile does.
func (l *FileLock) Write(data []byte, mode fs.FileMode) error {
	if st, err := os.Lstat(l.path); err == nil && !st.Mode().IsRegular() {
		return &fs.PathError{Op: "write", Path: l.path, Err: fmt.Errorf("it is a %s, not a regular file", kindOf(st.Mode()))}
	}
	dir, name := filepath.Split(l.path)
	// One name is enough under the lock, and what a killed writer leaves behind
	// is used up by the next one.
	temp := dir + "." + name + ".new"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := writeSynced(temp, data, mode); err != nil {
		os.Remove(temp)
		return err
	}
	if err := os.Rename(temp, l.path); err != nil {
		os.Remove(temp)
		return err
	}
	return syncDir(dir)
}

func writeSynced(path string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir makes a rename last. Some file systems cannot sync a directory; the
// rename is done all the same.
func syncDir(dir string) error {
	if dir == "" {
		dir = "."
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil //nolint:nilerr // a directory that may be searched but not read
	}
	defer d.Close()
	_ = d.Sync()
	return nil
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "directory"
	case m&fs.ModeSymlink != 0:
		return "symbolic link"
	case m&fs.ModeDevice != 0:
		return "device"
	default:
		return "special file"
	}
}
