package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/yaml"
)

// jsManager is a package manager of JavaScript with the files that tell of it.
type jsManager struct {
	name  string
	locks []string // it has resolved the dependencies
	marks []string // it is configured
}

// The names are those of the managers' own documentation.
var jsManagers = [...]jsManager{
	{"npm", []string{"package-lock.json", "npm-shrinkwrap.json"}, nil},
	{"pnpm", []string{"pnpm-lock.yaml"}, []string{"pnpm-workspace.yaml"}},
	{"yarn", []string{"yarn.lock"}, []string{".yarnrc.yml"}},
	{"bun", []string{"bun.lock", "bun.lockb"}, []string{"bunfig.toml"}},
}

// javascript reads package.json and deno.json.
func (u *unit) javascript() {
	if doc := u.jsonOf("package.json"); doc != nil {
		u.pkg = u.readManifest(doc)
		u.jsFacts()
		e := u.add("javascript", "", nil)
		e.Manager, e.rivals, e.Evidence = u.jsManager()
		e.tools = []string{e.Manager}
		if e.Manager == "" {
			e.tools = e.rivals
		}
		e.fill["manager"] = []string{e.Manager}
		e.fill["main"] = []string{u.jsMain()}
	}
	if name := u.first("deno.json", "deno.jsonc"); name != "" && (u.pkg == nil || u.has("deno.lock")) {
		u.add("deno", "deno", []string{"deno"}, u.why(name, "", "deno is configured"))
		u.denoFacts()
	}
}

func (u *unit) readManifest(doc *yaml.Node) *manifest {
	m := &manifest{doc: doc, name: doc.At("name").Str()}
	m.manager, _, _ = strings.Cut(doc.At("packageManager").Str(), "@")
	data, _ := u.open(u.at("package.json"))
	at := jsonLines(data, "scripts")
	for i, name := range doc.At("scripts").Names() {
		if i < maxTasks && name != "" {
			m.scripts = append(m.scripts, script{name, doc.At("scripts").Values[i].Str(), at[name]})
		}
	}
	for _, key := range [...]string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"} {
		for _, name := range doc.At(key).Names() {
			u.deps[name] = true
		}
	}
	return m
}

// jsonLines are the lines of the members of an object that is a member itself, as
// a text that is written a member a line has them.
func jsonLines(data []byte, object string) map[string]int {
	out := map[string]int{}
	in, n := false, 0
	for line := range strings.Lines(string(data)) {
		n++
		word := strings.TrimSpace(line)
		if !in {
			in = strings.HasPrefix(word, `"`+object+`"`) && strings.Contains(word, "{")
			if _, rest, ok := strings.Cut(word, "{"); in && ok {
				for _, q := range quotedTexts(rest) {
					out[q] = n
				}
				in = !strings.Contains(rest, "}")
			}
			continue
		}
		if strings.HasPrefix(word, "}") {
			break
		}
		if q := quotedTexts(word); len(q) > 0 && strings.HasPrefix(word, `"`) {
			out[q[0]] = n
		}
	}
	return out
}

// jsManager is what manages the package: what its package.json states, else the
// lock file, of the nearest directory up to the root that says so; then a file of
// settings, then the engines, and npm where nothing speaks.
func (u *unit) jsManager() (name string, rivals []string, evidence []Evidence) {
	for _, ask := range [...]func(*unit) []Evidence{(*unit).jsDecided, (*unit).jsMarked, (*unit).jsWanted} {
		for dir := u.dir; within(u.root, dir); dir = filepath.Dir(dir) {
			at := u
			if dir != u.dir {
				at = &unit{look: u.look, dir: dir, deps: map[string]bool{}}
				if doc := u.json(filepath.Join(dir, "package.json")); doc != nil {
					at.pkg = at.readManifest(doc)
				}
			}
			found := ask(at)
			if len(found) == 1 {
				return found[0].Why, nil, []Evidence{{found[0].File, found[0].Line, found[0].Why + " by " + filepath.Base(found[0].File)}}
			}
			if len(found) > 1 {
				for i := range found {
					rivals = append(rivals, found[i].Why)
					found[i].Why += " by " + filepath.Base(found[i].File)
				}
				return "", rivals, found
			}
			if dir == "/" {
				break
			}
		}
	}
	return "npm", nil, []Evidence{u.why("package.json", "", "npm, since no file names another manager")}
}

