// Package build has the values of tools that generate builds: CMake, Meson, Ninja.
package build

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// CMakePresets answers cmake:presets: the names in CMakePresets.json and
// CMakeUserPresets.json.
func CMakePresets(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir := r.Dir
	if to, ok := resolvers.Option(r.Words, true, "-S"); ok {
		dir = disk.Within(dir, to)
	}
	section := "configurePresets"
	switch {
	case resolvers.Has(r.Words, "--build"):
		section = "buildPresets"
	case len(r.Words) > 0 && r.Words[0] == "ctest":
		section = "testPresets"
	}
	found := false
	for _, name := range [...]string{"CMakePresets.json", "CMakeUserPresets.json"} {
		data, err := disk.ReadRegular(filepath.Join(dir, name), disk.MaxManifest)
		if err != nil {
			continue
		}
		found = true
		if err := jsonscan.Read(data, func(j *jsonscan.Reader) error { return cmakeSection(j, section, c) }); err != nil {
			return resolvers.Failure(err)
		}
	}
	if !found {
		return resolvers.Failure(resolvers.Nowhere("no CMakePresets.json", dir))
	}
	return c.Answer()
}

func cmakeSection(j *jsonscan.Reader, section string, c *resolvers.Collector) error {
	return j.Object(func(key string) error {
		if key != section {
			return j.Skip()
		}
		return j.Array(func() error {
			name, hidden := "", false
			err := j.Object(func(key string) (err error) {
				switch key {
				case "name":
					name, err = j.Text()
					return err
				case "hidden":
					hidden = j.Peek() == 't'
				}
				return j.Skip()
			})
			if err == nil && name != "" && !hidden {
				c.Add(resolvers.Value{Value: name, Kind: "preset"})
			}
			return err
		})
	})
}

// CMakeCommands answers cmake:commands.
func CMakeCommands(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return cmakeHelp(ctx, r, "command")
}

// CMakeModules answers cmake:modules.
func CMakeModules(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return cmakeHelp(ctx, r, "module")
}

// CMakeVariables answers cmake:variables.
func CMakeVariables(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return cmakeHelp(ctx, r, "variable")
}

// CMakeProperties answers cmake:properties.
func CMakeProperties(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return cmakeHelp(ctx, r, "property")
}

// cmakeHelp lists what this cmake has help for.
func cmakeHelp(ctx context.Context, r resolvers.Request, kind string) resolvers.Answer {
	q := resolvers.Query{Tool: "cmake", Fresh: time.Hour, Args: []string{"--help-" + kind + "-list"}}
	return q.Lines(ctx, r, func(line string) (resolvers.Value, bool) {
		line = strings.TrimSpace(line)
		return resolvers.Value{Value: line, Kind: kind}, line != "" && !strings.Contains(line, " ")
	})
}
