package tasks

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// shown writes a task in one line: its name, parameters, calls and shell.
func shown(t *Task) string {
	var b strings.Builder
	b.WriteString(t.Name)
	for _, p := range t.Params {
		mark := map[bool]string{true: "!", false: "?"}[p.Required]
		if p.Many {
			mark += "*"
		}
		b.WriteString(" " + p.Name + mark + p.Default)
		if len(p.Values) > 0 {
			b.WriteString("{" + strings.Join(p.Values, "|") + "}")
		}
	}
	b.WriteString(" -> " + strings.Join(t.Calls, ","))
	if t.Private {
		b.WriteString(" private")
	}
	if t.Confirm {
		b.WriteString(" confirm")
	}
	return strings.TrimSpace(b.String() + ": " + strings.ReplaceAll(strings.TrimSpace(t.Shell), "\n", "; "))
}

func TestReadTasks(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"Makefile": "include more.mk\nOUT := dist\nREGION ?= eu\n.PHONY: build deploy clean\n" +
			"build: deps ## Build it\n\t@go build -o $(OUT)/x ./...\n\t-echo \\\n\t  two\n" +
			"deploy: build\n\t$(RM) -r $(OUT)\n\tkubectl --context $(REGION) apply -n $(ENV) -f $@.yaml $$HOME $(shell date)\n" +
			"dist/x.o: x.c\n\t$(CC) $(CFLAGS) -c $<\n" +
			"clean: ; rm -rf $(OUT)\nifdef DEBUG\nendif\ndebug:\n\techo $(DEBUG)\n",
		"more.mk": "deps:\n\tgo mod download\n",
		"sub/justfile": "# Ship it\n[confirm]\ndeploy env region='eu west' *flags: (build 'x') && after\n    @echo {{ env }}\n    kubectl apply -n {{env}} {{flags}}\n\n" +
			"build x:\n    #!/usr/bin/env bash\n    set -e\n    go build {{x}}\n\nafter:\nalias d := deploy\n_hidden:\n    true\n",
		"package.json": `{"scripts": {"prebuild": "rm -rf dist", "build": "tsc -p . && npm run lint", "lint": "eslint .", "ci": "npm-run-all lint build"}}`,
		"Taskfile.yml": "version: '3'\nvars:\n  OUT: dist\nincludes: {a: ./b}\ntasks:\n" +
			"  build:\n    desc: \"Build it: all\"  # yes\n    deps: [lint, {task: gen}]\n    cmds:\n      - go build -o {{.OUT}} ./...\n      - cmd: echo {{.NAME | quote}} # {{.CLI_ARGS}}\n      - task: ship\n" +
			"  lint: go vet ./...\n  gen:\n    internal: true\n    cmds:\n    - |\n      echo a\n      echo b\n" +
			"  ship:\n    prompt: Sure?\n    summary: |\n      Ship it\n      more\n    requires:\n      vars:\n        - VERSION\n        - name: ENV\n          enum: [staging, prod]\n    cmd: >\n      kubectl apply\n      -n {{.ENV}}\n",
	})
	for file, want := range map[string][]string{
		"Makefile": {
			"deps -> : go mod download",
			"build -> deps: go build -o dist/x ./...; echo  two",
			"deploy REGION?eu ENV! -> build: rm -f -r dist; kubectl --context eu apply -n ${ENV} -f deploy.yaml $HOME $(date)",
			"dist/x.o CFLAGS? ->  private: cc ${CFLAGS} -c x.c",
			"clean -> : rm -rf dist",
			"debug DEBUG? -> : echo ${DEBUG}",
		},
		"sub/justfile": {
			"deploy env! region?eu west flags?* -> build,after confirm: echo ${env}; kubectl apply -n ${env} ${flags}",
			"build x! -> : #!/usr/bin/env bash; set -e; go build ${x}",
			"after -> :",
			"d -> deploy private:",
			"_hidden ->  private: true",
		},
		"package.json": {
			"prebuild ->  private: rm -rf dist",
			"build -> prebuild,lint: tsc -p . && npm run lint",
			"lint -> : eslint .",
			"ci -> lint,build: npm-run-all lint build",
		},
		"Taskfile.yml": {
			"build NAME? -> lint,gen,ship: go build -o ${OUT} ./...; echo ${NAME}",
			"lint -> : go vet ./...",
			"gen ->  private: echo a; echo b",
			"ship VERSION! ENV!{staging|prod} ->  confirm: kubectl apply -n ${ENV}",
		},
	} {
		f, err := Read(filepath.Join(root, file))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var got []string
		for i := range f.Tasks {
			got = append(got, shown(&f.Tasks[i]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", file, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if f.Files[0] != filepath.Join(root, file) || file == "Makefile" && len(f.Files) != 2 {
			t.Errorf("%s was read from %v", file, f.Files)
		}
	}
	for _, name := range []string{"README.md", "no/Makefile", "rel"} {
		if _, err := Read(filepath.Join(root, name)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	var names []string
	for _, f := range Files(root) {
		names = append(names, filepath.Base(f))
	}
	if want := []string{"Makefile", "Taskfile.yml", "package.json"}; !slices.Equal(names, want) {
		t.Errorf("task files %v, want %v", names, want)
	}
}

// TestIncludedTaskfiles: what a Taskfile includes has the names that task gives
// it (taskfile.dev, "Including other Taskfiles").
func TestIncludedTaskfiles(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"Taskfile.yml": "version: '3'\nvars: {OUT: dist}\nincludes:\n  docs: ./docs\n  far: {taskfile: more.yml, vars: {WHERE: eu}}\n  flat: {taskfile: flat.yml, flatten: true, excludes: [secret]}\n" +
			"  hidden: {taskfile: more.yml, internal: true}\n  self: .\n  net: https://tasks.example/x.yml\n  gone: {taskfile: ./nowhere, optional: true}\n  os: ./Taskfile_{{OS}}.yml\n" +
			"tasks:\n  build:\n    deps: [docs:serve]\n    cmds: ['go build -o {{.OUT}}']\n",
		"docs/Taskfile.yml":      "tasks:\n  serve:\n    deps: [gen, ':build']\n    cmd: hugo serve {{.OUT}}\n  gen: hugo\n  default: {deps: [gen]}\nincludes: {sub: sub}\n",
		"docs/sub/Taskfile.yaml": "tasks: {deep: 'echo deep'}\n",
		"more.yml":               "tasks:\n  away: ssh {{.WHERE}} {{.WHO}}\n",
		"flat.yml":               "tasks: {lint: vet, secret: cat key}\n",
	})
	f, err := Read(filepath.Join(root, "Taskfile.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range f.Tasks {
		got = append(got, shown(&f.Tasks[i]))
	}
	want := []string{
		"build -> docs:serve: go build -o ${OUT}",
		"docs:serve -> docs:gen,build: hugo serve ${OUT}",
		"docs:gen -> : hugo",
		"docs -> docs:gen:",
		"docs:sub:deep -> : echo deep",
		"far:away WHO? -> : ssh ${WHERE} ${WHO}",
		"lint -> : vet",
		"hidden:away WHERE? WHO? ->  private: ssh ${WHERE} ${WHO}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	var read []string
	for _, path := range f.Files {
		name, _ := filepath.Rel(root, path)
		read = append(read, name)
	}
	if want := []string{"Taskfile.yml", "docs/Taskfile.yml", "docs/sub/Taskfile.yaml", "more.yml", "flat.yml"}; !slices.Equal(read, want) {
		t.Errorf("read %v, want %v", read, want)
	}
}
