package project

import (
	"path/filepath"
	"slices"
	"strings"
)

// Project is what was found out about a directory. It reads a file when it is
// first asked about something, and keeps it; it is of one goroutine.
type Project struct {
	Place
	*look
	roles *Roles
	root  *unit
	pkg   *unit // the root's unit where the package is the root

	units  map[string]*unit // by directory
	index  []Member
	asked  map[string][]Member // packages by the words for them
	built  bool
	within bool // scripts of members are being read

	// Recall gives the packages of the workspace as they were kept, if all that they
	// were read from is as it was; Keep keeps them. nil: they are read each time.
	Recall func() ([]Member, bool)
	Keep   func(list []Member, seen []Seen)
}

// Settings are a person's preferences for a project: "manager.javascript",
// "runner", "role.test".
type Settings map[string]string

// Open finds the project of a directory; false if there is none.
func Open(files Files, dir string, who Who, roles *Roles, prefer Settings) (*Project, bool) {
	at, ok := Find(files, dir, who)
	if !ok {
		return nil, false
	}
	l := newLook(files, at.Root, who.UID)
	l.roles, l.prefer = roles, prefer
	p := &Project{Place: at, look: l, roles: roles, units: map[string]*unit{}, asked: map[string][]Member{}}
	l.workspace = p.memberBodies
	p.root = p.unit(at.Root)
	p.pkg = p.unit(at.Package)
	return p, true
}

// unit is a directory of the project.
func (p *Project) unit(dir string) *unit {
	u := p.units[dir]
	if u == nil {
		u = &unit{look: p.look, dir: dir}
		p.units[dir] = u
	}
	return u
}

// role says how a role is played where the project was opened: by the package's
// own task, the root runner's, the root's package.json, the standard command of
// the package's ecosystem or of the root's.
func (p *Project) role(r *Role) (*Play, *lack) {
	if want := p.prefer["role."+r.Name]; want != "" {
		if pl := p.named(want); pl != nil {
			pl.Role = r.Name
			return pl, nil
		}
	}
	l := &lack{}
	units := []*unit{p.root}
	if p.pkg != p.root {
		units = []*unit{p.pkg, p.root}
	}
	for _, u := range units {
		for _, scripts := range [...]bool{false, true} {
			if pl, c := u.own(r, scripts); c != nil {
				return nil, &lack{conflict: c}
			} else if pl != nil {
				if c := p.overlooked(u, r, pl); c != nil {
					return nil, &lack{conflict: c}
				}
				return p.checked(u, pl)
			}
		}
	}
	if r.Append != nil {
		if pl := p.appended(units, r); pl != nil {
			return p.checked(units[0], pl)
		}
	}
	for _, runner := range ownRunners {
		for _, u := range units {
			if pl := u.ofRunner(r, runner); pl != nil {
				return pl, nil
			}
		}
	}
	for _, u := range units {
		if pl, c := u.standard(r); c != nil {
			return nil, &lack{conflict: c}
		} else if pl != nil {
			return p.checked(u, pl)
		}
	}
	for _, u := range units {
		if pl := u.ofRunner(r, "tox"); pl != nil && r.Name != "test" {
			return p.checked(u, pl)
		}
	}
	if r.Fallback != "" {
		if of := p.roles.Role(r.Fallback); of != nil && of.Fallback == "" {
			if pl, more := p.role(of); pl != nil || more.conflict != nil {
				return pl, more
			}
		}
	}
	l.looked = p.lookedFor(r, units)
	return nil, l
}

// in says how a role is played in one directory alone.
func (p *Project) in(u *unit, r *Role) (*Play, *lack) {
	for _, scripts := range [...]bool{false, true} {
		if pl, c := u.own(r, scripts); c != nil {
			return nil, &lack{conflict: c}
		} else if pl != nil {
			return p.checked(u, pl)
		}
	}
	if r.Append != nil {
		if pl := p.appended([]*unit{u}, r); pl != nil {
			return p.checked(u, pl)
		}
	}
	for _, runner := range ownRunners {
		if pl := u.ofRunner(r, runner); pl != nil {
			return pl, nil
		}
	}
	if pl, c := u.standard(r); c != nil {
		return nil, &lack{conflict: c}
	} else if pl != nil {
		return p.checked(u, pl)
	}
	if r.Fallback != "" {
		if of := p.roles.Role(r.Fallback); of != nil && of.Fallback == "" {
			return p.in(u, of)
		}
	}
	return nil, &lack{looked: p.lookedFor(r, []*unit{u})}
}

