package resolvers

import (
	"context"
	"strconv"
	"strings"
)

// firstUser is the least number of a person's account.
const firstUser = 1000

// moreUsers: /etc/passwd has all that can be read without asking a service.
func moreUsers(*collector) {}

// eachProcess reads /proc.
func eachProcess(c *collector, f func(process)) error {
	return readDir("/proc", func(name []byte, typ entryType) bool {
		if typ != entryDir || name[0] < '1' || name[0] > '9' {
			return !c.late()
		}
		pid, err := strconv.Atoi(string(name))
		if err != nil {
			return true
		}
		dir := "/proc/" + string(name)
		st, ok := statFile(dir)
		if !ok { // ended meanwhile
			return true
		}
		f(process{
			pid: pid, uid: int(st.Uid),
			command: func() string {
				var buf [64]byte
				n, _ := readStart(dir+"/comm", buf[:])
				return strings.TrimSuffix(string(buf[:n]), "\n")
			},
		})
		return !c.late()
	})
}

// mounts answers mounts: where file systems are mounted, those of devices
// first, each with type and source.
func mounts(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	text, err := readProc("/proc/self/mounts")
	if err != nil {
		return failed(err)
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		v := Value{Value: unescapeMount(f[1]), Kind: "mount", Description: oneLine(f[2]+" "+unescapeMount(f[0]), 80)}
		if strings.HasPrefix(f[0], "/dev/") || strings.Contains(f[0], ":") {
			v.Weight = 1
		}
		c.add(v)
	}
	return c.answer()
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
