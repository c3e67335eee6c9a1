package project

import (
	"path/filepath"
	"slices"
	"strings"
)

// object is one thing that a role can be asked of.
type object struct {
	play Play
	what string // what it is, in words
}

// objectReadings reads the words as a role of one object. Objects are looked up in
// closed sets, one after the other: an ecosystem, a package, a binary or service,
// a test target, a test file by its stem, a test by its name. The first set that
// has one answers.
func (p *Project) objectReadings(s said, all []meant) (Answer, bool) {
	sets := [...]func(*Role, []string) ([]object, *lack){p.ofEcosystem, p.ofPackage, p.ofTarget, p.ofTestTarget, p.ofTestFile, p.ofTestName}
	var refused *lack
	for _, set := range sets {
		var found []object
		for _, m := range all {
			if len(m.object) == 0 {
				continue
			}
			for _, words := range objectForms(m.object) {
				list, l := set(m.role, words)
				if l != nil && refused == nil {
					refused = l
				}
				for _, o := range list {
					if !slices.ContainsFunc(found, func(f object) bool { return slices.Equal(f.play.Argv, o.play.Argv) && f.play.Dir == o.play.Dir }) {
						found = append(found, o)
					}
				}
				if len(list) > 0 {
					break
				}
			}
		}
		switch {
		case len(found) == 1:
			return p.answered(s, &found[0].play), true
		case len(found) > 1:
			a := Answer{Reason: Ambiguous, Message: "this may mean several things"}
			for _, o := range found {
				o.play.Phrase = strings.Join(o.play.Argv, " ")
				a.Near = append(a.Near, o.play)
				a.Message += ", " + o.what
			}
			return a, true
		case refused != nil && refused.conflict != nil:
			return p.inConflict(refused.conflict), true
		}
	}
	if refused != nil {
		return Answer{
			Reason: NotApplicable, LookedFor: refused.looked, Near: p.near(s),
			Message: "nothing there does this; looked for " + strings.Join(refused.looked[:min(3, len(refused.looked))], "; "),
		}, true
	}
	return Answer{}, false
}

// objectNouns say what an object is and are no part of its name.
var objectNouns = []string{"package", "crate", "module", "workspace", "folder", "directory", "service", "container", "binary", "project", "app", "subproject", "component", "library", "example", "code", "file", "dir", "member", "site", "website", "preset", "configuration", "config"}

// objectForms are the words of an object, and without a word that says what it is.
func objectForms(words []string) [][]string {
	out := [][]string{words}
	if n := len(words); n > 1 {
		if slices.Contains(objectNouns, stem(words[n-1])) {
			out = append(out, words[:n-1])
		}
		if slices.Contains(objectNouns, stem(words[0])) {
			out = append(out, words[1:])
		}
	}
	return out
}

// ofEcosystem asks the role of one language of the root or the package.
func (p *Project) ofEcosystem(r *Role, words []string) ([]object, *lack) {
	if len(words) != 1 {
		return nil, nil
	}
	if len(p.packagesNamed(words)) > 0 {
		return nil, nil // a package has that name
	}
	for _, list := range p.roles.Words {
		eco := list.Name
		if !slices.Contains(list.Words, words[0]) {
			continue
		}
		for _, u := range p.here() {
			e := u.eco(eco)
			if e == nil {
				continue
			}
			if pl, l := p.ecosystemPlay(u, e, r); pl != nil {
				return []object{{*pl, eco}}, nil
			} else if l != nil {
				return nil, l
			}
		}
		if u := p.onlyBelow(eco); u != nil {
			if pl, l := p.in(u, r); pl != nil {
				return []object{{*pl, eco}}, nil
			} else if l != nil {
				return nil, l
			}
		}
	}
	return nil, nil
}

func (p *Project) ecosystemPlay(u *unit, e *Ecosystem, r *Role) (*Play, *lack) {
	if e.Name == "javascript" {
		if pl, c := u.own(r, true); c == nil && pl != nil {
			return p.checked(u, pl)
		}
	}
	for i := range r.Standard {
		if s := &r.Standard[i]; s.Eco == e.Name && u.holdsAll(s.If) {
			if pl, ok := u.fillIn(e, r.Name, s.Argv, s.If); ok {
				return p.checked(u, pl)
			}
		}
	}
	return nil, &lack{looked: p.lookedFor(r, []*unit{u})}
}

