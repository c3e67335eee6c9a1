package project

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// Reasons why words are not answered; the values are those of the JSON.
const (
	NotMapped     = "not_mapped"
	Ambiguous     = "ambiguous"
	NotApplicable = "not_applicable"
	InConflict    = "conflict"
	Missing       = "missing_parameter"
)

// Answer is what words mean in a project: one play, or why there is none.
type Answer struct {
	Play      *Play
	Reason    string // "" if there is a play
	Message   string
	LookedFor []string
	Near      []Play // what a person may have meant, the nearest first
	// Role is what was understood though it is not played, Object says that it was
	// asked of something that is not found.
	Role   string
	Object bool
	// Maps: an operation of a map may be what was meant.
	Maps bool
}

// Ask finds the one reading of words that applies here.
func (p *Project) Ask(text string) Answer {
	s := p.roles.hear(text)
	if len(s.parts) == 0 {
		return Answer{Reason: NotMapped, Message: "no words that say what is wanted", Maps: true}
	}
	if pl, ok := p.literal(s); ok {
		return p.answered(s, pl)
	}
	if a, ok := p.taskReadings(s, true); ok {
		return a
	}
	if pl := p.testNamed(s); pl != nil {
		return p.answered(s, pl)
	}
	all := p.roles.meant(s)
	var whole *lack
	var role *Role
	var ofPart *Answer // why a part does none of it
	for _, m := range all {
		if len(m.object) > 0 {
			continue
		}
		if part := p.partNamed(m.role, s); part != nil {
			// What lies in a package "app" is meant by "the app" only if it can be done there.
			if a, ok := p.objectReadings(s, []meant{{m.role, part}}); ok && a.Play != nil {
				return a
			} else if ok && (slices.Contains(parts, part[0]) || !s.article()) {
				if ofPart == nil {
					ofPart = &a
				}
				continue
			}
		}
		pl, l := p.role(m.role)
		switch {
		case pl != nil && !p.starts(pl, s):
			whole, role = &lack{looked: []string{"a task that starts the program that was named"}}, m.role
		case pl != nil:
			if pl = p.asSaid(s, pl); pl == nil {
				whole, role = &lack{looked: []string{"a task named " + m.role.Name + "-prod or " + m.role.Name + "-production"}}, m.role
				continue
			}
			return p.answered(s, pl)
		case l.conflict != nil:
			if pl := l.conflict.inEnvironment(s); pl != nil {
				return p.answered(s, pl)
			}
			return p.inConflict(l.conflict)
		case whole == nil:
			whole, role = l, m.role
		}
	}
	if ofPart != nil && whole == nil {
		if a, ok := p.objectReadings(s, all); ok && a.Play != nil {
			return a
		}
		return *ofPart
	}
	if a, ok := p.taskReadings(s, false); ok {
		return a
	}
	if a, ok := p.sideReading(s, whole, role); ok {
		return a
	}
	if a, ok := p.objectReadings(s, all); ok {
		return a
	}
	a := Answer{Reason: NotMapped, Message: "nothing here is called that or does that", Near: p.near(s), Maps: true}
	switch {
	case whole != nil:
		a.Reason, a.Role, a.LookedFor, a.Maps = NotApplicable, role.Name, whole.looked, role.Maps
		a.Message = "nothing here does this (" + role.Title + "); looked for " + strings.Join(whole.looked[:min(3, len(whole.looked))], "; ")
	case len(all) > 0:
		a.Role, a.Object = all[0].role.Name, true
		a.Message = "nothing here is called " + quote(strings.Join(all[0].object, " ")) + " that this could be asked of"
	}
	return a
}

// parts are words that mean the whole project unless a part of it has that name.
var parts = []string{"website", "site", "server", "api", "service", "bot", "backend", "worker", "web", "client"}

// partNamed is the last word of a request, or the first of two ("app tests"), if it is
// the name of a part.
func (p *Project) partNamed(r *Role, s said) []string {
	last := s.parts[len(s.parts)-1]
	if len(s.parts) < 2 {
		return nil
	}
	if len(r.Of) > 0 && slices.Contains(parts, last) || r.isWhole(last) && p.memberNamed(last) {
		return []string{last}
	}
	// A service "app" is what is shown, opened, or stopped; a start is of the project.
	if r.isWhole(last) && !slices.Contains(always, last) && !slices.Contains(pointers, last) && slices.ContainsFunc(r.Of, func(o Of) bool { return o.Set == "service" }) &&
		(r.Name != "start" && r.Name != "build") && slices.ContainsFunc(p.here(), func(u *unit) bool { return slices.Contains(u.services(), last) }) {
		return []string{last}
	}
	if first := s.parts[0]; len(s.parts) == 2 && r.isWhole(first) && p.memberNamed(first) {
		return []string{first}
	}
	return nil
}

