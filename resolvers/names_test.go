package resolvers

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// Names and the table say the same.
func TestNames(t *testing.T) {
	var want []string
	for _, table := range []string{"table.go", "git_table.go", "tool_table.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), table, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if c, ok := n.(*ast.CaseClause); ok {
				for _, e := range c.List {
					name, err := strconv.Unquote(e.(*ast.BasicLit).Value)
					if err != nil {
						t.Fatal(err)
					}
					want = append(want, name)
				}
			}
			return true
		})
	}
	slices.Sort(want)
	equal(t, "the list of names.go and the cases of the tables", Names(), want)
	for _, name := range append(Names(), "files:*.go") {
		if lookup(name) == nil {
			t.Errorf("%s has no resolver", name)
		}
	}
	if a := Resolve(context.Background(), Request{Name: "no:such"}); a.State != Failed || a.Message != "no resolver named no:such" {
		t.Errorf("%+v", a)
	}
}

// Whatever the place and the tools of the machine, an answer comes though the
// context has no end, with a message where it failed and none of the values empty.
func TestEverywhere(t *testing.T) {
	var all sync.WaitGroup
	for _, dir := range []string{"", "/", "/no/such/dir", "relative", t.TempDir()} {
		for _, path := range []string{"/bin", "/no/bin"} {
			all.Go(func() {
				for _, name := range Names() {
					everywhere(t, Request{Name: name, Dir: dir, Getenv: env("HOME", "/no/home", "PATH", path), Limit: 3, Filter: Filter{Text: "a", Mode: Subsequence}})
				}
			})
		}
	}
	all.Wait()
}

func everywhere(t *testing.T, r Request) {
	a := Resolve(context.Background(), r)
	if a.State != Fresh && a.Message == "" || a.State == Failed && len(a.Values) > 0 || len(a.Values) > 3 {
		t.Errorf("%s in %q: %+v", r.Name, r.Dir, a)
	}
	for _, v := range a.Values {
		if v.Value == "" || v.Kind == "" {
			t.Errorf("%s in %q: %+v", r.Name, r.Dir, v)
		}
	}
}
