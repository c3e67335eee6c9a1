package tasks

import (
	"path/filepath"
	"slices"
	"strings"
)

// readMake takes the targets of a makefile and of what it includes.
func (f *File) readMake() error {
	_, err := f.readMakefiles(filepath.Dir(f.Path), []string{f.Path}, nil, nil, nil)
	return err
}

// readMakefiles takes the targets of makefiles that are read from a directory,
// with the variables that the command line sets, and returns the parser. late, if
// not nil, says that it is time to stop.
func (f *File) readMakefiles(dir string, files, search []string, given map[string]string, late func() bool) (*makeParser, error) {
	f.Kind, f.Tool = "make", "make"
	p := newMakeParser()
	p.whole, p.open, p.tested, p.fixed = true, map[string]bool{}, map[string]bool{}, map[string]bool{}
	p.vars["CURDIR"] = dir
	for name, value := range given {
		p.vars[name], p.fixed[name] = value, true
	}
	l := makeLoader{dir: dir, search: search, seen: &f.Files}
	p.include, p.late = l.include, late
	f.Files = nil
	for _, path := range files {
		if err := l.load(p, path); err != nil {
			return nil, err
		}
	}
	language := ""
	if shell, ok := p.expand(p.vars["SHELL"]); ok && shell != "" {
		if language = interpreter(strings.Fields(shell)[0]); language == "sh" {
			language = ""
		}
	}
	for _, t := range p.targets {
		if late != nil && late() {
			break
		}
		task := Task{Name: t.name, Description: t.help, Calls: slices.Clone(t.needs), language: language}
		for _, line := range t.lines {
			task.commands = append(task.commands, p.shell(strings.TrimLeft(line, "@-+ \t"), t, &task, 0))
		}
		for _, line := range t.always {
			task.always = append(task.always, p.shell(line, t, &task, 0))
		}
		task.Shell = joinLines(task.commands)
		if p.oneShell {
			task.commands = nil
		}
		task.Calls = slices.DeleteFunc(task.Calls, func(n string) bool { return p.index[n] == nil })
		// A file that is made is not what a person asks for by name.
		task.Private = !p.phony[t.name] && t.help == "" && strings.ContainsAny(t.name, "./")
		f.Tasks = append(f.Tasks, task)
	}
	return p, nil
}

// joinLines joins texts, each ended by a line break.
func joinLines(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(t + "\n")
	}
	return b.String()
}

// shell writes a recipe line as the shell gets it, with what make knows put in.
// What only the caller can give stays a variable and becomes a parameter.
func (p *makeParser) shell(s string, t *makeTarget, task *Task, depth int) string {
	var b strings.Builder
	for s != "" && b.Len() < maxExpansion {
		if p.budget -= len(s[:min(len(s), 256)]); p.budget < 0 {
			b.WriteString("${value}")
			break
		}
		i := strings.IndexByte(s, '$')
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		end := min(skipReference(s, 0), len(s))
		ref := s[1:end]
		s = s[end:]
		name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimLeft(ref, "({"), ")"), "}")
		value, known := p.vars[name]
		switch {
		case ref == "$":
			b.WriteByte('$')
		case name == "@" || name == "@D" || name == "@F" || name == "*":
			b.WriteString(t.name)
		case name == "<" || name == "^" || name == "+" || name == "?":
			b.WriteString(strings.Join(t.needs, " "))
		case p.open[name]:
			task.param(Param{Name: name, Default: value, Named: true})
			fallthrough
		case known && depth < 10:
			b.WriteString(p.shell(value, t, task, depth+1))
		case makeDefault(name) != "":
			b.WriteString(makeDefault(name))
		case strings.HasPrefix(name, "shell "):
			b.WriteString("$(" + p.shell(name[len("shell "):], t, task, depth+1) + ")")
		case isVariableName(name) && strings.IndexFunc(name, func(r rune) bool { return !isVariableRune(r) }) < 0:
			if !inherited(name) {
				task.param(Param{Name: name, Required: !p.tested[name] && !usualFlags(name), Named: true})
			}
			b.WriteString("${" + name + "}")
		default:
			b.WriteString("${value}") // a function
		}
	}
	return b.String()
}

// param adds a parameter that is not there yet.
func (t *Task) param(p Param) {
	if !slices.ContainsFunc(t.Params, func(q Param) bool { return q.Name == p.Name }) {
		t.Params = append(t.Params, p)
	}
}

// makeDefault is what make itself defines.
func makeDefault(name string) string {
	switch name {
	case "MAKE":
		return "make"
	case "RM":
		return "rm -f"
	case "CC":
		return "cc"
	case "CXX":
		return "c++"
	case "AR":
		return "ar"
	}
	return ""
}

// inherited are variables that the environment has.
func inherited(name string) bool {
	switch name {
	case "HOME", "USER", "PATH", "PWD", "SHELL", "TMPDIR", "CI", "GOPATH", "GOROOT", "MAKEFLAGS", "MAKECMDGOALS", "MAKEFILE_LIST", "EDITOR", "LANG", "TERM", "OS", "HOSTNAME", "UID":
		return true
	}
	return false
}

// usualFlags are variables that build files offer and nobody has to set.
func usualFlags(name string) bool {
	return strings.HasSuffix(name, "FLAGS") || strings.HasSuffix(name, "ARGS") || strings.HasSuffix(name, "OPTS") ||
		name == "DESTDIR" || name == "PREFIX" || name == "V" || name == "VERBOSE"
}

// makeShells are the commands of the $(shell …) in a text.
func makeShells(s string) []string {
	var out []string
	for i := strings.IndexByte(s, '$'); i >= 0 && i+1 < len(s); {
		end := min(skipReference(s, i), len(s))
		ref := strings.TrimLeft(s[i+1:end], "({")
		if text, ok := strings.CutPrefix(ref, "shell "); ok {
			out = append(out, strings.TrimSpace(text[:max(len(text)-1, 0)]))
		} else if len(ref) > 1 {
			out = append(out, makeShells(ref)...)
		}
		next := strings.IndexByte(s[end:], '$')
		if next < 0 {
			break
		}
		i = end + next
	}
	return out
}

func (p *makeParser) recipeLine(line string) {
	marked := line
	line = strings.TrimLeft(line, "@-+ \t")
	marked = marked[:len(marked)-len(line)]
	if line == "" || line[0] == '#' {
		return
	}
	for _, t := range p.current {
		if p.whole && p.budget > 0 {
			p.budget -= 8
			t.lines = append(t.lines, line)
			// A make that is called so gets -n as well.
			if strings.Contains(marked, "+") && (!hasMake(line) || strings.ContainsAny(line, ";&|`")) {
				t.always = append(t.always, line)
			}
		}
		if t.recipe == "" {
			t.recipe = line
		}
	}
}

func hasMake(line string) bool {
	return strings.HasPrefix(line, "$(MAKE)") || strings.HasPrefix(line, "${MAKE}")
}