// pointers mean the project whatever its packages are called.
var pointers = []string{"it", "package", "workspace", "repo", "repository", "source", "file", "module", "crate"}

// memberNamed reports whether a word that means the whole project elsewhere ("app",
// "cli", "library") is the name of one package among others here.
func (p *Project) memberNamed(word string) bool {
	if slices.Contains(always, word) || slices.Contains(pointers, word) {
		return false
	}
	return slices.ContainsFunc(p.packagesNamed([]string{word}), func(m Member) bool {
		return m.Kind != "folder" && m.dir != p.root.dir && m.dir != p.pkg.dir
	})
}

// asSaid is the play itself, unless production was asked for by name: then the task
// that is named so, and none if all there is serves development.
func (p *Project) asSaid(s said, pl *Play) *Play {
	isProd := func(w string) bool { return w == "prod" || w == "production" }
	if !slices.ContainsFunc(s.parts, isProd) {
		return pl
	}
	name := nameParts(filepath.Base(pl.Name))
	n := len(name) - 1
	if n >= 0 && isProd(name[n]) {
		return pl
	}
	if n > 0 && slices.Contains(environments, name[n]) {
		name = name[:n]
	}
	for _, u := range p.here() {
		for _, t := range u.callable() {
			if k := len(t.parts) - 1; pl.Task && k > 0 && isProd(t.parts[k]) && slices.Equal(t.parts[:k], name) {
				prod := u.playTask(t)
				prod.Role = pl.Role
				return prod
			}
		}
	}
	if dev := nameParts(pl.Argv[len(pl.Argv)-1]); slices.Contains(dev, "dev") || slices.Contains(dev, "development") {
		return nil
	}
	return pl
}

func quote(s string) string { return `"` + plain(s) + `"` }

// answered is the answer of a play, unless it lacks a value.
func (p *Project) answered(s said, pl *Play) Answer {
	for _, q := range pl.Params {
		if q.Required && q.Default == "" && !hasParam(pl, q) {
			return Answer{
				Reason: Missing, Near: []Play{*pl},
				Message: pl.Name + " needs a value for " + q.Name + ": say it at the end",
			}
		}
	}
	return Answer{Play: pl}
}

// hasParam reports whether the words of a play already hold a value for a parameter.
func hasParam(pl *Play, q Param) bool { return pl.given == q.Name }

func (p *Project) inConflict(c *Conflict) Answer {
	a := Answer{Reason: InConflict, Near: c.plays, LookedFor: c.Candidates}
	a.Message = c.Of + ": " + c.Why + ": " + strings.Join(c.Candidates, " or ")
	return a
}

// literal reads the name of a runner and a task of it: that command and no other.
func (p *Project) literal(s said) (*Play, bool) {
	words := s.raw
	for len(words) > 1 && (strings.EqualFold(words[0], "please") || strings.EqualFold(words[0], "run") || strings.EqualFold(words[0], "execute")) {
		words = words[1:]
	}
	if len(words) < 2 {
		return nil, false
	}
	if len(words) > 2 && words[0] == "npx" {
		words = words[1:]
	}
	runner, rest := words[0], words[1:]
	switch runner {
	case "nx", "turbo", "moon":
		pl := p.literalTarget(runner, rest)
		return pl, pl != nil
	case "npm", "pnpm", "yarn", "bun":
		if rest[0] == "run" || rest[0] == "run-script" {
			rest = rest[1:]
		}
		if len(rest) == 1 && (rest[0] == "install" || rest[0] == "i") {
			return p.literalInstall(runner)
		}
	case "mise", "composer", "deno", "poe", "pdm", "hatch":
		if len(rest) > 1 && (rest[0] == "run" || rest[0] == "task" || rest[0] == "run-script") {
			rest = rest[1:]
		}
	case "make", "just", "task", "mage", "tox":
	default:
		return nil, false
	}
	if len(rest) != 1 {
		return nil, false
	}
	for _, u := range p.here() {
		u.all()
		kind := runner
		if runner == "pnpm" || runner == "yarn" || runner == "bun" {
			kind = "npm"
		}
		t := u.task(kind, rest[0])
		if t == nil {
			continue
		}
		pl := u.playTask(t)
		if kind == "npm" {
			if pl.Manager != runner {
				pl.Note = "this project is managed by " + orElse(pl.Manager, "more than one manager")
			}
			pl.Argv = scriptArgv(runner, t.Name)
			pl.Runner = runner
		}
		return pl, true
	}
	return nil, false
}

