package rtk

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseProblems(t *testing.T) {
	const head = "schema_version = 1\n[filters.f]\nmatch_command = '^f$'\n"
	for _, c := range []struct {
		text   string
		want   string // of the first problem, "" for none
		effect Effect
	}{
		{head + "strip_ansi = true", "", Remark},
		{"\ufeff" + head + "strip_ansi = true", "", Remark},
		{"[filters.f]\nmatch_command = '^f$'\nstrip_ansi = true\n", "f.toml: schema_version: is missing", Rejects},
		{"schema_version = 2\n", "f.toml:1: schema_version: 2 is not known", Rejects},
		{"schema_version = '1'\n", "f.toml:1: schema_version: 1 is not known", Rejects},
		{"schema_version = 1\n\n[filters.f]\nstrip_ansi = true\n", "f.toml:3: filters.f.match_command: is missing", Rejects},
		{head + "strip_ansi_typo = true", "f.toml:4: filters.f.strip_ansi_typo: is not known", Rejects},
		{head + "Strip_ansi = true", "f.toml:4: filters.f.Strip_ansi: is not known", Rejects},
		{head + "\nreplace = [\n  {pattern = 'a', replacement = ''},\n  {pattern = 'b', with = ''},\n]", "f.toml:7: filters.f.replace[1].with: is not known", Rejects},
		{head + "[[filters.f.match_output]]\npattern = 'a'\nmessage = 'm'\n[[filters.f.match_output]]\npattern = 'a'\nmessage = 'm'\nonly = 'x'", "f.toml:10: filters.f.match_output[1].only: is not known", Rejects},
		{head + "strip_ansi = true\n[[tests.f]]\nname = 'n'\ninput = ''\nexpected = ''\nexit_code = 0", "f.toml:9: tests.f[0].exit_code: is not known", Rejects},
		{head + "strip_ansi = true\n[[tests.f]]\nname = 'n'\ninput = ''\n", "f.toml:5: tests.f[0].expected: is missing", Rejects},
		{head + "max_lines = -1", "f.toml:4: filters.f.max_lines: -1 is negative", Rejects},
		{head + "max_lines = 2.5", "f.toml:4: filters.f.max_lines: is a number with a fraction: want an integer", Rejects},
		{head + "strip_ansi = 'yes'", "f.toml:4: filters.f.strip_ansi: is a string: want true or false", Rejects},
		{head + "strip_lines_matching = 'x'", "f.toml:4: filters.f.strip_lines_matching: is a string: want an array of strings", Rejects},
		{head + "strip_lines_matching = [\n 'x',\n 3 ]", "f.toml:6: filters.f.strip_lines_matching[1]: is an integer: want a string", Rejects},
		{head + "replace = ['x']", "f.toml:4: filters.f.replace[0]: is a string: want a table", Rejects},
		{"schema_version = 1\nfilters = 3", "f.toml:2: filters: is an integer: want a table", Rejects},
		{"schema_version = 1\n[filters.f", "f.toml:2: ", Rejects},
		{head + "strip_lines_matching = ['[']", "f.toml:4: filters.f.strip_lines_matching[0]: the expression '[': a class is not closed", LeavesOut},
		{head + "strip_lines_matching = ['a']\nkeep_lines_matching = ['b']", "f.toml:5: filters.f.keep_lines_matching: does not go together", LeavesOut},
		{"schema_version = 1\n[filters.f]\nstrip_ansi = true\nmatch_command = 'f'", "f.toml:4: filters.f.match_command: the branch 'f' does not begin with ^", LeavesOut},
		{"schema_version = 1\n[filters.f]\nstrip_ansi = true\nmatch_command = '^a|b'", "f.toml:4: filters.f.match_command: the branch 'b' does not", LeavesOut},
		{"schema_version = 1\n[filters.f]\nstrip_ansi = true\nmatch_command = '(?i)^a( x|y)|(?s)^[|]'", "", Remark},
		{"schema_version = 1\n[filters.f]\nstrip_ansi = true\nmatch_command = '(^a|^b)'", "f.toml:4: filters.f.match_command: the branch '(^a|^b)' does not", LeavesOut},
		{"schema_version = 1\n[filters.f]\nstrip_ansi = true\nmatch_command = '^cargo\\b'", "f.toml:4: filters.f.match_command: RTK handles cargo itself", Remark},
		{"schema_version = 1\n[filters.f]\nstrip_ansi = true\nmatch_command = '^\\./scripts/codegen\\b'", "f.toml:4: filters.f.match_command: can match nothing: './scripts/codegen' holds a /", Remark},
		{head + "on_empty = 'f: ok'", `f.toml:4: filters.f.on_empty: says "ok", and is printed when the command failed too`, Remark},
		{head + "on_empty = 'f: not ok'", "", Remark},
		{head + "match_output = [{pattern = 'x', message = 'All good ✓'}]", `f.toml:4: filters.f.match_output[0].message: says "✓" whatever`, Remark},
		{head + "match_output = [{pattern = 'x', message = 'fine', unless = 'rror'}]", "", Remark},
		{head, "f.toml:2: filters.f: leaves every output as it is", Remark},
		{head + "strip_ansi = true\n[[tests.g]]\nname = 'n'\ninput = ''\nexpected = ''", "f.toml:5: tests.g: there is no filter of this name", Remark},
		{"other = 1\n" + head + "strip_ansi = true", "f.toml:1: other: has no meaning here", Remark},
		{head + "strip_ansi = true\n[filters.\"a b\"]\nmatch_command = '^ab'\nx = 1", `f.toml:7: filters."a b".x: is not known`, Rejects},
	} {
		f, problems := Parse("f.toml", []byte(c.text))
		switch {
		case c.want == "" && len(problems) > 0:
			t.Errorf("%s\n%v", c.text, problems)
		case c.want == "":
		case len(problems) == 0 || !strings.HasPrefix(problems[0].Error(), c.want):
			t.Errorf("%s\ngot  %v\nwant %s", c.text, problems, c.want)
		case problems[0].Effect != c.effect:
			t.Errorf("%s\n%s, want %s", c.text, problems[0].Effect, c.effect)
		}
		if (f == nil) != (Worst(problems) == Rejects) {
			t.Errorf("%s: file %v", c.text, f)
		}
	}
}

