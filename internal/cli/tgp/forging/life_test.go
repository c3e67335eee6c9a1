package forging

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const greet = `/**
 * Greets somebody.
 * @param {string} name who
 * @param {integer} [times=1] how often
 */
const out: string[] = [];
for (let i = 0; i < tgp.args.times; i++) out.push("hi " + tgp.args.name);
export default out;
`

// TestLifeInGodMode: draft, check, run, add, list, fix.
func TestLifeInGodMode(t *testing.T) {
	w := newWorld(t).god("")
	w.must("init")
	if out := w.must("init", "--json"); strings.Count(out, `"kept"`) != 4 {
		t.Errorf("again: %s", out)
	}
	draft := w.write("draft.ts", greet)
	w.must("check", "draft.ts")
	if out := w.must("run", "draft.ts", "--name", "ann", "--times=2"); out != "[\"hi ann\",\"hi ann\"]\n" {
		t.Errorf("run: %q", out)
	}
	w.must("add", "draft.ts", "greet/hello", "-m", "greet somebody")
	if _, err := os.Stat(draft); err == nil {
		t.Error("the draft is still there")
	}
	if out := w.must("list", "--query", "greet"); !strings.HasPrefix(out, `tools/greet/hello.ts (v0.1 - "Greets somebody.")`) {
		t.Errorf("list: %q", out)
	}
	if status, _, _ := w.tgp("list", "--query", "nothing like it"); status != 1 {
		t.Errorf("no hit: %d", status)
	}
	for args, want := range map[string]int{"hello": 2, "hello --nam x": 2, "hello --name a --name b": 2, "hello --name a --times x": 2, "hello --name ../../x": 125, "nothere": 125} {
		if status, _, errs := w.tgp(append([]string{"run"}, strings.Fields(args)...)...); status != want {
			t.Errorf("run %s: %d, want %d: %s", args, status, want, errs)
		}
	}
	for _, name := range []string{"hello", "greet/hello", "tools/greet/hello.ts", "tgp.greet.hello", "hello.ts"} {
		w.must("run", name, "--name", "x")
	}
	w.must("fix", "hello")
	w.write(".tgp/fix/hello.ts", strings.Replace(greet, "hi ", "ho ", 1))
	w.must("fix", "hello", "--commit", "-m", "say ho")
	if out := w.must("run", "hello", "--name", "x"); out != "[\"ho x\"]\n" {
		t.Errorf("fixed: %q", out)
	}
	if out := w.must("list"); !strings.Contains(out, "v0.2") {
		t.Errorf("list: %q", out)
	}
	var l struct {
		Commits []struct{ Subject string }
		Runs    []struct{ Success bool }
	}
	if err := json.Unmarshal([]byte(w.must("log", "--json", "hello")), &l); err != nil || len(l.Commits) != 2 || l.Commits[0].Subject != "fix(greet): say ho" || len(l.Runs) < 6 {
		t.Errorf("log: %+v %v", l, err)
	}
}

// TestLifeInProduction: a tool waits on a branch until a key has signed its very bytes.
func TestLifeInProduction(t *testing.T) {
	w := newWorld(t)
	w.env["NODE_ENV"] = "production"
	w.must("init")
	key := strings.TrimSpace(w.must("key", "generate", "ann"))
	w.env["TGP_CONFIG"] = `{"rootDir":"./.tgp","gatekeeper":{"keys":["` + key + `"]}}`
	private := filepath.Join(w.env["HOME"], ".config/tmp/keys/ann.key")
	w.write("d.ts", greet)
	refused := func(code string, args ...string) {
		t.Helper()
		if status, _, errs := w.tgp(args...); status != 125 || !strings.Contains(errs, code) {
			t.Errorf("%v: %d, want 125 %s: %s", args, status, code, errs)
		}
	}
	refused("NOT_APPROVED", "run", "d.ts", "--name", "x")
	w.must("add", "d.ts", "greet/hello", "-m", "greet")
	if out := w.must("list"); !strings.Contains(out, "pending") {
		t.Errorf("list: %s", out)
	}
	refused("NOT_APPROVED", "run", "hello", "--name", "x")
	if out := w.must("review", "hello"); !strings.Contains(out, "+ export default out;") {
		t.Errorf("review: %s", out)
	}
	w.env["TMP_AGENT_ID"] = "a"
	refused("AGENT_REFUSED", "approve", "hello", "--key", private)
	delete(w.env, "TMP_AGENT_ID")
	refused("APPROVAL_REQUIRED", "approve", "hello")
	if err := os.Chmod(private, 0o644); err != nil {
		t.Fatal(err)
	}
	refused("SECURITY_VIOLATION", "approve", "hello", "--key", private)
	if err := os.Chmod(private, 0o600); err != nil {
		t.Fatal(err)
	}
	w.must("approve", "hello", "--key", private)
	if out := w.must("run", "hello", "--name", "x"); out != "[\"hi x\"]\n" {
		t.Errorf("%q", out)
	}
	w.write(".tgp/tools/greet/hello.ts", greet+"// changed\n")
	refused("NOT_APPROVED", "run", "hello", "--name", "x")
	w.write(".tgp/tools/greet/hello.ts", greet)
	w.write(".tgp/meta.json", `{"tools":{"tools/greet/hello.ts":{"net":["evil.example"]}}}`)
	w.must("run", "hello", "--name", "x")
	w.must("fix", "hello")
	w.write(".tgp/fix/hello.ts", strings.Replace(greet, "hi ", "ho ", 1))
	w.must("fix", "hello", "--commit", "-m", "say ho")
	if out := w.must("run", "hello", "--name", "x"); out != "[\"hi x\"]\n" {
		t.Errorf("main does not run on: %q", out)
	}
	w.tty = true
	w.must("approve", "hello")
	w.tty = false
	if out := w.must("run", "hello", "--name", "x"); out != "[\"ho x\"]\n" {
		t.Errorf("%q", out)
	}
	w.must("revoke", "hello")
	refused("NOT_APPROVED", "run", "hello", "--name", "x")
}

