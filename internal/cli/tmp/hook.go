package tmp

import (
	"io"

	"github.com/tool-mapping-protocol/tmp/shells"
)

func newHook(env *Env, f *flags) runFunc {
	var noTab, noEnter bool
	f.Bool("no-tab", &noTab)
	f.Bool("no-enter", &noEnter)
	return func(in input) error {
		keys := shells.Tab | shells.Enter
		if noTab {
			keys &^= shells.Tab
		}
		if noEnter {
			keys &^= shells.Enter
		}
		if keys == 0 {
			return usagef("--no-tab and --no-enter leave nothing")
		}
		text, err := shells.Hook(in.Args[0], keys)
		if err != nil {
			return usagef("%v", err)
		}
		_, err = io.WriteString(env.Stdout, text)
		return err
	}
}

// newInShell makes the commands that only the hook of a shell can carry out: it
// puts a function named tmp before this program.
func newInShell(name string) func(*Env, *flags) runFunc {
	return func(env *Env, _ *flags) runFunc {
		return func(input) error {
			return failf("tmp %s works where the hook is loaded, typed at the prompt: see tmp hook --help, tmp doctor", name)
		}
	}
}
