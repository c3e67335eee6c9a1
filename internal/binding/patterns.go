package binding

import (
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// patterns are paths that do not count, with "*" and "**". One that names a
// directory stands for all below it.
type patterns struct{ below, absolute []string }

// newPatterns reads patterns that are relative to the root, or to dir below it.
func newPatterns(root, dir string, list []string) patterns {
	var p patterns
	from, err := filepath.Rel(root, dir)
	within := err == nil && from != "." && filepath.IsLocal(from)
	for _, one := range list {
		one = strings.TrimPrefix(strings.TrimSuffix(one, "/"), "./")
		switch {
		case one == "":
		case filepath.IsAbs(one):
			p.absolute = append(p.absolute, one)
			if rel, err := filepath.Rel(root, one); err == nil && filepath.IsLocal(rel) {
				p.below = append(p.below, rel)
			}
		default:
			p.below = append(p.below, filepath.Clean(one))
			if within {
				p.below = append(p.below, filepath.Join(from, one))
			}
		}
	}
	return p
}

// match reports whether a path from the root is covered.
func (p *patterns) match(path string, dir bool) bool { return matchAny(p.below, path, dir) }

// matchAbs reports whether an absolute path is covered.
func (p *patterns) matchAbs(path string) bool { return matchAny(p.absolute, path, false) }

func matchAny(list []string, path string, dir bool) bool {
	for _, one := range list {
		if matchPath(one, path) || dir && strings.HasSuffix(one, "/**") && matchPath(one[:len(one)-3], path) {
			return true
		}
	}
	return false
}

// matchPath matches a pattern with the path or one of the directories above it.
func matchPath(pattern, path string) bool {
	head, rest, more := strings.Cut(pattern, "/")
	if head == "**" {
		if !more {
			return true
		}
		for {
			if matchPath(rest, path) {
				return true
			}
			i := strings.IndexByte(path, '/')
			if i < 0 {
				return false
			}
			path = path[i+1:]
		}
	}
	name, below, deeper := strings.Cut(path, "/")
	if head != name && !disk.Match(head, name) {
		return false
	}
	return !more || deeper && matchPath(rest, below)
}
