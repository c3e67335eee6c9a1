package run

import (
	"fmt"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// approve records a person's yes to a plan that waits. It has no flags on
// purpose: nothing that a caller passes approves.
func NewApprove(env *term.Env, f *command.Flags) command.Run {
	return func(in command.Input) error { return approve(env, in.Args[0]) }
}

func approve(env *term.Env, digest string) error {
	caller := env.Caller()
	if err := caller.CheckApprover(digest); err != nil {
		return err
	}
	s, err := env.Session()
	if err != nil {
		return err
	}
	if err := s.Approve(digest, term.Asker{Env: env}); err != nil {
		return err
	}
	fmt.Fprintln(env.Stdout, "approved once, for ten minutes")
	return nil
}
