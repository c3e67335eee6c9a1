package forge

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/config"
	"github.com/tool-mapping-protocol/tmp/internal/forge/repo"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"

	"github.com/tool-mapping-protocol/tmp/internal/forge/pattern"
)

//go:embed scaffold
var scaffold embed.FS

// coreFiles are the files of core/, by their names there.
var coreFiles = map[string]string{
	"linter.js": "linter.js", "runner.ts": "runner.ts", ".eslintrc.json": "eslintrc.json", "tgp.d.ts": "tgp.d.ts", "index.mjs": "index.mjs",
}

// Detection is what a project is made with.
type Detection struct {
	ORM        string `json:"orm"`
	Driver     string `json:"driver"`
	Dialect    string `json:"dialect"`
	SchemaPath string `json:"schemaPath"`
}

// Action is one of the five of init.
type Action struct {
	Name   string     `json:"name"`
	State  string     `json:"state"` // "done", "kept"
	Detail *Detection `json:"detail,omitempty"`
	File   string     `json:"file,omitempty"`
}

// rulesFiles are the files that teach an assistant.
var rulesFiles = map[string]string{
	"cursor": ".cursorrules", "windsurf": ".windsurfrules", "agents": "AGENTS.md", "claude": "CLAUDE.md", "prompt": "TGP_SYSTEM_PROMPT.md",
}

// drivers of databases, with their dialects; the first that a project has counts.
var drivers = [][2]string{
	{"pg", "postgres"},
	{"postgres", "postgres"},
	{"@neondatabase/serverless", "postgres"},
	{"@vercel/postgres", "postgres"},
	{"better-sqlite3", "sqlite"},
	{"@libsql/client", "sqlite"},
	{"sqlite3", "sqlite"},
	{"sql.js", "sqlite"},
	{"bun:sqlite", "sqlite"},
}

// Detect reads what a project is made with.
func Detect(dir string) *Detection {
	d := &Detection{}
	var pkg struct {
		Dependencies    map[string]string `json:"dependencies"`
		DevDependencies map[string]string `json:"devDependencies"`
	}
	data, _ := os.ReadFile(filepath.Join(dir, "package.json"))
	_ = json.Unmarshal(data, &pkg)
	has := func(name string) bool {
		_, a := pkg.Dependencies[name]
		_, b := pkg.DevDependencies[name]
		return a || b
	}
	switch {
	case has("drizzle-orm"):
		d.ORM = "drizzle-orm"
	case has("@prisma/client") || has("prisma"):
		d.ORM = "prisma"
	}
	for _, dr := range drivers {
		if has(dr[0]) {
			d.Driver, d.Dialect = dr[0], dr[1]
			break
		}
	}
	switch d.ORM {
	case "drizzle-orm":
		d.drizzle(dir)
	case "prisma":
		d.prisma(dir)
	}
	return d
}

var (
	dialectText  = pattern.New(`(?m)\bdialect\s*:\s*["'\x60](\w+)`)
	schemaText   = pattern.New(`(?m)\bschema\s*:\s*["'\x60]([^"'\x60]+)`)
	providerText = pattern.New(`(?s)datasource\s+\w+\s*\{[^}]*?provider\s*=\s*"(\w+)"`)
)

// dialects are other names of the two that are spoken.
var dialects = map[string]string{"postgresql": "postgres", "postgres": "postgres", "pg": "postgres", "sqlite": "sqlite", "turso": "sqlite", "cockroachdb": "postgres"}

func (d *Detection) drizzle(dir string) {
	for _, name := range []string{"drizzle.config.ts", "drizzle.config.js", "drizzle.config.mjs", "drizzle.config.json"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		text := string(data)
		if strings.HasSuffix(name, ".json") {
			text = strings.NewReplacer(`"dialect"`, "dialect", `"schema"`, "schema").Replace(text)
		}
		if m := dialectText.FindStringSubmatch(text); m != nil && dialects[m[1]] != "" {
			d.Dialect = dialects[m[1]]
		}
		if m := schemaText.FindStringSubmatch(text); m != nil {
			d.SchemaPath = "./" + strings.TrimPrefix(filepath.Clean(m[1]), "./")
		}
		break
	}
	if d.SchemaPath != "" {
		return
	}
	for _, p := range []string{"src/db/schema.ts", "src/schema.ts", "db/schema.ts", "src/lib/db/schema.ts", "lib/db/schema.ts", "src/server/db/schema.ts", "src/db/schema/index.ts"} {
		if _, err := os.Stat(filepath.Join(dir, p)); err == nil {
			d.SchemaPath = "./" + p
			return
		}
	}
}

