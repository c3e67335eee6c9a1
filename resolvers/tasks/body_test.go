package tasks

import (
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestTaskBodies(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"npm/package.json": `{"scripts": {"predb": "echo before", "db": "prisma migrate reset --force", "postdb": "echo after",
			"all": "npm run db && run-s build:*", "build:a": "a", "build:b": "b", "test": "t", "start": "s", "postinstall": "p", "clean": "rm -rf"},
			"workspaces": ["w/*"]}`,
		"npm/sub/x":              "",
		"npm/w/one/package.json": `{"name": "one", "scripts": {"db": "one"}}`,
		"npm/w/two/package.json": `{"name": "two", "scripts": {"db": "two"}}`,
		"make/Makefile": "include more.mk\nOUT ?= dist\nV := $(shell git rev-parse HEAD)\nW != date\nX = $(shell late)\nall: build\n\t@echo $(OUT)\n" +
			"build: gen\n\t-rm -rf $(OUT)\n\tcd x && \\\n\t  y $(X)\nnone:\n",
		"make/more.mk": ".DEFAULT_GOAL = all\ngen:\n\tgo generate\n",
		"make/other":   "only:\n\tonly $(A)\n",
		"make/plus":    "X := $(shell read)\nall:\n\t@+rm -rf a\n\t+$(MAKE) -C x\n\tb\n",
		"py/Makefile":  "SHELL := /usr/bin/python3\na:\n\timport os\n",
		"one/Makefile": ".ONESHELL:\na:\n\tcd b\n\trm c\n",
		"just/justfile": "dir := 'out'\nnow := `date`\nmod m\n\n# First\nfirst: second\n    echo {{dir}}\nsecond x='1':\n    echo {{x}}\n" +
			"deploy env *flags: && after\n    ship {{env}} {{flags}}\nafter:\n    true\nalias d := deploy\npy:\n    #!/usr/bin/env python3\n    import os\n    os.remove('x')\n",
		"just/m.just": "r:\n    in module\n",
		"task/Taskfile.yml": "version: '3'\nvars:\n  ENV: dev\n  SHA: {sh: git rev-parse HEAD}\nincludes:\n  docs: {taskfile: ./docs, dir: docs}\ntasks:\n" +
			"  default:\n    deps: [lint]\n    cmds:\n      - deploy {{.ENV}}\n      - task: docs:serve\n  lint:\n    dir: web\n    preconditions:\n      - sh: test -f x\n    cmds: [eslint]\n" +
			"  args: run {{.CLI_ARGS}}\n  alias:\n    aliases: [al]\n    cmd: aliased\n",
		"task/docs/Taskfile.yml": "tasks:\n  serve: mkdocs serve\n",
		"php/composer.json":      `{"scripts": {"reset": ["@php artisan migrate:fresh --force", "@clean", "App\\X::y"], "clean": "rm -rf cache", "post-install-cmd": "echo hi"}}`,
		"poe/pyproject.toml": "[tool.poe.tasks]\nreset = 'prisma migrate reset --force'\nboth = ['reset', {cmd = 'echo x'}]\nsh = {shell = 'rm -rf a; b', cwd = 'sub'}\n" +
			"need = {cmd = 'c', deps = ['reset']}\n",
		"pdm/pyproject.toml":   "[tool.pdm.scripts]\npre_go = 'before'\ngo = {shell = 'rm -rf x'}\nall = {composite = ['go', 'echo y']}\nwords = {cmd = ['a', 'b c']}\n",
		"hatch/pyproject.toml": "[tool.hatch.envs.default.scripts]\nclean = ['rm -rf a', 'rm -rf b']\n[tool.hatch.envs.docs.scripts]\nserve = 'mkdocs'\n",
		"pipenv/Pipfile":       "[scripts]\nreset = 'dropdb x'\n",
		"deno/deno.jsonc":      "{\n  // tasks\n  \"tasks\": {\"a\": \"rm -rf x\", \"b\": {\"command\": \"c\", \"dependencies\": [\"a\"]},},\n}",
		"mise/mise.toml":       "[tasks]\na = 'rm -rf x'\n[tasks.b]\nrun = ['c', 'd']\ndepends = ['a']\n",
		"mise/mise-tasks/f":    "#!/usr/bin/env bash\nrm y\n",
	})
	for _, tc := range []struct{ dir, line, want string }{
		{"npm", "npm run db", "predb: echo before | postdb: echo after | db: prisma migrate reset --force"},
		{"npm/sub", "npm run db --ignore-scripts", "db: prisma migrate reset --force"},
		{".", "npm --prefix npm run-script db --silent", "predb: echo before | postdb: echo after | db: prisma migrate reset --force"},
		{".", "npm -C npm t", "test: t"},
		{"npm", "npm start", "start: s"},
		{"npm", "npm run clean -- / 'a b'", "clean: rm -rf / 'a b'"},
		{"npm", "npm run clean x --y", "clean: rm -rf x"},
		{"npm", "pnpm clean x --y", "clean: rm -rf x --y"},
		{"npm", "yarn clean -- x", "clean: rm -rf x"},
		{"npm", "bun run test", "test: t"},
		{"npm", "bun test", ""},
		{"npm", "npm install left-pad", "postinstall: p"},
		{"npm", "npm ci --ignore-scripts", ""},
		{"npm", "npm run all", "predb: echo before | postdb: echo after | db: prisma migrate reset --force | all: npm run db && run-s build:*"},
		{"npm", "run-s build:*", "build:a: a | build:b: b"},
		{"npm", "concurrently npm:build:* 'rm -rf x'", "build:a: a | build:b: b | : rm -rf x"},
		{"npm", "npm run db -w one", "db: one"},
		{"npm", "yarn workspace two run db", "db: two"},
		{"npm", "pnpm --filter two db", "db: two"},
		{"npm", "pnpm -r run db", "predb: echo before | postdb: echo after | db: prisma migrate reset --force | db: one | db: two"},
		{"npm", "yarn workspaces foreach -A run db", "predb: echo before | postdb: echo after | db: prisma migrate reset --force | db: one | db: two"},
		{"npm", "npm run none", ""},
		{"npm", "node --run db", "db: prisma migrate reset --force"},
		{"npm/sub", "node -C dev --run=clean -- / x", "clean: rm -rf / x"},
		{"npm", "node db", ""},
		{"npm", "npm run", ""},
		{".", "npm run db", ""},

		{"make", "make", ": git rev-parse HEAD | : date | gen: go generate | build: rm -rf dist | build: cd x &&  y $(late) | all: echo dist"},
		{".", "make -C make build OUT=/", ": git rev-parse HEAD | : date | gen: go generate | build: rm -rf / | build: cd x &&  y $(late)"},
		{"make", "make -j 4 -f other only A=b", "only: only b"},
		{"make", "make --file=other", "only: only ${A}"},
		{"make", "make -sn", ": git rev-parse HEAD | : date"},
		{"make", "make --dry-run -f plus", ": read | all: rm -rf a"},
		{"make", "make -f plus", ": read | all: rm -rf a | all: make -C x | all: b"},
		{"make", "make -f plus --question --eval '$(shell rm -rf z)'", ": read | : rm -rf z | all: rm -rf a"},
		{"make", "make none", ": git rev-parse HEAD | : date"},
		{"py", "make a", "python a: import os"},
		{"one", "make a", "a: cd b; rm c"},

		{"just", "just", ": date | second: dir=out; x=1; echo ${x} | first: dir=out; echo ${dir}"},
		{"just", "just deploy prod -v -w", ": date | after: dir=out; true | deploy: dir=out; env=prod; flags='-v -w'; ship ${env} ${flags}"},
		{"just", "just d prod", ": date | after: dir=out; true | deploy: dir=out; env=prod; ship ${env} ${flags}"},
		{".", "just -f just/justfile dir=x first", ": date | second: dir=out; dir=x; x=1; echo ${x} | first: dir=out; dir=x; echo ${dir}"},
		{".", "just just/second 2", ": date | second: dir=out; x=2; echo ${x}"},
		{"just", "just --evaluate", ": date"},
		{"just", "just -n", ""},
		{"just", "just m r -n", ": date | m::r: dir=out; in module"},
		{"mise", "mise run -n a", ""},
		{"mise", "mise run a -n", "a: rm -rf x -n"},
		{"poe", "poe -d reset", ""},
		{"npm", "npm run db --dry-run", "predb: echo before | postdb: echo after | db: prisma migrate reset --force"},
		{"task", "task --dry", ""},
		{"task", "task args -- --dry", "args: ENV=dev; CLI_ARGS=--dry; git rev-parse HEAD | args: ENV=dev; CLI_ARGS=--dry; run ${CLI_ARGS}"},
		{"just", "just m r", ": date | m::r: dir=out; in module"},
		{"just", "just m::r", ": date | m::r: dir=out; in module"},
		{"just", "just py", ": date | python py: #!/usr/bin/env python3; import os; os.remove('x')"},
		{"just", "just --list", ""},

		{"task", "task", "web lint: ENV=dev; git rev-parse HEAD | web lint: ENV=dev; test -f x | web lint: ENV=dev; eslint | docs docs:serve: ENV=dev; git rev-parse HEAD | " +
			"docs docs:serve: ENV=dev; mkdocs serve | default: ENV=dev; git rev-parse HEAD | default: ENV=dev; deploy ${ENV}"},
		{".", "task -d task args -- -v 'a b'", `args: ENV=dev; CLI_ARGS='-v '\''a b'\'''; git rev-parse HEAD | args: ENV=dev; CLI_ARGS='-v '\''a b'\'''; run ${CLI_ARGS}`},
		{"task", "task al", "alias: ENV=dev; git rev-parse HEAD | alias: ENV=dev; aliased"},
		{"task", "task docs:serve ENV=x", "docs docs:serve: ENV=dev; ENV=x; git rev-parse HEAD | docs docs:serve: ENV=dev; ENV=x; mkdocs serve"},
		{"task", "task --list", ""},

		{"php", "composer reset", "clean: rm -rf cache | reset: php artisan migrate:fresh --force"},
		{"php", "composer run-script clean -- x", "clean: rm -rf cache x"},
		{".", "composer -d php install", "post-install-cmd: echo hi"},
		{"php", "composer install --no-scripts", ""},
		{"poe", "poe reset", "reset: prisma migrate reset --force"},
		{".", "poe -C poe both", "reset: prisma migrate reset --force | both: echo x"},
		{"poe", "poe sh", "sub sh: rm -rf a; b"},
		{"poe", "poe need --x", "reset: prisma migrate reset --force | need: c --x"},
		{"pdm", "pdm run all", "pre_go: before | go: rm -rf x | all: echo y"},
		{"pdm", "pdm words", "words: a 'b c'"},
		{"hatch", "hatch run clean", "clean: rm -rf a | clean: rm -rf b"},
		{"hatch", "hatch run docs:serve", "docs:serve: mkdocs"},
		{"pipenv", "pipenv run reset", "reset: dropdb x"},
		{"deno", "deno task b", "a: rm -rf x | b: c"},
		{"mise", "mise run b", "a: rm -rf x | b: c | b: d"},
		{"mise", "mise r f", "f: #!/usr/bin/env bash; rm y"},
		{"mise", "git status", ""},
	} {
		dir := filepath.Join(root, tc.dir)
		var got []string
		for _, b := range NewReader(context.Background(), nil).Bodies(dir, shellWords(tc.line)) {
			s := b.Task + ": " + strings.ReplaceAll(strings.TrimSpace(b.Text), "\n", "; ")
			if at := filepath.Base(b.Dir); at == "web" || at == "docs" || at == "sub" {
				s = at + " " + s
			}
			if b.Language != "sh" {
				s = b.Language + " " + s
			}
			got = append(got, s)
		}
		if strings.Join(got, " | ") != tc.want {
			t.Errorf("%s in %s:\n got %s\nwant %s", tc.line, tc.dir, strings.Join(got, " | "), tc.want)
		}
	}
}

