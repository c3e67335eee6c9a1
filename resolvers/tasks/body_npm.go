package tasks

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/npm"
)

// npmValued are options of npm, pnpm, yarn and bun that take the next word.
var npmValued = []string{
	"--prefix", "-C", "--cwd", "--dir", "-w", "--workspace", "--filter", "-F", "--loglevel", "--script-shell", "--userconfig", "--globalconfig",
	"--cache", "--registry", "--workspace-concurrency", "--reporter", "--mutex", "--tag", "--otp", "--access", "--omit", "--include",
	"--env-file", "--config", "--jobs", "-j", "--exclude", "--from", "--since",
}

// npm finds the scripts of package.json that npm, pnpm, yarn or bun runs.
func (c *call) npm() {
	list, dash := operands(c.words, npmValued...)
	if len(list) > 1 && c.tool == "yarn" && list[0].text == "workspace" {
		list = list[2:] // npm.Nearest knows which one
	}
	many := resolvers.Has(c.words, "-r", "--recursive", "--workspaces", "-ws", "-Ar", "-A", "--all")
	if len(list) > 0 && list[0].text == "workspaces" {
		if list = list[1:]; len(list) > 0 && list[0].text == "foreach" {
			list = list[1:]
		}
		many = true
	}
	verb := ""
	if len(list) > 0 {
		verb = list[0].text
	}
	names, last := c.npmNames(verb, list)
	if len(names) == 0 {
		return
	}
	behind := ""
	if last >= 0 && c.tool == "npm" {
		var args []string
		for _, o := range list {
			if o.at > last {
				args = append(args, o.text)
			}
		}
		if dash < len(c.words) {
			args = append(args, c.words[dash+1:]...)
		}
		behind = quoted(args)
	} else if last >= 0 {
		args := c.words[last+1:]
		if len(args) > 0 && args[0] == "--" {
			args = args[1:]
		}
		behind = quoted(args)
	}
	for _, f := range c.packages(many) {
		c.scripts(f, names, behind, last >= 0)
	}
}

// npmNames returns the scripts that a command of npm or its like runs, and the
// index of the word that names one; -1 where the command itself does.
func (c *call) npmNames(verb string, list []operand) (names []string, at int) {
	quiet := resolvers.Has(c.words, "--ignore-scripts")
	switch verb {
	case "run", "run-script", "rum", "urn":
		if len(list) > 1 {
			return []string{list[1].text}, list[1].at
		}
	case "test", "tst", "t":
		if c.tool != "bun" { // which has tests of its own
			return []string{"test"}, list[0].at
		}
	case "start", "stop":
		return []string{verb}, list[0].at
	case "restart":
		return []string{"restart", "stop", "start"}, list[0].at
	case "", "install", "i", "in", "ins", "add", "ci", "clean-install", "ic", "install-test", "it", "rebuild", "update", "up", "upgrade":
		if quiet || verb == "" && c.tool != "yarn" || resolvers.Has(c.words, "-g", "--global") {
			return nil, -1
		}
		return []string{"preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"}, -1
	case "publish", "pack":
		if quiet {
			return nil, -1
		}
		return []string{"prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"}, -1
	case "version":
		if quiet {
			return nil, -1
		}
		return []string{"preversion", "version", "postversion"}, -1
	case "exec", "x", "dlx", "create", "init", "config", "cache", "remove", "rm", "uninstall", "link", "why", "list", "ls", "info", "view":
	default:
		if c.tool != "npm" {
			return []string{verb}, list[0].at
		}
	}
	return nil, -1
}

// packages are the package.json files that the words mean: one, or those of all
// workspaces.
func (c *call) packages(many bool) []*File {
	col := resolvers.NewCollector(c.ctx, c.request())
	p, err := npm.Nearest(col, c.request())
	if err != nil {
		return nil
	}
	paths := []string{p.Path}
	if many {
		if _, members, err := npm.Members(col, filepath.Dir(p.Path)); err == nil {
			for _, m := range members[:min(len(members), maxTaskCalls)] {
				paths = append(paths, m.Path)
			}
		}
	}
	var out []*File
	for _, path := range paths {
		if f := c.plain(path); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// scripts adds scripts of one package.json; behind are the words that the last
// of them gets. Around a script that is named stand its pre and post.
func (c *call) scripts(f *File, names []string, behind string, named bool) {
	dir := filepath.Dir(f.Path)
	if named && resolvers.Has(c.words, "--ignore-scripts") {
		for _, name := range names {
			if t := f.task(name); t != nil {
				c.add(f, t, dir, "", behind)
			}
		}
		return
	}
	if behind == "" {
		c.run(f, dir, names, nil)
		return
	}
	for _, name := range names {
		t := f.task(name)
		if t == nil {
			continue
		}
		c.run(f, dir, slices.DeleteFunc(slices.Clone(t.Calls), func(n string) bool { return n == name }), nil)
		c.add(f, t, dir, "", behind)
	}
}

// node finds the script of package.json that node --run runs: without its pre and
// post, and with the words behind "--".
func (c *call) node() {
	words, behind, name := c.words, "", ""
	if i := slices.Index(words, "--"); i >= 0 {
		words, behind = words[:i], quoted(words[i+1:])
	}
	for i, w := range words {
		value, ok := strings.CutPrefix(w, "--run=")
		if w == "--run" && i+1 < len(words) {
			value, ok = words[i+1], true
		}
		if ok {
			name = value
			break
		}
	}
	c.words = words[:1] // the others do not say which package is meant
	for _, f := range c.packages(false) {
		if t := f.task(name); t != nil {
			c.add(f, t, filepath.Dir(f.Path), "", behind)
		}
	}
}

// matching returns the scripts whose names match a pattern of npm-run-all: "*"
// passes no ":", "**" does.
func (f *File) matching(pattern string) []string {
	if !strings.Contains(pattern, "*") {
		return []string{pattern}
	}
	lead, _, _ := strings.Cut(pattern, "*")
	var out []string
	for i := range f.Tasks {
		if name := f.Tasks[i].Name; strings.HasPrefix(name, lead) && (strings.Contains(pattern, "**") || !strings.Contains(name[len(lead):], ":")) {
			out = append(out, name)
		}
	}
	return out
}

// runAll finds the scripts of run-s, run-p and npm-run-all.
func (c *call) runAll() {
	list, _ := operands(c.words, "--max-parallel")
	for _, f := range c.packages(false) {
		for _, o := range list {
			name, _, _ := strings.Cut(o.text, " ") // "build -- --watch"
			c.run(f, filepath.Dir(f.Path), f.matching(name), nil)
		}
	}
}

// concurrently finds the commands that are its words, and the scripts that
// "npm:NAME" among them names.
func (c *call) concurrently() {
	list, _ := operands(c.words, "-n", "--names", "-c", "--prefix-colors", "-p", "--prefix", "-s", "--success", "-m", "--max-processes", "-l", "--restart-tries", "--default-input-target", "--teardown")
	for _, o := range list {
		lead, name, ok := strings.Cut(o.text, ":")
		if ok && slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, lead) {
			for _, f := range c.packages(false) {
				c.run(f, filepath.Dir(f.Path), f.matching(name), nil)
			}
			continue
		}
		c.body(Body{Dir: c.dir, Text: o.text, Language: "sh"})
	}
}
