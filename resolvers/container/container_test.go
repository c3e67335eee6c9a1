package container

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestContainersThroughTheTool(t *testing.T) {
	bin, home := resolvertest.FakeTool(t, "docker", `
[ "$PWD" = / ] || { echo "runs in $PWD" >&2; exit 1; }
[ -z "$SECRET" ] || { echo "sees SECRET" >&2; exit 1; }
printf 'web\tnginx, Up 2 hours\ndb,web/link\tpostgres, Exited\n'
`)
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "docker:containers", Dir: t.TempDir(), CacheDir: t.TempDir(), Getenv: resolvertest.Env("HOME", home, "PATH", bin+":/usr/bin:/bin", "SECRET", "x")})
	resolvertest.Equal(t, "containers", resolvertest.Texts(a), resolvertest.Words("web db"))
	if got := resolvertest.Described(a)["web"]; got != "nginx, Up 2 hours" {
		t.Errorf("description %q", got)
	}
}

// A tool that fails gives its own words and no candidate.
func TestFailingTool(t *testing.T) {
	bin, home := resolvertest.FakeTool(t, "docker", "echo 'cannot connect to the daemon' >&2; exit 1\n")
	a := resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "docker:images", Dir: t.TempDir(), CacheDir: t.TempDir(), Getenv: resolvertest.Env("HOME", home, "PATH", bin+":/usr/bin:/bin")})
	if len(a.Values) > 0 || a.Message != "docker: cannot connect to the daemon" {
		t.Errorf("%+v", a)
	}
}

// A slow tool is a timeout the first time; its answer, which comes in the
// background, serves the next time, and when it has aged it is given as stale.
func TestSlowTool(t *testing.T) {
	bin, home := resolvertest.FakeTool(t, "docker", "sleep 0.3\necho 'data\tlocal'\n")
	r := resolvers.Request{Name: "docker:volumes", Dir: t.TempDir(), CacheDir: t.TempDir(), Getenv: resolvertest.Env("HOME", home, "PATH", bin+":/usr/bin:/bin")}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if a := resolvertest.Resolve(ctx, r); a.State != resolvers.Timeout || a.Message == "" {
		t.Fatalf("first: %+v", a)
	}
	var answer string
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		files, _ := filepath.Glob(filepath.Join(r.CacheDir, "ask-docker-*"))
		if len(files) == 1 && !strings.Contains(filepath.Base(files[0]), ".") {
			answer = files[0]
			break
		}
		if time.Now().After(end) {
			t.Fatalf("no answer in the background: %v", files)
		}
	}
	resolvertest.Equal(t, "second", resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, r)), resolvertest.Words("data"))
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(answer, old, old); err != nil {
		t.Fatal(err)
	}
	resolvertest.Equal(t, "aged", resolvertest.Texts(resolvertest.Expect(t, resolvers.Stale, r)), resolvertest.Words("data"))
}

// What would lead a tool into the project is not followed.
func TestToolIsNotTheProjects(t *testing.T) {
	project := resolvertest.Tree(t, map[string]string{".git/": "", "bin/docker": "#!/bin/sh\necho evil\n"})
	if err := os.Chmod(filepath.Join(project, "bin/docker"), 0o755); err != nil {
		t.Fatal(err)
	}
	a := resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "docker:volumes", Dir: project, Getenv: resolvertest.Env("HOME", t.TempDir(), "PATH", filepath.Join(project, "bin")+":bin:.")})
	if a.Message != "no docker in PATH" {
		t.Errorf("%+v", a)
	}
	bin, home := resolvertest.FakeTool(t, "docker", "echo x\n")
	a = resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "docker:volumes", Dir: project, Getenv: resolvertest.Env("HOME", home, "PATH", bin, "DOCKER_CONFIG", "conf")})
	if a.Message != "docker is not asked: DOCKER_CONFIG is a relative path" {
		t.Errorf("%+v", a)
	}
}

// A configuration of the project can run programs (plugins, helpers for
// credentials, ssh) and is not handed to the tool; nor are the project's
// directories of PATH, where the tool would look for such programs.
func TestToolGetsNothingOfTheProject(t *testing.T) {
	project := resolvertest.Tree(t, map[string]string{
		".git/": "", "bin/ssh": "#!/bin/sh\n",
		"conf/config.json": `{"credHelpers":{"x":"evil"},"cliPluginsExtraDirs":["."],"currentContext":"evil"}`,
		"kube.yaml":        "users:\n- name: x\n  user:\n    exec: {command: ./evil}\n",
	})
	bin, home := resolvertest.FakeTool(t, "docker", "echo \"$PATH|$DOCKER_CONFIG|$PWD|$(pwd)\"\n")
	paths := filepath.Join(project, "bin") + ":" + bin + ":/usr/bin:/bin:" + project
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "docker:volumes", Dir: filepath.Join(project, "bin"), Getenv: resolvertest.Env("HOME", home, "PATH", paths)})
	if out := strings.Join(resolvertest.Texts(a), "\n"); strings.Contains(out, project) || !strings.Contains(out, bin) {
		t.Errorf("the tool sees %s", out)
	}
	for name, x := range map[string][3]string{
		"docker:volumes": {"DOCKER_CONFIG", filepath.Join(project, "conf"), "docker"},
		"kubectl:pods":   {"KUBECONFIG", "/etc/none:" + filepath.Join(project, "kube.yaml"), "kubectl"},
	} {
		bin, home := resolvertest.FakeTool(t, x[2], "touch "+filepath.Join(project, "ran")+"\n")
		a := resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: name, Dir: project, Getenv: resolvertest.Env("HOME", home, "PATH", bin+":/usr/bin:/bin", x[0], x[1])})
		if want := x[2] + " is not asked: " + x[0] + " lies in the project"; a.Message != want {
			t.Errorf("%s: %q, want %q", name, a.Message, want)
		}
	}
	if disk.IsFile(filepath.Join(project, "ran")) {
		t.Error("the tool was run with the project's configuration")
	}
}

func TestKubectlConfiguration(t *testing.T) {
	home := resolvertest.Tree(t, map[string]string{".kube/config": `apiVersion: v1
contexts:
- context:
    cluster: east
    namespace: web
    name: no
  name: prod
- name: "dev"
  context: {cluster: local}
current-context: dev
clusters:
- cluster:
    server: https://east.example
  name: east
`})
	r := resolvers.Request{Name: "kubectl:contexts", Dir: "/", Getenv: resolvertest.Env("HOME", home)}
	a := resolvertest.Expect(t, resolvers.Fresh, r)
	resolvertest.Equal(t, "contexts, the current one first", resolvertest.Texts(a), resolvertest.Words("dev prod"))
	r.Name = "kubectl:clusters"
	if a := resolvertest.Expect(t, resolvers.Fresh, r); resolvertest.Described(a)["east"] != "https://east.example" {
		t.Errorf("%+v", a)
	}
}
