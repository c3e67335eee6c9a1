package project

import (
	"slices"
	"strings"
)

// A project that has no task for the whole of a role may have one for each part of
// it: each language, each program, each environment. Who asks for the whole has
// named none of them, and is shown them all.

// pieces are what tasks do a part of a role for, as one word of their names.
var pieces = []string{
	"js", "ts", "jsx", "css", "scss", "sass", "python", "py", "go", "rust", "php", "java", "ruby", "rb", "node", "deno", "bun", "client", "server", "frontend", "backend", "front", "back", "api", "web", "ui", "app", "lib", "core", "cli", "worker", "mobile", "desktop", "ios", "android",
	"linux", "macos", "mac", "windows", "win", "wasm", "native", "esm", "cjs", "umd", "main", "renderer", "preload", "admin", "site", "website", "examples",
}

// sources are what linters and formatters read each a part of.
var sources = []string{"style", "styles", "md", "markdown", "html", "yaml", "eslint", "stylelint"}

// sorts are the sorts of tests that a project may have side by side.
var sorts = []string{"unit", "units", "e2e", "integration", "int", "functional", "acceptance", "browser", "browsers", "system", "component", "components", "contract", "smoke", "regression", "slow", "fast"}

// environments are where a program runs, as the ends of tasks' names say it.
var environments = []string{"prod", "production", "live", "staging", "stage", "preprod", "preview", "qa", "uat", "dev", "development", "sandbox", "canary"}

// placed are the roles that are played for one environment or another.
var placed = []string{"build", "start", "serve", "start-detached", "stop", "restart", "migrate", "seed", "db-reset", "deploy", "release", "publish", "images"}

// part is the conflict of a task that was found for a role and does a part of it
// only, beside others for the other parts; nil where it does all, or is alone.
func (u *unit) part(r *Role, t *Task) *Conflict {
	if slices.Contains(placed, r.Name) {
		if list := u.beside(r, t, environments); len(list) > 1 {
			return u.disagree(r, "there is one for each environment", list)
		}
	}
	words := pieces
	switch r.Name {
	case "test":
		words = append(slices.Clone(pieces), sorts...)
	case "lint", "lint-fix", "format", "format-check":
		words = append(slices.Clone(pieces), sources...)
	}
	if list := u.beside(r, t, words); len(list) > 1 {
		return u.disagree(r, "each does a part of it, and none does all", list)
	}
	if r.Name == "dev" {
		if list := u.watched(t); list != nil {
			return u.disagree(r, "what the first starts is not known to be a server", list)
		}
	}
	return nil
}

// beside are the tasks, the given one first, whose names differ from its name in
// one of the words alone; nil if its name holds none of them beside what the role
// is called.
func (u *unit) beside(r *Role, t *Task, words []string) []*Task {
	head, at := u.cutName(r, t, words)
	if head == "" {
		return nil
	}
	out := []*Task{t}
	for i := range u.tasks {
		o := &u.tasks[i]
		if o == t || o.Runner != t.Runner || o.Private || sameBody(o, t) {
			continue
		}
		if len(o.parts) == 2 && o.parts[1-at] == head && slices.Contains(words, o.parts[at]) {
			out = append(out, o)
		}
	}
	return out
}

// inEnvironment is the one of the plays that is named for an environment that the
// words name; nil if there is none.
func (c *Conflict) inEnvironment(s said) *Play {
	for i := range c.plays {
		name := nameParts(c.plays[i].Name)
		for _, w := range s.parts {
			if k := len(name) - 1; k > 0 && slices.Contains(environments, w) && same(name[k]) == same(w) {
				return &c.plays[i]
			}
		}
	}
	return nil
}

// cutName is what a task's name calls the role, and which of its two words is the
// other one; "" if the name is not of that form.
func (u *unit) cutName(r *Role, t *Task, words []string) (head string, at int) {
	if len(t.parts) != 2 {
		return "", 0
	}
	for _, at := range [...]int{1, 0} {
		head := t.parts[1-at]
		if slices.Contains(words, t.parts[at]) && (slices.Contains(r.Names, head) || slices.Contains(r.Also, head)) {
			return head, at
		}
	}
	return "", 0
}

// watched are the task called "dev" and the one that was found to serve in its
// place: "dev" may be what a person means, and is not seen to serve.
func (u *unit) watched(t *Task) []*Task {
	if slices.Contains(t.parts, "dev") || slices.Contains(t.parts, "develop") {
		return nil
	}
	for _, name := range [...]string{"dev", "develop"} {
		if dev := u.task(t.Runner, name); dev != nil && !u.runsTask(t, dev) {
			return []*Task{dev, t}
		}
	}
	return nil
}

// overlooked is the conflict of a script of package.json that plays a role in a
// directory where another ecosystem has a command for it too, and that does not
// start it, or of a task that installs with a manager that is not the project's; nil
// for none.
func (p *Project) overlooked(u *unit, r *Role, pl *Play) *Conflict {
	if pl.eco != "javascript" {
		return p.otherManager(u, r, pl)
	}
	t := u.task("npm", pl.Name)
	if t == nil || r.Name == "type-check" { // of the language that is asked about, nearly always
		return nil
	}
	list := commands(u.deep(t))
	for i := range r.Standard {
		s := &r.Standard[i]
		e := u.eco(s.Eco)
		if e == nil || s.Eco == "javascript" || s.Eco == "deno" || u.stage(s.Eco) != 1 || !u.holdsAll(s.If) {
			continue
		}
		if slices.ContainsFunc(list, func(c command) bool { return slices.Contains(e.tools, c.words[0]) || c.words[0] == s.Argv[0] }) {
			continue
		}
		other, ok := u.fillIn(e, r.Name, s.Argv, s.If)
		if !ok {
			continue
		}
		c := &Conflict{Of: "role " + r.Name, Why: "more than one ecosystem lies here", plays: []Play{*pl, *other}}
		for i := range c.plays {
			c.Candidates = append(c.Candidates, strings.Join(c.plays[i].Argv, " "))
		}
		return c
	}
	return nil
}
