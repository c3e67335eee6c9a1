package resolvers

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// NamesOfDir lists the entries of a directory under one of the roots as values.
func NamesOfDir(ctx context.Context, r Request, kind string, trim func(name string) string, roots ...string) Answer {
	c := NewCollector(ctx, r)
	found := false
	for _, root := range roots {
		if !filepath.IsAbs(root) {
			continue
		}
		found = disk.ReadDir(root, func(name []byte, typ disk.Type) bool {
			if text := trim(disk.View(name)); text != "" && text[0] != '.' {
				c.Add(Value{Value: strings.Clone(text), Kind: kind})
			}
			return !c.Late()
		}) == nil || found
	}
	if !found {
		return Failure(Nowhere("no list of "+kind+"s", roots[0]))
	}
	return c.Answer()
}

// AsItIs takes a name for NamesOfDir as it stands in the directory.
func AsItIs(name string) string { return name }

// IniSections lists the sections of a configuration file, "default" first.
func IniSections(ctx context.Context, r Request, kind, prefix string, paths ...string) Answer {
	c := NewCollector(ctx, r)
	found := false
	for _, path := range paths {
		found = disk.EachLine(path, func(line string) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
				return
			}
			name := strings.TrimSpace(strings.TrimPrefix(line[1:len(line)-1], prefix))
			v := Value{Value: name, Kind: kind}
			if name == "default" {
				v.Weight = 1
			}
			if name != "" && !strings.Contains(name, " ") {
				c.Add(v)
			}
		}) == nil || found
	}
	if !found {
		return Failure(Nowhere("no configuration with "+kind+"s", paths[0]))
	}
	return c.Answer()
}
