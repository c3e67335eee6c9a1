package opmap

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/opmap/core"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// SystemOptions say how the system map is built.
type SystemOptions struct {
	Paths place.Paths
	// PATH is where installed programs are looked for.
	PATH string
	// NoRun: no program is asked; answers of an earlier build count while the
	// program is the same.
	NoRun bool
	// Add puts further contents into the image, such as descriptors of the
	// commands of this machine; nil adds nothing.
	Add func(b *tcpdb.Builder) error
}

// SystemReport says what a build of the system map found.
type SystemReport struct {
	Tools []SystemTool
}

// SystemTool is one installed tool that was asked about itself.
type SystemTool struct {
	Tool    string
	Version string
	Err     error // why it was left out
}

// BuildSystem compiles the system map: for each tool that can be asked about
// itself, what people wrote merged with what the installed version says. What
// people know alone stays in the core. A tool that cannot be asked is left out
// and named in the report; the error is about building.
func BuildSystem(ctx context.Context, opts SystemOptions) ([]byte, *SystemReport, error) {
	l, problems := loadCore(core.Files, "git", ParseOptions{})
	if err := problems.Err(); err != nil {
		return nil, nil, err
	}
	trees, err := l.trees()
	if err != nil {
		return nil, nil, err
	}
	b := tcpdb.NewBuilder()
	report := &SystemReport{}
	for _, t := range trees {
		if t.Name != "git" {
			continue
		}
		report.Tools = append(report.Tools, buildGit(ctx, b, t, opts))
	}
	if opts.Add != nil {
		if err := opts.Add(b); err != nil {
			return nil, nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	image, err := b.Build()
	return image, report, err
}

func buildGit(ctx context.Context, b *tcpdb.Builder, root *tcpdb.Node, opts SystemOptions) SystemTool {
	tool := SystemTool{Tool: "git"}
	git := program(opts.PATH, "", "git")
	if git == "" {
		tool.Err = fmt.Errorf("git is not installed")
		return tool
	}
	cache := ""
	if opts.Paths.Cache != "" {
		cache = filepath.Join(opts.Paths.Cache, "system", "git.json")
	}
	facts, err := askGit(ctx, git, opts.PATH, cache, opts.NoRun)
	if err != nil {
		tool.Err = err
		return tool
	}
	tool.Version = facts.Version
	mergeGit(root, facts)
	b.Tool(root)
	return tool
}
