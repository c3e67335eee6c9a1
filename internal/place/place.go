// Package place says where tmp keeps its files. It turns the environment into
// paths and touches no disk, so that programs that must start fast can use it.
package place

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Paths are the directories of one user. Each is absolute, or "" where the
// environment does not say: then what would be kept there is done without.
type Paths struct {
	Config string // sources of the user's layer
	Data   string // compiled system and user maps, packs
	State  string // trust, evidence, approvals, recency, audit; 0700
	Cache  string // compiled project maps, answers of resolvers
	Home   string // the home directory; a search for a project stops there
	// Shared are directories in which an administrator may have put a system map
	// or packs.
	Shared []string
	// Ceilings are directories at which a search for a project stops, like Home.
	Ceilings []string
}

// Find reads TMP_CONFIG_DIR, TMP_DATA_DIR, TMP_STATE_DIR and TMP_CACHE_DIR, then
// the XDG variables, then HOME. Values that are not absolute paths do not
// count: they would let the working directory choose the files.
func Find(getenv func(string) string) Paths {
	home := absolute(getenv("HOME"))
	dir := func(own, xdg, under string) string {
		if d := absolute(getenv(own)); d != "" {
			return d
		}
		if d := absolute(getenv(xdg)); d != "" {
			return filepath.Join(d, "tmp")
		}
		if home == "" {
			return ""
		}
		return filepath.Join(home, under, "tmp")
	}
	p := Paths{
		Config:   dir("TMP_CONFIG_DIR", "XDG_CONFIG_HOME", ".config"),
		Data:     dir("TMP_DATA_DIR", "XDG_DATA_HOME", ".local/share"),
		State:    dir("TMP_STATE_DIR", "XDG_STATE_HOME", ".local/state"),
		Cache:    dir("TMP_CACHE_DIR", "XDG_CACHE_HOME", ".cache"),
		Home:     home,
		Ceilings: list(getenv("TMP_CEILING_DIRECTORIES")),
	}
	shared := list(getenv("XDG_DATA_DIRS"))
	if len(shared) == 0 {
		shared = []string{"/usr/local/share", "/usr/share"}
	}
	for _, d := range shared {
		p.Shared = append(p.Shared, filepath.Join(d, "tmp"))
	}
	return p
}

func absolute(dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Clean(dir)
}

// list reads a variable of directories, joined by colons.
func list(value string) []string {
	var dirs []string
	for d := range strings.SplitSeq(value, string(filepath.ListSeparator)) {
		if d = absolute(d); d != "" {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

func under(dir string, elem ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, elem...)...)
}

// Schemas is the directory of the user's source maps.
func (p Paths) Schemas() string { return under(p.Config, "schemas") }

// Risks is the user's risk file.
func (p Paths) Risks() string { return under(p.Config, "risk.toml") }

// Settings is the user's settings file.
func (p Paths) Settings() string { return under(p.Config, "config.toml") }

// SystemMap is the compiled map of what is installed on this machine.
func (p Paths) SystemMap() string { return under(p.Data, "system.tcpdb") }

// Drafts is the directory of the drafts of source maps of what is installed.
func (p Paths) Drafts() string { return under(p.Data, "drafts") }

// SharedMaps are the places of a system map that an administrator installed;
// one counts only if root owns it.
func (p Paths) SharedMaps() []string {
	maps := make([]string, len(p.Shared))
	for i, d := range p.Shared {
		maps[i] = filepath.Join(d, "system.tcpdb")
	}
	return maps
}

// PackMap is the compiled map of the packs that the user installed.
func (p Paths) PackMap() string { return under(p.Data, packMap) }

// SharedPackMaps are the places of compiled packs that an administrator, or the
// system's package, installed; one counts only if root owns it.
func (p Paths) SharedPackMaps() []string {
	maps := make([]string, len(p.Shared))
	for i, d := range p.Shared {
		maps[i] = filepath.Join(d, packMap)
	}
	return maps
}

// InstalledPackMap is the place of the compiled packs that were installed with a
// program: PREFIX/share/tmp beside its PREFIX/bin.
func InstalledPackMap(program string) string {
	return filepath.Join(filepath.Dir(filepath.Dir(program)), "share", "tmp", packMap)
}

// packMap is the name of the compiled packs in each of their places.
const packMap = "packs.tcpdb"

// UserMap is the compiled map of the user's layer.
func (p Paths) UserMap() string { return under(p.Data, "user.tcpdb") }

// ProjectMap is the compiled map of the project in an absolute directory. It is
// never inside the project.
func (p Paths) ProjectMap(project string) string {
	return under(p.Cache, "projects", name(project)+".tcpdb")
}

// ForgeMap is the compiled map of the tools below an absolute root of tgp. It is never
// inside of that.
func (p Paths) ForgeMap(root string) string {
	return under(p.Cache, "forge", "maps", name(root)+".tcpdb")
}

// Trust is the record that the project in an absolute directory is trusted.
func (p Paths) Trust(project string) string {
	return under(p.State, "trust", name(project)+".json")
}

// Evidence is the record of why content of that hash (hex SHA-256) is verified.
func (p Paths) Evidence(hash string) string { return under(p.State, "evidence", hash+".json") }

// Reviews is the record of what a person accepted of a tool's map.
func (p Paths) Reviews(tool string) string { return under(p.State, "reviews", tool+".json") }

// Recent is the file of which words were used where, as hashes.
func (p Paths) Recent() string { return under(p.State, "recent") }

// Resolvers is where resolvers keep answers.
func (p Paths) Resolvers() string { return under(p.Cache, "resolvers") }

// name is a file name for a directory: 16 hex digits. It is an index, not an
// identity: the file itself names its directory.
func name(dir string) string {
	s := strconv.FormatUint(xxhash.Sum64String(dir), 16)
	return strings.Repeat("0", 16-len(s)) + s
}
