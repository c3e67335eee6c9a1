package tasks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func project(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func judge(dir, text string, d shline.Dialect) line.Verdict {
	getenv := func(k string) string { return map[string]string{"HOME": dir + "/home"}[k] }
	f := risk.Facts{Tasks: Reader(dir, getenv)}
	return line.Judge(tcpdb.NewView(tcpdb.Core()), text, d, f, line.Options{})
}

// A line that runs a task is as bad as what the task does, and says so.
func TestJudgedTasks(t *testing.T) {
	root := project(t, map[string]string{
		"package.json": `{"scripts": {"db:reset": "prisma migrate reset --force", "build": "tsc", "prebuild": "rm -rf dist", "test": "rm -rf /", "start": "node x.js",
			"a": "npm run b", "b": "npm run a && kubectl apply -f x", "loop": "npm run loop", "rm": "rm -rf", "dyn": "$X y", "many": "npm-run-all 'cloud:*'",
			"cloud:x": "terraform destroy -auto-approve", "sh": "bash -c 'dropdb app'", "quoted": "echo 'rm -rf /'", "make": "make reset", "elsewhere": "cd api && make reset"}}`,
		"api/Makefile":        "reset: stop\n\tdropdb app\nstop:\n\tsystemctl stop x\nall: reset\n",
		"Makefile":            "DB ?= app\nfirst: second\nsecond:\n\tterraform destroy -auto-approve\nreset:\n\t@dropdb $(DB)\nhelp:\n\t@echo 'rm -rf /'\nfine:\n\tcc x.c\n",
		"read/Makefile":       "X := $(shell rm -rf ~)\nfine:\n\tcc x.c\n",
		"justfile":            "reset db='x': stop\n    dropdb {{db}}\nstop:\n    systemctl stop x\npy:\n    #!/usr/bin/env python3\n    import shutil\n    shutil.rmtree('/')\n",
		"Taskfile.yml":        "tasks:\n  default: {deps: [reset]}\n  reset:\n    cmds: ['dropdb {{.DB}}']\n",
		"composer.json":       `{"scripts": {"reset": ["@php artisan x", "dropdb app"]}}`,
		"pyproject.toml":      "[tool.poe.tasks]\nreset = 'dropdb app'\nall = ['reset']\n",
		"home/x/Makefile":     "reset:\n\tdropdb app\n",
		"broken/package.json": `{"scripts": {"db:reset": "dropdb app"`,
	})
	for _, tc := range []struct {
		line  string
		level tcpdb.Level
		says  string
	}{
		{"npm run db:reset", tcpdb.Critical, "npm run db:reset runs: prisma migrate reset --force: "},
		{"npm run-script db:reset", tcpdb.Critical, " runs: prisma migrate reset --force: "},
		{"pnpm db:reset", tcpdb.Critical, "pnpm db:reset runs: prisma migrate reset --force: "},
		{"yarn run db:reset", tcpdb.Critical, "yarn run db:reset runs: prisma migrate reset --force: "},
		{"bun run db:reset", tcpdb.Critical, "bun run db:reset runs: prisma migrate reset --force: "},
		{"npm run build", tcpdb.Critical, "npm run build runs prebuild: rm -rf dist: deletes whole directories (package.json)"},
		{"npm t", tcpdb.Critical, " runs test: rm -rf /: "},
		{"npm start", tcpdb.Medium, ""},
		{"npm run a", tcpdb.High, "npm run a runs b: npm run a && kubectl apply -f x: "},
		{"npm run loop", tcpdb.Medium, ""},
		{"npm run rm -- -f src", tcpdb.Critical, "runs: rm -rf -f src: "},
		{"npm run dyn", tcpdb.Medium, ""},
		{"npm run none", tcpdb.Medium, ""},
		{"npm run many", tcpdb.Critical, "npm-run-all cloud:* runs cloud:x: terraform destroy -auto-approve: "},
		{"npm run sh", tcpdb.Critical, "npm run sh runs: bash -c 'dropdb app': "},
		{"npm run quoted", tcpdb.Medium, ""},
		{"npm run make", tcpdb.Critical, "make reset runs: dropdb app: deletes a database or role (Makefile)"},
		{"npm run elsewhere", tcpdb.Critical, "(api/Makefile)"},
		{"make", tcpdb.Critical, "make runs second: terraform destroy -auto-approve: "},
		{"make reset", tcpdb.Critical, "make reset runs: dropdb app: "},
		{"make reset DB=prod", tcpdb.Critical, "make reset DB=prod runs: dropdb prod: "},
		{"make help", tcpdb.Medium, ""},
		{"make fine", tcpdb.Medium, ""},
		{"make -n reset", tcpdb.Safe, ""},
		{"make -C api all", tcpdb.Critical, "make -C api all runs reset: dropdb app: deletes a database or role (api/Makefile)"},
		{"make -f api/Makefile", tcpdb.Critical, "runs reset: dropdb app: "},
		{"cd api && make", tcpdb.Critical, "make runs reset: dropdb app: "},
		{"(cd api; true); make fine", tcpdb.Medium, ""},
		{"(cd api; true); make reset", tcpdb.Critical, "(Makefile)"},
		{"cd ~/x && make reset", tcpdb.Critical, "(home/x/Makefile)"},
		{"make -C read fine", tcpdb.Critical, "make -C read fine runs: rm -rf ~: "},
		{"just reset", tcpdb.Critical, "just reset runs: dropdb ${db}: deletes a database or role (justfile)"},
		{"just", tcpdb.Critical, "just runs reset: "},
		{"just stop", tcpdb.High, "just stop runs: systemctl stop x: "},
		{"just py", tcpdb.Critical, "(justfile)"},
		{"task", tcpdb.Critical, "task runs reset: dropdb ${DB}: deletes a database or role (Taskfile.yml)"},
		{"composer reset", tcpdb.Critical, "composer reset runs: dropdb app: "},
		{"composer run-script reset", tcpdb.Critical, "runs: dropdb app: "},
		{"poe all", tcpdb.Critical, "poe all runs reset: dropdb app: deletes a database or role (pyproject.toml)"},
		{"poetry run poe all", tcpdb.Critical, "poe all runs reset: dropdb app: "},
		{"npm --prefix . run db:reset", tcpdb.Critical, "prisma"},
		{"npm --prefix broken run db:reset", tcpdb.Medium, ""},
		{"npm --prefix none run db:reset", tcpdb.Medium, ""},
		{"time npm run db:reset", tcpdb.Critical, "npm run db:reset runs: "},
		{"bash -c 'npm run db:reset'", tcpdb.Critical, "npm run db:reset runs: "},
		{"eval 'npm run db:reset'", tcpdb.Critical, "npm run db:reset runs: "},
		{"alias r='npm run db:reset'\nr", tcpdb.Critical, "npm run db:reset runs: "},
		{"make fine || npm run db:reset", tcpdb.Critical, "npm run db:reset runs: "},
		{"docker exec x npm run db:reset", tcpdb.Medium, ""},
		{"ssh h 'npm run db:reset'", tcpdb.Medium, ""},
		{"ssh h <<E\nnpm run db:reset\nE", tcpdb.Medium, ""},
		{"echo npm run db:reset", tcpdb.Safe, ""},
		{"npm run $x", tcpdb.Medium, ""},
	} {
		v := judge(root, tc.line, shline.Bash)
		said := ""
		for _, f := range v.Findings {
			if f.Level >= tcpdb.High && said == "" {
				said = f.Reason
			}
		}
		found := tc.says == ""
		for _, f := range v.Findings {
			found = found || f.Level == v.Level && strings.Contains(f.Reason, tc.says)
		}
		if v.Level != tc.level || !found {
			t.Errorf("%s: %v %q, want %v %q", tc.line, v.Level, said, tc.level, tc.says)
		}
		for _, f := range v.Findings {
			if f.Start < 0 || f.End > len(tc.line) || f.Start > f.End {
				t.Errorf("%s: a finding at %d to %d", tc.line, f.Start, f.End)
			}
		}
	}
	for _, d := range []shline.Dialect{shline.Zsh, shline.Fish} {
		if v := judge(root, "npm run db:reset", d); v.Level != tcpdb.Critical {
			t.Errorf("%v: %v", d, v.Level)
		}
	}
}

// What a project makes long takes no room from what is typed, and no time.
func TestTasksAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"scripts": {"a": "`)
	for i := range 5000 {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString("echo $x")
	}
	b.WriteString(`", "c": "`)
	for range 300 {
		b.WriteString(`bash -c 'npm run a'; `)
	}
	b.WriteString(`"}}`)
	root := project(t, map[string]string{"package.json": b.String()})
	start := time.Now()
	v := judge(root, "npm run a && npm run c && dropdb x", shline.Bash)
	if v.Level != tcpdb.Critical || v.Findings[0].Reason != "deletes a database or role" {
		t.Errorf("%v %+v", v.Level, v.Findings[:1])
	}
	if v = judge(root, "npm run a && npm run c", shline.Bash); v.Level != tcpdb.Medium {
		t.Errorf("%v %+v", v.Level, v.Findings[:1])
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("%v", d)
	}
}

// A line without a task runner reads nothing.
func TestNothingIsReadWithoutARunner(t *testing.T) {
	f := risk.Facts{Tasks: func(string, []string) []risk.TaskBody {
		t.Error("read")
		return nil
	}}
	for _, text := range []string{"git status", "rm -rf /", "echo make", "cat Makefile", "ssh h make", "make --help", "sudo ls", "x npm", "git commit -m 'npm run x'"} {
		line.Judge(tcpdb.NewView(tcpdb.Core()), text, shline.Bash, f, line.Options{})
	}
}
