package tmp

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// These tests do what an agent might that would like to run something that no
// person has approved. (What a process of the same user can write anywhere is
// beyond the gate: see the README.)

const attackMap = `{"schema": 1, "tool": "test", "operations": [
  {"id": "test.job", "surface": "cli", "intent": ["do the job"], "template": "sh ./job", "effect": "local-write", "risk": "high", "verified": true},
  {"id": "test.say", "surface": "cli", "intent": ["say <v> aloud"], "template": "touch <v>",
   "parameters": [{"name": "v", "required": true}], "effect": "local-write", "risk": "high", "verified": true}
]}`

// asked is a mapped environment of an agent, with the file job.
func asked(t *testing.T, job string) term.Env {
	t.Helper()
	env := mapped(t, attackMap, "TMP_AGENT_ID=robot")
	put(t, env, "job", job)
	return env
}

func put(t *testing.T, env term.Env, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(env.Dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// approved asks for the intent, and has a person approve what was asked for.
func approved(t *testing.T, env term.Env, intent string) (digest string) {
	t.Helper()
	status, e := runJSON(t, env, intent)
	if status != 125 || e.Error == nil || e.Error.Code != "approval_required" {
		t.Fatalf("%s: status %d, %+v", intent, status, e.Error)
	}
	digest = strings.TrimPrefix(e.Error.Approve, "tmp approve ")
	sayYes(t, env, "approve", digest)
	return digest
}

// sayYes runs tmp as a person at a terminal who says yes.
func sayYes(t *testing.T, env term.Env, args ...string) {
	t.Helper()
	getenv := env.Getenv
	env.Getenv = func(name string) string {
		if name == "TMP_AGENT_ID" {
			return ""
		}
		return getenv(name)
	}
	env.IsTerminal = func(int) bool { return true }
	env.OpenTTY = func() (io.ReadWriteCloser, error) { return yes{strings.NewReader("y\n")}, nil }
	if status, out, errs := tmpRun(t, env, args...); status != 0 {
		t.Fatalf("tmp %q: status %d\n%s%s", args, status, out, errs)
	}
}

// needsAnother reports that the intent is asked about again and did not run.
func needsAnother(t *testing.T, env term.Env, what, intent, digest string) {
	t.Helper()
	status, e := runJSON(t, env, intent)
	if status != 125 || e.Error == nil || e.Error.Code != "approval_required" && e.Error.Code != "approval_stale" || marked(env) {
		t.Errorf("%s: status %d, %+v, ran %v", what, status, e.Error, marked(env))
	}
	if e.PlanDigest != nil && *e.PlanDigest == digest {
		t.Errorf("%s: the digest is the one that was approved", what)
	}
}

func TestApprovalIsForTheFileAsItWas(t *testing.T) {
	env := asked(t, "true\n")
	change := func(what string, change func() error, back bool) {
		t.Helper()
		digest := approved(t, env, "do the job")
		if err := change(); err != nil {
			t.Fatal(err)
		}
		needsAnother(t, env, what, "do the job", digest)
		if !back {
			return
		}
		_ = os.Remove(filepath.Join(env.Dir, "job"))
		put(t, env, "job", "true\n")
		needsAnother(t, env, what+", and is back", "do the job", "") // what was struck stays so
	}
	change("the script has changed", func() error { put(t, env, "job", "touch marked\n"); return nil }, true)
	put(t, env, "evil", "touch marked\n")
	change("the script is a link to another", func() error {
		return errors.Join(os.Remove(filepath.Join(env.Dir, "job")), os.Symlink("evil", filepath.Join(env.Dir, "job")))
	}, true)

	approved(t, env, "do the job")
	put(t, env, "job", "true\n") // touched, and equal
	if status, e := runJSON(t, env, "do the job"); status != 0 {
		t.Errorf("as it was approved: status %d, %+v", status, e.Error)
	}
	needsAnother(t, env, "a second time", "do the job", "")
}

func TestApprovalIsForThePlan(t *testing.T) {
	env := asked(t, "true\n")
	digest := approved(t, env, "say hello aloud")
	needsAnother(t, env, "another parameter", "say marked aloud", digest)

	other := env
	other.Environ = append([]string{"PATH=/bin:" + env.Getenv("PATH")}, env.Environ[len(env.Environ)-1])
	other.Environ = append(other.Environ, "TMP_AGENT_ID=robot")
	needsAnother(t, other, "another environment", "say hello aloud", digest)

	other = env
	if other.Dir = filepath.Join(env.Dir, "sub"); os.Mkdir(other.Dir, 0o755) != nil {
		t.Fatal("no directory")
	}
	needsAnother(t, other, "another directory", "say hello aloud", digest)

	writeUserMap(t, filepath.Join(env.Getenv("HOME"), ".local/share/tmp/user.tcpdb"), "user.json", []byte(strings.Replace(attackMap, "touch <v>", "touch marked <v>", 1)))
	needsAnother(t, env, "another map", "say hello aloud", digest)
}

func TestNothingThatTheCallerPassesApproves(t *testing.T) {
	env := asked(t, "touch marked\n")
	env.Stdin = strings.NewReader("y\nyes\nrun\n")
	for _, name := range []string{"TMP_CHECK=off", "TMP_APPROVE=1", "TMP_YES=1", "CI=1", "TMP_AGENT_ID="} {
		loud := env
		loud.Environ = append(append([]string{}, env.Environ...), name)
		getenv := env.Getenv
		key, value, _ := strings.Cut(name, "=")
		loud.Getenv = func(n string) string {
			if n == key {
				return value
			}
			return getenv(n)
		}
		needsAnother(t, loud, name, "do the job", "")
	}
	_, e := runJSON(t, env, "do the job")
	digest := strings.TrimPrefix(e.Error.Approve, "tmp approve ")
	for _, args := range [][]string{{"approve", digest}, {"approve", "--yes", digest}, {"trust", "--review"}, {"run", "--yes", "do the job"}} {
		if status, _, _ := tmpRun(t, env, args...); status == 0 || marked(env) {
			t.Errorf("%q: status %d, ran %v", args, status, marked(env))
		}
	}
}

// The state directory of an account is where its passwd entry says, and nowhere else.
func TestApprovalsLieInTheAccount(t *testing.T) {
	env := asked(t, "touch marked\n")
	approved(t, env, "do the job")
	for _, name := range []string{"TMP_STATE_DIR", "XDG_STATE_HOME"} {
		moved := env
		getenv := env.Getenv
		moved.Getenv = func(n string) string {
			if n == name {
				return filepath.Join(env.Dir, "state")
			}
			return getenv(n)
		}
		needsAnother(t, moved, name, "say hello aloud", "")
		if files, _ := filepath.Glob(filepath.Join(env.Dir, "state/*")); len(files) != 0 {
			t.Errorf("%s moves the state to %v", name, files)
		}
	}
	none := env
	none.Account = nil
	if status, e := runJSON(t, none, "do the job"); status != 125 || e.Error.Approve != "" || marked(env) {
		t.Errorf("without an account: status %d, %+v", status, e.Error)
	}
}

// What was approved elsewhere does not read what the caller feeds it.
func TestApprovalDoesNotCoverStandardInput(t *testing.T) {
	env := asked(t, "cat > got\n")
	approved(t, env, "do the job")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, _ = w.WriteString("rm -rf everything\n")
	w.Close()
	env.Stdin = r
	status, _, errs := tmpRun(t, env, "run", "do the job")
	got, err := os.ReadFile(filepath.Join(env.Dir, "got"))
	if status != 0 || err != nil || len(got) != 0 || !strings.Contains(errs, "standard input is not handed on") {
		t.Errorf("status %d, the job read %q, %v\n%s", status, got, err, errs)
	}
}

// An interpreter that is fed by a pipe runs what nobody has seen.
func TestFedInterpreter(t *testing.T) {
	env := mapped(t, attackMap)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, _ = w.WriteString("touch marked\n")
	w.Close()
	env.Stdin = r
	if status, _, errs := tmpRun(t, env, "run", "--", "sh"); status != 125 || marked(env) {
		t.Errorf("status %d, ran %v\n%s", status, marked(env), errs)
	}
}

// While a person reads the question, the script becomes another.
func TestScriptChangedAtTheQuestion(t *testing.T) {
	env := mapped(t, attackMap)
	cmd := started(t, env, "run", "do the job")
	put(t, env, "job", "true\n")
	s := atTerminal(t, cmd)
	s.expect("Run it? [y/N] ")
	put(t, env, "job", "touch marked\n")
	s.keys("y\n")
	if status := s.end(); status != 125 || marked(env) || !strings.Contains(s.screen(), "what was approved has changed: job: content") {
		t.Errorf("status %d, ran %v\n%s", status, marked(env), s.screen())
	}
}

// What is approved is what was asked for: a person is not shown one script to
// approve another.
func TestScriptChangedBeforeTheApproval(t *testing.T) {
	env := asked(t, "touch marked\n")
	env.Now = time.Now
	_, e := runJSON(t, env, "do the job")
	put(t, env, "job", "true\n")
	person := env
	person.Environ = nil
	for _, v := range env.Environ {
		if !strings.HasPrefix(v, "TMP_AGENT_ID=") {
			person.Environ = append(person.Environ, v)
		}
	}
	s := atTerminal(t, started(t, person, "approve", *e.PlanDigest))
	if status := s.end(); status != 1 || !strings.Contains(s.screen(), "has changed since this was asked for") {
		t.Errorf("status %d\n%s", status, s.screen())
	}
}

// TestApprovedWhereItWouldRun: a person in another directory approves what would
// run: the plan is judged in its own directory, by the aliases of git there.
func TestApprovedWhereItWouldRun(t *testing.T) {
	const harmless, deletes = "!touch marked", "!rm -rf /srv/stock"
	alias := func(env term.Env, does string) {
		for _, dir := range []string{".git/objects", ".git/refs"} {
			if err := os.MkdirAll(filepath.Join(env.Dir, dir), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		put(t, env, ".git/HEAD", "ref: refs/heads/main\n")
		put(t, env, ".git/config", "[core]\n\trepositoryformatversion = 0\n[alias]\n\tzap = "+does+"\n")
	}
	for _, tt := range []struct {
		there, here string // what the alias does where the plan is for, and where the person is
		screen      string
		status      int
	}{
		{harmless, deletes, "Run it? [y/N] ", 0},
		{deletes, harmless, "CRITICAL is not approved for others", 1},
	} {
		env := mapped(t, `{"schema": 1, "tool": "test", "operations": [
  {"id": "test.zap", "surface": "cli", "intent": ["zap it"], "template": "git zap", "effect": "local-write", "risk": "high", "verified": true}]}`, "TMP_AGENT_ID=robot")
		env.Now = time.Now
		alias(env, harmless)
		_, e := runJSON(t, env, "zap it")
		alias(env, tt.there)
		person := env
		person.Environ = slices.DeleteFunc(slices.Clone(env.Environ), func(v string) bool { return strings.HasPrefix(v, "TMP_AGENT_ID=") })
		person.Dir = t.TempDir()
		alias(person, tt.here)
		s := atTerminal(t, started(t, person, "approve", *e.PlanDigest))
		s.expect(tt.screen)
		s.keys("y\n")
		if status := s.end(); status != tt.status {
			t.Errorf("there %q, here %q: status %d\n%s", tt.there, tt.here, status, s.screen())
		}
	}
}
