package argv

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// FindLong returns the flag of n that the long name stands for: written out,
// as --no-x of a negatable one, or abbreviated where n allows that and only one
// flag fits.
func FindLong(n *tcpdb.Node, name string) (f *tcpdb.Flag, negated bool) {
	if f := n.Flag(name); f != nil {
		return f, false
	}
	positive, no := strings.CutPrefix(name, "--no-")
	if no {
		if f := n.Flag("--" + positive); f != nil && f.Negatable {
			return f, true
		}
	}
	if n.Bits&tcpdb.NoAbbreviation != 0 || n.Bits&tcpdb.SingleDashLong != 0 || len(name) < 3 {
		return nil, false
	}
	for i := range n.Flags {
		c := &n.Flags[i]
		for _, s := range c.Names {
			fits := strings.HasPrefix(s, name)
			fitsNo := no && c.Negatable && strings.HasPrefix(s, "--"+positive)
			if !fits && !fitsNo || f == c {
				continue
			}
			if f != nil {
				return nil, false
			}
			f, negated = c, !fits
		}
	}
	return f, negated
}

// Chdir returns the directory that the command works in when it is run in dir:
// what -C and its like make of it (git -C, make -C, npm --prefix, go -C).
func (b *Bound) Chdir(dir string) string {
	parts := []string{dir}
	for i := range b.Flags {
		f := &b.Flags[i]
		tool := b.Chain[0].Name
		if f.Flag == nil || f.ValueWord < 0 || f.Value == "" || !chdirs(tool, f.Flag.ID) ||
			f.Node > 0 && tool == "git" { // git commit -C is another thing
			continue
		}
		if path.IsAbs(f.Value) {
			parts = parts[:0]
		}
		parts = append(parts, f.Value)
	}
	if len(parts) == 1 && parts[0] == dir {
		return dir
	}
	// Joined once: a line can hold the option a hundred thousand times.
	return path.Join(parts...)
}

// chdirs reports whether the flag of that ID is the tool's "work in this directory".
func chdirs(tool, id string) bool {
	switch tool {
	case "git", "go", "cargo", "ninja", "gmake", "cmake":
		return id == "C"
	case "make":
		return id == "C" || id == "directory"
	case "npm":
		return id == "prefix"
	case "pnpm":
		return id == "C" || id == "dir"
	case "yarn":
		return id == "cwd"
	case "just":
		return id == "working-directory"
	case "env", "sudo":
		return id == "chdir"
	}
	return false
}

func isAssignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	if !ok || name == "" || name[0] >= '0' && name[0] <= '9' {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
