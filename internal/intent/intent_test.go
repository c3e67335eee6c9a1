package intent

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// operations is a small map: two tools that could both be meant by "run tests",
// a draft, an operation that applies nowhere, and each kind of parameter.
func operations() []tcpdb.Operation {
	return []tcpdb.Operation{
		{
			ID: "cargo.test", Tool: "cargo", Standing: tcpdb.Shipped, When: []string{"Cargo.toml"},
			Intents: []string{"test", "run tests", "run <test_filter> tests", "run all tests"}, Template: []string{"cargo", "test", "<test_filter>"},
			Params: []tcpdb.Param{{Name: "test_filter", Type: "string", Resolver: "cargo:tests", Filter: true}},
		},
		{
			ID: "npm.test", Tool: "npm", Standing: tcpdb.Shipped, When: []string{"package.json"},
			Intents: []string{"run tests", "run npm tests"}, Template: []string{"npm", "test"},
		},
		{
			ID: "npm.run", Tool: "npm", Standing: tcpdb.Shipped, When: []string{"package.json"},
			Intents: []string{"run script <script>", "run <script>"}, Template: []string{"npm", "run", "<script>"},
			Params: []tcpdb.Param{{Name: "script", Type: "string", Required: true, Resolver: "npm:scripts"}},
		},
		{
			ID: "git.checkout", Tool: "git", Standing: tcpdb.Evidence, When: []string{".git"},
			Intents: []string{"checkout <branch>", "switch branch"}, Template: []string{"git", "checkout", "<branch>"},
			Params: []tcpdb.Param{{Name: "branch", Type: "string", Required: true, Resolver: "git:branches"}},
		},
		{
			ID: "git.log", Tool: "git", Standing: tcpdb.Signed, When: []string{".git"},
			Intents: []string{"show <n> commits", "show commits"}, Template: []string{"git", "log", "-n<n>"},
			Params: []tcpdb.Param{{Name: "n", Type: "int", Default: "10"}},
		},
		{
			ID: "git.wipe", Tool: "git", Standing: tcpdb.Claimed, When: []string{".git"},
			Intents: []string{"wipe everything"}, Template: []string{"git", "clean", "-fdx"},
		},
		{
			ID: "make.all", Tool: "make", Standing: tcpdb.Shipped, When: []string{"GNUmakefile", "Makefile"},
			Intents: []string{"make everything"}, Template: []string{"make"},
		},
		{
			ID: "slow.pods", Tool: "slow", Standing: tcpdb.Shipped,
			Intents: []string{"describe <pod>"}, Template: []string{"slow", "<pod>"},
			Params: []tcpdb.Param{{Name: "pod", Required: true, Resolver: "slow:pods"}},
		},
	}
}

// values are the answers of the resolvers in these tests.
func values(_ context.Context, r resolvers.Request) resolvers.Answer {
	all := map[string][]string{
		"cargo:tests":  {"parser::tests::escape", "parser::tests::Unit", "install::all", "lexer::tests::eof"},
		"npm:scripts":  {"build", "lint", "tests", "-rf"},
		"git:branches": {"main", "feature/x", "v1.", "fix"},
	}
	names, ok := all[r.Name]
	if !ok {
		return resolvers.Answer{State: resolvers.Timeout, Message: "no answer within 1s"}
	}
	a := resolvers.Answer{State: resolvers.Fresh}
	for _, n := range names {
		if r.Filter.Keep(n) {
			a.Values = append(a.Values, resolvers.Value{Value: n})
		}
	}
	return a
}

// request asks in a directory that has these files.
func request(text string, files ...string) Request {
	return Request{
		Text: text, Operations: operations(), Dir: "/project", Values: values,
		Exists: func(name string) bool { return slices.Contains(files, name) },
	}
}

