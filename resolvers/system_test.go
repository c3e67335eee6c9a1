package resolvers

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestExecutables(t *testing.T) {
	root := tree(t, map[string]string{"a/tool": "x", "a/plain": "", "a/sub/": "", "b/tool": "", "b/other": "", "b/.hidden": "", "b/link": "-> other", "b/bad": "-> none", "here": ""})
	for _, path := range []string{"a/tool", "b/tool", "b/other", "b/.hidden", "here"} {
		if err := os.Chmod(filepath.Join(root, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	path := env("PATH", root+"/a:"+root+"/b:/none:"+root+"/a:")
	a := expect(t, Fresh, Request{Name: "executables", Dir: root, Getenv: path})
	equal(t, "PATH", texts(a), words("here link other tool"))
	if d := described(a); d["tool"] != root+"/a" {
		t.Errorf("tool is from %q", d["tool"])
	}
	a = expect(t, Fresh, Request{Name: "executables", Dir: root, Getenv: path, Filter: Filter{Text: "./"}, Limit: 2})
	equal(t, "./", texts(a), words("./a/ ./b/"))
	if a.Omitted != 1 {
		t.Errorf("omitted %d", a.Omitted)
	}
	a = expect(t, Fresh, Request{Name: "executables", Dir: root, Getenv: path, Filter: Filter{Text: "a/"}})
	equal(t, "a/", texts(a), words("a/sub/ a/tool"))
}

func TestEnv(t *testing.T) {
	t.Setenv("ZZ_PLAIN", "some\nvalue")
	t.Setenv("ZZ_API_TOKEN", "abc")
	t.Setenv("ZZ_URL", "postgres://u:pw@h/d")
	d := described(expect(t, Fresh, Request{Name: "env", Filter: Filter{Text: "ZZ_"}}))
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

func TestHosts(t *testing.T) {
	home := tree(t, map[string]string{
		".ssh/config":      "# x\nHost web db1 *.lan !no\n  HostName web.example.com\n  User root\nInclude conf.d/*\nHost=\"quoted name\"\nMatch host x\n  HostName y\nInclude ~/.ssh/config\n",
		".ssh/conf.d/a":    "Host from-include\n",
		".ssh/known_hosts": "git.example.com,10.0.0.1 ssh-ed25519 AAA\n|1|abc=|def= ssh-rsa AAA\n[gate.example.com]:2222 ssh-rsa AAA\n@revoked bad.example.com ssh-rsa AAA\n@cert-authority *.corp ssh-rsa AAA\nbroken\n",
	})
	a := expect(t, Fresh, Request{Name: "hosts", Getenv: env("HOME", home)})
	got := texts(a)
	equal(t, "first", got[:4], []string{"db1", "from-include", "quoted name", "web"})
	for _, name := range words("git.example.com 10.0.0.1 gate.example.com") {
		if !slices.Contains(got, name) {
			t.Errorf("no %s in %q", name, got)
		}
	}
	for _, name := range []string{"*.lan", "!no", "bad.example.com", "*.corp", "broken", "y"} {
		if slices.Contains(got, name) {
			t.Errorf("%s in %q", name, got)
		}
	}
	if d := described(a); d["web"] != "root@web.example.com" || d["gate.example.com"] != "port 2222" {
		t.Errorf("descriptions %q", d)
	}
	a = expect(t, Fresh, Request{Name: "hosts", Getenv: env("HOME", home), Filter: Filter{Text: "me@we"}})
	equal(t, "me@we", texts(a), words("me@web"))
	expect(t, Fresh, Request{Name: "hosts", Getenv: env()})
}

func TestSignals(t *testing.T) {
	for text, want := range map[string]string{"TE": "TERM", "SIGTE": "SIGTERM", "ST": "STOP", "RTMI": "RTMIN", "15": "15"} {
		equal(t, text, texts(expect(t, Fresh, Request{Name: "signals", Filter: Filter{Text: text}})), words(want))
	}
	a := expect(t, Fresh, Request{Name: "signals", Limit: 3})
	equal(t, "first", texts(a), words("TERM KILL INT"))
	out, err := exec.Command("/bin/sh", "-c", "kill -l").Output()
	if err != nil {
		t.Skip(err)
	}
	known := strings.Fields(strings.ReplaceAll(string(out), "SIG", ""))
	for _, name := range texts(expect(t, Fresh, Request{Name: "signals"})) {
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
	a := expect(t, Fresh, Request{Name: "processes"})
	if d := described(a); d[pid] != "sleep" {
		t.Errorf("process %s is %q", pid, d[pid])
	}
	if slices.Contains(texts(a), strconv.Itoa(os.Getpid())) {
		t.Error("ourselves are offered")
	}
	if a := expect(t, Fresh, Request{Name: "process-names", Filter: Filter{Text: "slee"}}); !slices.Contains(texts(a), "sleep") {
		t.Errorf("%q", texts(a))
	}
}

func TestTables(t *testing.T) {
	if got := texts(expect(t, Fresh, Request{Name: "users", Filter: Filter{Text: "root"}})); !slices.Contains(got, "root") {
		t.Errorf("users %q", got)
	}
	if got := texts(expect(t, Fresh, Request{Name: "groups"})); len(got) < 3 {
		t.Errorf("groups %q", got)
	}
	if got := texts(expect(t, Fresh, Request{Name: "mounts"})); !slices.Contains(got, "/") {
		t.Errorf("mounts %q", got)
	}
	if isFile("/etc/shells") {
		if got := texts(expect(t, Fresh, Request{Name: "shells"})); !slices.Contains(got, "/bin/sh") {
			t.Errorf("shells %q", got)
		}
	}
}

func BenchmarkExecutables(b *testing.B) {
	for _, text := range []string{"", "gi"} {
		b.Run("text="+text, func(b *testing.B) {
			for b.Loop() {
				expect(b, Fresh, Request{Name: "executables", Dir: "/", Filter: Filter{Text: text}, Limit: 200})
			}
		})
	}
}
