package tgp

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the map of tgp anew")

// TestMap holds the map of tgp, from which Tab completes, to the table of commands.
func TestMap(t *testing.T) {
	const file = "../../opmap/core/tools/tgp/map.json"
	type spec map[string]any
	flags := func(list []option) []spec {
		var out []spec
		for _, f := range list {
			names := []string{f.name}
			if f.short != "" {
				names = []string{f.short, f.name}
			}
			s := spec{"names": names, "value": "none", "description": f.text}
			if f.value != "" {
				s["value"] = "required"
			}
			switch f.value {
			case "DIR":
				s["value_spec"] = spec{"dir": true}
			case "FILE":
				s["value_spec"] = spec{"file": true}
			case "D":
				s["value_spec"] = spec{"type": "duration"}
			}
			if strings.Contains(f.value, "|") && strings.ToLower(f.value) == f.value {
				s["value_spec"] = spec{"enum": strings.Split(f.value, "|")}
			}
			out = append(out, s)
		}
		return out
	}
	node := spec{"name": "tgp", "description": "A forge where agents write tools that cannot hurt", "flags": append(flags(everywhere), spec{"names": []string{"--version"}, "value": "none", "description": "Show the version"})}
	var subs []spec
	for _, c := range commands() {
		s := spec{"name": c.name, "description": c.text, "flags": flags(append(append([]option{}, c.flags...), everywhere...))}
		var examples []spec
		for _, e := range c.examples {
			examples = append(examples, spec{"line": e[0], "text": e[1]})
		}
		s["examples"] = examples
		switch word, _, _ := strings.Cut(strings.Trim(c.args, "[]"), " "); {
		case strings.HasPrefix(word, "FILE"):
			s["args"] = []spec{{"name": "file", "value_spec": spec{"file": true}, "required": c.least > 0, "repeatable": c.most < 0, "description": "A file of TypeScript"}}
		case strings.HasPrefix(word, "TOOL"):
			s["args"] = []spec{{"name": "tool", "value_spec": spec{"file": true}, "required": c.least > 0, "repeatable": c.most < 0, "description": "CATEGORY/NAME, a name that is unique, an ID, or a file"}}
		}
		if c.name == "key" {
			s["args"] = []spec{{"name": "what", "value_spec": spec{"enum": []string{"generate", "list", "show", "trust"}}, "required": true, "description": "What to do"}, {"name": "key", "description": "A name, or a public key"}}
		}
		if c.name == "add" {
			s["args"] = append(s["args"].([]spec), spec{"name": "as", "required": true, "description": "CATEGORY/NAME"})
		}
		subs = append(subs, s)
	}
	node["subcommands"] = subs
	data, err := json.MarshalIndent(spec{"schema": 1, "tool": "tgp", "version_range": "", "provenance": "curated", "verified": true, "evidence": []string{}, "node": node}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, '\n')
	if *update {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(file)
	if err != nil || string(old) != string(data) {
		t.Errorf("%s is not what the table of commands says: go test ./internal/cli/tgp -run TestMap -update, then go generate ./internal/opmap", file)
	}
}