func (d *Detection) prisma(dir string) {
	for _, p := range []string{"prisma/schema.prisma", "schema.prisma"} {
		data, err := os.ReadFile(filepath.Join(dir, p))
		if err != nil {
			continue
		}
		d.SchemaPath = "./" + p
		if m := providerText.FindStringSubmatch(string(data)); m != nil {
			if to := dialects[m[1]]; to != "" {
				d.Dialect = to
			}
			if d.Driver == "" {
				d.Driver = m[1]
			}
		}
		return
	}
}

// undo takes back what an init made.
type undo []func()

func (u *undo) add(f func()) { *u = append(*u, f) }
func (u undo) all() {
	for _, f := range slices.Backward(u) {
		f()
	}
}

// Init makes the place of the tools in a project: five actions, all or none of them.
func Init(c Caller, rules string) (actions []Action, err error) {
	if rules == "" {
		rules = "cursor"
	}
	rulesFile := rulesFiles[rules]
	if rulesFile == "" {
		return nil, Fail(Usage, "--rules is one of cursor, windsurf, agents, claude, prompt")
	}
	f := made(c)
	f.Config, f.Mode = config.Default(), "god"
	f.Root = filepath.Join(c.Dir, ".tgp")
	if c.Root != "" {
		f.Root = f.Abs(c.Root)
	}
	var back undo
	defer func() {
		if err != nil {
			back.all()
			actions = nil
			var e *Error
			if !errors.As(err, &e) {
				err = Fail(Failed, "nothing was made: %s", err)
			}
		}
	}()
	d := Detect(c.Dir)
	actions = append(actions, Action{Name: "detection", State: "done", Detail: d})
	steps := []struct {
		name string
		do   func(*undo) (done bool, file string, err error)
	}{
		{"scaffolding", f.scaffold},
		{"memory", f.memory},
		{"config", func(u *undo) (bool, string, error) { return f.writeConfig(u, d) }},
		{"instruction", func(u *undo) (bool, string, error) { return f.instruct(u, rulesFile) }},
	}
	for _, s := range steps {
		done, file, err := s.do(&back)
		if err != nil {
			return nil, err
		}
		a := Action{Name: s.name, State: "kept", File: file}
		if done {
			a.State = "done"
		}
		actions = append(actions, a)
	}
	return actions, nil
}

// make writes a file that is not there yet.
func (u *undo) make(file string, data []byte, mode os.FileMode) (bool, error) {
	if _, err := os.Lstat(file); err == nil {
		return false, nil
	}
	if err := u.dirs(filepath.Dir(file)); err != nil {
		return false, err
	}
	u.add(func() { _ = os.Remove(file) })
	return true, run.WriteFile(file, data, mode)
}

// dirs makes directories that are missing.
func (u *undo) dirs(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := u.dirs(filepath.Dir(dir)); err != nil {
		return err
	}
	u.add(func() { _ = os.Remove(dir) })
	return os.Mkdir(dir, 0o755)
}

func (f *Forge) scaffold(u *undo) (bool, string, error) {
	done := false
	for name, from := range coreFiles {
		data, err := scaffold.ReadFile("scaffold/" + from)
		if err != nil {
			return false, "", err
		}
		file := filepath.Join(f.Root, "core", name)
		if old, err := os.ReadFile(file); err == nil && string(old) != string(data) { // of another version
			u.add(func() { _ = run.WriteFile(file, old, 0o444) })
			if err := run.WriteFile(file, data, 0o444); err != nil {
				return false, "", err
			}
			done = true
			continue
		}
		made, err := u.make(file, data, 0o444)
		if err != nil {
			return false, "", err
		}
		done = done || made
	}
	for _, dir := range []string{"tools", "approvals"} {
		if _, err := os.Stat(filepath.Join(f.Root, dir)); err != nil {
			done = true
		}
		if err := u.dirs(filepath.Join(f.Root, dir)); err != nil {
			return false, "", err
		}
	}
	made, err := u.make(filepath.Join(f.Root, ".gitignore"), []byte("# copies that tgp fix gives out\n/fix/\n"), 0o644)
	return done || made, f.Root, err
}

