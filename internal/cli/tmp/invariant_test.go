package tmp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// The invariants of seed 000 that resolving and running touch, one test each.

const invariantMap = `{"schema": 1, "tool": "test", "operations": [
  {"id": "test.mark", "surface": "cli", "intent": ["leave mark", "leave mark <n> times"], "template": "touch marked <n>",
   "parameters": [{"name": "n", "type": "int"}], "effect": "local-write", "risk": "low", "verified": true},
  {"id": "test.draft", "surface": "cli", "intent": ["draft mark"], "template": "touch marked", "effect": "local-write", "risk": "low", "verified": false},
  {"id": "test.high", "surface": "cli", "intent": ["high mark"], "template": "touch marked", "effect": "local-write", "risk": "high", "verified": true},
  {"id": "test.critical", "surface": "cli", "intent": ["critical mark"], "template": "touch marked", "effect": "local-write", "risk": "critical", "verified": true},
  {"id": "test.required", "surface": "cli", "intent": ["asked mark"], "template": "touch marked", "effect": "local-write", "risk": "low", "approval": "required", "verified": true},
  {"id": "test.destroy", "surface": "cli", "intent": ["destroy mark"], "template": "touch marked", "effect": "destructive", "risk": "low", "verified": true},
  {"id": "test.deploy", "surface": "cli", "intent": ["deploy mark"], "template": "touch marked", "effect": "network + deployment", "risk": "low", "verified": true},
  {"id": "test.broken", "surface": "cli", "intent": ["broken <v>"], "template": "touch marked <v>",
   "parameters": [{"name": "v", "type": "string", "required": true, "resolver": "no:such"}], "effect": "local-write", "risk": "low", "verified": true},
  {"id": "test.much", "surface": "cli", "intent": ["print much"], "template": "seq 1 5000", "effect": "read-only", "risk": "low", "verified": true}
]}`

// mapped is an environment whose user map is source, in a fresh directory.
func mapped(t *testing.T, source string, vars ...string) term.Env {
	t.Helper()
	home, dir := t.TempDir(), t.TempDir()
	writeUserMap(t, filepath.Join(home, ".local/share/tmp/user.tcpdb"), "user.json", []byte(source))
	env, _, _ := testEnv(t, dir, append(vars, "HOME="+home, "PATH="+os.Getenv("PATH"))...)
	return env
}

// marked reports whether something ran.
func marked(env term.Env) bool {
	_, err := os.Lstat(filepath.Join(env.Dir, "marked"))
	return err == nil
}

// runJSON is tmp run --json.
func runJSON(t *testing.T, env term.Env, args ...string) (status int, e session.Envelope) {
	t.Helper()
	status, out, errs := tmpRun(t, env, append([]string{"run", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		t.Fatalf("tmp run %q: %v in %q (%s)", args, err, out, errs)
	}
	if e.V != 1 || e.ExitStatus != status {
		t.Errorf("tmp run %q: v %d, exit_status %d of %d", args, e.V, e.ExitStatus, status)
	}
	return status, e
}

// states lists the files below the state directory.
func states(t *testing.T, env term.Env) []string {
	t.Helper()
	var files []string
	root := filepath.Join(env.Getenv("HOME"), ".local/state/tmp")
	_ = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, strings.TrimPrefix(path, root+"/"))
		}
		return nil
	})
	return files
}

func TestInvariantUnknownIntentInvokesNothing(t *testing.T) {
	for _, intent := range []string{"mark", "leave a mark", "leave mark please", "do not leave mark", "leave marks", "touch marked", "test.marks", "$(touch marked)", "leave mark; touch marked", ""} {
		env := mapped(t, invariantMap)
		status, e := runJSON(t, env, intent)
		if status != 125 || e.Started || e.Error == nil || e.Error.Code != "not_mapped" || e.RunID != nil || e.RawOutput.Retained {
			t.Errorf("%q: status %d, %+v", intent, status, e)
		}
		if status, _, _ := tmpRun(t, env, "resolve", intent); status != 1 {
			t.Errorf("tmp resolve %q: status %d, want 1", intent, status)
		}
		left := slices.DeleteFunc(states(t, env), func(f string) bool { return strings.HasPrefix(f, "picks/") }) // the list that was shown
		if marked(env) || len(left) != 0 {
			t.Errorf("%q left something: marked %v, %v", intent, marked(env), left)
		}
		// Nothing was resolved, so there is nothing that tmp run could take up.
		if status, _ := runJSON(t, env); status != 125 || marked(env) {
			t.Errorf("tmp run after %q: status %d, marked %v", intent, status, marked(env))
		}
	}
}

