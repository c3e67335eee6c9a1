// Package golang has the values of the go command: packages, tests, modules, tags.
package golang

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Packages answers go:packages: the directories below the working directory
// that hold Go files, as "./dir" with their import path, and "./...". Where
// what is typed does not begin with a dot, import paths of the module pass
// too. Like the go command it leaves out vendor, testdata, names that begin
// with "." or "_", and nested modules that go.work does not use; build
// constraints are not looked at.
func Packages(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir := dir(r)
	m, err := openGoModule(dir)
	if err != nil {
		return resolvers.Failure(err)
	}
	w := walk{c: c, base: dir, module: m, uses: workspaceDirs(dir, r.Env), filter: r.Filter}
	c.Filter = resolvers.Filter{} // one of two texts may pass
	start := dir
	if text := r.Filter.Text; r.Filter.Mode == resolvers.Prefix && (strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")) {
		typed, _ := disk.Split(text)
		start = disk.Within(dir, typed)
		if !disk.IsUnder(start, m.dir) {
			return c.Answer()
		}
	}
	w.walk(start, 0)
	return c.Answer()
}

type walk struct {
	c      *resolvers.Collector
	base   string
	module *module
	uses   []string
	filter resolvers.Filter
	// inside says that a directory below base was a package: "./..." is worth offering.
	inside bool
}

func (w *walk) walk(dir string, depth int) {
	if depth > disk.MaxDepth || w.c.Late() {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	isPackage := false
	for _, e := range entries {
		if name := e.Name(); !isPackage && !e.IsDir() && strings.HasSuffix(name, ".go") && name[0] != '_' && name[0] != '.' {
			isPackage = true
			w.found(dir)
		}
	}
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" {
			continue
		}
		sub := filepath.Join(dir, name)
		outer := w.module
		if disk.IsFile(filepath.Join(sub, "go.mod")) {
			if !slices.Contains(w.uses, sub) {
				continue
			}
			m, err := openGoModule(sub)
			if err != nil {
				continue
			}
			w.module = m
		}
		w.walk(sub, depth+1)
		w.module = outer
	}
}

func (w *walk) found(dir string) {
	path := w.module.importPath(dir)
	value := w.relative(dir)
	if value != "." && !w.inside {
		w.inside = true
		if all := (resolvers.Value{Value: "./...", Kind: "pattern", Description: "every package below", Weight: 1}); w.filter.Keep(all.Value) && w.c.Room(all) {
			w.c.Keep(all)
		}
	}
	v := resolvers.Value{Value: value, Description: path, Kind: "package"}
	switch {
	case w.filter.Keep(value):
	case w.filter.Text[0] != '.' && w.filter.Keep(path):
		v.Value, v.Description = path, value
	default:
		return
	}
	if w.c.Room(v) {
		w.c.Keep(v)
	}
}

// disk.Relative writes a directory as the go command takes it: ".", "./x", "../x".
func (w *walk) relative(dir string) string {
	rel := filepath.ToSlash(disk.Relative(w.base, dir))
	if rel == "." || rel == ".." || strings.HasPrefix(rel, "../") {
		return rel
	}
	return "./" + rel
}

// Modules answers go:modules: what go.mod requires, direct ones first, each
// with its version.
func Modules(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	m, err := openGoModule(dir(r))
	if err != nil {
		return resolvers.Failure(err)
	}
	for _, q := range m.requires {
		v := resolvers.Value{Value: q.path, Description: q.version, Kind: "module", Weight: 1}
		if q.indirect {
			v.Weight = 0
			v.Description += ", indirect"
		}
		c.Add(v)
	}
	return c.Answer()
}

// Tests answers go:tests: the names of tests, benchmarks, fuzz targets and
// examples in the packages that the words name, else in the working directory.
func Tests(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return testNames(ctx, r, "Test", "Example", "Fuzz")
}

// Benchmarks answers go:benchmarks.
func Benchmarks(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return testNames(ctx, r, "Benchmark")
}

// Fuzz answers go:fuzz.
func Fuzz(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return testNames(ctx, r, "Fuzz")
}