// memory makes the repository, and lets that of the project ignore it.
func (f *Forge) memory(u *undo) (bool, string, error) {
	if _, err := repo.Open(f.Root); err == nil {
		return false, filepath.Join(f.Root, ".git"), nil
	}
	u.add(func() { _ = os.RemoveAll(filepath.Join(f.Root, ".git")) })
	r, err := repo.Init(f.Root)
	if err != nil {
		return false, "", err
	}
	f.repo = r
	meta := (&Index{}).meta()
	changes := []repo.Change{{Path: "meta.json", Data: meta}}
	for name, from := range coreFiles {
		data, err := scaffold.ReadFile("scaffold/" + from)
		if err != nil {
			return false, "", err
		}
		changes = append(changes, repo.Change{Path: "core/" + name, Data: data})
	}
	if data, err := os.ReadFile(filepath.Join(f.Root, ".gitignore")); err == nil {
		changes = append(changes, repo.Change{Path: ".gitignore", Data: data})
	}
	if _, err := u.make(filepath.Join(f.Root, "meta.json"), meta, 0o644); err != nil {
		return false, "", err
	}
	h, err := r.NewCommit(repo.Zero, nil, changes, "chore: begin the forge", f.Config.Upstream.Auth.Username, f.Now())
	if err != nil {
		return false, "", err
	}
	if err := r.SetBranch(repo.Main, h, repo.Zero); err != nil {
		return false, "", err
	}
	if err := r.WriteIndex(h); err != nil {
		return false, "", err
	}
	return true, filepath.Join(f.Root, ".git"), f.ignore(u)
}

// existing is a file of the project that gets a text of ours: where it really lies, what
// it holds and its mode; nil where there is none. What cannot be read is not written.
func (f *Forge) existing(name string) (file string, old []byte, mode os.FileMode, err error) {
	file = filepath.Join(f.Dir, name)
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return file, nil, 0o644, nil
	}
	real, err := filepath.EvalSymlinks(file) // CLAUDE.md may be a link to AGENTS.md
	if err != nil {
		return "", nil, 0, err
	}
	if real != file {
		dir, err := filepath.EvalSymlinks(f.Dir)
		if err != nil {
			return "", nil, 0, err
		}
		if rel, err := filepath.Rel(dir, real); err != nil || !filepath.IsLocal(rel) {
			return "", nil, 0, fmt.Errorf("%s is a link that leaves the project", file)
		}
	}
	st, err := os.Stat(real)
	if err != nil {
		return "", nil, 0, err
	}
	if !st.Mode().IsRegular() {
		return "", nil, 0, fmt.Errorf("%s is no file", file)
	}
	old, err = os.ReadFile(real)
	return real, append([]byte{}, old...), st.Mode().Perm(), err
}

// ignore adds the root of the tools to the project's .gitignore.
func (f *Forge) ignore(u *undo) error {
	rel, err := filepath.Rel(f.Dir, f.Root)
	if err != nil || strings.HasPrefix(rel, "..") {
		return nil //nolint:nilerr // it lies elsewhere
	}
	file, old, mode, err := f.existing(".gitignore")
	if err != nil {
		return err
	}
	line := "/" + filepath.ToSlash(rel) + "/"
	if old != nil {
		for l := range strings.SplitSeq(string(old), "\n") {
			if strings.Trim(strings.TrimSpace(l), "/") == filepath.ToSlash(rel) {
				return nil
			}
		}
		u.add(func() { _ = run.WriteFile(file, old, mode) })
		text := string(old)
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return run.WriteFile(file, []byte(text+line+"\n"), mode)
	}
	_, err = u.make(file, []byte(line+"\n"), 0o644)
	return err
}

