// Package packages has the values of the system's package managers: apt, brew, pacman.
package packages

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// maxPackageList bounds a list of packages, in bytes.
const maxPackageList = 256 << 20

// AptInstalled answers apt:installed from dpkg's record.
func AptInstalled(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	const status = "/var/lib/dpkg/status"
	data, err := disk.ReadRegular(status, maxPackageList)
	if err != nil {
		return resolvers.Failure(err)
	}
	eachStanza(c, data, func(name string, stanza []byte) {
		if bytes.Contains(stanza, []byte("\nStatus: install ok installed")) {
			c.Add(resolvers.Value{Value: name, Description: stanzaField(stanza, "Description"), Kind: "package"})
		}
	})
	return c.Answer()
}

// AptPackages answers apt:packages: what the lists of the repositories offer,
// and without them what is installed. Two letters must be typed: there are
// 60 000 of them.
func AptPackages(ctx context.Context, r resolvers.Request) resolvers.Answer {
	const lists = "/var/lib/apt/lists"
	if len(r.Filter.Text) < 2 || r.Filter.Mode > resolvers.SmartCase {
		return AptInstalled(ctx, r)
	}
	c := resolvers.NewCollector(ctx, r)
	var files []string
	_ = disk.ReadDir(lists, func(name []byte, typ disk.Type) bool {
		if strings.HasSuffix(disk.View(name), "_Packages") {
			files = append(files, filepath.Join(lists, string(name)))
		}
		return true
	})
	if len(files) == 0 {
		return AptInstalled(ctx, r)
	}
	slices.Sort(files)
	for _, path := range files {
		if c.Late() {
			break
		}
		data, err := disk.ReadRegular(path, maxPackageList)
		if err != nil {
			continue
		}
		eachStanza(c, data, func(name string, stanza []byte) {
			c.Add(resolvers.Value{Value: name, Description: stanzaField(stanza, "Description"), Kind: "package"})
		})
	}
	return c.Answer()
}

// eachStanza goes over the packages of a control file (deb-control(5)) whose
// names pass the filter.
func eachStanza(c *resolvers.Collector, data []byte, f func(name string, stanza []byte)) {
	text := disk.View(data)
	for text != "" && !c.Late() {
		stanza, rest, _ := strings.Cut(text, "\n\n")
		text = rest
		if rest, ok := strings.CutPrefix(stanza, "Package: "); ok {
			name, _, _ := strings.Cut(rest, "\n")
			if c.Filter.Keep(name) {
				f(strings.Clone(name), []byte(stanza))
			}
		}
	}
}

func stanzaField(stanza []byte, name string) string {
	_, rest, ok := strings.Cut(disk.View(stanza), "\n"+name+": ")
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\n")
	return resolvers.OneLine(rest, 100)
}

// BrewInstalled answers brew:installed: the kegs and casks that are there.
func BrewInstalled(ctx context.Context, r resolvers.Request) resolvers.Answer {
	prefix := r.Env("HOMEBREW_PREFIX")
	roots := []string{"/opt/homebrew", "/usr/local", "/home/linuxbrew/.linuxbrew"}
	if filepath.IsAbs(prefix) {
		roots = []string{prefix}
	}
	var dirs []string
	for _, root := range roots {
		dirs = append(dirs, filepath.Join(root, "Cellar"), filepath.Join(root, "Caskroom"))
	}
	return resolvers.NamesOfDir(ctx, r, "package", resolvers.AsItIs, dirs...)
}

// PacmanInstalled answers pacman:installed from the local database, whose
// directories are NAME-VERSION-RELEASE.
func PacmanInstalled(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return resolvers.NamesOfDir(ctx, r, "package", func(name string) string {
		for range 2 {
			i := strings.LastIndexByte(name, '-')
			if i <= 0 {
				return ""
			}
			name = name[:i]
		}
		return name
	}, "/var/lib/pacman/local")
}

// Alternatives answers alternatives: the names that update-alternatives keeps.
func Alternatives(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return resolvers.NamesOfDir(ctx, r, "alternative", resolvers.AsItIs, "/var/lib/dpkg/alternatives", "/var/lib/alternatives")
}

// FlatpakApps answers flatpak:apps, of the machine and of the user.
func FlatpakApps(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return resolvers.NamesOfDir(ctx, r, "application", resolvers.AsItIs,
		"/var/lib/flatpak/app", filepath.Join(r.Env("HOME"), ".local/share/flatpak/app"))
}

// SnapInstalled answers snap:installed.
func SnapInstalled(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return resolvers.NamesOfDir(ctx, r, "snap", func(name string) string {
		if name == "bin" || name == "README" {
			return ""
		}
		return name
	}, "/snap", "/var/lib/snapd/snap")
}
