package npm

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/resolvers"
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

// Managers answers project:managers: what manages the dependencies of the
// nearest package, each with what says so. There is more than one where the
// project contradicts itself. The nearest directory counts that states it in its
// package.json or else has a lock file, up to the workspace's root: a package that
// has a lock of its own does not follow the root. Without these it is a file of
// settings, without that the engines that package.json wants, and npm where
// nothing speaks.
func Managers(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	at, ok := disk.FindUp(r.Dir, "package.json")
	if !ok {
		return resolvers.Failure(resolvers.Nowhere("no package.json", r.Dir))
	}
	levels, err := packageLevels(r, filepath.Dir(at))
	if err != nil {
		return resolvers.Failure(err)
	}
	for _, evidence := range [...]func(packageLevel) []resolvers.Value{decided, marked, wanted} {
		for _, l := range levels {
			found := evidence(l)
			for _, v := range found {
				c.Add(v)
			}
			if len(found) > 0 {
				return c.Answer()
			}
		}
	}
	c.Add(resolvers.Value{Value: "npm", Description: "package.json", Kind: "manager"})
	return c.Answer()
}

// packageLevel is a directory with a package.json, or the settings of a workspace.
type packageLevel struct {
	dir string
	pkg *Package // nil if there is none
}

// packageLevels are the directories from a package upwards whose files speak for
// it: not above the repository or the home directory, nor in one of another owner.
func packageLevels(r resolvers.Request, dir string) ([]packageLevel, error) {
	var levels []packageLevel
	own, _ := disk.Stat(dir)
	home := r.Env("HOME")
	for at := dir; ; at = filepath.Dir(at) {
		if st, ok := disk.Stat(at); at != dir && (at == home || !ok || st.Uid != own.Uid) {
			break
		}
		l := packageLevel{dir: at}
		path := filepath.Join(at, "package.json")
		if disk.IsFile(path) {
			p, err := ReadPackage(path)
			if err != nil {
				return nil, err
			}
			l.pkg = p
		}
		if l.pkg != nil || len(marked(l)) > 0 {
			levels = append(levels, l)
		}
		git := filepath.Join(at, ".git")
		if at == filepath.Dir(at) || disk.IsDir(git) || disk.IsFile(git) {
			break
		}
	}
	return levels, nil
}

// decided is what package.json states, else whose lock files there are.
func decided(l packageLevel) []resolvers.Value {
	switch {
	case l.pkg == nil:
	case l.pkg.manager != "":
		return []resolvers.Value{{Value: l.pkg.manager, Description: "packageManager in package.json", Kind: "manager"}}
	case l.pkg.devManager != "":
		return []resolvers.Value{{Value: l.pkg.devManager, Description: "devEngines in package.json", Kind: "manager"}}
	}
	return byFile(l.dir, func(m *manager) []string { return m.locks })
}

func marked(l packageLevel) []resolvers.Value {
	return byFile(l.dir, func(m *manager) []string { return m.marks })
}

func byFile(dir string, names func(*manager) []string) []resolvers.Value {
	var found []resolvers.Value
	for i := range managersOfNode {
		m := &managersOfNode[i]
		for _, name := range names(m) {
			if disk.IsFile(filepath.Join(dir, name)) {
				found = append(found, resolvers.Value{Value: m.name, Description: name, Kind: "manager"})
				break
			}
		}
	}
	return found
}

// wanted is the manager among the engines; more than one say nothing.
func wanted(l packageLevel) []resolvers.Value {
	var found []resolvers.Value
	for i := range managersOfNode {
		if name := managersOfNode[i].name; l.pkg != nil && l.pkg.engines[name] {
			found = append(found, resolvers.Value{Value: name, Description: "engines in package.json", Kind: "manager"})
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
func (p *Package) readDevEngines(j *jsonscan.Reader) error {
	if j.Peek() != '{' {
		return j.Skip()
	}
	one := func() error {
		return j.Texts(func(name, text string) {
			if name == "name" && p.devManager == "" {
				p.devManager = readManager(text)
			}
		})
	}
	return j.Object(func(key string) error {
		switch {
		case key == "packageManager" && j.Peek() == '[':
			return j.Array(one)
		case key == "packageManager":
			return one()
		}
		return j.Skip()
	})
}

// ProjectScripts answers project:scripts: the scripts of the nearest package that
// do something. One that only fails, as the test script that npm init writes, is
// none that a person means.
func ProjectScripts(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	p, err := Nearest(c, resolvers.Request{Dir: r.Dir})
	if err != nil {
		return resolvers.Failure(err)
	}
	for i, s := range p.Scripts {
		if s.Name != "" && !onlyFails(s.Text) {
			c.Add(resolvers.Value{Value: s.Name, Description: resolvers.OneLine(s.Text, 120), Kind: "script", Weight: len(p.Scripts) - i})
		}
	}
	return c.Answer()
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
