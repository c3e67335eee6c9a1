package project

import (
	"slices"
	"strings"
)

// Play is how a role is played, or what a task is: the words to run and where.
type Play struct {
	Role     string     `json:"role,omitempty"`
	Runner   string     `json:"runner"`
	Name     string     `json:"task,omitempty"` // of the task; of a standard command the role's
	Argv     []string   `json:"argv"`
	Dir      string     `json:"dir"` // from the root
	Manager  string     `json:"manager,omitempty"`
	Evidence []Evidence `json:"evidence"`
	Params   []Param    `json:"-"`
	Task     bool       `json:"-"` // it is a task of the project's own
	Body     string     `json:"-"`
	Note     string     `json:"note,omitempty"`
	Phrase   string     `json:"-"` // by which it was, or can be, asked for

	given string // the parameter that words gave a value
	// Local is the same command as it would be given in the package that it is for,
	// nil where it is given as it stands: what it runs is read from there.
	Local *Play `json:"-"`

	eco string
}

// Conflict is a question to which a project gives two answers.
type Conflict struct {
	Of         string   `json:"of"` // "manager javascript", "runner", "role test"
	Candidates []string `json:"candidates"`
	Why        string   `json:"why"`
	plays      []Play
}

// lack is why a role is not played.
type lack struct {
	conflict *Conflict
	looked   []string
}

// runnersFirst are the runners of tasks that come before package.json, in order.
var runnersFirst = []string{"make", "just", "task", "mise", "mage", "composer", "poe", "taskipy", "pdm", "hatch", "rye", "pixi", "pipenv", "deno", "cargo", "mix", "nx"}

// nameless are runners whose tasks have bodies that are not read.
var nameless = []string{"mage", "rake", "nx", "script"}

// own is the task of the unit's runners that plays a role: of those before
// package.json, or of package.json. Two with different bodies are a conflict.
func (u *unit) own(r *Role, scripts bool) (*Play, *Conflict) {
	all := u.all()
	runners := runnersFirst
	if scripts {
		runners = []string{"npm"}
	}
	var best []*Task
	for _, runner := range runners {
		if slices.Contains(r.Skip, runner) || !u.runs[runner] {
			continue
		}
		if t := u.bestOf(r, runner, all); t != nil {
			best = append(best, t)
		}
	}
	if len(best) > 1 {
		best = u.outermost(best)
	}
	if want := u.prefer["runner"]; want != "" && len(best) > 1 {
		if i := slices.IndexFunc(best, func(t *Task) bool { return t.Runner == want }); i >= 0 {
			best = best[i : i+1]
		}
	}
	switch len(best) {
	case 0:
		return nil, nil
	case 1:
		p := u.playTask(best[0])
		p.Role = r.Name
		return p, nil
	}
	c := &Conflict{Of: "role " + r.Name, Why: "two runners of tasks have one, and they do different things"}
	for _, t := range best {
		p := u.playTask(t)
		c.Candidates, c.plays = append(c.Candidates, strings.Join(p.Argv, " ")), append(c.plays, *p)
	}
	return nil, c
}

// ofRunner is the task of one runner that plays a role, nil for none.
func (u *unit) ofRunner(r *Role, runner string) *Play {
	all := u.all()
	if !u.runs[runner] || slices.Contains(r.Skip, runner) {
		return nil
	}
	t := u.bestOf(r, runner, all)
	if t == nil {
		return nil
	}
	p := u.playTask(t)
	p.Role = r.Name
	return p
}

// playTask is a task as it is run.
func (u *unit) playTask(t *Task) *Play {
	p := &Play{
		Runner: t.Runner, Name: t.Name, Argv: t.Argv, Dir: t.Dir, Params: t.Params, Task: true, Body: t.Body,
		Evidence: []Evidence{{t.File, t.Line, t.Runner + " " + t.Name}},
	}
	if t.Runner == "nx" {
		p.Dir = "."
	}
	if t.First && (t.Name == "all" || t.Name == "default") && t.Runner == "make" {
		p.Argv = []string{"make"}
	}
	name := ""
	switch t.Runner {
	case "npm":
		name = "javascript"
	case "poe", "pdm", "hatch", "tox", "taskipy", "pixi", "pipenv", "rye", "script":
		name = "python"
	}
	if e := u.eco(name); e != nil {
		p.Manager, p.eco = e.Manager, e.Name
		p.Evidence = append(p.Evidence, e.Evidence...)
		p.Evidence[0].Why = t.Name
		if t.Runner == "npm" {
			p.Runner = orElse(e.Manager, "npm")
		}
	} else {
		p.Manager = t.Runner
	}
	return p
}

// bestOf is the task of one runner that plays a role best.
func (u *unit) bestOf(r *Role, runner string, all []Task) *Task {
	var best *Task
	least := 1 << 30
	for _, t := range u.mayPlay(r, runner, all) {
		if t.Runner != runner || t.Private {
			continue
		}
		if tier := u.tier(r, t); tier >= 0 && tier < least {
			best, least = t, tier
		}
	}
	if best == nil && r.Hidden && len(all) <= fewTasks {
		return u.hidden(r, runner, all)
	}
	return best
}

