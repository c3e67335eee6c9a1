package system

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Hosts answers hosts: names from the ssh configuration (with its includes),
// the known hosts that are not hashed, and /etc/hosts, in that order. What
// stands before "@" in the text is kept before each name.
func Hosts(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	h := hostLister{c: c, home: r.Env("HOME")}
	if i := strings.LastIndexByte(r.Filter.Text, '@'); i >= 0 {
		h.before = r.Filter.Text[:i+1]
	}
	if h.home != "" {
		h.config(filepath.Join(h.home, ".ssh", "config"), 0)
		h.known(filepath.Join(h.home, ".ssh", "known_hosts"))
	}
	h.config("/etc/ssh/ssh_config", 0)
	h.known("/etc/ssh/ssh_known_hosts")
	h.table("/etc/hosts")
	return c.Answer()
}

type hostLister struct {
	c      *resolvers.Collector
	home   string
	before string
}

func (h *hostLister) add(name, description string, weight int) {
	h.c.Add(resolvers.Value{Value: h.before + name, Description: description, Kind: "host", Weight: weight})
}

// maxSSHIncludes bounds nested includes, as ssh does.
const maxSSHIncludes = 16

// config reads ssh_config(5): names of Host without patterns, with what
// HostName and User make of them, and Include.
func (h *hostLister) config(path string, depth int) {
	var names []string
	var host, user string
	flush := func() {
		text := host
		if user != "" {
			text = user + "@" + host
		}
		for _, n := range names {
			h.add(n, resolvers.OneLine(text, 60), 2)
		}
		names, host, user = nil, "", ""
	}
	_ = disk.EachLine(path, func(line string) {
		key, args := sshLine(line)
		switch strings.ToLower(key) {
		case "host":
			flush()
			for _, a := range args {
				if !strings.ContainsAny(a, "*?!") {
					names = append(names, a)
				}
			}
		case "match":
			flush()
		case "hostname":
			if len(args) > 0 {
				host = args[0]
			}
		case "user":
			if len(args) > 0 {
				user = args[0]
			}
		case "include":
			if depth < maxSSHIncludes {
				for _, a := range args {
					h.include(a, path, depth+1)
				}
			}
		}
	})
	flush()
}

// include takes a pattern of Include: relative to ~/.ssh in the user's file,
// to /etc/ssh in the system's.
func (h *hostLister) include(pattern, from string, depth int) {
	if rest, ok := strings.CutPrefix(pattern, "~/"); ok {
		if h.home == "" {
			return
		}
		pattern = filepath.Join(h.home, rest)
	}
	base := "/etc/ssh"
	if h.home != "" && disk.IsUnder(from, h.home) {
		base = filepath.Join(h.home, ".ssh")
	}
	paths, _ := filepath.Glob(disk.Within(base, pattern))
	for _, p := range paths {
		if h.c.Late() {
			return
		}
		h.config(p, depth)
	}
}

// sshLine splits "Key arg …" or "Key=arg", with quotes.
func sshLine(line string) (key string, args []string) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return "", nil
	}
	end := strings.IndexAny(line, " \t=")
	if end < 0 {
		return line, nil
	}
	key = line[:end]
	rest := strings.TrimLeft(line[end:], " \t")
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "="), " \t")
	for rest != "" && rest[0] != '#' {
		var word string
		if rest[0] == '"' {
			word, rest, _ = strings.Cut(rest[1:], `"`)
		} else if i := strings.IndexAny(rest, " \t"); i >= 0 {
			word, rest = rest[:i], rest[i:]
		} else {
			word, rest = rest, ""
		}
		if word != "" {
			args = append(args, word)
		}
		rest = strings.TrimLeft(rest, " \t")
	}
	return key, args
}

// known reads known_hosts (sshd(8)): names before the first blank, by commas;
// hashed ones ("|1|…") say nothing.
func (h *hostLister) known(path string) {
	_ = disk.EachLine(path, func(line string) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0][0] == '#' {
			return
		}
		list := f[0]
		if list[0] == '@' { // @cert-authority, @revoked
			if f[0] == "@revoked" {
				return
			}
			list = f[1]
		}
		if list[0] == '|' {
			return
		}
		for name := range strings.SplitSeq(list, ",") {
			if host, port, ok := strings.Cut(strings.TrimPrefix(name, "["), "]:"); ok && name[0] == '[' {
				h.addKnown(host, "port "+port)
			} else {
				h.addKnown(name, "")
			}
		}
	})
}

func (h *hostLister) addKnown(name, description string) {
	if name != "" && !strings.ContainsAny(name, "*?!") {
		h.add(name, description, 1)
	}
}

// table reads hosts(5).
func (h *hostLister) table(path string) {
	_ = disk.EachLine(path, func(line string) {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		for i := 1; i < len(f); i++ {
			h.add(f[i], f[0], 0)
		}
	})
}
