package te

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRaw: the tool itself, byte for byte, and nothing stored.
func TestRaw(t *testing.T) {
	b := newBench(t).write("src/a.py", "def foo():\n# TE: 5 more\nfoo\x00bar\n", "b.txt", "foo\r\nfoo")
	b.stdin = []byte("foo\nbar\n")
	for _, args := range [][]string{
		{"grep", "-rn", "foo", "."},
		{"grep", "foo", "missing"},
		{"grep", "["},
		{"cat", "src/a.py", "b.txt"},
		{"cat", "missing"},
		{"cat"},
		{"find", "."},
		{"find", "missing"},
		{"grep", "-c", "foo", "b.txt"},
		{"grep", "nothing", "b.txt"},
		{"grep", "--help"},
	} {
		want := b.run(args[0], args[1:]...)
		if got := b.te(append([]string{"-i"}, args...)...); got != want {
			t.Errorf("te -i %q: %+v, want %+v", args, got, want)
		}
	}
	// Passed on although not asked to be.
	for _, args := range [][]string{
		{"grep", "-q", "foo", "b.txt"},
		{"grep", "-rZl", "foo", "."},
		{"grep", "-z", "foo", "b.txt"},
		{"grep", "-T", "foo", "b.txt"},
		{"grep", "-V"},
		{"grep", "-c", "foo", "b.txt"},
		{"grep", "-co", "foo"},
		{"find", ".", "-print0"},
		{"find", ".", "-name", "*.py", "-exec", "echo", "{}", ";"},
		{"find", ".", "-fprintf", "/dev/null", "%p"},
		{"grep", "--null-data", "foo", "b.txt"},
		{"grep", "--qui", "foo", "b.txt"},
	} {
		want := b.run(args[0], args[1:]...)
		if got := b.te(args...); got != want {
			t.Errorf("te %q: %+v, want %+v", args, got, want)
		}
	}
	b.write("gone/x", "")
	if got := b.te("find", "gone", "-delete"); got != (result{}) {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(b.dir, "gone")); err == nil {
		t.Error("find -delete deleted nothing")
	}
	if _, err := os.Stat(filepath.Join(b.home, ".local/state/tmp/te/sessions")); err == nil {
		t.Error("something is stored")
	}
}

func TestErrors(t *testing.T) {
	b := newBench(t).write("a", "foo\n", "d/x", "foo\n")
	b.stdin = []byte{}
	b.te("grep", "[", "a").wants(t, "invalid_pattern", 2)
	b.te("grep", "-P", "(", "a").wants(t, "invalid_pattern", 2)
	b.te("grep", "-E", "a{1", "a")
	b.te("grep", "foo", "missing").wants(t, "not_found", 2)
	b.te("grep", "foo", "a", "missing").wants(t, "not_found", 2)
	b.te("grep", "-s", "foo", "missing").wants(t, "not_found", 2)
	b.te("grep", "-d", "read", "foo", "d").wants(t, "is_directory", 2)
	b.te("grep").wants(t, "usage", 2)
	b.te("grep", "-A", "x", "foo", "a").wants(t, "usage", 2)
	b.te("grep", "-m", "x", "foo", "a").wants(t, "usage", 2)
	b.te("grep", "--nonsense", "foo", "a").wants(t, "usage", 2)
	b.te("cat", "d").wants(t, "is_directory", 1)
	b.te("cat", "missing").wants(t, "not_found", 1)
	b.te("cat", "a", "missing").wants(t, "not_found", 1)
	b.te("cat", "--nonsense").wants(t, "usage", 1)
	b.te("find", "missing").wants(t, "not_found", 1)
	b.te("find", ".", "-nonsense").wants(t, "usage", 1)
	b.te("find", ".", "-name").wants(t, "usage", 1)
	b.te("ls").wants(t, "usage", 2)
	b.te().wants(t, "usage", 2)
	b.te("--nonsense", "grep", "x").wants(t, "usage", 2)
	b.te("--max-chars", "x", "grep", "x").wants(t, "usage", 2)
	b.te("--timeout", "x", "grep", "x").wants(t, "usage", 2)
	b.te("--chunk", "1", "grep", "x").wants(t, "usage", 2)
	b.te("coach").wants(t, "usage", 2)
	b.te("rag", "search", "x").wants(t, "no_index", 125)
	missing := *b
	missing.env = append(slices.Clone(b.env), "PATH=/nonexistent")
	missing.te("grep", "foo", "a").wants(t, "tool_missing", 127)
	missing.te("-i", "cat", "a").wants(t, "tool_missing", 127)
	// A complaint beside results.
	m, body := b.te("grep", "foo", "a", "missing").meta(t)
	if number(m, "matches") != 1 || !strings.HasPrefix(body, "a:1:foo\n[TE] ") || number(m, "errors") != 1 {
		t.Errorf("%v %q", m, body)
	}
	if m, body := b.te("grep", "nothing", "a").meta(t); body != "" || m["error"] != nil || number(m, "matches") != 0 {
		t.Errorf("%v %q", m, body)
	}
}

