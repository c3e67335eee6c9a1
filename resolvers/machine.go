package resolvers

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// diskNames answers disk:labels and disk:uuids from the links that udev keeps,
// whose names hold bytes as \x20.
func diskNames(kind string) Func {
	return func(ctx context.Context, r Request) Answer {
		return namesOfDir(ctx, r, kind, udevName, "/dev/disk/by-"+kind)
	}
}

// udevName undoes the \xHH of a link's name.
func udevName(name string) string {
	if !strings.Contains(name, `\x`) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if strings.HasPrefix(name[i:], `\x`) && i+4 <= len(name) {
			if n, err := strconv.ParseUint(name[i+2:i+4], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// machines answers systemd:machines: the containers and virtual machines that
// systemd-machined has registered.
func machines(ctx context.Context, r Request) Answer {
	return namesOfDir(ctx, r, "machine", func(name string) string {
		if strings.HasPrefix(name, "unit:") {
			return ""
		}
		return name
	}, "/run/systemd/machines")
}

// systemdJobs answers systemd:jobs, which only the manager knows.
func systemdJobs(ctx context.Context, r Request) Answer {
	q := toolQuery{tool: "systemctl", fresh: time.Second, args: []string{"--no-legend", "--plain", "--no-pager", "list-jobs"}, env: []string{"XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"}}
	if has(r.Words, "--user") {
		q.args = append([]string{"--user"}, q.args...)
	}
	return q.lines(ctx, r, func(line string) (Value, bool) {
		f := strings.Fields(line) // JOB UNIT TYPE STATE
		if len(f) < 4 {
			return Value{}, false
		}
		if _, err := strconv.Atoi(f[0]); err != nil {
			return Value{}, false
		}
		return Value{Value: f[0], Description: f[1] + " " + f[2] + ", " + f[3], Kind: "job"}, true
	})
}

// journal answers journalctl:fields and journalctl:identifiers: what the
// journal that the user may read holds.
func journal(kind string, args ...string) Func {
	return func(ctx context.Context, r Request) Answer {
		q := toolQuery{tool: "journalctl", fresh: time.Minute, args: append([]string{"--no-pager", "-q"}, args...)}
		return q.lines(ctx, r, func(line string) (Value, bool) { return Value{Value: line, Kind: kind}, line != "" })
	}
}

// journalBoots answers journalctl:boots: 0 is the current start of the machine,
// -1 the one before.
func journalBoots(ctx context.Context, r Request) Answer {
	q := toolQuery{tool: "journalctl", fresh: time.Minute, args: []string{"--no-pager", "-q", "--list-boots"}}
	return q.lines(ctx, r, func(line string) (Value, bool) {
		f := strings.Fields(line) // OFFSET ID FROM — TO
		if len(f) < 4 {
			return Value{}, false
		}
		n, err := strconv.Atoi(f[0])
		if err != nil {
			return Value{}, false
		}
		return Value{Value: f[0], Description: strings.Join(f[2:min(len(f), 5)], " "), Kind: "boot", Weight: n + 1_000_000}, true
	})
}

// cmakeHelp answers cmake:commands, cmake:modules, cmake:variables and
// cmake:properties: what this cmake has help for.
func cmakeHelp(kind string) Func {
	return func(ctx context.Context, r Request) Answer {
		q := toolQuery{tool: "cmake", fresh: time.Hour, args: []string{"--help-" + kind + "-list"}}
		return q.lines(ctx, r, func(line string) (Value, bool) {
			line = strings.TrimSpace(line)
			return Value{Value: line, Kind: kind}, line != "" && !strings.Contains(line, " ")
		})
	}
}

// manLocales answers man:locales: the languages that the manual is here in.
func manLocales(ctx context.Context, r Request) Answer {
	return namesOfDir(ctx, r, "locale", func(name string) string {
		if strings.HasPrefix(name, "man") || !isDir(filepath.Join("/usr/share/man", name, "man1")) {
			return ""
		}
		return name
	}, "/usr/share/man")
}
