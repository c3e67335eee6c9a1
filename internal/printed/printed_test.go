package printed

import (
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/shape"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// core reads the map that the program is shipped with.
func core() *tcpdb.View { return tcpdb.NewView(tcpdb.Core()) }

// TestOutputs: what a map may name is what can be read, and the other way round.
func TestOutputs(t *testing.T) {
	if got, want := shape.Outputs(), tcpdb.Outputs(); !slices.Equal(got, want) {
		t.Errorf("shape reads %q, a map names %q", got, want)
	}
}

func TestInteractive(t *testing.T) {
	v := core()
	for line, want := range map[string]bool{
		"vim x": true, "less x": true, "sudo vim /etc/hosts": true, "/usr/bin/top": true, "top -b": false, "man ls": true, "man -k ls": false,
		"git commit": true, "git commit -m x": false, "git commit -am x": false, "git commit --amend": true, "git commit --amend --no-edit": false,
		"git commit -m x -e": true, "git commit x.go": true, "git commit --dry-run": false, "git add -p": true, "git add x": false,
		"git rebase -i HEAD~2": true, "git rebase main": false, "git log": false, "git difftool": true,
		"python3": true, "python3 x.py": false, "python3 -c 1": false, "python3.11": true, "bash": true, "bash -c ls": false, "sh ./x": false,
		"docker run -it alpine": true, "docker run alpine": false, "kubectl exec -i -t p -- sh": true, "kubectl exec p -- ls": false, "kubectl edit deploy x": true,
		"docker attach x": true, "docker compose exec web ls": false, "systemctl edit x": true, "systemctl status x": false, "sudo systemctl edit x": true,
		"ssh host": true, "ssh host ls": false, "ssh -p 22 host": true, "ssh -t host top": true, "ssh -N host": false,
		"psql db": true, "psql -c x db": false, "psql -l": false, "mysql db": true, "mysql -e x db": false, "sqlite3 x.db": true, "sqlite3 x.db .tables": false,
		"redis-cli": true, "redis-cli get x": false, "mongosh": true, "node": true, "node x.js": false, "node -e 1": false, "node --version": false,
		"crontab -e": true, "crontab -l": false, "ls": false, "true": false, "": false, "env A=1 nice -n 3 htop": true, "bash -c 'vim x'": false,
	} {
		if got := Of(v, strings.Fields(line)).Interactive; got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Programs that go on are passed on, not shaped.
func TestFollows(t *testing.T) {
	v := core()
	for line, want := range map[string]bool{
		"npm run dev": true, "prettier --watch": true, "yarn start": true, "tail -f x.log": true, "tail -n5 -F x": true, "kubectl logs -f pod": true, "docker compose up": true,
		"sudo journalctl -fu x": true, "journalctl -f": true, "tsc --watch": true, "npx vitest --watch": true, "kubectl get pods -w": true, "npm run dev:web": true,
		"npm run build": false, "npm test": false, "tail -n 5 x": false, "docker compose up -d": false, "git status": false, "": false, "vite build": false,
		"vite": true, "next dev": true, "next build": false, "docker stats": true, "docker stats --no-stream": false, "docker events": true, "docker attach x": true,
		"kubectl port-forward p 1": true, "top": true, "top -b -n 1": false, "top -b": true, "watch ls": true, "git log --follow x": false, "unheard --watch": true, "dmesg -w": true,
		"heroku logs --tail": true, "stern x": true, "stern x --no-follow": false, "tail --follow=name x": true, "bash -c 'tail -f x'": true,
	} {
		if got := Line(v, line).Follows; got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// The command of a pipe into programs that choose lines is the first one.
func TestOutput(t *testing.T) {
	v := core()
	for line, want := range map[string]string{
		"npm test 2>&1 | tail -3":                 "",
		"go test ./... 2>&1 | tail -3":            "go-test",
		"cd x && go test -json ./... | tee log":   "go-json",
		"FOO=1 timeout 10 python3 -m pytest -q":   "pytest",
		"git -C x status":                         "git-status",
		"git -c core.pager=cat --no-pager log -3": "git-log",
		"bash -lc 'cd y; cargo test'":             "cargo",
		"sudo -u root env A=b apt-get install x":  "package",
		"uv run --with x pytest":                  "pytest",
		"go vet ./...; go test ./...":             "",
		"cargo +nightly test":                     "cargo",
		"npm ci":                                  "package",
		"docker logs web":                         "log",
		"kubectl -n x get pods":                   "table",
		"kubectl get pods -o json":                "json",
		"kubectl get pods -o wide":                "table",
		"kubectl get pods -o jsonpath={.items}":   "lines",
		"rg -n foo | head":                        "search",
		"rg --json foo":                           "lines",
		"python3.11 -m unittest":                  "unittest",
		"mkdir -p b && cmake -B b":                "build",
		"git diff --word-diff":                    "git-diff",
		"git diff --word-diff=porcelain":          "lines",
		"git tag":                                 "lines",
		"tail -n 50 /var/log/syslog":              "log",
		"tail -n 50 notes":                        "",
		"go test ./... | wc -l":                   "any",
		"cargo build --message-format=json":       "any",
		"bundle exec rake":                        "",
		"yarn":                                    "package",
		"yarn run x":                              "any",
		"systemctl list-units":                    "table",
		"systemctl status x":                      "",
		"/usr/bin/strace ls":                      "strace",
		"pnpm exec tsc --noEmit":                  "build",
		"bash x.sh":                               "",
		"helm list -o json":                       "json",
	} {
		if got := Line(v, line).Output; got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	v := core()
	for line, want := range map[string]shape.Command{
		"sudo env A=1 ./x.sh":   {Argv: []string{"./x.sh"}},
		"grep -n MARKER f":      {Argv: []string{"grep", "-n", "MARKER", "f"}, Output: "search", Search: "MARKER"},
		"grep -r -e 'a.long' f": {Argv: []string{"grep", "-r", "-e", "a.long", "f"}, Output: "search", Search: "long"},
		"git grep -n return":    {Argv: []string{"git", "grep", "-n", "return"}, Output: "search", Search: "return"},
		"cat x":                 {Argv: []string{"cat", "x"}, File: true},
		"sed -n 1,9p x":         {Argv: []string{"sed", "-n", "1,9p", "x"}, File: true},
		"sed s/a/b/ x":          {Argv: []string{"sed", "s/a/b/", "x"}},
		"cat":                   {Argv: []string{"cat"}},
		"git show HEAD:a.go":    {Argv: []string{"git", "show", "HEAD:a.go"}, Output: "git-log", File: true},
		"git show HEAD":         {Argv: []string{"git", "show", "HEAD"}, Output: "git-log"},
		"npx jest a":            {Argv: []string{"jest", "a"}, Tests: true},
		"make check":            {Argv: []string{"make", "check"}, Output: "build", Tests: true},
		"yarn jest":             {Argv: []string{"yarn", "jest"}, Output: "package", Tests: true},
		"docker logs api":       {Argv: []string{"docker", "logs", "api"}, Output: "log", Relays: true},
		"a; b":                  {},
	} {
		if got := Line(v, line).Command; !slices.Equal(got.Argv, want.Argv) || got.Output != want.Output || got.Search != want.Search ||
			got.File != want.File || got.Tests != want.Tests || got.Relays != want.Relays {
			t.Errorf("%q: %+v, want %+v", line, got, want)
		}
	}
}

func TestBuilds(t *testing.T) {
	v := core()
	for script, want := range map[string]bool{
		"set -e\ncd x && go build ./...": true, "npm run x": true, "npx eslint src": true, "./gradlew jar": true, "for f in *.c; do\n  gcc -c $f\ndone": true,
		"poetry run pytest": true, "vite build": true, "cargo +nightly bench": true,
		"echo make": false, "test -f Makefile && echo x": false, "scripts/test": true, "docker run x": false, "git push": false, "rm -rf build": false, "": false, "vite": false,
	} {
		if got := Builds(v, script); got != want {
			t.Errorf("%q: %v", script, got)
		}
	}
}

// A user's own tool has the rights of any other.
func TestOwnTool(t *testing.T) {
	x := tcpdb.NewBuilder()
	x.Tool(&tcpdb.Node{Name: "ours", Bits: tcpdb.Interspersed, Subs: []*tcpdb.Node{
		{Path: "ours check", Name: "check", Output: "pytest", Flags: []tcpdb.Flag{{ID: "tap", Names: []string{"--tap"}, Role: "output:tap"}}},
		{Path: "ours tail", Name: "tail", Class: []string{tcpdb.GoesOnClass}},
		{Path: "ours in", Name: "in", Class: []string{tcpdb.RunnerClass}, Wrapper: tcpdb.Wrapper{Mode: tcpdb.WrapWords, Skip: 1}},
	}})
	data, err := x.Build()
	if err != nil {
		t.Fatal(err)
	}
	image, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	v := core()
	v.Add(tcpdb.UserLayer, image)
	for line, want := range map[string]string{"ours check": "pytest", "ours check --tap": "tap", "ours in there git status": "git-status", "ours tail": ""} {
		if f := Line(v, line); f.Output != want || f.Follows != (line == "ours tail") {
			t.Errorf("%q: %+v", line, f)
		}
	}
}
