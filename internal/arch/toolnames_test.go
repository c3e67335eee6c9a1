package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// mostToolSwitches is how many switches over names of tools there are outside
// toolFiles. What is known of a tool belongs in the map, where a user's own tool
// has the same rights: the number may only fall.
const mostToolSwitches = 15

// toolRooms are packages whose subject is the shells themselves, or a language whose
// words happen to be names of programs too: SQL, KDL, JavaScript, the English of
// descriptions; and the reader of what projects keep, each of whose files is in the
// format of one tool.
var toolRooms = []string{"shells", "internal/shline", "internal/sqltext", "internal/discover/spec/kdl", "internal/discover/spec/usage", "internal/discover/assess", "internal/forge/law", "internal/project"}

// TestSwitchesOverTools counts switch statements two or more of whose cases are
// names of programs.
func TestSwitchesOverTools(t *testing.T) {
	tools := map[string]bool{}
	v := tcpdb.NewView(tcpdb.Core())
	for _, key := range v.Keys() {
		tool, _, _ := strings.Cut(key, " ")
		tools[tool] = true
	}
	found := map[string]int{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return err
		}
		name, _ := filepath.Rel("../..", path)
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(name, "scripts/") || slices.Contains(toolRooms, filepath.Dir(name)) {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SwitchStmt)
			if !ok {
				return true
			}
			named, all := 0, 0
			for _, c := range s.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					lit, ok := e.(*ast.BasicLit)
					if !ok || lit.Kind != token.STRING {
						continue
					}
					text, _ := strconv.Unquote(lit.Value)
					first, _, _ := strings.Cut(text, " ")
					all++
					if tools[first] {
						named++
					}
				}
			}
			if named >= 2 && 2*named >= all {
				found[name]++
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range found {
		t.Logf("%s: %d", name, n)
	}
	total := 0
	for _, n := range found {
		total += n
	}
	if total > mostToolSwitches {
		t.Errorf("%d switches over names of tools, at most %d: put what is known of a tool into its map", total, mostToolSwitches)
	}
}
