//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Descriptors that the jail's first process starts with.
const (
	specFD   = 3
	reportFD = 4
)

// Child turns a process that Run started into the jailed program and does not
// return then. In every other process it does nothing. A program that calls Run
// calls it first of all.
func Child() {
	if os.Getenv(probe) != "" && os.Getpid() == 1 {
		os.Exit(0)
	}
	if len(os.Args) != 1 || os.Args[0] != jailName || os.Getpid() != 1 {
		return
	}
	runtime.LockOSThread() // what follows belongs to the thread that calls execve
	unix.CloseOnExec(reportFD)
	err := confine()
	fmt.Fprintf(os.NewFile(reportFD, "report"), "%v", err)
	os.Exit(126)
}

// confine closes the jail and executes the program; it returns only with an error.
func confine() error {
	order := os.NewFile(specFD, "spec")
	data, err := io.ReadAll(order)
	if err != nil {
		return err
	}
	_ = order.Close()
	var s Spec
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	if err := s.files(); err != nil {
		return err
	}
	if err := os.Chdir(s.Dir); err != nil {
		return err
	}
	if err := s.limits(); err != nil {
		return err
	}
	if err := dropPrivileges(); err != nil {
		return err
	}
	// Nothing but the three streams is passed on.
	if err := unix.CloseRange(reportFD+1, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return step("close_range", err)
	}
	if err := filter(); err != nil {
		return err
	}
	return step(execStep+s.Argv[0], unix.Exec(s.Argv[0], s.Argv, os.Environ()))
}

// execStep begins the report of a program that cannot be executed: the jail
// itself stood.
const execStep = "execve "

func step(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// devices are the ones that a jail has.
var devices = [...]string{"null", "zero", "full", "random", "urandom"}

// hidden are directories that hold sockets of services and other people's files:
// in a jail each is an empty one in memory.
var hidden = [...]string{"/tmp", "/var/tmp", "/run", "/var/run", "/dev/shm"}

// files makes the file system of the jail out of that of the machine.
func (s *Spec) files() error {
	// Nothing that is done here is seen outside.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return step("private mounts", err)
	}
	// Copies of the mounts that are needed later, taken before all is closed.
	var nodes [len(devices)]int
	for i, name := range devices {
		fd, err := unix.OpenTree(unix.AT_FDCWD, "/dev/"+name, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
		if err != nil {
			return step("/dev/"+name, err)
		}
		nodes[i] = fd
	}
	all := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, all); err != nil {
		return step("read-only mounts", err)
	}
	shown, err := s.shown()
	if err != nil {
		return err
	}
	// In a directory with the sticky bit the kernel refuses to open another's
	// device for writing with O_CREAT, as > /dev/null does.
	if err := s.memoryDir("/dev", "0755"); err != nil {
		return err
	}
	for _, dir := range hidden {
		if st, err := os.Lstat(dir); err == nil && st.IsDir() || dir == "/dev/shm" && os.Mkdir(dir, 0o1777) == nil {
			if err := s.memoryDir(dir, "1777"); err != nil {
				return err
			}
		}
	}
	if err := plantDevices(nodes[:]); err != nil {
		return err
	}
	for _, t := range shown {
		if err := t.plant(); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(Home, 0o700); err != nil {
		return err
	}
	s.ownProc()
	return nil
}

// memoryDir puts an empty directory in memory in the place of one.
func (s *Spec) memoryDir(dir, mode string) error {
	data := fmt.Sprintf("mode=%s,size=%d", mode, s.Disk)
	return step("tmpfs on "+dir, unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, data))
}

// tree is a copy of a mount that is to be seen in its old place.
type tree struct {
	fd   int
	path string
	dir  bool
}

