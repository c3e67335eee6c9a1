package runlog

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Put puts a file beside the runs of a place, whole or not at all. It is no run: the
// retention leaves it alone.
func (p Place) Put(name string, data []byte) error {
	d, err := p.open(true)
	if err != nil {
		return err
	}
	defer d.Close()
	tmp := "." + name + "." + randomHex(4)
	f, err := d.open(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = unix.Renameat(d.fd(), tmp, d.fd(), name)
	}
	if err != nil {
		_ = unix.Unlinkat(d.fd(), tmp, 0)
	}
	return err
}

// Get returns a file beside the runs of at most limit bytes.
func (p Place) Get(name string, limit int64) ([]byte, error) {
	d, err := p.open(false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.read(name, limit)
}

// Beside lists what lies beside the runs; nothing if there is no such place.
func (p Place) Beside() ([]string, error) {
	d, err := p.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.names()
	if err != nil {
		return nil, err
	}
	out := names[:0]
	for _, n := range names {
		if !isRun(n) {
			out = append(out, n)
		}
	}
	return out, nil
}

// Remove removes a file beside the runs, or a run that is not in progress.
func (p Place) Remove(name string) error {
	d, err := p.open(false)
	if err != nil {
		return err
	}
	defer d.Close()
	if isRun(name) {
		return removeRun(d, name)
	}
	return d.remove(name, false)
}

// Drop removes the directory of a place if nothing is in it.
func (p Place) Drop() error { return os.Remove(p.Dir + "/" + p.Sub) }
