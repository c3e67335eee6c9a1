package project

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/internal/yaml"
)

// Evidence is what says something: a line of a file.
type Evidence struct {
	File string `json:"file"`           // from the root
	Line int    `json:"line,omitempty"` // from 1; 0 for the file as such
	Why  string `json:"why"`
}

// Ecosystem is a language's way to manage and build what lies in a directory.
type Ecosystem struct {
	Name     string     `json:"name"`
	Dir      string     `json:"dir"`     // from the root
	Manager  string     `json:"manager"` // "" where managers contradict each other
	Evidence []Evidence `json:"evidence"`

	rivals []string            // managers that contradict each other
	fill   map[string][]string // what stands for {name} in standard commands
	tools  []string            // the programs of it
}

// Task is what a runner can be told to do.
type Task struct {
	Name        string   `json:"name"`
	Runner      string   `json:"runner"`
	Argv        []string `json:"argv"`
	Dir         string   `json:"dir"` // from the root
	Params      []Param  `json:"params,omitempty"`
	Description string   `json:"description,omitempty"`
	File        string   `json:"-"`
	Line        int      `json:"-"`
	// Body is what it runs, in the words of a shell; "" if that is not known.
	Body string `json:"-"`
	// Needs are other tasks of the runner that it runs, before or within.
	Needs   []string `json:"-"`
	Private bool     `json:"-"` // not meant to be called by name
	First   bool     `json:"-"` // what the runner does when nothing is named

	canon string   // the name as names are compared
	parts []string // of it
}

// Param is a value that a task takes.
type Param struct {
	Name     string   `json:"name"`
	Default  string   `json:"default,omitempty"`
	Required bool     `json:"required,omitempty"`
	Many     bool     `json:"many,omitempty"`
	Values   []string `json:"values,omitempty"`
	Named    bool     `json:"-"` // given as NAME=value
}

// pattern is a rule of a makefile whose name ends in "%", with the words that the
// makefile lists.
type pattern struct {
	Name, File, Body string
	Line             int
	Stems            []string
}

// unit is a directory with a project file: what manages it, and its tasks.
type unit struct {
	*look
	dir string // absolute

	pkg      *manifest // its package.json
	py       map[string]any
	cargo    map[string]any
	loaded   bool
	names    map[string]bool // what its directory holds, if all of it is known
	ecos     []*Ecosystem
	tasks    []Task
	made     bool // tasks are read
	facts    map[string]bool
	deps     map[string]bool
	runs     map[string]bool // runners that are live here
	index    map[string]*Task
	named    map[string]bool // runner and name of each task
	bodies   map[*Task]string
	byCanon  map[string][]*Task
	able     []*Task // those that can be called
	patterns []pattern
}

// at is the path of a name in the unit.
func (u *unit) at(name string) string { return filepath.Join(u.dir, name) }

// rdir is the unit's directory as seen from the root.
func (u *unit) rdir() string { return u.rel(u.dir) }

// has reports whether a file of that name is there.
func (u *unit) has(name string) bool { return u.mayHold(name) && u.isFile(u.at(name)) }

// mayHold reports whether the unit's directory, once it is listed, has the name or
// its first part.
func (u *unit) mayHold(name string) bool {
	if u.names == nil {
		return true
	}
	first, _, _ := strings.Cut(name, "/")
	return u.names[first]
}

// first is the first of the files that is there, or "".
func (u *unit) first(names ...string) string {
	for _, n := range names {
		if u.has(n) {
			return n
		}
	}
	return ""
}

// glob lists the files of the unit that match a pattern of one component.
func (u *unit) glob(pattern string) []string {
	var out []string
	end, plain := strings.CutPrefix(pattern, "*")
	plain = plain && !strings.ContainsAny(end, "*?[")
	for _, e := range u.list(u.dir) {
		if e.Dir || plain && !strings.HasSuffix(e.Name, end) {
			continue
		}
		if ok, _ := filepath.Match(pattern, e.Name); ok {
			out = append(out, e.Name)
		}
	}
	return out
}

// why is a piece of evidence about a file of the unit.
func (u *unit) why(name, mark, why string) Evidence {
	line := 0
	if mark != "" {
		if data, ok := u.open(u.at(name)); ok {
			line = lineOf(data, mark)
		}
	}
	return Evidence{u.rel(u.at(name)), line, why}
}

// manifest is what is read of a package.json.
type manifest struct {
	doc     *yaml.Node
	name    string
	manager string // of packageManager
	scripts []script
}

type script struct {
	name, text string
	line       int
}

