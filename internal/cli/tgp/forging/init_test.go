package forging

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInit: the five actions on projects as drizzle-kit, Prisma and npm make them, and
// once more, which changes nothing.
func TestInit(t *testing.T) {
	type detail struct{ ORM, Driver, Dialect, SchemaPath string }
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  detail
		rules [2]string // --rules, its file
	}{
		{"bare", map[string]string{"package.json": `{"name":"a"}`, ".gitignore": "node_modules\n", ".cursorrules": "Be kind.\n"}, detail{}, [2]string{"cursor", ".cursorrules"}},
		{"no package.json", map[string]string{}, detail{}, [2]string{"prompt", ""}},
		{"drizzle, PostgreSQL", map[string]string{
			"package.json":      `{"dependencies":{"drizzle-orm":"^0.44.0","pg":"^8.11.0"},"devDependencies":{"drizzle-kit":"^0.31.0"}}`,
			"drizzle.config.ts": "import 'dotenv/config';\nimport { defineConfig } from 'drizzle-kit';\nexport default defineConfig({\n  out: './drizzle',\n  schema: './src/db/schema.ts',\n  dialect: 'postgresql',\n  dbCredentials: { url: process.env.DATABASE_URL! },\n});\n",
			"src/db/schema.ts":  "import { pgTable } from 'drizzle-orm/pg-core';\n",
		}, detail{"drizzle-orm", "pg", "postgres", "./src/db/schema.ts"}, [2]string{"claude", "CLAUDE.md"}},
		{"drizzle, SQLite, no drizzle.config", map[string]string{
			"package.json":         `{"dependencies":{"drizzle-orm":"^0.44.0","better-sqlite3":"^11.0.0"}}`,
			"src/lib/db/schema.ts": "export {}",
		}, detail{"drizzle-orm", "better-sqlite3", "sqlite", "./src/lib/db/schema.ts"}, [2]string{"windsurf", ".windsurfrules"}},
		{"prisma", map[string]string{
			"package.json":         `{"dependencies":{"@prisma/client":"^6.0.0"},"devDependencies":{"prisma":"^6.0.0"}}`,
			"prisma/schema.prisma": "generator client {\n  provider = \"prisma-client-js\"\n}\n\ndatasource db {\n  provider = \"postgresql\"\n  url      = env(\"DATABASE_URL\")\n}\n\nmodel User {\n  id Int @id\n}\n",
		}, detail{"prisma", "postgresql", "postgres", "./prisma/schema.prisma"}, [2]string{"agents", "AGENTS.md"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			for name, text := range tt.files {
				w.write(name, text)
			}
			actions := func() (names, states string, d detail) {
				var a struct {
					Actions []struct {
						Name, State string
						Detail      *detail
					}
				}
				if err := json.Unmarshal([]byte(w.must("init", "--yes", "--json", "--rules", tt.rules[0])), &a); err != nil {
					t.Fatal(err)
				}
				for _, x := range a.Actions {
					names, states = names+x.Name+" ", states+x.State+" "
					if x.Detail != nil {
						d = *x.Detail
					}
				}
				return names, states, d
			}
			names, states, d := actions()
			if names != "detection scaffolding memory config instruction " || strings.Count(states, "done") != 5 || d != tt.want {
				t.Errorf("%s, %s, %+v, want %+v", names, states, d, tt.want)
			}
			for _, f := range []string{"core/linter.js", "core/runner.ts", "core/tgp.d.ts", "core/.eslintrc.json", "core/index.mjs"} {
				if st, err := os.Stat(filepath.Join(w.dir, ".tgp", f)); err != nil || st.Mode().Perm() != 0o444 {
					t.Errorf("%s: %v %v", f, st, err)
				}
			}
			config, _ := os.ReadFile(filepath.Join(w.dir, "tgp.config.ts"))
			wants := []string{tt.want.Dialect, tt.want.SchemaPath}
			if tt.want.ORM == "prisma" { // its schema is no module that a tool could import
				wants = wants[:1]
			}
			for _, want := range wants {
				if !strings.Contains(string(config), want) {
					t.Errorf("tgp.config.ts lacks %q:\n%s", want, config)
				}
			}
			if f := tt.rules[1]; f != "" {
				rules, _ := os.ReadFile(filepath.Join(w.dir, f))
				if own := tt.files[f]; !strings.HasPrefix(string(rules), own) || !strings.Contains(string(rules), "tgp check") {
					t.Errorf("%s: %s", f, rules)
				}
			}
			if ignored, _ := os.ReadFile(filepath.Join(w.dir, ".gitignore")); len(tt.files[".gitignore"]) > 0 && (!strings.Contains(string(ignored), ".tgp") || !strings.HasPrefix(string(ignored), "node_modules\n")) {
				t.Errorf(".gitignore: %s", ignored)
			}
			before := w.contents()
			if _, states, _ := actions(); strings.Count(states, "kept") != 4 {
				t.Errorf("again: %s", states)
			}
			if after := w.contents(); after != before {
				t.Errorf("again changes something:\n%s\n%s", before, after)
			}
			w.write("d.ts", greet)
			w.must("run", "d.ts", "--name", "x")
		})
	}
}

// contents are the files of the project, but for what is git's own.
func (w *world) contents() string {
	var b strings.Builder
	_ = filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			data, _ := os.ReadFile(path)
			b.WriteString(path + "\n" + string(data) + "\n")
		}
		return nil
	})
	return b.String()
}

// TestInitIsWhole: where one of the actions fails, nothing is made.
func TestInitIsWhole(t *testing.T) {
	w := newWorld(t)
	w.write("package.json", "{}")
	if err := os.Mkdir(filepath.Join(w.dir, ".cursorrules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := w.tgp("init"); status == 0 {
		t.Error("a directory was written into")
	}
	names, _ := os.ReadDir(w.dir)
	if len(names) != 2 {
		t.Errorf("left behind: %v", names)
	}
}

// TestRulesOfALink: where one file of rules is a link to another one, as CLAUDE.md often
// is to AGENTS.md, the text goes to that, and the link stays.
func TestRulesOfALink(t *testing.T) {
	w := newWorld(t)
	w.write("AGENTS.md", "Be kind.\n")
	link := filepath.Join(w.dir, "CLAUDE.md")
	if err := os.Symlink("AGENTS.md", link); err != nil {
		t.Fatal(err)
	}
	w.must("init", "--rules", "claude")
	if to, _ := os.Readlink(link); to != "AGENTS.md" {
		t.Errorf("the link is %q", to)
	}
	if data, _ := os.ReadFile(filepath.Join(w.dir, "AGENTS.md")); !strings.HasPrefix(string(data), "Be kind.\n") || !strings.Contains(string(data), "tgp check") {
		t.Errorf("%s", data)
	}
}