func TestResolve(t *testing.T) {
	rust, node, git := "Cargo.toml", "package.json", ".git"
	for _, tt := range []struct {
		text  string
		files []string
		want  string // operation and parameters, or the reason
	}{
		{"run tests", []string{rust}, "cargo.test"},
		{"Run tests!", []string{rust, git}, "cargo.test"},
		{"run all tests", []string{rust}, "cargo.test"}, // though there is a test with "all"
		{"run parser tests", []string{rust}, "cargo.test test_filter=parser"},
		{"run Unit tests", []string{rust}, "cargo.test test_filter=Unit"},
		{"run tests", []string{node}, "npm.test"}, // word for word, though there is a script "tests"
		{"run tests", []string{rust, node}, "ambiguous"},
		{"run npm tests", []string{node}, "npm.test"},
		{"run script tests", []string{node}, "npm.run script=tests"},
		{"run build", []string{node}, "npm.run script=build"},
		{"run build", []string{rust}, "not_applicable"},
		{"run deploy", []string{node}, "missing_parameter"},
		{"run bui", []string{node}, "missing_parameter"}, // closed: a prefix is not a value
		{"run parsing tests", []string{rust}, "missing_parameter"},
		{"run UNIT tests", []string{rust}, "missing_parameter"},           // the tool compares case too
		{"run unit tests", []string{rust}, "cargo.test test_filter=Unit"}, // as the tests write it

		{"checkout feature/x", []string{git}, "git.checkout branch=feature/x"},
		{"checkout main.", []string{git}, "git.checkout branch=main"},
		{"checkout v1.", []string{git}, "git.checkout branch=v1."}, // a value that has the dot
		{"checkout Main", []string{git}, "missing_parameter"},
		{"switch branch", []string{git}, "missing_parameter"},
		{"show 5 commits", []string{git}, "git.log n=5"},
		{"show commits", []string{git}, "git.log n=10"},
		{"show many commits", []string{git}, "missing_parameter"},
		{"wipe everything", []string{git}, "draft"},
		{"wipe everything", nil, "not_applicable"},
		{"make everything", []string{"Makefile"}, "make.all"},
		{"make everything", nil, "not_applicable"},
		{"describe web", nil, "resolver_failed"},
		{"do something else", []string{git}, "not_mapped"},
		{"", []string{git}, "not_mapped"},
		{"run tests please", []string{rust}, "not_mapped"},
		{"do not run tests", []string{rust}, "not_mapped"},
	} {
		got := Resolve(context.Background(), request(tt.text, tt.files...))
		if s := show(got); s != tt.want {
			t.Errorf("%q with %v: %s (%s), want %s", tt.text, tt.files, s, got.Message, tt.want)
		}
		if got.Resolved() == (got.Message != "") {
			t.Errorf("%q with %v: resolved %v with the message %q", tt.text, tt.files, got.Resolved(), got.Message)
		}
	}
}

func show(r Resolution) string {
	if !r.Resolved() {
		return string(r.Reason)
	}
	s := r.Operation.ID
	for _, p := range r.Operation.Params {
		if v, ok := r.Parameters[p.Name]; ok {
			s += " " + p.Name + "=" + v
		}
	}
	return s
}

func TestAmbiguousNamesAll(t *testing.T) {
	r := Resolve(context.Background(), request("run tests", "Cargo.toml", "package.json"))
	want := []Suggestion{{OperationID: "cargo.test", Intent: "run tests", Score: 1}, {OperationID: "npm.test", Intent: "run tests", Score: 1}}
	if diff := cmp.Diff(want, r.Suggestions); diff != "" {
		t.Errorf("suggestions (-want +got):\n%s", diff)
	}
	if want := `this may mean cargo.test or npm.test`; r.Message != want {
		t.Errorf("message %q, want %q", r.Message, want)
	}
}

// TestInvariantResolverFailureVisible: a resolver that cannot answer refuses
// and is named, even where another operation would have matched for sure.
func TestInvariantResolverFailureVisible(t *testing.T) {
	req := request("describe web")
	req.Operations = append(req.Operations, tcpdb.Operation{
		ID: "web.describe", Standing: tcpdb.Shipped, Intents: []string{"describe <site>"}, Template: []string{"true", "<site>"},
		Params: []tcpdb.Param{{Name: "site", Required: true}},
	})
	r := Resolve(context.Background(), req)
	if r.Reason != ResolverFailed || !strings.Contains(r.Message, "slow:pods") || !strings.Contains(r.Message, "no answer within 1s") {
		t.Errorf("got %s: %s", show(r), r.Message)
	}
	if r.Resolvers["slow:pods"] != resolvers.Timeout {
		t.Errorf("states %v", r.Resolvers)
	}
}

