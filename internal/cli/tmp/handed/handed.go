// Package handed gives commands to a program of their own, which lies beside tmp. Such
// a program links what would cost every other command its start.
package handed

import (
	"os"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// To makes the command that becomes another program, with the same words. The flags
// and arguments are checked before: help and misuse are the same as everywhere.
func To(program string) func(env *term.Env, f *command.Flags) command.Run {
	return func(env *term.Env, f *command.Flags) command.Run {
		f.Any()
		return func(command.Input) error {
			file := term.BesideOrPath(env, program)
			if file == "" {
				return term.Failf("%s is not installed: it belongs beside tmp", program)
			}
			if err := syscall.Exec(file, append([]string{program}, env.Args...), os.Environ()); err != nil {
				return term.Failf("%s cannot be started: %s", file, err)
			}
			return nil
		}
	}
}
