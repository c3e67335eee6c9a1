package opmap

import (
	"fmt"
	"strings"
	"testing"
)

// mapOf is a source of one operation; param is that of its slot <p>.
func mapOf(t *testing.T, file, id, intent, param, template, when string) *Source {
	t.Helper()
	cond := ""
	if when != "" {
		cond = fmt.Sprintf(`, "when": {"files": [%q]}`, when)
	}
	params := ""
	if param != "" {
		params = `, "parameters": [` + param + `]`
	}
	s, problems := Parse(file, []byte(fmt.Sprintf(
		`{"operations": [{"id": %q, "surface": "cli", "intent": [%q], "template": %q, "effect": "read-only", "risk": "low"%s%s}]}`,
		id, intent, template, params, cond)), ParseOptions{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCollisions(t *testing.T) {
	const open, closed = `{"name": "p", "required": true}`, `{"name": "p", "required": true, "resolver": "x:things"}`
	own := mapOf(t, "own.json", "own.op", "show the <p>", open, "x show <p>", "")
	for _, tt := range []struct {
		name  string
		other *Source
		want  string // "" for none
		sev   Severity
	}{
		{"another word", mapOf(t, "o.json", "o.op", "hide the thing", "", "y", ""), "", 0},
		{"a word for an open slot", mapOf(t, "o.json", "o.op", "show the log", "", "y log", ""), `"show the <p>" of own.op collides with "show the log" of o.op (o.json:1: operations[0].intent)`, Error},
		{"another number of words", mapOf(t, "o.json", "o.op", "show the whole log", "", "y log", ""), "", 0},
		{"a slot for a slot", mapOf(t, "o.json", "o.op", "show the <p>", closed, "y <p>", ""), "collides", Error},
		{"only in some places", mapOf(t, "o.json", "o.op", "show the log", "", "y log", "Cargo.toml"), "collides", Warning},
		{"an option", mapOf(t, "o.json", "o.op", "show the --all", "", "y --all", ""), "", 0},
		{"the same operation", mapOf(t, "o.json", "own.op", "show the log", "", "y log", ""), "", 0},
	} {
		got := Collisions([]*Source{own}, nil, []*Source{tt.other})
		switch {
		case tt.want == "" && len(got) > 0:
			t.Errorf("%s: %v", tt.name, got[0])
		case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0].Error(), tt.want) || got[0].Severity != tt.sev):
			t.Errorf("%s: %v, want %q", tt.name, got, tt.want)
		case tt.want != "" && (got[0].File != "own.json" || got[0].Field != "operations[0].intent"):
			t.Errorf("%s: it is told of %s: %s", tt.name, got[0].File, got[0].Field)
		}
	}
	// A slot with a resolver takes what the resolver has, and a map cannot tell.
	own = mapOf(t, "own.json", "own.op", "show the <p>", closed, "x show <p>", "")
	if got := Collisions([]*Source{own}, nil, []*Source{mapOf(t, "o.json", "o.op", "show the log", "", "y log", "")}); len(got) > 0 {
		t.Errorf("a closed slot: %v", got[0])
	}
	// The record of the highest layer counts.
	core := mapOf(t, "core.json", "git.x", "show the log", "", "y", "")
	user := mapOf(t, "user.json", "git.x", "show the journal", "", "y", "")
	own = mapOf(t, "own.json", "own.op", "show the log", "", "y", "")
	if got := Collisions([]*Source{own}, nil, []*Source{core}, []*Source{user}); len(got) > 0 {
		t.Errorf("with a record that another replaces: %v", got[0])
	}
}

// TestSeedIntents: the record as it is printed loads; that "test" names no object
// is told.
func TestSeedIntents(t *testing.T) {
	s, _ := Parse("cargo.json", []byte(seedRecord), ParseOptions{})
	got := Generic([]*Source{s}, Warning)
	if len(got) != 1 || !strings.Contains(got[0].Error(), `cargo.json:2: intent: "test" of cargo.test names no object`) {
		t.Errorf("%v", got)
	}
	for _, p := range CheckIntents([]*Source{s}, nil, "", Warning) {
		if p.Severity == Error {
			t.Errorf("it is refused: %v", p)
		}
	}
}

// TestCollisionsHere: in a project only what applies there collides, and the
// source of the map that ships is named.
func TestCollisionsHere(t *testing.T) {
	dir := t.TempDir()
	own := []*Source{mapOf(t, "own.json", "own.test", "run the tests", "", "./test.sh", "")}
	if got := CheckIntents(own, nil, dir, Warning); len(got) != 0 {
		t.Errorf("in no package: %v", got)
	}
	write(t, dir+"/go.mod", "module x\n")
	got := CheckIntents(own, nil, dir, Warning)
	if len(got) != 1 || got[0].Severity != Error || !strings.Contains(got[0].Error(), "of go.test (core/tools/go/map.json:") {
		t.Errorf("in a Go module: %v", got)
	}
	if got := CheckIntents(own, nil, "", Warning); len(got) != 6 || got.Err() != nil { // bun, cargo, go, npm, pnpm and yarn
		t.Errorf("of the user: %v", got)
	}
}
