package project

import (
	"slices"
	"strings"
)

// deep is the body of a task with those of the tasks that it runs.
func (u *unit) deep(t *Task) string {
	if u.bodies == nil {
		u.bodies = map[*Task]string{}
	}
	if s, ok := u.bodies[t]; ok {
		return s
	}
	var b strings.Builder
	seen := map[string]bool{}
	var visit func(t *Task, more string, depth int)
	visit = func(t *Task, more string, depth int) {
		if seen[t.Runner+" "+t.Name] || b.Len() > 64<<10 || depth > 6 {
			return
		}
		seen[t.Runner+" "+t.Name] = true
		b.WriteString(strings.TrimRight(t.Body, "\n") + more + "\n")
		for _, n := range t.Needs {
			if of := u.task(t.Runner, n); of != nil {
				visit(of, "", depth+1)
			}
		}
		if strings.HasPrefix(t.Body, "#!") {
			return
		}
		for _, c := range commands(t.Body) {
			for _, n := range u.called(&c) {
				visit(n, c.more(n), depth+1)
			}
			if u.workspace != nil && b.Len() < 32<<10 {
				b.WriteString(u.workspace(&c))
			}
		}
	}
	visit(t, "", 0)
	u.bodies[t] = b.String()
	return u.bodies[t]
}

// more is what a command of a body hands to the script that it runs.
func (c *command) more(t *Task) string {
	if t.Runner != "npm" || !slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, c.words[0]) {
		return ""
	}
	out := ""
	if at := slices.Index(c.words, t.Name); at >= 0 {
		for _, w := range c.words[at+1:] {
			if w != "--" {
				out += " " + w
			}
		}
	}
	return out
}

// task is the task of a runner by its name, or nil.
func (u *unit) task(runner, name string) *Task {
	if u.index == nil {
		u.index = map[string]*Task{}
		for i := range u.tasks {
			key := u.tasks[i].Runner + " " + u.tasks[i].Name
			if u.index[key] == nil {
				u.index[key] = &u.tasks[i]
			}
		}
	}
	return u.index[runner+" "+name]
}

// called are the tasks of the unit that a command of a body runs.
func (u *unit) called(c *command) []*Task {
	if len(c.in) > 0 {
		return nil
	}
	var out []*Task
	take := func(runner string, names ...string) {
		for _, n := range names {
			if rest, ok := strings.CutPrefix(n, "npm:"); ok {
				n = rest
			}
			if t := u.task(runner, n); t != nil {
				out = append(out, t)
			} else if prefix, ok := strings.CutSuffix(n, "*"); ok && prefix != "" {
				for i := range u.tasks {
					if strings.HasPrefix(u.tasks[i].Name, prefix) && u.tasks[i].Runner == runner {
						out = append(out, &u.tasks[i])
					}
				}
			}
		}
	}
	if c.by != "" {
		take(c.by, c.words[0])
	}
	switch w := c.plain; {
	case len(w) < 2:
	case w[0] == "npm" || w[0] == "pnpm" || w[0] == "yarn" || w[0] == "bun":
		if slices.ContainsFunc(c.words, func(s string) bool {
			return s == "-w" || s == "-F" || s == "-r" || s == "--recursive" || strings.HasPrefix(s, "--workspace") || strings.HasPrefix(s, "--filter") || s == "workspace" || s == "workspaces" || s == "-C" || s == "--prefix" || s == "--cwd"
		}) {
			break
		}
		if w[1] == "run" || w[1] == "run-script" {
			if len(w) > 2 {
				take("npm", w[2])
			}
		} else {
			take("npm", w[1])
		}
	case w[0] == "run-s" || w[0] == "run-p" || w[0] == "npm-run-all" || w[0] == "npm-run-all2" || w[0] == "concurrently" || w[0] == "wireit":
		take("npm", w[1:]...)
	case w[0] == "make" || w[0] == "just" || w[0] == "task" || w[0] == "mage":
		take(w[0], w[1:]...)
	case (w[0] == "mise" || w[0] == "composer" || w[0] == "deno") && len(w) > 2 && (w[1] == "run" || w[1] == "task"):
		take(w[0], w[2])
	case w[0] == "poe" || w[0] == "mix":
		take(w[0], w[1])
	}
	return out
}

// runRunners are runners of Python whose scripts are called by "run".
var runRunners = []string{"rye", "pdm", "hatch", "pipenv", "pixi"}

// lost reports whether a task calls a runner that is configured nowhere here, or a
// script that is not there.
func (u *unit) lost(t *Task) bool {
	for _, c := range commands(t.Body) {
		if len(c.in) > 0 || len(c.words) == 0 {
			continue
		}
		if t.Runner == "turbo" && (u.splits(t.Name) || u.workspace != nil && u.workspace(&c) == "") {
			return true // no package has a script of that name, or scripts divide it
		}
		for i := range u.roles.Lost {
			if l := &u.roles.Lost[i]; l.Name == c.words[0] && !slices.ContainsFunc(l.Words, u.holds) {
				return true
			}
		}
		if w := c.words; u.pkg != nil && len(w) == 3 && w[0] == "npm" && (w[1] == "run" || w[1] == "run-script") && w[2][0] != '-' && u.task("npm", w[2]) == nil && !strings.ContainsAny(w[2], "$*{") {
			return true
		}
	}
	return false
}

// splits reports whether scripts of package.json each do a part of what has a name:
// "dev:web" of "dev".
func (u *unit) splits(name string) bool {
	return slices.ContainsFunc(u.tasks, func(t Task) bool { return t.Runner == "npm" && len(t.parts) > 1 && t.parts[0] == name })
}

// outermost leaves out tasks that another one runs, and those that do the same.
func (u *unit) outermost(list []*Task) []*Task {
	var out []*Task
	for i, t := range list {
		inner := slices.ContainsFunc(list, func(o *Task) bool { return o != t && u.runsTask(o, t) && !u.runsTask(t, o) })
		same := slices.ContainsFunc(list[:i], func(o *Task) bool { return sameBody(o, t) })
		if !inner && !same {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return list[:1]
	}
	return out
}

func sameBody(a, b *Task) bool {
	x, y := strings.Join(strings.Fields(a.Body), " "), strings.Join(strings.Fields(b.Body), " ")
	return x == y && x != ""
}

func (u *unit) runsTask(from, to *Task) bool {
	return slices.ContainsFunc(commands(u.deep(from)), func(c command) bool {
		return slices.Contains(u.called(&c), to)
	})
}