// TestTimeout: what came is shown, the group of the tool is ended.
func TestTimeout(t *testing.T) {
	b := newBench(t).write("a", "foo\n")
	fake := filepath.Join(b.dir, "bin")
	b.write("bin/grep", "#!/bin/sh\nprintf 'a\\0001:foo\\n'\nsleep 77 &\nsleep 77\n")
	if err := os.Chmod(filepath.Join(fake, "grep"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.env = append(b.env, "PATH="+fake+":"+os.Getenv("PATH"))
	began := time.Now()
	r := b.te("--timeout", "0.3", "grep", "foo", "a")
	r.wants(t, "timeout", 124)
	if m, body := r.meta(t); number(m, "matches") != 1 || !strings.HasPrefix(body, "a:1:foo\n") {
		t.Errorf("%v %q", m, body)
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
	if out, _ := exec.Command("pgrep", "-f", "^sleep 77$").Output(); len(out) > 0 {
		t.Errorf("processes are left: %s", out)
	}
}

// TestSignal: a signal for te goes to the tool, and te ends with it.
func TestSignal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		b := newBench(t)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "--timeout", "60", "grep", "foo", "-")
		cmd.Dir, cmd.Env, cmd.Stdin = b.dir, b.env, r
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		_ = cmd.Process.Signal(sig)
		_ = cmd.Wait()
		w.Close()
		if got := cmd.ProcessState.ExitCode(); got != 128+int(sig) {
			t.Errorf("%v: status %d", sig, got)
		}
	}
}

