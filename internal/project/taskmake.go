package project

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers/tasks"
)

func (u *unit) makeTasks() {
	name := u.first("GNUmakefile", "makefile", "Makefile")
	if name == "" {
		return
	}
	list, files, _ := tasks.ParseMake(u.look, u.at(name))
	for _, f := range files {
		u.makePatterns(f)
	}
	for _, prefix := range u.forwards(files) { // "%: common-%" makes lint of common-lint
		for _, t := range list {
			if rest, ok := strings.CutPrefix(t.Name, prefix); ok && rest != "" && !slices.ContainsFunc(list, func(o tasks.Placed) bool { return o.Name == rest }) {
				t.Calls = append(t.Calls, t.Name)
				t.Name = rest
				list = append(list, t)
			}
		}
	}
	for _, t := range list {
		if strings.ContainsAny(t.Name, "=:") || t.Private && strings.Contains(t.Name, "/") {
			continue
		}
		u.put(Task{
			Name: t.Name, Runner: "make", Argv: []string{"make", t.Name}, Params: optional(params(t.Params)), Description: t.Description,
			File: orElse(t.File, u.at(name)), Line: t.Line, Body: t.Shell, Needs: t.Calls, Private: t.Private, First: t.First,
		})
	}
}

func (u *unit) forwards(files []string) []string {
	var out []string
	for _, f := range files {
		text := u.str(f)
		if !strings.Contains(text, "\n%:") {
			continue
		}
		for line := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(line, "%:"); ok {
				need, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
				if prefix, ok := strings.CutSuffix(strings.TrimSuffix(need, ";"), "%"); ok && len(prefix) > 1 && !strings.ContainsAny(prefix, "./$") {
					out = append(out, prefix)
				}
			}
		}
	}
	return out
}

func (u *unit) makePatterns(path string) {
	text := u.str(path)
	if !strings.Contains(text, "-%:") && !strings.Contains(text, "%:") {
		return
	}
	var stems []string
	from := len(u.patterns)
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '\t':
			if len(u.patterns) > from && u.patterns[len(u.patterns)-1].Line == n-strings.Count(u.patterns[len(u.patterns)-1].Body, "\n")-1 {
				u.patterns[len(u.patterns)-1].Body += strings.TrimLeft(line, "\t@-") + "\n"
			}
		default:
			if _, value, ok := strings.Cut(line, "="); ok && !strings.Contains(value, "$(shell") {
				stems = append(stems, strings.Fields(value)...)
				continue
			}
			left, _, ok := strings.Cut(line, ":")
			for _, w := range strings.Fields(left) {
				if head, pat := strings.CutSuffix(w, "%"); ok && pat && head != "" && !strings.ContainsAny(head, "./$") && len(u.patterns) < 200 {
					u.patterns = append(u.patterns, pattern{Name: w, File: u.rel(path), Line: n})
				}
			}
		}
	}
	for i := from; i < len(u.patterns); i++ {
		u.patterns[i].Stems = stems
	}
}

func optional(list []Param) []Param {
	for i := range list {
		list[i].Required = false
	}
	return list
}
