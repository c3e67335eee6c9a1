package cloud

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// terraformDir is where terraform works: -chdir leads elsewhere.
func terraformDir(r resolvers.Request) string {
	for _, w := range r.Words {
		if to, ok := strings.CutPrefix(w, "-chdir="); ok {
			return disk.Within(r.Dir, to)
		}
	}
	return r.Dir
}

// TerraformWorkspaces answers terraform:workspaces: those whose state is kept
// in files, and the one that is selected.
func TerraformWorkspaces(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir := terraformDir(r)
	selected := ""
	if data, err := disk.ReadRegular(filepath.Join(dir, ".terraform", "environment"), 4096); err == nil {
		selected = strings.TrimSpace(string(data))
	}
	add := func(name string) {
		v := resolvers.Value{Value: name, Kind: "workspace"}
		if name == selected {
			v.Description, v.Weight = "selected", 1
		}
		c.Add(v)
	}
	if selected != "" && selected != "default" && !disk.IsDir(filepath.Join(dir, "terraform.tfstate.d", selected)) {
		add(selected) // its state is kept elsewhere
	}
	add("default")
	_ = disk.ReadDir(filepath.Join(dir, "terraform.tfstate.d"), func(name []byte, typ disk.Type) bool {
		if typ != disk.File {
			add(string(name))
		}
		return !c.Late()
	})
	return c.Answer()
}

// TerraformAddresses answers terraform:addresses: the resources and modules that the
// configuration declares.
func TerraformAddresses(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir := terraformDir(r)
	eachTerraform(c, dir, func(words []string) {
		switch {
		case words[0] == "resource" && len(words) >= 3:
			c.Add(resolvers.Value{Value: words[1] + "." + words[2], Kind: "resource"})
		case words[0] == "module" && len(words) >= 2:
			c.Add(resolvers.Value{Value: "module." + words[1], Kind: "module"})
		case words[0] == "data" && len(words) >= 3:
			c.Add(resolvers.Value{Value: "data." + words[1] + "." + words[2], Kind: "data", Weight: -1})
		}
	})
	return c.Answer()
}

// TerraformOutputs answers terraform:outputs.
func TerraformOutputs(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return terraformBlocks(ctx, r, "output", "")
}

// TerraformVariables answers terraform:variables, for -var NAME=VALUE.
func TerraformVariables(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return terraformBlocks(ctx, r, "variable", "=")
}

// terraformBlocks lists the names of one kind of block.
func terraformBlocks(ctx context.Context, r resolvers.Request, block, end string) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	eachTerraform(c, terraformDir(r), func(words []string) {
		if words[0] == block && len(words) >= 2 {
			c.Add(resolvers.Value{Value: words[1] + end, Kind: block, Partial: end != ""})
		}
	})
	return c.Answer()
}

// eachTerraform gives the words of the lines that begin a block at the left margin.
func eachTerraform(c *resolvers.Collector, dir string, f func(words []string)) {
	_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
		if !strings.HasSuffix(disk.View(name), ".tf") {
			return !c.Late()
		}
		_ = disk.EachLine(filepath.Join(dir, string(name)), func(line string) {
			if line == "" || line[0] < 'a' || line[0] > 'z' || !strings.Contains(line, "{") {
				return
			}
			line, _, _ = strings.Cut(line, "{")
			words := strings.Fields(line)
			for i, w := range words {
				words[i] = strings.Trim(w, `"`)
			}
			if len(words) > 0 {
				f(words)
			}
		})
		return !c.Late()
	})
}

// TerraformWorkspace returns the workspace that is selected in a directory, ""
// for the default one.
func TerraformWorkspace(dir string, getenv func(string) string) string {
	r := resolvers.Request{Dir: dir, Getenv: getenv}
	data := r.Env("TF_DATA_DIR")
	if data == "" {
		data = ".terraform"
	}
	text, err := disk.ReadRegular(filepath.Join(disk.Within(dir, data), "environment"), 4096)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
