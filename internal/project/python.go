package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

// python reads what says that a directory is one of Python, and by what its
// dependencies are managed.
func (u *unit) python() {
	mark := u.first("pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "requirements.txt", "manage.py", "pixi.toml", "environment.yml")
	if mark == "" {
		if names := u.requirements(); len(names) > 0 {
			mark = names[0]
		} else if mark = u.first("tox.ini", "noxfile.py", "main.py", "app.py"); mark == "" {
			return
		}
	}
	u.py = u.tomlOf("pyproject.toml")
	if mark == "pyproject.toml" && !u.isPython() {
		return
	}
	e := u.add("python", "", nil)
	e.Manager, e.rivals, e.Evidence = u.pyManager(mark)
	e.tools = append([]string{"python", "pytest"}, e.Manager)
	u.pyDeps()
	u.pyFacts(e)
}

// isPython tells a pyproject.toml of a project from one that only holds settings.
func (u *unit) isPython() bool {
	if u.py == nil {
		return u.first("setup.py", "setup.cfg", "requirements.txt") != ""
	}
	return u.py["project"] != nil || u.py["build-system"] != nil || u.py["dependency-groups"] != nil ||
		table(u.py, "tool", "poetry") != nil || table(u.py, "tool", "uv") != nil || table(u.py, "tool", "pdm") != nil || table(u.py, "tool", "hatch") != nil ||
		u.first("setup.py", "setup.cfg", "requirements.txt", "uv.lock", "manage.py", "main.py") != "" || u.anyPyTest()
}

// pyManager is what manages the dependencies: the lock files of the unit, or of
// the nearest directory above up to the root; then what pyproject.toml configures;
// then pip.
func (u *unit) pyManager(mark string) (name string, rivals []string, evidence []Evidence) {
	locks := [...][2]string{{"uv.lock", "uv"}, {"poetry.lock", "poetry"}, {"pdm.lock", "pdm"}, {"Pipfile.lock", "pipenv"}, {"Pipfile", "pipenv"}, {"pixi.lock", "pixi"}, {"pixi.toml", "pixi"}, {"requirements.lock", "rye"}}
	for dir := u.dir; within(u.root, dir); dir = filepath.Dir(dir) {
		var found []Evidence
		var names []string
		for _, l := range locks {
			if l[1] == "rye" && table(u.toml(filepath.Join(dir, "pyproject.toml")), "tool", "rye") == nil {
				continue
			}
			if u.isFile(filepath.Join(dir, l[0])) && !slices.Contains(names, l[1]) {
				names = append(names, l[1])
				found = append(found, Evidence{u.rel(filepath.Join(dir, l[0])), 0, l[1] + " by " + l[0]})
			}
		}
		if len(names) > 1 {
			return "", names, found
		}
		if len(names) == 1 {
			return names[0], nil, found
		}
		if dir == "/" {
			break
		}
	}
	for _, t := range [...][3]string{{"poetry", "tool.poetry", "poetry"}, {"uv", "tool.uv", "uv"}, {"pdm", "tool.pdm", "pdm"}, {"hatch", "tool.hatch.envs", "hatch"}} {
		if of := table(u.py, strings.Split(t[1], ".")...); of != nil && (t[0] != "pdm" || managesPdm(of)) {
			return t[0], nil, []Evidence{u.why("pyproject.toml", "[tool."+t[2], t[0]+" by ["+t[1]+"] of pyproject.toml")}
		}
	}
	if u.has("hatch.toml") {
		return "hatch", nil, []Evidence{u.why("hatch.toml", "", "hatch by hatch.toml")}
	}
	if mark == "environment.yml" {
		return "conda", nil, []Evidence{u.why(mark, "", "conda by environment.yml")}
	}
	return "pip", nil, []Evidence{u.why(mark, "", "pip, since no file names another manager")}
}

// managesPdm tells [tool.pdm] of the manager from that of its build backend, which
// states what is built alone.
func managesPdm(of map[string]any) bool {
	return slices.ContainsFunc(keys(of), func(k string) bool {
		return slices.Contains([]string{"dev-dependencies", "scripts", "source", "resolution", "options", "venv", "publish", "plugins"}, k)
	})
}

// requirements are the files that pip takes, the plainest first.
func (u *unit) requirements() []string {
	names := u.glob("requirements*.txt")
	slices.SortStableFunc(names, func(a, b string) int { return len(a) - len(b) })
	return names
}

func (u *unit) pyDeps() {
	add := func(list []string) {
		for _, spec := range list {
			end := strings.IndexFunc(spec, func(r rune) bool { return !isNameRune(r) })
			if end < 0 {
				end = len(spec)
			}
			if end > 0 {
				u.deps[strings.ToLower(spec[:end])] = true
			}
		}
	}
	add(texts(toml.In(u.py, "project", "dependencies")))
	for _, path := range [...][]string{{"project", "optional-dependencies"}, {"dependency-groups"}, {"tool", "pdm", "dev-dependencies"}} {
		for _, v := range table(u.py, path...) {
			add(texts(v))
		}
	}
	add(texts(toml.In(u.py, "tool", "uv", "dev-dependencies")))
	for _, env := range table(u.py, "tool", "hatch", "envs") {
		t, _ := env.(map[string]any)
		add(append(texts(t["dependencies"]), texts(t["extra-dependencies"])...))
	}
	for _, path := range [...][]string{{"tool", "poetry", "dependencies"}, {"tool", "poetry", "dev-dependencies"}} {
		add(keys(table(u.py, path...)))
	}
	for _, g := range table(u.py, "tool", "poetry", "group") {
		t, _ := g.(map[string]any)
		d, _ := t["dependencies"].(map[string]any)
		add(keys(d))
	}
	for _, name := range u.requirements() {
		var lines []string
		for line := range strings.Lines(u.textOf(name)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && line[0] != '-' {
				lines = append(lines, line)
			}
		}
		add(lines)
	}
	if pip := u.tomlOf("Pipfile"); pip != nil {
		add(keys(table(pip, "packages")))
		add(keys(table(pip, "dev-packages")))
	}
	setup := u.textOf("setup.cfg")
	for line := range strings.Lines(setup) {
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			add([]string{strings.TrimSpace(line)})
		}
	}
	add(quotedTexts(strings.ReplaceAll(u.textOf("setup.py"), "\n", " ")))
}

