package project

import "strings"

// zigTasks are the steps that build.zig names, as it writes them down: what
// follows "step(" as a text, and the description behind it.
func (u *unit) zigTasks() {
	text := u.textOf("build.zig")
	n := 1
	for rest := text; ; {
		at := strings.Index(rest, ".step(")
		if at < 0 {
			return
		}
		n += strings.Count(rest[:at], "\n")
		rest = rest[at+len(".step("):]
		args := strings.TrimLeft(rest, " \t\n")
		if !strings.HasPrefix(args, `"`) {
			continue
		}
		q := quotedTexts(firstArguments(args))
		if len(q) == 0 {
			continue
		}
		t := Task{Name: q[0], Runner: "zig", Argv: []string{"zig", "build", q[0]}, File: u.at("build.zig"), Line: n}
		if len(q) > 1 {
			t.Description = q[1]
		}
		u.put(t)
	}
}

// firstArguments is a text up to the bracket that closes it, or a part of it.
func firstArguments(s string) string {
	if end := strings.IndexByte(s, ')'); end >= 0 {
		s = s[:end]
	}
	return s[:min(len(s), 1000)]
}

// zigStep reports whether build.zig names a step.
func (u *unit) zigStep(name string) bool {
	u.all()
	return u.task("zig", name) != nil
}

// ectoRepo reports whether a project of Elixir keeps a database: it has a directory
// of migrations or configures repositories, or it is no library and depends on ecto.
func (u *unit) ectoRepo() bool {
	if u.isDir(u.at("priv/repo")) || strings.Contains(u.textOf("config/config.exs"), "ecto_repos") {
		return true
	}
	text := u.textOf("mix.exs")
	if strings.Contains(text, "package:") {
		return false
	}
	for line := range strings.Lines(text) {
		if (strings.Contains(line, "{:ecto_sql,") || strings.Contains(line, "{:ecto,") || strings.Contains(line, "{:phoenix_ecto,")) && !strings.Contains(line, "only:") {
			return true
		}
	}
	return false
}
