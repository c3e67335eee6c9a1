package all

import (
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
	"github.com/tool-mapping-protocol/tmp/resolvers/tasks"
)

// Tab and the import of a task file (tasks.Read, what is not private) name the same
// tasks. Tab has two kinds in addition, which run what another name stands for: the
// aliases of a justfile, and the scripts that npm runs around others.
func TestTabAndImportNameTheSameTasks(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"make/Makefile":  "include more.mk\n.PHONY: all clean\nall: build ## everything\nbuild: main.o\n\tcc -o $@ $<\nclean:\n\trm -f *.o\n%.o: %.c\n\tcc -c $<\n.hidden:\n\ttrue\n",
		"make/more.mk":   "deploy: build\n\tscp app host:\n",
		"just/justfile":  "import 'more.just'\n# Build it\nbuild target='debug': setup\n    cargo build\nsetup:\n    true\n_private:\n    true\n[private]\nhidden:\n    true\n[confirm]\nwipe:\n    rm -r target\n",
		"just/more.just": "deploy +hosts: build\n    ./deploy {{hosts}}\n",
		"task/Taskfile.yml": "version: '3'\nincludes:\n  docs: ./docs\n  flat: {taskfile: ./flat.yml, flatten: true}\n  gone: ./gone\n  inner: {taskfile: ./inner.yml, internal: true}\n" +
			"tasks:\n  default: {deps: [build]}\n  build:\n    desc: Build it # now\n    cmds:\n      - go build {{.CLI_ARGS}}\n      - cmd: |\n          echo 'tasks:'\n          echo done\n  setup: {internal: true, cmd: 'true'}\n  'db:up': docker compose up\n  \"q\": echo q\n",
		"task/docs/Taskfile.yml": "version: '3'\ntasks:\n  default: mkdocs build\n  serve:\n    summary: |\n      Serve the pages.\n      For long.\n    cmds: ['mkdocs serve']\n",
		"task/flat.yml":          "version: '3'\ntasks:\n  lint: golangci-lint run\n",
		"task/inner.yml":         "version: '3'\ntasks:\n  secret: 'true'\n",
		"npm/package.json":       `{"name": "x", "scripts": {"build": "tsc", "test": "vitest", "start:dev": "node ."}}`,
	})
	for dir, want := range map[string]struct{ resolver, names string }{
		"make": {"make:targets", "all build clean deploy"},
		"just": {"just:recipes", "build deploy setup wipe"},
		"task": {"task:tasks", "build db:up default docs docs:serve lint q"},
		"npm":  {"npm:scripts", "build start:dev test"},
	} {
		onTab := resolvertest.Sorted(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: want.resolver, Dir: root + "/" + dir}))
		resolvertest.Equal(t, dir+" on Tab", onTab, strings.Fields(want.names))
		paths := tasks.Files(root + "/" + dir)
		if len(paths) != 1 {
			t.Fatalf("%s: %q", dir, paths)
		}
		f, err := tasks.Read(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		var imported []string
		for _, task := range f.Tasks {
			if !task.Private {
				imported = append(imported, task.Name)
			}
		}
		slices.Sort(imported)
		resolvertest.Equal(t, dir+" imported", imported, onTab)
	}
}
