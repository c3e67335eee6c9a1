package project

import (
	"slices"
	"strings"
)

// others finds the ecosystems that roles.json describes whole: by a file, with
// what stands for the words of their standard commands.
func (u *unit) others() {
	for i := range u.roles.Ecosystems {
		d := &u.roles.Ecosystems[i]
		mark := ""
		for _, cond := range d.Any {
			if u.holds(cond) {
				mark = cond
				break
			}
		}
		if mark == "" || !u.holdsAll(d.All) {
			continue
		}
		kind, name, _ := strings.Cut(mark, ":")
		if kind == "glob" {
			for _, pattern := range strings.Split(name, "|") {
				if found := u.glob(pattern); len(found) > 0 {
					name = found[0]
					break
				}
			}
		} else {
			name = u.first(strings.Split(name, "|")...)
		}
		e := u.add(d.Name, d.Manager, d.Tools, u.why(orElse(name, "."), "", d.Manager+" by "+name))
		e.fill["file"] = []string{name}
		for _, fact := range d.Facts {
			if slices.ContainsFunc(fact.Words, u.holds) {
				u.facts[fact.Name] = true
			}
		}
		for _, slot := range d.Fill {
			if i := slices.IndexFunc(slot.Choices, func(c Choice) bool { return u.holdsAll(c.If) }); i >= 0 {
				e.fill[slot.Name] = slot.Choices[i].Words
			}
		}
	}
}

func (u *unit) holdsAll(conds []string) bool {
	for _, c := range conds {
		if !u.holds(c) {
			return false
		}
	}
	return true
}