// jsDecided is what the directory states or has resolved, the manager in Why.
func (u *unit) jsDecided() []Evidence {
	if u.pkg != nil {
		if name := plainName(u.pkg.manager); name != "" {
			return []Evidence{u.why("package.json", `"packageManager"`, name)}
		}
		dev := u.pkg.doc.At("devEngines").At("packageManager")
		if name := plainName(dev.At("name").Str()); name != "" {
			return []Evidence{u.why("package.json", `"devEngines"`, name)}
		}
		for _, item := range dev.List() {
			if name := plainName(item.At("name").Str()); name != "" {
				return []Evidence{u.why("package.json", `"devEngines"`, name)}
			}
		}
	}
	return u.byFile(func(m jsManager) []string { return m.locks })
}

func (u *unit) jsMarked() []Evidence {
	return u.byFile(func(m jsManager) []string { return m.marks })
}

func (u *unit) byFile(names func(jsManager) []string) []Evidence {
	var found []Evidence
	for _, m := range jsManagers {
		if name := u.first(names(m)...); name != "" {
			found = append(found, u.why(name, "", m.name))
		}
	}
	return found
}

// jsWanted is the manager among the engines; more than one say nothing.
func (u *unit) jsWanted() []Evidence {
	if u.pkg == nil {
		return nil
	}
	var found []Evidence
	for _, name := range u.pkg.doc.At("engines").Names() {
		if slices.ContainsFunc(jsManagers[:], func(m jsManager) bool { return m.name == name }) {
			found = append(found, u.why("package.json", `"engines"`, name))
		}
	}
	if len(found) > 1 {
		return nil
	}
	return found
}

// plainName is a name of small letters, else "".
func plainName(s string) string {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && c != '-' {
			return ""
		}
	}
	return s
}

// jsFacts notes what standard commands ask about a package.
func (u *unit) jsFacts() {
	doc := u.pkg.doc
	u.facts["workspaces"] = doc.At("workspaces") != nil || u.has("pnpm-workspace.yaml")
	published := false
	for _, key := range [...]string{"exports", "types", "typings", "module", "files", "publishConfig", "bin", "repository", "peerDependencies"} {
		published = published || doc.At(key) != nil
	}
	u.facts["js-app"] = !published && u.jsMain() != ""
	u.facts["js-tests"] = u.anyTest(".test.", ".spec.", "_test.")
	u.facts["dependencies"] = len(u.deps) > 0 || u.first("package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb") != ""
}

// jsMain is the file that node would start, "" if it is not there.
func (u *unit) jsMain() string {
	main := u.pkg.doc.At("main").Str()
	for _, name := range [...]string{main, main + ".js", "index.js", "index.mjs", "server.js"} {
		if name != "" && name != ".js" && filepath.IsLocal(name) && u.has(name) && !strings.HasPrefix(name, "-") {
			return name
		}
	}
	return ""
}

func (u *unit) denoFacts() {
	u.facts["deno-tests"] = u.anyTest("_test.ts", ".test.ts", "_test.js", ".test.js", "test.ts")
	for _, name := range [...]string{"main.ts", "main.js", "mod.ts", "src/main.ts", "src/index.ts", "index.ts", "server.ts", "app.ts"} {
		if u.has(name) {
			u.ecos[len(u.ecos)-1].fill["main"] = []string{name}
			u.facts["deno-main"] = true
			break
		}
	}
}

// anyTest reports whether a file of that kind lies in the unit or in one of its
// usual directories of tests and sources.
func (u *unit) anyTest(marks ...string) bool {
	dirs := []string{""}
	for _, d := range [...]string{"test", "tests", "__tests__", "spec", "src", "lib"} {
		dirs = append(dirs, d)
	}
	for _, d := range dirs {
		for _, e := range u.listOf(d) {
			for _, m := range marks {
				if !e.Dir && strings.Contains(e.Name, m) {
					return true
				}
			}
		}
	}
	return false
}
