package opmap

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// operation returns an operation record with one member replaced or added.
func operationWith(name, json string) string {
	fields := []string{
		`"id": "x.do"`, `"surface": "cli"`, `"intent": ["do the thing"]`, `"template": "x do <p>"`,
		`"parameters": [{"name": "p"}]`, `"effect": "read-only"`, `"risk": "low"`,
	}
	for i, f := range fields {
		if strings.HasPrefix(f, `"`+name+`"`) {
			fields[i] = ""
		}
	}
	if json != "" {
		fields = append(fields, `"`+name+`": `+json)
	}
	var kept []string
	for _, f := range fields {
		if f != "" {
			kept = append(kept, f)
		}
	}
	return "{\n" + strings.Join(kept, ",\n") + "\n}"
}

func nodeWith(members string) string {
	return "{\"schema\": 1, \"tool\": \"x\",\n\"node\": {\"name\": \"x\",\n" + members + "\n}}"
}

// bad are files that are refused, each with the problem that says why. They
// are examples for the published schema too, where schema is true.
var bad = []struct {
	name, data string
	want       string // "line: field: reason", the beginning
	schema     bool   // the JSON Schema refuses it as well
}{
	{"empty", ``, "1: : not JSON: the file ends", false},
	{"cut off", "{\n\"id\": \"x\",\n", "3: : not JSON: the file ends in the middle", false},
	{"syntax", "{\n\"id\": \"x\"\n\"surface\"}", "3: : not JSON:", false},
	{"trailing text", "{}\n{}", "2: : text after the end", false},
	{"not UTF-8", "{\n\"id\": \"\xff\"}", "2: : not UTF-8", true},
	{"byte order mark", "\ufeff{}", "1: : begins with a byte order mark", false},
	{"same key twice", "{\n\"id\": \"x\",\n\"id\": \"y\"}", "3: id: is given twice, first on line 2", true},
	{"too deep", strings.Repeat("[", 200) + strings.Repeat("]", 200), "1: : nested more than 100 deep", true},
	{"a list", `[]`, "1: : is a list: want an object", true},
	{"nothing known", `{"a": 1}`, "1: : neither a source map", true},

	{"no id", operationWith("id", ``) + "", "1: : neither a source map", true},
	{"bad id", operationWith("id", `"X.Do"`), `8: id: operation ID "X.Do"`, true},
	{"id of a number", operationWith("id", `7`), "8: id: is a number: want a string", true},
	{"no surface", operationWith("surface", ``), `1: surface: "": want cli`, true},
	{"unknown surface", operationWith("surface", `"web"`), `8: surface: "web": want cli`, true},
	{"no template", operationWith("template", ``), "1: template: is missing", true},
	{"slot inside a word", operationWith("template", `"x a<p>b"`), `8: template: "a<p>b": a parameter is a word`, false},
	{"two slots in a word", operationWith("template", `"x <p><p>"`), `8: template: "<p><p>"`, false},
	{"open slot", operationWith("template", `"x <p"`), `8: template: "<p"`, false},
	{"redirection", operationWith("template", `"x <p> > y"`), `8: template: ">"`, false},
	{"command from a parameter", operationWith("template", `"<p> x"`), `8: template: begins with the parameter <p>`, false},
	{"unknown parameter", operationWith("template", `"x <p> <q>"`), "8: template: <q> is not among the parameters", false},
	{"parameter without a place", operationWith("template", `"x do"`), `5: parameters: parameters[0] "p" does not stand in the template`, false},
	{"bad parameter name", operationWith("parameters", `[{"name": "P-1"}]`), `8: parameters[0].name: "P-1": want lower-case`, true},
	{"parameter without a name", operationWith("parameters", `[{"type": "string"}]`), `8: parameters[0].name: "": want`, true},
	{"parameter twice", operationWith("parameters", `[{"name": "p"}, {"name": "p"}]`), `8: parameters[1].name: "p" is given twice`, false},
	{"bad match", operationWith("parameters", `[{"name": "p", "match": "near"}]`), `8: parameters[0].match: "near"`, true},
	{"filter of nothing", operationWith("parameters", `[{"name": "p", "match": "filter"}]`), "8: parameters[0].match: is filter without a resolver", false},
	{"bad resolver", operationWith("parameters", `[{"name": "p", "resolver": "Git Branches"}]`), `8: parameters[0].resolver: "Git Branches" is not the name`, true},
	{"unknown resolver", operationWith("parameters", `[{"name": "p", "resolver": "git:nope"}]`), `8: parameters[0].resolver: there is no resolver named "git:nope"`, false},
	{"no effect", operationWith("effect", ``), "1: effect: is missing", true},
	{"unknown effect", operationWith("effect", `"local-write + magic"`), `8: effect: "magic": want`, false},
	{"no risk", operationWith("risk", ``), `1: risk: "": want safe`, true},
	{"unknown risk", operationWith("risk", `"unknown"`), `8: risk: "unknown": want safe`, true},
	{"approval", operationWith("approval", `"maybe"`), `9: approval: "maybe"`, true},
	{"when is absolute", operationWith("when", `{"files": ["/etc/passwd"]}`), `9: when.files: "/etc/passwd": want a relative name`, true},
	{"when climbs", operationWith("when", `{"files": ["../x"]}`), `9: when.files: "../x"`, true},
	{"intent without words", operationWith("intent", `["  "]`), `8: intent: "  " holds no words`, false},
	{"intent with an unknown slot", operationWith("intent", `["do <q> now"]`), `8: intent: "do <q> now": <q> is not among`, false},
	{"intent with a slot in a word", operationWith("intent", `["do x<p>"]`), `8: intent: "do x<p>": a slot is a word of its own`, false},
	{"intent of numbers", operationWith("intent", `[1]`), "8: intent[0]: is a number: want a string", true},
	{"control character", operationWith("description", `"a\u001b[31m"`), "9: description: holds a control character", true},
	{"evidence", operationWith("evidence", `["trust me"]`), `9: evidence[0]: kind "trust me"`, true},

	{"no tool", `{"schema": 1, "tool": "", "node": {}}`, "1: tool: is empty", true},
	{"a path as tool", `{"tool": "/bin/x", "node": {"name": "x"}}`, `1: tool: "/bin/x" holds a slash`, true},
	{"another schema", `{"schema": 2, "tool": "x", "node": {"name": "x"}}`, "1: schema: is 2: this program reads schema 1", true},
	{"another name", `{"tool": "x", "node": {"name": "y"}}`, `1: node: is named "y"`, false},
	{"node is a list", `{"tool": "x", "node": []}`, "1: node: is a list: want an object", true},
	{"sub-command without a name", nodeWith(`"subcommands": [{}]`), "3: node.subcommands[0].name: is", true},
	{"sub-command twice", nodeWith("\"subcommands\": [{\"name\": \"a\"},\n{\"name\": \"b\", \"aliases\": [\"a\"]}]"), `4: node.subcommands[1].name: "a" is the name of another`, false},
	{"sub-command like a flag", nodeWith(`"subcommands": [{"name": "-a"}]`), `3: node.subcommands[0].name: "-a" begins with a dash`, true},
	{"flag without names", nodeWith(`"flags": [{"value": "none"}]`), "3: node.flags[0].names: is empty", true},
	{"flag without a dash", nodeWith(`"flags": [{"names": ["all"]}]`), `3: node.flags[0].names: "all" does not begin with a dash`, false},
	{"keyword of one letter", nodeWith(`"keywords": true, "flags": [{"names": ["a"]}]`), `3: node.flags[0].names: "a" does not begin with a dash`, true},
	{"flag that is a dash", nodeWith(`"flags": [{"names": ["--"]}]`), `3: node.flags[0].names: "--" is no option`, true},
	{"flag with its value", nodeWith(`"flags": [{"names": ["--a=b"]}]`), `3: node.flags[0].names: "--a=b" holds "="`, true},
	{"flag with a blank", nodeWith(`"flags": [{"names": ["--a b"]}]`), `3: node.flags[0].names: "--a b" holds a blank`, true},
	{"flag twice", nodeWith("\"flags\": [{\"names\": [\"-a\"]},\n{\"id\": \"b\", \"names\": [\"-b\", \"-a\"]}]"), `4: node.flags: "-a" is the name of two flags`, false},
	{"flag id twice", nodeWith("\"flags\": [{\"names\": [\"-a\"]},\n{\"names\": [\"--a\"]}]"), `4: node.flags: "a" is the id of two flags`, false},
	{"arity", nodeWith(`"flags": [{"names": ["-a"], "value": "many"}]`), `3: node.flags[0].value: "many"`, true},
	{"values of a flag without", nodeWith(`"flags": [{"names": ["-a"], "value_spec": {"file": true}}]`), "3: node.flags[0].value_spec: stands at a flag", false},
	{"negatable short flag", nodeWith(`"flags": [{"names": ["-a"], "negatable": true}]`), "3: node.flags[0].negatable: needs a name", false},
	{"no kind", nodeWith(`"args": [{"name": "a", "value_spec": {}}]`), "3: node.args[0].value_spec: names 0 kinds", true},
	{"two kinds", nodeWith(`"args": [{"name": "a", "value_spec": {"file": true, "dir": true}}]`), "3: node.args[0].value_spec: names 2 kinds", true},
	{"argument without a name", nodeWith(`"args": [{}]`), "3: node.args[0].name: is missing", true},
	{"argument twice", nodeWith(`"args": [{"name": "a"}, {"name": "a"}]`), `3: node.args[1].name: "a" is the name`, false},
	{"wrapper mode", nodeWith(`"wrapper": {"mode": "magic"}`), `3: node.wrapper.mode: "magic"`, true},
	{"wrapper dialect", nodeWith(`"wrapper": {"mode": "shell", "dialect": "tcsh"}`), `3: node.wrapper.dialect: "tcsh"`, true},
	{"wrapper capability", nodeWith(`"wrapper": {"mode": "words", "adds": ["POWER"]}`), `3: node.wrapper.adds: unknown capability "POWER"`, true},
	{"wrapper skip", nodeWith(`"wrapper": {"mode": "words", "skip": -1}`), "3: node.wrapper.skip: is -1", true},

	{"operation twice", "{\"operations\": [" + seedRecord + ",\n" + seedRecord + "]}", `24: operations[1].id: "cargo.test" is given twice`, false},
}

