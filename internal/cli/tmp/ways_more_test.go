package tmp

import (
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// More ways around an approval, by what is named in a roundabout way.

func TestMoreWaysAroundAnApproval(t *testing.T) {
	for _, list := range [][]way{environmentWays(), wrapperWays(), gitWays(), includeWays(), packageWays(), moreFineWays()} {
		for _, w := range list {
			t.Run(w.name, func(t *testing.T) { t.Parallel(); w.try(t) })
		}
	}
}

// named writes a file with a text in which OUT is the folder elsewhere.
func named(file, text string) func(*ground) {
	return func(g *ground) { g.file(file, strings.ReplaceAll(text, "OUT", g.out)) }
}

func setenv(name, value string) func(*ground) {
	return func(g *ground) { g.setenv(name, strings.ReplaceAll(value, "OUT", g.out)) }
}

// environmentWays change what variables say or name.
func environmentWays() []way {
	script := with("a.sh", "helper\n", "out:helper", "#!/bin/sh\ntrue\n", "out:evil/helper", "#!/bin/sh\n"+evil)
	return []way{
		{"the order of PATH", "sh a.sh", script, func(g *ground) { g.setenv("PATH", g.out+"/evil:"+g.env.Getenv("PATH")) }, false},
		{"an empty part of PATH", "sh a.sh", script, func(g *ground) { g.setenv("PATH", ":"+g.env.Getenv("PATH")) }, false},
		{"a relative part of PATH", "sh a.sh", both(with("b/x", ""), script, func(g *ground) { g.setenv("PATH", "b:"+g.env.Getenv("PATH")) }), with("b/helper", "#!/bin/sh\n"+evil), false},
		{"a folder of PATH that was not there", "sh a.sh", both(script, func(g *ground) { g.setenv("PATH", g.out+"/none:"+g.env.Getenv("PATH")) }), with("out:none/helper", "#!/bin/sh\n"+evil), false},
		{"the repository of git", "git log", both(with("f", "1\n"), sh(`git init -q "$OUT/r"`)), setenv("GIT_DIR", "OUT/r/.git"), false},
		{"the work tree of git", "git status", with("f", "1\n"), setenv("GIT_WORK_TREE", "OUT"), false},
		{"the pager of git", "git log", with("f", "1\n"), setenv("GIT_PAGER", "OUT/p"), false},
		{"objects of another repository", "git log", with("f", "1\n"), setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", "OUT/o"), false},
		{"a file that options of node name", "sh a.sh", both(script, named("out:x.js", "1\n"), setenv("NODE_OPTIONS", "--require OUT/x.js")), with("out:x.js", "2\n"), false},
		{"options of node", "sh a.sh", script, setenv("NODE_OPTIONS", "--require OUT/x.js"), false},
		{"the user's base of python", "python3 a.py", both(with("a.py", "pass\n", "out:base/x", ""), setenv("PYTHONUSERBASE", "OUT/base")), with("out:base/lib/python3/site-packages/sitecustomize.py", "1\n"), false},
		{"the settings of npm in a variable", "npm run deploy", both(with("package.json", `{"scripts": {"deploy": "true"}}`, "out:npmrc", "a=b\n"), setenv("npm_config_userconfig", "OUT/npmrc")), with("out:npmrc", "script-shell=evil\n"), false},
		{"the settings of npm in the environment", "npm run deploy", with("package.json", `{"scripts": {"deploy": "true"}}`), setenv("npm_config_script_shell", "OUT/sh"), false},
		{"the folder of settings", "git log", with("f", "1\n"), setenv("XDG_CONFIG_HOME", "OUT"), false},
		{"a folder of temporary files", "sh a.sh", script, setenv("TMPDIR", "OUT"), false},
	}
}

// wrapperWays replace what stands behind a program's name.
func wrapperWays() []way {
	return []way{
		{"the end of a chain of links", "tool", both(with("out:v1", "#!/bin/sh\ntrue\n"), sh(`ln -s v1 "$OUT/b" && ln -s "$OUT/b" "$OUT/a" && ln -s "$OUT/a" "$BIN/tool"`)), with("out:v1", "#!/bin/sh\n"+evil), false},
		{"a link in the chain", "tool", both(with("out:v1", "#!/bin/sh\ntrue\n", "out:v2", "#!/bin/sh\n"+evil), sh(`ln -s v1 "$OUT/b" && ln -s "$OUT/b" "$BIN/tool"`)), sh(`ln -sfn v2 "$OUT/b"`), false},
		{"what a wrapper starts", "tool", both(with("out:real", "#!/bin/sh\ntrue\n"), named("bin:tool", "#!/bin/sh\nexec OUT/real \"$@\"\n")), with("out:real", "#!/bin/sh\n"+evil), false},
		{"what a wrapper of a wrapper starts", "tool", both(with("out:real", "#!/bin/sh\ntrue\n"), named("out:mid", "#!/bin/sh\nexec OUT/real\n"), named("bin:tool", "#!/bin/sh\nexec OUT/mid\n")), with("out:real", "#!/bin/sh\n"+evil), false},
		{"what a wrapper that a script starts starts", "sh a.sh", both(with("a.sh", "wrapped --x\n", "out:real", "#!/bin/sh\ntrue\n"), named("bin:wrapped", "#!/bin/sh\nexec OUT/real\n")), with("out:real", "#!/bin/sh\n"+evil), false},
		{"the version that a shim reads", "tool", both(with("out:version", "1\n", "out:v1/tool", "#!/bin/sh\ntrue\n", "out:v2/tool", "#!/bin/sh\n"+evil), named("bin:tool", "#!/bin/sh\nexec \"OUT/v$(cat OUT/version)/tool\"\n")), with("out:version", "2\n"), false},
		{"what a program in a virtual environment is", ".venv/bin/tool", both(with("out:py", "#!/bin/sh\ntrue\n"), sh(`mkdir -p .venv/bin && ln -s "$OUT/py" .venv/bin/tool`)), with("out:py", "#!/bin/sh\n"+evil), false},
		{"a script of a virtual environment by its interpreter", ".venv/bin/tool", both(with("out:py", "#!/bin/sh\ntrue\n"), sh(`mkdir -p .venv/bin && ln -s "$OUT/py" .venv/bin/python`), func(g *ground) { g.file(".venv/bin/tool", "#!"+g.dir+"/.venv/bin/python\n") }), with("out:py", "#!/bin/sh\n"+evil), false},
		{"a program of npm", "sh node_modules/.bin/tool", both(with("node_modules/tool/cli.sh", "true\n"), sh("mkdir -p node_modules/.bin && ln -s ../tool/cli.sh node_modules/.bin/tool")), with("node_modules/tool/cli.sh", evil), false},
		{"a package that is linked", "sh node_modules/tool/cli.sh", both(with("out:tool/cli.sh", ". ./node_modules/tool/lib.sh\n", "out:tool/lib.sh", "true\n"), sh(`mkdir node_modules && ln -s "$OUT/tool" node_modules/tool`)), with("out:tool/lib.sh", evil), false},
		{"a folder that is moved and linked", "sh lib/a.sh", both(with("lib/a.sh", "true\n", "out:lib/a.sh", evil)), sh(`mv lib "$OUT/old" && ln -s "$OUT/lib" lib`), false},
		{"a file that is mounted over another", "sh a.sh", with("a.sh", "true\n", "out:a.sh", evil), mount("a.sh", "out:a.sh"), false},
		{"a folder that is mounted over another", "sh lib/a.sh", with("lib/a.sh", "true\n", "out:lib/a.sh", evil), mount("lib", "out:lib"), false},
		{"what is mounted over the working directory", "sh a.sh", with("a.sh", "true\n", "out:p/a.sh", "true\n"), mount(".", "out:p"), false},
	}
}

// mount mounts a file or folder over another.
func mount(over, what string) func(*ground) {
	return func(g *ground) {
		if err := unix.Mount(g.path(what), g.path(over), "", unix.MS_BIND, ""); err != nil {
			g.t.Skip(err)
		}
		g.t.Cleanup(func() { _ = unix.Unmount(g.path(over), unix.MNT_DETACH) })
	}
}

// gitWays change what git does.
func gitWays() []way {
	some := with("f", "1\n")
	user := func(text string) func(*ground) { return both(some, named("~/.gitconfig", text)) }
	return []way{
		{"what the user's settings include", "git deploy", both(user("[include]\n\tpath = x.inc\n"), with("~/x.inc", "[alias]\n\tdeploy = !true\n")), with("~/x.inc", "[alias]\n\tdeploy = !touch ~/evil\n"), false},
		{"what that includes", "git deploy", both(user("[include]\n\tpath = x.inc\n"), with("~/x.inc", "[include]\n\tpath = ~/y.inc\n", "~/y.inc", "[alias]\n\tdeploy = !true\n")), with("~/y.inc", "[alias]\n\tdeploy = !touch ~/evil\n"), false},
		{"what is included on a branch", "git deploy", both(user("[includeIf \"onbranch:**\"]\n\tpath = OUT/i\n"), with("out:i", "[alias]\n\tdeploy = !true\n")), with("out:i", "[alias]\n\tdeploy = !touch ~/evil\n"), false},
		{"an included file that was not there", "git log", user("[includeIf \"gitdir:/\"]\n\tpath = OUT/i\n"), with("out:i", "[core]\n\tpager = evil\n"), false},
		{"a script that an alias starts", "git deploy", both(user("[alias]\n\tdeploy = !sh OUT/s\n"), with("out:s", "true\n")), with("out:s", evil), false},
		{"the monitor of git", "git status", both(user("[core]\n\tfsmonitor = OUT/m\n"), with("out:m", "#!/bin/sh\ntrue\n")), with("out:m", "#!/bin/sh\n"+evil), false},
		{"the user's attributes", "git add f", both(user("[core]\n\tattributesFile = OUT/at\n"), with("out:at", "\n")), with("out:at", "* filter=x\n"), false},
		{"the differ of git", "git diff HEAD", both(user("[diff]\n\texternal = OUT/d\n"), with("out:d", "#!/bin/sh\ntrue\n")), with("out:d", "#!/bin/sh\n"+evil), false},
		{"a helper of credentials", "git log", both(user("[credential]\n\thelper = \"!OUT/c\"\n"), with("out:c", "#!/bin/sh\n")), with("out:c", "#!/bin/sh\n"+evil), false},
		{"attributes of a folder", "git add sub/f", with("sub/f", "1\n"), with("sub/.gitattributes", "* filter=x\n"), false},
		{"a commit that stands for another", "git log", both(some, sh("git add f && git commit -q -m z")), sh("mkdir -p .git/refs/replace && cp .git/refs/heads/* .git/refs/replace/$(git rev-parse HEAD)"), false},
		{"grafts", "git log", some, with(".git/info/grafts", "0000000000000000000000000000000000000000\n"), false},
		{"packed refs", "git log", both(some, sh("git commit -q --allow-empty -m z && git pack-refs --all")), sh("echo '# x' >> .git/packed-refs"), false},
		{"a merge that waits", "git commit --allow-empty -m y", some, sh("git rev-parse HEAD > .git/MERGE_HEAD"), false},
		{"a cherry-pick that waits", "git log", some, with(".git/sequencer/todo", "pick 0\n"), false},
		{"settings of a submodule", "git status", both(some, sh("git init -q sub && git -C sub commit -q --allow-empty -m s")), sh("git -C sub config core.fsmonitor 'touch ~/evil'"), false},
		{"where a submodule is", "git status", both(some, sh("git init -q sub && git -C sub commit -q --allow-empty -m s")), sh("git -C sub commit -q --allow-empty -m t"), false},
		{"the repository of a work tree", "git deploy", func(g *ground) {
			g.sh(`git config alias.deploy '!true'; git commit -q --allow-empty -m x && git worktree add -q "$OUT/t"; git init -q "$OUT/e"; git -C "$OUT/e" config alias.deploy '!touch ~/evil'`)
			g.dir, g.env.Dir = g.out+"/t", g.out+"/t"
		}, named(".git", "gitdir: OUT/e/.git\n"), false},
		{"a hook in a relative folder", "git commit --allow-empty -m y", both(some, sh("git config core.hooksPath .hooks && mkdir .hooks && touch .hooks/x")), with(".hooks/pre-commit", "#!/bin/sh\n"+evil), false},
		{"what a hook of husky takes in", "git commit --allow-empty -m y", both(some, with("out:h.sh", "true\n", ".husky/_/h", ""), sh("git config core.hooksPath .husky"), named(".husky/pre-commit", "#!/bin/sh\n. OUT/h.sh\n")), with("out:h.sh", evil), false},
		{"where objects are borrowed from", "git log", both(some, sh(`git init -q "$OUT/o" && mkdir -p .git/objects/info && echo "$OUT/o/.git/objects" > .git/objects/info/alternates`)), sh("rm .git/objects/info/alternates"), false},
	}
}

// includeWays change what a text takes in from elsewhere.
func includeWays() []way {
	text := func(line, file, body, other string) func(*ground) {
		return both(linkOut, with(file, other), with(strings.Fields(line)[0], body))
	}
	makes := func(body string) func(*ground) {
		return both(linkOut, with("out:r.mk", "x:\n\ttrue\n", "Makefile", body))
	}
	bad := with("out:r.mk", "x:\n\t"+evil)
	return []way{
		{"makefiles by a pattern", "make x", makes("include ../OUT/*.mk\n"), bad, false},
		{"a new makefile by a pattern", "make -n x", makes("include ../OUT/*.mk\n"), with("out:s.mk", "x: y\ny:\n\t"+evil), false},
		{"a makefile that need not be", "make x", both(linkOut, with("Makefile", "x:\n\ttrue\n-include ../OUT/n.mk\n")), with("out:n.mk", "x: y\ny:\n\t"+evil), false},
		{"a makefile in home", "make x", both(with("~/r.mk", "x:\n\ttrue\n", "Makefile", "include $(HOME)/r.mk\n")), with("~/r.mk", "x:\n\t"+evil), false},
		{"make in make", "make x", makes("x:\n\t$(MAKE) -f ../OUT/r.mk x\n"), bad, false},
		{"a recipe in a folder elsewhere", "make x", both(linkOut, with("out:t.sh", "true\n", "Makefile", "x:\n\tcd ../OUT && sh ./t.sh\n")), with("out:t.sh", evil), false},
		{"the shell of make", "make x", both(linkOut, with("out:shell", "#!/bin/sh\ntrue\n", "Makefile", "SHELL = ../OUT/shell\nx:\n\ttrue\n")), with("out:shell", "#!/bin/sh\n"+evil), false},
		{"a path that a makefile sets", "make x", both(linkOut, with("out:b/tool2", "#!/bin/sh\ntrue\n", "Makefile", "export PATH := ../OUT/b:$(PATH)\nx:\n\ttool2\n")), with("out:b/tool2", "#!/bin/sh\n"+evil), false},
		{"a script that enters a folder", "sh a.sh", text("a.sh", "out:b.sh", "cd ../OUT\n. ./b.sh\n", "true\n"), with("out:b.sh", evil), false},
		{"scripts by a pattern", "sh a.sh", text("a.sh", "out:b.sh", "for f in ../OUT/*.sh; do . \"$f\"; done\n", "true\n"), with("out:b.sh", evil), false},
		{"a new script by a pattern", "sh a.sh", text("a.sh", "out:b.sh", "for f in ../OUT/*.sh; do . \"$f\"; done\n", "true\n"), with("out:c.sh", evil), false},
		{"text that is fed to a shell", "sh a.sh", text("a.sh", "out:list", "cat ../OUT/list | sh\n", "true\n"), with("out:list", evil), false},
		{"text that is evaluated", "sh a.sh", text("a.sh", "out:list", "eval \"$(cat ../OUT/list)\"\n", "true\n"), with("out:list", evil), false},
		{"a line of a shell with a folder", "sh -c 'cd ../OUT && . ./b.sh'", both(linkOut, with("out:b.sh", "true\n")), with("out:b.sh", evil), false},
		{"a variable of a script with a path", "sh a.sh", text("a.sh", "out:b", "LIB=../OUT/b\n. \"$LIB\"\n", "true\n"), with("out:b", evil), false},
		{"a folder that a program of python searches", "python3 a.py", both(linkOut, with("a.py", "import sys\nsys.path.insert(0, '../OUT/lib')\nimport abc1\n", "out:lib/abc1.py", "pass\n")), with("out:lib/abc1.py", "import os; open(os.environ['HOME'] + '/evil', 'w')\n"), false},
		{"a file of python that names folders", "python3 a.py", both(with("a.py", "pass\n", "out:lib/m.py", "1\n"), named("~/.local/lib/python3.11/site-packages/x.pth", "OUT/lib\n")), with("out:lib/m.py", "2\n"), false},
		{"one of a virtual environment", "sh a.sh", both(with("a.sh", "true\n", "out:lib/m.py", "1\n"), named(".venv/lib/python3/site-packages/x.pth", "OUT/lib\n")), with("out:lib/m.py", "2\n"), false},
		{"a file of settings of ssh", "sh a.sh", both(with("a.sh", "true\n", "~/.ssh/more", "Host a\n"), with("~/.ssh/config", "Include ~/.ssh/more\n")), with("~/.ssh/more", "ProxyCommand evil\n"), false},
	}
}

// packageWays change packages beside the project and what they are made with.
func packageWays() []way {
	return []way{
		{"a folder of a workspace", "npm run deploy", both(linkOut, with("package.json", `{"workspaces": ["../OUT/w"], "scripts": {"deploy": "true"}}`, "out:w/package.json", "{}")), with("out:w/package.json", `{"scripts": {"postinstall": "evil"}}`), false},
		{"folders of a workspace by a pattern", "npm run deploy", both(linkOut, with("package.json", `{"workspaces": ["../OUT/*"], "scripts": {"deploy": "true"}}`, "out:w/package.json", "{}")), with("out:w/package.json", `{"scripts": {"postinstall": "evil"}}`), false},
		{"a lockfile", "npm run deploy", with("package.json", `{"scripts": {"deploy": "true"}}`, "package-lock.json", "{}"), with("package-lock.json", `{"a": 1}`), false},
		{"a script of package.json elsewhere", "npm run deploy", both(linkOut, with("package.json", `{"scripts": {"deploy": "sh ../OUT/d"}}`, "out:d", "true\n")), with("out:d", evil), false},
		{"a script of package.json in a folder", "npm run deploy", both(linkOut, with("package.json", `{"scripts": {"deploy": "cd ../OUT && sh d.sh"}}`, "out:d.sh", "true\n")), with("out:d.sh", evil), false},
		{"a module without its end", "reader ./a.sh", both(linkOut, with("a.sh", ": require '../OUT/m'\n", "out:m.js", "1\n")), with("out:m.js", "2\n"), false},
		{"a module of a folder", "reader ./a.sh", both(linkOut, with("a.sh", ": import x from '../OUT/m'\n", "out:m/index.js", "1\n")), with("out:m/index.js", "2\n"), false},
		{"settings that extend others", "npm run deploy", both(linkOut, with("package.json", `{"scripts": {"deploy": "true"}}`, "tsconfig.json", `{"extends": "../OUT/base"}`, "out:base.json", "{}")), with("out:base.json", `{"x": 1}`), false},
		{"an editable requirement", "reader ./r.txt", both(linkOut, with("r.txt", ": -e ../OUT/p\n", "out:p/setup.py", "1\n")), with("out:p/setup.py", "2\n"), false},
		{"a module of terraform", "terraform apply", both(linkOut, with("main.tf", "true\n", "m.tf", "module \"m\" { source = \"../OUT/m\" }\n", "out:m/x.tf", "1\n")), with("out:m/x.tf", "2\n"), false},
		{"a file of compose", "sh a.sh", both(linkOut, with("a.sh", "true\n", "compose.yaml", "env_file: ../OUT/e\n", "out:e", "A=1\n")), with("out:e", "A=2\n"), false},
		{"the shell of npm", "npm run deploy", both(with("package.json", `{"scripts": {"deploy": "true"}}`, "out:shell", "1\n"), named("~/.npmrc", "script-shell=OUT/shell\n")), with("out:shell", "2\n"), false},
		{"the compiler of cargo", "sh a.sh", both(with("a.sh", "true\n", "out:w", "1\n"), named("~/.cargo/config.toml", "[build]\nrustc-wrapper = \"OUT/w\"\n")), with("out:w", "2\n"), false},
	}
}

// moreFineWays void nothing.
func moreFineWays() []way {
	old := time.Now().Add(-time.Hour)
	return []way{
		{"what a script writes to", "sh a.sh", both(linkOut, with("a.sh", "echo x >> ../OUT/log\n", "out:log", "")), with("out:log", "y\n"), true},
		{"a folder that a script searches and that is the system's", "sh a.sh", with("a.sh", "PATH=/usr/local/bin:/usr/bin:/bin\ntrue\n"), with("out:x", "1\n"), true},
		{"times that are put back", "sh a.sh", with("a.sh", "true\n"), func(g *ground) { _ = os.Chtimes(g.path("a.sh"), old, old) }, true},
	}
}
