package opmap

import (
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

const ruled = `{"schema": 1, "tool": "x", "version_range": ">=2 <3", "verify": {"require": ["dry_run"]}, "node": {"name": "x"},
 "operations": [
  {"id": "x.do", "surface": "cli", "template": "x do <p>", "parameters": [{"name": "p"}], "effect": "local-write", "risk": "low",
   "verify": {"require": ["parsed_help"], "dry_run": "x do --pretend <p>"}},
  {"id": "x.flow", "surface": "workflow", "steps": ["x.do"], "effect": "local-write", "risk": "low"}]}`

func parse(t *testing.T, text string) *Source {
	t.Helper()
	s, problems := Parse("x.json", []byte(text), ParseOptions{})
	if err := problems.Strict(); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRule: rules add up, what a thing cannot have is not asked of it, and a
// review always is.
func TestRule(t *testing.T) {
	s := parse(t, ruled)
	for _, tt := range []struct {
		name string
		op   *Operation
		want string
	}{
		{"tree", nil, "human_review"},
		{"x.do", s.Operations[0], "parsed_help dry_run human_review"},
		{"x.flow", s.Operations[1], "human_review"},
	} {
		if got := strings.Join(s.Required(tt.op), " "); got != tt.want {
			t.Errorf("%s requires %s, want %s", tt.name, got, tt.want)
		}
	}
	s.Verify, s.Operations[0].Verify = nil, nil
	if got := strings.Join(s.Required(nil), " "); got != "parsed_help human_review" {
		t.Errorf("without a rule a tree requires %s", got)
	}
	if got := strings.Join(s.Required(s.Operations[0]), " "); got != "human_review" {
		t.Errorf("without a rule an operation requires %s", got)
	}
}

// TestRuleIsPartOfWhatIsReviewed: who changes the rule or the range has another
// map before them.
func TestRuleIsPartOfWhatIsReviewed(t *testing.T) {
	s := parse(t, ruled)
	op, tree := s.Hash(s.Operations[0]), s.TreeHash()
	again := parse(t, string(s.Encode()))
	if again.Hash(again.Operations[0]) != op || again.TreeHash() != tree {
		t.Error("written and read again it is another map")
	}
	for name, change := range map[string]func(*Source){
		"range":            func(s *Source) { s.VersionRange = ">=2" },
		"no rule":          func(s *Source) { s.Verify = nil },
		"another rule":     func(s *Source) { s.Verify.Require = nil },
		"another dry form": func(s *Source) { s.Operations[0].Verify.DryRun = "x do" },
	} {
		other := parse(t, ruled)
		change(other)
		if other.Hash(other.Operations[0]) == op {
			t.Errorf("%s: the operation is the same", name)
		}
	}
	for _, bad := range []string{
		strings.Replace(ruled, `"dry_run"]`, `"luck"]`, 1),
		strings.Replace(ruled, "x do --pretend", "rm --pretend", 1),
		strings.Replace(ruled, "--pretend <p>", "<q>", 1),
		strings.Replace(ruled, "--pretend <p>", "a<p>b", 1),
	} {
		if _, problems := Parse("x.json", []byte(bad), ParseOptions{}); problems.Err() == nil {
			t.Errorf("accepted: %s", bad)
		}
	}
	if _, problems := Parse("x.json", []byte(strings.Replace(ruled, ">=2 <3", "new ones", 1)), ParseOptions{}); problems.Err() != nil || problems.Strict() == nil {
		t.Error("a range that says nothing is no warning")
	}
}

// TestVerifiedWithinItsRange: evidence for one version counts for another of the
// map's range, and for none beyond it.
func TestVerifiedWithinItsRange(t *testing.T) {
	paths, _ := home(t)
	s := parse(t, ruled)
	op := s.Operations[0]
	program, version := "file:1-1", "2.1"
	store := &EvidenceStore{
		Paths: paths, Program: func(*Source, *Operation) string { return program }, Version: func(*Source, *Operation) string { return version },
	}
	missing := func() string { return strings.Join(store.Missing(s, op), " ") }
	if got := missing(); got != "parsed_help dry_run human_review" {
		t.Fatalf("at first it lacks %q", got)
	}
	for _, kind := range []string{"parsed_help", "dry_run", "human_review"} {
		if err := store.Add(s, op, Proof{Kind: kind, Date: now}); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		program, version, want string
	}{
		{"file:1-1", "2.1", ""},
		{"file:2-2", "2.9", ""},
		{"file:3-3", "3.0", "parsed_help dry_run human_review"},
		{"file:4-4", "1.9", "parsed_help dry_run human_review"},
		{"file:5-5", "", "parsed_help dry_run human_review"}, // who knows
		{"", "2.1", "parsed_help dry_run human_review"},      // not installed
		{"file:1-1", "2.1", ""},
	}
	for _, step := range steps {
		program, version = step.program, step.version
		if got := missing(); got != step.want {
			t.Errorf("with %s %s it lacks %q, want %q", program, version, got, step.want)
		}
	}
	// A version that was found out by asking is remembered for the program.
	program, version = "file:6-6", ""
	if err := store.See(s, op, "2.5"); err != nil || missing() != "" {
		t.Errorf("%v, lacks %q", err, missing())
	}
	if err := store.Withdraw(s, op, "dry_run"); err != nil || missing() != "dry_run" {
		t.Errorf("withdrawn: %v, lacks %q", err, missing())
	}
	if store.Standing(s, op) != tcpdb.Draft {
		t.Errorf("stands as %v", store.Standing(s, op))
	}
	// Without a range only the very program counts.
	s.VersionRange = ""
	program, version = "file:7-7", "2.1"
	if err := store.Add(s, nil, Proof{Kind: "human_review", Date: now}); err != nil || len(store.Missing(s, nil)) != 0 {
		t.Fatalf("%v, the tree lacks %v", err, store.Missing(s, nil))
	}
	program = "file:8-8"
	if got := store.Missing(s, nil); !slices.Equal(got, []string{"human_review"}) {
		t.Errorf("with another program of the same version the tree lacks %v", got)
	}
}

// TestOldRecord: a record that holds the program as the tool's version counts.
func TestOldRecord(t *testing.T) {
	paths, dir := home(t)
	p := readProject(t, dir)
	s, op := p.Sources[0], p.Sources[0].Operations[0]
	hash := s.Hash(op)
	write(t, paths.Evidence(hash), `{"v": 1, "hash": "`+hash+`", "operation": "x.do", "tool": "x",
		"evidence": [{"kind": "human_review", "date": "2026-01-02T03:04:05Z", "tool_version": "file:1-2", "by": "me"}]}`)
	store := &EvidenceStore{Paths: paths, Program: func(*Source, *Operation) string { return "file:1-2" }}
	if got := store.Standing(s, op); got != tcpdb.Evidence {
		t.Errorf("stands as %v, want evidence", got)
	}
}