func (p *Project) literalInstall(manager string) (*Play, bool) {
	for _, u := range p.here() {
		if e := u.eco("javascript"); e != nil {
			pl := &Play{Role: "install", Runner: manager, Name: "install", Argv: []string{manager, "install"}, Dir: u.rdir(), Manager: e.Manager, Evidence: e.Evidence, eco: e.Name}
			if e.Manager != manager {
				pl.Note = "this project is managed by " + orElse(e.Manager, "more than one manager")
			}
			return pl, true
		}
	}
	return nil, false
}

// here are the package and the root.
func (p *Project) here() []*unit {
	if p.pkg == p.root {
		return []*unit{p.root}
	}
	return []*unit{p.pkg, p.root}
}

// runVerbs ask for a task by its name.
var runVerbs = []string{"run", "execute", "start", "do", "launch", "call", "invoke", "perform", "trigger"}

// taskWords say that a name is that of a task.
var taskWords = []string{"task", "script", "target", "recipe", "command", "job", "step"}

// taskReadings reads the words as the name of a task: as it stands, or its words in
// another order; or with a value for its parameter at the end.
//
// Said in two words or more, or in one that no role's own task answers to, a name is
// meant before a role: first asks for those alone.
func (p *Project) taskReadings(s said, first bool) (Answer, bool) {
	forms := [][]string{s.parts}
	if len(s.parts) > 1 && slices.Contains(runVerbs, s.parts[0]) {
		forms = append(forms, s.parts[1:])
	}
	for _, f := range slices.Clone(forms) {
		if len(f) > 1 && (f[0] == "generate" || f[0] == "regenerate") {
			forms = append(forms, f[1:]) // "generate the completions" of a target "completions"
		}
		if n := len(f) - 1; n > 0 && (slices.Contains(taskWords, f[n]) || n > 1 && slices.Contains(objectNouns, stem(f[n]))) {
			forms = append(forms, f[:n])
		}
	}
	for _, how := range [...]func(name, want []string) bool{sameWords, sameBag} {
		for _, u := range p.here() {
			var found []*Task
			for _, f := range forms {
				for _, t := range u.callable() {
					if first && len(t.parts) < 2 && !(len(f) == 2 && f[0]+f[1] == t.parts[0]) && !(t.Name == "install" && t.Runner != "npm") {
						continue
					}
					if how(t.parts, f) && !slices.Contains(found, t) {
						found = append(found, t)
					}
				}
				if len(found) > 0 {
					break
				}
			}
			if len(found) == 0 {
				continue
			}
			return p.oneTask(s, u, found), true
		}
	}
	if first {
		return Answer{}, false
	}
	if pl := p.patterned(forms); pl != nil {
		return p.answered(s, pl), true
	}
	if pl := p.tailNamed(forms); pl != nil {
		return p.answered(s, pl), true
	}
	return p.withValue(s, forms)
}

// patterned is a target that a pattern rule of the makefile makes ("test-%"), if the
// rest of its name is a word that the makefile itself lists.
func (p *Project) patterned(forms [][]string) *Play {
	for _, u := range p.here() {
		u.all()
		for _, r := range u.patterns {
			head := nameParts(strings.TrimSuffix(r.Name, "%"))
			for _, f := range forms {
				rest := slices.Clone(f)
				for _, h := range head {
					if i := slices.IndexFunc(rest, func(w string) bool { return stem(w) == stem(h) }); i >= 0 {
						rest = slices.Delete(rest, i, i+1)
					} else {
						rest = nil
					}
				}
				stem := strings.Join(rest, "-")
				if len(rest) == 0 || len(head) == 0 || !slices.Contains(r.Stems, stem) {
					continue
				}
				t := Task{Name: strings.TrimSuffix(r.Name, "%") + stem, Runner: "make", Dir: u.rdir(), File: r.File, Line: r.Line, Body: r.Body}
				t.Argv = []string{"make", t.Name}
				return u.playTask(&t)
			}
		}
	}
	return nil
}

// callable are the tasks of the unit that do something when they are called.
func (u *unit) callable() []*Task {
	u.all()
	if u.able == nil {
		u.able = []*Task{}
		for i := range u.tasks {
			t := &u.tasks[i]
			if t.Private && t.Runner != "make" && t.Runner != "vscode" || t.Runner == "turbo" {
				continue
			}
			list := commands(t.Body)
			if !slices.Contains(nameless, t.Runner) && (len(list) == 0 && len(t.Needs) == 0 || len(list) > 0 && idle(list) && len(t.Needs) == 0) || u.lost(t) {
				continue
			}
			u.able = append(u.able, t)
		}
	}
	return u.able
}

// sameWords compares words in their order; "set up" is "setup" too.
func sameWords(name, want []string) bool {
	return slices.Equal(name, want) || len(name) == 1 && len(want) == 2 && name[0] == want[0]+want[1]
}