// TestInvariantDraftNeverResolves: whatever a draft matches, it is not the answer.
func TestInvariantDraftNeverResolves(t *testing.T) {
	for _, standing := range []tcpdb.Standing{tcpdb.Draft, tcpdb.Claimed} {
		for _, op := range operations() {
			op.Standing, op.When = standing, nil
			for _, in := range op.Intents {
				text := strings.NewReplacer("<test_filter>", "parser", "<script>", "build", "<branch>", "main", "<n>", "3", "<pod>", "web").Replace(in)
				req := request(text)
				req.Operations = []tcpdb.Operation{op}
				if r := Resolve(context.Background(), req); r.Reason != Draft {
					t.Errorf("%q of the %s %s: %s", text, standing, op.ID, show(r))
				}
			}
		}
	}
}

// TestInvariantUnknownIntentResolvesNothing: words around or instead of an
// intent never resolve, however alike they are.
func TestInvariantUnknownIntentResolvesNothing(t *testing.T) {
	known := []string{}
	for _, op := range operations() {
		known = append(known, op.Intents...)
	}
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SampledFrom(known).Draw(t, "intent")
		extra := rapid.SampledFrom([]string{"not", "please", "never", "qq", "--"}).Draw(t, "extra")
		words := strings.Fields(in)
		at := rapid.IntRange(0, len(words)).Draw(t, "at")
		text := strings.Join(slices.Insert(words, at, extra), " ")
		// "run x" and the like are patterns themselves, with a value nobody has.
		if r := Resolve(context.Background(), request(text, "Cargo.toml", "package.json", ".git", "Makefile")); r.Resolved() {
			t.Fatalf("%q resolves to %s", text, show(r))
		}
	})
}

func TestInvariantDeterministic(t *testing.T) {
	for _, text := range []string{"run tests", "run parser tests", "list all branches of git", "checkout nothing"} {
		first := Resolve(context.Background(), request(text, "Cargo.toml", "package.json", ".git"))
		for range 20 {
			again := Resolve(context.Background(), request(text, "Cargo.toml", "package.json", ".git"))
			if diff := cmp.Diff(first, again); diff != "" {
				t.Fatalf("%q: two answers:\n%s", text, diff)
			}
		}
	}
}

func TestSuggestions(t *testing.T) {
	r := Resolve(context.Background(), request("please run the parser tests", "Cargo.toml", ".git"))
	if r.Reason != NotMapped || len(r.Suggestions) == 0 {
		t.Fatalf("%s, %v", show(r), r.Suggestions)
	}
	if s := r.Suggestions[0]; s.OperationID != "cargo.test" || s.Intent != "run tests" || s.Score <= 0 {
		t.Errorf("first suggestion %v", s)
	}
	for _, s := range r.Suggestions {
		if s.OperationID == "git.wipe" || s.OperationID == "npm.run" {
			t.Errorf("suggests %s, which is a draft or does not apply", s.OperationID)
		}
	}
	if r := Resolve(context.Background(), request("qwertz uiop", ".git")); len(r.Suggestions) != 0 {
		t.Errorf("suggests %v for words that nothing has", r.Suggestions)
	}
}

func TestOmittedValuesAreNotTakenForAll(t *testing.T) {
	req := request("checkout main", ".git")
	req.Values = func(context.Context, resolvers.Request) resolvers.Answer {
		return resolvers.Answer{State: resolvers.Fresh, Values: []resolvers.Value{{Value: "main2"}}, Omitted: 7}
	}
	if r := Resolve(context.Background(), req); r.Reason != ResolverFailed {
		t.Errorf("got %s", show(r))
	}
}

