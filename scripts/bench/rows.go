package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// tabCommand is what a hook starts on a Tab at the end of the line.
func (p *programs) tabCommand(line, dir, want string, more ...string) command {
	argv := append([]string{p.tab, "--shell", "bash", "--point", strconv.Itoa(len(line)), "--cwd", dir}, more...)
	return command{
		name: "tmp-tab " + strconv.Quote(line), argv: argv, dir: dir, env: p.hookEnv(), stdin: line + "\x00", want: want,
	}
}

// floorRows show what a process costs on this machine before it does anything.
func (p *programs) floorRows() []row {
	r := row{name: "floor", goal: "none: the yardsticks", subject: p.emptyGo}
	if p.emptyC.argv != nil {
		r.beside = append(r.beside, p.emptyC)
	}
	return []row{r}
}

// tabRows are the rows of completion.
func (p *programs) tabRows(f *fixtures) []row {
	project := f.project("project")
	rows := []row{{
		name: "static flags: git commit --", goal: "≤ 1.4 × go+os",
		subject: p.tabCommand("git commit --", project, "amend"),
	}}
	for _, c := range []struct {
		n    int
		goal string
	}{{10, "≤ 1.6"}, {1000, "≤ 1.6"}, {20000, "≤ 1.8, not slower than for-each-ref"}, {100000, "≤ 2.0, not slower than for-each-ref"}} {
		dir := f.repo(c.n, false)
		rows = append(rows, row{
			name: fmt.Sprintf("git checkout feature/, %d branches packed", c.n), goal: c.goal + " × go+os",
			subject: p.tabCommand("git checkout feature/", dir, "000001-some-change"),
			beside:  []command{p.forEachRef(dir, "refs/heads/feature/", 200)},
		})
	}
	big := f.repo(100000, false)
	rows = append(rows, row{
		name: "git checkout, 100000 branches, no prefix", goal: "≤ 1/20 of for-each-ref",
		subject: p.tabCommand("git checkout ", big, "some-change"),
		beside:  []command{p.forEachRef(big, "refs/heads/", 0)},
	}, row{
		name: "every one of 100000 branches", goal: "≤ 30 ms, ≤ 16 MB",
		subject: p.tabCommand("git checkout ", big, "release/024999-some-change", "--limit", "0"),
		beside:  []command{p.forEachRef(big, "refs/heads/", 0)},
	}, row{
		name: "git checkout feature/, 5000 branches loose", goal: "none given",
		subject: p.tabCommand("git checkout feature/", f.repo(5000, true), "000001-some-change"),
		beside:  []command{p.forEachRef(f.repo(5000, true), "refs/heads/feature/", 200)},
	})
	for _, c := range []struct{ line, want string }{
		{"npm run ", "build"},
		{"cargo run --bin ", "server"},
		{"make ", "test"},
		{"go test -run ", "TestParse"},
	} {
		rows = append(rows, row{
			name: c.line, goal: "≤ 1.8 × go+os",
			subject: p.tabCommand(c.line, project, c.want),
		})
	}
	enter := func(name, dir, line string) row {
		return row{
			name: name, goal: "≤ 1.8 × go+os",
			subject: command{name: "tmp-enter", argv: []string{p.enter, "--shell", "bash"}, dir: dir, env: p.hookEnv(), stdin: line + "\x00"},
		}
	}
	return append(rows,
		enter("tmp-enter on a typical line", project, "git add -A && git commit -m 'fix the parser' | tee log.txt"),
		enter("tmp-enter on git status in a repository", f.repo(10, false), "git status"))
}

// runRows are what running through tmp costs over the program itself.
func (p *programs) runRows(f *fixtures) []row {
	dir := f.repo(10, false)
	over := func(goal string, plain []string, args ...string) row {
		name := "tmp " + strings.Join(args, " ")
		return row{
			name: "run: " + name, goal: goal,
			subject: command{name: name, argv: append([]string{p.tmp}, args...), dir: dir, env: p.env()},
			beside:  []command{{name: strings.Join(plain, " "), argv: plain, dir: dir}},
		}
	}
	return []row{
		over("≤ 8 ms over true", []string{"true"}, "run", "--", "true"),
		over("≤ 8 ms over git", []string{"git", "status", "--short", "--branch"}, "run", "git status"),
	}
}

// askedRows are what a question costs in a large project, and that a plan which asks
// nobody pays nothing of it.
func (p *programs) askedRows(f *fixtures) []row {
	large, small := f.files(100_000), f.files(10)
	in := func(name, dir string, words ...string) command {
		return command{name: name, argv: append([]string{p.tmp, "run", "--dry-run", "--json", "--"}, words...), dir: dir, env: p.env()}
	}
	asked := in("tmp run, asked, 100000 files", large, "chmod", "777", "d0/f0")
	asked.want = `"decision": "ask"`
	return []row{
		{
			name: "asked: 100000 files", goal: "≤ 250 ms, ≤ 1.2 × git status",
			subject: asked,
			beside: []command{
				{name: "git status", argv: []string{"git", "status", "--short"}, dir: large},
				{name: "find, a stat of each file", argv: []string{"find", ".", "-size", "+1000000"}, dir: large},
			},
		},
		{
			name: "asked: nobody", goal: "the same in both",
			subject: in("tmp run, not asked, 100000 files", large, "true"),
			beside:  []command{in("tmp run, not asked, 10 files", small, "true")},
		},
	}
}

