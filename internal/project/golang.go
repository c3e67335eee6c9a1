package project

import "strings"

// golang reads go.mod and go.work.
func (u *unit) golang() {
	name := u.first("go.mod", "go.work")
	if name == "" {
		return
	}
	e := u.add("go", "go", []string{"go", "golangci-lint"}, u.why(name, "", "go by "+name))
	u.facts["go-main"] = u.goMain("")
	u.facts["go-module"] = name == "go.mod"
	e.fill["out"] = []string{}
	mains := u.goMains()
	if len(mains) == 1 {
		u.facts["go-one-main"] = true
		e.fill["main"] = []string{mains[0]}
	}
	u.facts["go-tests"] = true
	text := u.textOf("go.mod")
	for _, line := range strings.Split(text, "\n") {
		if w := strings.Fields(line); len(w) >= 2 {
			u.deps[w[0]] = true
			if w[0] == "require" {
				u.deps[w[1]] = true
			}
		}
	}
}

// goMain reports whether a directory of the unit holds a program.
func (u *unit) goMain(sub string) bool {
	dir := u.at(sub)
	if u.isFile(dir + "/main.go") {
		return true
	}
	n := 0
	for _, e := range u.list(dir) {
		if e.Dir || !strings.HasSuffix(e.Name, ".go") || strings.HasSuffix(e.Name, "_test.go") {
			continue
		}
		if n++; n > 8 {
			break
		}
		text := u.str(dir + "/" + e.Name)
		if strings.HasPrefix(text, "package main") || strings.Contains(text, "\npackage main") {
			return !strings.Contains(text, "//go:build ignore")
		}
	}
	return false
}

// goMains are the programs of the module, as go run takes them: that of the
// directory itself, and those below cmd.
func (u *unit) goMains() []string {
	var out []string
	if u.goMain("") {
		out = append(out, ".")
	}
	for _, e := range u.listOf("cmd") {
		if e.Dir && u.goMain("cmd/"+e.Name) {
			out = append(out, "./cmd/"+e.Name)
		}
	}
	if len(out) == 0 && u.isFile(u.at("cmd/main.go")) {
		out = append(out, "./cmd")
	}
	return out
}
