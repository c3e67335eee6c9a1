package opmap

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// compileUser compiles sources and risks as the user's layer over the core.
func compileUser(t *testing.T, sources, risks string) *tcpdb.View {
	t.Helper()
	l := &Layering{Layer: tcpdb.UserLayer, Below: tcpdb.NewView(tcpdb.Core())}
	if sources != "" {
		s, problems := Parse("x.json", []byte(sources), ParseOptions{})
		if err := problems.Strict(); err != nil {
			t.Fatal(err)
		}
		l.Sources = append(l.Sources, s)
	}
	if risks != "" {
		r, problems := ParseRisks("risk.toml", []byte(risks))
		if err := problems.Strict(); err != nil {
			t.Fatal(err)
		}
		l.Risks = append(l.Risks, r)
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
	v := tcpdb.NewView(nil)
	v.Add(tcpdb.UserLayer, im)
	return v
}

func TestRisksCompile(t *testing.T) {
	v := compileUser(t, "", `
[[command]]
key = "deploy now"
level = "high"
flags = ["NETWORK_ACCESS", "FILE_MODIFICATION"]
reason = "puts the site on line"
safer = "deploy now --dry-run"
scope = "remote"
time_ms = 5000
memory_mb = 64
output_kb = 3
options = ["-t TARGET|--target TARGET", "--color [WHEN]", "-f|--force"]

  [[command.variant]]
  all = ["f"]
  none = ["wait"]
  args = "has:production|match:prod-*"
  effect = "raise"
  level = "critical"
  reason = "overwrites what runs"
`)
	entries := v.Entries("deploy now")
	if len(entries) != 1 {
		t.Fatalf("entries %+v", entries)
	}
	want := tcpdb.Entry{
		Key: "deploy now", Rule: "deploy.now", Reason: "puts the site on line", Safer: "deploy now --dry-run",
		Scope: tcpdb.Remote, Provenance: "user", Layer: tcpdb.UserLayer,
		Descriptor: tcpdb.NewDescriptor("deploy now", tcpdb.High, tcpdb.NetworkAccess|tcpdb.FileModification, 5000, 64, 3),
	}
	if diff := cmp.Diff(want, entries[0]); diff != "" {
		t.Error(diff)
	}
	variants := v.Variants("deploy now")
	if len(variants) != 1 {
		t.Fatalf("variants %+v", variants)
	}
	x := variants[0]
	if x.Effect != tcpdb.RaiseEffect || x.Descriptor.Level() != tcpdb.Critical || x.ArgClass != "has:production|match:prod-*" {
		t.Errorf("variant %+v", x)
	}
	if diff := cmp.Diff([][]string{{"force"}, {"wait"}}, [][]string{x.All, x.None}); diff != "" {
		t.Errorf("the flag -f has the ID force: %s", diff)
	}
	root := v.Root("deploy")
	if root == nil || root.Bits&tcpdb.Partial == 0 {
		t.Fatalf("a tool that only risk speaks of is %+v, want it partial", root)
	}
	now := v.Open(root.Sub("now"))
	for name, mode := range map[string]tcpdb.ValueMode{
		"-t": tcpdb.RequiredValue, "--target": tcpdb.RequiredValue, "--color": tcpdb.OptionalValue,
		"-f": tcpdb.NoValue, "--wait": tcpdb.NoValue,
	} {
		if f := now.Flag(name); f == nil || f.Value != mode {
			t.Errorf("%s is %+v, want the value mode %v", name, f, mode)
		}
	}
}

// TestConditionsNameFlagsOfLowerLayers: a user who writes "m" for git commit
// means the flag that the core calls "message".
func TestConditionsNameFlagsOfLowerLayers(t *testing.T) {
	v := compileUser(t, "", `
[[command]]
key = "git commit"
level = "medium"
reason = "records a commit"
  [[command.variant]]
  any = ["m"]
  level = "high"
  reason = "is to be written in the editor"
`)
	if x := v.Variants("git commit"); len(x) != 1 || len(x[0].Any) != 1 || x[0].Any[0] != "message" {
		t.Errorf("variants %+v, want one that asks for message", x)
	}
}

func TestOnlyCoreAndSystemCallACommandHarmless(t *testing.T) {
	const text = `
[[command]]
key = "rm"
level = "low"
reason = "is fine"
  [[command.variant]]
  any = ["force"]
  effect = "harmless"
  level = "safe"
  reason = "does nothing"
`
	if x := compileUser(t, "", text).Variants("rm"); len(x) > 0 {
		t.Errorf("the user's harmless variant is in the map: %+v", x)
	}
}

func TestBadRisks(t *testing.T) {
	const head = "[[command]]\nkey = \"x\"\nlevel = \"low\"\nreason = \"reads\"\n"
	tests := []struct{ name, data, want string }{
		{"syntax", head + "level", "r.toml:5: "},
		{"type", "[[command]]\nkey = 1\n", "r.toml:2: "},
		{"unknown field", head + "colour = 1\n", "r.toml:5: command.colour: is not a known field"},
		{"no key", "[[command]]\nlevel = \"low\"\nreason = \"reads\"\n", `r.toml:1: command[0].key: ""`},
		{"key with blanks", "[[command]]\nkey = \"a  b\"\nlevel = \"low\"\nreason = \"reads\"\n", `r.toml:1: command[0].key: "a  b"`},
		{"key twice", head + head, `r.toml:5: command[1].key: "x" is given twice`},
		{"no level", "[[command]]\nkey = \"x\"\nreason = \"reads\"\n", `r.toml:1: command[0].level: ""`},
		{"unknown level", "\n[[command]]\nkey = \"x\"\nlevel = \"unknown\"\nreason = \"reads\"\n", `r.toml:2: command[0].level: "unknown"`},
		{"capability", head + "flags = [\"POWER\"]\n", `r.toml:1: command[0].flags: unknown capability "POWER"`},
		{"no reason", "[[command]]\nkey = \"x\"\nlevel = \"low\"\n", "r.toml:1: command[0].reason: is missing"},
		{"sentence", "[[command]]\nkey = \"x\"\nlevel = \"low\"\nreason = \"Reads.\"\n", "r.toml:1: command[0].reason: ends in a full stop"},
		{"scope", head + "scope = \"world\"\n", `r.toml:1: command[0].scope: "world"`},
		{"negative", head + "time_ms = -1\n", "r.toml:1: command[0].time_ms: is negative"},
		{"option", head + "options = [\"force\"]\n", `r.toml:1: command[0].options: option "force"`},
		{"option of three words", head + "options = [\"-a B C\"]\n", `r.toml:1: command[0].options: option "-a B C"`},
		{"effect", head + "[[command.variant]]\nany = [\"a\"]\neffect = \"lower\"\nlevel = \"low\"\nreason = \"reads\"\n", `r.toml:5: command[0].variant[0].effect: "lower"`},
		{"no condition", head + "[[command.variant]]\nlevel = \"low\"\nreason = \"reads\"\n", "r.toml:5: command[0].variant[0]: has no condition"},
		{"class", head + "[[command.variant]]\nargs = \"odd\"\nlevel = \"low\"\nreason = \"reads\"\n", `r.toml:5: command[0].variant[0].args: class "odd" of arguments is not known`},
	}
	for _, tt := range tests {
		_, problems := ParseRisks("r.toml", []byte(tt.data))
		err := problems.Strict()
		if err == nil {
			t.Errorf("%s: accepted", tt.name)
		} else if !strings.Contains("\n"+err.Error(), "\n"+tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, err, tt.want)
		}
	}
}

