package system

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// BlockDevices answers block:devices from the kernel's table: the disks and their parts
// as /dev/NAME with their size, loops and memory last.
func BlockDevices(ctx context.Context, r resolvers.Request) resolvers.Answer {
	text, err := readProc("/proc/partitions")
	if err != nil {
		return resolvers.NamesOfDir(ctx, r, "device", func(name string) string {
			if !strings.HasPrefix(name, "disk") {
				return ""
			}
			return "/dev/" + name
		}, "/dev")
	}
	c := resolvers.NewCollector(ctx, r)
	for line := range strings.Lines(text) {
		f := strings.Fields(line) // major, minor, KiB, name; the first line is a head
		if len(f) != 4 || f[0] == "major" {
			continue
		}
		v := resolvers.Value{Value: "/dev/" + f[3], Kind: "device", Description: f[2] + " KiB"}
		if strings.HasPrefix(f[3], "loop") || strings.HasPrefix(f[3], "ram") || strings.HasPrefix(f[3], "zram") {
			v.Weight = -1
		}
		c.Add(v)
	}
	return c.Answer()
}

// LoadedModules answers modules:loaded, what the kernel has loaded.
func LoadedModules(ctx context.Context, r resolvers.Request) resolvers.Answer {
	text, err := readProc("/proc/modules")
	if err != nil {
		return resolvers.Failure(err)
	}
	c := resolvers.NewCollector(ctx, r)
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, " ")
		v := resolvers.Value{Value: name, Kind: "module"}
		if f := strings.Fields(rest); len(f) > 2 && f[2] != "-" {
			v.Description, v.Weight = "used by "+resolvers.OneLine(strings.TrimSuffix(f[2], ","), 60), -1
		}
		c.Add(v)
	}
	return c.Answer()
}

// Modules answers modules: what can be loaded, of the list that depmod wrote for the
// kernel that runs, and with -r what is loaded.
func Modules(ctx context.Context, r resolvers.Request) resolvers.Answer {
	if resolvers.Has(r.Words, "-r", "--remove") {
		return LoadedModules(ctx, r)
	}
	release, err := readProc("/proc/sys/kernel/osrelease")
	if err != nil {
		return resolvers.Failure(err)
	}
	return moduleList(ctx, r, "/lib/modules/"+strings.TrimSpace(release)+"/modules.dep")
}

// moduleList reads a list of modules (modules.dep(5)).
func moduleList(ctx context.Context, r resolvers.Request, path string) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	if err := disk.EachLine(path, func(line string) {
		file, _, ok := strings.Cut(line, ":")
		name, _, ko := strings.Cut(filepath.Base(file), ".ko")
		if ok && ko {
			c.Add(resolvers.Value{Value: strings.ReplaceAll(name, "-", "_"), Kind: "module", Description: strings.TrimPrefix(filepath.Dir(file), "kernel/")})
		}
	}); err != nil {
		return resolvers.Failure(err)
	}
	return c.Answer()
}

// SysctlKeys answers sysctl:keys, the settings below /proc/sys.
func SysctlKeys(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return settingsBelow(ctx, r, "/proc/sys")
}

// settingsBelow lists the files below root with dots between the names. A dot in a name
// is a slash in the setting, as sysctl(8) has it.
func settingsBelow(ctx context.Context, r resolvers.Request, root string) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	var walk func(dir, prefix string, depth int)
	walk = func(dir, prefix string, depth int) {
		_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
			key := prefix + strings.ReplaceAll(string(name), ".", "/")
			switch {
			case typ == disk.File:
				c.Add(resolvers.Value{Value: key, Kind: "setting"})
			case typ == disk.Directory && depth < 8:
				typed := r.Filter.Text
				if r.Filter.Mode == resolvers.Prefix && !strings.HasPrefix(key+".", typed) && !strings.HasPrefix(typed, key+".") {
					break
				}
				walk(dir+"/"+string(name), key+".", depth+1)
			}
			return !c.Late()
		})
	}
	walk(root, "", 0)
	return c.Answer()
}

// Timezones answers timezones, the names of the zones that are installed.
func Timezones(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return zonesBelow(ctx, r, "/usr/share/zoneinfo")
}

// zonesBelow lists the zones of a directory; what begins with a small letter is another
// form of the same or a table.
func zonesBelow(ctx context.Context, r resolvers.Request, root string) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	var walk func(dir, prefix string, depth int) error
	walk = func(dir, prefix string, depth int) error {
		return disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
			if name[0] < 'A' || name[0] > 'Z' {
				return !c.Late()
			}
			zone := prefix + string(name)
			if typ == disk.Directory {
				if depth < 3 {
					_ = walk(dir+"/"+string(name), zone+"/", depth+1)
				}
				return !c.Late()
			}
			v := resolvers.Value{Value: zone, Kind: "zone"}
			if prefix == "" && zone != "UTC" {
				v.Weight = -1 // names of old
			}
			c.Add(v)
			return !c.Late()
		})
	}
	if err := walk(root, "", 0); err != nil {
		return resolvers.Failure(err)
	}
	return c.Answer()
}
