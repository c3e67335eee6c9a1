package project

import (
	"slices"
	"strings"
)

// memberBodies are the scripts that a command runs in packages of the workspace, as
// the lines of a shell that goes into each: "pnpm --filter web dev", "turbo run dev".
func (p *Project) memberBodies(c *command) string {
	if len(c.plain) < 2 || p.within {
		return ""
	}
	script, names, dirs, every := memberCall(c)
	if script == "" || len(names)+len(dirs) == 0 && !every {
		return ""
	}
	p.within = true
	defer func() { p.within = false }()
	var b strings.Builder
	read := 0
	for _, m := range p.likely() {
		if m.Kind != "javascript" || b.Len() > 32<<10 || read > maxBodies {
			continue
		}
		bare := m.Name[strings.LastIndexByte(m.Name, '/')+1:]
		if !every && !slices.Contains(names, m.Name) && !slices.Contains(names, bare) && !slices.Contains(names, m.Dir[strings.LastIndexByte(m.Dir, '/')+1:]) &&
			!slices.ContainsFunc(dirs, func(pattern string) bool { return matchPath(pattern, m.Dir) }) {
			continue
		}
		read++
		doc := p.json(m.dir + "/package.json")
		if text := doc.At("scripts").At(script).Str(); text != "" {
			b.WriteString("cd " + m.Dir + "\n" + text + "\npopd\n")
		}
	}
	return b.String()
}

// maxBodies bounds the packages whose scripts are read for one command.
const maxBodies = 100

// likely are the members with those first that are programs by their directories.
func (p *Project) likely() []Member {
	out := slices.Clone(p.Members())
	rank := func(m Member) int {
		for i, word := range [...]string{"app", "web", "site", "server", "client", "playground"} {
			if strings.Contains(m.Dir, word) {
				return i
			}
		}
		return 9
	}
	slices.SortStableFunc(out, func(a, b Member) int { return rank(a) - rank(b) })
	return out
}

// memberCall reads which script a command runs in which packages: by their names,
// by patterns of their directories, or in every one.
func memberCall(c *command) (script string, names, dirs []string, every bool) {
	w := c.words
	last := ""
	for i := 1; i < len(w); i++ {
		value := ""
		if i+1 < len(w) {
			value = w[i+1]
		}
		switch key, inline, has := strings.Cut(w[i], "="); {
		case key == "--filter" || key == "-F" || key == "--workspace" || key == "-w" || key == "--scope" || w[i] == "workspace":
			if has {
				value = inline
			} else {
				i++
			}
			if strings.HasPrefix(value, "!") {
				break // all but those
			}
			if strings.HasPrefix(value, "./") || strings.HasPrefix(value, "{./") {
				dirs = append(dirs, cleanPattern(strings.Trim(value, "{}.^")))
				break
			}
			value = strings.Trim(value, "./*{}^")
			if k := strings.LastIndexByte(value, '/'); k >= 0 {
				value = value[k+1:]
			}
			names = append(names, value)
		case key == "--cwd" || key == "-C" || key == "--dir" || key == "--prefix":
			if has {
				value = inline
			} else {
				i++
			}
			names = append(names, value[strings.LastIndexByte(strings.TrimRight(value, "/"), '/')+1:])
		case w[i] == "-r" || w[i] == "--recursive" || w[i] == "--workspaces" || w[i] == "workspaces" || w[i] == "--parallel" || w[i] == "-ws" || w[i] == "run-many":
			every = true
		case w[i] == "run" || w[i] == "foreach" || strings.HasPrefix(w[i], "-"):
		case last == "":
			last = w[i]
		}
	}
	switch w[0] {
	case "pnpm", "npm", "yarn", "bun":
	case "turbo", "lerna", "nx":
		every = every || len(names)+len(dirs) == 0
	default:
		return "", nil, nil, false
	}
	return last, names, dirs, every && len(names)+len(dirs) == 0
}
