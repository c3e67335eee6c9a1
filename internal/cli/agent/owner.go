package agent

import (
	"io/fs"
	"os"
	"syscall"
)

// chown gives a file the owner of another one, where this user may.
func chown(f *os.File, st fs.FileInfo) {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(sys.Uid), int(sys.Gid))
	}
}
