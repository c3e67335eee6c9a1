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

var runnersFirst = []string{"make", "just", "task", "mise", "mage", "composer", "poe", "taskipy", "pdm", "hatch", "rye", "pixi", "pipenv", "deno", "cargo", "mix", "nx", "zig"}

// ownRunners are those that come after package.json, and before the commands of
// ecosystems.
var ownRunners = []string{"script", "rake", "thor", "turbo", "moon"}

// nameless are runners whose tasks have bodies that are not read.

var nameless = []string{"mage", "rake", "nx", "script", "zig", "thor"}

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
		if c := u.part(r, best[0]); c != nil {
			return nil, c
		}
		p := u.playTask(best[0])
		p.Role = r.Name
		return p, nil
	}
	return nil, u.disagree(r, "two runners of tasks have one, and they do different things", best)
}

// disagree is the conflict of tasks that play the same role.
func (u *unit) disagree(r *Role, why string, best []*Task) *Conflict {
	c := &Conflict{Of: "role " + r.Name, Why: why}
	for _, t := range best {
		p := u.playTask(t)
		c.Candidates, c.plays = append(c.Candidates, strings.Join(p.Argv, " ")), append(c.plays, *p)
	}
	return c
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
	if t.Runner == "nx" || t.Runner == "moon" {
		p.Dir = "." // the words name the project
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
	if t.Runner == "script" && r.Name == "install" && strings.HasSuffix(t.File, ".sh") {
		return -1 // it installs the program
	}
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
	case !r.ServeBody && len(r.Never) > 0 && anyMark(list, r.Never) && !(writes && r.Name == "format") && !(r.Each && anyWithout(list, r.Body, r.Never)):
		return -1
	case at >= 0 && r.Prove && known && !anyMark(list, r.Body):
		return -1
	case at >= 0:
		return at
	case r.Name == "build" && t.Runner == "make" && t.First && (anyMark(list, proof) || u.gathers(t)):
		return 999 // what make makes when nothing is named, before other targets that gather
	case t.Runner == "script" && name == r.Name && (!r.Prove || len(list) == 0), r.Name == "build" && u.gathers(t):
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

// task is the task of a runner by its name, or nil.

// called are the tasks of the unit that a command of a body runs.

// lost reports whether a task calls a runner that is configured nowhere here, or a

// script that is not there.

// outermost leaves out tasks that another one runs, and those that do the same.

// runsTask reports whether the body of one task calls another one.

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
		// What a script does is what the command does.
		if script, ok := strings.CutPrefix(c, "fact:script-"); ok && e.Name == "javascript" {
			p.Evidence = append(p.Evidence, u.why("package.json", `"`+script+`"`, script))
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
