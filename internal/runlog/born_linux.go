package runlog

import (
	"os"

	"golang.org/x/sys/unix"
)

// born is what tells a file from a copy of it: its inode and when that was made,
// 0 where the file system does not say.
func born(f *os.File) (inode uint64, birth int64) {
	var st unix.Statx_t
	if unix.Statx(int(f.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_INO|unix.STATX_BTIME, &st) != nil {
		return 0, 0
	}
	if st.Mask&unix.STATX_BTIME != 0 {
		birth = st.Btime.Sec*1e9 + int64(st.Btime.Nsec)
	}
	return st.Ino, birth
}
