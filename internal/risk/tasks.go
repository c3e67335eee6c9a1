package risk

// TaskBody is one text that a task runner hands to an interpreter.
type TaskBody struct {
	Task string // "" for what runs while the file is read
	File string // its name, for people
	Dir  string // where it runs, as seen from the directory of the judged line
	Text string
	// Language is "sh" for any shell's; one of Code's; or "" for one not known.
	Language string
}

// RunsTasks reports whether a program of that name runs tasks that a project's
// file defines, so that Facts.Tasks is asked about it.
func RunsTasks(name string) bool {
	switch name {
	case "npm", "pnpm", "yarn", "bun", "run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently", "make", "gmake", "just", "task", "go-task",
		"composer", "poe", "pdm", "hatch", "pipenv", "rye", "deno", "mise":
		return true
	}
	return false
}

// Away reports whether a command, or one that carries it, runs what it carries in
// another place: on another machine, in a container, below another root.
func Away(c *Command) bool {
	for ; c != nil; c = c.Outer {
		if c.Bound != nil && c.Bound.Node().Wrapper.Elsewhere {
			return true
		}
	}
	return false
}
