package forging

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program is this test as the program itself.
func (w *world) program(args ...string) *exec.Cmd {
	w.t.Helper()
	self, err := os.Executable()
	if err != nil {
		w.t.Skip("the test cannot start itself")
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = w.dir
	cmd.Env = []string{"TGP_TEST_MAIN=1", "PATH=" + os.Getenv("PATH")}
	for k, v := range w.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return cmd
}

// killed runs a command and kills it after a while that grows with i.
func (w *world) killed(i int, args ...string) {
	w.t.Helper()
	cmd := w.program(args...)
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	time.Sleep(time.Duration(i)*6*time.Millisecond + time.Duration(rand.IntN(4000))*time.Microsecond)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// rounds are how often each command is killed.
const rounds = 12

// TestKilled: whenever tgp is killed, there is what was before or what was to be, and
// nothing in between.
func TestKilled(t *testing.T) {
	w := newWorld(t)
	w.env["NODE_ENV"] = "production"
	w.must("init")
	key := strings.TrimSpace(w.must("key", "generate", "ann"))
	private := filepath.Join(w.env["HOME"], ".config/tmp/keys/ann.key")
	hub := newWorld(t).god("")
	hub.must("init")
	strict := `{"rootDir":"./.tgp","gatekeeper":{"keys":["` + key + `"]},"upstream":{"remote":"` + hub.dir + `/.tgp/.git","pushStrategy":"direct"}}`
	god := `{"mode":"god","rootDir":"./.tgp","upstream":{"remote":"` + hub.dir + `/.tgp/.git","pushStrategy":"direct"}}`
	state := func(name string) string {
		t.Helper()
		w.env["TGP_CONFIG"] = strict
		var l struct {
			Tools []struct{ Path, State string }
		}
		if err := json.Unmarshal([]byte(w.must("list", "--json")), &l); err != nil {
			t.Fatal(err)
		}
		for _, x := range l.Tools {
			if strings.HasSuffix(x.Path, "/"+name+".ts") {
				return x.State
			}
		}
		return ""
	}
	sound := func(step string) {
		t.Helper()
		if status, out, errs := w.tgp("doctor", "--json"); status != 0 {
			var d struct {
				Checks []struct {
					Name, Message string
					OK            bool
				}
			}
			_ = json.Unmarshal([]byte(out), &d)
			for _, c := range d.Checks {
				if !c.OK && c.Name != "landlock" {
					t.Errorf("%s: doctor: %s %s %s", step, c.Name, c.Message, errs)
				}
			}
		}
	}
	for i := range rounds {
		name := "t" + string(rune('a'+i))
		w.env["TGP_CONFIG"] = strict
		draft := w.write(name+".ts", greet)
		w.killed(i, "add", draft, "greet/"+name, "-m", "x")
		s := state(name)
		_, err := os.Stat(draft)
		if there := err == nil; s == "" && !there || s == "pending" && there || s != "" && s != "pending" {
			t.Errorf("%d: the tool is %q, the draft there: %v", i, s, there)
		}
		sound("add")
		if s == "" {
			w.must("add", draft, "greet/"+name, "-m", "x")
		}
		w.killed(i, "approve", name, "--key", private)
		if s := state(name); s != "pending" && s != "approved" {
			t.Errorf("%d: after approve it is %q", i, s)
		} else if s == "pending" {
			w.must("approve", name, "--key", private)
		}
		sound("approve")
		if status, out, errs := w.tgp("run", name, "--name", "x"); status != 0 || out != "[\"hi x\"]\n" {
			t.Errorf("%d: %d %s%s", i, status, out, errs)
		}
		w.env["TGP_CONFIG"] = god
		w.killed(i, "sync")
		sound("sync")
	}
	w.env["TGP_CONFIG"] = god
	w.must("sync")
	if err := hub.git("fsck", "--strict"); err != nil {
		t.Error(err)
	}
	if err := w.git("fsck", "--strict"); err != nil {
		t.Error(err)
	}
	b := newWorld(t)
	b.env["TGP_CONFIG"] = strict
	b.must("init")
	b.must("sync")
	for i := range rounds {
		if out := b.must("run", "t"+string(rune('a'+i)), "--name", "x"); out != "[\"hi x\"]\n" {
			t.Errorf("%d: %s", i, out)
		}
	}
}

// git asks the program git about the root; nil where it is not here.
func (w *world) git(args ...string) error {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil //nolint:nilerr // the test goes on without it
	}
	out, err := exec.Command(program, append([]string{"-C", filepath.Join(w.dir, ".tgp")}, args...)...).CombinedOutput()
	if err != nil || strings.Contains(string(out), "error") {
		return &exec.Error{Name: strings.Join(args, " ") + ": " + string(out), Err: err}
	}
	return nil
}

// TestBareHub: a bare repository that a person made is a hub, though nothing is in it.
func TestBareHub(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not here")
	}
	bare := filepath.Join(t.TempDir(), "hub.git")
	if out, err := exec.Command(git, "init", "-q", "--bare", "-b", "main", bare).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	tenant := func(remote string) *world {
		w := newWorld(t).god(`,"upstream":{"remote":"` + remote + `","pushStrategy":"direct"}`)
		w.must("init")
		return w
	}
	a, b := tenant(bare), tenant("file://"+bare)
	a.write("d.ts", greet)
	a.must("add", "d.ts", "greet/hello", "-m", "greet")
	a.must("sync")
	b.must("sync")
	if out := b.must("run", "hello", "--name", "x"); out != "[\"hi x\"]\n" {
		t.Errorf("%s", out)
	}
	out, err := exec.Command(git, "--git-dir", bare, "log", "--format=%s", "main", "--", "tools").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "feat(greet): greet") {
		t.Errorf("%v %s", err, out)
	}
	if out, err := exec.Command(git, "--git-dir", bare, "fsck", "--strict").CombinedOutput(); err != nil {
		t.Errorf("%v %s", err, out)
	}
	// Rewritten history is not taken.
	clone := filepath.Join(t.TempDir(), "c")
	for _, args := range [][]string{
		{"clone", "-q", bare, clone},
		{"-C", clone, "-c", "user.name=e", "-c", "user.email=e@e", "commit", "-q", "--amend", "-m", "evil"},
		{"-C", clone, "push", "-q", "-f", "origin", "main"},
	} {
		if out, err := exec.Command(git, args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	if status, _, errs := b.tgp("sync"); status != 125 || !strings.Contains(errs, "UPSTREAM_REWOUND") {
		t.Errorf("%d %s", status, errs)
	}
}