// writeConfig writes tgp.config.ts and trusts it, since it is ours.
func (f *Forge) writeConfig(u *undo, d *Detection) (bool, string, error) {
	for _, name := range []string{"tgp.config.ts", "tgp.config.json"} {
		if _, err := os.Lstat(filepath.Join(f.Dir, name)); err == nil {
			return false, filepath.Join(f.Dir, name), nil
		}
	}
	file := filepath.Join(f.Dir, "tgp.config.ts")
	text := f.configText(d)
	if _, err := u.make(file, []byte(text), 0o644); err != nil {
		return false, "", err
	}
	return true, file, f.Trust(file, run.DigestOf(text))
}

func (f *Forge) configText(d *Detection) string {
	mode := "god"
	if f.Getenv("NODE_ENV") == "production" {
		mode = "gatekeeper"
	}
	rel, err := filepath.Rel(f.Dir, f.Root)
	if err != nil {
		rel = f.Root
	}
	if !filepath.IsAbs(rel) {
		rel = "./" + filepath.ToSlash(rel)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `import { defineTGPConfig } from '@tgp/core';

export default defineTGPConfig({
  // The root of the agent's file system
  rootDir: '%s',

  // god: what the agent forges runs at once, as a draft. gatekeeper: after an approval.
  mode: '%s',
`, rel, mode)
	if d.Dialect != "" {
		fmt.Fprintf(&b, "\n  // 1. DATA: how the agent sees your database\n  db: {\n    dialect: '%s',\n", d.Dialect)
		if d.SchemaPath != "" && d.ORM == "drizzle-orm" {
			fmt.Fprintf(&b, "    schemaPath: '%s',\n", d.SchemaPath)
		}
		b.WriteString("    envVar: 'DATABASE_URL'\n  },\n")
	}
	var imports []string
	if d.ORM == "drizzle-orm" {
		imports = append(imports, "drizzle-orm")
	}
	for _, lib := range []string{"date-fns", "zod", "csv-stringify", "lodash"} {
		if _, err := os.Stat(filepath.Join(f.Dir, "node_modules", lib)); err == nil {
			imports = append(imports, lib)
		}
	}
	for i := range imports {
		imports[i] = "'" + imports[i] + "'"
	}
	fmt.Fprintf(&b, `
  // 2. FILES: where the agent can write
  fs: {
    allowedDirs: ['./public/exports', './tmp'],
    blockUpwardTraversal: true
  },

  // 3. RUNTIME: libraries that tools may import
  allowedImports: [%s],

  // 4. SYNCHRONIZATION: the hub, where there is one
  upstream: {
    remote: process.env.TGP_REMOTE_URL,
    auth: {
      token: process.env.TGP_GIT_TOKEN,
      username: 'tgp-bot'
    },
    pushStrategy: process.env.NODE_ENV === 'production' ? 'pull-request' : 'direct',
    pullIntervalSeconds: 300
  }
});
`, strings.Join(imports, ", "))
	return b.String()
}

const (
	blockBegin = "<!-- tgp:begin -->"
	blockEnd   = "<!-- tgp:end -->"
)

// instruct writes the block of rules into the file of an assistant; its own text stays.
func (f *Forge) instruct(u *undo, name string) (bool, string, error) {
	rules, err := scaffold.ReadFile("scaffold/rules.md")
	if err != nil {
		return false, "", err
	}
	block := blockBegin + "\n" + string(rules) + blockEnd + "\n"
	file, old, mode, err := f.existing(name)
	if err != nil {
		return false, "", err
	}
	if old == nil {
		made, err := u.make(file, []byte(block), mode)
		return made, file, err
	}
	text := string(old)
	begin, end := strings.Index(text, blockBegin), strings.Index(text, blockEnd)
	switch {
	case begin >= 0 && end > begin:
		rest := strings.TrimPrefix(text[end+len(blockEnd):], "\n")
		next := text[:begin] + block + rest
		if next == text {
			return false, file, nil
		}
		text = next
	default:
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if text != "" {
			text += "\n"
		}
		text += block
	}
	u.add(func() { _ = run.WriteFile(file, old, mode) })
	return true, file, run.WriteFile(file, []byte(text), mode)
}
