package system

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// DiskLabels answers disk:labels.
func DiskLabels(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return diskNames(ctx, r, "label")
}

// DiskUUIDs answers disk:uuids.
func DiskUUIDs(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return diskNames(ctx, r, "uuid")
}

// diskNames lists the links that udev keeps for disks,
// whose names hold bytes as \x20.
func diskNames(ctx context.Context, r resolvers.Request, kind string) resolvers.Answer {
	return resolvers.NamesOfDir(ctx, r, kind, udevName, "/dev/disk/by-"+kind)
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

// Machines answers systemd:machines: the containers and virtual machines that
// systemd-machined has registered.
func Machines(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return resolvers.NamesOfDir(ctx, r, "machine", func(name string) string {
		if strings.HasPrefix(name, "unit:") {
			return ""
		}
		return name
	}, "/run/systemd/machines")
}

// SystemdJobs answers systemd:jobs, which only the manager knows.
func SystemdJobs(ctx context.Context, r resolvers.Request) resolvers.Answer {
	q := resolvers.Query{Tool: "systemctl", Fresh: time.Second, Args: []string{"--no-legend", "--plain", "--no-pager", "list-jobs"}, Env: []string{"XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"}}
	if resolvers.Has(r.Words, "--user") {
		q.Args = append([]string{"--user"}, q.Args...)
	}
	return q.Lines(ctx, r, func(line string) (resolvers.Value, bool) {
		f := strings.Fields(line) // JOB UNIT TYPE STATE
		if len(f) < 4 {
			return resolvers.Value{}, false
		}
		if _, err := strconv.Atoi(f[0]); err != nil {
			return resolvers.Value{}, false
		}
		return resolvers.Value{Value: f[0], Description: f[1] + " " + f[2] + ", " + f[3], Kind: "job"}, true
	})
}

// JournalFields answers journalctl:fields.
func JournalFields(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return journal(ctx, r, "field", "--fields")
}

// JournalIdentifiers answers journalctl:identifiers.
func JournalIdentifiers(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return journal(ctx, r, "identifier", "--field=SYSLOG_IDENTIFIER")
}

// journal lists what the
// journal that the user may read holds.
func journal(ctx context.Context, r resolvers.Request, kind, arg string) resolvers.Answer {
	q := resolvers.Query{Tool: "journalctl", Fresh: time.Minute, Args: []string{"--no-pager", "-q", arg}}
	return q.Lines(ctx, r, func(line string) (resolvers.Value, bool) { return resolvers.Value{Value: line, Kind: kind}, line != "" })
}

// JournalBoots answers journalctl:boots: 0 is the current start of the machine,
// -1 the one before.
func JournalBoots(ctx context.Context, r resolvers.Request) resolvers.Answer {
	q := resolvers.Query{Tool: "journalctl", Fresh: time.Minute, Args: []string{"--no-pager", "-q", "--list-boots"}}
	return q.Lines(ctx, r, func(line string) (resolvers.Value, bool) {
		f := strings.Fields(line) // OFFSET ID FROM — TO
		if len(f) < 4 {
			return resolvers.Value{}, false
		}
		n, err := strconv.Atoi(f[0])
		if err != nil {
			return resolvers.Value{}, false
		}
		return resolvers.Value{Value: f[0], Description: strings.Join(f[2:min(len(f), 5)], " "), Kind: "boot", Weight: n + 1_000_000}, true
	})
}

// ManLocales answers man:locales: the languages that the manual is here in.
func ManLocales(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return resolvers.NamesOfDir(ctx, r, "locale", func(name string) string {
		if strings.HasPrefix(name, "man") || !disk.IsDir(filepath.Join("/usr/share/man", name, "man1")) {
			return ""
		}
		return name
	}, "/usr/share/man")
}
