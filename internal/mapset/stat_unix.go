//go:build unix

package mapset

import (
	"os"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// status is what matters of a file here.
type status struct {
	tcpdb.Source
	dir, symlink bool
	owner        uint32
	othersWrite  bool // the group or everybody may write it

	everybodyWrites bool
}

// lstat calls the system directly: os.Lstat would allocate for each of the
// directories that a search passes.
func lstat(name string) (status, error) { return statusOf(name, false) }

// stat follows symbolic links.
func stat(name string) (status, error) { return statusOf(name, true) }

func statusOf(name string, follow bool) (status, error) {
	var st syscall.Stat_t
	for {
		var err error
		if follow {
			err = syscall.Stat(name, &st)
		} else {
			err = syscall.Lstat(name, &st)
		}
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return status{}, err
		}
		break
	}
	s := status{owner: st.Uid, othersWrite: st.Mode&0o022 != 0, everybodyWrites: st.Mode&0o002 != 0}
	s.dir = st.Mode&syscall.S_IFMT == syscall.S_IFDIR
	s.symlink = st.Mode&syscall.S_IFMT == syscall.S_IFLNK
	s.Dev, s.Ino, s.Size = uint64(st.Dev), uint64(st.Ino), st.Size
	s.MTime, s.CTime = times(&st)
	return s, nil
}

func self() uint32 { return uint32(os.Geteuid()) }
