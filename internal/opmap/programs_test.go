package opmap

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// compiled is a view of one layer of risk files and maps.
func compiled(t *testing.T, risks string, maps ...string) *tcpdb.View {
	t.Helper()
	l := &Layering{Layer: tcpdb.CoreLayer}
	r, problems := ParseRisks("risk.toml", []byte(risks))
	if err := problems.Strict(); err != nil {
		t.Fatal(err)
	}
	l.Risks = append(l.Risks, r)
	for _, m := range maps {
		s, problems := Parse("map.json", []byte(m), ParseOptions{})
		if err := problems.Strict(); err != nil {
			t.Fatal(err)
		}
		l.Sources = append(l.Sources, s)
	}
	b := tcpdb.NewBuilder()
	if err := l.Compile(b); err != nil {
		t.Fatal(err)
	}
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return tcpdb.NewView(im)
}

func TestPrograms(t *testing.T) {
	v := compiled(t, `
[[program]]
keys = ["less", "most"]
class = ["pager", "full-screen"]
options = ["-k FILE|--lesskey-file FILE @config-file", "-F"]
arguments = ["file..."]

[[program]]
key = "copy"
arguments = ["source...", "target @output-file"]

[[program]]
key = "tool sub"
output = "table"
options = ["--out FILE @output-file"]
`, `{"schema": 1, "tool": "tool", "node": {"name": "tool", "subcommands": [
  {"name": "sub", "flags": [{"names": ["-o", "--out"], "value": "required"}], "args": [{"name": "what"}]},
  {"name": "other"}]}}`)
	for line, want := range map[string]string{
		"less -k f x":       "config-file=f",
		"most x":            "",
		"copy a b c":        "output-file=c",
		"tool sub -o f x":   "output-file=f",
		"tool other -o f x": "",
	} {
		b := argv.Bind(v, strings.Fields(line))
		var got []string
		for _, role := range []tcpdb.Role{tcpdb.ConfigFileRole, tcpdb.OutputFileRole} {
			for _, u := range b.Uses(role) {
				got = append(got, string(u.Role)+"="+u.Value)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if !argv.Bind(v, []string{"most"}).Is(tcpdb.PagerClass) || argv.Bind(v, []string{"copy"}).Is(tcpdb.PagerClass) {
		t.Error("most is a pager, copy is none")
	}
	sub := argv.Bind(v, []string{"tool", "sub", "x"}).Node()
	if sub.Output != "table" || len(sub.Flags) != 1 || sub.Flags[0].ID != "out" || len(sub.Args) != 1 {
		t.Errorf("tool sub: %+v", sub)
	}
	if b := argv.Bind(v, []string{"tool", "unheard"}); len(b.Node().Args) != 0 {
		t.Error("a word behind a tool with sub-commands became its argument")
	}
}

// TestProgramLike: a program that reads its words as another does has the other's
// options and arguments, and a rule's guess at an option gives way to them.
func TestProgramLike(t *testing.T) {
	v := compiled(t, `
[[command]]
key = "b"
level = "medium"
reason = "works"
  [[command.variant]]
  any = ["o"]
  effect = "raise"
  level = "high"
  reason = "writes"

[[program]]
key = "a"
options = ["-o FILE @output-file if c", "-c|--create"]
arguments = ["source...", "target @output-file"]

[[program]]
key = "b"
like = "a"
`)
	for _, name := range []string{"a", "b"} {
		n := v.Root(name)
		f := n.Flag("-o")
		if f == nil || f.Value != tcpdb.RequiredValue || f.Role != "output-file" || strings.Join(f.RoleWith, " ") != "c" || n.Flag("--create") == nil ||
			len(n.Args) != 2 || n.Args[1].Role != "output-file" || n.Bits&tcpdb.Partial == 0 {
			t.Errorf("%s: %+v", n.Name, n)
		}
	}
}

// TestProgramFaults: each fault is named by the line of its table and its field.
func TestProgramFaults(t *testing.T) {
	for text, want := range map[string]string{
		"[[program]]\nclass = [\"pager\"]":                               "risk.toml:1: program[0].keys",
		"\n[[program]]\nkey = \"x\"\nclass = [\"sort of pager\"]":        "risk.toml:2: program[0].class",
		"[[program]]\nkey = \"x\"\noutput = \"pretty\"":                  "risk.toml:1: program[0].output",
		"[[program]]\nkey = \"x\"\noptions = [\"-o F @output\"]":         "risk.toml:1: program[0].options",
		"[[program]]\nkey = \"x\"\noptions = [\"-o F @output-file if\"]": "risk.toml:1: program[0].options",
		"[[program]]\nkey = \"x\"\nlike = \"a b\"":                       "risk.toml:1: program[0].like",
		"[[program]]\nkey = \"x\"\narguments = [\"a b\"]":                "risk.toml:1: program[0].arguments",
		"[[program]]\nkey = \"x\"\narguments = [\"a @nothing\"]":         "risk.toml:1: program[0].arguments",
	} {
		_, problems := ParseRisks("risk.toml", []byte(text))
		if err := problems.Err(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestRolesOfMaps: roles, classes and outputs survive writing and are refused
// where nobody knows them.
func TestRolesOfMaps(t *testing.T) {
	const text = `{"schema": 1, "tool": "x", "node": {"name": "x", "class": ["database", "interpreter:sql"], "output": "table",
  "flags": [{"names": ["-c"], "value": "required", "role": "code:sql"}, {"names": ["-f"], "value": "required", "role": "input-program:sql", "role_with": ["c"]}],
  "args": [{"name": "db", "role": "place:database"}]}}`
	s, problems := Parse("map.json", []byte(text), ParseOptions{})
	if err := problems.Strict(); err != nil {
		t.Fatal(err)
	}
	again, problems := Parse("map.json", s.Encode(), ParseOptions{})
	if err := problems.Strict(); err != nil {
		t.Fatal(err)
	}
	n := again.Node
	if n.Output != "table" || strings.Join(n.Class, " ") != "database interpreter:sql" || n.Flags[0].Role != "code:sql" ||
		strings.Join(n.Flags[1].RoleWith, " ") != "c" || n.Args[0].Role != "place:database" {
		t.Errorf("%s", s.Encode())
	}
	for _, field := range []string{`"class": ["x"]`, `"output": "x"`, `"flags": [{"names": ["-c"], "role": "x"}]`, `"args": [{"name": "a", "role": "code"}]`} {
		_, problems := Parse("map.json", []byte(`{"schema": 1, "tool": "x", "node": {"name": "x", `+field+`}}`), ParseOptions{})
		if problems.Err() == nil {
			t.Errorf("%s is taken", field)
		}
	}
}
