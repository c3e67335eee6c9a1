package cargo

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Packages answers cargo:packages: the members of the workspace, each with
// its directory.
func Packages(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	p, err := openCargo(c, r)
	if err != nil {
		return resolvers.Failure(err)
	}
	members, err := p.members()
	if err != nil {
		return resolvers.Failure(err)
	}
	for _, pkg := range members {
		v := resolvers.Value{Value: pkg.name, Kind: "package", Description: disk.Relative(p.root, pkg.dir)}
		if pkg.dir == p.here {
			v.Weight = 1
		}
		c.Add(v)
	}
	return c.Answer()
}

// Features answers cargo:features: the features of the selected packages,
// each with what it enables; an optional dependency is one too, unless a
// feature names it with "dep:".
func Features(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	_, packages, err := openSelected(c, r)
	if err != nil {
		return resolvers.Failure(err)
	}
	for _, pkg := range packages {
		owner := ""
		if len(packages) > 1 {
			owner = pkg.name + ": "
		}
		for name, enables := range pkg.Features {
			c.Add(resolvers.Value{Value: name, Kind: "feature", Description: owner + resolvers.OneLine(strings.Join(enables, ", "), 100)})
		}
		for _, name := range pkg.implicitFeatures() {
			c.Add(resolvers.Value{Value: name, Kind: "feature", Description: owner + "optional dependency"})
		}
	}
	return c.Answer()
}

// implicitFeatures lists the optional dependencies that are features by their own name.
func (m *manifest) implicitFeatures() []string {
	named := map[string]bool{}
	for _, enables := range m.Features {
		for _, e := range enables {
			if dep, ok := strings.CutPrefix(e, "dep:"); ok {
				named[dep] = true
			}
		}
	}
	var names []string
	for _, d := range m.dependencies() {
		_, declared := m.Features[d.name]
		if d.table["optional"] == true && !named[d.name] && !declared {
			names = append(names, d.name)
		}
	}
	return names
}

// Profiles answers cargo:profiles: the four of cargo, and [profile.x] of
// the workspace's root and of .cargo/config.toml.
func Profiles(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	p, err := openCargo(c, r)
	if err != nil {
		return resolvers.Failure(err)
	}
	text := map[string]string{
		"dev": "built in", "release": "built in",
		"test": "built in, inherits dev", "bench": "built in, inherits release",
	}
	take := func(profiles map[string]any) {
		for name, v := range profiles {
			table, _ := v.(map[string]any)
			inherits, _ := table["inherits"].(string)
			if _, known := text[name]; known {
				continue
			}
			if text[name] = "profile of this workspace"; inherits != "" {
				text[name] = "inherits " + resolvers.OneLine(inherits, 60)
			}
		}
	}
	take(p.rootManifest.Profile)
	for path := range configs(r.Dir, r.Env) {
		config, err := readTOML(path)
		if err != nil {
			return resolvers.Failure(err)
		}
		profiles, _ := config["profile"].(map[string]any)
		take(profiles)
	}
	for name, description := range text {
		c.Add(resolvers.Value{Value: name, Description: description, Kind: "profile"})
	}
	return c.Answer()
}

// Dependencies answers cargo:dependencies: the direct dependencies of the
// selected packages, each with its requirement and kind.
func Dependencies(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	p, packages, err := openSelected(c, r)
	if err != nil {
		return resolvers.Failure(err)
	}
	for _, pkg := range packages {
		for _, d := range pkg.dependencies() {
			c.Add(resolvers.Value{Value: d.name, Kind: "dependency", Description: p.describe(d)})
		}
	}
	return c.Answer()
}

func (p *project) describe(d dependency) string {
	var parts []string
	table, version := d.table, d.version
	if table["workspace"] == true && p.rootManifest.Workspace != nil {
		switch shared := p.rootManifest.Workspace.Dependencies[d.name].(type) {
		case string:
			version = shared
		case map[string]any:
			table = shared
			version, _ = shared["version"].(string)
		}
	}
	if version != "" {
		parts = append(parts, version)
	}
	for _, key := range [...]string{"path", "git"} {
		if where, ok := table[key].(string); ok {
			parts = append(parts, where)
		}
	}
	if d.kind != "" {
		parts = append(parts, d.kind)
	}
	if d.table["optional"] == true {
		parts = append(parts, "optional")
	}
	return resolvers.OneLine(strings.Join(parts, ", "), 100)
}

