package resolvers

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fakeTool puts a shell script that plays a tool into a directory for PATH.
func fakeTool(t *testing.T, name, script string) (bin, home string) {
	t.Helper()
	root := tree(t, map[string]string{"bin/" + name: "#!/bin/sh\n# a fake " + name + " of the tests, not the real one\n" + script, "home/": ""})
	if err := os.Chmod(filepath.Join(root, "bin", name), 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, "bin"), filepath.Join(root, "home")
}

func TestContainersThroughTheTool(t *testing.T) {
	bin, home := fakeTool(t, "docker", `
[ "$PWD" = / ] || { echo "runs in $PWD" >&2; exit 1; }
[ -z "$SECRET" ] || { echo "sees SECRET" >&2; exit 1; }
printf 'web\tnginx, Up 2 hours\ndb,web/link\tpostgres, Exited\n'
`)
	a := expect(t, Fresh, Request{Name: "docker:containers", Dir: t.TempDir(), CacheDir: t.TempDir(), Getenv: env("HOME", home, "PATH", bin+":/usr/bin:/bin", "SECRET", "x")})
	equal(t, "containers", texts(a), words("web db"))
	if got := described(a)["web"]; got != "nginx, Up 2 hours" {
		t.Errorf("description %q", got)
	}
}

// A tool that fails gives its own words and no candidate.
func TestFailingTool(t *testing.T) {
	bin, home := fakeTool(t, "docker", "echo 'cannot connect to the daemon' >&2; exit 1\n")
	a := expect(t, Failed, Request{Name: "docker:images", Dir: t.TempDir(), CacheDir: t.TempDir(), Getenv: env("HOME", home, "PATH", bin+":/usr/bin:/bin")})
	if len(a.Values) > 0 || a.Message != "docker: cannot connect to the daemon" {
		t.Errorf("%+v", a)
	}
}

