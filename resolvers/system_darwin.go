package resolvers

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// firstUser is the least number of a person's account.
const firstUser = 500

var moreSignals = [...]namedSignal{
	{"INFO", syscall.SIGINFO, "tell how far the work is, as Ctrl-T"},
	{"EMT", syscall.SIGEMT, "emulator trap"},
}

// moreUsers: people are in the directory service; their homes tell their names.
func moreUsers(c *collector) {
	_ = readDir("/Users", func(name []byte, typ entryType) bool {
		if typ == entryDir && name[0] != '.' && string(name) != "Shared" {
			c.add(Value{Value: string(name), Kind: "user", Weight: 1})
		}
		return !c.late()
	})
}

// eachProcess asks ps: the system has no other way without cgo that gives
// names. It runs from the root directory with an empty environment.
func eachProcess(c *collector, f func(process)) error {
	cmd := exec.CommandContext(c.ctx, "/bin/ps", "-axo", "pid=,uid=,comm=")
	cmd.Env = []string{"LC_ALL=C"}
	out, err := groupOutput(cmd)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		pid, err := strconv.Atoi(fields[0])
		if err != nil || pid == cmd.Process.Pid {
			continue
		}
		uid, _ := strconv.Atoi(fields[1])
		name := filepath.Base(strings.Join(fields[2:], " "))
		f(process{pid: pid, uid: uid, command: func() string { return name }})
	}
	return nil
}

// mounts answers mounts: where file systems are mounted, each with type and source.
func mounts(ctx context.Context, r Request) Answer {
	const noWait = 2 // MNT_NOWAIT
	c := newCollector(ctx, r)
	n, err := syscall.Getfsstat(nil, noWait)
	if err != nil {
		return failed(err)
	}
	list := make([]syscall.Statfs_t, n)
	if n, err = syscall.Getfsstat(list, noWait); err != nil {
		return failed(err)
	}
	for _, s := range list[:min(n, len(list))] {
		source := charText(s.Mntfromname[:])
		v := Value{Value: charText(s.Mntonname[:]), Kind: "mount", Description: oneLine(charText(s.Fstypename[:])+" "+source, 80)}
		if strings.HasPrefix(source, "/dev/") {
			v.Weight = 1
		}
		c.add(v)
	}
	return c.answer()
}

// charText reads a C text.
func charText(chars []int8) string {
	b := make([]byte, len(chars))
	for i, c := range chars {
		b[i] = byte(c)
	}
	b, _, _ = bytes.Cut(b, []byte{0})
	return string(b)
}

// filesystems answers filesystems: those of which /Library and /System have a bundle.
func filesystems(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	for _, dir := range [...]string{"/System/Library/Filesystems", "/Library/Filesystems"} {
		_ = readDir(dir, func(name []byte, _ entryType) bool {
			if fs, ok := strings.CutSuffix(string(name), ".fs"); ok {
				c.add(Value{Value: fs, Kind: "file system"})
			}
			return !c.late()
		})
	}
	return c.answer()
}
