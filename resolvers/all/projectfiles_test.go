package all

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestProjectFiles(t *testing.T) {
	dir := resolvertest.Tree(t, map[string]string{
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
		a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: x.name, Dir: dir, Words: resolvertest.Words(x.line), Getenv: resolvertest.Env("HOME", "/no/home")})
		resolvertest.Equal(t, x.name+" of "+x.line, resolvertest.Texts(a), resolvertest.Words(x.want))
	}
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "mise:tasks", Dir: dir, Words: resolvertest.Words("mise run"), Filter: resolvers.Filter{Text: "//"}})
	resolvertest.Equal(t, "mise run //", resolvertest.Texts(a), resolvertest.Words("//:a.b //:agent:build:base //:db //:db:migrate //:lint //web:serve"))
}
