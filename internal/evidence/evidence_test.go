package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestOptionNames(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"-o, --output=FILE  write", "-o --output"},
		{"--[no-]colour   paint", "--colour --no-colour"},
		{"--colo[u]r=WHEN", "--color --colour"},
		{"use -x|--extract, or --get.", "-x --extract --get"},
		{"[-C dir] [--]", "-C"},
		{"find -maxdepth N +x", "-maxdepth +x"},
		{"well-known e-mail a--b 1-2", ""},
		{"-c[:stream] codec, -?", "-c -?"},
		{"--", ""},
		{"--x[=y] --when[always]", "--x --when"},
	} {
		if got := strings.Join(optionNames(tt.line), " "); got != tt.want {
			t.Errorf("%q has %q, want %q", tt.line, got, tt.want)
		}
	}
}

func FuzzOptionNames(f *testing.F) {
	for _, s := range []string{"--[no-]x", "-", "--[no-", "--a[b]c", "\xff-\xff", "--x[" + strings.Repeat("a", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, name := range optionNames(line) {
			if name == "" || strings.ContainsAny(name, " \t[]") {
				t.Errorf("%q in %q", name, line)
			}
		}
	})
}

const kitHelp = `Usage: kit [OPTIONS] COMMAND

Commands:
  add, a   Add a gizmo
  remove   Take one away

Options:
  -v, --verbose  say more
  -n, --dry-run  change nothing
  -h, --help     print this`

const kitAdd = `Usage: kit add [OPTIONS] GIZMO

Options:
  -f, --[no-]force   even if it is odd
      --colour WHEN  paint it`

func kit() *Texts {
	return NewTexts(discover.Texts{Tool: "kit", Nodes: []discover.Text{
		{Help: kitHelp}, {Path: []string{"add"}, Help: kitAdd},
	}, Bash: `complete -W "--from-the-script" kit`}, nil)
}

