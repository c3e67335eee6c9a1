package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
	"golang.org/x/mod/modfile"
)

func modTree(t testing.TB) string {
	return resolvertest.Tree(t, map[string]string{
		"go.mod":                    "module example.com/demo // the module\n\ngo 1.24\n\nrequire (\n\texample.com/a v1.2.3\n\texample.com/b v0.1.0 // indirect\n)\n\nrequire \"example.com/c\" v2.0.0+incompatible // indirect; why\n\ntool example.com/cmd/gen/v2\n",
		"main.go":                   "package demo\n",
		"cmd/serve/main.go":         "package main\nfunc main() {}\n",
		"cmd/serve/testdata/x.go":   "package x\n",
		"internal/lex/lex.go":       "package lex\n",
		"internal/lex/lex_test.go":  "package lex\nimport \"testing\"\nfunc TestMain(m *testing.M) {}\nfunc TestLex(t *testing.T) {}\nfunc Testify(t *testing.T) {}\nfunc BenchmarkLex(b *testing.B) {}\nfunc FuzzLex(f *testing.F) {}\n",
		"internal/lex/more_test.go": "package lex_test\nimport \"testing\"\n/* func TestNo(t *testing.T) {} */\nvar x = `\nfunc TestRaw(t *testing.T) {}\n`\ntype s struct{}\nfunc (s) TestMethod(t *testing.T) {}\nfunc Test(t *testing.T) { _ = func() {} }\nfunc ExampleLex() {}\nfunc Test_x(t *testing.T) { _ = '\"' }\nfunc TestÉ(t *testing.T) {}\nfunc TestG[T any](t *testing.T) {}\n",
		"only/only_test.go":         "package only\nimport \"testing\"\nfunc TestOnly(t *testing.T) {}\n",
		"vendor/v/v.go":             "package v\n", "_skip/s.go": "package s\n", ".hidden/h.go": "package h\n",
		"nested/go.mod": "module example.com/nested\n", "nested/n.go": "package nested\n",
		"used/go.mod": "module example.com/used\n\ngo 1.24\n", "used/u.go": "package used\n", "used/sub/u.go": "package sub\n",
		"docs/readme.md": "", "dir.go/x.txt": "",
	})
}

func TestGoPackages(t *testing.T) {
	root := modTree(t)
	off := resolvertest.Env("GOWORK", "off")
	for _, test := range []struct {
		dir, words, text string
		want             []string
	}{
		{"", "go build", "", resolvertest.Words("./... . ./cmd/serve ./internal/lex ./only")},
		{"", "go build", "./i", resolvertest.Words("./internal/lex")},
		{"", "go build", "./internal/", resolvertest.Words("./internal/lex")},
		{"internal", "go build", "", resolvertest.Words("./... ./lex")},
		{"internal/lex", "go build", "../../cmd/", resolvertest.Words("../../cmd/serve")},
		{"cmd", "go build -C ../internal", "", resolvertest.Words("./... ./lex")},
		{"", "go build -C=internal", "", resolvertest.Words("./... ./lex")},
		{"", "go test", "example.com/demo/i", resolvertest.Words("example.com/demo/internal/lex")},
		{"", "go test", "./../", []string{}},
	} {
		a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "go:packages", Dir: filepath.Join(root, test.dir), Words: resolvertest.Words(test.words), Filter: resolvers.Filter{Text: test.text}, Getenv: off})
		resolvertest.Equal(t, test.dir+" "+test.words+" "+test.text, resolvertest.Texts(a), test.want)
	}
	d := resolvertest.Described(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "go:packages", Dir: root, Getenv: off}))
	if d["."] != "example.com/demo" || d["./internal/lex"] != "example.com/demo/internal/lex" {
		t.Errorf("descriptions %q", d)
	}
	work := filepath.Join(resolvertest.Tree(t, map[string]string{"go.work": "go 1.24\n\nuse (\n\t" + root + "\n\t" + root + "/used\n)\n"}), "go.work")
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "go:packages", Dir: root, Getenv: resolvertest.Env("GOWORK", work)})
	if d := resolvertest.Described(a); d["./used/sub"] != "example.com/used/sub" || d["./nested"] != "" {
		t.Errorf("with go.work: %q", d)
	}
	resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "go:packages", Dir: t.TempDir()})
}

func TestGoPackagesAgainstGo(t *testing.T) {
	root := modTree(t)
	cmd := exec.Command("go", "list", "-mod=mod", "./...")
	cmd.Dir = root
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOTOOLCHAIN=local")
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	got := []string{}
	for _, v := range resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "go:packages", Dir: root, Getenv: resolvertest.Env("GOWORK", "off")}).Values {
		if v.Kind == "package" {
			got = append(got, v.Description)
		}
	}
	resolvertest.Equal(t, "go list ./...", got, strings.Fields(string(out)))
}

