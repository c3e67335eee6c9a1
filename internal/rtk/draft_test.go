package rtk

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMatchCommand(t *testing.T) {
	for template, want := range map[string]string{
		"./scripts/codegen.sh":      `^codegen\.sh( |$)`,
		"make <target>":             `^make( |$)`,
		"npm run build":             `^npm run build( |$)`,
		"tool -C <dir> status":      `^tool( |$)`,
		"tool --dir=<dir> build":    "",
		"tool build --target=<t>":   "",
		"tool <required> then more": "",
	} {
		got := matchCommand(strings.Fields(template))
		re, err := compile(got)
		if err != nil {
			t.Errorf("%s: %v", template, err)
			continue
		}
		if want != "" && !strings.Contains(template, "-C") && got != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
		filled := strings.NewReplacer("<dir>", "some where", "<t>", "x", "<target>", "all", "<required>", "v").Replace(template)
		if line := CommandLine(strings.Fields(filled)); !re.match(line) {
			t.Errorf("%s does not match %s", got, line)
		}
		if line := "other " + CommandLine(strings.Fields(filled)); re.match(line) {
			t.Errorf("%s matches %s", got, line)
		}
	}
}

// The rules are worked out by hand: what is alike is one rule of whole lines,
// and what must stay is never taken.
func TestInduce(t *testing.T) {
	for _, c := range []struct {
		name, drop, keep string
		want             []string
	}{
		{"names and numbers", "Checking cache for user.tmpl (3 ms)\nChecking cache for order.tmpl (14 ms)", "", []string{`^Checking cache for [^ ]*[0-9/._:@-][^ ]* \([0-9]+ ms\)$`}},
		{"paths", "Generated unchanged file: gen/a.go\nGenerated unchanged file: gen/b.go", "wrote gen/c.go", []string{`^Generated unchanged file: [^ ]*/[^ ]*$`}},
		{"blanks", "\n  \nx\n", "y", []string{`^\s*$`}},
		{"a verdict at the end is no slot", "status of job 1: ok\nstatus of job 2: ok\nstatus of job 3: fine", "status of job 4: failed", []string{`^status of job [0-9]+: ok$`}},
		{"a verdict behind a colon is none", "result: good now\nresult: fine now\nresult: bad now", "", nil},
		{"one line alone is no kind", "only once here", "", nil},
		{"a rule that takes what must stay is narrowed", "load a/x fast\nload a/y fast\nload b/z fast\nload b/w fast", "load c/v fast", nil},
		{"words alone never make a rule of slots", "1 2\n3 4", "", nil},
		{"ticks", "✔ adds two numbers (1 ms)\n✔ takes none\n✔ x (2 ms)", "✖ divides", []string{`^✔ .*$`}},
		{"TAP", "ok 1 - adds numbers\nok 2 - sub (fast)\nok 3 - mul", "not ok 4 - div", []string{`^ok [0-9]+ - .*$`}},
		{"signs of expressions", "a.b [x] (1)\na.b [x] (2)", "", nil},
		{"columns", "Pulling  web   done\nPulling  database done\nPulling  cache done", "", []string{`^Pulling +[^ ]+ +done$`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := induce(strings.Split(c.drop, "\n"), strings.Split(c.keep, "\n"))
			if c.name == "blanks" || c.keep != "" {
				got = slices.DeleteFunc(got, func(r string) bool { return c.name != "blanks" && r == blankRule })
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDraft(t *testing.T) {
	var ok, failed strings.Builder
	for i := range 30 {
		fmt.Fprintf(&ok, "\x1b[2mChecking cache for t%d.tmpl\x1b[0m\nGenerated unchanged file: gen/f%d.go\n", i, i)
		fmt.Fprintf(&failed, "Checking cache for t%d.tmpl\n", i)
	}
	ok.WriteString("wrote gen/new.go\n")
	failed.WriteString("error: t30.tmpl:4: unclosed brace\n")
	d := NewDraft(Operation{ID: "scripts.codegen", Template: []string{"./scripts/codegen.sh"}}, []Sample{
		{"ok", []byte(ok.String()), 0, true}, {"failed", []byte(failed.String()), 3, true},
	})
	if d.Path != PathDraft {
		t.Fatalf("%s: %s", d.Path, d.Reason)
	}
	f := d.Filter
	if want := []string{`^Checking cache for t[0-9]+\.tmpl$`, `^Generated unchanged file: [^ ]*/[^ ]*$`}; !slices.Equal(f.StripLines, want) {
		t.Errorf("%q", f.StripLines)
	}
	if f.Name != "scripts-codegen" || f.MatchCommand != `^codegen\.sh( |$)` || !f.StripANSI || !f.FilterStderr || f.OnEmpty != nil {
		t.Errorf("%+v", f)
	}
	if got := f.Apply(ok.String()); got != "wrote gen/new.go" {
		t.Errorf("%q", got)
	}
	if got := f.Apply(failed.String()); got != "error: t30.tmpl:4: unclosed brace" {
		t.Errorf("%q", got)
	}
	if len(d.Tests) != 2 || d.Tests[0].Expected != "wrote gen/new.go\n" || !strings.Contains(d.Text, "Nobody has reviewed it") {
		t.Errorf("%+v\n%s", d.Tests, d.Text)
	}
	if m := d.Samples[0]; m.Lines != 61 || m.Signals != 1 || m.Left != 1 || m.FilterTokens*5 > m.Tokens {
		t.Errorf("%+v", m)
	}
	for _, n := range d.Notes {
		if strings.Contains(n, "no sample is known to be of a failure") {
			t.Error(n)
		}
	}
}

func TestDraftRefuses(t *testing.T) {
	var table, frames, events strings.Builder
	for i := range 60 {
		fmt.Fprintf(&table, "%c%c goes with %c%c\n", 'a'+i%26, 'a'+i/26, 'a'+i*7%26, 'a'+i*3%26)
		fmt.Fprintf(&frames, "\r%3d%%|%s|", i, strings.Repeat("#", i))
		fmt.Fprintf(&events, "{\"Action\":\"run\",\"Package\":\"p\",\"Test\":\"TestA%d\"}\n{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"TestA%d\",\"Elapsed\":0}\n", i, i)
	}
	for _, c := range []struct {
		name, command, output string
		status                int
		path                  Path
		reason                string
	}{
		{"nothing is noise", "tool list", table.String(), 0, PathRaw, "no kind of lines can be left out"},
		{"RTK handles it", "cargo build", "   Compiling a v1.0.0\n   Compiling b v1.0.0\n   Compiling c v1.0.0\nerror[E0425]: cannot find value `x`\n", 101, PathNative, "RTK handles cargo itself"},
		{"RTK alone handles it", "wc -l", "  3 a\n  4 b\n  7 total\n", 0, PathRTK, "RTK handles wc itself"},
		{"events", "gotestwrap -json", events.String(), 0, PathNative, "structure"},
		{"frames alone", "fetch all", frames.String() + "\nsaved to x\n", 0, PathDraft, ""},
		{"small saving", "tool x", "Loading a/b now\nLoading c/d now\n" + table.String(), 0, PathRaw, "would save"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := NewDraft(Operation{ID: "a.b", Template: strings.Fields(c.command)}, []Sample{{"s", []byte(c.output), c.status, true}})
			if d.Path != c.path || !strings.Contains(d.Reason, c.reason) {
				t.Fatalf("%s: %s", d.Path, d.Reason)
			}
			if (d.Filter != nil) != (d.Path == PathDraft) || (d.Text != "") != (d.Path == PathDraft) {
				t.Errorf("%+v", d)
			}
		})
	}
}

// Whatever the samples are, a draft loses no alarming line, passes its own
// tests, and is read back as it was written.
func TestDraftKeepsSignals(t *testing.T) {
	parts := []string{
		"Checking cache for a%d.tmpl", "Downloading pkg-%d.tar.gz", "DEBUG step %d of 9", "wrote out/%d.go", "error: cannot open f%d", "warning: %d is old",
		"ok %d - adds", "not ok %d - fails", "=== RUN   TestA%d", "--- PASS: TestA%d (0.00s)", "--- FAIL: TestA%d (0.00s)", "panic: %d", "",
		"\x1b[31mFAILED %d\x1b[0m", "  at line %d", "100%%|####| %d/9\r100%%|#####| done", "Checking cache failed for a%d.tmpl", "é%d' \"\\",
	}
	rapid.Check(t, func(t *rapid.T) {
		var samples []Sample
		for i := range rapid.IntRange(1, 3).Draw(t, "samples") {
			var b strings.Builder
			for n, p := range rapid.SliceOfN(rapid.SampledFrom(parts), 0, 60).Draw(t, "lines") {
				if strings.Contains(p, "%d") {
					p = fmt.Sprintf(p, n)
				}
				b.WriteString(p + rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "end"))
			}
			samples = append(samples, Sample{fmt.Sprint(i), []byte(b.String()), rapid.SampledFrom([]int{0, 1}).Draw(t, "status"), rapid.Bool().Draw(t, "ended")})
		}
		d := NewDraft(Operation{ID: "a.b", Template: []string{"./tool"}}, samples)
		if d.Path != PathDraft {
			if d.Reason == "" || strings.Contains(d.Reason, "fails its own test") || strings.Contains(d.Reason, "not read back") || strings.Contains(d.Reason, "lose the line") {
				t.Fatalf("%s: %q", d.Path, d.Reason)
			}
			return
		}
		for _, s := range samples {
			left := d.Filter.Apply(string(s.Output))
			for _, l := range splitLines(string(s.Output)) {
				l = stripANSI(l)
				for _, w := range []string{"error", "FAIL", "panic", "not ok", "warning", "failed"} {
					if strings.Contains(l, w) && !strings.Contains(left, l) {
						t.Fatalf("lost %q with %q\n%s", l, d.Filter.StripLines, s.Output)
					}
				}
			}
		}
	})
}

func TestMerge(t *testing.T) {
	d := NewDraft(Operation{ID: "a.b", Template: []string{"./tool"}}, []Sample{{"s", []byte(strings.Repeat("Checking x/1\nChecking x/2\n", 20) + "wrote y\n"), 0, true}})
	if d.Path != PathDraft {
		t.Fatal(d.Reason)
	}
	first, err := Merge("f", nil, d, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Merge("f", first, d, false); !errors.Is(err, ErrExists) {
		t.Errorf("%v", err)
	}
	if again, err := Merge("f", first, d, true); err != nil || string(again) != string(first) {
		t.Errorf("%v\n%s\nbecomes\n%s", err, first, again)
	}
	const others = `# ours
schema_version = 1

[filters.z]
match_command = '^z$' # why
max_lines = 1
`
	const behind = `
# the one behind
[filters.a]
match_command = '^a$'
tail_lines = 2

[[filters.a.replace]]
pattern = '[[]x'
replacement = ""
`
	both := others + "\n" + d.Text + strings.Replace(behind, "[[]x", "x", 1)
	replaced, err := Merge("f", []byte(both), d, true)
	if err != nil {
		t.Fatal(err)
	}
	if want := others + strings.Replace(behind, "[[]x", "x", 1) + "\n" + d.Text; string(replaced) != want {
		t.Errorf("%s", cmp.Diff(want, string(replaced)))
	}
	if _, err := Merge("f", []byte("schema_version = 2"), d, true); err == nil {
		t.Error("a file that RTK rejects is written to")
	}
	inline := "schema_version = 1\nfilters = {a-b = {match_command = '^x', max_lines = 1}}\n"
	if got, err := Merge("f", []byte(inline), d, true); err == nil {
		t.Errorf("%s", got)
	}
}
