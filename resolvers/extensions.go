package resolvers

import (
	"context"
	"path/filepath"
	"strings"
)

// What is looked at for the kinds of files that are here: a tree that is not
// too deep, up to so many entries, so that a Tab in a home directory ends.
const (
	extensionDepth   = 4
	extensionEntries = 20_000
)

// fileExtensions answers extensions: those of the files here and below, without
// their dot, the most frequent first.
func fileExtensions(ctx context.Context, r Request) Answer { return fileKinds(ctx, r, "") }

// fileGlobs answers globs: "*.go" for each such extension.
func fileGlobs(ctx context.Context, r Request) Answer { return fileKinds(ctx, r, "*.") }

func fileKinds(ctx context.Context, r Request, lead string) Answer {
	c := newCollector(ctx, r)
	dir := r.Dir
	if len(r.Words) > 1 && r.Words[0] == "find" && !strings.HasPrefix(r.Words[1], "-") {
		dir = within(dir, r.Words[1])
	}
	if !filepath.IsAbs(dir) || !isDir(dir) {
		return failed(nowhere("no directory", dir))
	}
	count := map[string]int{}
	dirs := []string{dir}
	for depth, seen := 0, 0; depth < extensionDepth && len(dirs) > 0; depth++ {
		var next []string
		for _, dir := range dirs {
			_ = readDir(dir, func(name []byte, typ entryType) bool {
				seen++
				text := view(name)
				switch {
				case typ == entryDir:
					if !generated(text) {
						next = append(next, filepath.Join(dir, strings.Clone(text)))
					}
				case typ == entryFile:
					if ext := extension(text); ext != "" {
						if _, ok := count[ext]; !ok {
							ext = strings.Clone(ext)
						}
						count[ext]++
					}
				}
				return seen < extensionEntries && !c.late()
			})
			if seen >= extensionEntries || c.cut {
				break
			}
		}
		dirs = next
		if seen >= extensionEntries {
			break
		}
	}
	for ext, n := range count {
		c.add(Value{Value: lead + ext, Description: plural(n, "file"), Kind: "pattern", Weight: n})
	}
	return c.answer()
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
