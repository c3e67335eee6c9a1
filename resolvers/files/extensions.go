package files

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// What is looked at for the kinds of files that are here: a tree that is not
// too deep, up to so many entries, so that a Tab in a home directory ends.
const (
	extensionDepth   = 4
	extensionEntries = 20_000
)

// Extensions answers extensions: those of the files here and below, without
// their dot, the most frequent first.
func Extensions(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return fileKinds(ctx, r, "")
}

// Globs answers globs: "*.go" for each such extension.
func Globs(ctx context.Context, r resolvers.Request) resolvers.Answer { return fileKinds(ctx, r, "*.") }

func fileKinds(ctx context.Context, r resolvers.Request, lead string) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir := r.Dir
	if len(r.Words) > 1 && r.Words[0] == "find" && !strings.HasPrefix(r.Words[1], "-") {
		dir = disk.Within(dir, r.Words[1])
	}
	if !filepath.IsAbs(dir) || !disk.IsDir(dir) {
		return resolvers.Failure(resolvers.Nowhere("no directory", dir))
	}
	count := map[string]int{}
	dirs := []string{dir}
	for depth, seen := 0, 0; depth < extensionDepth && len(dirs) > 0; depth++ {
		var next []string
		for _, dir := range dirs {
			_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
				seen++
				text := disk.View(name)
				switch {
				case typ == disk.Directory:
					if !generated(text) {
						next = append(next, filepath.Join(dir, strings.Clone(text)))
					}
				case typ == disk.File:
					if ext := extension(text); ext != "" {
						if _, ok := count[ext]; !ok {
							ext = strings.Clone(ext)
						}
						count[ext]++
					}
				}
				return seen < extensionEntries && !c.Late()
			})
			if seen >= extensionEntries || c.Cut {
				break
			}
		}
		dirs = next
		if seen >= extensionEntries {
			break
		}
	}
	for ext, n := range count {
		c.Add(resolvers.Value{Value: lead + ext, Description: resolvers.Plural(n, "file"), Kind: "pattern", Weight: n})
	}
	return c.Answer()
}

// extension is what stands after the last dot of a name, if that is a word: a
// dot file and a version number have none.
func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || len(name)-i > 12 {
		return ""
	}
	letters := false
	for _, b := range []byte(name[i+1:]) {
		switch {
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			letters = true
		case b < '0' || b > '9':
			return ""
		}
	}
	if !letters {
		return ""
	}
	return name[i+1:]
}

// generated reports whether a directory holds what others made: hidden ones,
// and those that dependencies and builds go to.
func generated(name string) bool {
	switch name {
	case "node_modules", "target", "vendor", "__pycache__", "dist", "build", "venv":
		return true
	}
	return name[0] == '.'
}
