package shell

import (
	"io"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/shells"
)

// NewHook is tmp hook.
func NewHook(env *term.Env, f *command.Flags) command.Run {
	var noTab, noEnter bool
	f.Bool("no-tab", &noTab)
	f.Bool("no-enter", &noEnter)
	return func(in command.Input) error {
		keys := shells.Tab | shells.Enter
		if noTab {
			keys &^= shells.Tab
		}
		if noEnter {
			keys &^= shells.Enter
		}
		if keys == 0 {
			return term.Usagef("--no-tab and --no-enter leave nothing")
		}
		text, err := shells.Hook(in.Args[0], keys)
		if err != nil {
			return term.Usagef("%v", err)
		}
		_, err = io.WriteString(env.Stdout, text)
		return err
	}
}

// NewInShell makes the commands that only the hook of a shell can carry out: it
// puts a function named tmp before this program.
func NewInShell(name string) func(*term.Env, *command.Flags) command.Run {
	return func(env *term.Env, _ *command.Flags) command.Run {
		return func(command.Input) error {
			return term.Failf("tmp %s works where the hook is loaded, typed at the prompt: see tmp hook --help, tmp doctor", name)
		}
	}
}
