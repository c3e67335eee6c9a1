package splice

import (
	"bytes"
	"encoding/json"
	"testing"
)

// Each row: a file, and what it is with one element more at hooks.Pre.
var inserts = []struct{ name, before, after string }{
	{"nothing", "", "{\n  \"hooks\": {\n    \"Pre\": [\n      {\n        \"c\": 1\n      }\n    ]\n  }\n}\n"},
	{"empty object", "{}\n", "{\n  \"hooks\": {\n    \"Pre\": [\n      {\n        \"c\": 1\n      }\n    ]\n  }\n}\n"},
	{"one line", `{"a":1}`, `{"a":1, "hooks": {"Pre": [{"c": 1}]}}`},
	{"one line, list there", `{"hooks":{"Pre":[{"x":2}]}}` + "\n", `{"hooks":{"Pre":[{"x":2}, {"c": 1}]}}` + "\n"},
	{"mark", "\ufeff{\n  \"a\": 1\n}", "\ufeff{\n  \"a\": 1,\n  \"hooks\": {\n    \"Pre\": [\n      {\n        \"c\": 1\n      }\n    ]\n  }\n}"},
	{
		"comments", "{\n  // first\n  \"a\": 1 // one, and\n  /* last */\n}\n",
		"{\n  // first\n  \"a\": 1, // one, and\n  /* last */\n  \"hooks\": {\n    \"Pre\": [\n      {\n        \"c\": 1\n      }\n    ]\n  }\n}\n",
	},
	{
		"trailing comma", "{\n\t\"hooks\": {\n\t\t\"Pre\": [\n\t\t\t{\"x\": 1}, // mine\n\t\t],\n\t},\n}\n",
		"{\n\t\"hooks\": {\n\t\t\"Pre\": [\n\t\t\t{\"x\": 1}, // mine\n\t\t\t{\n\t\t\t\t\"c\": 1\n\t\t\t},\n\t\t],\n\t},\n}\n",
	},
	{
		"CRLF, four blanks", "{\r\n    \"a\": 1\r\n}\r\n",
		"{\r\n    \"a\": 1,\r\n    \"hooks\": {\r\n        \"Pre\": [\r\n            {\r\n                \"c\": 1\r\n            }\r\n        ]\r\n    }\r\n}\r\n",
	},
	{"empty list", "{\n  \"hooks\": { \"Pre\": [] },\n  \"b\": 2\n}\n", "{\n  \"hooks\": { \"Pre\": [\n    {\n      \"c\": 1\n    }\n  ] },\n  \"b\": 2\n}\n"},
	{"comment alone", "// nothing yet\n", "// nothing yet\n\n{\n  \"hooks\": {\n    \"Pre\": [\n      {\n        \"c\": 1\n      }\n    ]\n  }\n}\n"},
	{"comment in an empty list", "{\"hooks\": {\"Pre\": [\n  // none\n]}}", "{\"hooks\": {\"Pre\": [\n  // none\n  {\n    \"c\": 1\n  }\n]}}"},
	{"comma in a comment", "{\"hooks\": {\"Pre\": [1 /* a, b */]}}", "{\"hooks\": {\"Pre\": [1, {\"c\": 1} /* a, b */]}}"},
}

const element = "{\n  \"c\": 1\n}"

func isOurs(n *Node) bool { return n.Get("c") != nil }

func never([]string) bool { return false }

func TestInsert(t *testing.T) {
	for _, tc := range inserts {
		got, err := Insert([]byte(tc.before), []string{"hooks", "Pre"}, element, "")
		if err != nil || string(got) != tc.after {
			t.Errorf("%s: %v\n got %q\nwant %q", tc.name, err, got, tc.after)
			continue
		}
		root, err := Parse(got)
		list := root.At("hooks", "Pre")
		if err != nil || list == nil || !isOurs(list.Elements[len(list.Elements)-1]) {
			t.Errorf("%s: the element is not last: %v", tc.name, err)
		}
		left, err := Remove(got, []string{"hooks", "Pre"}, isOurs, never)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if after, err := Parse(left); err != nil || after.At("hooks", "Pre") != nil && len(after.At("hooks", "Pre").Elements) > 0 && isOurs(after.At("hooks", "Pre").Elements[0]) {
			t.Errorf("%s: taken out: %v %q", tc.name, err, left)
		}
	}
}

// What is taken out later takes nothing else along.
func TestRemove(t *testing.T) {
	for _, tc := range []struct{ before, after string }{
		{`{"hooks":{"Pre":[{"x":2}, {"c": 1}]}}`, `{"hooks":{"Pre":[{"x":2}]}}`},
		{`{"hooks":{"Pre":[{"c": 1}, {"x":2}]}}`, `{"hooks":{"Pre":[ {"x":2}]}}`},
		{"{\"hooks\":{\"Pre\":[\n  {\"c\": 1}, // ours\n  {\"x\":2} // mine\n]}}", "{\"hooks\":{\"Pre\":[ // ours\n  {\"x\":2} // mine\n]}}"},
		{"{\n  \"a\": 1, // one\n  \"hooks\": {\"Pre\": [{\"c\": 1}]}\n}", "{\n  \"a\": 1 // one\n}"},
		{"{\n  \"hooks\": {\"Pre\": [{\"c\": 1}]},\n  \"b\": 1\n}", "{\n  \"b\": 1\n}"},
		{"{\n  \"hooks\": {\"Pre\": [{\"c\": 1}], \"Post\": [1]}\n}", "{\n  \"hooks\": { \"Post\": [1]}\n}"},
		{`{"hooks":{"Pre":[{"c":1},{"c":2},3]}}`, `{"hooks":{"Pre":[3]}}`},
		{`{"hooks":{"Post":[1]}}`, `{"hooks":{"Post":[1]}}`},
	} {
		got, err := Remove([]byte(tc.before), []string{"hooks", "Pre"}, isOurs, never)
		if err != nil || string(got) != tc.after {
			t.Errorf("%s: %v\n got %q\nwant %q", tc.before, err, got, tc.after)
		}
	}
	keep := func(p []string) bool { return len(p) < 2 }
	if got, _ := Remove([]byte(`{"hooks":{"Pre":[{"c":1}]}}`), []string{"hooks", "Pre"}, isOurs, keep); string(got) != `{"hooks":{}}` {
		t.Errorf("%s", got)
	}
}

