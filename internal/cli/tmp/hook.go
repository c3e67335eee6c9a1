package tmp

import (
	"io"

	"github.com/tool-mapping-protocol/tmp/shells"
)

func newHook(env *Env, _ *flags) runFunc {
	return func(in input) error {
		text, err := shells.Hook(in.Args[0])
		if err != nil {
			return usagef("%v", err)
		}
		_, err = io.WriteString(env.Stdout, text)
		return err
	}
}