func TestInvariantDraftNeverRuns(t *testing.T) {
	env := mapped(t, invariantMap)
	status, e := runJSON(t, env, "draft mark")
	if status != 125 || e.Error == nil || e.Error.Code != "draft" || e.Started {
		t.Errorf("status %d, %+v", status, e)
	}
	// Resolved while it was verified, a draft since: the map's digest tells.
	verified := strings.Replace(invariantMap, `"verified": false`, `"verified": true`, 1)
	file := filepath.Join(env.Getenv("HOME"), ".local/share/tmp/user.tcpdb")
	writeUserMap(t, file, "user.json", []byte(verified))
	if status, out, errs := tmpRun(t, env, "resolve", "draft mark"); status != 0 {
		t.Fatalf("verified: %d %s%s", status, out, errs)
	}
	writeUserMap(t, file, "user.json", []byte(invariantMap))
	if status, e := runJSON(t, env); status != 125 || e.Started {
		t.Errorf("a draft that was resolved before: status %d, %+v", status, e)
	}
	if marked(env) {
		t.Error("a draft ran")
	}
}

func TestInvariantHighRiskNeedsApproval(t *testing.T) {
	for _, agent := range []string{"", "robot"} {
		for intent, code := range map[string]string{
			"high mark": "approval_required", "asked mark": "approval_required",
			"destroy mark": "approval_required", "deploy mark": "approval_required",
			"critical mark": "refused",
		} {
			env := mapped(t, invariantMap, "TMP_AGENT_ID="+agent)
			status, e := runJSON(t, env, intent)
			if status != 125 || e.Started || e.Error == nil || string(e.Error.Code) != code {
				t.Errorf("%s by %q: status %d, %+v", intent, agent, status, e)
				continue
			}
			if wantApprove := code == "approval_required"; wantApprove != (e.Error.Approve == "tmp approve "+*e.PlanDigest) {
				t.Errorf("%s by %q: approve with %q", intent, agent, e.Error.Approve)
			}
			// No approval from the caller's side, whatever it says or sends.
			env.Stdin = strings.NewReader("y\nyes\nrun\n")
			for _, args := range [][]string{{"approve", *e.PlanDigest}, {"run", intent}, {"run", "--raw", intent}} {
				if status, _, _ := tmpRun(t, env, args...); status == 0 {
					t.Errorf("%s by %q: tmp %s succeeds", intent, agent, args)
				}
			}
			if marked(env) {
				t.Errorf("%s by %q ran", intent, agent)
			}
		}
	}
}

// TestTerminalOfAnAgentCounts: with TMP_AGENT_ID set nobody is asked, even
// where there is a terminal.
func TestTerminalOfAnAgentCounts(t *testing.T) {
	env := mapped(t, invariantMap, "TMP_AGENT_ID=robot")
	env.IsTerminal = func(stream int) bool { return stream != 1 }
	if status, e := runJSON(t, env, "high mark"); status != 125 || e.Error.Code != "approval_required" || marked(env) {
		t.Errorf("status %d, %+v", status, e.Error)
	}
	if status, _, errs := tmpRun(t, env, "approve", strings.Repeat("0", 64)); status != 1 || !strings.Contains(errs, "an agent cannot approve") {
		t.Errorf("approve: %d %s", status, errs)
	}
}

func TestInvariantResolverFailureVisible(t *testing.T) {
	env := mapped(t, invariantMap)
	status, e := runJSON(t, env, "broken thing")
	if status != 125 || e.Error == nil || e.Error.Code != "resolver_failed" || !strings.Contains(e.Error.Message, "no:such") || marked(env) {
		t.Errorf("status %d, %+v", status, e.Error)
	}
	_, out, _ := tmpRun(t, env, "resolve", "--json", "broken thing")
	var r session.Resolution
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Status != "refused" || *r.Reason != "resolver_failed" || r.Resolvers["no:such"] != "failed" || r.Confidence != 0 {
		t.Errorf("%s", out)
	}
}

