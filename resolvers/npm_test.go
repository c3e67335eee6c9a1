package resolvers

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func npmTree(t testing.TB) string {
	return tree(t, map[string]string{
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
		"pnpm/pnpm-workspace.yaml":    "# list\npackages:\n  # all\n  - 'libs/*'\n  - \"tools/one\" # here\n- plain\ncatalog:\n  - nope\n",
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
		{"npm:scripts", "", "npm run", words("test build lint:fix")},
		{"npm:scripts", "packages/plain", "npm run", words("test build lint:fix")},
		{"npm:scripts", "packages/ui/src", "npm run", words("story")},
		{"npm:scripts", "", "npm run -w @demo/ui", words("story")},
		{"npm:scripts", "", "npm run --workspace=packages/ui", words("story")},
		{"npm:scripts", "packages/ui", "npm -w apps run", nil},
		{"npm:scripts", "", "npm --prefix packages/ui run", words("story")},
		{"npm:scripts", "packages", "pnpm -C ui run", words("story")},
		{"npm:scripts", "", "yarn workspace @demo/ui run", words("story")},
		{"npm:workspaces", "packages/ui", "npm run -w", words("@demo/ui a")},
		{"npm:workspaces", "pnpm/libs", "pnpm --filter", words("a one plain")},
		{"npm:dependencies", "", "npm uninstall", words("fsevents react react-dom vitest")},
		{"npm:bins", "packages/ui/src", "npx", words("vitest")},
	} {
		r := Request{Name: test.name, Dir: filepath.Join(root, test.dir), Words: words(test.words)}
		if test.want == nil {
			expect(t, Failed, r)
			continue
		}
		equal(t, test.name+" "+test.dir+" "+test.words, texts(expect(t, Fresh, r)), test.want)
	}
	d := described(expect(t, Fresh, Request{Name: "npm:scripts", Dir: root}))
	if d["build"] != "tsc -p .&& vite build" || d["lint:fix"] != "eslint --fix ." {
		t.Errorf("descriptions %q", d)
	}
	d = described(expect(t, Fresh, Request{Name: "npm:dependencies", Dir: root}))
	if d["vitest"] != "~1.0, dev" || d["react"] != "^18.2.0" {
		t.Errorf("descriptions %q", d)
	}
}

func TestNPMFailures(t *testing.T) {
	root := tree(t, map[string]string{"package.json": "{\n \"scripts\": {\"a\": \"b\",}\n}"})
	a := expect(t, Failed, Request{Name: "npm:scripts", Dir: root})
	if want := filepath.Join(root, "package.json") + ":2:23: "; !strings.HasPrefix(a.Message, want) {
		t.Errorf("message %q, want %q…", a.Message, want)
	}
	expect(t, Failed, Request{Name: "npm:scripts", Dir: t.TempDir()})
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"scripts":{"a":"b\u00e9\ud83d\ude00\ud800x"}}`, `[1,-0.5e+3,true,null,"\n"]`, `{"a":`, "\ufeff{}", `{"scripts":3,"workspaces":"x"}`, `01`, `"\x"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := readJSON(data, (*jsonReader).skip)
		if bom := strings.HasPrefix(string(data), "\ufeff"); !bom && json.Valid(data) != (err == nil) {
			t.Fatalf("%q: valid %v, ours says %v", data, json.Valid(data), err)
		}
		var p packageJSON
		readErr := readJSON(data, p.read)
		var want struct{ Scripts map[string]json.RawMessage }
		if readErr == nil && err != nil {
			t.Fatalf("%q: read, but not valid: %v", data, err)
		}
		if readErr != nil || json.Unmarshal(data, &want) != nil {
			return
		}
		for _, s := range p.scripts {
			var text string
			if raw, ok := want.Scripts[strings.ToValidUTF8(s.name, "\ufffd")]; ok && json.Unmarshal(raw, &text) == nil && len(want.Scripts) == len(p.scripts) && text != strings.ToValidUTF8(s.text, "\ufffd") && !strings.Contains(text, "\ufffd") {
				t.Fatalf("%q: script %q is %q, want %q", data, s.name, s.text, text)
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
			expect(b, Fresh, Request{Name: "npm:scripts", Dir: small})
		}
	})
	b.Run(fmt.Sprintf("%dMB", big.Len()>>20), func(b *testing.B) {
		for b.Loop() {
			expect(b, Fresh, Request{Name: "npm:scripts", Dir: bigDir})
		}
	})
}