func (p *programs) forEachRef(dir, under string, count int) command {
	argv := []string{"git", "for-each-ref", "--format=%(refname:strip=2)"}
	if count > 0 {
		argv = append(argv, "--count="+strconv.Itoa(count))
	}
	return command{name: "git for-each-ref " + under, argv: append(argv, under), dir: dir}
}

// peerRows run the other completion engines on the same question, each as a
// whole process with nothing else loaded.
func (p *programs) peerRows(f *fixtures) []row {
	var rows []row
	for _, n := range []int{10, 1000, 20000} {
		dir := f.repo(n, false)
		r := row{
			name: fmt.Sprintf("peers: git checkout <TAB>, %d branches", n), goal: "10 × less CPU than each from 1000 up",
			subject: p.tabCommand("git checkout ", dir, "some-change"),
		}
		if c, ok := p.bashCompletion(dir); ok {
			r.beside = append(r.beside, c)
		}
		if p.fish != "" {
			r.beside = append(r.beside, command{
				name: "fish complete -C", argv: []string{p.fish, "-c", "complete -C 'git checkout '"}, dir: dir, env: p.env(), want: "some-change",
			})
		}
		if p.zsh != "" && n <= 1000 { // compsys takes seconds beyond
			r.beside = append(r.beside, p.zshCompsys(dir))
		}
		if p.carapace != "" {
			r.beside = append(r.beside, command{
				name: "carapace", argv: []string{p.carapace, "git", "export", "git", "checkout", ""}, dir: dir, env: p.env(),
			})
		}
		rows = append(rows, r)
	}
	return append(rows, p.startRows(f)...)
}

// bashCompletion calls git's own completion function as bash would.
func (p *programs) bashCompletion(dir string) (command, bool) {
	const script = "/usr/share/bash-completion/completions/git"
	if _, err := os.Stat(script); err != nil || p.bash == "" {
		return command{}, false
	}
	text := `. /usr/share/bash-completion/bash_completion; . ` + script + `
COMP_LINE='git checkout ' COMP_POINT=13 COMP_WORDS=(git checkout '') COMP_CWORD=2
__git_wrap__git_main 2>/dev/null; printf '%s\n' "${COMPREPLY[@]}"`
	return command{name: "bash-completion", argv: []string{p.bash, "--norc", "-c", text}, dir: dir, env: p.env(), want: "some-change"}, true
}

// zshCompsys asks compsys through a pseudo-terminal of zsh's own.
func (p *programs) zshCompsys(dir string) command {
	text := `zmodload zsh/zpty; zpty z ` + p.zsh + ` -f -i
zpty -w z "PS1=; autoload -U compinit; compinit -u -d ` + filepath.Join(p.home, "zcompdump") + `; comppostfuncs=(f); f(){ compstate[insert]=; compstate[list]=; print -r DONE\$compstate[nmatches]; }; bindkey '^I' complete-word; LISTMAX=0; print READY"
zpty -r z x '*READY*READY*' ; zpty -w -n z $'git checkout \t'; zpty -r z y '*DONE*' ; zpty -d z`
	return command{name: "zsh compsys (CPU without its pty)", argv: []string{p.zsh, "-f", "-c", text}, dir: dir, env: p.env()}
}

// startRows measure what the hook adds to the start of an interactive shell.
func (p *programs) startRows(f *fixtures) []row {
	var rows []row
	dir := f.project("project")
	for _, s := range []struct {
		shell string
		argv  func(rc string) []string
	}{
		{"bash", func(rc string) []string { return []string{p.bash, "--norc", "--noprofile", "-i", "-c", rc + ":"} }},
		{"zsh", func(rc string) []string { return []string{p.zsh, "-f", "-i", "-c", rc + ":"} }},
		{"fish", func(rc string) []string { return []string{p.fish, "--no-config", "-i", "-c", rc + "true"} }},
	} {
		if path := map[string]string{"bash": p.bash, "zsh": p.zsh, "fish": p.fish}[s.shell]; path == "" {
			continue
		}
		rows = append(rows, row{
			name: "start of " + s.shell + " with the hook", goal: "≤ 1.5 ms over the shell without it",
			subject: command{name: s.shell + " with hook", argv: s.argv(". " + p.hook(s.shell) + "; "), dir: dir, env: p.env()},
			beside:  []command{{name: s.shell + " alone", argv: s.argv(""), dir: dir, env: p.env()}},
		})
	}
	return rows
}
