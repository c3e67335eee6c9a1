package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	hookcli "github.com/tool-mapping-protocol/tmp/internal/cli/hook"
	"github.com/tool-mapping-protocol/tmp/internal/hook"
)

// The test program is the hook too, and tmp-agent, and what a suite tests as a
// client, under their names. The home directory that it is told is the account's.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); {
	case name == "conformance-client":
		if err := conformanceClient(os.Args[len(os.Args)-1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	case name == "tmp-agent" || len(os.Args) > 1 && os.Args[1] == keeperWord:
		env := System()
		env.Account = func() string { return os.Getenv("HOME") }
		os.Exit(Main(env))
	}
	if filepath.Base(os.Args[0]) == "tmp-hook" {
		env := hookcli.System()
		env.Account = func() string { return os.Getenv("HOME") }
		os.Exit(hookcli.Main(env))
	}
	os.Exit(m.Run())
}

// world is a home directory, a project, and the two programs in a directory whose
// name a shell would take apart.
type world struct {
	t             *testing.T
	home, project string
	bin           string
	vars          map[string]string
	out, errs     bytes.Buffer
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: root + "/home", project: root + "/home/src/p", bin: root + "/it's a $(bin)"}
	w.vars = map[string]string{"HOME": w.home, "PATH": "/usr/bin:/bin"}
	for _, dir := range []string{w.home, w.project + "/.git", w.bin} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, w.bin+"/tmp-hook"); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) run(args ...string) int {
	w.out.Reset()
	w.errs.Reset()
	var environ []string
	for k, v := range w.vars {
		environ = append(environ, k+"="+v)
	}
	return Main(Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &w.out, Stderr: &w.errs, Getenv: func(n string) string { return w.vars[n] }, Environ: environ,
		Dir: w.project, Self: w.bin + "/tmp-agent", Become: func([]string) error { return errors.New("not here") },
	})
}

func (w *world) must(args ...string) {
	w.t.Helper()
	if status := w.run(args...); status != 0 {
		w.t.Fatalf("%v: status %d: %s", args, status, w.errs.String())
	}
}