// load reads the manifests, finds the ecosystems, and notes what holds.
func (u *unit) load() {
	if u.loaded {
		return
	}
	u.loaded = true
	u.facts, u.deps = map[string]bool{}, map[string]bool{}
	if entries := u.list(u.dir); u.lists[u.dir].whole {
		u.names = make(map[string]bool, len(entries))
		for _, e := range entries {
			u.names[e.Name] = true
		}
	}
	u.javascript()
	u.python()
	u.rust()
	u.golang()
	u.others()
	for _, e := range u.ecos {
		if want := u.prefer["manager."+e.Name]; want != "" && slices.Contains(e.rivals, want) {
			u.settle(e, want)
		}
	}
	u.moreFacts()
}

// fact is what was found out; some of it takes reading sources, once it is asked for.
func (u *unit) fact(name string) bool {
	if known, ok := u.facts[name]; ok {
		return known
	}
	switch name {
	case "go-bench":
		u.facts[name] = u.goText("func Benchmark", "_test.go")
	case "go-generate":
		u.facts[name] = u.goText("//go:generate", ".go")
	case "cabal": // beside stack.yaml a package.yaml says that its .cabal file is made
		u.facts[name] = !u.has("stack.yaml") || !u.has("package.yaml")
	case "zig-test", "zig-bench", "zig-run":
		u.facts[name] = u.zigStep(name[len("zig-"):])
	case "gradle-parts": // a root that only gathers projects
		u.facts[name] = !u.isDir(u.at("src")) && (strings.Contains(u.textOf("settings.gradle"), "include") || strings.Contains(u.textOf("settings.gradle.kts"), "include"))
	case "ecto":
		u.facts[name] = u.ectoRepo()
	case "make-builds":
		u.facts[name] = u.makeBuilds()
	}
	return u.facts[name]
}

// settle takes one of the managers that contradict each other, as the person said.
func (u *unit) settle(e *Ecosystem, manager string) {
	e.Manager, e.rivals, e.tools = manager, nil, []string{manager}
	e.Evidence = append(e.Evidence, Evidence{Why: manager + " by your preference"})
	e.fill["manager"] = []string{manager}
	if e.Name == "python" {
		prefix := pyPrefix(manager)
		e.fill["prefix"], e.fill["python"] = prefix, append(slices.Clone(prefix), "python")
		u.facts["py-prefix"] = prefix != nil && manager != "hatch"
		for _, m := range [...]string{"uv", "poetry", "pdm", "pipenv", "hatch", "pip", "conda", "pixi", "rye"} {
			u.facts["py-"+m] = m == manager
		}
	}
}

func (u *unit) eco(name string) *Ecosystem {
	u.load()
	for _, e := range u.ecos {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// add notes an ecosystem.
func (u *unit) add(name, manager string, tools []string, evidence ...Evidence) *Ecosystem {
	e := &Ecosystem{Name: name, Dir: u.rdir(), Manager: manager, Evidence: evidence, tools: tools, fill: map[string][]string{}}
	u.ecos = append(u.ecos, e)
	return e
}

// holds reports whether a condition of roles.json holds: "file:a|b" one of the
// files is there, "glob:*.x" one that matches, "dir:x" a directory, "dep:a|b" one
// of the dependencies is named, "fact:x" something that was found out; "!" before
// it: it does not.
func (u *unit) holds(cond string) bool {
	if rest, ok := strings.CutPrefix(cond, "!"); ok {
		return !u.holds(rest)
	}
	u.load()
	kind, list, _ := strings.Cut(cond, ":")
	for _, what := range strings.Split(list, "|") {
		switch kind {
		case "file":
			if u.has(what) {
				return true
			}
		case "dir":
			if u.mayHold(what) && u.isDir(u.at(what)) {
				return true
			}
		case "glob":
			if len(u.glob(what)) > 0 {
				return true
			}
		case "dep":
			if u.deps[what] {
				return true
			}
		case "text":
			name, text, _ := strings.Cut(what, ":")
			if u.mayHold(name) && strings.Contains(u.textOf(name), text) {
				return true
			}
		case "fact":
			if u.fact(what) {
				return true
			}
		}
	}
	return false
}

// table is a table of a TOML document.
func table(doc map[string]any, path ...string) map[string]any {
	t, _ := toml.In(doc, path...).(map[string]any)
	return t
}

func str(v any) string { s, _ := v.(string); return s }

// Source is where the task stands: "file:line", from the root.
func (t *Task) Source() string {
	if t.Line == 0 {
		return t.File
	}
	return t.File + ":" + strconv.Itoa(t.Line)
}

// Rivals are the managers that contradict each other, none where one is known.
func (e *Ecosystem) Rivals() []string { return e.rivals }