// The filter that seed 000 prints is no filter that RTK takes: this says why.
func TestSeedExample(t *testing.T) {
	const seed = `[filters.scripts-codegen]
description = "Compact scripts.codegen output"
match_command = "^\\./scripts/codegen\\b"
strip_ansi = true
strip_lines_matching = [
"^\\s*$",
"^Generated unchanged file:",
"^Checking cache"
]
max_lines = 80
on_empty = "scripts.codegen: ok"
[[tests.scripts-codegen]]
name = "preserves generated file and error summary"
input = "..."
expected = "..."`
	_, problems := Parse("filters.toml", []byte(seed))
	if Worst(problems) != Rejects || problems[0].Error() != "filters.toml: schema_version: is missing: want schema_version = 1" {
		t.Errorf("%v", problems)
	}
	f, problems := Parse("filters.toml", []byte("schema_version = 1\n"+seed))
	var got []string
	for _, p := range problems {
		got = append(got, p.Error())
	}
	want := []string{
		`filters.toml:4: filters.scripts-codegen.match_command: can match nothing: './scripts/codegen' holds a /, and RTK tests the base name of the program`,
		`filters.toml:12: filters.scripts-codegen.on_empty: says "ok", and is printed when the command failed too`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if f.For([]string{"./scripts/codegen"}) != nil {
		t.Error("it matches what it cannot match")
	}
}

func TestRunTests(t *testing.T) {
	f, problems := Parse("f", []byte(`schema_version = 1
[filters.a]
match_command = '^a$'
strip_lines_matching = ['^x']

[[tests.a]]
name = "passes, whatever newlines stand at the end"
input = """
x1
y
"""
expected = "y\n\n"

[[tests.a]]
name = "fails"
input = "x\ny"
expected = "x"

[filters.b]
match_command = '^b$'
max_lines = 1

[filters.c]
match_command = 'c'
max_lines = 1

[[tests.c]]
name = "of a filter that is left out"
input = ""
expected = ""
`))
	if f == nil {
		t.Fatal(problems)
	}
	out := f.RunTests()
	if len(out) != 2 || !out[0].Passed || out[1].Passed || out[1].Actual != "y" || out[1].Line != 14 {
		t.Errorf("%+v", out)
	}
	if got := f.Untested(); !slices.Equal(got, []string{"b"}) {
		t.Errorf("%v", got)
	}
}

func TestFor(t *testing.T) {
	f, _ := Parse("f", []byte("schema_version = 1\n[filters.z]\nmatch_command = '^t'\nmax_lines = 1\n[filters.a]\nmatch_command = '^tool build'\nmax_lines = 2\n[filters.c]\nmatch_command = '^cargo'\nmax_lines = 1"))
	for line, want := range map[string]string{"tool build x": "a", "/opt/tool build": "a", "tool": "z", "cargo test": "", "./cargo test": "c", "other": ""} {
		got := ""
		if filter := f.For(strings.Fields(line)); filter != nil {
			got = filter.Name
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// What Encode writes, Parse reads back as it was.
func TestEncodeParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("a\"'\\\n\r\t\x1b\x00é=#[]")))
		want := Test{Filter: text.Draw(t, "filter"), Name: text.Draw(t, "name"), Input: text.Draw(t, "input"), Expected: text.Draw(t, "expected")}
		f := &Filter{Name: want.Filter, Description: text.Draw(t, "description"), MatchCommand: "^x", StripLines: []string{"^" + rapid.StringOf(rapid.RuneFrom([]rune("a'\"\n\té"))).Draw(t, "line")}}
		encoded := "schema_version = 1\n\n" + Encode(f, []Test{want}, []string{"draft\nof a filter"})
		file, problems := Parse("f", []byte(encoded))
		if file == nil || len(file.Filters) != 1 || len(file.Tests) != 1 {
			t.Fatalf("%v\n%s", problems, encoded)
		}
		got := file.Tests[0]
		if got.Line == 0 || strings.Split(encoded, "\n")[got.Line-1] != "[[tests."+quoteKey(want.Filter)+"]]" {
			t.Fatalf("line %d of\n%s", got.Line, encoded)
		}
		got.Line = 0
		if got != want || file.Filters[0].Description != f.Description || file.Filters[0].StripLines[0] != f.StripLines[0] {
			t.Fatalf("%+v\n%+v\n%s", got, want, encoded)
		}
	})
}

