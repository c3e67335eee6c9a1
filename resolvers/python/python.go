// Package python has the values of Python's projects and environments.
package python

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// dirs are the directories of modules: the virtual environment's, the
// project's .venv, and the system's.
func dirs(r resolvers.Request) []string {
	var roots []string
	if env := r.Env("VIRTUAL_ENV"); filepath.IsAbs(env) {
		roots = append(roots, env)
	} else if env, ok := disk.FindUpDir(r.Dir, ".venv"); ok {
		roots = append(roots, env)
	}
	if env := r.Env("CONDA_PREFIX"); filepath.IsAbs(env) {
		roots = append(roots, env)
	}
	roots = append(roots, pyenv(r)...)
	roots = append(roots, filepath.Join(r.Env("HOME"), ".local"), "/usr/local", "/usr")
	var dirs []string
	for _, root := range roots {
		if !filepath.IsAbs(root) {
			continue
		}
		for _, lib := range [...]string{"lib", "lib64"} {
			base := filepath.Join(root, lib)
			_ = disk.ReadDir(base, func(name []byte, typ disk.Type) bool {
				if strings.HasPrefix(disk.View(name), "python3") {
					dirs = append(dirs, filepath.Join(base, string(name), "site-packages"), filepath.Join(base, string(name), "dist-packages"), filepath.Join(base, string(name)))
				}
				return true
			})
		}
	}
	return slices.Compact(dirs)
}

// pyenv is the root of the version that pyenv has chosen, if it stands on PATH: by
// PYENV_VERSION, else by a file upwards, else for all of the user.
func pyenv(r resolvers.Request) []string {
	home := r.Env("PYENV_ROOT")
	if home == "" {
		home = filepath.Join(r.Env("HOME"), ".pyenv")
	}
	if !filepath.IsAbs(home) || !slices.Contains(filepath.SplitList(r.Env("PATH")), filepath.Join(home, "shims")) {
		return nil
	}
	version := r.Env("PYENV_VERSION")
	for _, find := range [...]func() (string, bool){
		func() (string, bool) { return disk.FindUp(r.Dir, ".python-version") },
		func() (string, bool) { return filepath.Join(home, "version"), true },
	} {
		if path, ok := find(); ok && version == "" {
			_ = disk.EachLine(path, func(line string) {
				if line = strings.TrimSpace(line); version == "" && !strings.HasPrefix(line, "#") {
					version = line
				}
			})
		}
	}
	version, _, _ = strings.Cut(version, ":")
	if version == "" || version == "system" || strings.ContainsAny(version, "/\x00") || version[0] == '.' {
		return nil
	}
	return []string{filepath.Join(home, "versions", version)}
}

// Modules answers python:modules, for python -m: the modules of the
// working directory, of the environment and of the library. Nothing is imported.
func Modules(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	for i, name := range [...]string{"pytest", "pip", "venv", "http.server", "unittest", "json.tool", "build", "pdb", "timeit", "cProfile", "mypy", "black", "ruff", "uvicorn", "flask", "compileall", "zipfile", "ensurepip"} {
		c.Add(resolvers.Value{Value: name, Kind: "module", Weight: 100 - i})
	}
	for i, dir := range append([]string{r.Dir}, dirs(r)...) {
		_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
			text := disk.View(name)
			module, py := strings.CutSuffix(text, ".py")
			if !py && (typ == disk.File || !disk.IsFile(filepath.Join(dir, text, "__init__.py"))) || !isIdentifier(module) {
				return !c.Late()
			}
			v := resolvers.Value{Value: strings.Clone(module), Kind: "module"}
			if i == 0 {
				v.Weight = 200
			}
			c.Add(v)
			return !c.Late()
		})
	}
	return c.Answer()
}

func isIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i] | 0x20; (b < 'a' || b > 'z') && (s[i] < '0' || s[i] > '9' || i == 0) && s[i] != '_' || i == 0 && s[i] == '_' {
			return false
		}
	}
	return s != ""
}

