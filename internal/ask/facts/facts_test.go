package facts

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// world is one below a directory of its own, with env as the environment.
func world(t *testing.T, env map[string]string) (w *World, root string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	getenv := func(k string) string {
		if k == "HOME" {
			return root + "/home"
		}
		return strings.ReplaceAll(env[k], "@", root)
	}
	w = Open(root+"/work", getenv, place.Find(getenv), sections)
	w.Temps = []string{root + "/tmp"}
	t.Cleanup(w.Close)
	for _, d := range []string{"home", "work", "tmp"} {
		if err := os.MkdirAll(root+"/"+d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w, root
}

func TestTemporary(t *testing.T) {
	w, root := world(t, nil)
	for _, name := range []string{"tmp/a", "tmp/d/b", "tmp/clone/.git/HEAD", "home/x", "work/x"} {
		write(t, root+"/"+name, "x")
	}
	for _, l := range []struct{ to, at string }{{root + "/home", "tmp/out"}, {root + "/tmp/a", "work/in"}} {
		if err := os.Symlink(l.to, root+"/"+l.at); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]ask.Fate{
		root + "/tmp/a":         ask.Temporary,
		root + "/tmp/d":         ask.Temporary,
		root + "/tmp/d/":        ask.Temporary,
		root + "/tmp/d/../a":    ask.Temporary,
		root + "/tmp/nothing":   ask.Nothing,
		root + "/tmp":           ask.Lost,
		root + "/tmp/.":         ask.Lost,
		root + "/tmp/..":        ask.Lost,
		root + "/tmp/../work/x": ask.Lost,
		root + "/tmp/out":       ask.Lost, // a link into the home directory
		root + "/tmp/out/":      ask.Lost, // what it leads to
		root + "/tmp/out/x":     ask.Lost,
		root + "/tmp/out/../x":  ask.Nothing,
		root + "/tmp/clone":     ask.Lost,
		root + "/work/in":       ask.Lost,
		root + "/home/x":        ask.Lost,
		"/":                     ask.Lost,
		"x":                     ask.Lost,
		"../tmp/a":              ask.Lost, // only what is written from the root on
	} {
		if got := w.loss(line.Target{Path: path, Known: true}); got.Fate != want {
			t.Errorf("%s: %v, want %v", strings.ReplaceAll(path, root, "@"), got, want)
		}
	}
	for path, want := range map[string]ask.Fate{
		root + "/tmp/d/*":     ask.Temporary,
		root + "/tmp/?":       ask.Temporary,
		root + "/tmp/*":       ask.Lost, // a clone among them
		root + "/tmp/[a]":     ask.Lost,
		root + "/tmp/out/*":   ask.Lost,
		root + "/tmp/x*":      ask.Nothing, // matches nothing
		root + "/*":           ask.Lost,
		root + "/tmp/**":      ask.Lost,
		root + "/t*/a":        ask.Lost,
		root + "/tmp/d/*(om)": ask.Temporary,
	} {
		if got := w.loss(line.Target{Path: path, Known: true, Glob: true}); got.Fate != want {
			t.Errorf("%s: %v, want %v", strings.ReplaceAll(path, root, "@"), got, want)
		}
	}
	w.UID++ // somebody else's
	if got := w.loss(line.Target{Path: root + "/tmp/a", Known: true}); got.Fate != ask.Lost {
		t.Errorf("%v", got)
	}
}

func TestCluster(t *testing.T) {
	w, root := world(t, map[string]string{"KUBECONFIG": "@/none:@/kube"})
	write(t, root+"/kube", "apiVersion: v1\ncurrent-context: \"prod-eu\"\n")
	if got := w.cluster(); got != "prod-eu" {
		t.Errorf("%q", got)
	}
	w, root = world(t, nil)
	write(t, root+"/home/.kube/config", "current-context: ''\n")
	if got := w.cluster(); got != "" {
		t.Errorf("%q", got)
	}
}

// sections reads TOML as a program does that carries a reader of it.
func sections(file, text string) (map[string]any, []Problem) {
	var all map[string]any
	_, err := toml.Decode(text, &all)
	var bad toml.ParseError
	if errors.As(err, &bad) {
		return nil, []Problem{{File: file, Line: bad.Position.Line, Err: errors.New(bad.Message)}}
	}
	return all, nil
}

// TestRecency: what does not plainly keep words keeps none.
func TestRecency(t *testing.T) {
	w, root := world(t, nil)
	for text, want := range map[string]bool{
		"":                               true,
		"[enter]\nwide = \"ask\"\n":      true,
		"[tab]\nrecency = false\n":       false,
		"[tab]\n  recency=true # yes\n":  true,
		"tab.recency = false":            false,
		"tab.recency = true":             true,
		"[tab]\n\"recency\" = false\n":   false,
		"[tab]\n# recency = false\n":     true,
		"tab = {recency = false}\n":      false,
		"[tab]\nrecency = \"true\"\n":    false,
		"[tab]\r\nrecency = true\r\n":    true,
		"[tab]\n'recency' = false\n":     false,
		"[tab]\nrecency = true\nrecency": false,
	} {
		write(t, root+"/home/.config/tmp/config.toml", text)
		if got, all := Kept(w.Paths); got != want || all {
			t.Errorf("%q: %v, all %v", text, got, all)
		}
	}
	for text, want := range map[string]bool{
		"[audit]\nall = true\n":              true,
		"[audit]\nall=true # every line\n":   true,
		"audit.all = true":                   true,
		"[audit]\nall = false\n":             false,
		"[audit]\n# all = true\n":            false,
		"[hook]\nall = true\n":               false,
		"[audit]\n[tab]\nall = true\n":       false,
		"[tab]\naudit.all = true\n":          false,
		"[audit]\nall = \"true\"\n":          false,
		"[audit]\nall = true\nall = false\n": false,
	} {
		write(t, root+"/home/.config/tmp/config.toml", text)
		if _, got := Kept(w.Paths); got != want {
			t.Errorf("%q: all %v", text, got)
		}
	}
}

func TestSettingsOfUser(t *testing.T) {
	w, root := world(t, nil)
	config := root + "/home/.config/tmp/config.toml"
	write(t, config, "# mine\n[enter]\nin_git = \"pass\"\nword = \"please\"\nwide = \"never\"\n")
	s, problems := Settings(w.Paths, w.Dir, sections)
	if s.Value("policy.recoverable.own") != "silent" || s.Consent != "please" || s.Value("policy.content_wide.own") != "word" {
		t.Errorf("%+v", s)
	}
	if len(problems) != 2 || problems[0].Error() != config+`:3: enter.in_git: is policy.recoverable.own by now, and counts as that` ||
		problems[1].Error() != config+`:5: enter.wide: is "never": want one of "ask", "word"` {
		t.Errorf("%v", problems)
	}
	write(t, config, "[enter\n")
	if _, problems = Settings(w.Paths, w.Dir, sections); len(problems) != 1 || problems[0].Line == 0 {
		t.Errorf("%v", problems)
	}
	// A project that is not trusted changes nothing, not even to be stricter.
	write(t, config, "")
	write(t, root+"/work/.tmp/config.json", `{"v":1,"enter":{"in_git":"word"}}`)
	if s, _ = Settings(w.Paths, w.Dir, sections); s.Value("policy.recoverable.own") != "note" {
		t.Errorf("%+v", s)
	}
}

func TestAllowances(t *testing.T) {
	state := filepath.Join(t.TempDir(), "s")
	forms := []ask.Form{{Rule: "r", Form: "npm install --global"}, {Rule: "q", Form: "x"}}
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for range 2 { // the same again is kept once
		if err := allow(state, "/d", "/d", forms, now); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Allowed(state)
	if err != nil || len(all) != 2 || all[0] != (Allowance{"/d", "r", "npm install --global", now}) {
		t.Fatalf("%+v %v", all, err)
	}
	if st, err := os.Stat(allowedFile(state)); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st, err)
	}
	w := World{Dir: "/d", Paths: place.Paths{State: state}}
	if !w.isAllowed(forms[0]) || w.isAllowed(ask.Form{Rule: "other", Form: "npm install --global"}) {
		t.Error("in its directory")
	}
	if w = (World{Dir: "/d/sub", Paths: place.Paths{State: state}}); w.isAllowed(forms[0]) {
		t.Error("in another directory")
	}
	// A file that others may write allows nothing.
	if err := os.Chmod(allowedFile(state), 0o666); err != nil {
		t.Fatal(err)
	}
	if all, err := Allowed(state); err == nil || len(all) != 0 {
		t.Errorf("%v %v", all, err)
	}
}

// What an earlier version allowed covered more than was asked about: it is told
// of once and never used.
func TestEarlierAllowances(t *testing.T) {
	w, root := world(t, nil)
	w.Paths.State = root + "/state"
	write(t, allowedFile(w.Paths.State), `{"v":1,"allowed":[{"dir":"`+root+`/work","rule":"chmod","form":"chmod"},{"dir":"/","rule":"r","form":"x"}]}`)
	form := ask.Form{Rule: "chmod", Form: "chmod"}
	if w.isAllowed(form) {
		t.Error("an earlier form is used")
	}
	if p := w.Problems(); len(p) != 1 || !strings.Contains(p[0].Error(), "2 allowed by an earlier version") {
		t.Errorf("%v", p)
	}
	w.Drop()
	again := World{Dir: w.Dir, Paths: w.Paths}
	if again.isAllowed(form) || len(again.Problems()) != 0 {
		t.Errorf("%v", again.Problems())
	}
	// One of a later version is neither used nor overwritten.
	write(t, allowedFile(w.Paths.State), `{"v":3,"allowed":[{"dir":"/","rule":"r","form":"x"}]}`)
	if all, err := Allowed(w.Paths.State); err == nil || all != nil {
		t.Errorf("%v %v", all, err)
	}
	if err := allow(w.Paths.State, "/d", "/d", []ask.Form{form}, time.Now()); err == nil {
		t.Error("a later version's file is overwritten")
	}
}

func TestInside(t *testing.T) {
	w, root := world(t, nil)
	for _, name := range []string{"work/f", "work/d/g", "other/x"} {
		write(t, root+"/"+name, "x")
	}
	for at, to := range map[string]string{"work/in": "d/g", "work/out": "../other/x", "work/dir": "../other"} {
		if err := os.Symlink(to, root+"/"+at); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{
		"f": true, "d/g": true, "in": true, "out": false, "dir/x": false, "../other/x": false, ".": false, "none": false, root + "/work/f": true,
	} {
		if got := w.inside(line.Target{Path: path, Known: true}); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestSurroundings(t *testing.T) {
	w, root := world(t, map[string]string{"KUBECONFIG": "@/none:@/kube", "AWS_PROFILE": "dev", "PGPASSWORD": "x", "GH_TOKEN": "t"})
	for name, text := range map[string]string{
		"kube":                              "apiVersion: v1\ncontexts:\n- context:\n    cluster: c\n    namespace: web\n  name: staging\n- name: other\n  context: {namespace: x}\ncurrent-context: staging\n",
		"work/.git/HEAD":                    "ref: refs/heads/feature/x\n",
		"work/.git/config":                  "[core]\n\trepositoryformatversion = 0\n",
		"work/.git/refs/heads/y":            "",
		"work/.git/objects/x":               "",
		"home/.docker/config.json":          `{"auths":{"a":{}},"currentContext":"remote"}`,
		"home/.config/gcloud/active_config": "work\n",
		"home/.config/gcloud/configurations/config_work": "[core]\nproject = p1\n",
		"work/.terraform/environment":                    "eu",
	} {
		write(t, root+"/"+name, text)
	}
	for s, want := range map[ask.Surrounding]string{
		ask.KubeContext: "staging, namespace web", ask.GitBranch: "feature/x", ask.DockerContext: "remote",
		ask.CloudProject: "work p1", ask.TerraformContext: "eu",
	} {
		if got, ok := w.around(s); got != want || !ok {
			t.Errorf("%v: %q %v, want %q", s, got, ok, want)
		}
	}
	got := strings.Join(w.env([]string{"AWS_PROFILE", "PGPASSWORD", "GH_TOKEN", "PGHOST"}), " ")
	if got != "AWS_PROFILE=dev GH_TOKEN="+digest("t") {
		t.Error(got)
	}
	if got := shown("DATABASE_URL", "postgres://u:secret@db/x"); got != "postgres://u@db/x" {
		t.Error(got)
	}
}

// What is not there is no loss, wherever that is.
func TestVacant(t *testing.T) {
	w, root := world(t, nil)
	write(t, root+"/plain/x", "x")
	cmd := exec.Command("git", "init", "-q", root+"/work")
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if err := cmd.Run(); err != nil {
		t.Skip("git is not installed")
	}
	if err := os.Symlink("nowhere", root+"/work/link"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]ask.Fate{
		"gone": ask.Nothing, "a/b/": ask.Nothing, "../plain/gone": ask.Nothing, root + "/work/gone": ask.Nothing, "plain": ask.Nothing, "link": ask.Lost, "link/": ask.Lost,
	} {
		if got := w.loss(line.Target{Path: path, Known: true}); got.Fate != want {
			t.Errorf("%s: %v, want %v", path, got.Fate, want)
		}
	}
}

// What the line writes before counts wherever the links of its path lead.
func TestTouches(t *testing.T) {
	w, root := world(t, nil)
	write(t, root+"/work/d/f", "x")
	if err := os.Symlink("d", root+"/work/link"); err != nil {
		t.Fatal(err)
	}
	at := func(p string) line.Target { return line.Target{Path: p, Known: true} }
	for _, tc := range []struct {
		written, target string
		want            bool
	}{
		{"d/f", "d", true},
		{"d", "d/f", true},
		{"link/f", "d/f", true},
		{root + "/work/d/new", "d", true},
		{"d/../g", "d", false},
		{"dd", "d", false},
		{"../other/x", "d", false},
		{root + "/other/x", ".", false},
	} {
		if got := w.touches(at(tc.written), []line.Target{at(tc.target)}); got != tc.want {
			t.Errorf("%s in %s: %v", tc.written, tc.target, got)
		}
	}
	if !w.touches(line.Target{Path: "$x"}, []line.Target{at("d")}) || !w.touches(at("d"), nil) {
		t.Error("what is not known may be anything")
	}
}

// A note of one kind is made once a week, and one that cannot be kept each time.
func TestNoted(t *testing.T) {
	w, root := world(t, nil)
	w.Paths.State = root + "/state"
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	if w.Noted("rm: x", now) {
		t.Error("noted before it was")
	}
	w.Note("rm: x", now)
	w.Note("chmod: y\nz", now.Add(time.Hour))
	for kind, want := range map[string]bool{"rm: x": true, "chmod: y\nz": true, "rm: y": false, "rm": false} {
		if got := w.Noted(kind, now.Add(2*time.Hour)); got != want {
			t.Errorf("%q: %v", kind, got)
		}
	}
	if w.Noted("rm: x", now.Add(7*24*time.Hour)) || w.Noted("rm: x", now.Add(-time.Hour)) || !w.Noted("chmod: y\nz", now.Add(7*24*time.Hour)) {
		t.Error("a week")
	}
	if st, err := os.Stat(notedFile(w.Paths.State)); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st, err)
	}
	for i := range 3 * maxNoted {
		w.Note(strings.Repeat("k", i), now)
	}
	if st, err := os.Stat(notedFile(w.Paths.State)); err != nil || st.Size() > maxNotes {
		t.Errorf("%v %v", st, err)
	}
	if err := os.Chmod(notedFile(w.Paths.State), 0o666); err != nil {
		t.Fatal(err)
	}
	if w.Noted(strings.Repeat("k", 3*maxNoted-1), now) {
		t.Error("others may write it")
	}
}
