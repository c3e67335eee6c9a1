// Package when decides whether an operation applies in a directory: whether the
// files that it needs are there, its package manager is the project's, and the
// script or target that it names exists.
package when

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// managers is the resolver that names the package managers of a project.
const managers = "project:managers"

// Place is a directory in which operations apply or not. What it has found it
// remembers: one Place is for the operations of one question.
type Place struct {
	Dir      string // absolute
	Getenv   func(string) string
	CacheDir string
	// Values asks a resolver; nil knows of none.
	Values func(context.Context, resolvers.Request) resolvers.Answer
	// Exists reports whether a file of that name is in Dir or above; nil looks.
	Exists func(name string) bool

	files   map[string]bool
	answers map[string]resolvers.Answer
}

// Kind is what an operation lacks; the smaller it is, the nearer it is to apply.
type Kind int

const (
	Nothing Kind = iota
	Value        // a script or target that it names
	Manager      // the project is one of another package manager
	File         // it is for other projects
)

// Applies reports whether the operation applies here.
func (p *Place) Applies(op tcpdb.Operation) bool {
	kind, _ := p.Lacks(&op)
	return kind == Nothing
}

// Lacks says what keeps the operation from applying here, as it goes on from the
// operation's name: "needs Cargo.toml here or above".
func (p *Place) Lacks(op *tcpdb.Operation) (Kind, string) {
	if len(op.When) > 0 && !slices.ContainsFunc(op.When, p.exists) {
		return File, "needs " + strings.Join(op.When, " or ") + " here or above"
	}
	if why := p.otherManager(op.Managers); why != "" {
		return Manager, why
	}
	if why := p.noValue(op.Values); why != "" {
		return Value, why
	}
	return Nothing, ""
}

func (p *Place) exists(name string) bool {
	if p.Exists != nil {
		return p.Exists(name)
	}
	found, known := p.files[name]
	if !known {
		if p.files == nil {
			p.files = map[string]bool{}
		}
		found = Upwards(p.Dir, name) != ""
		p.files[name] = found
	}
	return found
}

// otherManager says that none of the managers is the project's.
func (p *Place) otherManager(names []string) string {
	if len(names) == 0 {
		return ""
	}
	a := p.ask(managers, "")
	if a.State != resolvers.Fresh && a.State != resolvers.Stale {
		return "is for " + strings.Join(names, " or ") + ": " + a.Message
	}
	var others []string
	for _, v := range a.Values {
		if slices.Contains(names, v.Value) {
			return ""
		}
		others = append(others, fmt.Sprintf("%s (%s)", v.Value, v.Description))
	}
	return fmt.Sprintf("is for %s; this project is managed by %s", strings.Join(names, " or "), strings.Join(others, " and "))
}

// noValue says that none of the values, each RESOLVER=VALUE, is there.
func (p *Place) noValue(conditions []string) string {
	var wanted, failures []string
	for _, c := range conditions {
		name, value, _ := strings.Cut(c, "=")
		a := p.ask(name, value)
		if slices.ContainsFunc(a.Values, func(v resolvers.Value) bool { return v.Value == value }) {
			return ""
		}
		if a.State != resolvers.Fresh && a.State != resolvers.Stale {
			failures = append(failures, a.Message)
		}
		_, kind, _ := strings.Cut(name, ":")
		wanted = append(wanted, fmt.Sprintf("the %s %q", strings.TrimSuffix(kind, "s"), value))
	}
	switch {
	case len(wanted) == 0:
		return ""
	case len(failures) > 0:
		return "needs " + strings.Join(wanted, " or ") + ": " + strings.Join(failures, "; ")
	}
	return "needs " + strings.Join(wanted, " or ") + ", which is not here"
}

func (p *Place) ask(name, value string) resolvers.Answer {
	key := name + "=" + value
	a, known := p.answers[key]
	if known {
		return a
	}
	values := p.Values
	if values == nil {
		values = resolvers.Table{}.Resolve
	}
	a = values(context.Background(), resolvers.Request{
		Name: name, Dir: p.Dir, Getenv: p.Getenv, CacheDir: p.CacheDir, Filter: resolvers.Filter{Text: value},
	})
	if p.answers == nil {
		p.answers = map[string]resolvers.Answer{}
	}
	p.answers[key] = a
	return a
}

// Upwards returns the path of the nearest entry of that name in dir or above,
// or "". A name that is not a plain file name is found nowhere.
func Upwards(dir, name string) string {
	if name == "" || !filepath.IsAbs(dir) || !filepath.IsLocal(name) {
		return ""
	}
	for {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return path
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