func keys(m map[string]any) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func isNameRune(r rune) bool {
	return r == '-' || r == '_' || r == '.' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// pyPrefixes put a command into the environment that a manager keeps.
func pyPrefix(manager string) []string {
	switch manager {
	case "uv", "poetry", "pdm", "pipenv", "pixi", "hatch", "rye":
		return []string{manager, "run"}
	}
	return nil
}

// pyFacts notes what standard commands ask about a project of Python.
func (u *unit) pyFacts(e *Ecosystem) {
	prefix := pyPrefix(e.Manager)
	python, pip := []string{"python"}, []string{"pip"}
	if prefix == nil {
		for _, venv := range [...]string{".venv", "venv"} {
			if u.isFile(u.at(venv + "/bin/python")) {
				python, pip = []string{venv + "/bin/python"}, []string{venv + "/bin/python", "-m", "pip"}
				break
			}
		}
	}
	e.fill["prefix"], e.fill["python"], e.fill["pip"] = prefix, append(slices.Clone(prefix), python...), pip
	e.fill["manager"] = []string{e.Manager}
	u.facts["py-prefix"] = prefix != nil && e.Manager != "hatch"
	for _, m := range [...]string{"uv", "poetry", "pdm", "pipenv", "hatch", "pip", "conda", "pixi", "rye"} {
		u.facts["py-"+m] = e.Manager == m
	}
	tests := u.anyPyTest()
	configured := u.has("pytest.ini") || u.has("conftest.py") || table(u.py, "tool", "pytest") != nil || u.deps["pytest"] ||
		strings.Contains(u.textOf("setup.cfg"), "[tool:pytest]") || strings.Contains(u.textOf("tox.ini"), "[pytest]")
	u.facts["pytest"] = configured || tests
	u.facts["py-tests"] = tests
	u.facts["tox"] = u.has("tox.ini") && strings.Contains(u.textOf("tox.ini"), "[tox") || u.has("tox.toml") ||
		table(u.py, "tool", "tox") != nil || strings.Contains(u.textOf("setup.cfg"), "[tox:tox]")
	u.facts["nox"] = u.has("noxfile.py")
	u.facts["py-package"] = u.py["build-system"] != nil || u.has("setup.py")
	u.facts["django"] = u.has("manage.py")
	if u.facts["nox"] {
		u.skip(u.at("noxfile.py"), "its sessions are known only by running it: nox --list")
	}
	u.pyInstall(e)
	u.pyStart(e)
}

// pyInstall is what pip is told to install.
func (u *unit) pyInstall(e *Ecosystem) {
	req := u.requirements()
	extras := table(u.py, "project", "optional-dependencies")
	switch {
	case len(req) > 0 && req[0] == "requirements.txt":
		e.fill["what"] = []string{"-r", req[0]}
	case extras["dev"] != nil:
		e.fill["what"] = []string{"-e", ".[dev]"}
	case len(req) == 1:
		e.fill["what"] = []string{"-r", req[0]}
	case u.py["project"] != nil || u.has("setup.py") || u.py["build-system"] != nil:
		e.fill["what"] = []string{"."}
	}
	u.facts["pip-what"] = e.fill["what"] != nil
}

// pyStart is what starts the program.
func (u *unit) pyStart(e *Ecosystem) {
	if u.facts["py-package"] && u.py["project"] != nil && len(table(u.py, "project", "scripts")) > 0 {
		return // its console script is no server, and a file beside it no program
	}
	for _, name := range [...]string{"main.py", "app.py", "run.py", "server.py", "bot.py", "src/main.py", "app/main.py"} {
		if u.has(name) {
			text := u.textOf(name)
			if name == "app/main.py" && !strings.Contains(text, "__main__") {
				continue
			}
			e.fill["main"] = []string{name}
			u.facts["py-main"] = true
			return
		}
	}
}

// anyPyTest reports whether there is a file that pytest takes for tests.
func (u *unit) anyPyTest() bool {
	isTest := func(name string) bool {
		return strings.HasSuffix(name, ".py") && (strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test.py"))
	}
	for _, d := range [...]string{"", "tests", "test", "tests/unit", "tests/integration"} {
		dir := u.at(d)
		for _, e := range u.list(dir) {
			if !e.Dir && isTest(e.Name) {
				return true
			}
		}
	}
	return false
}
