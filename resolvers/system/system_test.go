package system

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestExecutables(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{"a/tool": "x", "a/plain": "", "a/sub/": "", "b/tool": "", "b/other": "", "b/.hidden": "", "b/link": "-> other", "b/bad": "-> none", "here": ""})
	for _, path := range []string{"a/tool", "b/tool", "b/other", "b/.hidden", "here"} {
		if err := os.Chmod(filepath.Join(root, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	path := resolvertest.Env("PATH", root+"/a:"+root+"/b:/none:"+root+"/a:")
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "executables", Dir: root, Getenv: path})
	resolvertest.Equal(t, "PATH", resolvertest.Texts(a), resolvertest.Words("here link other tool"))
	if d := resolvertest.Described(a); d["tool"] != root+"/a" {
		t.Errorf("tool is from %q", d["tool"])
	}
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "executables", Dir: root, Getenv: path, Filter: resolvers.Filter{Text: "./"}, Limit: 2})
	resolvertest.Equal(t, "./", resolvertest.Texts(a), resolvertest.Words("./a/ ./b/"))
	if a.Omitted != 1 {
		t.Errorf("omitted %d", a.Omitted)
	}
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "executables", Dir: root, Getenv: path, Filter: resolvers.Filter{Text: "a/"}})
	resolvertest.Equal(t, "a/", resolvertest.Texts(a), resolvertest.Words("a/sub/ a/tool"))
}

func TestEnv(t *testing.T) {
	t.Setenv("ZZ_PLAIN", "some\nvalue")
	t.Setenv("ZZ_API_TOKEN", "abc")
	t.Setenv("ZZ_URL", "postgres://u:pw@h/d")
	d := resolvertest.Described(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "env", Filter: resolvers.Filter{Text: "ZZ_"}}))
	want := map[string]string{"ZZ_PLAIN": "some value", "ZZ_API_TOKEN": "not shown", "ZZ_URL": "not shown"}
	for name, text := range want {
		if d[name] != text {
			t.Errorf("%s: %q, want %q", name, d[name], text)
		}
	}
	if len(d) != len(want) {
		t.Errorf("%q", d)
	}
	for name, secret := range map[string]bool{"PATH": false, "github_token": true, "DB_PASSWORD": true, "AWS_ACCESS_KEY_ID": true, "GH_PAT": true, "HOME": false, "PWD": false} {
		if isSecret(name, "x") != secret {
			t.Errorf("%s secret: %v", name, !secret)
		}
	}
}

func TestSignals(t *testing.T) {
	for text, want := range map[string]string{"TE": "TERM", "SIGTE": "SIGTERM", "ST": "STOP", "RTMI": "RTMIN", "15": "15"} {
		resolvertest.Equal(t, text, resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "signals", Filter: resolvers.Filter{Text: text}})), resolvertest.Words(want))
	}
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "signals", Limit: 3})
	resolvertest.Equal(t, "first", resolvertest.Texts(a), resolvertest.Words("TERM KILL INT"))
	out, err := exec.Command("/bin/sh", "-c", "kill -l").Output()
	if err != nil {
		t.Skip(err)
	}
	known := strings.Fields(strings.ReplaceAll(string(out), "SIG", ""))
	for _, name := range resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "signals"})) {
		if name != "IO" && !slices.Contains(known, name) {
			t.Errorf("kill -l has no %s", name)
		}
	}
}

func TestProcesses(t *testing.T) {
	cmd := exec.Command("sleep", "30")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	pid := strconv.Itoa(cmd.Process.Pid)
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "processes"})
	if d := resolvertest.Described(a); d[pid] != "sleep" {
		t.Errorf("process %s is %q", pid, d[pid])
	}
	if slices.Contains(resolvertest.Texts(a), strconv.Itoa(os.Getpid())) {
		t.Error("ourselves are offered")
	}
	if a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "process-names", Filter: resolvers.Filter{Text: "slee"}}); !slices.Contains(resolvertest.Texts(a), "sleep") {
		t.Errorf("%q", resolvertest.Texts(a))
	}
}

func TestTables(t *testing.T) {
	if got := resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "users", Filter: resolvers.Filter{Text: "root"}})); !slices.Contains(got, "root") {
		t.Errorf("users %q", got)
	}
	if got := resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "groups"})); len(got) < 3 {
		t.Errorf("groups %q", got)
	}
	if got := resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "mounts"})); !slices.Contains(got, "/") {
		t.Errorf("mounts %q", got)
	}
	if disk.IsFile("/etc/shells") {
		if got := resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "shells"})); !slices.Contains(got, "/bin/sh") {
			t.Errorf("shells %q", got)
		}
	}
}

func BenchmarkExecutables(b *testing.B) {
	for _, text := range []string{"", "gi"} {
		b.Run("text="+text, func(b *testing.B) {
			for b.Loop() {
				resolvertest.Expect(b, resolvers.Fresh, resolvers.Request{Name: "executables", Dir: "/", Filter: resolvers.Filter{Text: text}, Limit: 200})
			}
		})
	}
}