func knownResolver(name string) bool { return name != "git:nope" }

func TestBadFilesAreRefused(t *testing.T) {
	for _, tt := range bad {
		_, problems := Parse("f.json", []byte(tt.data), ParseOptions{KnownResolver: knownResolver})
		err := problems.Err()
		if err == nil {
			t.Errorf("%s: accepted", tt.name)
			continue
		}
		line, rest, _ := strings.Cut(tt.want, ": ")
		field, reason, _ := strings.Cut(rest, ": ")
		found := false
		for _, p := range problems {
			found = found || p.Severity == Error && p.File == "f.json" && itoa(p.Line) == line && p.Field == field && strings.HasPrefix(p.Reason, reason)
		}
		if !found {
			t.Errorf("%s: got\n%v\nwant f.json:%s", tt.name, err, tt.want)
		}
		var p *Problem
		if !errors.As(err, &p) {
			t.Errorf("%s: %T holds no *Problem", tt.name, err)
		}
	}
}

func itoa(n int) string {
	var digits []byte
	for ; n > 0; n /= 10 {
		digits = append([]byte{byte('0' + n%10)}, digits...)
	}
	return string(digits)
}

func TestProblemNamesFileLineAndField(t *testing.T) {
	_, problems := Parse("dir/x.json", []byte("{\n\"id\": \"x.y\",\n\"surface\": 3}"), ParseOptions{})
	want := "dir/x.json:3: surface: is a number: want a string"
	if !strings.Contains(problems.Err().Error()+"\n", want+"\n") {
		t.Errorf("got %q, want %q in it", problems.Err(), want)
	}
}

