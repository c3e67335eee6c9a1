package spec

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// TestToolNames: what a shell reads otherwise than as a word is no tool's name,
// in whichever way it comes.
func TestToolNames(t *testing.T) {
	for _, name := range []string{"e$(id)", "a;b", "a|b", "a&b", "x>y", "`id`", `a"b`, "a'b", `a\b`, "~a", "a*", "!x", "#x", "a=b", "a b", "-x", "../x", "a\x00b", "a\x1b[31m"} {
		for _, x := range []struct{ file, text string }{
			{"x.json", `{"schema": 1, "tool": ` + quoted(name) + `, "node": {"name": ` + quoted(name) + `}}`},
			{"x.yaml", "name: " + quoted(name) + "\n"},
			{"x.usage.kdl", "bin " + strings.ReplaceAll(strings.ReplaceAll(quoted(name), `\u0000`, `\u{0}`), `\u001b`, `\u{1b}`) + "\n"},
		} {
			if x.file == "x.yaml" && name == "a b" {
				continue // its name ends at the blank: arguments follow
			}
			s, err := Read(t.Context(), x.file, []byte(x.text), options())
			if err == nil {
				t.Errorf("%s: %q is a tool: %q", x.file, name, s.Tool)
			}
		}
		o := options()
		o.Name = name
		if _, err := Read(t.Context(), "x.yaml", []byte("name: fine\n"), o); err == nil {
			t.Errorf("--name %q is taken", name)
		}
	}
	for _, name := range []string{"g++", "7z", "[", "python3.11", "x86_64-linux-gnu-gcc", "a_b", "a@b", "ü"} {
		if s, err := Read(t.Context(), "x.yaml", []byte("name: "+quoted(name)+"\n"), options()); err != nil || s.Tool != name {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\x00", `\u0000`, "\x1b", `\u001b`).Replace(s) + `"`
}

// TestTwice: a key that a spec gives twice is a fault that names the line.
func TestTwice(t *testing.T) {
	for _, x := range []struct {
		text string
		line int
	}{
		{"name: one\ndescription: d\nname: two\n", 3},
		{"name: one\nflags:\n  -a: first\n  -a: second\n", 4},
		{"name: one\ncommands:\n  - name: sub\n    hidden: true\n    name: other\n", 5},
		{"{\"name\": \"one\",\n \"description\": \"d\",\n \"name\": \"two\"}\n", 3},
	} {
		o := options()
		o.Format = Carapace
		_, err := Read(t.Context(), "x.yaml", []byte(x.text), o)
		var p *opmap.Problem
		if !errors.As(err, &p) || p.Line != x.line || !strings.Contains(p.Reason, "a second time") {
			t.Errorf("%q: %v, want line %d", x.text, err, x.line)
		}
	}
	// What "<<" takes over may be said otherwise.
	const merged = "name: one\nflags: &f\n  -a: first\ncommands:\n  - name: sub\n    flags:\n      <<: *f\n      -a: own\n"
	if s, err := Read(t.Context(), "x.yaml", []byte(merged), options()); err != nil || s.Node.Subcommands[0].Flags[0].Description != "own" {
		t.Errorf("a merge: %v", err)
	}
}

// TestControls: escape sequences leave nothing behind, and a NUL joins nothing.
func TestControls(t *testing.T) {
	const text = "name: one\ndescription: \"\\e[1;31mred\\e[0m and\\0black\"\nflags:\n  \"-a, --al\\0l\": \"x\\e]0;title\\ay\"\n  --ok: \"fi\\u009b31mne\"\ncommands:\n  - name: \"su\\0b\"\n  - name: \"\\e[31mred\"\n  - name: plain\ncompletion:\n  positional:\n    - [\"va\\0lue\\tone\\0two\", \"good\\t\\e[4mfine\\e[m\"]\n"
	s, err := Read(t.Context(), "x.yaml", []byte(text), options())
	if err != nil {
		t.Fatal(err)
	}
	s.Gaps = nil // they quote what was left out
	encoded := string(s.Encode())
	for _, left := range []string{"[1;31m", "[0m", "[31m", "31mne", "title", "[4m", "andblack", "--all", "\"sub\"", "\"value\": \"value\"", "onetwo"} {
		if strings.Contains(encoded, left) {
			t.Errorf("%q is left", left)
		}
	}
	fine := slices.ContainsFunc(s.Node.Flags, func(f *opmap.Flag) bool { return f.Names[0] == "--ok" && f.Description == "fine" })
	if s.Node.Description != "red and black" || !fine {
		t.Errorf("%q", encoded)
	}
	if n := s.Node.Subcommands; len(n) != 1 || n[0].Name != "plain" {
		t.Errorf("commands: %q", encoded)
	}
}
