package project

import (
	"path/filepath"
	"slices"
	"strings"
)

// moreFacts notes what standard commands ask about that no condition of roles.json
// can say: it takes reading code, or several files together.
func (u *unit) moreFacts() {
	u.jsMore()
	u.pyMore()
	f := u.facts
	f["py-web"] = u.holds("dep:flask|fastapi|django|aiohttp|uvicorn|starlette|tornado|sanic|bottle|quart|litestar|streamlit|gradio|dash")
	f["js-web"] = u.holds("dep:express|fastify|koa|@hapi/hapi|hono|next|restify|polka|h3|micro|socket.io|ws")
	f["go-web"] = u.holds("dep:github.com/gin-gonic/gin|github.com/labstack/echo/v4|github.com/gofiber/fiber/v2|github.com/go-chi/chi/v5|github.com/gorilla/mux|google.golang.org/grpc") || strings.Contains(u.textOf("main.go"), "ListenAndServe")
	f["golangci"] = u.first(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json") != ""
	f["alembic"] = u.has("alembic.ini")
	f["diesel"] = u.has("diesel.toml")
	f["sqlx"] = u.deps["sqlx"] && u.isDir(u.at("migrations"))
	f["julia"] = u.isDir(u.at("src")) && len(u.globIn("src", "*.jl")) > 0
	u.netTarget()
	u.crystalMain()
	u.haskell()
	if e := u.eco("procfile"); e != nil {
		for line := range strings.Lines(u.textOf("Procfile")) {
			if body, ok := strings.CutPrefix(line, "web:"); ok {
				e.fill["web"] = procWords(strings.TrimSpace(body))
			}
		}
	}
	if e := u.eco("ruby"); e != nil {
		if names := u.glob("*.gemspec"); len(names) == 1 {
			e.fill["gemspec"] = names
		}
	}
	if e := u.eco("dart"); e != nil {
		if names := u.globIn("bin", "*.dart"); len(names) == 1 {
			e.fill["main"] = []string{"bin/" + names[0]}
		}
	}
}

func (u *unit) globIn(dir, pattern string) []string {
	var out []string
	for _, e := range u.listOf(dir) {
		if ok, _ := filepath.Match(pattern, e.Name); ok && !e.Dir {
			out = append(out, e.Name)
		}
	}
	return out
}

func (u *unit) jsMore() {
	e := u.eco("javascript")
	if e == nil {
		return
	}
	update := map[string]string{"yarn": "upgrade"}
	if e.Manager == "yarn" && (u.has(".yarnrc.yml") || u.isFile(filepath.Join(u.root, ".yarnrc.yml"))) {
		update["yarn"] = "up"
	}
	e.fill["update"] = []string{orElse(update[e.Manager], "update")}
	u.facts["js-bun"] = e.Manager == "bun"
	if name := u.first("index.ts", "src/index.ts", "index.js", "server.ts", "main.ts"); name != "" && u.pkg.doc.At("exports") == nil && u.pkg.doc.At("types") == nil {
		e.fill["bunmain"], u.facts["bun-main"] = []string{name}, true
	}
	u.facts["js-audit"] = e.Manager != "bun"
	u.facts["has-scripts"] = len(u.pkg.scripts) > 0
	for _, s := range u.pkg.scripts {
		if s.name == "build" && !idle(commands(s.text)) {
			u.facts["script-build"] = true
		}
	}
}

// pyMore notes which tools of Python are configured here.
func (u *unit) pyMore() {
	if u.eco("python") == nil {
		return
	}
	hooks := u.textOf(".pre-commit-config.yaml")
	ruff := u.deps["ruff"] || u.first("ruff.toml", ".ruff.toml") != "" || table(u.py, "tool", "ruff") != nil
	black := u.deps["black"] || table(u.py, "tool", "black") != nil
	other := u.deps["flake8"] || u.deps["pylint"] || u.first(".flake8", ".pylintrc", "pylintrc") != "" || table(u.py, "tool", "pylint") != nil ||
		strings.Contains(u.textOf("setup.cfg"), "[flake8]") || strings.Contains(u.textOf("tox.ini"), "[flake8]")
	u.facts["ruff"] = ruff && !other
	u.facts["ruff-format"] = ruff && !black && !u.deps["yapf"] && !u.deps["autopep8"] && (table(u.py, "tool", "ruff", "format") != nil || u.deps["ruff"] || strings.Contains(hooks, "ruff-format") || hooks == "")
	u.facts["black"] = black
	u.facts["pytest-config"] = u.has("pytest.ini") || table(u.py, "tool", "pytest") != nil || u.deps["pytest"]
	u.facts["django-tests"] = u.facts["django"]
}

// goText reports whether a source of the module holds a text; it reads a few.
func (u *unit) goText(what, end string) bool {
	found, read := false, 0
	dirs := []string{u.dir}
	for len(dirs) > 0 && !found && read < 60 {
		dir := dirs[0]
		dirs = dirs[1:]
		for _, e := range u.list(dir) {
			switch {
			case e.Dir && !skipped(e.Name) && len(dirs) < 40:
				dirs = append(dirs, filepath.Join(dir, e.Name))
			case !e.Dir && strings.HasSuffix(e.Name, end) && read < 60:
				read++
				found = found || strings.Contains(u.str(filepath.Join(dir, e.Name)), what)
			}
		}
	}
	return found
}

// netTarget is what dotnet is told to build: nothing where the directory has one
// solution or one project, else the solution; one below where there is none here.
func (u *unit) netTarget() {
	if e := u.eco("dotnet"); e != nil {
		slns := append(u.glob("*.sln"), u.glob("*.slnx")...)
		projects := append(append(u.glob("*.csproj"), u.glob("*.fsproj")...), u.glob("*.vbproj")...)
		e.fill["target"] = nil
		if len(slns) > 0 && len(slns)+len(projects) > 1 {
			e.fill["target"] = slns[:1]
		}
		if len(slns) > 1 {
			delete(e.fill, "target")
		}
		u.facts["dotnet-exe"] = len(projects) == 1
		u.facts["dotnet-app"] = len(projects) == 1
		return
	}
	if slices.ContainsFunc(u.ecos, func(e *Ecosystem) bool { return !u.isLate(e.Name) }) {
		return
	}
	var found []string
	for _, e := range u.list(u.dir) {
		if !e.Dir || skipped(e.Name) {
			continue
		}
		for _, ext := range [...]string{"*.sln", "*.slnx"} {
			for _, name := range u.globIn(e.Name, ext) {
				found = append(found, e.Name+"/"+name)
			}
		}
	}
	if len(found) == 1 {
		e := u.add("dotnet", "dotnet", []string{"dotnet"}, u.why(found[0], "", "dotnet by "+found[0]))
		e.fill["target"] = found
	}
}

func (u *unit) crystalMain() {
	e := u.eco("crystal")
	if e == nil {
		return
	}
	doc := u.yamlOf("shard.yml")
	name := doc.At("name").Str()
	for _, at := range [...]string{"src/" + name + ".cr", "src/main.cr", "main.cr"} {
		if filepath.IsLocal(at) && u.has(at) && !strings.ContainsFunc(at, isOdd) {
			e.fill["main"] = []string{at}
			u.facts["crystal-main"] = true
			return
		}
	}
}

// haskell notes how many programs a package of Haskell has.
func (u *unit) haskell() {
	exes, bench := 0, false
	for _, name := range u.glob("*.cabal") {
		for line := range strings.Lines(u.textOf(name)) {
			word := strings.ToLower(line)
			if strings.HasPrefix(word, "executable ") {
				exes++
			}
			bench = bench || strings.HasPrefix(word, "benchmark ")
		}
	}
	if doc := u.yamlOf("package.yaml"); doc != nil {
		exes += len(doc.At("executables").Names())
		if doc.At("executable") != nil {
			exes++
		}
		bench = bench || doc.At("benchmarks") != nil
	}
	u.facts["hs-one-exe"], u.facts["hs-bench"] = exes == 1, bench
}

// makeBuilds notes that make without a target builds: the first target is a file,
// or "all", that is compiled.
func (u *unit) makeBuilds() bool {
	r := u.roles.Role("build")
	if u.eco("makefile") == nil || r == nil {
		return false
	}
	for i := range u.all() {
		t := &u.tasks[i]
		if t.Runner != "make" || !t.First {
			continue
		}
		name := canonical(t.Name)
		for k := range u.roles.Roles {
			if o := &u.roles.Roles[k]; o.Name != "build" && o.Name != "package" && slices.Contains(o.Names, name) {
				return false
			}
		}
		return anyMark(commands(u.deep(t)), r.Body)
	}
	return false
}
