package system

import (
	"context"
	"strconv"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// firstUser is the least number of a person's account.
const firstUser = 1000

var moreSignals = [...]namedSignal{
	{"RTMIN", 34, "the first real-time signal, of glibc"},
	{"RTMAX", 64, "the last real-time signal"},
	{"PWR", syscall.SIGPWR, "the power fails"},
}

// moreUsers: /etc/passwd has all that can be read without asking a service.
func moreUsers(*resolvers.Collector) {}

// eachProcess reads /proc.
func eachProcess(c *resolvers.Collector, f func(process)) error {
	return disk.ReadDir("/proc", func(name []byte, typ disk.Type) bool {
		if typ != disk.Directory || name[0] < '1' || name[0] > '9' {
			return !c.Late()
		}
		pid, err := strconv.Atoi(string(name))
		if err != nil {
			return true
		}
		dir := "/proc/" + string(name)
		st, ok := disk.Stat(dir)
		if !ok { // ended meanwhile
			return true
		}
		f(process{
			pid: pid, uid: int(st.Uid),
			command: func() string {
				var buf [64]byte
				n, _ := disk.ReadStart(dir+"/comm", buf[:])
				return strings.TrimSuffix(string(buf[:n]), "\n")
			},
		})
		return !c.Late()
	})
}

// Mounts answers mounts: where file systems are mounted, those of devices
// first, each with type and source.
func Mounts(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	text, err := readProc("/proc/self/mounts")
	if err != nil {
		return resolvers.Failure(err)
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		v := resolvers.Value{Value: unescapeMount(f[1]), Kind: "mount", Description: resolvers.OneLine(f[2]+" "+unescapeMount(f[0]), 80)}
		if strings.HasPrefix(f[0], "/dev/") || strings.Contains(f[0], ":") {
			v.Weight = 1
		}
		c.Add(v)
	}
	return c.Answer()
}

// Filesystems answers filesystems: the types of file systems that the kernel
// knows, those on devices first, and those that it has modules for.
func Filesystems(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	text, err := readProc("/proc/filesystems")
	if err != nil {
		return resolvers.Failure(err)
	}
	for line := range strings.Lines(text) {
		kind, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		v := resolvers.Value{Value: name, Kind: "file system", Weight: -1}
		if name == "" { // on a device the first field is empty
			v.Value, v.Weight = kind, 1
		}
		c.Add(v)
	}
	if release, err := readProc("/proc/sys/kernel/osrelease"); err == nil {
		_ = disk.ReadDir("/lib/modules/"+strings.TrimSpace(release)+"/kernel/fs", func(name []byte, typ disk.Type) bool {
			if typ == disk.Directory {
				c.Add(resolvers.Value{Value: string(name), Kind: "file system", Description: "a module"})
			}
			return !c.Late()
		})
	}
	return c.Answer()
}

// unescapeMount reads the octal escapes of fstab(5).
func unescapeMount(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
