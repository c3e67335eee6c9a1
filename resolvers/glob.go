package resolvers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// matchGlob matches one path component: "*", "?" and "[a-z]". A pattern that is
// malformed matches only itself.
func matchGlob(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?[\\") {
		return pattern == name
	}
	ok, err := filepath.Match(pattern, name)
	return err == nil && ok || pattern == name
}

// globDirs lists the directories that a pattern with "/" names, from root, in
// order; "**" stands for any number of components. It follows what the pattern
// spells out (also ".."), but "**" goes through no symbolic links, hidden
// directories or node_modules.
func globDirs(c *collector, root, pattern string) []string {
	pattern = filepath.ToSlash(filepath.Clean(pattern))
	if filepath.IsAbs(pattern) {
		root, pattern = "/", strings.TrimPrefix(pattern, "/")
	}
	dirs := []string{root}
	for part := range strings.SplitSeq(pattern, "/") {
		var next []string
		for _, dir := range dirs {
			if c.late() {
				return nil
			}
			switch {
			case part == "**":
				next = append(next, below(c, dir, 0)...)
			case !strings.ContainsAny(part, "*?[\\"):
				next = append(next, filepath.Join(dir, part))
			default:
				next = append(next, subdirs(dir, part)...)
			}
		}
		dirs = next
	}
	dirs = slices.DeleteFunc(dirs, func(d string) bool { return !isDir(d) })
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// subdirs lists the directories in dir whose names match; an unreadable
// directory has none.
func subdirs(dir, pattern string) []string {
	entries, _ := os.ReadDir(dir)
	var found []string
	for _, e := range entries {
		if e.Name()[0] == '.' && pattern[0] != '.' || !matchGlob(pattern, e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if e.IsDir() || e.Type()&os.ModeSymlink != 0 && isDir(path) {
			found = append(found, path)
		}
	}
	return found
}

// maxDepth bounds walks down a tree.
const maxDepth = 40

func below(c *collector, dir string, depth int) []string {
	found := []string{dir}
	if depth >= maxDepth || c.late() {
		return found
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() && e.Name()[0] != '.' && e.Name() != "node_modules" {
			found = append(found, below(c, filepath.Join(dir, e.Name()), depth+1)...)
		}
	}
	return found
}
