package project

import (
	"slices"
	"strings"
)

// thorTasks are the methods that a Thorfile and the files *.thor beside it describe,
// as they write them down: a class that is a Thor, "desc" with a usage and a text,
// and the method behind it. A class called Default has no name space.
func (u *unit) thorTasks() {
	files := u.glob("*.thor")
	if name := u.first("Thorfile"); name != "" {
		files = append([]string{name}, files...)
	}
	for _, dir := range [...]string{"lib/tasks", "tasks"} {
		for _, e := range u.listOf(dir) {
			if strings.HasSuffix(e.Name, ".thor") {
				files = append(files, dir+"/"+e.Name)
			}
		}
	}
	if len(files) == 0 {
		return
	}
	lead := []string{"thor"}
	if u.has("Gemfile") {
		lead = []string{"bundle", "exec", "thor"}
	}
	for _, f := range files {
		u.thorfile(f, lead)
	}
}

func (u *unit) thorfile(name string, lead []string) {
	space, usage, text := "", "", ""
	n := 0
	for line := range strings.Lines(u.textOf(name)) {
		n++
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "class":
			usage = ""
			class, of, _ := strings.Cut(rest, "<")
			if strings.TrimSpace(of) != "Thor" && !strings.HasPrefix(strings.TrimSpace(of), "Thor::") {
				continue
			}
			if space = rubySpace(strings.TrimSpace(class)) + ":"; space == "default:" {
				space = ""
			}
		case "namespace":
			if space = rubyName(rest) + ":"; space == "default:" {
				space = ""
			}
		case "desc":
			if q := quotedTexts(rest); len(q) > 0 {
				usage, text = q[0], q[len(q)-1]
			}
		case "def":
			if usage == "" {
				continue
			}
			method, args, _ := strings.Cut(rest, "(")
			task := space + strings.TrimSpace(method)
			t := Task{Name: task, Runner: "thor", Argv: append(slices.Clone(lead), task), Description: text, File: u.at(name), Line: n}
			for _, a := range strings.Split(strings.TrimSuffix(strings.TrimSpace(args), ")"), ",") {
				arg, value, given := strings.Cut(strings.TrimSpace(a), "=")
				if arg = strings.TrimSpace(arg); arg != "" && arg[0] != '*' && arg[0] != '&' && !strings.ContainsFunc(arg, isOdd) {
					t.Params = append(t.Params, Param{Name: arg, Required: !given, Default: strings.Trim(strings.TrimSpace(value), `"'`)})
				}
			}
			u.put(t)
			usage = ""
		}
	}
}

// rubySpace is the name space of a class: "AppTasks" is app_tasks, "::" is ":".
func rubySpace(class string) string {
	var out []string
	for _, part := range strings.Split(class, "::") {
		if part != "" {
			out = append(out, strings.Join(nameParts(part), "_"))
		}
	}
	return strings.Join(out, ":")
}