// shellWords splits at blanks outside of single quotes.
func shellWords(s string) []string {
	var out []string
	for i, part := range strings.Split(s, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// A file that is no file, or too large, is not read, and nothing waits for it.
func TestTaskBodiesAreBounded(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"big/package.json":  `{"scripts": {"a": "` + strings.Repeat("x", maxTaskFile) + `"}}`,
		"loop/Makefile":     "include Makefile\na: b\n\techo a\nb: a\n\techo b\n",
		"loop/package.json": `{"scripts": {"a": "npm run b", "b": "npm run a"}}`,
		"fifo/x":            "", "dir/package.json/x": "",
	})
	for _, name := range []string{"fifo/package.json", "fifo/Makefile", "fifo/in"} {
		if err := syscall.Mkfifo(filepath.Join(root, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	for line, want := range map[string]int{"big: npm run a": 0, "fifo: npm run a": 0, "fifo: make": 0, "dir: npm run a": 0, "loop: make a": 2, "loop: npm run a": 2} {
		dir, line, _ := strings.Cut(line, ": ")
		start := time.Now()
		got := NewReader(context.Background(), nil).Bodies(filepath.Join(root, dir), strings.Fields(line))
		if len(got) != want || time.Since(start) > 2*time.Second {
			t.Errorf("%s: %d bodies in %v", line, len(got), time.Since(start))
		}
	}
	late, cancel := context.WithCancel(context.Background())
	cancel()
	if got := NewReader(late, nil).Bodies(filepath.Join(root, "loop"), []string{"make"}); got != nil {
		t.Error(got)
	}
}

// Files that are made to keep a reader busy do not.
func TestHostileTaskFiles(t *testing.T) {
	var vars strings.Builder
	vars.WriteString("V0 =\n")
	for i := 1; i <= 9; i++ {
		vars.WriteString("V" + string(rune('0'+i)) + " = " + strings.Repeat("$(V"+string(rune('0'+i-1))+")", 1000) + "\n")
	}
	names := strings.Repeat("t%d ", 1)
	var many strings.Builder
	for i := range 100_000 {
		many.WriteString(strings.ReplaceAll(names, "%d", strings.Repeat("x", i%5)+string(rune('a'+i%26))+strings.Repeat("y", i%7)))
	}
	root := resolvertest.Tree(t, map[string]string{
		"vars/Makefile":     vars.String() + "a:\n\techo $(V9)\n",
		"wide/Makefile":     many.String() + ": " + many.String() + "\n" + strings.Repeat("\tx\n", 10_000),
		"npm/package.json":  `{"scripts": {"a": "` + strings.Repeat("yarn ", 200_000) + `"}}`,
		"flow/Taskfile.yml": "tasks:\n  a:\n    cmds: [\n" + strings.Repeat("      x,\n", 200_000),
		"long/Taskfile.yml": "tasks:\n  a: x\n" + strings.Repeat("      x\n", 200_000),
		"deep/Taskfile.yml": "tasks: " + strings.Repeat("[", 500_000),
		"just/justfile":     "a: " + strings.Repeat("(", 500_000) + "\n    x\n" + strings.Repeat("import 'justfile'\n", 10_000),
	})
	for _, line := range []string{"vars: make a", "wide: make", "npm: npm run a", "flow: task a", "long: task a", "deep: task a", "just: just a"} {
		dir, line, _ := strings.Cut(line, ": ")
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		start := time.Now()
		NewReader(ctx, nil).Bodies(filepath.Join(root, dir), strings.Fields(line))
		cancel()
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%s %s: %v", dir, line, d)
		}
	}
}
