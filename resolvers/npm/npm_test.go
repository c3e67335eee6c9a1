package npm

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func npmTree(t testing.TB) string {
	return resolvertest.Tree(t, map[string]string{
		"package.json": "\ufeff" + `{
  "name": "root", "workspaces": {"packages": ["packages/*", "!packages/old", "apps/**"]},
  "scripts": {"test": "vitest run", "build": "tsc -p .\u0026\u0026 vite  build", "lint:fix": "eslint --fix\n.", "": "x", "odd": 7},
  "dependencies": {"react": "^18.2.0"}, "devDependencies": {"vitest": "~1.0"}, "peerDependencies": {"react-dom": "*"},
  "optionalDependencies": {"fsevents": "2"}
}`,
		"packages/ui/package.json":    `{"name":"@demo/ui","scripts":{"story":"storybook dev"}}`,
		"packages/ui/src/x.ts":        "",
		"packages/old/package.json":   `{"name":"old"}`,
		"packages/plain/README":       "",
		"apps/web/a/package.json":     `{"scripts":{"dev":"vite"}}`,
		"node_modules/.bin/vitest":    "",
		"node_modules/x/a.json":       "",
		"pnpm/pnpm-workspace.yaml":    "# list\npackages:\n  # all\n  - 'libs/*'\n  - \"tools/one\" # here\n  - plain\ncatalog:\n  - nope\n",
		"pnpm/package.json":           `{"name":"p"}`,
		"pnpm/libs/a/package.json":    `{"name":"a"}`,
		"pnpm/tools/one/package.json": `{"name":"one"}`,
		"pnpm/plain/package.json":     `{"name":"plain"}`,
		"pnpm/nope/package.json":      `{"name":"nope"}`,
	})
}

func TestNPM(t *testing.T) {
	root := npmTree(t)
	for _, test := range []struct {
		name, dir, words string
		want             []string
	}{
		{"npm:scripts", "", "npm run", resolvertest.Words("test build lint:fix")},
		{"npm:scripts", "packages/plain", "npm run", resolvertest.Words("test build lint:fix")},
		{"npm:scripts", "packages/ui/src", "npm run", resolvertest.Words("story")},
		{"npm:scripts", "", "npm run -w @demo/ui", resolvertest.Words("story")},
		{"npm:scripts", "", "npm run --workspace=packages/ui", resolvertest.Words("story")},
		{"npm:scripts", "packages/ui", "npm -w apps run", nil},
		{"npm:scripts", "", "npm --prefix packages/ui run", resolvertest.Words("story")},
		{"npm:scripts", "packages", "pnpm -C ui run", resolvertest.Words("story")},
		{"npm:scripts", "", "yarn workspace @demo/ui run", resolvertest.Words("story")},
		{"npm:workspaces", "packages/ui", "npm run -w", resolvertest.Words("@demo/ui a")},
		{"npm:workspaces", "pnpm/libs", "pnpm --filter", resolvertest.Words("a one plain")},
		{"npm:dependencies", "", "npm uninstall", resolvertest.Words("fsevents react react-dom vitest")},
		{"npm:bins", "packages/ui/src", "npx", resolvertest.Words("vitest")},
	} {
		r := resolvers.Request{Name: test.name, Dir: filepath.Join(root, test.dir), Words: resolvertest.Words(test.words)}
		if test.want == nil {
			resolvertest.Expect(t, resolvers.Failed, r)
			continue
		}
		resolvertest.Equal(t, test.name+" "+test.dir+" "+test.words, resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, r)), test.want)
	}
	d := resolvertest.Described(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "npm:scripts", Dir: root}))
	if d["build"] != "tsc -p .&& vite build" || d["lint:fix"] != "eslint --fix ." {
		t.Errorf("descriptions %q", d)
	}
	d = resolvertest.Described(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "npm:dependencies", Dir: root}))
	if d["vitest"] != "~1.0, dev" || d["react"] != "^18.2.0" {
		t.Errorf("descriptions %q", d)
	}
}

func TestNPMFailures(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{"package.json": "{\n \"scripts\": {\"a\": \"b\",}\n}"})
	a := resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "npm:scripts", Dir: root})
	if want := filepath.Join(root, "package.json") + ":2:23: "; !strings.HasPrefix(a.Message, want) {
		t.Errorf("message %q, want %q…", a.Message, want)
	}
	resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "npm:scripts", Dir: t.TempDir()})
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"scripts":{"a":"b\u00e9\ud83d\ude00\ud800x"}}`, `[1,-0.5e+3,true,null,"\n"]`, `{"a":`, "\ufeff{}", `{"scripts":3,"workspaces":"x"}`, `01`, `"\x"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := jsonscan.Read(data, (*jsonscan.Reader).Skip)
		if bom := strings.HasPrefix(string(data), "\ufeff"); !bom && json.Valid(data) != (err == nil) {
			t.Fatalf("%q: valid %v, ours says %v", data, json.Valid(data), err)
		}
		var p Package
		readErr := jsonscan.Read(data, p.read)
		var want struct{ Scripts map[string]json.RawMessage }
		if readErr == nil && err != nil {
			t.Fatalf("%q: read, but not valid: %v", data, err)
		}
		if readErr != nil || json.Unmarshal(data, &want) != nil {
			return
		}
		for _, s := range p.Scripts {
			var text string
			if raw, ok := want.Scripts[strings.ToValidUTF8(s.Name, "\ufffd")]; ok && json.Unmarshal(raw, &text) == nil && len(want.Scripts) == len(p.Scripts) && text != strings.ToValidUTF8(s.Text, "\ufffd") && !strings.Contains(text, "\ufffd") {
				t.Fatalf("%q: script %q is %q, want %q", data, s.Name, s.Text, text)
			}
		}
	})
}

func BenchmarkNPMScripts(b *testing.B) {
	small := npmTree(b)
	var big strings.Builder
	big.WriteString(`{"junk": [`)
	for i := range 100_000 {
		fmt.Fprintf(&big, `{"name": "package-%d", "integrity": "sha512-0123456789abcdef0123456789abcdef0123456789", "n": [1, 2.5, null]},`, i)
	}
	big.WriteString(`0], "scripts": {"a": "b"}}`)
	bigDir := b.TempDir()
	if err := os.WriteFile(filepath.Join(bigDir, "package.json"), []byte(big.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	b.Run("small", func(b *testing.B) {
		for b.Loop() {
			resolvertest.Expect(b, resolvers.Fresh, resolvers.Request{Name: "npm:scripts", Dir: small})
		}
	})
	b.Run(fmt.Sprintf("%dMB", big.Len()>>20), func(b *testing.B) {
		for b.Loop() {
			resolvertest.Expect(b, resolvers.Fresh, resolvers.Request{Name: "npm:scripts", Dir: bigDir})
		}
	})
}
