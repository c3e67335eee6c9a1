package tmp

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

const flowMap = `{"schema": 1, "tool": "test", "operations": [
  {"id": "test.first", "surface": "cli", "intent": ["append the first"], "template": "sh ./first", "outputs": ["*.log"], "effect": "read-only", "risk": "low", "verified": true},
  {"id": "test.slow", "surface": "cli", "intent": ["wait for go"], "template": "sh ./wait", "effect": "read-only", "risk": "low", "verified": true},
  {"id": "test.again", "surface": "cli", "intent": ["wait for go again"], "template": "sh ./wait", "idempotent": true, "effect": "read-only", "risk": "low", "verified": true},
  {"id": "test.high", "surface": "cli", "intent": ["high mark"], "template": "touch marked", "effect": "local-write", "risk": "high", "verified": true},
  {"id": "test.flow", "surface": "workflow", "intent": ["run the flow"], "effect": "read-only", "risk": "low", "verified": true, "steps": ["test.first", "test.slow"]},
  {"id": "test.flow_again", "surface": "workflow", "intent": ["run the flow again"], "effect": "read-only", "risk": "low", "verified": true, "steps": ["test.first", "test.again"]},
  {"id": "test.flow_high", "surface": "workflow", "intent": ["run the high flow"], "effect": "read-only", "risk": "low", "verified": true, "steps": ["test.first", "test.high"]}
]}`