func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// file is where the harness's file of a scope is.
func (w *world) file(h *hook.Harness, scope string) string {
	if scope == "project" {
		return filepath.Join(w.project, h.Project[0])
	}
	return filepath.Join(w.home, h.User[0])
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// whole reports whether a file of a harness is ours alone.
func whole(h *hook.Harness) bool {
	return h.Key == "cline" || h.Key == "opencode" || h.Key == "kiro" || h.Key == "copilot"
}

func each(t *testing.T, f func(t *testing.T, w *world, h *hook.Harness, scope, file string)) {
	for _, h := range hook.Harnesses() {
		for _, scope := range []string{"user", "project"} {
			t.Run(h.Key+"/"+scope, func(t *testing.T) {
				w := newWorld(t)
				f(t, w, &h, scope, w.file(&h, scope))
			})
		}
	}
}

// Where there was no file there is one with the entry, a second time does nothing
// at all, and taken out again there is none.
func TestFresh(t *testing.T) {
	each(t, func(t *testing.T, w *world, h *hook.Harness, scope, file string) {
		w.must("install", h.Key, "--hook", "--scope", scope, "--json")
		var res result
		if err := json.Unmarshal(w.out.Bytes(), &res); err != nil || !res.Changed || res.Path != file || res.V != 1 {
			t.Fatalf("%s: %v", w.out.String(), err)
		}
		text := w.read(file)
		if !strings.Contains(text, w.bin[:5]) || !strings.Contains(text, "tmp-hook") {
			t.Fatalf("%s", text)
		}
		past := time.Now().Add(-time.Hour).Truncate(time.Second)
		if err := os.Chtimes(file, past, past); err != nil {
			t.Fatal(err)
		}
		w.must("install", h.Key, "--hook", "--scope", scope, "--json")
		st, err := os.Stat(file)
		if err != nil || !st.ModTime().Equal(past) || w.read(file) != text || strings.Contains(w.out.String(), `"changed":true`) {
			t.Errorf("a second time: %s", w.out.String())
		}
		if exists(file + ".bak") {
			t.Error("there is a copy of nothing")
		}
		w.must("install", h.Key, "--hook", "--scope="+scope, "--remove")
		if exists(file) || exists(file+".bak") {
			t.Error("it is still there")
		}
		w.must("install", h.Key, "--hook", "--scope", scope, "--dry-run")
		if exists(file) {
			t.Error("a dry run has written")
		}
	})
}

// texts are files as people have them, by what is peculiar about them. EVENT
// stands for the harness's event.
var texts = map[string]string{
	"plain":    "{\n  \"model\": \"x\",\n  \"hooks\": {\n    \"EVENT\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [{\"type\": \"command\", \"command\": \"/their/hook\"}]\n      }\n    ],\n    \"Other\": []\n  },\n  \"z\": [1, 2]\n}\n",
	"comments": "// top\n{\n\t/* a */ \"hooks\": {\n\t\t\"EVENT\": [ // theirs\n\t\t\t{\"command\": \"/their/hook\"}, // one, two\n\t\t],\n\t}, // end\n}\n// last\n",
	"CRLF":     "{\r\n    \"hooks\": {},\r\n    \"a\": 1\r\n}\r\n",
	"mark":     "\ufeff{\"a\":1}",
	"minified": `{"hooks":{"EVENT":[{"command":"/their/hook"}]},"b":"ü"}`,
	"empty":    "",
	"blank":    "{}",
}

var tomlTexts = map[string]string{
	"plain":    "default_model = \"x\" # mine\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"/their/hook\"\n\n[providers.a]\nkey = 1\n",
	"list":     "hooks = []\nx = 1\n",
	"CRLF":     "a = 1\r\n[b]\r\nc = '''\r\n[[hooks]]\r\n'''\r\n",
	"mark":     "\ufeffa = 1",
	"comments": "# only this",
	"empty":    "",
}

// What others have in a file stays, byte for byte; mode and link stay; taken out
// again the file is the old one.
func TestOthersStay(t *testing.T) {
	each(t, func(t *testing.T, _ *world, h *hook.Harness, scope, _ string) {
		list := texts
		switch {
		case h.Key == "kimi":
			list = tomlTexts
		case whole(h):
			return
		}
		for name, text := range list {
			w := newWorld(t)
			file := w.file(h, scope)
			text = strings.ReplaceAll(text, "EVENT", h.Event)
			if h.Key == "droid" && strings.Contains(text, `"hooks": {}`) {
				text = strings.ReplaceAll(text, `"hooks": {}`, `"Stop": []`)
			}
			real := w.home + "/dotfiles/" + h.Key
			w.write(real, text)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(real, file); err != nil {
				t.Fatal(err)
			}
			w.must("install", h.Key, "--hook", "--scope", scope)
			got := w.read(file)
			if !subsequence(text, got) && name != "list" {
				t.Errorf("%s: something of theirs is gone:\n%s\n%s", name, text, got)
			}
			if strings.Contains(text, "\r\n") && strings.Count(got, "\n") != strings.Count(got, "\r\n") {
				t.Errorf("%s: line ends differ: %q", name, got)
			}
			if a, b := strings.Index(got, "/their/hook"), strings.Index(got, "tmp-hook"); b < a {
				t.Errorf("%s: ours is not last:\n%s", name, got)
			}
			st, err := os.Lstat(file)
			if err != nil || st.Mode()&os.ModeSymlink == 0 {
				t.Errorf("%s: the link is gone", name)
			}
			if st, err := os.Stat(real); err != nil || st.Mode().Perm() != 0o600 {
				t.Errorf("%s: mode %v", name, st.Mode())
			}
			if w.read(file+".bak") != text {
				t.Errorf("%s: the copy is not what was there", name)
			}
			w.must("install", h.Key, "--hook", "--scope", scope)
			if w.read(file) != got {
				t.Errorf("%s: twice:\n%s", name, w.read(file))
			}
			w.must("install", h.Key, "--hook", "--scope", scope, "--remove")
			if now := w.read(file); now != text {
				t.Errorf("%s: taken out:\n got %q\nwant %q", name, now, text)
			}
			if exists(file + ".bak") {
				t.Errorf("%s: the copy is left", name)
			}
		}
	})
}

// subsequence reports whether all bytes of a, but commas and blanks, are in b in
// their order.
func subsequence(a, b string) bool {
	i := 0
	for _, c := range []byte(b) {
		for i < len(a) && strings.IndexByte(", \t\r\n", a[i]) >= 0 {
			i++
		}
		if i < len(a) && a[i] == c {
			i++
		}
	}
	return strings.TrimLeft(a[i:], ", \t\r\n") == ""
}

// Later, when the file has changed, only ours goes.
func TestRemovedLater(t *testing.T) {
	each(t, func(t *testing.T, w *world, h *hook.Harness, scope, file string) {
		if whole(h) && h.Key != "copilot" {
			return
		}
		text := "{\n  \"a\": 1\n}\n"
		change := func(s string) string { return strings.Replace(s, "\"a\": 1", "\"a\": 2, \"b\": {}", 1) }
		want := "{\n  \"a\": 2, \"b\": {}\n}\n"
		switch h.Key {
		case "kimi":
			text, want = "a = 1\n", "a = 2\n[x]\n"
			change = func(s string) string { return strings.Replace(s, "a = 1\n", "a = 2\n[x]\n", 1) }
		case "copilot":
			w.must("install", h.Key, "--hook", "--scope", scope)
			text = w.read(file)
			change = func(s string) string { return strings.Replace(s, `"version": 1`, `"version": 1, "x": 2`, 1) }
			w.write(file, change(text))
			w.must("install", h.Key, "--hook", "--scope", scope, "--remove")
			return
		}
		w.write(file, text)
		w.must("install", h.Key, "--hook", "--scope", scope)
		w.write(file, change(w.read(file)))
		w.must("install", h.Key, "--hook", "--scope", scope, "--remove")
		if got := w.read(file); got != want {
			t.Errorf("%q", got)
		}
		if !strings.Contains(w.read(file+".bak"), "a") {
			t.Error("no copy")
		}
	})
}

// A file that cannot be read, or is somebody else's, is left.
func TestLeft(t *testing.T) {
	each(t, func(t *testing.T, w *world, h *hook.Harness, scope, file string) {
		list := []string{"{\"a\": ", "[]", "{\"hooks\": []}", "{\"hooks\": {\"" + h.Event + "\": {}}}", "\xff\xfe{}", "not json"}
		switch {
		case h.Key == "kimi":
			list = []string{"a = ", "[hooks]\nx = 1\n", "hooks = 1\n", "[[hooks]\n"}
		case h.Key == "kiro":
			list = append(list[:2:2], `{"hooks": [{"name": "theirs", "action": {"command": "/their/hook"}}]}`)
		case h.Key == "cline", h.Key == "opencode":
			list = []string{"#!/bin/sh\n/their/hook\n", "// theirs\n"}
		case h.Key == "copilot":
			list = append(list, `{"version": 1, "hooks": {"preToolUse": [{"bash": "/their/hook"}]}}`)
		case h.Key == "droid":
			list = []string{"{\"a\": ", "[]", "{\"PreToolUse\": {}}", "\xff\xfe{}"}
		}
		for _, text := range list {
			w.write(file, text)
			for _, args := range [][]string{{}, {"--dry-run"}} {
				if status := w.run(append([]string{"install", h.Key, "--hook", "--scope", scope}, args...)...); status != 1 {
					t.Errorf("%q: status %d", text, status)
				}
			}
			if w.read(file) != text || exists(file+".bak") {
				t.Errorf("%q is changed: %q", text, w.read(file))
			}
			if !strings.Contains(w.errs.String(), file) {
				t.Errorf("the file is not named: %s", w.errs.String())
			}
		}
	})
}

// The entry does what it is for, through a shell, and doctor sees it; a program
// that is gone is broken.
func TestDoctor(t *testing.T) {
	w := newWorld(t)
	report := func() map[string]Report {
		t.Helper()
		var all struct {
			V         int
			Harnesses []Report
		}
		if err := json.Unmarshal(w.out.Bytes(), &all); err != nil || all.V != 1 {
			t.Fatalf("%v: %s", err, w.out.String())
		}
		m := map[string]Report{}
		for _, r := range all.Harnesses {
			if _, twice := m[r.Harness]; !twice {
				m[r.Harness] = r
			}
		}
		return m
	}
	w.must("doctor", "--json")
	if r := report(); len(r) != 13 || r["claude"].Hook != "missing" {
		t.Errorf("%+v", r)
	}
	for _, h := range hook.Harnesses() {
		w.must("install", h.Key, "--hook")
	}
	w.must("doctor", "--json")
	closed := map[string]bool{"claude": true, "copilot": true, "cursor": true, "opencode": true}
	for key, r := range report() {
		if r.Hook != "ok" || (r.Fails == "closed") != closed[key] {
			t.Errorf("%s: %+v", key, r)
		}
	}
	if err := os.Remove(w.bin + "/tmp-hook"); err != nil {
		t.Fatal(err)
	}
	if status := w.run("doctor", "--json"); status != 1 {
		t.Errorf("status %d", status)
	}
	for key, r := range report() {
		if r.Hook != "broken" {
			t.Errorf("%s: %+v", key, r)
		}
	}
}

// Two of its notes are about others.
func TestDoctorNotes(t *testing.T) {
	w := newWorld(t)
	w.write(w.home+"/.claude/settings.json", `{"permissions": {"allow": ["Bash(tmp run:*)"]}, "hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "rtk hook claude"}]}]}}`)
	w.must("install", "claude", "--hook", "--agent", "me")
	w.must("doctor")
	for _, want := range []string{"claude    ok", "rtk hook claude", "Bash(tmp run:*)"} {
		if !strings.Contains(w.out.String(), want) {
			t.Errorf("%q is not in\n%s", want, w.out.String())
		}
	}
	line, err := json.Marshal("'" + strings.ReplaceAll(w.bin, "'", `'\''`) + "/tmp-hook' codex")
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.home+"/.codex/hooks.json", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":`+string(line)+`}]}]}}`)
	w.must("doctor")
	if !strings.Contains(w.out.String(), "codex     stale") {
		t.Errorf("%s", w.out.String())
	}
}

func TestUsage(t *testing.T) {
	w := newWorld(t)
	for _, args := range [][]string{{"x"}, {"install"}, {"install", "nope", "--hook"}, {"install", "claude", "--hook", "--scope", "x"}, {"install", "claude", "--hook", "--agent", "a b"}, {"install", "claude", "codex", "--hook"}, {"install", "claude", "--hook", "--wrong"}, {"doctor", "x"}, {"help", "nope"}, {"measure"}, {"measure", "x"}, {"serve", "--json"}, {"serve", "x"}, {"serve", "--http", "0.0.0.0:0"}, {"serve", "--http", "127.0.0.1:99999"}, {"refresh", "--agent", "default"}, {"refresh", "--http", "127.0.0.1:0"}, {"refresh", "--project", "/"}} {
		if status := w.run(args...); status != 2 {
			t.Errorf("%v: status %d", args, status)
		}
	}
	for _, args := range [][]string{{"--help"}, {"help"}, {"install", "--help"}, {"install", "--hook", "--help"}, {"doctor", "--help"}, {"serve", "--help"}, {"refresh", "--help"}, {"measure", "--help"}, {"help", "refresh"}, {"--version"}} {
		if status := w.run(args...); status != 0 || !strings.Contains(w.out.String(), "tmp-agent") {
			t.Errorf("%v: status %d", args, status)
		}
		if out := w.out.String(); args[0] != "--version" && !strings.Contains(out, "\n  tmp-agent ") {
			t.Errorf("%v: no example:\n%s", args, out)
		}
	}
	w.vars["TMP_AGENT_ID"] = "bot"
	w.must("install", "claude", "--hook")
	if status := w.run("install", "claude", "--hook", "--remove"); status != 125 || !exists(w.home+"/.claude/settings.json") {
		t.Errorf("status %d", status)
	}
}

// A harness that is too old gets the flags.
func TestAge(t *testing.T) {
	for version, want := range map[string]string{"2.1.300 (Claude Code)": `"onFailure"`, "2.1.100 (Claude Code)": "tmp-hook' claude\"", "1.0.90": "claude --no-rewrite\""} {
		w := newWorld(t)
		w.write(w.bin+"/claude", "#!/bin/sh\necho '"+version+"'\n")
		if err := os.Chmod(w.bin+"/claude", 0o755); err != nil {
			t.Fatal(err)
		}
		w.vars["PATH"] = w.bin + ":/usr/bin:/bin"
		w.must("install", "claude", "--hook")
		text := w.read(w.home + "/.claude/settings.json")
		if !strings.Contains(text, want) || strings.Contains(text, "onFailure") != strings.Contains(want, "onFailure") {
			t.Errorf("%s: %s", version, text)
		}
	}
}

// What cannot be written is named, not the file that was to become it.
func TestReplaceNames(t *testing.T) {
	name := filepath.Join(t.TempDir(), "none", "settings.json")
	if err := replaceFile(name, nil, 0o600); err == nil || !strings.Contains(err.Error(), name+" cannot be written") || strings.Contains(err.Error(), ".tmp-agent-") {
		t.Errorf("%v", err)
	}
}
