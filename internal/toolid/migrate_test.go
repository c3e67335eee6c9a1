package toolid

import (
	"slices"
	"strings"
	"testing"
)

func TestMigrate(t *testing.T) {
	tests := []struct{ name, file, in, want, changes string }{
		{
			"toml", "agent.toml",
			"\ufeff# mcp.memory.seed stays in a comment\r\n[agent.ci]\r\nallow = [ 'mcp.memory.seed', # first\r\n  \"tool.fs.*\", \"read\"]\r\ndeny=[\"tool.fs.*\"]\r\nnote = \"\"\"\r\nmcp.memory.seed\"\"\"\r\n\"tool.exec\" = {allow = ['tool.*']}\r\nx = \"tool.exec here\"\r\n",
			"\ufeff# mcp.memory.seed stays in a comment\r\n[agent.ci]\r\nallow = [ 'memory.seed', # first\r\n  \"read\", \"write\", \"read\"]\r\ndeny=[\"read\", \"write\", \"edit\", \"apply_patch\", \"glob\", \"grep\"]\r\nnote = \"\"\"\r\nmcp.memory.seed\"\"\"\r\n\"bash\" = {allow = ['*']}\r\nx = \"tool.exec here\"\r\n",
			"3 4 5 8 8",
		},
		{
			"header", "a.toml", "[\"tool.exec\"]\nallow = []\n[b]\nallow=[]\nv = [\"tool.exec\"]", "[\"bash\"]\nallow = []\n[b]\nallow=[]\nv = [\"bash\"]", "1 5",
		},
		{
			"json", "a.json",
			"{ \"tool.fs.read\" :1,\n\"allow\":[\"tool.*\",{\"deny\":[\"tool.fs.*\"]}], \"s\":\"a \\\"tool.exec\\\"\", \"t\":\"mcp.memory\\u002ewrite\"}\n",
			"{ \"read\" :1,\n\"allow\":[\"*\",{\"deny\":[\"read\", \"write\", \"edit\", \"apply_patch\", \"glob\", \"grep\"]}], \"s\":\"a \\\"tool.exec\\\"\", \"t\":\"memory.write\"}\n",
			"1 2 2 2",
		},
		{"jsonl", "a.jsonl", "{\"id\":\"tool.exec\"}\n\n{\"id\":\"tool.http.fetch\"}", "{\"id\":\"bash\"}\n\n{\"id\":\"webfetch\"}", "1 3"},
		{
			"text", "README.md",
			"Use `tool.exec`, (mcp.memory.seed). Not tool.executor, xtool.exec, tool.exec.x, ./tool.exec, a/tool.exec or tool.exec/a.\n**tool.fs.write** \"tool.http.fetch\"",
			"Use `bash`, (memory.seed). Not tool.executor, xtool.exec, tool.exec.x, ./tool.exec, a/tool.exec or tool.exec/a.\n**write** \"webfetch\"",
			"1 1 2 2",
		},
		{"nothing", "a.json", "{\"a\": [1, true]}", "{\"a\": [1, true]}", ""},
	}
	for _, tt := range tests {
		got, err := Migrate(tt.file, []byte(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var lines []string
		for _, c := range got.Changes {
			lines = append(lines, string(rune('0'+c.Line)))
		}
		if string(got.Data) != tt.want || strings.Join(lines, " ") != tt.changes {
			t.Errorf("%s: changes at %v\n%q\nwant at %s\n%q", tt.name, lines, got.Data, tt.changes, tt.want)
		}
		again, err := Migrate(tt.file, got.Data)
		if err != nil || len(again.Changes) > 0 || string(again.Data) != string(got.Data) {
			t.Errorf("%s: again: %v, %v", tt.name, again.Changes, err)
		}
	}
}

func TestMigrateLeaves(t *testing.T) {
	for name, in := range map[string]string{
		"a.json":  `{"tool.exec":1,"bash":2}`,
		"b.json":  `{"mcp.memory.seed":1,"a":{},"memory.seed":2}`,
		"c.toml":  "\"tool.exec\" = 1\nbash = 2\n",
		"d.json":  `{"tool.exec":`,
		"e.toml":  "allow = [\"tool.exec\"\n",
		"f.jsonl": "{\"id\":\"tool.exec\"}\n{\"id\":\n",
		"g.txt":   "tool.exec\x00",
		"h.txt":   "tool.exec\xff",
	} {
		if got, err := Migrate(name, []byte(in)); err == nil || len(got.Changes) > 0 {
			t.Errorf("%s: changed %v, %v", name, got.Changes, err)
		}
	}
	// Two objects beside each other may each have one of the names.
	if _, err := Migrate("a.json", []byte(`[{"tool.exec":1},{"bash":2}]`)); err != nil {
		t.Error(err)
	}
}

func TestMigrateWarns(t *testing.T) {
	for name, in := range map[string]string{
		"a.txt":  "first\nallow tool.* and tool.fs.*\n",
		"a.json": "{\n\"x\": [\"tool.*\", \"tool.fs.*\"]}",
		"a.toml": "\nx = [\"tool.*\", 'tool.fs.*']",
	} {
		got, err := Migrate(name, []byte(in))
		if err != nil || len(got.Changes) > 0 || len(got.Warnings) != 2 || !strings.HasPrefix(got.Warnings[0], "line 2: ") {
			t.Errorf("%s: %v %v %v", name, got.Changes, got.Warnings, err)
		}
	}
}

func FuzzMigrate(f *testing.F) {
	for _, s := range []string{"a = \"tool.exec\"", `{"allow":["tool.*"]}`, "x '''tool.exec''''", "[a.\"tool.exec\"]\n", "\"\\", "a=[{b='\"'}]#\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, name := range []string{"a.toml", "a.json", "a.jsonl", "a.txt"} {
			got, err := Migrate(name, []byte(s))
			if err != nil {
				continue
			}
			again, err := Migrate(name, got.Data)
			if err != nil || len(again.Changes) > 0 {
				t.Fatalf("%s: %q became %q, which is changed again: %v, %v", name, s, got.Data, again.Changes, err)
			}
			if !slices.Equal(again.Data, got.Data) {
				t.Fatalf("%s: %q is not left alone", name, got.Data)
			}
		}
	})
}