func FuzzParse(f *testing.F) {
	seeds, _ := os.ReadFile("testdata/filters.toml")
	f.Add(string(seeds), "a\nb\r\n\x1b[1mc")
	f.Add("schema_version = 1\n[filters.f]\nmatch_command = '^f'\nreplace = [{pattern = '\\b', replacement = '$0'}]\nhead_lines = 1\ntail_lines = 1", "é a")
	f.Add("schema_version = 1\n[filters.'a.b']\nmatch_command = '^f' # x\nmatch_output = [\n {pattern='a', message='''m'''}, ]", "a")
	f.Fuzz(func(t *testing.T, text, output string) {
		file, problems := Parse("f", []byte(text))
		for _, p := range problems {
			if p.Line < 0 || p.Line > strings.Count(text, "\n")+1 || p.Error() == "" {
				t.Errorf("%+v", p)
			}
		}
		if file == nil {
			if Worst(problems) != Rejects {
				t.Error("no file and no reason")
			}
			return
		}
		for _, filter := range file.Filters {
			got := filter.Apply(output)
			if again := filter.Apply(output); again != got {
				t.Errorf("%q, then %q", got, again)
			}
			if filter.MaxLines != nil && len(filter.MatchOutput) == 0 && filter.OnEmpty == nil && len(filter.Replace) == 0 && strings.Count(got, "\n") > *filter.MaxLines {
				t.Errorf("%d lines and more: %q", *filter.MaxLines, got)
			}
		}
		file.RunTests()
	})
}