func TestGoTests(t *testing.T) {
	root := modTree(t)
	for _, test := range []struct{ name, dir, words, want string }{
		{"go:tests", "internal/lex", "go test -run", "ExampleLex FuzzLex Test TestLex Test_x TestÉ"},
		{"go:tests", "", "go test ./internal/lex -run", "ExampleLex FuzzLex Test TestLex Test_x TestÉ"},
		{"go:tests", "", "go test example.com/demo/only -run", "TestOnly"},
		{"go:tests", "", "go test -C only -run", "TestOnly"},
		{"go:tests", "", "go test ./... -run", "ExampleLex FuzzLex Test TestLex TestOnly Test_x TestÉ"},
		{"go:tests", "", "go test -run", ""},
		{"go:benchmarks", "internal/lex", "go test -bench", "BenchmarkLex"},
		{"go:fuzz", "internal/lex", "go test -fuzz", "FuzzLex"},
	} {
		a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: test.name, Dir: filepath.Join(root, test.dir), Words: resolvertest.Words(test.words)})
		resolvertest.Equal(t, test.name+" "+test.dir+" "+test.words, resolvertest.Texts(a), append([]string{}, resolvertest.Words(test.want)...))
	}
}

func TestGoModulesAndTools(t *testing.T) {
	root := modTree(t)
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "go:modules", Dir: filepath.Join(root, "cmd")})
	resolvertest.Equal(t, "modules", resolvertest.Texts(a), resolvertest.Words("example.com/a example.com/b example.com/c"))
	if d := resolvertest.Described(a); d["example.com/a"] != "v1.2.3" || d["example.com/c"] != "v2.0.0+incompatible, indirect" {
		t.Errorf("descriptions %q", d)
	}
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "go:tools", Dir: root, Filter: resolvers.Filter{Text: "g"}})
	resolvertest.Equal(t, "tools", resolvertest.Texts(a), resolvertest.Words("gen"))
	if len(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "go:tools", Dir: "/"}).Values) < 15 {
		t.Error("few tools")
	}
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "go:env", Filter: resolvers.Filter{Text: "GOPR"}})
	resolvertest.Equal(t, "env", resolvertest.Texts(a), resolvertest.Words("GOPRIVATE GOPROXY"))
}

func TestGoEnvAgainstGo(t *testing.T) {
	out, err := exec.Command("go", "env").Output()
	if err != nil {
		t.Skip(err)
	}
	known := resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "go:env"}))
	for line := range strings.Lines(string(out)) {
		if name, _, ok := strings.Cut(line, "="); ok && !slices.Contains(known, name) {
			t.Errorf("go env has %s", name)
		}
	}
}

func FuzzGoMod(f *testing.F) {
	f.Add("module x\nrequire (\n a v1.0.0 // indirect\n)\ntool `b`\nrequire \"c\" v1.2.3\n")
	f.Fuzz(func(t *testing.T, text string) {
		got := parseGoMod(text)
		want, err := modfile.ParseLax("go.mod", []byte(text), nil)
		if err != nil || want.Module == nil {
			return
		}
		// Nobody writes parentheses that touch a word, escapes, or "module" twice.
		for _, w := range strings.Fields(text) {
			if len(w) > 1 && strings.ContainsAny(w, "()\\\"`,;[]{}=") {
				return
			}
		}
		if got.module != want.Module.Mod.Path {
			t.Fatalf("%q: module %q, want %q", text, got.module, want.Module.Mod.Path)
		}
		if len(got.requires) != len(want.Require) {
			t.Fatalf("%q: %v, want %d", text, got.requires, len(want.Require))
		}
		for i, w := range want.Require {
			if g := got.requires[i]; g.path != w.Mod.Path || g.version != w.Mod.Version || g.indirect != w.Indirect {
				t.Fatalf("%q: %v, want %v", text, g, w)
			}
		}
	})
}

func FuzzScanGoTests(f *testing.F) {
	f.Add("package x\nfunc TestA(t T) { _ = `x` }\nfunc (s) B() {}\nfunc C[T any]() {}\nvar d = func() {}\nvar e = '\\''")
	f.Fuzz(func(t *testing.T, src string) {
		var got []string
		scanTests(src, func(name string) { got = append(got, name) })
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", src, parser.SkipObjectResolution)
		if err != nil {
			return
		}
		var want []string
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Type.TypeParams == nil {
				want = append(want, fn.Name.Name)
			}
		}
		// Blanks or a comment between name and parenthesis: gofmt has none.
		if !slices.Equal(got, want) && !strings.Contains(src, "/*") && !strings.Contains(src, " (") && !strings.Contains(src, "\n(") {
			t.Fatalf("%q: %q, want %q", src, got, want)
		}
	})
}

func BenchmarkGoPackages(b *testing.B) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(root)), "src")
	for b.Loop() {
		resolvertest.Expect(b, resolvers.Fresh, resolvers.Request{Name: "go:packages", Dir: dir, Limit: 200})
	}
}

// Sources that want quadratic work from a reader.
func TestScanHostile(t *testing.T) {
	resolvertest.Hostile(t, func(text string) { scanTests(text, func(string) {}) })
}