func TestBroken(t *testing.T) {
	for _, s := range []string{"{", `{"a"}`, `{"a":1,,}`, `{"a":1}}`, `{'a':1}`, "{\"a\": /* ", `[1 2]`, `{"a": nul}`, "\xff{}", `{"a":"\x"}`} {
		if got, err := Insert([]byte(s), []string{"hooks"}, element, ""); err == nil {
			t.Errorf("%q became %q", s, got)
		}
	}
	for _, s := range []string{`[]`, `{"hooks":[]}`, `{"hooks":{"Pre":{}}}`, `{"hooks":1}`, `"x"`} {
		if got, err := Insert([]byte(s), []string{"hooks", "Pre"}, element, ""); err == nil {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func TestTables(t *testing.T) {
	lines := []string{`event = "P"`, `command = "x"`}
	for _, tc := range []struct{ name, before, after string }{
		{"nothing", "", "[[hooks]]\nevent = \"P\"\ncommand = \"x\"\n"},
		{"last", "a = 1\n[t]\nb = 2", "a = 1\n[t]\nb = 2\n\n[[hooks]]\nevent = \"P\"\ncommand = \"x\"\n"},
		{"CRLF", "a = 1\r\n", "a = 1\r\n\r\n[[hooks]]\r\nevent = \"P\"\r\ncommand = \"x\"\r\n"},
		{"empty list", "hooks = []\na = 1\n", "hooks = [{ event = \"P\", command = \"x\" }]\na = 1\n"},
		{"list", "hooks = [{ event = \"Q\" }] # mine\na = 1\n", "hooks = [{ event = \"Q\" }, { event = \"P\", command = \"x\" }] # mine\na = 1\n"},
	} {
		got, err := AppendTable([]byte(tc.before), "hooks", lines)
		if err != nil || string(got) != tc.after {
			t.Errorf("%s: %v\n got %q\nwant %q", tc.name, err, got, tc.after)
		}
	}
	text := "a = '''\n[[hooks]]\n'''\n\n[[hooks]]\ncommand = 'one' # c\n\n# of the next\n[[ hooks ]]\nevent = \"P\"\ncommand = \"'/t' k\"\n\n[x]\n"
	tables := Tables([]byte(text), "hooks")
	if len(tables) != 2 || tables[0].Values["command"] != "one" || tables[1].Values["command"] != "'/t' k" {
		t.Fatalf("%+v", tables)
	}
	if got := string(CutTable([]byte(text), tables[0])); got != "a = '''\n[[hooks]]\n'''\n\n# of the next\n[[ hooks ]]\nevent = \"P\"\ncommand = \"'/t' k\"\n\n[x]\n" {
		t.Errorf("%q", got)
	}
}

// A list that is written in one is read and changed as such.
func TestInlineTables(t *testing.T) {
	text := "hooks = [{ event = \"Q\" }, { command = \"x\", timeout = 5 }] # mine\na = 1\n"
	tables := Tables([]byte(text), "hooks")
	if len(tables) != 2 || tables[1].Values["command"] != "x" || tables[1].Values["timeout"] != "5" {
		t.Fatalf("%+v", tables)
	}
	if got := string(CutTable([]byte(text), tables[1])); got != "hooks = [{ event = \"Q\" }] # mine\na = 1\n" {
		t.Errorf("%q", got)
	}
	if got := string(CutTable([]byte(text), tables[0])); got != "hooks = [{ command = \"x\", timeout = 5 }] # mine\na = 1\n" {
		t.Errorf("%q", got)
	}
}

// Whatever goes in comes out as JSON that holds the element, or not at all.
func FuzzInsert(f *testing.F) {
	for _, tc := range inserts {
		f.Add(tc.before)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Insert([]byte(text), []string{"hooks", "Pre"}, element, "")
		if err != nil {
			return
		}
		root, err := Parse(got)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		list := root.At("hooks", "Pre")
		if list == nil || !isOurs(list.Elements[len(list.Elements)-1]) {
			t.Fatalf("%q became %q", text, got)
		}
		if json.Valid([]byte(text)) && !json.Valid(bytes.TrimPrefix(got, []byte(bom))) {
			t.Fatalf("%q became %q, which is no JSON", text, got)
		}
		left, err := Remove(got, []string{"hooks", "Pre"}, isOurs, never)
		if err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		if _, err := Parse(left); err != nil {
			t.Fatalf("%q became %q: %v", got, left, err)
		}
	})
}