func testNames(ctx context.Context, r resolvers.Request, prefixes ...string) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir := dir(r)
	cache := resolvers.OpenScanCache(r, "go:tests", dir)
	defer cache.Save()
	for _, d := range testDirs(c, dir, r) {
		entries, err := os.ReadDir(d)
		if err != nil {
			return resolvers.Failure(err)
		}
		for _, e := range entries {
			name := e.Name()
			if !strings.HasSuffix(name, "_test.go") || name[0] == '_' || name[0] == '.' || c.Late() {
				continue
			}
			path := filepath.Join(d, name)
			found, err := cache.Scan(path, maxGoSource, findings)
			if err != nil {
				return resolvers.Failure(err)
			}
			for name := range strings.Lines(found) {
				name = strings.TrimSuffix(name, "\n")
				for _, prefix := range prefixes {
					if isGoTest(name, prefix) {
						c.Add(resolvers.Value{Value: name, Kind: strings.ToLower(prefix), Description: disk.Relative(dir, path)})
					}
				}
			}
		}
	}
	return c.Answer()
}

// maxGoSource bounds one source file, in bytes.
const maxGoSource = 8 << 20

// findings are the functions that may be tests, a line each.
func findings(text string) string {
	var b strings.Builder
	scanTests(text, func(name string) {
		for _, prefix := range [...]string{"Test", "Benchmark", "Fuzz", "Example"} {
			if isGoTest(name, prefix) {
				b.WriteString(name)
				b.WriteByte('\n')
			}
		}
	})
	return b.String()
}

// testDirs lists the directories of the packages in the words.
func testDirs(c *resolvers.Collector, dir string, r resolvers.Request) []string {
	var dirs []string
	for i := 2; i < len(r.Words); i++ {
		w := r.Words[i]
		if w == "-args" || w == "--args" {
			break
		}
		if w == "" || w[0] == '-' {
			continue
		}
		base, all := strings.CutSuffix(w, "/...")
		var at string
		switch {
		case base == "." || base == ".." || strings.HasPrefix(base, "./") || strings.HasPrefix(base, "../") || filepath.IsAbs(base):
			at = disk.Within(dir, base)
		case !strings.Contains(base, "/") && !strings.Contains(base, "."):
			continue // an option's value, or a package of the standard library
		default:
			m, err := openGoModule(dir)
			if err != nil {
				continue
			}
			rest, ok := strings.CutPrefix(base, m.module)
			if !ok || rest != "" && rest[0] != '/' {
				continue
			}
			at = filepath.Join(m.dir, rest)
		}
		switch {
		case all:
			dirs = append(dirs, goTree(c, at, 0)...)
		case disk.IsDir(at):
			dirs = append(dirs, at)
		}
	}
	if len(dirs) == 0 {
		dirs = []string{dir}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// goTree lists the directories of "dir/...".
func goTree(c *resolvers.Collector, dir string, depth int) []string {
	found := []string{dir}
	entries, err := os.ReadDir(dir)
	if err != nil || depth > disk.MaxDepth || c.Late() {
		return found
	}
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" {
			continue
		}
		if sub := filepath.Join(dir, name); !disk.IsFile(filepath.Join(sub, "go.mod")) {
			found = append(found, goTree(c, sub, depth+1)...)
		}
	}
	return found
}

// isGoTest is the go command's rule: the prefix, and then nothing or a rune
// that is not a lower-case letter.
func isGoTest(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok || name == "TestMain" {
		return false
	}
	for _, r := range rest {
		return !unicode.IsLower(r)
	}
	return true
}

// scanTests calls emit with the name of each top-level function, in the order
// of the text. Methods and functions with type parameters are none.
func scanTests(src string, emit func(name string)) {
	depth := 0
	for i := 0; i < len(src); {
		switch b := src[i]; {
		case b == '/' && strings.HasPrefix(src[i:], "//"):
			i = skipTo(src, i, "\n")
		case b == '/' && strings.HasPrefix(src[i:], "/*"):
			i = skipTo(src, i+2, "*/")
		case b == '`':
			i = skipTo(src, i+1, "`")
		case b == '"' || b == '\'':
			for i++; i < len(src) && src[i] != b && src[i] != '\n'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			i++
		case b == '{' || b == '(' || b == '[':
			depth++
			i++
		case b == '}' || b == ')' || b == ']':
			depth--
			i++
		case isWord(b):
			start := i
			for i < len(src) && isWord(src[i]) {
				i++
			}
			if depth != 0 || src[start:i] != "func" {
				continue
			}
			for i < len(src) && (src[i] == ' ' || src[i] == '\t') {
				i++
			}
			start = i
			for i < len(src) && isWord(src[i]) {
				i++
			}
			if start < i && i < len(src) && src[i] == '(' {
				emit(src[start:i])
			}
		default:
			i++
		}
	}
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= utf8.RuneSelf
}

// skipTo is the place after the next end, or the end of the text.
func skipTo(src string, i int, end string) int {
	if n := strings.Index(src[min(i, len(src)):], end); n >= 0 {
		return i + n + len(end)
	}
	return len(src)
}

