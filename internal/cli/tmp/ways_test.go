package tmp

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// These are ways around an approval: a person says yes to a plan, somebody makes
// another thing of what it would run, and the plan is run. Each has its control:
// without the change the plan runs.

// way is one of them.
type way struct {
	name  string
	line  string // what is approved and run
	setup func(*ground)
	// change makes another thing of it; nil: the control is all.
	change func(*ground)
	// fine: the change voids nothing.
	fine bool
}

// ground is a repository with a home, and a directory of programs, beside each other.
type ground struct {
	t         *testing.T
	env       term.Env
	dir, home string
	bin, out  string // programs on PATH; a folder beside the project
}

func (g *ground) path(name string) string {
	for _, at := range [...][2]string{{"~/", g.home}, {"bin:", g.bin}, {"out:", g.out}} {
		if rest, ok := strings.CutPrefix(name, at[0]); ok {
			return filepath.Join(at[1], rest)
		}
	}
	return g.dir + "/" + name
}

func (g *ground) file(name, text string) {
	g.t.Helper()
	path := g.path(name)
	mode := os.FileMode(0o644)
	if strings.HasPrefix(text, "#!") {
		mode = 0o755
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		g.t.Fatal(err)
	}
	_ = os.Chmod(path, mode)
}

func (g *ground) sh(line string) {
	g.t.Helper()
	c := exec.Command("sh", "-ec", line)
	c.Dir = g.dir
	c.Env = append(os.Environ(), "HOME="+g.home, "OUT="+g.out, "BIN="+g.bin, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c")
	if out, err := c.CombinedOutput(); err != nil {
		g.t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

// setenv sets a variable of the agent.
func (g *ground) setenv(name, value string) {
	old := g.env.Getenv
	g.env.Getenv = func(n string) string {
		if n == name {
			return value
		}
		return old(n)
	}
	var environ []string
	for _, pair := range g.env.Environ {
		if !strings.HasPrefix(pair, name+"=") {
			environ = append(environ, pair)
		}
	}
	g.env.Environ = append(environ, name+"="+value)
}

// with is a setup or change that writes files: name, text, name, text …
func with(files ...string) func(*ground) {
	return func(g *ground) {
		for i := 0; i < len(files); i += 2 {
			g.file(files[i], files[i+1])
		}
	}
}

func sh(line string) func(*ground) { return func(g *ground) { g.t.Helper(); g.sh(line) } }

func both(all ...func(*ground)) func(*ground) {
	return func(g *ground) {
		for _, f := range all {
			f(g)
		}
	}
}

const evil = "touch \"$HOME/evil\"\n"

// tools are programs that take their orders from files, as those of the same names do.
func (g *ground) tools() {
	for name, does := range map[string]string{
		"kubectl":   `for f in "$3"*; do . "$f"; done`,
		"npm":       `[ "$1" = --prefix ] && cd "$2"; sh -c "$(sed -n 's/.*"deploy": *"\([^"]*\)".*/\1/p' package.json)"`,
		"reader":    `for f; do case $f in -*) ;; *) . "$f" ;; esac; done`,
		"helper":    "true",
		"terraform": `. ./main.tf`,
	} {
		g.file("bin:"+name, "#!/bin/sh\n"+does+"\n")
	}
}

func newGround(t *testing.T, w way) *ground {
	t.Helper()
	words, _ := json.Marshal(w.line)
	env := mapped(t, fmt.Sprintf(`{"schema": 1, "tool": "test", "operations": [
  {"id": "test.way", "surface": "cli", "intent": ["go the way"], "template": %s, "effect": "local-write", "risk": "high", "verified": true}]}`, words), "TMP_AGENT_ID=robot")
	env.Now = time.Now
	env.Dir += "/project"
	if err := os.Mkdir(env.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	g := &ground{t: t, env: env, dir: env.Dir, home: env.Getenv("HOME"), bin: t.TempDir(), out: t.TempDir()}
	g.setenv("PATH", g.bin+":"+os.Getenv("PATH"))
	g.setenv("GOCACHE", toolchain("GOCACHE"))
	g.setenv("PYTHONDONTWRITEBYTECODE", "1")
	g.setenv("OUT", g.out)
	g.tools()
	g.sh("git init -q . && git config user.name a && git config user.email a@b.c && echo .gitignore > .git/info/exclude")
	if w.setup != nil {
		w.setup(g)
	}
	g.sh("git add -A && git commit -q --allow-empty -m x")
	return g
}

// run is the agent's call.
func (g *ground) run() (status int, code string, changes []string) {
	g.t.Helper()
	status, e := runJSON(g.t, g.env, "go the way")
	if e.Error != nil {
		code, changes = string(e.Error.Code), e.Error.Changes
	}
	if e.Started && status != 0 {
		g.t.Logf("it ran and failed: %s", e.Output)
	}
	return status, code, changes
}

// approve asks as the agent and says yes as a person.
func (g *ground) approve(how ...string) {
	g.t.Helper()
	_, e := runJSON(g.t, g.env, "go the way")
	if e.Error == nil || e.Error.Approve == "" {
		g.t.Fatalf("no approval is asked for: %+v", e.Error)
	}
	sayYes(g.t, g.env, append(append([]string{"approve"}, how...), *e.PlanDigest)...)
}

func (g *ground) wasEvil() bool {
	_, err := os.Stat(g.home + "/evil")
	return err == nil
}

func (w way) try(t *testing.T) {
	control := newGround(t, w)
	control.approve()
	if status, code, changes := control.run(); code != "" {
		t.Errorf("nothing has changed, and it is not run: status %d, %s %q", status, code, changes)
	}
	if control.wasEvil() {
		t.Fatal("the control does what the change is to do")
	}
	if w.change == nil {
		return
	}
	g := newGround(t, w)
	g.approve()
	w.change(g)
	status, code, changes := g.run()
	switch {
	case w.fine && code != "":
		t.Errorf("what voids nothing voids it: status %d, %s %q", status, code, changes)
	case w.fine:
	case code != "approval_stale" && code != "not_a_file" || g.wasEvil():
		t.Errorf("status %d, code %q, ran %v", status, code, g.wasEvil())
	case code == "approval_stale" && len(changes) == 0:
		t.Error("it is not said what has changed")
	default:
		t.Logf("%s %q", code, changes)
	}
}

func TestWaysAroundAnApproval(t *testing.T) {
	for _, list := range [][]way{codeWays(), toolWays(), placeWays(), elsewhereWays(), fineWays()} {
		for _, w := range list {
			t.Run(w.name, func(t *testing.T) { t.Parallel(); w.try(t) })
		}
	}
}

// codeWays swap code that the words do not name.
func codeWays() []way {
	script := with("deploy.sh", "#!/bin/sh\n. ./lib.sh\n", "lib.sh", "true\n")
	return []way{
		{"the script", "./deploy.sh", script, with("deploy.sh", "#!/bin/sh\n"+evil), false},
		{"a script that the script sources", "./deploy.sh", script, with("lib.sh", evil), false},
		{"one that is sourced from a folder", "sh deploy.sh", with("deploy.sh", ". lib/a.sh\n", "lib/a.sh", ". lib/b.sh\n", "lib/b.sh", "true\n"), with("lib/b.sh", evil), false},
		{"one that is sourced from elsewhere", "./deploy.sh", both(with("out:lib.sh", "true\n"), func(g *ground) { g.file("deploy.sh", "#!/bin/sh\n. "+g.out+"/lib.sh\n") }), with("out:lib.sh", evil), false},
		{"one that is sourced from home", "./deploy.sh", with("deploy.sh", "#!/bin/sh\n. ~/lib.sh\n", "~/lib.sh", "true\n"), with("~/lib.sh", evil), false},
		{"one that is sourced by name in a variable", "./deploy.sh", with("deploy.sh", "#!/bin/sh\nn=lib\n. ./$n.sh\n", "lib.sh", "true\n"), with("lib.sh", evil), false},
		{"an included makefile", "make deploy", with("Makefile", "include rules.mk\n", "rules.mk", "deploy:\n\ttrue\n"), with("rules.mk", "deploy:\n\t"+evil), false},
		{"an included makefile from elsewhere", "make deploy", both(with("out:rules.mk", "deploy:\n\ttrue\n"), func(g *ground) { g.file("Makefile", "include "+g.out+"/rules.mk\n") }), with("out:rules.mk", "deploy:\n\t"+evil), false},
		{"a makefile that is in front of the other", "make deploy", with("Makefile", "deploy:\n\ttrue\n"), with("GNUmakefile", "deploy:\n\t"+evil), false},
		{"the makefile behind env", "env make deploy", with("Makefile", "deploy:\n\ttrue\n"), with("Makefile", "deploy:\n\t"+evil), false},
		{"make in a folder", "make -C sub deploy", with("sub/Makefile", "deploy:\n\ttrue\n"), with("sub/Makefile", "deploy:\n\t"+evil), false},
		{"a folder of make elsewhere", "make -C ../OUT deploy", both(linkOut, with("out:Makefile", "deploy:\n\ttrue\n")), with("out:Makefile", "deploy:\n\t"+evil), false},
		{"the script behind npm run", "npm run deploy", with("package.json", `{"scripts": {"deploy": "sh ./d.sh"}}`, "d.sh", "true\n"), with("d.sh", evil), false},
		{"npm with a prefix", "npm --prefix sub run deploy", with("sub/package.json", `{"scripts": {"deploy": "true"}}`), with("sub/package.json", `{"scripts": {"deploy": "touch ~/evil"}}`), false},
		{
			"a package that is run", "go run .", with("go.mod", "module x\n\ngo 1.20\n", "main.go", "package main\n\nfunc main() { run() }\n", "run.go", "package main\n\nfunc run() {}\n"),
			with("run.go", "package main\n\nimport \"os\"\n\nfunc run() { os.WriteFile(os.Getenv(\"HOME\")+\"/evil\", nil, 0o600) }\n"), false,
		},
		{"a module that is run", "python3 -m pkg", with("pkg/__init__.py", "", "pkg/__main__.py", "import pkg.work\n", "pkg/work.py", "pass\n"), with("pkg/work.py", "import os; open(os.environ['HOME'] + '/evil', 'w')\n"), false},
		{"a module in front of another", "python3 run.py", with("run.py", "import json\n"), with("json.py", "import os; open(os.environ['HOME'] + '/evil', 'w')\n"), false},
		{"a folder that is applied", "kubectl apply -f k8s/", with("k8s/a.yaml", "true\n"), with("k8s/a.yaml", evil), false},
		{"a new file in a folder that is applied", "kubectl apply -f k8s/", with("k8s/a.yaml", "true\n"), with("k8s/b.yaml", evil), false},
		{"a folder elsewhere that is applied", "kubectl apply -f ../OUT/k8s/", both(linkOut, with("out:k8s/a.yaml", "true\n")), with("out:k8s/a.yaml", evil), false},
		{"an ignored file", "./deploy.sh", with("deploy.sh", "#!/bin/sh\n. ./.env\n", ".env", "true\n", ".gitignore", ".env\n"), with(".env", evil), false},
		{"a package of node_modules", "reader ./node_modules/x/i.sh", with("node_modules/x/i.sh", ". ./node_modules/y/i.sh\n", "node_modules/y/i.sh", "true\n", ".gitignore", "node_modules\n"), with("node_modules/y/i.sh", evil), false},
		{"a file that is named in a line", "sh ./c.sh", with("c.sh", "sh -c 'sh ./d.sh'\n", "d.sh", "true\n"), with("d.sh", evil), false},
		{"a file that an option names", "reader --file=x.sh ./x.sh", with("x.sh", "true\n"), with("x.sh", evil), false},
		{"a file of settings of the tool", "terraform apply", with("main.tf", ". ./v.tfvars\n", "v.tfvars", "true\n"), with("v.tfvars", evil), false},
	}
}

// linkOut makes ../OUT a link to the folder elsewhere.
func linkOut(g *ground) {
	link := filepath.Join(filepath.Dir(g.dir), "OUT")
	_ = os.Remove(link)
	if err := os.Symlink(g.out, link); err != nil {
		g.t.Fatal(err)
	}
}

// toolWays make a tool do something else.
func toolWays() []way {
	program := func(name string) func(*ground) {
		return func(g *ground) { g.file(name, "#!/bin/sh\n"+evil) }
	}
	some := with("f", "1\n")
	return []way{
		{"an alias of git", "git deploy", sh("git config alias.deploy '!true'"), sh("git config alias.deploy '!touch ~/evil'"), false},
		{"an alias in an included file", "git deploy", both(sh("git config include.path ../inc"), with("inc", "[alias]\n\tdeploy = !true\n")), with("inc", "[alias]\n\tdeploy = !touch ~/evil\n"), false},
		{"an alias in an included file elsewhere", "git deploy", both(with("out:inc", "[alias]\n\tdeploy = !true\n"), sh(`git config include.path "$OUT/inc"`)), with("out:inc", "[alias]\n\tdeploy = !touch ~/evil\n"), false},
		{"an alias of the user", "git deploy", with("~/.gitconfig", "[alias]\n\tdeploy = !true\n"), with("~/.gitconfig", "[alias]\n\tdeploy = !touch ~/evil\n"), false},
		{"settings of the user that were not there", "git commit --allow-empty -m y", some, with("~/.config/git/config", "[core]\n\thooksPath = ~/hooks\n", "~/hooks/pre-commit", "#!/bin/sh\n"+evil), false},
		{"a hook of git", "git commit --allow-empty -m y", some, program(".git/hooks/pre-commit"), false},
		{"a hook in another folder", "git commit --allow-empty -m y", sh("mkdir \"$OUT/hooks\" && git config core.hooksPath \"$OUT/hooks\""), program("out:hooks/pre-commit"), false},
		{"a remote of git", "git push origin HEAD:x", sh(`git init -q --bare "$OUT/a" && git init -q --bare "$OUT/b" && git remote add origin "$OUT/a"`), sh(`git remote set-url origin "$OUT/b"`), false},
		{"a hook of the remote", "git push origin HEAD:x", sh(`git init -q --bare "$OUT/a" && git remote add origin "$OUT/a"`), program("out:a/hooks/pre-receive"), false},
		{"what is staged", "git commit --allow-empty -m y", some, sh("echo 2 > g && git add g && git rm -q --cached f && rm g && git add f"), false},
		{"the branch", "git commit --allow-empty -m y", some, sh("git checkout -q -b other"), false},
		{"where the branch is", "git reset --soft HEAD~0", some, sh("git commit -q --allow-empty -m z"), false},
		{"attributes of the repository", "git archive -o ../a.tar HEAD", some, with(".git/info/attributes", "* filter=x\n"), false},
		{"a program of PATH", "helper", nil, program("bin:helper"), false},
		{"a program of PATH by another file", "helper", nil, func(g *ground) {
			g.file("bin:other", "#!/bin/sh\n"+evil)
			_ = os.Rename(g.path("bin:other"), g.path("bin:helper"))
		}, false},
		{"a program that a script starts", "./deploy.sh", with("deploy.sh", "#!/bin/sh\nhelper\n"), program("bin:helper"), false},
		{"a program in front of another", "./deploy.sh", with("deploy.sh", "#!/bin/sh\nsed -n 1p deploy.sh\n"), program("bin:sed"), false},
		{"a start-up file of the user", "zsh run.zsh", with("run.zsh", "true\n", "~/.zshenv", "true\n"), with("~/.zshenv", evil), false},
		{"settings of npm of the user", "npm run deploy", with("package.json", `{"scripts": {"deploy": "true"}}`), with("~/.npmrc", "script-shell=evil\n"), false},
		{"the context of kubectl", "kubectl apply -f k8s/", with("k8s/a", "true\n", "~/.kube/config", "current-context: test\n"), with("~/.kube/config", "current-context: prod\n"), false},
		{"a module of the user", "python3 run.py", with("run.py", "pass\n", "~/.local/lib/python3.11/site-packages/x.py", ""), with("~/.local/lib/python3.11/site-packages/usercustomize.py", "open('/evil')\n"), false},
		{"modules of the user for the first time", "python3 run.py", with("run.py", "pass\n"), with("~/.local/lib/python3.11/site-packages/usercustomize.py", "open('/evil')\n"), false},
	}
}

// placeWays make another place of the same words.
func placeWays() []way {
	large := strings.Repeat("# a line of a large file\n", 200_000)
	return []way{
		{"a directory's name in the environment", "make clean", with("Makefile", "clean:\n\ttrue $(PWD)/build\n"), func(g *ground) { g.setenv("CURDIR", "/etc") }, false},
		{"a variable of make", "make clean", with("Makefile", "D ?= build\nclean:\n\ttrue $(D)\n"), func(g *ground) { g.setenv("D", "/etc") }, false},
		{"flags of make", "make clean", with("Makefile", "clean:\n\ttrue\n"), func(g *ground) { g.setenv("MAKEFLAGS", "-f evil.mk") }, false},
		{"code in a variable", "python3 run.py", with("run.py", "pass\n"), func(g *ground) { g.setenv("PYTHONPATH", g.out) }, false},
		{"code in a folder that a variable names", "python3 run.py", both(with("run.py", "import aaa\n", "out:aaa.py", "pass\n"), func(g *ground) { g.setenv("PYTHONPATH", g.out) }), with("out:aaa.py", "import os; open(os.environ['HOME'] + '/evil', 'w')\n"), false},
		{"another home", "git deploy", with("~/.gitconfig", "[alias]\n\tdeploy = !true\n"), func(g *ground) { g.setenv("HOME", g.out); g.setenv("TMP_DATA_DIR", g.home+"/.local/share/tmp") }, false},
		{"a large file with its times as they were", "sh big.sh", with("big.sh", large+"true\n"), func(g *ground) {
			st, _ := os.Stat(g.path("big.sh"))
			text := large[:len(large)-25] + "touch ~/evil #0123456789\n" + "true\n"
			g.file("big.sh", text)
			_ = os.Chtimes(g.path("big.sh"), st.ModTime(), st.ModTime())
		}, false},
		{"a file of the same size with its times as they were", "sh a.sh", with("a.sh", "true 12345678901234567\n"), func(g *ground) {
			st, _ := os.Stat(g.path("a.sh"))
			g.file("a.sh", "touch $HOME/evil;123456\n"[:st.Size()])
			_ = os.Chtimes(g.path("a.sh"), st.ModTime(), st.ModTime())
		}, false},
		{"a FIFO in the place of the script", "sh a.sh", with("a.sh", "true\n"), func(g *ground) { fifo(g, "a.sh") }, false},
		{"a FIFO in the place of a sourced script", "sh a.sh", with("a.sh", ". ./b.sh\n", "b.sh", "true\n"), func(g *ground) { fifo(g, "b.sh") }, false},
		{"a folder in the place of its namesake", "kubectl apply -f k8s/", with("k8s/a", "true\n", "other/a", evil), sh("mv k8s old && mv other k8s"), false},
		{"a link in the place of a folder", "kubectl apply -f k8s/", with("k8s/a", "true\n", "out:k/a", evil), sh(`rm -r k8s && ln -s "$OUT/k" k8s`), false},
		{"the working directory by its namesake", "sh a.sh", with("a.sh", "true\n"), func(g *ground) {
			g.sh(`cp -a . "$OUT/copy"`)
			_ = os.Rename(g.dir, g.dir+".old")
			_ = os.Rename(g.out+"/copy", g.dir)
		}, false},
		{"a path back through a link", "sh x/../a.sh", both(with("out:a.sh", "true\n", "out:y/z", "", "a.sh", "true\n"), sh(`ln -s "$OUT/y" x`)), with("out:a.sh", evil), false},
		{"a link that leads elsewhere", "sh l.sh", both(with("a.sh", "true\n", "b.sh", evil), sh("ln -s a.sh l.sh")), sh("ln -sf b.sh l.sh"), false},
		{"what a link out of the project leads to", "sh l.sh", both(with("out:a.sh", "true\n"), sh(`ln -s "$OUT/a.sh" l.sh`)), with("out:a.sh", evil), false},
		{"what a link to a folder leads to", "sh d/a.sh", both(with("out:d/a.sh", ". ./d/b.sh\n", "out:d/b.sh", "true\n"), sh(`ln -s "$OUT/d" d`)), with("out:d/b.sh", evil), false},
		{"a socket in the place of the script", "sh a.sh", with("a.sh", "true\n"), func(g *ground) {
			_ = os.Remove(g.path("a.sh"))
			if l, err := net.Listen("unix", g.path("a.sh")); err == nil {
				g.t.Cleanup(func() { _ = l.Close() })
			}
		}, false},
		{"a device in the place of the script", "sh a.sh", with("a.sh", "true\n"), sh("rm a.sh; ln -s /dev/null a.sh"), false},
		{"permissions", "sh a.sh", with("a.sh", "[ -x b ] && touch ~/evil; true\n", "b", ""), sh("chmod +x b"), false},
		{"a file that is gone", "sh a.sh", with("a.sh", "[ -e b ] || touch ~/evil\n", "b", ""), sh("rm b"), false},
		{"a forged index", "sh a.sh", with("a.sh", "true\n"), sh(`old=$(git rev-parse :a.sh); echo 'touch ~/evil' > a.sh; git update-index --cacheinfo 100644,$old,a.sh; git update-index --assume-unchanged a.sh`), false},
	}
}

// elsewhereWays use files that are not the project's.
func elsewhereWays() []way {
	return []way{
		{"a script elsewhere", "sh ../OUT/a.sh", both(linkOut, with("out:a.sh", "true\n")), with("out:a.sh", evil), false},
		{"a folder of npm elsewhere", "npm --prefix ../OUT run deploy", both(linkOut, with("out:package.json", `{"scripts": {"deploy": "sh d.sh"}}`, "out:d.sh", "true\n")), with("out:d.sh", evil), false},
		{"git in a repository elsewhere", "git -C ../OUT deploy", both(linkOut, sh(`git init -q "$OUT" && git -C "$OUT" config alias.deploy '!true'`)), sh(`git -C "$OUT" config alias.deploy '!touch ~/evil'`), false},
		{"the link to elsewhere", "sh ../OUT/a.sh", both(linkOut, with("out:a.sh", "true\n")), func(g *ground) {
			other := g.t.TempDir()
			_ = os.WriteFile(other+"/a.sh", []byte(evil), 0o644)
			g.out = other
			linkOut(g)
		}, false},
		{"the second of two files elsewhere", "reader ../OUT/a.sh ../OUT/b.sh", both(linkOut, with("out:a.sh", "true\n", "out:b.sh", "true\n")), with("out:b.sh", evil), false},
		{"the interpreter of a script", "./deploy", func(g *ground) {
			g.file("out:int", "#!/bin/sh\ntrue\n")
			g.file("deploy", "#!"+g.out+"/int\n")
		}, func(g *ground) { g.file("out:int", "#!/bin/sh\n"+evil) }, false},
		{"settings that a variable names", "kubectl apply -f k8s/", both(with("k8s/a", "true\n", "out:kube", "context: a\n"), func(g *ground) { g.setenv("KUBECONFIG", g.out+"/kube") }), with("out:kube", "context: b\n"), false},
		{"settings of git that a variable names", "sh a.sh", both(with("a.sh", "true\n", "out:gitrc", "[x]\n"), func(g *ground) { g.setenv("GIT_CONFIG_SYSTEM", g.out+"/gitrc") }), with("out:gitrc", "[alias]\n"), false},
		{"a file that a variable of any name names", "sh a.sh", both(with("a.sh", ". \"$MY_LIB\"\n", "out:lib", "true\n"), func(g *ground) { g.setenv("MY_LIB", g.out+"/lib") }), with("out:lib", evil), false},
		{"a submodule's hook", "sh a.sh", both(with("a.sh", "true\n"), sh("mkdir -p .git/modules/m/hooks && cp .git/HEAD .git/modules/m/HEAD")), func(g *ground) { g.file(".git/modules/m/hooks/post-checkout", "#!/bin/sh\n"+evil) }, false},
		{"a rebase that waits", "git log", with("f", "1\n"), with(".git/rebase-merge/git-rebase-todo", "exec touch ~/evil\n"), false},
		{"a package beside the project", "go vet ./...", both(linkOut, with("out:dep/go.mod", "module dep\n\ngo 1.20\n", "out:dep/d.go", "package dep\n", "go.mod", "module x\n\ngo 1.20\n\nrequire dep v0.0.0\n\nreplace dep => ../OUT/dep\n", "main.go", "package main\n\nimport _ \"dep\"\n\nfunc main() {}\n")), with("out:dep/d.go", "package dep\n\nvar X = 1\n"), false},
		{"a package of npm beside the project", "npm run deploy", both(linkOut, with("out:dep/i.sh", "true\n", "package.json", `{"scripts": {"deploy": "true"}, "dependencies": {"dep": "file:../OUT/dep"}}`)), with("out:dep/i.sh", evil), false},
		{"what a hook starts", "git commit --allow-empty -m y", both(with("out:check", "true\n", "f", "1\n"), func(g *ground) { g.file(".git/hooks/pre-commit", "#!/bin/sh\nsh "+g.out+"/check\n") }), with("out:check", evil), false},
		{"a hook that is a link", "git commit --allow-empty -m y", both(with("out:check", "#!/bin/sh\ntrue\n", "f", "1\n"), sh(`ln -s "$OUT/check" .git/hooks/pre-commit`)), with("out:check", "#!/bin/sh\n"+evil), false},
		{"the hook of a work tree", "git commit --allow-empty -m y", func(g *ground) {
			g.sh(`git commit -q --allow-empty -m x && git worktree add -q "$OUT/t"`)
			g.dir, g.env.Dir = g.out+"/t", g.out+"/t"
		}, func(g *ground) {
			g.sh(`printf '#!/bin/sh\ntouch ~/evil\n' > "$(git rev-parse --git-common-dir)/hooks/pre-commit"; chmod +x "$(git rev-parse --git-common-dir)/hooks/pre-commit"`)
		}, false},
		{"an included Taskfile", "reader ./Taskfile.yml", both(linkOut, with("Taskfile.yml", "# includes:\n#   x:\n: taskfile: ../OUT/x.yml\n. ../OUT/x.yml\n", "out:x.yml", "true\n")), with("out:x.yml", evil), false},
		{"requirements elsewhere", "reader -r ../OUT/req.txt", both(linkOut, with("out:req.txt", "true\n")), with("out:req.txt", evil), false},
		{"a file that is read with @", "reader --data @../OUT/data", both(linkOut, with("out:data", "true\n", "--data", "")), with("out:data", evil), false},
		{"a folder that is mounted", "helper run -v ../OUT/m:/m", both(linkOut, with("out:m/a", "true\n")), with("out:m/a", evil), false},
		{"a line of a shell", "sh -c ../OUT/a.sh", both(linkOut, with("out:a.sh", "#!/bin/sh\ntrue\n")), with("out:a.sh", "#!/bin/sh\n"+evil), false},
		{"an editor of git", "git commit --allow-empty -m y", both(with("out:ed", "true\n", "f", "1\n"), sh(`git config core.editor "$OUT/ed"`)), with("out:ed", evil), false},
		{"a filter of git", "git commit --allow-empty -m y", both(with("out:clean", "cat\n", "f", "1\n"), sh(`git config filter.x.clean "sh $OUT/clean"`)), with("out:clean", evil), false},
		{"settings of one work tree", "git deploy", sh("git config extensions.worktreeConfig true && git config --worktree alias.deploy '!true'"), sh("git config --worktree alias.deploy '!touch ~/evil'"), false},
		{"settings on a condition", "git deploy", both(with("out:inc", "[alias]\n\tdeploy = !true\n"), sh(`git config "includeIf.gitdir:/.path" "$OUT/inc"`)), with("out:inc", "[alias]\n\tdeploy = !touch ~/evil\n"), false},
		{"alternates", "git log", with("f", "1\n"), with(".git/objects/info/alternates", "/srv/other/objects\n"), false},
	}
}

// fineWays change nothing that counts.
func fineWays() []way {
	return []way{
		{"a file that is touched and equal", "sh a.sh", with("a.sh", "true\n"), sh("sleep 0.01; touch a.sh"), true},
		{"a file that is written again and equal", "sh a.sh", with("a.sh", "true\n", "b", "1\n"), sh("cp b c; rm b; mv c b"), true},
		{"a large file that is touched", "sh a.sh", with("a.sh", "true\n", "big", strings.Repeat("x", 5<<20)), sh("touch big"), true},
		{"a file that git has in another form", "sh a.sh", with(".gitattributes", "*.bat eol=crlf\n", "x.bat", "a\r\n", "a.sh", "cat x.bat\n"), sh("sleep 0.1; git status >/dev/null"), true},
		{"a named file that git has in another form", "reader ./x.bat", both(with(".gitattributes", "*.bat eol=crlf\n", "x.bat", "true #\r\n"), sh("sleep 0.1; git add -A; git status > /dev/null")), sh("sleep 0.1; touch x.bat"), true},
		{"git's own records", "sh a.sh", with("a.sh", "true\n"), sh("git update-index --refresh -q; echo x > .git/FETCH_HEAD; git status > /dev/null"), true},
		{"the size of the window", "sh a.sh", with("a.sh", "true\n"), func(g *ground) { g.setenv("COLUMNS", "200"); g.setenv("SHLVL", "4"); g.setenv("OLDPWD", "/") }, true},
		{"what tmp keeps", "sh a.sh", with("a.sh", "true\n"), func(g *ground) {
			if g.env.Dir != "" && os.MkdirAll(g.path(".tmp/runs/x"), 0o755) == nil {
				with(".tmp/runs/x/raw.log", "x", ".tmp/last-resolve.json", "{}", ".tmp/context.json", "{}")(g)
			}
		}, true},
		{"something beside the project", "sh a.sh", with("a.sh", "true\n"), with("out:x", "1"), true},
	}
}

// fifo puts a FIFO in the place of a file, that somebody writes to.
func fifo(g *ground, name string) {
	_ = os.Remove(g.path(name))
	if err := unix.Mkfifo(g.path(name), 0o644); err != nil {
		g.t.Fatal(err)
	}
	go func() {
		for range 100 {
			f, err := os.OpenFile(g.path(name), os.O_WRONLY|unix.O_NONBLOCK, 0)
			if err == nil {
				_, _ = f.WriteString(evil)
				_ = f.Close()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
}
