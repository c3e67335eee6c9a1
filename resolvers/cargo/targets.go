package cargo

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// builtTarget is a target of a package: a binary, an example, a test, a benchmark.
type builtTarget struct {
	name string
	path string // of its source, absolute; it need not exist
	test bool   // cargo test builds it
}

// bins lists the binaries as cargo finds them: src/main.rs under the package's
// name, src/bin/*.rs, src/bin/*/main.rs, and [[bin]].
func (pkg *cargoPackage) bins() []builtTarget {
	var found []builtTarget
	if path := filepath.Join(pkg.dir, "src", "main.rs"); disk.IsFile(path) {
		found = append(found, builtTarget{name: pkg.name, path: path})
	}
	found = append(found, discover(pkg.dir, "src/bin")...)
	return pkg.merge(pkg.Bin, found, pkg.Package.Autobins, true, "src/bin")
}

func (pkg *cargoPackage) examples() []builtTarget {
	return pkg.merge(pkg.Example, discover(pkg.dir, "examples"), pkg.Package.Autoexamples, false, "examples")
}

func (pkg *cargoPackage) tests() []builtTarget {
	return pkg.merge(pkg.Test, discover(pkg.dir, "tests"), pkg.Package.Autotests, true, "tests")
}

func (pkg *cargoPackage) benches() []builtTarget {
	return pkg.merge(pkg.Bench, discover(pkg.dir, "benches"), pkg.Package.Autobenches, false, "benches")
}

// discover lists x.rs and x/main.rs of a directory, names without a leading dot.
func discover(dir, sub string) []builtTarget {
	base := filepath.Join(dir, filepath.FromSlash(sub))
	entries, _ := os.ReadDir(base)
	var found []builtTarget
	for _, e := range entries {
		name := e.Name()
		if name[0] == '.' {
			continue
		}
		path := filepath.Join(base, name)
		if stem, ok := strings.CutSuffix(name, ".rs"); ok && stem != "" {
			if disk.IsFile(path) {
				found = append(found, builtTarget{name: stem, path: path})
			}
		} else if main := filepath.Join(path, "main.rs"); !e.Type().IsRegular() && disk.IsFile(main) {
			found = append(found, builtTarget{name: name, path: main})
		}
	}
	return found
}

// merge joins what the manifest declares with what was found: a found target
// counts if neither its name nor its path is declared, and not at all if the
// auto key is false; edition 2015 finds nothing beside declared targets.
func (pkg *cargoPackage) merge(declared []target, found []builtTarget, auto *bool, test bool, sub string) []builtTarget {
	var all []builtTarget
	for _, t := range declared {
		b := builtTarget{name: t.Name, test: test}
		if t.Test != nil {
			b.test = *t.Test
		}
		if t.Path != "" {
			b.path = disk.Within(pkg.dir, t.Path)
		} else {
			b.path = pkg.pathOf(t.Name, found, sub)
		}
		all = append(all, b)
	}
	if auto != nil && !*auto || auto == nil && len(declared) > 0 && pkg.is2015() {
		return all
	}
	names := len(all)
	for _, f := range found {
		if !slices.ContainsFunc(all[:names], func(b builtTarget) bool { return b.name == f.name || b.path == f.path }) {
			f.test = test
			all = append(all, f)
		}
	}
	return all
}

// pathOf is where a declared target without a path lives.
func (pkg *cargoPackage) pathOf(name string, found []builtTarget, sub string) string {
	for _, f := range found {
		if f.name == name {
			return f.path
		}
	}
	return filepath.Join(pkg.dir, filepath.FromSlash(sub), name+".rs")
}

// is2015 reports whether the package has edition 2015, the default. An edition
// taken from the workspace is never that old in practice.
func (pkg *cargoPackage) is2015() bool {
	edition := pkg.Package.Edition
	return edition == nil || edition == "2015"
}

// lib is the library, if the package has one.
func (pkg *cargoPackage) lib() (builtTarget, bool) {
	b := builtTarget{name: strings.ReplaceAll(pkg.name, "-", "_"), path: filepath.Join(pkg.dir, "src", "lib.rs"), test: true}
	if pkg.Lib != nil {
		if pkg.Lib.Name != "" {
			b.name = pkg.Lib.Name
		}
		if pkg.Lib.Path != "" {
			b.path = disk.Within(pkg.dir, pkg.Lib.Path)
		}
		if pkg.Lib.Test != nil {
			b.test = *pkg.Lib.Test
		}
	}
	return b, disk.IsFile(b.path)
}

// targets answers with the targets of one sort in the selected packages.
// Descriptions are the source, and the package if there are several.
func targets(ctx context.Context, r resolvers.Request, kind string, targets func(*cargoPackage) []builtTarget) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	_, packages, err := openSelected(c, r)
	if err != nil {
		return resolvers.Failure(err)
	}
	for _, pkg := range packages {
		for _, t := range targets(pkg) {
			v := resolvers.Value{Value: t.name, Kind: kind, Description: disk.Relative(pkg.dir, t.path)}
			if len(packages) > 1 {
				v.Description += " (" + pkg.name + ")"
			}
			if kind == "binary" && t.name == pkg.Package.DefaultRun {
				v.Weight = 1
				v.Description += ", default"
			}
			c.Add(v)
		}
	}
	return c.Answer()
}

// Bins answers cargo:bins.
func Bins(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return targets(ctx, r, "binary", (*cargoPackage).bins)
}

// Examples answers cargo:examples.
func Examples(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return targets(ctx, r, "example", (*cargoPackage).examples)
}

// TestTargets answers cargo:test-targets.
func TestTargets(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return targets(ctx, r, "test", (*cargoPackage).tests)
}

// Benches answers cargo:benches.
func Benches(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return targets(ctx, r, "benchmark", (*cargoPackage).benches)
}