// shown takes copies of what would be hidden and is to be seen: the directories
// that the caller names, and the program itself.
func (s *Spec) shown() ([]tree, error) {
	var trees []tree
	for _, path := range append(slices.Clone(s.Show), s.Argv[0]) {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, err
		}
		covered := func(dir string) bool { return strings.HasPrefix(real, dir+"/") }
		if path == "/proc/self/exe" || !slices.ContainsFunc(hidden[:], covered) {
			continue
		}
		st, err := os.Stat(real)
		if err != nil {
			return nil, err
		}
		fd, err := unix.OpenTree(unix.AT_FDCWD, real, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if err != nil {
			return nil, step("open_tree "+real, err)
		}
		trees = append(trees, tree{fd, real, st.IsDir()})
	}
	return trees, nil
}

// plant puts the copy back in its place.
func (t tree) plant() error {
	if _, err := os.Lstat(t.path); err == nil {
		return nil // within one that was planted before
	}
	if err := os.MkdirAll(filepath.Dir(t.path), 0o755); err != nil {
		return err
	}
	if t.dir {
		if err := os.Mkdir(t.path, 0o755); err != nil {
			return err
		}
	} else if err := os.WriteFile(t.path, nil, 0o600); err != nil {
		return err
	}
	return step("move_mount "+t.path, unix.MoveMount(t.fd, "", unix.AT_FDCWD, t.path, unix.MOVE_MOUNT_F_EMPTY_PATH))
}

// plantDevices fills the new /dev. There is no terminal in it.
func plantDevices(nodes []int) error {
	for i, name := range devices {
		path := "/dev/" + name
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			return err
		}
		if err := unix.MoveMount(nodes[i], "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return step(path, err)
		}
		_ = unix.Close(nodes[i])
	}
	for name, to := range map[string]string{"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"} {
		if err := os.Symlink("/proc/self/fd"+to, "/dev/"+name); err != nil {
			return err
		}
	}
	return nil
}

// ownProc shows the jail's processes alone. Where parts of /proc are masked the
// kernel does not allow it, and the old one stays: it cannot be written, and the
// processes in it cannot be reached from this user namespace.
func (s *Spec) ownProc() {
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	if unix.Mount("proc", "/proc", "proc", flags, "") != nil {
		return
	}
	// RLIMIT_NPROC does not hold for root. From Linux 6.14 on the jail has a limit
	// of its own, at least 301; before, the time is what bounds a fork bomb.
	_ = os.WriteFile("/proc/sys/kernel/pid_max", []byte(strconv.FormatUint(max(s.Processes, 301), 10)), 0)
	_ = unix.Mount("", "/proc", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|flags, "")
}

// limits sets what the program may use.
func (s *Spec) limits() error {
	seconds := uint64(s.Timeout.Seconds()) + 1
	for _, l := range []struct {
		name  string
		which int
		most  uint64
	}{
		{"RLIMIT_CPU", unix.RLIMIT_CPU, seconds},
		{"RLIMIT_CORE", unix.RLIMIT_CORE, 0},
		{"RLIMIT_FSIZE", unix.RLIMIT_FSIZE, s.Disk},
		{"RLIMIT_NOFILE", unix.RLIMIT_NOFILE, 512},
		{"RLIMIT_DATA", unix.RLIMIT_DATA, s.Memory},
		{"RLIMIT_NPROC", unix.RLIMIT_NPROC, s.Processes},
	} {
		most := l.most
		var now unix.Rlimit
		if err := unix.Getrlimit(l.which, &now); err == nil {
			most = min(most, now.Max)
		}
		if err := unix.Setrlimit(l.which, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return step(l.name, err)
		}
	}
	return nil
}

// dropPrivileges gives up what the user namespace gave: no capability survives
// the execve, whoever the user is, and no file raises them.
func dropPrivileges() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return step("no_new_privs", err)
	}
	for c := uintptr(0); c <= 63; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
			if errors.Is(err, unix.EINVAL) {
				break // beyond the last capability
			}
			return step("capability bounds", err)
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return step("capset", unix.Capset(&header, &none[0]))
}

// filter refuses, with EPERM, the system calls by which a program could reach
// others or undo the jail. Sockets are among them: one in the file system can be
// connected to even where nothing can be written.
func filter() error {
	prog := program()
	fprog := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&fprog)))
	if errno != 0 {
		return step("seccomp", errno)
	}
	return nil
}
