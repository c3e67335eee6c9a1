//go:build linux && (amd64 || arm64)

package sandbox

import "golang.org/x/sys/unix"

// Offsets in struct seccomp_data (seccomp(2)).
const (
	offsetNumber = 0
	offsetArch   = 4
)

// refused are the system calls that a jailed program may not make.
var refused = append([]uint32{
	// reaching others
	unix.SYS_SOCKET, unix.SYS_CONNECT, unix.SYS_IO_URING_SETUP, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_MQ_OPEN, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
	// undoing the jail
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_OPEN_TREE,
	unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT,
	// the machine
	unix.SYS_REBOOT, unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_SWAPON,
	unix.SYS_SWAPOFF, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SYSLOG, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
}, refusedHere[:]...)

// program is the filter in classic BPF: another architecture is killed, a
// refused call fails with EPERM, all others pass.
func program() []unix.SockFilter {
	stmt := func(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }
	jump := func(code uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: code, K: k, Jt: yes, Jf: no}
	}
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		least = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		ret   = unix.BPF_RET | unix.BPF_K
	)
	p := []unix.SockFilter{
		stmt(load, offsetArch),
		jump(equal, auditArch, 1, 0),
		stmt(ret, unix.SECCOMP_RET_KILL_PROCESS),
		stmt(load, offsetNumber),
		// The numbers of the x32 ABI would name the same calls again.
		jump(least, 0x40000000, 0, 1),
		stmt(ret, unix.SECCOMP_RET_KILL_PROCESS),
	}
	for _, nr := range refused {
		p = append(p, jump(equal, nr, 0, 1), stmt(ret, unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)))
	}
	return append(p, stmt(ret, unix.SECCOMP_RET_ALLOW))
}
