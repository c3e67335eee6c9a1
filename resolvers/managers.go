package resolvers

import (
	"context"
	"path/filepath"
	"strings"
)

// manager is a package manager of JavaScript with the files that tell of it.
type manager struct {
	name  string
	locks []string // it has resolved the dependencies
	marks []string // it is configured
}

// The names are those of the managers' own documentation.
var managersOfNode = [...]manager{
	{"npm", []string{"package-lock.json", "npm-shrinkwrap.json"}, nil},
	{"pnpm", []string{"pnpm-lock.yaml"}, []string{"pnpm-workspace.yaml"}},
	{"yarn", []string{"yarn.lock"}, []string{".yarnrc.yml"}},
	{"bun", []string{"bun.lock", "bun.lockb"}, []string{"bunfig.toml"}},
}

// projectManagers answers project:managers: what manages the dependencies of the
// nearest package, each with what says so. There is more than one where the
// project contradicts itself. The nearest directory counts that states it in its
// package.json or else has a lock file, up to the workspace's root: a package that
// has a lock of its own does not follow the root. Without these it is a file of
// settings, without that the engines that package.json wants, and npm where
// nothing speaks.
func projectManagers(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	at, ok := findUp(r.Dir, "package.json")
	if !ok {
		return failed(nowhere("no package.json", r.Dir))
	}
	levels, err := packageLevels(r, filepath.Dir(at))
	if err != nil {
		return failed(err)
	}
	for _, evidence := range [...]func(packageLevel) []Value{decided, marked, wanted} {
		for _, l := range levels {
			found := evidence(l)
			for _, v := range found {
				c.add(v)
			}
			if len(found) > 0 {
				return c.answer()
			}
		}
	}
	c.add(Value{Value: "npm", Description: "package.json", Kind: "manager"})
	return c.answer()
}

// packageLevel is a directory with a package.json, or the settings of a workspace.
type packageLevel struct {
	dir string
	pkg *packageJSON // nil if there is none
}

// packageLevels are the directories from a package upwards whose files speak for
// it: not above the repository or the home directory, nor in one of another owner.
func packageLevels(r Request, dir string) ([]packageLevel, error) {
	var levels []packageLevel
	own, _ := statFile(dir)
	home := r.getenv("HOME")
	for at := dir; ; at = filepath.Dir(at) {
		if st, ok := statFile(at); at != dir && (at == home || !ok || st.Uid != own.Uid) {
			break
		}
		l := packageLevel{dir: at}
		path := filepath.Join(at, "package.json")
		if isFile(path) {
			p, err := readPackage(path)
			if err != nil {
				return nil, err
			}
			l.pkg = p
		}
		if l.pkg != nil || len(marked(l)) > 0 {
			levels = append(levels, l)
		}
		git := filepath.Join(at, ".git")
		if at == filepath.Dir(at) || isDir(git) || isFile(git) {
			break
		}
	}
	return levels, nil
}

// decided is what package.json states, else whose lock files there are.
func decided(l packageLevel) []Value {
	switch {
	case l.pkg == nil:
	case l.pkg.manager != "":
		return []Value{{Value: l.pkg.manager, Description: "packageManager in package.json", Kind: "manager"}}
	case l.pkg.devManager != "":
		return []Value{{Value: l.pkg.devManager, Description: "devEngines in package.json", Kind: "manager"}}
	}
	return byFile(l.dir, func(m *manager) []string { return m.locks })
}

func marked(l packageLevel) []Value {
	return byFile(l.dir, func(m *manager) []string { return m.marks })
}

func byFile(dir string, names func(*manager) []string) []Value {
	var found []Value
	for i := range managersOfNode {
		m := &managersOfNode[i]
		for _, name := range names(m) {
			if isFile(filepath.Join(dir, name)) {
				found = append(found, Value{Value: m.name, Description: name, Kind: "manager"})
				break
			}
		}
	}
	return found
}

// wanted is the manager among the engines; more than one say nothing.
func wanted(l packageLevel) []Value {
	var found []Value
	for i := range managersOfNode {
		if name := managersOfNode[i].name; l.pkg != nil && l.pkg.engines[name] {
			found = append(found, Value{Value: name, Description: "engines in package.json", Kind: "manager"})
		}
	}
	if len(found) > 1 {
		return nil
	}
	return found
}

// readManager takes the name of "pnpm@9.1.0+sha512.…", "" if it is none.
func readManager(text string) string {
	name, _, _ := strings.Cut(text, "@")
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && c != '-' {
			return ""
		}
	}
	return name
}

// readDevEngines takes packageManager of devEngines: {"name": …} or a list of them.
func (p *packageJSON) readDevEngines(j *jsonReader) error {
	if j.peek() != '{' {
		return j.skip()
	}
	one := func() error {
		return j.texts(func(name, text string) {
			if name == "name" && p.devManager == "" {
				p.devManager = readManager(text)
			}
		})
	}
	return j.object(func(key string) error {
		switch {
		case key == "packageManager" && j.peek() == '[':
			return j.array(one)
		case key == "packageManager":
			return one()
		}
		return j.skip()
	})
}

// projectScripts answers project:scripts: the scripts of the nearest package that
// do something. One that only fails, as the test script that npm init writes, is
// none that a person means.
func projectScripts(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	p, err := npmPackage(c, Request{Dir: r.Dir})
	if err != nil {
		return failed(err)
	}
	for i, s := range p.scripts {
		if s.name != "" && !onlyFails(s.text) {
			c.add(Value{Value: s.name, Description: oneLine(s.text, 120), Kind: "script", Weight: len(p.scripts) - i})
		}
	}
	return c.answer()
}

// onlyFails reports whether a script says something at most and ends with a failure.
func onlyFails(script string) bool {
	parts := strings.FieldsFunc(script, func(r rune) bool { return r == '&' || r == ';' })
	if len(parts) == 0 {
		return false
	}
	for _, part := range parts[:len(parts)-1] {
		if word, _, _ := strings.Cut(strings.TrimSpace(part), " "); word != "echo" {
			return false
		}
	}
	status, ok := strings.CutPrefix(strings.TrimSpace(parts[len(parts)-1]), "exit ")
	return ok && strings.Trim(status, " 0") != ""
}
