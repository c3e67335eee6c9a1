package resolvers

import (
	"context"
	"path/filepath"
	"strings"
	"time"
)

// systemdUnits answers systemd:units: the unit files of the system, or of the
// user where --user is given; services first, templates as "name@".
func systemdUnits(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	dirs := []string{
		"/etc/systemd/system", "/run/systemd/system", "/run/systemd/generator", "/run/systemd/transient",
		"/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
	}
	if has(r.Words, "--user") {
		config := r.getenv("XDG_CONFIG_HOME")
		if config == "" {
			config = filepath.Join(r.getenv("HOME"), ".config")
		}
		dirs = []string{filepath.Join(config, "systemd/user"), "/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"}
	}
	for i, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue
		}
		_ = readDir(dir, func(name []byte, typ entryType) bool {
			base, kind := unitName(view(name))
			if kind == "" {
				return !c.late()
			}
			weight := 0
			if kind == "service" {
				weight = 2
			}
			if i == 0 {
				weight++ // the administrator's own
			}
			c.add(Value{Value: strings.Clone(base), Kind: kind, Weight: weight})
			return !c.late()
		})
	}
	return c.answer()
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

// tmuxSessions answers tmux:sessions; they are known to the server only.
func tmuxSessions(ctx context.Context, r Request) Answer {
	q := toolQuery{tool: "tmux", fresh: time.Second, env: []string{"TMUX", "TMUX_TMPDIR"}}
	if to, ok := option(r.Words, true, "-L"); ok {
		q.args = append(q.args, "-L", to)
	}
	if to, ok := option(r.Words, true, "-S"); ok && filepath.IsAbs(to) {
		q.args = append(q.args, "-S", to)
	}
	q.args = append(q.args, "list-sessions", "-F", "#{session_name}\t#{session_windows} windows")
	return q.lines(ctx, r, func(line string) (Value, bool) {
		f := fields(line, 2)
		return Value{Value: f[0], Description: f[1], Kind: "session"}, true
	})
}

// screenSessions answers screen:sessions from the user's directory of sockets.
func screenSessions(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	dirs := []string{r.getenv("SCREENDIR"), filepath.Join("/run/screen", "S-"+r.getenv("USER")), filepath.Join(r.getenv("HOME"), ".screen")}
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue
		}
		_ = readDir(dir, func(name []byte, typ entryType) bool {
			if pid, _, ok := strings.Cut(view(name), "."); ok && pid != "" {
				c.add(Value{Value: string(name), Kind: "session"})
			}
			return !c.late()
		})
	}
	return c.answer()
}

// interfaces answers net:interfaces.
func interfaces(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	const dir = "/sys/class/net"
	if !isDir(dir) {
		return failed(nowhere("no list of interfaces", dir))
	}
	_ = readDir(dir, func(name []byte, typ entryType) bool {
		if typ == entryFile { // bonding_masters
			return true
		}
		state, _ := readProc(filepath.Join(dir, string(name), "operstate"))
		c.add(Value{Value: string(name), Description: strings.TrimSpace(state), Kind: "interface"})
		return !c.late()
	})
	return c.answer()
}

// networkNamespaces answers net:namespaces: those that have a name.
func networkNamespaces(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	_ = readDir("/run/netns", func(name []byte, _ entryType) bool {
		c.add(Value{Value: string(name), Kind: "namespace"})
		return !c.late()
	})
	return c.answer()
}

// manPages answers man:pages: the names of the pages in the manual's
// directories, of the section that the words name if they do.
func manPages(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	section := ""
	if n := len(r.Words); n > 1 && len(r.Words[n-1]) <= 2 && r.Words[n-1][0] >= '1' && r.Words[n-1][0] <= '9' {
		section = r.Words[n-1]
	}
	roots := []string{"/usr/local/share/man", "/usr/share/man", "/usr/local/man", filepath.Join(r.getenv("HOME"), ".local/share/man")}
	for dir := range strings.SplitSeq(r.getenv("MANPATH"), ":") {
		if filepath.IsAbs(dir) {
			roots = append(roots, dir)
		}
	}
	for _, root := range roots {
		for _, n := range [...]string{"1", "8", "5", "7", "2", "3", "4", "6", "9"} {
			if section != "" && section[:1] != n || r.Filter.Text == "" && section == "" && n != "1" && n != "8" {
				continue
			}
			_ = readDir(filepath.Join(root, "man"+n), func(name []byte, typ entryType) bool {
				text := view(name)
				if !strings.HasPrefix(text, r.Filter.Text) && r.Filter.Mode == Prefix {
					return !c.late()
				}
				if page := pageName(text); page != "" && c.filter.Keep(page) {
					v := Value{Value: page, Kind: "page", Weight: int('9' - n[0])}
					if n == "8" {
						v.Weight = int('9'-'1') - 1
					}
					if c.room(v) {
						v.Value, v.Description = strings.Clone(page), "("+n+")"
						c.keep(v)
					}
				}
				return !c.late()
			})
		}
	}
	return c.answer()
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