// sameBag compares words whatever their order; the verb "run" says nothing.
func sameBag(name, want []string) bool {
	if len(name) < 2 && len(want) > 2 {
		return false
	}
	drop := func(words []string) []string {
		return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(prepositions, w) || w == "run" })
	}
	a, b := bag(drop(name)), bag(drop(want)) // "only" counts: a task "test-only" leaves something out
	return len(a) > 0 && slices.Equal(a, b)
}

// oneTask is the answer of the tasks that a name may mean.
func (p *Project) oneTask(s said, u *unit, found []*Task) Answer {
	if len(found) > 1 {
		found = u.outermost(found)
	}
	if len(found) > 1 {
		// A runner before package.json.
		if i := slices.IndexFunc(found, func(t *Task) bool { return t.Runner != "npm" }); i >= 0 {
			rest := slices.DeleteFunc(slices.Clone(found), func(t *Task) bool { return t.Runner == "npm" })
			if len(rest) == 1 {
				found = rest
			}
		}
	}
	if len(found) == 1 {
		pl := u.playTask(found[0])
		if checked, l := p.checked(u, pl); checked == nil {
			return p.inConflict(l.conflict)
		}
		return p.answered(s, pl)
	}
	a := Answer{Reason: Ambiguous, Message: "this may mean several tasks"}
	for _, t := range found {
		pl := u.playTask(t)
		pl.Phrase = strings.Join(pl.Argv, " ")
		a.Near = append(a.Near, *pl)
		a.Message += ", " + pl.Phrase
	}
	if !slices.ContainsFunc(found, func(t *Task) bool { return t.Runner != found[0].Runner }) {
		return a
	}
	a.Reason = InConflict
	return a
}

// spoken are variables of makefiles that a person gives a value in words; others
// (DESTDIR, CFLAGS) are for packagers.
var spoken = []string{"env", "environment", "stage", "version", "tag", "name", "msg", "message", "service", "app", "host", "branch", "region", "cluster", "pkg", "package"}

// withValue reads the last word as the value of a task's parameter.
func (p *Project) withValue(s said, forms [][]string) (Answer, bool) {
	value := s.last
	cut := nameParts(strings.ToLower(value))
	if value == "" || value[0] == '-' || strings.ContainsFunc(value, isOdd) {
		return Answer{}, false
	}
	for _, u := range p.here() {
		for _, f := range forms {
			n := len(f) - len(cut)
			if n < 1 || !slices.Equal(f[n:], cut) {
				continue
			}
			name := f[:n]
			if k := len(name) - 1; k > 0 && slices.Contains(append([]string{"as", "named", "called", "version"}, prepositions...), name[k]) {
				name = name[:k]
			}
			for _, t := range u.callable() {
				if !slices.Equal(t.parts, name) || len(t.Params) == 0 {
					continue
				}
				q := t.Params[0]
				if len(q.Values) > 0 && !slices.Contains(q.Values, value) || len(t.Params) > 1 && t.Params[1].Required {
					continue
				}
				pl := u.playTask(t)
				pl.given = q.Name
				pl.Argv = slices.Clone(pl.Argv)
				if q.Named {
					if len(t.Params) > 1 || q.Default != "" || t.Runner == "make" && !slices.Contains(spoken, strings.ToLower(q.Name)) {
						continue
					}
					pl.Argv = append(pl.Argv, q.Name+"="+value)
				} else {
					pl.Argv = append(pl.Argv, value)
				}
				return Answer{Play: pl}, true
			}
		}
	}
	return Answer{}, false
}

// near are plays that a person may have meant: those that share most words with
// what was said first, then what a project is usually asked to do.
func (p *Project) near(s said) []Play {
	type scored struct {
		Play
		score float64
	}
	var list []scored
	add := func(pl Play, words []string) {
		for _, o := range list {
			if slices.Equal(o.Argv, pl.Argv) && o.Dir == pl.Dir {
				return
			}
		}
		n := 0.0
		for _, w := range bag(s.parts) {
			if slices.Contains(words, w) && !slices.Contains(runVerbs, w) && !slices.Contains(prepositions, w) {
				n++
			}
		}
		if n > 0 {
			list = append(list, scored{pl, n / float64(len(words)+len(s.parts))})
		}
	}
	for i := range p.roles.Roles {
		r := &p.roles.Roles[i]
		if pl, _ := p.role(r); pl != nil && pl.Role == r.Name {
			pl.Phrase = r.Title
			add(*pl, bag(append(strings.Fields(r.Title), nameParts(r.Name)...)))
		}
	}
	for _, u := range p.here() {
		for _, t := range u.callable() {
			pl := u.playTask(t)
			pl.Phrase = strings.Join(t.parts, " ")
			if t.Private {
				continue
			}
			add(*pl, bag(t.parts))
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var out []Play
	for _, c := range list[:min(len(list), 5)] {
		out = append(out, c.Play)
	}
	return out
}