// checked refuses what managers that contradict each other would run.
func (p *Project) checked(u *unit, pl *Play) (*Play, *lack) {
	e := u.eco(pl.eco)
	if e == nil || len(e.rivals) == 0 || !slices.Contains(pl.Argv, e.Manager) && pl.Runner != "npm" && pl.Manager != "" {
		return pl, nil
	}
	return nil, &lack{conflict: managers(e)}
}

func managers(e *Ecosystem) *Conflict {
	c := &Conflict{Of: "manager " + e.Name, Candidates: e.rivals, Why: "their files contradict each other"}
	var why []string
	for _, v := range e.Evidence {
		why = append(why, v.Why)
	}
	c.Why += ": " + strings.Join(why, ", ")
	return c
}

// appended plays a role by the task of another one with more words.
func (p *Project) appended(units []*unit, r *Role) *Play {
	of := p.roles.Role(r.Append.Role)
	if of == nil {
		return nil
	}
	for _, u := range units {
		pl, c := u.own(of, true)
		if c != nil || pl == nil {
			continue
		}
		list := commands(pl.Body)
		if len(list) != 1 || !slices.ContainsFunc(r.Append.Body, func(m string) bool { return list[0].hasMark(m, true) }) || slices.Contains(list[0].words, "run") {
			return nil
		}
		pl.Argv = withArgs(pl, r.Append.Args)
		pl.Role = r.Name
		return pl
	}
	return nil
}

// withArgs are the words of a script with more for what it runs.
func withArgs(p *Play, args []string) []string {
	out := slices.Clone(p.Argv)
	if p.Argv[0] == "npm" {
		out = append(out, "--")
	}
	return append(out, args...)
}

// named is the task that "runner:task" names in the root or the package.
func (p *Project) named(text string) *Play {
	runner, name, ok := strings.Cut(text, ":")
	if !ok {
		runner, name, ok = strings.Cut(text, " ")
	}
	if !ok {
		return nil
	}
	for _, u := range []*unit{p.pkg, p.root} {
		u.all()
		for _, r := range [...]string{runner, "npm"} {
			if t := u.task(r, name); t != nil && (r == runner || u.pkg != nil && slices.Contains([]string{"pnpm", "yarn", "bun"}, runner)) {
				return u.playTask(t)
			}
		}
	}
	return nil
}

// lookedFor says what would have played a role.
func (p *Project) lookedFor(r *Role, units []*unit) []string {
	var out []string
	names := r.Names
	if len(names) == 0 {
		names = r.Also
	}
	var runners []string
	for _, u := range units {
		u.all()
		for _, run := range append(slices.Clone(runnersFirst), "npm") {
			if u.runs[run] && !slices.Contains(runners, run) {
				runners = append(runners, run)
			}
		}
	}
	for _, run := range runners {
		if len(names) > 0 && !slices.Contains(r.Skip, run) {
			what := "a task of " + run
			if run == "npm" {
				what = "a script of package.json"
			}
			out = append(out, what+" named "+strings.Join(names[:min(len(names), 4)], ", "))
		}
	}
	for i := range r.Standard {
		s := &r.Standard[i]
		for _, u := range units {
			if u.eco(s.Eco) == nil {
				continue
			}
			if missing := u.missing(s.If); missing != "" && len(out) < 12 {
				out = append(out, missing+" for "+strings.Join(s.Argv, " "))
			}
		}
	}
	if len(out) == 0 {
		out = append(out, "a task runner or an ecosystem that has a command for it")
	}
	return slices.Compact(out)
}

// missing says in words which condition does not hold.
func (u *unit) missing(conds []string) string {
	for _, c := range conds {
		if u.holds(c) || strings.HasPrefix(c, "!") {
			continue
		}
		kind, what, _ := strings.Cut(c, ":")
		what = strings.ReplaceAll(what, "|", " or ")
		switch kind {
		case "file", "glob":
			return what
		case "dir":
			return "the directory " + what
		case "dep":
			return "the dependency " + what
		}
	}
	return ""
}

// Profile is what can be done in a project, as JSON shows it.
type Profile struct {
	V          int             `json:"v"`
	Root       string          `json:"root"`
	Package    string          `json:"package"` // from the root
	Ecosystems []*Ecosystem    `json:"ecosystems"`
	Roles      map[string]Play `json:"roles"`
	Tasks      []Task          `json:"tasks"`
	Packages   []Member        `json:"packages"`
	Conflicts  []Conflict      `json:"conflicts"`
	Unread     []Unread        `json:"unread"`
	Foreign    bool            `json:"foreign,omitempty"`
}