func source(t *testing.T, text string) *opmap.Source {
	t.Helper()
	s, problems := opmap.Parse("kit.json", []byte(text), opmap.ParseOptions{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTree(t *testing.T) {
	s := source(t, `{"schema": 1, "tool": "kit", "node": {"name": "kit",
		"flags": [{"names": ["-v", "--verbose", "--loud"]}, {"names": ["--from-the-script"]}, {"names": ["--secret"], "hidden": true}],
		"subcommands": [
			{"name": "add", "aliases": ["a", "plus"], "flags": [{"names": ["--force", "--no-force"]}, {"names": ["--verbose"]}]},
			{"name": "remove", "flags": [{"names": ["--verbose"]}, {"names": ["--deep"]}]},
			{"name": "destroy"}]}}`)
	r := Tree(s, kit())
	var got []string
	for _, m := range r.Missing {
		got = append(got, fmt.Sprintf("%s %s %s %s", m.Field, m.Kind, m.Node, m.Name))
	}
	want := []string{
		"node.flags[0] option kit --loud",
		"node.flags[1] option kit --from-the-script",
		"node.subcommands[0] command kit plus",
		"node.subcommands[0].flags[1] option kit add --verbose", // its own help does not have it
		"node.subcommands[1].flags[1] option kit remove --deep", // nothing is written about it, and above there is no such option
		"node.subcommands[2] command kit destroy",
	}
	if !slices.Equal(got, want) || r.Status != Failed {
		t.Errorf("%s, missing\n%s\nwant\n%s", r.Status, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r := Tree(s, NewTexts(discover.Texts{Tool: "kit"}, nil)); r.Status != Skipped {
		t.Errorf("without a text: %+v", r)
	}
}

func operation(t *testing.T, fields string) (*opmap.Source, *opmap.Operation) {
	t.Helper()
	s := source(t, `{"id": "kit.op", "surface": "cli", "intent": ["do the thing"], "effect": "local-write", "risk": "low", `+fields+`}`)
	return s, s.Operations[0]
}

func TestOperation(t *testing.T) {
	for _, tt := range []struct{ template, missing string }{
		{"kit add -f <g>", ""},
		{"kit add --force --colour=<g>", ""},
		{"kit add -vf <g>", ""}, // -v is the root's
		{"kit add --loud <g>", "--loud"},
		{"kit a <g>", ""},
		{"kit erase <g>", "erase"},
		{"kit gizmo <g>", "gizmo"}, // a word of running text
		{"kit add -- --loud <g>", ""},
		{"kit --dry-run remove <g>", ""},
	} {
		_, op := operation(t, `"template": "`+tt.template+`", "parameters": [{"name": "g"}]`)
		var got []string
		for _, m := range Operation(op, "template", kit()).Missing {
			got = append(got, m.Name)
		}
		if strings.Join(got, " ") != tt.missing {
			t.Errorf("%s lacks %q, want %q", tt.template, got, tt.missing)
		}
	}
}

// jail answers in place of programs; it notes what was run.
type jail struct {
	ran     []string
	answers map[string]sandbox.Result // by arguments
}

func (j *jail) run(_ context.Context, t machine.Trial) (sandbox.Result, error) {
	line := strings.Join(t.Args, " ")
	j.ran = append(j.ran, line)
	r, ok := j.answers[line]
	if !ok {
		return r, errors.New("not expected: " + line)
	}
	return r, nil
}

func says(status int, out, errs string) sandbox.Result {
	return sandbox.Result{Status: status, Stdout: []byte(out), Stderr: []byte(errs)}
}

func TestDryRun(t *testing.T) {
	tree := &tcpdb.Node{
		Name: "kit", Path: "kit",
		Flags: []tcpdb.Flag{{ID: "dry-run", Names: []string{"--dry-run", "-n"}}, {ID: "help", Names: []string{"--help"}}},
		Subs:  []*tcpdb.Node{{Name: "add", Path: "kit add"}, {Name: "remove", Path: "kit remove"}},
	}
	for _, tt := range []struct {
		name, fields string
		answers      map[string]sandbox.Result
		ran          string
		status       Status
		why          string
	}{
		{
			"a dry run is tried", `"template": "kit add -f"`,
			map[string]sandbox.Result{"add -f --dry-run": says(0, "would add", "")},
			"add -f --dry-run", Passed, "kit add -f --dry-run is accepted",
		},
		{
			"before the dashes", `"template": "kit add -- x"`,
			map[string]sandbox.Result{"add --dry-run -- x": says(0, "", "")},
			"add --dry-run -- x", Passed, "",
		},
		{
			"one that is one already", `"template": "kit add -n"`,
			map[string]sandbox.Result{"add -n": says(0, "", "")},
			"add -n", Passed, "",
		},
		{
			"an option is refused", `"template": "kit add --froce"`,
			map[string]sandbox.Result{"add --froce --dry-run": says(2, "", "kit: unrecognized option '--froce'\nTry 'kit --help'")},
			"add --froce --dry-run", Failed, "unrecognized option '--froce'",
		},
		{
			"what cannot work in a jail is asked for help", `"template": "kit add -f"`,
			map[string]sandbox.Result{"add -f --dry-run": says(1, "", "cannot reach the server"), "add -f --help": says(0, kitAdd, "")},
			"add -f --dry-run; add -f --help", Passed, "cannot reach the server",
		},
		{
			"a value is lacking", `"template": "kit add --colour <c> -f", "parameters": [{"name": "c", "required": true}]`,
			map[string]sandbox.Result{"add -f --help": says(0, kitAdd, "")},
			"add -f --help", Passed, "",
		},
		{
			"help that is an error", `"template": "kit add <c>", "parameters": [{"name": "c", "required": true}]`,
			map[string]sandbox.Result{"add --help": says(2, "", "kit: unknown command \"add\"\nusage: kit COMMAND")},
			"add --help", Failed, "unknown command",
		},
		{
			"help that is none", `"template": "kit add <c>", "parameters": [{"name": "c", "required": true}]`,
			map[string]sandbox.Result{"add --help": says(0, "added --help", "")},
			"add --help", Failed, "ends with status 0",
		},
		{"a guessed verb is not run", `"template": "kit erase"`, nil, "", Skipped, `names the command "kit erase"`},
		{
			"an argument is left out", `"template": "kit add ./... --colour <c> -v", "parameters": [{"name": "c", "required": true}]`,
			map[string]sandbox.Result{"add -v --help": says(0, kitAdd, "")},
			"add -v --help", Passed, "",
		},
		{
			"a form that the map declares", `"template": "kit add <c>", "parameters": [{"name": "c"}], "verify": {"dry_run": "kit add --colour=never"}`,
			map[string]sandbox.Result{"add --colour=never": says(0, "", "")},
			"add --colour=never", Passed, "",
		},
		{
			"a declared form that fails", `"template": "kit add", "verify": {"dry_run": "kit add --check"}`,
			map[string]sandbox.Result{"add --check": says(3, "", "nothing here")},
			"add --check", Failed, "ends with status 3: nothing here",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, op := operation(t, tt.fields)
			j := &jail{answers: tt.answers}
			trial := &Trial{Run: j.run, Texts: kit(), Command: func(words []string) []*tcpdb.Node {
				chain := []*tcpdb.Node{tree}
				for _, w := range words[1:] {
					if n := chain[len(chain)-1].Sub(w); n != nil {
						chain = append(chain, n)
					}
				}
				return chain
			}}
			r := trial.DryRun(context.Background(), s, op)
			if r.Status != tt.status || !strings.Contains(r.Why, tt.why) || strings.Join(j.ran, "; ") != tt.ran {
				t.Errorf("%s (%s) after running %q; want %s (… %s …) after %q", r.Status, r.Why, j.ran, tt.status, tt.why, tt.ran)
			}
			if r.Status == Passed && r.Hash == "" {
				t.Error("what was looked at has no hash")
			}
		})
	}
}

func TestDryOption(t *testing.T) {
	for _, tt := range []struct {
		flag tcpdb.Flag
		want string
	}{
		{tcpdb.Flag{Names: []string{"-n", "--dry-run"}}, "--dry-run"},
		{tcpdb.Flag{Names: []string{"-n", "--just-print", "--dry-run", "--recon"}}, "--dry-run"},
		{tcpdb.Flag{Names: []string{"-n"}, Description: "Dry run: print what would be done"}, "-n"},
		{tcpdb.Flag{Names: []string{"-n"}, Description: "print line numbers"}, ""},
		{tcpdb.Flag{Names: []string{"-n", "--lines"}, Value: tcpdb.RequiredValue}, ""},
		{tcpdb.Flag{Names: []string{"--dry-run"}, Value: tcpdb.OptionalValue}, "--dry-run"},
		{tcpdb.Flag{Names: []string{"--dry-run"}, Value: tcpdb.RequiredValue, Spec: tcpdb.ValueSpec{Enum: []tcpdb.EnumValue{{Value: "none"}, {Value: "server"}, {Value: "client"}}}}, "--dry-run=client"},
		{tcpdb.Flag{Names: []string{"--dry-run"}, Value: tcpdb.RequiredValue}, ""},
		{tcpdb.Flag{Names: []string{"--dry-run"}, Hidden: true}, ""},
	} {
		if got, _ := dryOption(&tt.flag); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.flag.Names, got, tt.want)
		}
	}
}

const sampled = `"template": "kit add --colour=<c> <g>",
	"parameters": [{"name": "c", "default": "auto"}, {"name": "g", "required": true, "resolver": "kit:gizmos"}]`

func TestSamples(t *testing.T) {
	s := source(t, `{"id": "kit.op", "surface": "cli", "intent": ["add gizmo <g>"], "effect": "local-write", "risk": "low", `+sampled+`}`)
	for _, tt := range []struct{ sample, fault string }{
		{`with = {c = "never", g = "one"}
argv = ["kit", "add", "--colour=never", "one"]`, ""},
		{`with = {g = "one"}
argv = ["kit", "add", "one", "--colour=x"]`, "gives kit add one, not kit add one --colour=x"},
		{`with = {c = "x"}
argv = []`, "<g> has no value"},
		{`intent = "add gizmo one"
values = {"kit:gizmos" = ["one", "two"]}
with = {c = "auto", g = "one"}`, ""},
		{`intent = "add gizmo one"
values = {"kit:gizmos" = ["two"]}`, `"add gizmo one" is refused`},
		{`intent = "add gizmo one"
values = {"kit:gizmos" = ["two"]}
refused = "missing_parameter"`, ""},
		{`intent = "add gizmo one"
refused = "missing_parameter"`, "is refused as resolver_failed, not as missing_parameter"},
		{`intent = "add gizmo two"
values = {"kit:gizmos" = ["two"]}
refused = "not_mapped"`, "is resolved"},
		{`intent = "paint gizmo two"
refused = "not_mapped"`, ""},
		{`with = {g = "one"}
stdout = "added one\n"`, ""},
		{`with = {g = "one"}
contains = ["added", "one"]`, ""},
		{`with = {g = "one"}
stdout = "added"`, `prints "added one\n", not "added"`},
		{`with = {g = "one"}
status = 2`, "ends with status 0, not 2"},
		{`with = {g = "one"}
contains = ["lost"]`, `does not print "lost"`},
	} {
		samples, err := ParseSamples("kit.samples.toml", []byte("[[sample]]\noperation = \"kit.op\"\n"+tt.sample))
		if err != nil {
			t.Errorf("%s: %v", tt.sample, err)
			continue
		}
		j := &jail{answers: map[string]sandbox.Result{"add one": says(0, "added one\n", "")}}
		r := SampleTest(context.Background(), s, s.Operations[0], samples, j.run, "")
		switch {
		case tt.fault == "" && r.Status != Passed, tt.fault != "" && r.Status != Failed:
			t.Errorf("%s: %s %v", tt.sample, r.Status, r.Faults)
		case tt.fault != "" && !strings.Contains(strings.Join(r.Faults, "\n"), tt.fault):
			t.Errorf("%s: %v, want %s", tt.sample, r.Faults, tt.fault)
		}
	}
}

func TestSamplesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"[[sample]]\nargv = [\"x\"]":                                                     "names no operation",
		"[[sample]]\noperation = \"x.y\"":                                                "expects nothing",
		"[[sample]]\noperation = \"x.y\"\nrefused = \"draft\"":                           "there is none",
		"[[sample]]\noperation = \"x.y\"\nargs = []":                                     `no field "sample.args"`,
		"[[sample]]\noperation = \"x.y\"\nstatus = 0\nfiles = {\"../x\" = \"\"}":         "is no name of a file",
		"[[sample]]\noperation = \"x.y\"\nintent = \"x\"\nrefused = \"draft\"\nstatus=1": "runs nothing",
		"[[sample\n": "kit.samples.toml:2",
	} {
		if _, err := ParseSamples("kit.samples.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
