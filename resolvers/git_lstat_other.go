//go:build linux && !amd64 && !arm64

package resolvers

import "syscall"

// lstat is lstat(2) of an entry; name ends in a zero byte.
func (d *workDir) lstat(name []byte, st *syscall.Stat_t) (err error) {
	*st, err = lstatFile(d.path + string(name[:len(name)-1]))
	return err
}