// flowDir puts the steps' scripts in place: first counts its runs, wait ends
// when there is a file named go.
func flowDir(t *testing.T, env term.Env) func(args ...string) *exec.Cmd {
	t.Helper()
	for name, text := range map[string]string{
		"first": "echo once >> first.log\n",
		"wait":  "echo $$ > pid; echo waiting; while [ ! -f go ]; do sleep 0.05; done; echo went\n",
	} {
		if err := os.WriteFile(filepath.Join(env.Dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return func(args ...string) *exec.Cmd {
		cmd := exec.Command("tmp", args...)
		cmd.Dir, cmd.Env = env.Dir, append(env.Environ, "TERM=dumb")
		return cmd
	}
}

func lines(t *testing.T, file string) int {
	t.Helper()
	data, _ := os.ReadFile(file)
	return strings.Count(string(data), "\n")
}

// TestKilledWorkflowResumes: after kill -9 in the middle of a step the journal
// says what was done; the step itself is run again only if that is declared
// harmless, or asked for, and not while its program still runs.
func TestKilledWorkflowResumes(t *testing.T) {
	for _, tt := range []struct {
		flow       string
		idempotent bool
	}{{"test.flow", false}, {"test.flow_again", true}} {
		env := mapped(t, flowMap)
		tmp := flowDir(t, env)
		cmd := tmp("workflow", "run", tt.flow)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		pid := filepath.Join(env.Dir, "pid")
		eventually(t, "the second step runs", func() bool { return lines(t, pid) == 1 })
		_ = cmd.Process.Kill()
		_ = cmd.Wait()

		out, err := tmp("workflow", "run", "--resume", "last").CombinedOutput()
		if err == nil || !strings.Contains(string(out), "still running") {
			t.Errorf("%s: taken up beside the step that still runs: %s", tt.flow, out)
		}
		if err := os.WriteFile(filepath.Join(env.Dir, "go"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		args := []string{"workflow", "run", "--resume", "last"}
		eventually(t, "the step that was left ends", func() bool {
			out, err = tmp(args...).CombinedOutput()
			return !strings.Contains(string(out), "still running")
		})
		if !tt.idempotent {
			if err == nil || !strings.Contains(string(out), "cut short") {
				t.Errorf("a step that is not idempotent is run again: %s", out)
			}
			if out, _ = tmp(append(args, "--redo")...).CombinedOutput(); !strings.Contains(string(out), "is for a person") {
				t.Errorf("--redo without a person: %s", out)
			}
			s := atTerminal(t, tmp(append(args, "--redo")...))
			if status := s.end(); status != 0 {
				t.Errorf("--redo: status %d", status)
			}
			out, err = []byte(s.screen()), nil
		}
		if err != nil || !strings.Contains(string(out), "went") && !strings.Contains(string(out), ": done (") {
			t.Errorf("%s: %v: %s", tt.flow, err, out)
		}
		if n := lines(t, filepath.Join(env.Dir, "first.log")); n != 1 {
			t.Errorf("%s: the first step ran %d times", tt.flow, n)
		}
	}
}

// A run that a repository brings along says nothing about what was done here.
func TestForgedJournal(t *testing.T) {
	env := mapped(t, flowMap)
	tmp := flowDir(t, env)
	if out, err := tmp("init").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, _ := tmp("workflow", "run", "--json", "--dry-run", "test.flow").Output()
	var p session.DryRun
	if err := json.Unmarshal(out, &p); err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(env.Dir, ".tmp/runs/2026-01-01T00-00-00Z-0000")
	if err := os.MkdirAll(run, 0o700); err != nil {
		t.Fatal(err)
	}
	head, _ := json.Marshal(map[string]any{"v": 1, "operation_id": "test.flow", "cwd": env.Dir, "map_digest": p.MapDigest})
	for name, text := range map[string]string{"raw.log": "", "workflow.json": string(head), "steps.jsonl": `{"step":"test-first","state":"done"}` + "\n"} {
		if err := os.WriteFile(filepath.Join(run, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := tmp("workflow", "run", "--resume", "last").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is not one of a workflow that you ran") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestWorkflowAtTerminal: a person is shown every step, answers once for all,
// and sees a line for each beginning and end.
func TestWorkflowAtTerminal(t *testing.T) {
	for keys, status := range map[string]int{"y\n": 0, "n\n": 125} {
		env := mapped(t, flowMap)
		tmp := flowDir(t, env)
		cmd := tmp("workflow", "run", "test.flow_high")
		cmd.Env = append(cmd.Env, "NO_COLOR=1")
		s := atTerminal(t, cmd)
		s.expect("Run it? [y/N] ")
		s.keys(keys)
		if got := s.end(); got != status {
			t.Errorf("%q: status %d, want %d\n%s", keys, got, status, s.screen())
		}
		screen := s.screen()
		for _, want := range []string{"step test-first: sh ./first", "step test-high: touch marked"} {
			if !strings.Contains(screen, want) {
				t.Errorf("%q: the question lacks %q:\n%s", keys, want, screen)
			}
		}
		ran := lines(t, filepath.Join(env.Dir, "first.log"))
		if done := strings.Contains(screen, "test-first: done") && strings.Contains(screen, "test-high: done"); done != (status == 0) || ran != map[int]int{0: 1}[status] {
			t.Errorf("%q: ran %d times:\n%s", keys, ran, screen)
		}
		if strings.Contains(screen, "\x1b[") {
			t.Errorf("colour with NO_COLOR:\n%q", screen)
		}
	}
}

// TestWorkflowInterrupted: a signal reaches the step, and nothing further begins.
func TestWorkflowInterrupted(t *testing.T) {
	env := mapped(t, flowMap)
	tmp := flowDir(t, env)
	cmd := tmp("workflow", "run", "test.flow", "--json")
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the second step runs", func() bool { return lines(t, filepath.Join(env.Dir, "pid")) == 1 })
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 143 {
		t.Errorf("%v: %s", err, out.String())
	}
	var e session.Envelope
	if err := json.Unmarshal([]byte(out.String()), &e); err != nil || e.Success || e.Summary["failed_steps"] != 1.0 || e.Summary["done_steps"] != 1.0 {
		t.Errorf("%v: %s", err, out.String())
	}
}

// TestWorkflowApproval: one approval, before the first step, of this very plan.
func TestWorkflowApproval(t *testing.T) {
	env := mapped(t, flowMap)
	flowDir(t, env)
	ask := func() (status int, e session.Envelope) {
		status, out, errs := tmpRun(t, env, "workflow", "run", "--json", "test.flow_high")
		if err := json.Unmarshal([]byte(out), &e); err != nil {
			t.Fatalf("%v: %s %s", err, out, errs)
		}
		return status, e
	}
	status, e := ask()
	if status != 125 || e.Error == nil || e.Error.Code != "approval_required" || *e.Level != "HIGH_RISK" {
		t.Fatalf("%d, %+v", status, e)
	}
	if lines(t, filepath.Join(env.Dir, "first.log")) != 0 {
		t.Error("the first step ran before the approval")
	}
	again, f := ask()
	if again != 125 || *f.PlanDigest != *e.PlanDigest {
		t.Error("the same plan has another digest")
	}
}

const dagMap = `{"schema": 1, "tool": "test", "operations": [
  {"id": "test.nap", "surface": "cli", "intent": ["take a nap"], "template": "sleep 0.3", "effect": "read-only", "risk": "low", "verified": true},
  {"id": "test.fail", "surface": "cli", "intent": ["fail right now"], "template": "sh ./fails", "effect": "read-only", "risk": "low", "verified": true},
  {"id": "test.say", "surface": "cli", "intent": ["say <what>"], "template": "printf %s. <what>", "parameters": [{"name": "what", "required": true}], "effect": "read-only", "risk": "low", "verified": true},
  {"id": "test.dag", "surface": "workflow", "intent": ["run the whole graph"], "parameters": [{"name": "what"}], "effect": "read-only", "risk": "low", "verified": true, "steps": [
    {"id": "a", "run": "test.nap", "needs": []}, {"id": "b", "run": "test.fail", "needs": []}, {"id": "c", "run": "test.nap", "needs": ["a"]},
    {"id": "d", "run": "test.nap", "needs": ["a", "b"]}, {"id": "clean", "run": "test.say", "with": {"what": "<what>"}, "needs": ["d"], "on": "always"}]}
]}`

// TestWorkflowGraphWithFailure: what runs beside a step that fails goes to its
// end, nothing else begins but what is for that, and it is taken up from there.
// A value with a line break is one word, and one line on the screen.
func TestWorkflowGraphWithFailure(t *testing.T) {
	env := mapped(t, dagMap)
	put(t, env, "fails", "echo broken; exit 3\n")
	run := func(args ...string) (status int, states map[string]string, errs string) {
		cmd := started(t, env, append([]string{"workflow", "run"}, args...)...)
		var out, e strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &e
		_ = cmd.Run()
		var env session.Envelope
		states = map[string]string{}
		if json.Unmarshal([]byte(out.String()), &env) == nil {
			steps, _ := env.Summary["steps"].([]any)
			for _, s := range steps {
				m, _ := s.(map[string]any)
				states[m["id"].(string)], _ = m["state"].(string)
			}
		}
		return cmd.ProcessState.ExitCode(), states, e.String()
	}
	status, states, _ := run("test.dag", "--jobs", "4", "--json", "--set", "what=one\ntwo")
	want := map[string]string{"a": "done", "b": "failed", "c": "skipped", "d": "skipped", "clean": "done"}
	if status != 3 || !maps.Equal(states, want) {
		t.Errorf("status %d, %v", status, states)
	}
	put(t, env, "fails", "exit 0\n")
	status, _, errs := run("--resume", "last")
	if status != 0 || !strings.Contains(errs, "a: done in run") || !strings.Contains(errs, "b: done (") || !strings.Contains(errs, "d: done (") {
		t.Errorf("taken up: status %d\n%s", status, errs)
	}
	status, _, errs = run("test.dag", "--set", "what=one\ntwo")
	if status != 0 || strings.Count(errs, "clean:") != 2 || strings.Contains(errs, "\ntwo") {
		t.Errorf("status %d\n%s", status, errs)
	}
	for line := range strings.Lines(errs) {
		if !strings.HasPrefix(line, "tmp: ") || strings.ContainsAny(line, "\x1b\r") {
			t.Errorf("without a terminal: %q", line)
		}
	}
}