func TestServe(t *testing.T) {
	w := newWorld(t).god("")
	w.must("init")
	w.write("d.ts", greet)
	w.must("add", "d.ts", "greet/hello", "-m", "greet")
	_, out, _ := w.fed(`{"id":1,"method":"run","params":{"tool":"hello","args":{"name":"a"}}}
{"id":2,"method":"list","params":{"query":"greet"}}
{"id":3,"method":"run","params":{"tool":"hello","args":{}}}
{"id":4,"method":"nothing"}
not json
{"id":5,"method":"run","params":{"tool":"hello","args":{"name":"b"}}}
`, "serve")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for i, want := range []string{`"result":["hi a"]`, `"path":"tools/greet/hello.ts"`, `"code":"USAGE"`, `"code":"USAGE"`, `"code":"USAGE"`, `"result":["hi b"]`} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("line %d of %d lacks %s: %s", i, len(lines), want, out)
		}
	}
}

// TestHub: what one tenant forges another one gets, and nothing else of it.
func TestHub(t *testing.T) {
	hub := newWorld(t)
	hub.must("--root", filepath.Join(hub.dir, "hub"), "init")
	remote := filepath.Join(hub.dir, "hub", ".git")
	tenant := func(strategy string) *world {
		w := newWorld(t).god(`,"upstream":{"remote":"` + remote + `","pushStrategy":"` + strategy + `"},"harvest":{"minRuns":2}`)
		w.must("init")
		return w
	}
	a, b := tenant("direct"), tenant("pull-request")
	a.write("d.ts", greet)
	a.must("add", "d.ts", "greet/hello", "-m", "greet")
	a.must("sync")
	if out := b.must("sync", "--json"); !strings.Contains(out, "tools/greet/hello.ts") {
		t.Errorf("%s", out)
	}
	b.must("run", "hello", "--name", "x")
	b.write("e.ts", strings.Replace(greet, "Greets", "Hails", 1))
	b.must("add", "e.ts", "greet/hail", "-m", "hail")
	for range 3 {
		b.must("run", "hail", "--name", "x")
	}
	if out := b.must("harvest", "--push", "--json"); !strings.Contains(out, `"id": "tgp.greet.hail"`) || !strings.Contains(out, `"pushed": true`) {
		t.Errorf("%s", out)
	}
}

func TestConfigurationNeedsTrust(t *testing.T) {
	w := newWorld(t)
	w.write("tgp.config.json", `{"mode":"god","fs":{"allowedDirs":["./out"]}}`)
	w.write("a.ts", "export default 1")
	if status, _, errs := w.tgp("run", "a.ts"); status != 125 || !strings.Contains(errs, "CONFIG_UNTRUSTED") {
		t.Errorf("%d %s", status, errs)
	}
	w.must("check", "a.ts")
	w.tty = true
	w.must("trust")
	w.tty = false
	w.must("run", "a.ts")
	w.write("tgp.config.json", `{"mode":"god","fs":{"allowedDirs":["./other"]}}`)
	if status, _, _ := w.tgp("run", "a.ts"); status != 125 {
		t.Errorf("a changed configuration counts: %d", status)
	}
	for config, want := range map[string]string{`{"fs":{"allowedDirs":["/"]}}`: "the whole file system", `{"mod":"god"}`: `the nearest is "mode"`, `{"mode":"x"}`: "one of god"} {
		w.env["TGP_CONFIG"] = config
		if status, _, errs := w.tgp("run", "a.ts"); status != 125 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", config, status, errs)
		}
	}
}