// Locked answers cargo:locked: every package of Cargo.lock, each with its
// versions, for cargo update, cargo tree -i and the like.
func Locked(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	p, err := openCargo(c, r)
	if err != nil {
		return resolvers.Failure(err)
	}
	data, err := disk.ReadRegular(filepath.Join(p.root, "Cargo.lock"), disk.MaxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return resolvers.Answer{State: resolvers.Fresh, Message: "there is no Cargo.lock yet: cargo generate-lockfile makes one"}
	}
	if err != nil {
		return resolvers.Failure(err)
	}
	// cargo writes the file itself, one key a line, name before version, names
	// in order; a TOML decoder takes many times as long.
	last := resolvers.Value{Kind: "package"}
	for line := range strings.Lines(string(data)) {
		if name, ok := lockKey(line, "name"); ok && name != last.Value {
			if last.Value != "" && !c.Late() {
				c.Add(last)
			}
			last.Value, last.Description = name, ""
		} else if version, ok := lockKey(line, "version"); ok && last.Value != "" {
			last.Description = strings.TrimPrefix(last.Description+", "+version, ", ")
		}
	}
	if last.Value != "" {
		c.Add(last)
	}
	return c.Answer()
}

func lockKey(line, key string) (string, bool) {
	rest, ok := strings.CutPrefix(line, key)
	if !ok {
		return "", false
	}
	rest = strings.TrimSpace(rest)
	if rest, ok = strings.CutPrefix(rest, "="); !ok {
		return "", false
	}
	rest = strings.TrimSpace(rest)
	if len(rest) < 2 || rest[0] != '"' || rest[len(rest)-1] != '"' {
		return "", false
	}
	return rest[1 : len(rest)-1], true
}

// configs yields the configuration files that cargo reads in dir, the one
// that counts most first: .cargo/config.toml upwards, then that of CARGO_HOME.
// Of "config" and "config.toml" in one directory cargo takes the former.
func configs(dir string, getenv func(string) string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		home := getenv("CARGO_HOME")
		if home == "" && getenv("HOME") != "" {
			home = filepath.Join(getenv("HOME"), ".cargo")
		}
		in := func(dir string) (goOn bool) {
			for _, name := range [...]string{"config", "config.toml"} {
				if path := filepath.Join(dir, name); disk.IsFile(path) {
					return yield(path)
				}
			}
			return true
		}
		for filepath.IsAbs(dir) {
			at := filepath.Join(dir, ".cargo")
			if at == home {
				home = ""
			}
			if !in(at) {
				return
			}
			if dir == filepath.Dir(dir) {
				break
			}
			dir = filepath.Dir(dir)
		}
		if filepath.IsAbs(home) {
			in(home)
		}
	}
}

// CargoAlias returns what the user's or the project's configuration makes of
// "cargo name" in dir: the words that stand for it, separated by blanks as
// cargo itself splits them (the elements of a list are joined by blanks).
// CARGO_ALIAS_NAME in the environment comes first. The aliases that cargo
// brings along (b, c, d, r, rm, t) are not here. A file that is not TOML is
// passed over.
func CargoAlias(dir string, getenv func(string) string, name string) (string, bool) {
	if name == "" {
		return "", false
	}
	key := "CARGO_ALIAS_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	if text := getenv(key); text != "" {
		return text, true
	}
	for path := range configs(dir, getenv) {
		config, err := readTOML(path)
		if err != nil {
			continue
		}
		aliases, _ := config["alias"].(map[string]any)
		switch v := aliases[name].(type) {
		case string:
			return v, true
		case []any:
			var list []string
			for _, word := range v {
				if s, ok := word.(string); ok {
					list = append(list, s)
				}
			}
			return strings.Join(list, " "), true
		}
	}
	return "", false
}

// Aliases answers cargo:aliases: the configured sub-commands, each with
// what it stands for.
func Aliases(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	var seen []string
	for path := range configs(r.Dir, r.Env) {
		config, err := readTOML(path)
		if err != nil {
			return resolvers.Failure(err)
		}
		aliases, _ := config["alias"].(map[string]any)
		for name := range aliases {
			if slices.Contains(seen, name) {
				continue
			}
			seen = append(seen, name)
			text, _ := CargoAlias(r.Dir, r.Env, name)
			c.Add(resolvers.Value{Value: name, Kind: "alias", Description: "cargo " + resolvers.OneLine(text, 100)})
		}
	}
	return c.Answer()
}
