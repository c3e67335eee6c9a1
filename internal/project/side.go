package project

import (
	"path/filepath"
	"slices"
	"strings"
)

// sides are words for the part of a program that is written in JavaScript.
var sides = []string{"frontend", "ui", "webapp"}

// sideReading reads a role that nobody plays at the root as one of the frontend,
// where the words say so: "start the frontend dev server".
func (p *Project) sideReading(s said, l *lack, r *Role) (Answer, bool) {
	if l == nil {
		return Answer{}, false
	}
	for _, w := range s.parts {
		if slices.Contains(sides, w) {
			a, ok := p.objectReadings(s, []meant{{r, []string{w}}})
			return a, ok && a.Play != nil
		}
	}
	return Answer{}, false
}

// siteOf is the script that serves a package of documentation, which is started only
// where the package itself is named.
func (p *Project) siteOf(u *unit, r *Role) *Play {
	docs := p.roles.Role("docs-serve")
	if docs == nil || r.Name != "start" && r.Name != "dev" {
		return nil
	}
	u.all()
	for _, name := range [...]string{r.Name, "start", "dev", "serve"} {
		if t := u.task("npm", name); t != nil && anyMark(commands(u.deep(t)), docs.Body) && !u.lost(t) {
			pl := u.playTask(t)
			pl.Role = r.Name
			return pl
		}
	}
	return nil
}

// managersOf are the programs that install the dependencies of a language.
var managersOf = map[string][]string{
	"javascript": {"npm", "pnpm", "yarn", "bun"},
	"python":     {"pip", "pip3", "uv", "poetry", "pdm", "pipenv", "rye", "conda", "pixi", "hatch"},
}

// otherManager is the conflict of a task that installs the dependencies with another
// manager than the one that the project's files name; nil for none.
func (p *Project) otherManager(u *unit, r *Role, pl *Play) *Conflict {
	t := u.task(pl.Runner, pl.Name)
	if r.Name != "install" || t == nil {
		return nil
	}
	list := commands(u.deep(t))
	uses := func(name string) bool {
		return slices.ContainsFunc(list, func(c command) bool { return len(c.in) == 0 && c.words[0] == name })
	}
	for eco, names := range managersOf {
		e := u.eco(eco)
		if e == nil || e.Manager == "" || e.Manager == "pip" || uses(e.Manager) || strings.Contains(e.Evidence[0].Why, "since no file") {
			continue
		}
		if !slices.ContainsFunc(names, uses) {
			continue
		}
		c := &Conflict{Of: "role " + r.Name, Why: "the task installs with another manager than " + e.Evidence[0].Why, plays: []Play{*pl}}
		if other, _ := u.standard(r); other != nil {
			c.plays = append(c.plays, *other)
		}
		for i := range c.plays {
			c.Candidates = append(c.Candidates, strings.Join(c.plays[i].Argv, " "))
		}
		return c
	}
	return nil
}

// aside are directories that hold nothing of the program itself.
var aside = []string{"docs", "doc", "website", "site", "examples", "example", "test", "tests", "e2e", "scripts", "tools", "npm", "benchmarks", "samples", "templates"}

// onlyBelow is the one directory below the root, not deep, that holds a project of
// a language that the root has none of; nil for none or several.
func (p *Project) onlyBelow(eco string) *unit {
	mark := map[string]string{"javascript": "package.json", "python": "pyproject.toml", "rust": "Cargo.toml", "go": "go.mod"}[eco]
	if mark == "" || slices.ContainsFunc(p.here(), func(u *unit) bool { return u.eco(eco) != nil }) {
		return nil
	}
	var found []string
	visit := func(dir string) {
		for _, e := range p.list(dir) {
			if at := filepath.Join(dir, e.Name); e.Dir && !skipped(e.Name) && !slices.Contains(aside, e.Name) && p.isFile(filepath.Join(at, mark)) {
				found = append(found, at)
			}
		}
	}
	visit(p.Root)
	for _, e := range p.list(p.Root) {
		if at := filepath.Join(p.Root, e.Name); e.Dir && !skipped(e.Name) && !slices.Contains(aside, e.Name) && !slices.Contains(found, at) {
			visit(at)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return p.unit(found[0])
}

// starts reports whether a play starts the program that the words name, if they name
// one: "run pylint" is not asked of a linter that is another one.
func (p *Project) starts(pl *Play, s said) bool {
	if !pl.Task && pl.Role == "build" && slices.Contains(s.parts, "compile") && (pl.eco == "ruby" || pl.eco == "python") {
		return false // it packs, and compiles nothing
	}
	list := []command(nil)
	for _, w := range s.parts {
		if !slices.Contains(p.roles.Tools, w) {
			continue
		}
		if list == nil {
			list = commands(strings.Join(pl.Argv, " "))
			if u := p.unit(filepath.Join(p.Root, pl.Dir)); pl.Task {
				u.all()
				for _, runner := range [...]string{pl.Runner, "npm"} {
					if t := u.task(runner, pl.Name); t != nil {
						list = append(list, commands(u.deep(t))...)
						break
					}
				}
			}
		}
		named := slices.ContainsFunc(list, func(c command) bool {
			return slices.ContainsFunc(c.words, func(have string) bool { return strings.Contains(have, w) })
		})
		if !named && !slices.Contains(nameParts(pl.Name), w) {
			return false
		}
	}
	return true
}

// heads are what names of tasks begin with that are left out where the rest says
// enough: "type coverage" of "test:type:coverage".
var heads = []string{"test", "check", "lint", "build"}

// tailNamed is the only task whose name holds the words behind one of heads.
func (p *Project) tailNamed(forms [][]string) *Play {
	var found *Play
	for _, u := range p.here() {
		for _, t := range u.callable() {
			for _, f := range forms {
				if len(f) < 2 || len(t.parts) != len(f)+1 || !slices.Contains(heads, t.parts[0]) || !slices.Equal(t.parts[1:], f) {
					continue
				}
				if found != nil {
					return nil
				}
				found = u.playTask(t)
				break
			}
		}
	}
	return found
}