// Packages answers python:packages: the distributions that are installed,
// by their *.dist-info directories.
func Packages(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	for _, dir := range dirs(r) {
		_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
			if text, ok := strings.CutSuffix(disk.View(name), ".dist-info"); ok {
				if i := strings.LastIndexByte(text, '-'); i > 0 {
					c.Add(resolvers.Value{Value: strings.ReplaceAll(text[:i], "_", "-"), Description: strings.Clone(text[i+1:]), Kind: "package"})
				}
			}
			return !c.Late()
		})
	}
	return c.Answer()
}

// pyproject reads the nearest pyproject.toml upwards.
func pyproject(r resolvers.Request) (map[string]any, error) {
	path, ok := disk.FindUp(r.Dir, "pyproject.toml")
	if !ok {
		return nil, resolvers.Nowhere("no pyproject.toml", r.Dir)
	}
	data, err := disk.ReadRegular(path, disk.MaxManifest)
	if err != nil {
		return nil, err
	}
	return toml.Parse(string(data))
}

// Dependencies answers python:dependencies: what pyproject.toml asks for,
// in the project's table, its groups and poetry's own tables.
func Dependencies(ctx context.Context, r resolvers.Request) resolvers.Answer {
	doc, err := pyproject(r)
	if err != nil {
		return resolvers.Failure(err)
	}
	c := resolvers.NewCollector(ctx, r)
	requirements(c, toml.In(doc, "project", "dependencies"), "")
	for _, at := range [][]string{{"dependency-groups"}, {"project", "optional-dependencies"}} {
		groups, _ := toml.In(doc, at...).(map[string]any)
		for name, list := range groups {
			requirements(c, list, name)
		}
	}
	poetry := func(v any, text string) {
		t, _ := v.(map[string]any)
		for name := range t {
			if name != "python" {
				c.Add(resolvers.Value{Value: name, Description: text, Kind: "package"})
			}
		}
	}
	poetry(toml.In(doc, "tool", "poetry", "dependencies"), "")
	poetry(toml.In(doc, "tool", "poetry", "dev-dependencies"), "dev")
	groups, _ := toml.In(doc, "tool", "poetry", "group").(map[string]any)
	for name, g := range groups {
		t, _ := g.(map[string]any)
		poetry(t["dependencies"], name)
	}
	return c.Answer()
}

// requirements adds the names of requirements ("requests[x]>=2; …").
func requirements(c *resolvers.Collector, list any, text string) {
	items, _ := list.([]any)
	for _, it := range items {
		s, ok := it.(string)
		if !ok {
			continue
		}
		if i := strings.IndexAny(s, " [<>=!~;@("); i >= 0 {
			s = s[:i]
		}
		if s != "" {
			c.Add(resolvers.Value{Value: s, Description: resolvers.OneLine(text, 60), Kind: "package"})
		}
	}
}

// tables answers with the keys of tables of pyproject.toml.
func tables(ctx context.Context, r resolvers.Request, kind string, paths ...[]string) resolvers.Answer {
	doc, err := pyproject(r)
	if err != nil {
		return resolvers.Failure(err)
	}
	c := resolvers.NewCollector(ctx, r)
	for _, path := range paths {
		t, _ := toml.In(doc, path...).(map[string]any)
		for name, v := range t {
			text, _ := v.(string)
			if name != "" {
				c.Add(resolvers.Value{Value: name, Description: resolvers.OneLine(text, 100), Kind: kind})
			}
		}
	}
	return c.Answer()
}

// Scripts answers python:scripts.
func Scripts(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return tables(ctx, r, "script", []string{"project", "scripts"}, []string{"tool", "poetry", "scripts"}, []string{"project", "gui-scripts"})
}

// PythonGroups answers python:groups, of dependencies.
func PythonGroups(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return tables(ctx, r, "group", []string{"dependency-groups"}, []string{"tool", "poetry", "group"})
}

// Extras answers python:extras.
func Extras(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return tables(ctx, r, "extra", []string{"project", "optional-dependencies"}, []string{"tool", "poetry", "extras"})
}