// A slow tool is a timeout the first time; its answer, which comes in the
// background, serves the next time, and when it has aged it is given as stale.
func TestSlowTool(t *testing.T) {
	bin, home := fakeTool(t, "docker", "sleep 0.3\necho 'data\tlocal'\n")
	r := Request{Name: "docker:volumes", Dir: t.TempDir(), CacheDir: t.TempDir(), Getenv: env("HOME", home, "PATH", bin+":/usr/bin:/bin")}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if a := Resolve(ctx, r); a.State != Timeout || a.Message == "" {
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
	equal(t, "second", texts(expect(t, Fresh, r)), words("data"))
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(answer, old, old); err != nil {
		t.Fatal(err)
	}
	equal(t, "aged", texts(expect(t, Stale, r)), words("data"))
}

// What would lead a tool into the project is not followed.
func TestToolIsNotTheProjects(t *testing.T) {
	project := tree(t, map[string]string{".git/": "", "bin/docker": "#!/bin/sh\necho evil\n"})
	if err := os.Chmod(filepath.Join(project, "bin/docker"), 0o755); err != nil {
		t.Fatal(err)
	}
	a := expect(t, Failed, Request{Name: "docker:volumes", Dir: project, Getenv: env("HOME", t.TempDir(), "PATH", filepath.Join(project, "bin")+":bin:.")})
	if a.Message != "no docker in PATH" {
		t.Errorf("%+v", a)
	}
	bin, home := fakeTool(t, "docker", "echo x\n")
	a = expect(t, Failed, Request{Name: "docker:volumes", Dir: project, Getenv: env("HOME", home, "PATH", bin, "DOCKER_CONFIG", "conf")})
	if a.Message != "docker is not asked: DOCKER_CONFIG is a relative path" {
		t.Errorf("%+v", a)
	}
}

// A configuration of the project can run programs (plugins, helpers for
// credentials, ssh) and is not handed to the tool; nor are the project's
// directories of PATH, where the tool would look for such programs.
func TestToolGetsNothingOfTheProject(t *testing.T) {
	project := tree(t, map[string]string{
		".git/": "", "bin/ssh": "#!/bin/sh\n",
		"conf/config.json": `{"credHelpers":{"x":"evil"},"cliPluginsExtraDirs":["."],"currentContext":"evil"}`,
		"kube.yaml":        "users:\n- name: x\n  user:\n    exec: {command: ./evil}\n",
	})
	bin, home := fakeTool(t, "docker", "echo \"$PATH|$DOCKER_CONFIG|$PWD|$(pwd)\"\n")
	paths := filepath.Join(project, "bin") + ":" + bin + ":/usr/bin:/bin:" + project
	a := expect(t, Fresh, Request{Name: "docker:volumes", Dir: filepath.Join(project, "bin"), Getenv: env("HOME", home, "PATH", paths)})
	if out := strings.Join(texts(a), "\n"); strings.Contains(out, project) || !strings.Contains(out, bin) {
		t.Errorf("the tool sees %s", out)
	}
	for name, x := range map[string][3]string{
		"docker:volumes": {"DOCKER_CONFIG", filepath.Join(project, "conf"), "docker"},
		"kubectl:pods":   {"KUBECONFIG", "/etc/none:" + filepath.Join(project, "kube.yaml"), "kubectl"},
	} {
		bin, home := fakeTool(t, x[2], "touch "+filepath.Join(project, "ran")+"\n")
		a := expect(t, Failed, Request{Name: name, Dir: project, Getenv: env("HOME", home, "PATH", bin+":/usr/bin:/bin", x[0], x[1])})
		if want := x[2] + " is not asked: " + x[0] + " lies in the project"; a.Message != want {
			t.Errorf("%s: %q, want %q", name, a.Message, want)
		}
	}
	if isFile(filepath.Join(project, "ran")) {
		t.Error("the tool was run with the project's configuration")
	}
}

func TestKubectlConfiguration(t *testing.T) {
	home := tree(t, map[string]string{".kube/config": `apiVersion: v1
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
	r := Request{Name: "kubectl:contexts", Dir: "/", Getenv: env("HOME", home)}
	a := expect(t, Fresh, r)
	equal(t, "contexts, the current one first", texts(a), words("dev prod"))
	r.Name = "kubectl:clusters"
	if a := expect(t, Fresh, r); described(a)["east"] != "https://east.example" {
		t.Errorf("%+v", a)
	}
}

func TestProjectFiles(t *testing.T) {
	dir := tree(t, map[string]string{
		"Taskfile.yml":      "version: '3'\nvars:\n  X: 1\ntasks:\n  build:\n    desc: Build it\n    cmds:\n      - |\n        test: no\n  \"lint:go\":\n    cmds: [vet]\n  hidden:\n    internal: true\nincludes:\n  docs: ./docs\n  far:\n    taskfile: more.yml\n    optional: true\n  loop: .\n  secret:\n    taskfile: more.yml\n    internal: true\n",
		"docs/Taskfile.yml": "tasks:\n  serve:\n    desc: Serve them\nincludes:\n  gone: ./nowhere\n", "more.yml": "tasks:\n  away: x\n",
		"mise.toml":     "experimental_monorepo_root = true\n[monorepo]\nconfig_roots = ['web']\n[tasks]\nlint = 'x'\n[tasks.'agent:build:base']\ndescription = 'Build'\n[tasks.no]\nhide = true\n",
		"web/mise.toml": "[tasks]\nserve = 'x'\n", "mise-tasks/db/migrate.sh": "#!/bin/sh\n", "mise-tasks/db/_default": "#!/bin/sh\n", "mise-tasks/a.b.py": "#!/bin/sh\n", "mise-tasks/README.md": "x",
		"compose.yaml":             "services:\n  web:\n    image: nginx\n  db:\n    build: ./db\nvolumes:\n  data:\n",
		"main.tf":                  "resource \"aws_instance\" \"web\" {\n  resource \"no\" \"no\" {\n}\nvariable \"region\" {}\nmodule \"net\" {\n",
		"terraform.tfstate.d/dev/": "", ".terraform/environment": "dev",
		"build.ninja":       "rule cc\nbuild a.o: cc a.c\nbuild all: phony a.o\n",
		"CMakePresets.json": `{"version":3,"configurePresets":[{"name":"base","hidden":true},{"name":"debug"}],"buildPresets":[{"name":"fast"}]}`,
		"pyproject.toml":    "[project]\ndependencies = [\"requests[socks]>=2\", \"rich\"]\n[project.scripts]\nserve = \"app:main\"\n[dependency-groups]\ndev = [\"pytest>=8\"]\n",
	})
	for _, name := range []string{"db/migrate.sh", "db/_default", "a.b.py"} {
		if err := os.Chmod(filepath.Join(dir, "mise-tasks", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct{ name, line, want string }{
		{"task:tasks", "task l", "build lint:go docs:serve far:away"},
		{"mise:tasks", "mise run", "a.b agent:build:base db db:migrate lint"},
		{"mise:tasks", "mise -C web run", "a.b agent:build:base db db:migrate lint serve"},
		{"docker:services", "docker compose up", "web db"},
		{"terraform:addresses", "terraform plan", "aws_instance.web module.net"},
		{"terraform:workspaces", "terraform workspace select", "dev default"},
		{"terraform:variables", "terraform plan -var", "region="},
		{"ninja:targets", "ninja", "all a.o"},
		{"cmake:presets", "cmake", "debug"},
		{"cmake:presets", "cmake --build --preset", "fast"},
		{"python:dependencies", "uv remove", "pytest requests rich"},
		{"python:scripts", "uv run", "serve"},
		{"python:groups", "uv sync --group", "dev"},
	} {
		a := expect(t, Fresh, Request{Name: x.name, Dir: dir, Words: words(x.line), Getenv: env("HOME", "/no/home")})
		equal(t, x.name+" of "+x.line, texts(a), words(x.want))
	}
	a := expect(t, Fresh, Request{Name: "mise:tasks", Dir: dir, Words: words("mise run"), Filter: Filter{Text: "//"}})
	equal(t, "mise run //", texts(a), words("//:a.b //:agent:build:base //:db //:db:migrate //:lint //web:serve"))
}

func FuzzYAML(f *testing.F) {
	f.Add("tasks:\n  a:\n    desc: x\n- name: y\n'k': |\n  z\n", "tasks")
	f.Fuzz(func(t *testing.T, text, section string) {
		for _, e := range append(yamlEntries(text, section), yamlItems(text, section)...) {
			if strings.Contains(e.name, "\n") {
				t.Errorf("%q", e.name)
			}
		}
	})
}
