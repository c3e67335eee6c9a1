package disk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Match matches one path component: "*", "?" and "[a-z]". A pattern that is
// malformed matches only itself.
func Match(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?[\\") {
		return pattern == name
	}
	ok, err := filepath.Match(pattern, name)
	return err == nil && ok || pattern == name
}

// Glob lists the directories that a pattern with "/" names, from root, in
// order; "**" stands for any number of components. It follows what the pattern
// spells out (also ".."), but "**" goes through no symbolic links, hidden
// directories or node_modules. late ends it before its time.
func Glob(root, pattern string, late func() bool) []string {
	pattern = filepath.ToSlash(filepath.Clean(pattern))
	if filepath.IsAbs(pattern) {
		root, pattern = "/", strings.TrimPrefix(pattern, "/")
	}
	dirs := []string{root}
	for part := range strings.SplitSeq(pattern, "/") {
		var next []string
		for _, dir := range dirs {
			if late() {
				return nil
			}
			switch {
			case part == "**":
				next = append(next, below(dir, 0, late)...)
			case !strings.ContainsAny(part, "*?[\\"):
				next = append(next, filepath.Join(dir, part))
			default:
				next = append(next, subdirs(dir, part)...)
			}
		}
		dirs = next
	}
	dirs = slices.DeleteFunc(dirs, func(d string) bool { return !IsDir(d) })
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// subdirs lists the directories in dir whose names match; an unreadable
// directory has none.
func subdirs(dir, pattern string) []string {
	entries, _ := os.ReadDir(dir)
	var found []string
	for _, e := range entries {
		if e.Name()[0] == '.' && pattern[0] != '.' || !Match(pattern, e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if e.IsDir() || e.Type()&os.ModeSymlink != 0 && IsDir(path) {
			found = append(found, path)
		}
	}
	return found
}

// MaxDepth bounds walks down a tree.
const MaxDepth = 40

func below(dir string, depth int, late func() bool) []string {
	found := []string{dir}
	if depth >= MaxDepth || late() {
		return found
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() && e.Name()[0] != '.' && e.Name() != "node_modules" {
			found = append(found, below(filepath.Join(dir, e.Name()), depth+1, late)...)
		}
	}
	return found
}