// TestApprovedAnew: who approves again with another word for unattended runs has that
// word count, and signatures of the same text add up.
func TestApprovedAnew(t *testing.T) {
	w := newWorld(t)
	w.env["NODE_ENV"] = "production"
	w.must("init")
	var keys, private []string
	for _, name := range []string{"ann", "bob"} {
		keys = append(keys, strings.TrimSpace(w.must("key", "generate", name)))
		private = append(private, filepath.Join(w.env["HOME"], ".config/tmp/keys", name+".key"))
	}
	config := func(threshold string) {
		w.env["TGP_CONFIG"] = `{"rootDir":"./.tgp","gatekeeper":{"threshold":` + threshold + `,"keys":["` + strings.Join(keys, `","`) + `"]}}`
	}
	ends := func(want int) {
		t.Helper()
		if status, _, errs := w.tgp("run", "hurt"); status != want {
			t.Errorf("%d, want %d: %s", status, want, errs)
		}
	}
	config("1")
	w.write("h.ts", "/**\n * Hurts.\n * @risk HIGH\n */\nexport default 1;\n")
	w.must("add", "h.ts", "greet/hurt", "-m", "x")
	w.must("approve", "hurt", "--key", private[0])
	ends(125)
	w.must("approve", "hurt", "--key", private[0], "--unattended")
	ends(0)
	config("2")
	ends(125)
	w.must("approve", "hurt", "--key", private[1], "--unattended")
	ends(0)
	w.must("approve", "hurt", "--key", private[1]) // no longer unattended, and one signature
	ends(125)
	config("1")
	ends(125)
}

// TestSubjectsAreTheIndex: a tool is found by what was said when it was added, also after
// an approval merged it, and by who took it from the hub; its version counts the commits of
// its own.
func TestSubjectsAreTheIndex(t *testing.T) {
	w := newWorld(t)
	w.env["NODE_ENV"] = "production"
	w.must("init")
	key := strings.TrimSpace(w.must("key", "generate", "ann"))
	private := filepath.Join(w.env["HOME"], ".config/tmp/keys/ann.key")
	hub := newWorld(t).god("")
	hub.must("init")
	w.env["TGP_CONFIG"] = `{"rootDir":"./.tgp","gatekeeper":{"keys":["` + key + `"]},"upstream":{"remote":"` + hub.dir + `/.tgp/.git","pushStrategy":"direct"}}`
	found := func(w *world, query, version string) {
		t.Helper()
		if _, out, errs := w.tgp("list", "--query", query); !strings.HasPrefix(out, "tools/greet/hello.ts (v"+version+" ") {
			t.Errorf("%s: %s%s", query, out, errs)
		}
	}
	w.write("d.ts", greet)
	w.must("add", "d.ts", "greet/hello", "-m", "welcome visitors")
	found(w, "visitors", "0.1")
	w.must("approve", "hello", "--key", private)
	found(w, "visitors", "0.1")
	w.must("fix", "hello")
	w.write(".tgp/fix/hello.ts", strings.Replace(greet, "hi ", "ho ", 1))
	w.must("fix", "hello", "--commit", "-m", "be louder")
	w.must("approve", "hello", "--key", private)
	found(w, "visitors", "0.2")
	found(w, "louder", "0.2")
	var l struct{ Commits []struct{ Subject string } }
	if err := json.Unmarshal([]byte(w.must("log", "--json", "hello")), &l); err != nil {
		t.Fatal(err)
	}
	var subjects []string
	for _, c := range l.Commits {
		subjects = append(subjects, c.Subject)
	}
	slices.Sort(subjects) // two of them in a second have no order
	if want := []string{"approve(greet): hello", "approve(greet): hello", "feat(greet): welcome visitors", "fix(greet): be louder"}; !slices.Equal(subjects, want) {
		t.Errorf("%q, want %q", subjects, want)
	}
	w.must("sync")
	b := newWorld(t)
	b.env["TGP_CONFIG"] = w.env["TGP_CONFIG"]
	b.must("init")
	b.must("sync")
	found(b, "visitors", "0.2")
	b.must("run", "hello", "--name", "x")
}