// fewTasks is up to how many tasks each is looked at for each role; of more only
// those that are called after it.
const fewTasks = 300

// mayPlay are the tasks that are looked at for a role.
func (u *unit) mayPlay(r *Role, runner string, all []Task) []*Task {
	var out []*Task
	if len(all) <= fewTasks {
		for i := range all {
			out = append(out, &all[i])
		}
		return out
	}
	if u.byCanon == nil {
		u.byCanon = map[string][]*Task{}
		for i := range all {
			key := all[i].Runner + " " + strings.ReplaceAll(all[i].canon, "-", "")
			u.byCanon[key] = append(u.byCanon[key], &all[i])
		}
	}
	for _, list := range [...][]string{r.Names, r.Also} {
		for _, name := range list {
			out = append(out, u.byCanon[runner+" "+strings.ReplaceAll(name, "-", "")]...)
		}
	}
	return out
}

// hidden is the only task of a runner whose body is one command that plays the role,
// and that is called after no role.
func (u *unit) hidden(r *Role, runner string, all []Task) *Task {
	var found *Task
	for i := range all {
		t := &all[i]
		if t.Runner != runner || t.Private || len(t.Needs) > 0 || u.isNamed(t.canon) {
			continue
		}
		list := commands(t.Body)
		if len(list) != 1 || !anyMark(list, r.Body) || anyMark(list, r.NotIn) || len(r.Must) > 0 && !anyMark(list, r.Must) || u.lost(t) {
			continue
		}
		if found != nil {
			return nil
		}
		found = t
	}
	return found
}

// isNamed reports whether a task of that name is called after a role.
func (u *unit) isNamed(name string) bool {
	return slices.ContainsFunc(u.roles.Roles, func(o Role) bool { return slices.Contains(o.Names, name) || slices.Contains(o.Also, name) })
}

// tier says how well a task plays a role, 0 best; -1: it does not.
func (u *unit) tier(r *Role, t *Task) int {
	name := t.canon
	at, also := indexName(r.Names, name), indexName(r.Also, name)
	if at < 0 && (also < 0 || t.Runner == "script" && name != r.Name) {
		return -1
	}
	body := u.deep(t)
	list := commands(body)
	known := !slices.Contains(nameless, t.Runner)
	if known && (len(list) == 0 && len(t.Needs) == 0 || len(list) > 0 && idle(list)) || u.lost(t) {
		return -1
	}
	for _, p := range t.Params {
		if p.Required && p.Default == "" {
			return -1
		}
	}
	writes := anyMark(list, []string{"-w", "--write", "--fix", "-w=true"})
	if len(r.Must) > 0 && (!anyMark(list, r.Must) || writes) {
		return -1
	}
	for _, q := range r.Requires {
		words := strings.Fields(q)
		for k := range list {
			if list[k].hasMark(words[0], false) && !anyMark(list[k:k+1], words[1:]) {
				return -1
			}
		}
	}
	proof := r.Body
	if len(r.AlsoBody) > 0 {
		proof = r.AlsoBody
	}
	switch {
	case r.ServeBody && !serves(list, r.Body, r.Never):
		return -1
	case !r.ServeBody && len(r.Never) > 0 && anyMark(list, r.Never) && !(writes && r.Name == "format"):
		return -1
	case at >= 0 && r.Prove && known && !anyMark(list, r.Body):
		return -1
	case at >= 0:
		return at
	case t.Runner == "script" && name == r.Name, r.Name == "build" && u.gathers(t):
		return 1000 + also
	case !r.ServeBody && !anyMark(list, proof):
		return -1
	}
	return 1000 + also
}

// gathers reports whether a target is what make makes when nothing is named, and
// does nothing but need what is made.
func (u *unit) gathers(t *Task) bool {
	return t.Runner == "make" && t.First && strings.TrimSpace(t.Body) == "" && len(t.Needs) > 0 && !slices.ContainsFunc(t.Needs, func(n string) bool {
		need := u.task("make", n)
		return need != nil && !strings.ContainsAny(n, "./") && u.isNamed(need.canon)
	})
}

// indexName is the place of a name in a list; "testcov" is "test-cov" too.
func indexName(list []string, name string) int {
	if i := slices.Index(list, name); i >= 0 {
		return i
	}
	if strings.Contains(name, "-") {
		return -1
	}
	return slices.IndexFunc(list, func(n string) bool {
		return len(n) > len(name) && len(n) <= len(name)+3 && n[0] == name[0] && strings.ReplaceAll(n, "-", "") == name
	})
}

// canonical is a task's name in small letters, its parts joined by "-".
func canonical(name string) string {
	return strings.Join(nameParts(name), "-")
}