func TestFill(t *testing.T) {
	ops := operations()
	checkout, log := &ops[3], &ops[4]
	req := request("", ".git")
	for _, tt := range []struct {
		op    *tcpdb.Operation
		given map[string]string
		want  map[string]string
		err   Reason
	}{
		{checkout, map[string]string{"branch": "main"}, map[string]string{"branch": "main"}, ""},
		{checkout, map[string]string{"branch": "gone"}, nil, MissingParameter},
		{checkout, nil, nil, MissingParameter},
		{checkout, map[string]string{"branch": "main", "other": "x"}, nil, MissingParameter},
		{log, nil, map[string]string{"n": "10"}, ""},
		{log, map[string]string{"n": "-1"}, map[string]string{"n": "-1"}, ""},
		{log, map[string]string{"n": "1; rm"}, nil, MissingParameter},
	} {
		got, err := req.Fill(context.Background(), tt.op, tt.given)
		reason := Reason("")
		if fe, ok := err.(*FillError); ok {
			reason = fe.Reason
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || reason != tt.err || (err != nil) != (tt.err != "") {
			t.Errorf("%s with %v: %v, %v", tt.op.ID, tt.given, got, err)
		}
	}
}

func TestSpelling(t *testing.T) {
	for _, tt := range []struct {
		values, filter, want string
	}{
		{"TestParser TestParserTwo TestOther", "parser", "Parser"},
		{"TestParser", "testparser", "TestParser"},
		{"TestParser TestPARSER", "parser", ""}, // none of the two is meant for sure
		{"TestParser", "PARSER", ""},
		{"TestParser", "x", ""},
		{"Straße", "STRASSE", ""},
	} {
		var list []resolvers.Value
		for _, v := range strings.Fields(tt.values) {
			list = append(list, resolvers.Value{Value: v})
		}
		if got, ok := spelling(list, tt.filter); got != tt.want && ok || ok != (tt.want != "") {
			t.Errorf("%q among %s: %q %v, want %q", tt.filter, tt.values, got, ok, tt.want)
		}
	}
}

// TestOptionIsNoValue: a word that the program would read as an option fills no
// slot, so that "git tag --list" is not a tag of that name.
func TestOptionIsNoValue(t *testing.T) {
	name := []tcpdb.Param{{Name: "name", Required: true}}
	ops := []tcpdb.Operation{
		{ID: "git.tags", Standing: tcpdb.Shipped, Intents: []string{"git tag --list"}, Template: []string{"git", "tag", "--list"}},
		{ID: "git.tag", Standing: tcpdb.Shipped, Intents: []string{"git tag <name>"}, Template: []string{"git", "tag", "<name>"}, Params: name},
		{ID: "git.find", Standing: tcpdb.Shipped, Intents: []string{"git find <name>"}, Template: []string{"git", "grep", "--", "<name>"}, Params: name},
	}
	for text, want := range map[string]string{"git tag --list": "git.tags", "git tag v1": "git.tag", "git find --list": "git.find", "git tag -d": ""} {
		r := Resolve(context.Background(), Request{Text: text, Operations: ops, Dir: t.TempDir()})
		if got := r.Operation.ID; got != want {
			t.Errorf("%s is %q (%s), want %q", text, got, r.Message, want)
		}
	}
}

// TestExactBeatsSlot: what fits word for word is meant before what a slot would
// take, and the resolver of that slot is not asked.
func TestExactBeatsSlot(t *testing.T) {
	req := request("describe web")
	req.Operations = append(req.Operations, tcpdb.Operation{
		ID: "web.describe", Standing: tcpdb.Shipped, Intents: []string{"describe web"}, Template: []string{"true"},
	})
	if r := Resolve(context.Background(), req); show(r) != "web.describe" || len(r.Resolvers) > 0 {
		t.Errorf("%s: %s, asked %v", show(r), r.Message, r.Resolvers)
	}
}

// TestEqualWordsAreOneAnswer: two operations that would run the same words are no
// two answers, and the riskier one judges them.
func TestEqualWordsAreOneAnswer(t *testing.T) {
	name := []tcpdb.Param{{Name: "name", Required: true}}
	req := Request{Text: "tool do it", Dir: t.TempDir(), Operations: []tcpdb.Operation{
		{ID: "a.low", Standing: tcpdb.Shipped, Risk: tcpdb.Low, Intents: []string{"tool <name> it"}, Template: []string{"tool", "<name>"}, Params: name},
		{ID: "b.high", Standing: tcpdb.Shipped, Risk: tcpdb.High, Intents: []string{"tool do <name>"}, Template: []string{"tool", "do"}, Params: []tcpdb.Param{{Name: "name"}}},
	}}
	if r := Resolve(context.Background(), req); r.Reason != Ambiguous {
		t.Errorf("without words: %s", show(r))
	}
	req.Argv = func(op *tcpdb.Operation, params map[string]string) ([]string, error) {
		return []string{"tool", "do"}, nil
	}
	if r := Resolve(context.Background(), req); r.Operation.ID != "b.high" {
		t.Errorf("%s: %s", show(r), r.Message)
	}
	req.Argv = func(op *tcpdb.Operation, params map[string]string) ([]string, error) { return []string{op.ID}, nil }
	if r := Resolve(context.Background(), req); r.Reason != Ambiguous {
		t.Errorf("other words: %s", show(r))
	}
}

// TestManagerOfTheProject: an operation of another package manager does not
// apply, the same one of the project's does, and a script that is not there is
// never run.
func TestManagerOfTheProject(t *testing.T) {
	op := func(manager, verb string, intents ...string) tcpdb.Operation {
		o := tcpdb.Operation{
			ID: manager + "." + verb, Standing: tcpdb.Shipped, Intents: append(intents, manager+" "+verb),
			Template: []string{manager, verb}, When: []string{"package.json"}, Managers: []string{manager},
		}
		if verb != "install" {
			o.Values = []string{"project:scripts=" + verb}
		}
		return o
	}
	var ops []tcpdb.Operation
	for _, m := range []string{"npm", "pnpm", "yarn"} {
		ops = append(ops, op(m, "install", "install dependencies"), op(m, "test", "run the tests"), op(m, "start", "start the app"))
	}
	for _, tt := range []struct{ text, managers, want, says string }{
		{"install dependencies", "npm", "npm.install", ""},
		{"install dependencies", "pnpm", "pnpm.install", ""},
		{"run the tests", "yarn", "yarn.test", ""},
		{"npm install", "pnpm", "not_applicable", "npm.install is for npm; this project is managed by pnpm (a file)"},
		{"install dependencies", "bun", "not_applicable", "this project is managed by bun (a file)"},
		{"install dependencies", "npm yarn", "ambiguous", "npm.install or yarn.install"},
		{"start the app", "yarn", "not_applicable", `yarn.start needs the script "start", which is not here`},
		{"install dependencies", "", "not_applicable", "npm.install is for npm: it cannot be told"},
	} {
		req := Request{Text: tt.text, Dir: "/project", Operations: ops, Exists: func(name string) bool { return name == "package.json" }}
		req.Values = func(_ context.Context, r resolvers.Request) resolvers.Answer {
			a := resolvers.Answer{State: resolvers.Fresh}
			switch {
			case r.Name == "project:scripts":
				a.Values = []resolvers.Value{{Value: "test"}, {Value: "starter"}}
			case tt.managers == "":
				return resolvers.Answer{State: resolvers.Failed, Message: "it cannot be told"}
			default:
				for _, m := range strings.Fields(tt.managers) {
					a.Values = append(a.Values, resolvers.Value{Value: m, Description: "a file"})
				}
			}
			return a
		}
		if r := Resolve(context.Background(), req); show(r) != tt.want || !strings.Contains(r.Message, tt.says) {
			t.Errorf("%q with %q: %s (%s), want %s (%s)", tt.text, tt.managers, show(r), r.Message, tt.want, tt.says)
		}
	}
	// What is suggested instead is what applies.
	req := Request{Text: "npm install", Dir: "/project", Operations: ops, Exists: func(string) bool { return true }}
	req.Values = func(context.Context, resolvers.Request) resolvers.Answer {
		return resolvers.Answer{State: resolvers.Fresh, Values: []resolvers.Value{{Value: "pnpm"}}}
	}
	if r := Resolve(context.Background(), req); len(r.Suggestions) == 0 || r.Suggestions[0].OperationID != "pnpm.install" {
		t.Errorf("suggests %v", r.Suggestions)
	}
}
