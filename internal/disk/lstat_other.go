//go:build linux && !amd64 && !arm64

package disk

import "syscall"

// Lstat is lstat(2) of an entry; name ends in a zero byte.
func (d *Dir) Lstat(name []byte, st *syscall.Stat_t) (err error) {
	*st, err = Lstat(d.path + string(name[:len(name)-1]))
	return err
}

// LstatHeld is Lstat; elsewhere it holds its processor meanwhile.
func (d *Dir) LstatHeld(name []byte, st *syscall.Stat_t) error { return d.Lstat(name, st) }
