//go:build linux && (amd64 || arm64)

package jail

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

// Close closes the process in, all of its threads. An error means that the jail
// does not stand: nothing may run then. What the kernel lacks is in the state.
func Close(l Limits) (State, error) {
	var s State
	for _, r := range []struct {
		which int
		most  uint64
	}{{unix.RLIMIT_CORE, 0}, {unix.RLIMIT_FSIZE, 0}, {unix.RLIMIT_NOFILE, 64}, {unix.RLIMIT_DATA, l.Data}, {unix.RLIMIT_CPU, l.Seconds}} {
		if r.which == unix.RLIMIT_CPU && r.most == 0 || r.which == unix.RLIMIT_DATA && r.most == 0 {
			continue
		}
		most := r.most
		var now unix.Rlimit
		if unix.Getrlimit(r.which, &now) == nil {
			most = min(most, now.Max)
		}
		if err := unix.Setrlimit(r.which, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return s, fmt.Errorf("setrlimit %d: %w", r.which, err)
		}
	}
	if err := all(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0); err != nil {
		return s, fmt.Errorf("no_new_privs: %w", err)
	}
	s.NoNewPrivileges = true
	version, err := landlock()
	if err != nil {
		s.Problem = "the kernel has no Landlock: " + err.Error()
	}
	s.Landlock = version
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	// After what is done thread by thread, which would wait for threads of low priority.
	s.Nice = nice() == nil
	if err := seccomp(program()); err != nil {
		return s, fmt.Errorf("seccomp: %w", err)
	}
	s.Seccomp = true
	return s, nil
}

// nice lowers the priority of all threads. A worker is a process group of its own,
// which spares asking each of them.
func nice() error {
	if unix.Getpgrp() == unix.Getpid() {
		return unix.Setpriority(unix.PRIO_PGRP, 0, 10)
	}
	return all(unix.SYS_SETPRIORITY, unix.PRIO_PROCESS, 0, 10)
}

// all makes a system call in every thread.
func all(nr, a, b, c uintptr) error {
	if _, _, errno := psx.Syscall6(nr, a, b, c, 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// landlock denies every access to files, to TCP ports, and signals and abstract
// sockets beyond this process, as far as the kernel knows them.
func landlock() (version int, err error) {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, errno
	}
	version = int(v)
	// Rights by version (linux/landlock.h): 13 at first, then refer, truncate and
	// ioctl_dev; the network from version 4, scopes from 6.
	rights := [...]uint64{0, 1<<13 - 1, 1<<14 - 1, 1<<15 - 1, 1<<15 - 1, 1<<16 - 1}
	attr := struct{ fs, net, scoped uint64 }{fs: rights[min(version, len(rights)-1)]}
	size := uintptr(8)
	if version >= 4 {
		attr.net, size = 3, 16
	}
	if version >= 6 {
		attr.scoped, size = 3, 24
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return 0, errno
	}
	defer unix.Close(int(fd))
	if listsThreads {
		if err := allowList(int(fd), "/proc/self/task"); err != nil {
			return 0, err
		}
	}
	if err := all(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); err != nil {
		return 0, err
	}
	return version, nil
}

// allowList lets the names in a directory be read, and nothing else of it.
func allowList(ruleset int, dir string) error {
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var attr [12]byte // struct landlock_path_beneath_attr, packed
	binary.NativeEndian.PutUint64(attr[:], unix.LANDLOCK_ACCESS_FS_READ_DIR)
	binary.NativeEndian.PutUint32(attr[8:], uint32(fd))
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// allowed are the system calls of a process that computes, talks over what it has
// open, and makes threads; every other one fails with EPERM.
var allowed = append([]uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_CLOSE, unix.SYS_RECVMSG, unix.SYS_SENDMSG, unix.SYS_FSTAT, unix.SYS_LSEEK, unix.SYS_PREAD64,
	unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK, unix.SYS_MREMAP,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL, unix.SYS_TGKILL,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_MEMBARRIER,
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_GETRANDOM, unix.SYS_FCNTL,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2, unix.SYS_PIPE2,
	unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_DELETE, unix.SYS_SETITIMER, unix.SYS_GETRUSAGE,
}, allowedHere[:]...)

// Offsets in struct seccomp_data.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16 // the low half of the first argument
)

// seccomp sets a filter in all threads. One is enough: the kernel compiles each, and that
// stops all processors.
func seccomp(prog []unix.SockFilter) error {
	fprog := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&fprog)))
	if errno != 0 {
		return errno
	}
	return nil
}

// program is the filter in classic BPF.
func program() []unix.SockFilter {
	stmt := func(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }
	jump := func(code uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: code, K: k, Jt: yes, Jf: no}
	}
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		least = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		set   = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		ret   = unix.BPF_RET | unix.BPF_K
	)
	refuse := stmt(ret, unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM))
	pass := stmt(ret, unix.SECCOMP_RET_ALLOW)
	p := []unix.SockFilter{
		stmt(load, offArch),
		jump(equal, auditArch, 1, 0),
		stmt(ret, unix.SECCOMP_RET_KILL_PROCESS),
		stmt(load, offNumber),
		jump(least, 0x40000000, 0, 1), // x32
		stmt(ret, unix.SECCOMP_RET_KILL_PROCESS),
		// A thread, never a process: clone with CLONE_THREAD. clone3 hides its flags.
		jump(equal, unix.SYS_CLONE, 0, 4),
		stmt(load, offArgs),
		jump(set, unix.CLONE_THREAD, 0, 1),
		pass,
		refuse,
		jump(equal, unix.SYS_CLONE3, 0, 1),
		stmt(ret, unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)),
		// Memory, but none that can be executed.
		jump(equal, unix.SYS_MMAP, 1, 0),
		jump(equal, unix.SYS_MPROTECT, 0, 4),
		stmt(load, offArgs+2*8),
		jump(set, unix.PROT_EXEC, 1, 0),
		pass,
		refuse,
	}
	for _, nr := range allowed {
		p = append(p, jump(equal, nr, 0, 1), pass)
	}
	return append(p, refuse)
}