// Tools answers go:tools: what "go tool" runs, and the tool directives of go.mod.
func Tools(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	for i := 0; i < len(toolNames); i += 2 {
		c.Add(resolvers.Value{Value: toolNames[i], Description: toolNames[i+1], Kind: "tool"})
	}
	if m, err := openGoModule(dir(r)); err == nil {
		for _, path := range m.tools {
			name := toolName(path)
			c.Add(resolvers.Value{Value: name, Description: path, Kind: "tool", Weight: 1})
		}
	}
	return c.Answer()
}

// toolName is the last element of a package path that is no major version.
func toolName(path string) string {
	dir, base := disk.Split(path)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && dir != "" {
		_, base = disk.Split(strings.TrimSuffix(dir, "/"))
	}
	return base
}

// toolNames are the tools of the distribution, name and use in turn (go doc cmd).
var toolNames = [...]string{
	"addr2line", "addresses to file and line",
	"asm", "assembler",
	"buildid", "show or update the build ID of a file",
	"cgo", "Go packages that call C",
	"compile", "compiler",
	"covdata", "work with coverage data files",
	"cover", "coverage analysis",
	"dist", "bootstrap and test the distribution",
	"distpack", "pack the distribution",
	"doc", "documentation",
	"fix", "rewrite programs that use old APIs",
	"link", "linker",
	"nm", "symbols of object files",
	"objdump", "disassemble",
	"pack", "ar archives",
	"pprof", "profiles",
	"preprofile", "prepare a profile for the compiler",
	"test2json", "test output to JSON",
	"trace", "execution traces",
	"vet", "report suspicious code",
}

// Env answers go:env: the variables that "go env" knows, each with its use.
func Env(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	for i := 0; i < len(envNames); i += 2 {
		c.Add(resolvers.Value{Value: envNames[i], Description: envNames[i+1], Kind: "variable"})
	}
	return c.Answer()
}

// envNames are names and uses in turn (go help environment).
var envNames = [...]string{
	"AR", "archiver for cgo", "CC", "C compiler for cgo", "CGO_CFLAGS", "C compiler flags",
	"CGO_CPPFLAGS", "C preprocessor flags", "CGO_CXXFLAGS", "C++ compiler flags", "CGO_ENABLED", "0 or 1: whether cgo is used",
	"CGO_FFLAGS", "Fortran compiler flags", "CGO_LDFLAGS", "linker flags", "CXX", "C++ compiler for cgo",
	"GCCGO", "the gccgo command", "GO111MODULE", "off, on or auto: module mode", "GO386", "x86 floating point: sse2, softfloat",
	"GOAMD64", "x86-64 level: v1 to v4", "GOARCH", "target architecture", "GOARM", "ARM version: 5, 6, 7",
	"GOARM64", "ARM64 version: v8.0 …", "GOAUTH", "how to authenticate to module servers", "GOBIN", "where go install writes",
	"GOCACHE", "build cache", "GOCACHEPROG", "program that serves the build cache", "GOCOVERDIR", "where coverage data is written",
	"GODEBUG", "debugging settings", "GOENV", "configuration file of go env -w", "GOEXE", "suffix of executables",
	"GOEXPERIMENT", "toolchain experiments", "GOFIPS140", "FIPS-140 mode", "GOFLAGS", "flags for every go command",
	"GOGCCFLAGS", "flags given to CC", "GOHOSTARCH", "architecture of this machine", "GOHOSTOS", "operating system of this machine",
	"GOINSECURE", "modules fetched without checks", "GOMIPS", "MIPS floating point", "GOMIPS64", "MIPS64 floating point",
	"GOMOD", "go.mod in use", "GOMODCACHE", "module cache", "GONOPROXY", "modules fetched directly",
	"GONOSUMDB", "modules without checksum lookup", "GOOS", "target operating system", "GOPATH", "workspace directories",
	"GOPPC64", "POWER version", "GOPRIVATE", "private modules", "GOPROXY", "module proxies",
	"GORISCV64", "RISC-V profile", "GOROOT", "root of the Go tree", "GOSUMDB", "checksum database",
	"GOTELEMETRY", "telemetry mode", "GOTELEMETRYDIR", "where telemetry is kept", "GOTMPDIR", "temporary directory of the go command",
	"GOTOOLCHAIN", "which toolchain is used", "GOTOOLDIR", "where the tools are", "GOVCS", "allowed version control systems",
	"GOVERSION", "version of the toolchain", "GOWASM", "WebAssembly features", "GOWORK", "go.work in use",
	"PKG_CONFIG", "the pkg-config command",
}