func TestCheckArgClass(t *testing.T) {
	for class, ok := range map[string]bool{
		"some": true, "none": true, "2": true, "is:push": true, "has:a b": true, "match:*.go": true,
		"2&match:x*": true, "one&revision&!is:HEAD": true, "root|home": true, "value:mode=0*": true,
		"": false, "some:x": false, "is:": false, "is": false, "match:[": false, "value:x": false,
		"value:=x": false, "odd": false, "root|odd": false, "!odd": false, "2:x": false, "root&": false,
	} {
		if err := checkArgClass(class); (err == nil) != ok {
			t.Errorf("checkArgClass(%q) = %v, want ok %v", class, err, ok)
		}
	}
}

func TestLint(t *testing.T) {
	op := func(id, intent, when string) string {
		r := operationWith("intent", `["`+intent+`"]`)
		r = strings.Replace(r, `"x.do"`, `"`+id+`"`, 1)
		if when != "" {
			r = strings.TrimSuffix(r, "\n}") + `, "when": {"files": ["` + when + `"]}}`
		}
		return r
	}
	tests := []struct {
		name, operations string
		want             string // part of the only problem; "" for none
	}{
		{"an object is named", op("a.b", "run the tests", ""), ""},
		{"a slot is an object", op("a.b", "test <p>", ""), ""},
		{"one word", op("a.b", "test", ""), `"test" of a.b names no object`},
		{"filler words", op("a.b", "please do it now", ""), "names no object"},
		{"the same intent", op("a.b", "run tests", "") + "," + op("a.c", "Run tests!", ""), `"run tests" of a.b collides with "Run tests!" of a.c (x.json:10: operations[1].intent)`},
		{"the same but for slot names", op("a.b", "open <p>", "") + "," + op("a.c", "open <p>", ""), "of a.b collides with"},
		{"apart by their files", op("a.b", "run tests", "Cargo.toml") + "," + op("a.c", "run tests", "go.mod"), ""},
		{"one applies everywhere", op("a.b", "run tests", "Cargo.toml") + "," + op("a.c", "run tests", ""), "of a.b collides with"},
		{"the same file", op("a.b", "run tests", "go.mod") + "," + op("a.c", "run tests", "go.mod"), "of a.b collides with"},
	}
	for _, tt := range tests {
		s, problems := Parse("x.json", []byte(`{"operations": [`+tt.operations+`]}`), ParseOptions{})
		if err := problems.Err(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got := (&Layering{Sources: []*Source{s}}).Lint()
		switch {
		case tt.want == "" && len(got) > 0:
			t.Errorf("%s: %v", tt.name, got[0])
		case tt.want != "" && (len(got) == 0 || len(got) > 2 || !strings.Contains(got[0].Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.name, got, tt.want)
		}
	}
}

func TestLintOfRisk(t *testing.T) {
	s, _ := Parse("x.json", []byte(nodeWith(`"flags": [{"names": ["-v"]}], "subcommands": [{"name": "sub", "aliases": ["s"], "flags": [{"names": ["-f", "--force"]}]}]`)), ParseOptions{})
	body := "level = \"low\"\nreason = \"reads\"\n"
	tests := []struct{ name, data, want string }{
		{"its own flag, by any name", "[[command]]\nkey = \"x sub\"\n" + body + "[[command.variant]]\nany = [\"f\", \"force\"]\n" + body, ""},
		{"a flag above", "[[command]]\nkey = \"x sub\"\n" + body + "[[command.variant]]\nall = [\"v\"]\n" + body, ""},
		{"no such command", "[[command]]\nkey = \"x bus\"\n" + body, `r.toml:1: command[0].key: "x bus": the map of x has no command "bus"`},
		{"an alias", "[[command]]\nkey = \"x s\"\n" + body, `has no command "s"`},
		{"no such flag", "[[command]]\nkey = \"x sub\"\n" + body + "[[command.variant]]\nall = [\"forced\"]\n" + body, `r.toml:5: command[0].variant[0]: "x sub" has no flag of the id "forced"`},
		{"no such flag of a class", "[[command]]\nkey = \"x sub\"\n" + body + "[[command.variant]]\nargs = \"value:mode=0\"\n" + body, `no flag of the id "mode"`},
		{"a tool without a map", "[[command]]\nkey = \"y z\"\n" + body + "[[command.variant]]\nall = [\"a\"]\n" + body, ""},
	}
	for _, tt := range tests {
		r, problems := ParseRisks("r.toml", []byte(tt.data))
		if err := problems.Strict(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		got := (&Layering{Sources: []*Source{s}, Risks: []*Risks{r}}).Lint()
		switch {
		case tt.want == "" && len(got) > 0:
			t.Errorf("%s: %v", tt.name, got[0])
		case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0].Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzParseRisks(f *testing.F) {
	f.Add([]byte("[[command]]\nkey = \"x\"\nlevel = \"low\"\nreason = \"reads\"\noptions = [\"-x A|--y [B]\"]\n[[command.variant]]\nargs = \"is:x&!has:y\"\nlevel = \"high\"\nreason = \"writes\"\n"))
	f.Add([]byte("[[command]]\nkeys = [\"a\", \"b c\"]\n[[command.variant]]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, problems := ParseRisks("f", data)
		if r == nil && problems.Err() == nil {
			t.Fatal("neither risks nor an error")
		}
		if problems.Err() != nil {
			return
		}
		l := &Layering{Layer: tcpdb.UserLayer, Risks: []*Risks{r}}
		b := tcpdb.NewBuilder()
		if err := l.Compile(b); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Build(); err != nil {
			t.Fatalf("%q is accepted and does not compile: %v", data, err)
		}
	})
}