// packagesNamed are the members of that name: in full, without scope, by folder, or
// by the last part of the name if that is unique. Folders that hold a project file
// count where no member does.
func (p *Project) packagesNamed(words []string) []Member {
	want := strings.Join(words, "-")
	if found, ok := p.asked[want]; ok {
		return found
	}
	found := p.findPackages(words, want)
	p.asked[want] = found
	return found
}

func (p *Project) findPackages(words []string, want string) []Member {
	var full, short, folder, last []Member
	for _, m := range p.Members() {
		if !strings.Contains(strings.ToLower(m.Name), words[0]) && !strings.Contains(strings.ToLower(m.Dir), words[0]) {
			continue
		}
		name := canonical(m.Name)
		bare := m.Name[strings.LastIndexByte(m.Name, '/')+1:]
		switch {
		case name == want && name != "" || canonical(m.Dir) == want:
			full = append(full, m)
		case canonical(bare) == want:
			short = append(short, m)
		case canonical(filepath.Base(m.Dir)) == want:
			folder = append(folder, m)
		case strings.HasSuffix(canonical(bare), "-"+want):
			last = append(last, m)
		}
	}
	for _, list := range [...][]Member{full, short, folder} {
		if len(list) > 0 {
			return list
		}
	}
	for _, dir := range p.folders(strings.Join(words, "-")) {
		if !slices.ContainsFunc(p.Members(), func(m Member) bool { return m.dir == dir }) {
			folder = append(folder, Member{Dir: p.rel(dir), Kind: "folder", dir: dir})
		}
	}
	if len(folder) > 0 {
		return folder
	}
	if len(last) == 1 {
		return last
	}
	return nil
}

