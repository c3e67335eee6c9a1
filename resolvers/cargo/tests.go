package cargo

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Tests answers cargo:tests: the paths of the test functions in the
// selected packages, "parser::tests::rejects_invalid_escape", each with file
// and line. They are found in the sources, from the root of each target along
// its modules; nothing is built. --lib, --bin(s) and --test(s) narrow them.
func Tests(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	p, packages, err := openSelected(c, r)
	if err != nil {
		return resolvers.Failure(err)
	}
	cache := resolvers.OpenScanCache(r, "cargo:tests", p.root)
	defer cache.Save()
	for _, pkg := range packages {
		w := rustWalk{c: c, cache: cache, base: p.here, seen: map[string]bool{}}
		for _, t := range pkg.testedTargets(r.Words) {
			w.file(t.path, "", filepath.Dir(t.path), 0)
		}
		if w.err != nil {
			return resolvers.Failure(w.err)
		}
	}
	return c.Answer()
}

// testedTargets lists the targets whose tests the words would run.
func (pkg *cargoPackage) testedTargets(words []string) []builtTarget {
	bins, tests := resolvers.Options(words, false, "--bin"), resolvers.Options(words, false, "--test")
	lib := resolvers.Has(words, "--lib")
	allBins, allTests, all := resolvers.Has(words, "--bins"), resolvers.Has(words, "--tests"), resolvers.Has(words, "--all-targets")
	if len(bins)+len(tests) == 0 && !lib && !allBins && !allTests {
		all = true
	}
	var found []builtTarget
	if t, ok := pkg.lib(); ok && (lib || (all || allTests) && t.test) {
		found = append(found, t)
	}
	for _, t := range pkg.bins() {
		if (all || allBins || allTests) && t.test || anyGlob(bins, t.name) {
			found = append(found, t)
		}
	}
	for _, t := range pkg.tests() {
		if (all || allTests) && t.test || anyGlob(tests, t.name) {
			found = append(found, t)
		}
	}
	return found
}

func anyGlob(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return disk.Match(p, name) })
}

// rustWalk follows the modules of a crate.
type rustWalk struct {
	c     *resolvers.Collector
	cache *resolvers.ScanCache
	base  string // descriptions are relative to it
	seen  map[string]bool
	err   error
}

// maxRustSource bounds one source file, in bytes.
const maxRustSource = 8 << 20

// file reads one source. mod is its path in the crate, dir is where the files
// of its modules are.
func (w *rustWalk) file(path, mod, dir string, depth int) {
	if w.seen[path] || depth > disk.MaxDepth || w.c.Late() || w.err != nil {
		return
	}
	w.seen[path] = true
	found, err := w.cache.Scan(path, maxRustSource, rustFindings)
	if err != nil {
		if depth == 0 { // a module that is not there may be behind a cfg
			w.err = err
		}
		return
	}
	var modules []rustItem
	parseRustFindings(found, func(item rustItem) {
		if !item.test {
			modules = append(modules, item)
			return
		}
		v := resolvers.Value{Value: joinMod(joinMod(mod, item.mod), item.name), Kind: "test"}
		if !w.c.Filter.Keep(v.Value) || !w.c.Room(v) {
			return
		}
		v.Description = disk.Relative(w.base, path) + ":" + strconv.Itoa(item.line)
		if item.ignored {
			v.Description += ", ignored"
		}
		w.c.Keep(v)
	})
	for _, m := range modules {
		w.module(m, path, mod, dir, depth)
	}
}

// module finds the file of "mod name;": dir/name.rs or dir/name/mod.rs, below
// the inline modules around it, or where #[path] says, seen from the file's
// own directory (or, in an inline module, from the directory of that module).
func (w *rustWalk) module(m rustItem, from, mod, dir string, depth int) {
	inner := dir
	if m.mod != "" {
		inner = filepath.Join(dir, strings.ReplaceAll(m.mod, "::", "/"))
	}
	full := joinMod(joinMod(mod, m.mod), m.name)
	if m.path != "" {
		base := filepath.Dir(from)
		if m.mod != "" {
			base = inner
		}
		path := disk.Within(base, m.path)
		w.file(path, full, filepath.Dir(path), depth+1)
		return
	}
	if path := filepath.Join(inner, m.name+".rs"); disk.IsFile(path) {
		w.file(path, full, filepath.Join(inner, m.name), depth+1)
		return
	}
	sub := filepath.Join(inner, m.name)
	w.file(filepath.Join(sub, "mod.rs"), full, sub, depth+1)
}

func joinMod(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "::" + b
}
