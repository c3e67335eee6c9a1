package system

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// SystemdUnits answers systemd:units: the unit files of the system, or of the
// user where --user is given; services first, templates as "name@".
func SystemdUnits(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dirs := []string{
		"/etc/systemd/system", "/run/systemd/system", "/run/systemd/generator", "/run/systemd/transient",
		"/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
	}
	if resolvers.Has(r.Words, "--user") {
		config := r.Env("XDG_CONFIG_HOME")
		if config == "" {
			config = filepath.Join(r.Env("HOME"), ".config")
		}
		dirs = []string{filepath.Join(config, "systemd/user"), "/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"}
	}
	for i, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue
		}
		_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
			base, kind := unitName(disk.View(name))
			if kind == "" {
				return !c.Late()
			}
			weight := 0
			if kind == "service" {
				weight = 2
			}
			if i == 0 {
				weight++ // the administrator's own
			}
			c.Add(resolvers.Value{Value: strings.Clone(base), Kind: kind, Weight: weight})
			return !c.Late()
		})
	}
	return c.Answer()
}

// unitName takes a file's name apart; kind is "" for what is no unit.
func unitName(name string) (unit, kind string) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return "", ""
	}
	switch k := name[i+1:]; k {
	case "service", "socket", "timer", "target", "mount", "automount", "swap", "path", "slice", "scope", "device":
		return name, strings.Clone(k)
	}
	return "", ""
}

// TmuxSessions answers tmux:sessions; they are known to the server only.
func TmuxSessions(ctx context.Context, r resolvers.Request) resolvers.Answer {
	q := resolvers.Query{Tool: "tmux", Fresh: time.Second, Env: []string{"TMUX", "TMUX_TMPDIR"}}
	if to, ok := resolvers.Option(r.Words, true, "-L"); ok {
		q.Args = append(q.Args, "-L", to)
	}
	if to, ok := resolvers.Option(r.Words, true, "-S"); ok && filepath.IsAbs(to) {
		q.Args = append(q.Args, "-S", to)
	}
	q.Args = append(q.Args, "list-sessions", "-F", "#{session_name}\t#{session_windows} windows")
	return q.Lines(ctx, r, func(line string) (resolvers.Value, bool) {
		f := resolvers.Fields(line, 2)
		return resolvers.Value{Value: f[0], Description: f[1], Kind: "session"}, true
	})
}

// ScreenSessions answers screen:sessions from the user's directory of sockets.
func ScreenSessions(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dirs := []string{r.Env("SCREENDIR"), filepath.Join("/run/screen", "S-"+r.Env("USER")), filepath.Join(r.Env("HOME"), ".screen")}
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue
		}
		_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
			if pid, _, ok := strings.Cut(disk.View(name), "."); ok && pid != "" {
				c.Add(resolvers.Value{Value: string(name), Kind: "session"})
			}
			return !c.Late()
		})
	}
	return c.Answer()
}

// Interfaces answers net:interfaces.
func Interfaces(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	const dir = "/sys/class/net"
	if !disk.IsDir(dir) {
		return resolvers.Failure(resolvers.Nowhere("no list of interfaces", dir))
	}
	_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
		if typ == disk.File { // bonding_masters
			return true
		}
		state, _ := readProc(filepath.Join(dir, string(name), "operstate"))
		c.Add(resolvers.Value{Value: string(name), Description: strings.TrimSpace(state), Kind: "interface"})
		return !c.Late()
	})
	return c.Answer()
}

// NetworkNamespaces answers net:namespaces: those that have a name.
func NetworkNamespaces(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	_ = disk.ReadDir("/run/netns", func(name []byte, _ disk.Type) bool {
		c.Add(resolvers.Value{Value: string(name), Kind: "namespace"})
		return !c.Late()
	})
	return c.Answer()
}

// ManPages answers man:pages: the names of the pages in the manual's
// directories, of the section that the words name if they do.
func ManPages(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	section := ""
	if n := len(r.Words); n > 1 && len(r.Words[n-1]) <= 2 && r.Words[n-1][0] >= '1' && r.Words[n-1][0] <= '9' {
		section = r.Words[n-1]
	}
	roots := []string{"/usr/local/share/man", "/usr/share/man", "/usr/local/man", filepath.Join(r.Env("HOME"), ".local/share/man")}
	for dir := range strings.SplitSeq(r.Env("MANPATH"), ":") {
		if filepath.IsAbs(dir) {
			roots = append(roots, dir)
		}
	}
	for _, root := range roots {
		for _, n := range [...]string{"1", "8", "5", "7", "2", "3", "4", "6", "9"} {
			if section != "" && section[:1] != n || r.Filter.Text == "" && section == "" && n != "1" && n != "8" {
				continue
			}
			_ = disk.ReadDir(filepath.Join(root, "man"+n), func(name []byte, typ disk.Type) bool {
				text := disk.View(name)
				if !strings.HasPrefix(text, r.Filter.Text) && r.Filter.Mode == resolvers.Prefix {
					return !c.Late()
				}
				if page := pageName(text); page != "" && c.Filter.Keep(page) {
					v := resolvers.Value{Value: page, Kind: "page", Weight: int('9' - n[0])}
					if n == "8" {
						v.Weight = int('9'-'1') - 1
					}
					if c.Room(v) {
						v.Value, v.Description = strings.Clone(page), "("+n+")"
						c.Keep(v)
					}
				}
				return !c.Late()
			})
		}
	}
	return c.Answer()
}

// pageName is a page's name without its section and compression.
func pageName(file string) string {
	for _, end := range [...]string{".gz", ".bz2", ".xz", ".zst", ".lzma"} {
		file = strings.TrimSuffix(file, end)
	}
	if i := strings.LastIndexByte(file, '.'); i > 0 {
		return file[:i]
	}
	return ""
}

// Services answers services: what service(8) starts, the scripts of /etc/init.d and the
// services of systemd by their bare names.
func Services(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	_ = disk.ReadDir("/etc/init.d", func(name []byte, _ disk.Type) bool {
		if disk.IsExecutable("/etc/init.d/" + string(name)) {
			c.Add(resolvers.Value{Value: string(name), Kind: "service", Description: "a script of /etc/init.d", Weight: 1})
		}
		return !c.Late()
	})
	units := r
	units.Limit = 0
	for _, v := range SystemdUnits(ctx, units).Values {
		if name, ok := strings.CutSuffix(v.Value, ".service"); ok && !strings.HasSuffix(name, "@") {
			c.Add(resolvers.Value{Value: name, Kind: "service"})
		}
	}
	return c.Answer()
}