func TestUnknownFieldsAreKeptAndReported(t *testing.T) {
	data := "{\"schema\": 1, \"tool\": \"x\",\n\"colour\": 1.10,\n\"node\": {\"name\": \"x\", \"flags\": [\n" +
		"{\"names\": [\"-a\"], \"icon\": {\"b\": [null, \"<\"]}}]},\n\"operations\": [" +
		operationWith("retries", "12345678901234567890") + "]}"
	s, problems := Parse("x.json", []byte(data), ParseOptions{})
	if err := problems.Err(); err != nil {
		t.Fatalf("an unknown field is no error: %v", err)
	}
	want := []string{
		"x.json:2: colour: is not a known field",
		"x.json:4: node.flags[0].icon: is not a known field",
		"x.json:13: operations[0].retries: is not a known field",
	}
	var got []string
	for _, p := range problems {
		if !p.Unknown {
			t.Errorf("%v is not marked Unknown", p)
		}
		got = append(got, p.Error())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	out := string(s.Encode())
	for _, kept := range []string{`"colour": 1.10`, `"retries": 12345678901234567890`, `"<"`} {
		if !strings.Contains(out, kept) {
			t.Errorf("%s is lost in\n%s", kept, out)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	files, _ := filepath.Glob("core/tools/*/map.json")
	contents := map[string]string{
		"record":     seedRecord,
		"operations": `{"operations": [` + seedRecord + `], "note": "kept"}`,
		"versions":   `{"schema": 1, "tool": "x", "version": "1.10", "version_range": ">=1.10,<2", "node": {"name": "x"}, "operations": [` + operationWith("version", `"2.0"`) + `]}`,
		"evidence":   operationWith("evidence", `["dry_run", {"kind": "human_review", "date": "2026-06-03T00:00:00Z", "tool_version": "1.2", "hash": "ab", "by": "me", "why": "x"}]`),
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		contents[f] = string(data)
	}
	for name, data := range contents {
		first, problems := Parse("f", []byte(data), ParseOptions{})
		if err := problems.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		out := first.Encode()
		again, problems := Parse("f", out, ParseOptions{})
		if err := problems.Err(); err != nil {
			t.Errorf("%s: written as what cannot be read: %v", name, err)
			continue
		}
		if diff := cmp.Diff(first, again, cmp.AllowUnexported(Source{}), cmpopts.IgnoreUnexported(Operation{}, Parameter{})); diff != "" {
			t.Errorf("%s changes when written (-first +again):\n%s", name, diff)
		}
	}
}

func TestVersionsSurvive(t *testing.T) {
	s, _ := Parse("f", []byte(`{"schema": 1, "tool": "x", "version": "1.10", "version_range": ">=1.10", "node": {"name": "x"}}`), ParseOptions{})
	if s.Version != "1.10" || s.VersionRange != ">=1.10" {
		t.Fatalf("read as %q and %q", s.Version, s.VersionRange)
	}
	out := string(s.Encode())
	if !strings.Contains(out, `"version": "1.10"`) || !strings.Contains(out, `"version_range": "\u003e=1.10"`) && !strings.Contains(out, `"version_range": ">=1.10"`) {
		t.Errorf("written as %s", out)
	}
}

func TestReservedIDIsAWarning(t *testing.T) {
	_, problems := Parse("f", []byte(operationWith("id", `"artifact.publish_draft"`)), ParseOptions{})
	if err := problems.Err(); err != nil {
		t.Errorf("refused: %v", err)
	}
	if len(problems) != 1 || problems[0].Field != "id" || problems[0].Severity != Warning {
		t.Errorf("problems %v, want one warning at id", problems)
	}
}

func TestHashIsOfWhatTheOperationDoes(t *testing.T) {
	hash := func(data string) string {
		s, problems := Parse("f", []byte(data), ParseOptions{})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		return s.Hash(s.Operations[0])
	}
	base := hash(operationWith("verified", "false"))
	for _, same := range []string{
		operationWith("verified", "true"),
		operationWith("evidence", `["human_review"]`),
		strings.ReplaceAll(operationWith("verified", "true"), "\n", "  "),
	} {
		if hash(same) != base {
			t.Errorf("the hash differs for %s", same)
		}
	}
	for _, other := range []string{
		operationWith("template", `"x destroy <p>"`),
		operationWith("risk", `"high"`),
		operationWith("intent", `["do another thing"]`),
		operationWith("when", `{"files": ["a"]}`),
		operationWith("later", `1`),
	} {
		if hash(other) == base {
			t.Errorf("the hash is the same for %s", other)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range bad {
		f.Add([]byte(tt.data))
	}
	f.Add([]byte(seedRecord))
	for _, file := range []string{"core/tools/git/map.json", "core/tools/tmp/map.json"} {
		if data, err := os.ReadFile(file); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, problems := Parse("f", data, ParseOptions{})
		if s == nil && problems.Err() == nil {
			t.Fatal("neither a source nor an error")
		}
		if problems.Err() != nil {
			return
		}
		again, problems := Parse("f", s.Encode(), ParseOptions{})
		if err := problems.Err(); err != nil {
			t.Fatalf("%q is written as what is refused: %v", data, err)
		}
		if diff := cmp.Diff(s, again, cmp.AllowUnexported(Source{}), cmpopts.IgnoreUnexported(Operation{}, Parameter{})); diff != "" {
			t.Fatalf("%q changes when written:\n%s", data, diff)
		}
	})
}
