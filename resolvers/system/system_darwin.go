package system

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// firstUser is the least number of a person's account.
const firstUser = 500

var moreSignals = [...]namedSignal{
	{"INFO", syscall.SIGINFO, "tell how far the work is, as Ctrl-T"},
	{"EMT", syscall.SIGEMT, "emulator trap"},
}

// moreUsers: people are in the directory service; their homes tell their names.
func moreUsers(c *resolvers.Collector) {
	_ = disk.ReadDir("/Users", func(name []byte, typ disk.Type) bool {
		if typ == disk.Directory && name[0] != '.' && string(name) != "Shared" {
			c.Add(resolvers.Value{Value: string(name), Kind: "user", Weight: 1})
		}
		return !c.Late()
	})
}

// eachProcess asks ps: the system has no other way without cgo that gives
// names. It runs from the root directory with an empty environment.
func eachProcess(c *resolvers.Collector, f func(process)) error {
	cmd := exec.CommandContext(c.Ctx, "/bin/ps", "-axo", "pid=,uid=,comm=")
	cmd.Env = []string{"LC_ALL=C"}
	out, err := resolvers.GroupOutput(cmd)
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

// Mounts answers mounts: where file systems are mounted, each with type and source.
func Mounts(ctx context.Context, r resolvers.Request) resolvers.Answer {
	const noWait = 2 // MNT_NOWAIT
	c := resolvers.NewCollector(ctx, r)
	n, err := syscall.Getfsstat(nil, noWait)
	if err != nil {
		return resolvers.Failure(err)
	}
	list := make([]syscall.Statfs_t, n)
	if n, err = syscall.Getfsstat(list, noWait); err != nil {
		return resolvers.Failure(err)
	}
	for _, s := range list[:min(n, len(list))] {
		source := charText(s.Mntfromname[:])
		v := resolvers.Value{Value: charText(s.Mntonname[:]), Kind: "mount", Description: resolvers.OneLine(charText(s.Fstypename[:])+" "+source, 80)}
		if strings.HasPrefix(source, "/dev/") {
			v.Weight = 1
		}
		c.Add(v)
	}
	return c.Answer()
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

// Filesystems answers filesystems: those of which /Library and /System have a bundle.
func Filesystems(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	for _, dir := range [...]string{"/System/Library/Filesystems", "/Library/Filesystems"} {
		_ = disk.ReadDir(dir, func(name []byte, _ disk.Type) bool {
			if fs, ok := strings.CutSuffix(string(name), ".fs"); ok {
				c.Add(resolvers.Value{Value: fs, Kind: "file system"})
			}
			return !c.Late()
		})
	}
	return c.Answer()
}