// Order are the roles that are played, in the order of roles.json.
func (p *Project) Order() []string {
	var out []string
	for i := range p.roles.Roles {
		out = append(out, p.roles.Roles[i].Name)
	}
	return out
}

// Title is what a role is in words.
func (p *Project) Title(role string) string {
	if r := p.roles.Role(role); r != nil {
		return r.Title
	}
	return ""
}

// Summary is the profile without the tasks of other packages than the root and the
// one where the project was opened.
func (p *Project) Summary() Profile { return p.profile(false) }

// Whole is the profile with the tasks of every package.
func (p *Project) Whole() Profile { return p.profile(true) }

func (p *Project) profile(whole bool) Profile {
	out := Profile{
		V: 1, Root: p.Root, Package: p.rel(p.Package), Ecosystems: []*Ecosystem{}, Roles: map[string]Play{}, Tasks: []Task{},
		Packages: []Member{}, Conflicts: []Conflict{}, Unread: []Unread{}, Foreign: p.Foreign,
	}
	units := []*unit{p.root}
	if p.pkg != p.root {
		units = append(units, p.pkg)
	}
	if whole {
		out.Packages = append(out.Packages, p.Members()...)
		for _, m := range out.Packages {
			if u := p.unit(m.dir); u != p.root && u != p.pkg {
				units = append(units, u)
			}
		}
	}
	for _, u := range units {
		u.load()
		for _, e := range u.ecos {
			if e.Name == "makefile" || e.Name == "justfile" || e.Name == "taskfile" || e.Name == "misefile" {
				continue
			}
			out.Ecosystems = append(out.Ecosystems, e)
			if len(e.rivals) > 0 && (u == p.root || u == p.pkg) {
				out.Conflicts = append(out.Conflicts, *managers(e))
			}
		}
		for _, t := range u.all() {
			if !t.Private {
				out.Tasks = append(out.Tasks, t)
			}
		}
	}
	for i := range p.roles.Roles {
		r := &p.roles.Roles[i]
		pl, l := p.role(r)
		switch {
		case pl != nil && pl.Role == r.Name:
			out.Roles[r.Name] = *pl
		case l != nil && l.conflict != nil && !slices.ContainsFunc(out.Conflicts, func(c Conflict) bool { return c.Of == l.conflict.Of }):
			out.Conflicts = append(out.Conflicts, *l.conflict)
		}
	}
	out.Unread = append(out.Unread, p.unread...)
	return out
}

// Named is the task of a runner, or the standard command of a role by its program;
// dir, from the root, is another place than where the project was opened. nil: there
// is none.
func (p *Project) Named(runner, name, dir string) *Play {
	units := p.here()
	if dir != "" {
		if !filepath.IsLocal(dir) {
			return nil
		}
		units = []*unit{p.unit(filepath.Join(p.Root, dir))}
	}
	for _, u := range units {
		for i := range u.all() {
			t := &u.tasks[i]
			if t.Name != name {
				continue
			}
			if pl := u.playTask(t); pl.Runner == runner {
				if ok, _ := p.checked(u, pl); ok != nil {
					return pl
				}
			}
		}
	}
	if r := p.roles.Role(name); r != nil {
		for _, u := range units {
			if pl, _ := u.standard(r); pl != nil && pl.Runner == runner {
				if ok, _ := p.checked(u, pl); ok != nil {
					return pl
				}
			}
		}
	}
	return nil
}

// Play is a task of the profile as it is run.
func (p *Project) Play(t *Task) *Play { return p.unit(filepath.Join(p.Root, t.Dir)).playTask(t) }

// Phrase is a way to ask for something that is answered here.
type Phrase struct{ Words, Line string }

// maxPhrases bounds the phrases that are listed.
const maxPhrases = 60

// Phrases are the roles that are played here by their titles, then the tasks that
// play none by the words of their names.
func (p *Project) Phrases() []Phrase {
	var out []Phrase
	var lines []string
	add := func(words string, pl *Play) {
		line := strings.Join(pl.Argv, " ")
		if slices.Contains(lines, line) || len(out) >= maxPhrases {
			return
		}
		lines = append(lines, line)
		out = append(out, Phrase{words, plain(line)})
	}
	for i := range p.roles.Roles {
		r := &p.roles.Roles[i]
		if pl, _ := p.role(r); pl != nil && pl.Role == r.Name {
			add(r.Title, pl)
		}
	}
	for _, u := range p.here() {
		for _, t := range u.callable() {
			if !t.Private && len(t.Params) == 0 && len(out) < maxPhrases {
				add(strings.Join(nameParts(t.Name), " "), u.playTask(t))
			}
		}
	}
	return out
}