// ofPackage asks the role of a package: by a task of the root named for both, else
// by the way of its manager.
func (p *Project) ofPackage(r *Role, words []string) ([]object, *lack) {
	if r.Name == "build" { // what make makes by that name
		for _, u := range p.here() {
			u.all()
			if t := u.task("make", strings.Join(words, "-")); t != nil && !u.lost(t) {
				pl := u.playTask(t)
				pl.Role = r.Name
				return []object{{*pl, t.Name}}, nil
			}
		}
	}
	var out []object
	var l *lack
	for _, m := range p.packagesNamed(words) {
		pl, why := p.packagePlay(r, m)
		if pl != nil {
			out = append(out, object{*pl, orElse(m.Name, m.Dir)})
		} else if why != nil {
			l = why
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if l == nil || l.conflict == nil {
		if list := p.goPackages(r, words); len(list) > 0 {
			return list, nil
		}
	}
	return nil, l
}

// packagePlay is how a role is played for one package.
func (p *Project) packagePlay(r *Role, m Member) (*Play, *lack) {
	u := p.unit(m.dir)
	if r.Name == "install" {
		return p.in(u, r)
	}
	switch m.Kind {
	case "rust":
		// cargo runs a package that has one binary, or says which of them; no library.
		if u.load(); r.Name == "start" && !u.facts["cargo-run"] {
			return nil, &lack{looked: []string{"one binary of " + m.Name + ", or default-run in its Cargo.toml"}}
		}
		return p.of(r, "cargo", m)
	case "gradle":
		return p.of(r, "gradle", Member{Name: m.Name, Dir: ":" + strings.ReplaceAll(m.Dir, "/", ":"), Kind: m.Kind, dir: m.dir})
	case "maven":
		return p.of(r, "maven", m)
	}
	pl, l := p.in(u, r)
	if pl == nil && l.conflict == nil {
		pl = p.siteOf(u, r)
	}
	if pl == nil {
		return nil, l
	}
	if m.Kind != "javascript" || m.Name == "" || !pl.Task {
		return pl, nil
	}
	js := p.root.eco("javascript")
	if js == nil || u.pkg == nil || !slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, pl.Argv[0]) {
		return pl, nil
	}
	if len(js.rivals) > 0 {
		return nil, &lack{conflict: managers(js)}
	}
	local := *pl
	pl.Local = &local
	pl.Dir, pl.Manager, pl.Runner = ".", js.Manager, js.Manager
	switch js.Manager {
	case "pnpm":
		pl.Argv = []string{"pnpm", "--filter", m.Name, "run", pl.Name}
	case "yarn":
		pl.Argv = []string{"yarn", "workspace", m.Name, "run", pl.Name}
	case "bun":
		pl.Argv = []string{"bun", "run", "--filter", m.Name, pl.Name}
	default:
		pl.Argv = []string{"npm", "run", pl.Name, "--workspace=" + m.Name}
	}
	return pl, nil
}

// of fills the command of a role for one object of a set.
func (p *Project) of(r *Role, set string, m Member) (*Play, *lack) {
	for i := range r.Of {
		o := &r.Of[i]
		if o.Set != set {
			continue
		}
		u := p.root
		e := u.eco(ecoOf(set))
		if e == nil {
			u = p.pkg
			e = u.eco(ecoOf(set))
		}
		if set == "service" {
			e = u.eco("compose")
		}
		if e == nil {
			return nil, nil
		}
		asked := u
		if m.dir != "" {
			asked = p.unit(m.dir)
		}
		if (set == "gradle" || !u.holdsAll(o.If)) && !asked.holdsAll(o.If) {
			continue
		}
		fill := &Ecosystem{Name: e.Name, Dir: e.Dir, Manager: e.Manager, Evidence: e.Evidence, fill: map[string][]string{}}
		for k, v := range e.fill {
			fill.fill[k] = v
		}
		fill.fill["name"], fill.fill["path"] = []string{orElse(m.Name, filepath.Base(m.Dir))}, []string{m.Dir}
		pl := &Play{Role: r.Name, Name: r.Name, Dir: u.rdir(), Manager: e.Manager, Evidence: e.Evidence, eco: e.Name}
		for _, w := range o.Argv {
			for name, words := range fill.fill {
				if w == "{"+name+"}" {
					pl.Argv = append(pl.Argv, words...)
					w = ""
					break
				}
				if strings.Contains(w, "{"+name+"}") && len(words) == 1 {
					w = strings.ReplaceAll(w, "{"+name+"}", words[0])
				}
			}
			if w != "" {
				pl.Argv = append(pl.Argv, w)
			}
		}
		pl.Runner = pl.Argv[0]
		return pl, nil
	}
	return nil, &lack{looked: []string{"a way to " + r.Title + " for one " + set}}
}

func ecoOf(set string) string {
	switch set {
	case "cargo", "cargo-bin", "cargo-example", "cargo-test", "cargo-bench":
		return "rust"
	case "go", "go-main":
		return "go"
	case "py-script":
		return "python"
	}
	return set
}

// goPackages are the directories of Go sources of that name.
func (p *Project) goPackages(r *Role, words []string) []object {
	if !slices.ContainsFunc(r.Of, func(o Of) bool { return o.Set == "go" }) {
		return nil
	}
	u := p.root
	if u.eco("go") == nil {
		if u = p.pkg; u.eco("go") == nil {
			return nil
		}
	}
	want := strings.Join(words, "-")
	var dirs []string
	p.walk(u.dir, 0, func(dir string, entries []Entry) {
		rel, _ := filepath.Rel(u.dir, dir)
		if dir == u.dir || canonical(filepath.Base(dir)) != want && canonical(rel) != want {
			return
		}
		if slices.ContainsFunc(entries, func(e Entry) bool { return !e.Dir && strings.HasSuffix(e.Name, ".go") }) {
			dirs = append(dirs, rel)
		}
	})
	var out []object
	for _, dir := range dirs {
		path := "./" + dir
		deep := false
		p.walk(filepath.Join(u.dir, dir), walkDepth-2, func(at string, entries []Entry) {
			deep = deep || at != filepath.Join(u.dir, dir) && slices.ContainsFunc(entries, func(e Entry) bool { return strings.HasSuffix(e.Name, ".go") })
		})
		set := "go"
		if r.Name == "start" {
			set = "go-main"
		} else if deep {
			path += "/..."
		}
		if pl, _ := p.of(r, set, Member{Name: filepath.Base(dir), Dir: path}); pl != nil {
			if r.Name == "start" && !u.goMain(dir) {
				continue
			}
			out = append(out, object{*pl, path})
		}
	}
	return out
}

// ofTarget asks the role of a binary, an example or a service.
func (p *Project) ofTarget(r *Role, words []string) ([]object, *lack) {
	want := strings.Join(words, "-")
	out := p.presetNamed(r, want)
	add := func(set, name string, owner string) {
		if canonical(name) != want || strings.ContainsFunc(name, isOdd) || strings.HasPrefix(name, "-") {
			return
		}
		if pl, _ := p.of(r, set, Member{Name: name, Dir: name}); pl != nil {
			if owner != "" {
				pl.Argv = slices.Insert(pl.Argv, 2, "-p", owner)
			}
			out = append(out, object{*pl, name})
		}
	}
	for _, o := range r.Of {
		switch o.Set {
		case "cargo-bin", "cargo-example", "cargo-bench":
			for _, u := range p.cargoUnits() {
				u.load()
				owner := ""
				if u != p.root && u != p.pkg {
					owner = str(table(u.cargo, "package")["name"])
				}
				switch o.Set {
				case "cargo-bin":
					for _, n := range u.cargoBins() {
						add(o.Set, n, "")
					}
				case "cargo-example":
					for _, n := range u.cargoTargets("example", "examples") {
						add(o.Set, n, owner)
					}
				case "cargo-bench":
					for _, n := range u.cargoTargets("bench", "benches") {
						add(o.Set, n, owner)
					}
				}
			}
		case "service":
			for _, u := range p.here() {
				for _, n := range u.services() {
					add(o.Set, n, "")
				}
			}
		case "go-main":
			if e := p.root.eco("go"); e != nil {
				for _, path := range p.root.goMains() {
					if canonical(filepath.Base(path)) == want {
						if pl, _ := p.of(r, o.Set, Member{Name: want, Dir: path}); pl != nil {
							out = append(out, object{*pl, path})
						}
					}
				}
			}
		case "py-script":
			for _, u := range p.here() {
				u.load()
				for _, n := range keys(table(u.py, "project", "scripts")) {
					add(o.Set, n, "")
				}
			}
		}
	}
	return out, nil
}

// presetNamed is a preset of cmake of that name, for the role that it is of.
func (p *Project) presetNamed(r *Role, want string) []object {
	kind, ok := map[string]string{"configure": "configurePresets", "build": "buildPresets", "test": "testPresets"}[r.Name]
	if !ok {
		return nil
	}
	var out []object
	for _, u := range p.here() {
		for i := range u.all() {
			if t := &u.tasks[i]; t.Runner == kind && canonical(t.Name) == want {
				pl := u.playTask(t)
				pl.Role, pl.Manager, pl.Runner = r.Name, "cmake", t.Argv[0]
				out = append(out, object{*pl, t.Name})
			}
		}
	}
	return out
}

// cargoUnits are the packages of Rust that are looked into.
func (p *Project) cargoUnits() []*unit {
	out := p.here()
	for _, m := range p.Members() {
		if m.Kind == "rust" && len(out) < 500 {
			if u := p.unit(m.dir); u != p.pkg {
				out = append(out, u)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(out), func(u *unit) bool { return u.eco("rust") == nil })
}

// services are those of the unit's compose file.
func (u *unit) services() []string {
	name := u.first("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
	if name == "" {
		return nil
	}
	return u.yaml(u.at(name)).At("services").Names()
}

// ofTestTarget asks the role test of an integration test of Rust.
func (p *Project) ofTestTarget(r *Role, words []string) ([]object, *lack) {
	if r.Name != "test" {
		return nil, nil
	}
	want := strings.Join(words, "-")
	var out []object
	for _, u := range p.cargoUnits() {
		for _, n := range u.cargoTargets("test", "tests") {
			if canonical(n) != want {
				continue
			}
			if pl, _ := p.of(r, "cargo-test", Member{Name: n, Dir: n}); pl != nil {
				if u != p.root && u != p.pkg {
					pl.Argv = slices.Insert(pl.Argv, 2, "-p", str(table(u.cargo, "package")["name"]))
				}
				out = append(out, object{*pl, n})
			}
		}
	}
	return out, nil
}