func TestInvariantRawRetainedWhenShaped(t *testing.T) {
	env := mapped(t, invariantMap)
	status, e := runJSON(t, env, "print much")
	if status != 0 || e.Compressor != "native" || strings.Contains(e.Output, "\n2500\n") {
		t.Fatalf("status %d, compressor %s, %d bytes", status, e.Compressor, len(e.Output))
	}
	var want strings.Builder
	for i := 1; i <= 5000; i++ {
		want.WriteString(itoa(i) + "\n")
	}
	raw, err := os.ReadFile(e.RawOutput.Path)
	if err != nil || string(raw) != want.String() || !e.RawOutput.Retained || e.RawOutput.Bytes != int64(len(raw)) {
		t.Errorf("raw output: %v, %d bytes, %+v", err, len(raw), e.RawOutput)
	}
	kept, err := os.ReadFile(filepath.Join(filepath.Dir(e.RawOutput.Path), "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var again session.Envelope
	if err := json.Unmarshal(kept, &again); err != nil || *again.RunID != *e.RunID || again.Output != e.Output {
		t.Errorf("the summary that is kept differs: %v", err)
	}
	omitted := 0
	for _, n := range e.Omitted {
		if n, ok := n.(float64); ok {
			omitted += int(n)
		}
	}
	if omitted+strings.Count(e.Output, "\n")-strings.Count(e.Output, "[tmp] ") != 5000 {
		t.Errorf("%d omitted and %d lines shown of 5000", omitted, strings.Count(e.Output, "\n"))
	}
}

// TestInvariantNothingRunsWhereOutputCannotBeKept: raw output first.
func TestInvariantNothingRunsWhereOutputCannotBeKept(t *testing.T) {
	env := mapped(t, invariantMap)
	state := filepath.Join(env.Getenv("HOME"), ".local/state/tmp")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "runs"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if status, e := runJSON(t, env, "leave mark"); status != 125 || e.Started || marked(env) {
		t.Errorf("status %d, started %v, marked %v", status, e.Started, marked(env))
	}
}

func TestInvariantDeterministic(t *testing.T) {
	env := mapped(t, invariantMap)
	for _, intent := range []string{"leave mark", "leave mark 3 times", "leave the mark", "draft mark", "mark", "broken x"} {
		_, first, _ := tmpRun(t, env, "resolve", "--json", intent)
		for range 5 {
			if _, again, _ := tmpRun(t, env, "resolve", "--json", intent); again != first {
				t.Errorf("%q has two answers:\n%s\n%s", intent, first, again)
			}
		}
	}
}

func TestDryRunTouchesNothing(t *testing.T) {
	env := mapped(t, invariantMap)
	for _, args := range [][]string{{"leave mark"}, {"high mark"}, {"critical mark"}, {"--json", "high mark"}, {"--", "rm", "-rf", "."}} {
		at := slices.Index(args, "--")
		line := append([]string{"run", "--dry-run"}, args...)
		status, out, errs := tmpRun(t, env, line...)
		if status != 0 || out == "" || errs != "" {
			t.Errorf("tmp %q (%d): status %d, %q", line, at, status, errs)
		}
	}
	if s := states(t, env); marked(env) || len(s) != 0 {
		t.Errorf("marked %v, %v", marked(env), s)
	}
}

// TestPlanDigestIsThatOfResolve: what resolve shows is what run is bound to.
func TestPlanDigestIsThatOfResolve(t *testing.T) {
	env := mapped(t, invariantMap)
	_, out, _ := tmpRun(t, env, "resolve", "--json", "leave mark 2 times")
	var r session.Resolution
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	status, e := runJSON(t, env)
	if status != 0 || *e.PlanDigest != *r.PlanDigest || !slices.Equal(e.Argv, r.Argv) || e.Parameters["n"] != "2" || !marked(env) {
		t.Errorf("status %d, resolve %s, run %+v", status, out, e)
	}
}

// TestEnvelope holds the keys of the seed's example.
func TestEnvelope(t *testing.T) {
	env := mapped(t, invariantMap)
	_, out, _ := tmpRun(t, env, "run", "--json", "leave mark")
	var m map[string]any
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"operation_id", "invocation", "compressor", "exit_status", "success", "summary", "omitted", "raw_output",
		"v", "run_id", "started", "plan_digest", "level", "error",
	} {
		if _, ok := m[key]; !ok {
			t.Errorf("the envelope lacks %q", key)
		}
	}
	if m["invocation"] != "touch marked" || m["success"] != true || m["error"] != nil {
		t.Errorf("%s", out)
	}
}