// nameParts splits a name at signs and where a small letter meets a capital.
func nameParts(name string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	lower := false
	for _, r := range name {
		switch {
		case r == ':' || r == '-' || r == '_' || r == '.' || r == '/' || r == '@' || r == '+':
			flush()
			lower = false
			continue
		case r >= 'A' && r <= 'Z' && lower:
			flush()
		}
		lower = r >= 'a' && r <= 'z'
		b.WriteRune(r)
	}
	flush()
	return out
}

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
	var visit func(t *Task, depth int)
	visit = func(t *Task, depth int) {
		if seen[t.Runner+" "+t.Name] || b.Len() > 64<<10 || depth > 6 {
			return
		}
		seen[t.Runner+" "+t.Name] = true
		b.WriteString(t.Body + "\n")
		for _, n := range t.Needs {
			if of := u.task(t.Runner, n); of != nil {
				visit(of, depth+1)
			}
		}
		if strings.HasPrefix(t.Body, "#!") {
			return
		}
		for _, c := range commands(t.Body) {
			for _, n := range u.called(&c) {
				visit(n, depth+1)
			}
			if u.workspace != nil && b.Len() < 32<<10 {
				b.WriteString(u.workspace(&c))
			}
		}
	}
	visit(t, 0)
	u.bodies[t] = b.String()
	return u.bodies[t]
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

// lost reports whether a task calls a runner that is configured nowhere here, or a
// script that is not there.
func (u *unit) lost(t *Task) bool {
	for _, c := range commands(t.Body) {
		if len(c.in) > 0 || len(c.words) == 0 {
			continue
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

// runsTask reports whether the body of one task calls another one.
func (u *unit) runsTask(from, to *Task) bool {
	return slices.ContainsFunc(commands(u.deep(from)), func(c command) bool {
		return slices.Contains(u.called(&c), to)
	})
}

// standard is the command by which the unit's ecosystems play a role.
func (u *unit) standard(r *Role) (*Play, *Conflict) {
	u.load()
	for stage := range 3 { // early, in between, late
		late := stage == 2
		var plays []Play
		for i := range r.Standard {
			s := &r.Standard[i]
			e := u.eco(s.Eco)
			if s.Eco == "any" && late {
				e = &Ecosystem{Name: "any", Dir: u.rdir(), fill: map[string][]string{}}
			}
			if e == nil || u.stage(e.Name) != stage || len(e.rivals) == 0 && !u.holdsAll(s.If) || slices.ContainsFunc(plays, func(p Play) bool { return group(p.eco) == group(e.Name) }) {
				continue
			}
			if len(e.rivals) > 0 {
				return nil, managers(e)
			}
			if p, ok := u.fillIn(e, r.Name, s.Argv, s.If); ok {
				plays = append(plays, *p)
			}
		}
		if late && len(plays) > 1 {
			plays = plays[:1]
		}
		switch {
		case len(plays) == 1:
			return &plays[0], nil
		case len(plays) > 1:
			c := &Conflict{Of: "role " + r.Name, Why: "more than one ecosystem lies here", plays: plays}
			for _, p := range plays {
				c.Candidates = append(c.Candidates, strings.Join(p.Argv, " "))
			}
			return nil, c
		}
	}
	return nil, nil
}

// group is the ecosystem that stands for several.
func group(name string) string {
	switch name {
	case "rails":
		return "ruby"
	case "flutter":
		return "dart"
	}
	return name
}

// stage is when an ecosystem's commands are asked for: 0 before others, 2 after them.
func (u *unit) stage(name string) int {
	if name == "any" {
		return 2
	}
	for i := range u.roles.Ecosystems {
		switch e := &u.roles.Ecosystems[i]; {
		case e.Name != name:
		case e.Early:
			return 0
		case e.Late:
			return 2
		}
	}
	return 1
}

func (u *unit) isLate(name string) bool { return u.stage(name) != 1 }

// fillIn puts what {name} stands for into a command; false if something has no value.
func (u *unit) fillIn(e *Ecosystem, role string, argv, conds []string) (*Play, bool) {
	p := &Play{Role: role, Name: role, Dir: u.rdir(), Manager: e.Manager, Evidence: slices.Clone(e.Evidence), eco: e.Name}
	for _, w := range argv {
		name, ok := strings.CutPrefix(w, "{")
		if !ok {
			p.Argv = append(p.Argv, w)
			continue
		}
		words, known := e.fill[strings.TrimSuffix(name, "}")]
		if !known {
			return nil, false
		}
		p.Argv = append(p.Argv, words...)
	}
	for _, c := range conds {
		kind, list, _ := strings.Cut(c, ":")
		if kind == "file" {
			if name := u.first(strings.Split(list, "|")...); name != "" {
				p.Evidence = append(p.Evidence, u.why(name, "", name+" is there"))
			}
		}
	}
	if len(p.Argv) == 0 || p.Argv[0] == "" {
		return nil, false
	}
	p.Runner = p.Argv[0]
	if strings.Contains(p.Runner, "/") {
		p.Runner = e.Name
	}
	return p, true
}
