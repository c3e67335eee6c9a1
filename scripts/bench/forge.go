package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// forgeTool is a tool that does nothing but answer.
const forgeTool = "/**\n * Greets somebody.\n * @param {string} [name=you] who\n */\nexport default \"hi \" + tgp.args.name;\n"

// forgeRows are what the forge costs: a run, which is two processes, what it is of that
// without one, and the looks.
func (p *programs) forgeRows(f *fixtures) []row {
	dir := f.project("tgp-one")
	over := func(name, goal, want string, args ...string) row {
		return row{
			name: "tgp: " + name, goal: goal,
			subject: command{name: "tgp " + args[0], argv: append([]string{p.tgp}, args...), dir: dir, env: p.env(), want: want},
		}
	}
	return []row{
		over("run of a trivial tool", "≤ 6, then 4 × go+os", "hi x", "run", "greet/hello", "--name", "x"),
		over("the same, planned", "none given", "plan", "run", "--dry-run", "greet/hello", "--name", "x"),
		over("list of one tool", "none given", "greet/hello", "list"),
		over("check", "≤ 100 ms", ": ok", "check", ".tgp/tools/greet/hello.ts"),
	}
}

// forgeFiles makes a project with a tool.
func (p *programs) forgeFiles(dir string) error {
	draft := filepath.Join(dir, "draft.ts")
	if err := os.WriteFile(draft, []byte(forgeTool), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "--yes"}, {"add", "draft.ts", "greet/hello", "-m", "greet"}} {
		cmd := exec.Command(p.tgp, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), p.env()...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("tgp %s: %w\n%s", args[0], err, out)
		}
	}
	return nil
}
