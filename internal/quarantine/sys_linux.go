package quarantine

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// rename moves a file within its file system and replaces nothing.
func rename(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return renamePlain(from, to)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// mountPoints reads /proc/self/mountinfo (proc_pid_mountinfo(5)). File systems
// that hold no files of a user are left out, and those that a look could make
// hang or mount.
func mountPoints() []string {
	data, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	var tops []string
	for line := range strings.SplitSeq(string(data), "\n") {
		before, after, ok := strings.Cut(line, " - ")
		fields := strings.Fields(before)
		if !ok || len(fields) < 5 {
			continue
		}
		kind, _, _ := strings.Cut(after, " ")
		switch kind {
		case "proc", "sysfs", "cgroup", "cgroup2", "devpts", "mqueue", "nsfs", "autofs", "securityfs", "debugfs",
			"tracefs", "configfs", "bpf", "pstore", "efivarfs", "binfmt_misc", "hugetlbfs", "rpc_pipefs", "fusectl", "squashfs":
			continue
		}
		tops = append(tops, unoctal(fields[4]))
	}
	return tops
}

// unoctal reads the \040 and the like of mountinfo.
func unoctal(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) && s[i+1] >= '0' && s[i+1] <= '3' {
			b.WriteByte((s[i+1]-'0')<<6 | (s[i+2]-'0')<<3 | (s[i+3] - '0'))
			i += 3
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func device(path string) (uint64, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return 0, &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	return st.Dev, nil
}
