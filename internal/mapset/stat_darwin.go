package mapset

import "syscall"

// times returns modification and change time in nanoseconds since 1970.
func times(st *syscall.Stat_t) (mtime, ctime int64) {
	return st.Mtimespec.Nano(), st.Ctimespec.Nano()
}