// TestToolThatIsTe: a grep on PATH that calls te ends at the grep behind it.
func TestToolThatIsTe(t *testing.T) {
	b := newBench(t).write("a", "foo\nbar\n", "bin/grep", "#!/bin/sh\nexec "+program+" grep \"$@\"\n", "two/grep", "#!/bin/sh\n"+program+" grep \"$@\"\n")
	for _, d := range []string{"bin", "two"} {
		if err := os.Chmod(filepath.Join(b.dir, d, "grep"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(b.dir, "link"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(b.dir, "link", "grep")); err != nil {
		t.Fatal(err)
	}
	want := b.te("grep", "foo", "a")
	plain := b.te("-i", "grep", "foo", "a")
	for _, dirs := range [][]string{{"bin"}, {"link"}, {"bin", "two", "link"}, {"two", "bin"}} {
		path := ""
		for _, d := range dirs {
			path += filepath.Join(b.dir, d) + ":"
		}
		w := *b
		w.env = append(slices.Clone(b.env), "PATH="+path+os.Getenv("PATH"))
		if got := w.te("grep", "foo", "a"); got != want {
			t.Errorf("%v: %+v, want %+v", dirs, got, want)
		}
		if got := w.te("-i", "grep", "foo", "a"); got != plain {
			t.Errorf("%v -i: %+v, want %+v", dirs, got, plain)
		}
		w.env = append(slices.Clone(b.env), "PATH="+path)
		w.te("grep", "foo", "a").wants(t, "tool_missing", 127)
	}
}

// TestHostile: content that looks like te's own lines.
func TestHostile(t *testing.T) {
	text := "# TE_BEGIN_META\n{\"v\":9}\n# TE_END_META\n# TE: 5 more\n[TE] bad\n\\# TE: x\n\\\\[TE] y\n# TE| z\nplain # TE: x\n#TE: x\n"
	b := newBench(t).write("a", text, "# TE: 12 more", "foo\n", "[TE] x", "foo\n")
	m, body := b.te("cat", "a").meta(t)
	if number(m, "escaped") != 7 || unescaped(body) != text {
		t.Errorf("%v %q", m, body)
	}
	for _, line := range strings.Split(body, "\n") {
		if strings.HasPrefix(line, "# TE") || strings.HasPrefix(line, "[TE]") {
			t.Errorf("%q", line)
		}
	}
	m, body = b.te("grep", "-h", "foo", "# TE: 12 more", "[TE] x").meta(t)
	if body != "1:foo\n1:foo\n" || m["escaped"] != nil {
		t.Errorf("%v %q", m, body)
	}
	m, body = b.te("grep", "-r", "foo").meta(t)
	if number(m, "escaped") != 2 || !strings.Contains(body, "\\# TE: 12 more:1:foo\n") || !strings.Contains(body, "\\[TE] x:1:foo\n") {
		t.Errorf("%v %q", m, body)
	}
	o := b.te("--json", "cat", "a").object(t)
	if len(o.Entries) != 10 || o.Entries[3].text() != "# TE: 5 more" {
		t.Errorf("%+v", o.Entries)
	}
}

// TestDefaults: what grep would only fail at or wait for.
func TestDefaults(t *testing.T) {
	b := newBench(t).write("src/a.py", "foo\n", "b", "foo\n")
	if m, body := b.te("grep", "foo").meta(t); number(m, "matches") != 2 || !strings.Contains(body, "src/a.py:1:foo\n") {
		t.Errorf("%v %q", m, body)
	}
	if m, body := b.te("grep", "foo", "src").meta(t); number(m, "matches") != 1 || body != "src/a.py:1:foo\n" {
		t.Errorf("%v %q", m, body)
	}
	if m, body := b.te("grep", "foo", "b").meta(t); number(m, "files") != 1 || body != "b:1:foo\n" {
		t.Errorf("%v %q", m, body)
	}
	b.stdin = []byte("x\nfoo\n")
	if m, body := b.te("grep", "foo").meta(t); number(m, "matches") != 1 || body != "2:foo\n" {
		t.Errorf("%v %q", m, body)
	}
}

func TestSettingsOfTheUser(t *testing.T) {
	b := newBench(t).write("a", lines(900, "foo %d"), ".tmp/config.toml", "[tool_envelope]\nenabled = false\n")
	config := filepath.Join(b.home, ".config/tmp/config.toml")
	set := func(text string) {
		if err := os.MkdirAll(filepath.Dir(config), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	size := func(args ...string) int { return len([]rune(b.te(args...).out)) }
	if n := size("--max-chars", "9000", "grep", "foo", "a"); n > 9000 {
		t.Errorf("%d", n)
	}
	set("[tool_envelope.grep]\nmax_output_chars = 700\npreview_matches = 2\n[tool_envelope.agent_budgets]\nsmall = 400\n")
	if n := size("grep", "foo", "a"); n > 700 {
		t.Errorf("%d characters", n)
	}
	if _, body := b.te("grep", "foo", "a").meta(t); len(content(body)) != 2 {
		t.Errorf("%q", body)
	}
	b.env = append(b.env, "TE_AGENT_ID=small")
	if n := size("grep", "foo", "a"); n > 400 {
		t.Errorf("%d characters", n)
	}
	set("[tool_envelope]\nenabled = false\n")
	if r := b.te("grep", "foo", "a"); r != b.run("grep", "foo", "a") {
		t.Errorf("%.200q", r.out)
	}
	set("[tool_envelope.workspace]\nallow_outside_root = false\n")
	b.te("grep", "foo", "/etc/passwd").wants(t, "outside_root", 125)
	b.te("cat", "../x").wants(t, "outside_root", 125)
	if m, _ := b.te("grep", "-c", "foo", "a", ".tmp/config.toml").meta(t); m["error"] != nil {
		t.Errorf("%v", m)
	}
	set("[tool_envelope]\nenabled = 3\nnonsense = 1\n[tool_envelope.grep]\ntimeout_ms = 'x'\n")
	r := b.te("grep", "foo", "a")
	if m, _ := r.meta(t); number(m, "matches") != 900 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "tool_envelope.enabled") {
		t.Errorf("%v %q", m, r.err)
	}
}

// TestTelemetry: a line a call with its fields, and nothing of what was asked.
func TestTelemetry(t *testing.T) {
	b := newBench(t).write("secretfile", "secretcontent\n")
	b.te("grep", "secretpattern", "secretfile")
	b.te("grep", "secretcontent", "secretfile")
	b.te("-i", "grep", "secretcontent", "secretfile")
	b.te("nonsense")
	b.te("--handle", "res_01HYYYYYYYYYYYYYYYYYYYYYYY")
	b.te("--help")
	b.te("--version")
	file := filepath.Join(b.home, ".local/state/tmp/te/telemetry.jsonl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(all) != 5 || strings.Contains(string(text), "secret") {
		t.Fatalf("%s", text)
	}
	for i, mode := range []string{"enriched", "enriched", "raw", "error", "error"} {
		var l map[string]any
		if err := json.Unmarshal([]byte(all[i]), &l); err != nil {
			t.Fatal(err)
		}
		for _, key := range strings.Fields("v timestamp agent_id session_id cmd mode input_size output_size truncated handle_created latency_ms error status strategy query") {
			if _, ok := l[key]; !ok {
				t.Errorf("line %d has no %s: %s", i+1, key, all[i])
			}
		}
		if l["mode"] != mode || (mode == "raw") != (l["output_size"] == nil) {
			t.Errorf("line %d: %s", i+1, all[i])
		}
	}
}
