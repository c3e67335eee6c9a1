//go:build unix

package tcpdb

import (
	"runtime"
	"strings"
	"syscall"
)

const maxLinks = 40 // as the kernel

func isProgram(path string) bool {
	var st syscall.Stat_t
	return syscall.Stat(path, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFREG && st.Mode&0o111 != 0
}

// walkChain goes down an absolute path, follows links, and returns where it
// ends and, if somebody else may change what lies there, a reason.
func walkChain(path string) (end, reason string) {
	var root syscall.Stat_t
	if err := syscall.Lstat("/", &root); err != nil {
		return path, "its path cannot be read"
	}
	// In a user namespace root's files belong to "nobody", and so does "/".
	w := walker{owner: root.Uid, self: uint32(syscall.Geteuid())}
	end, links := "", 0
	rest := path
	for rest != "" {
		var name string
		name, rest, _ = strings.Cut(strings.TrimLeft(rest, "/"), "/")
		switch name {
		case "", ".":
			continue
		case "..":
			end = end[:max(strings.LastIndexByte(end, '/'), 0)]
			continue
		}
		at := end + "/" + name
		var st syscall.Stat_t
		if err := syscall.Lstat(at, &st); err != nil {
			return at, "its path cannot be read"
		}
		if st.Mode&syscall.S_IFMT == syscall.S_IFLNK {
			target, ok := readLink(at)
			if links++; links > maxLinks || !ok {
				return at, "its path has too many links"
			}
			if !w.ours(st.Uid) {
				return at, "a link on its path belongs to another user"
			}
			if strings.HasPrefix(target, "/") {
				end = ""
			}
			rest = target + "/" + rest
			continue
		}
		end = at
		if reason := w.judge(&st); reason != "" {
			return end, reason
		}
	}
	return end, ""
}

func readLink(path string) (string, bool) {
	var buf [4096]byte
	n, err := syscall.Readlink(path, buf[:])
	if err != nil || n <= 0 || n == len(buf) {
		return "", false
	}
	return string(buf[:n]), true
}

// walker knows whose files count as the machine's own.
type walker struct {
	owner, self uint32
	groups      []int
	asked       bool
}

func (w *walker) ours(uid uint32) bool { return uid == 0 || uid == w.owner || uid == w.self }

func (w *walker) judge(st *syscall.Stat_t) string {
	if !w.ours(st.Uid) {
		return "it or a directory above it belongs to another user"
	}
	// In a sticky directory nobody can replace what belongs to another.
	if st.Mode&syscall.S_IFMT == syscall.S_IFDIR && st.Mode&syscall.S_ISVTX != 0 {
		return ""
	}
	if st.Mode&0o002 != 0 || st.Mode&0o020 != 0 && !w.ourGroup(int(st.Gid)) {
		return "others may write it or a directory above it"
	}
	return ""
}

func (w *walker) ourGroup(gid int) bool {
	const staff = 20
	if runtime.GOOS == "darwin" && gid == staff {
		return false
	}
	if gid < 100 {
		return true
	}
	if !w.asked {
		w.groups, _ = syscall.Getgroups()
		w.groups = append(w.groups, syscall.Getegid())
		w.asked = true
	}
	for _, g := range w.groups {
		if g == gid {
			return true
		}
	}
	return false
}
