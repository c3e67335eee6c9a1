package tmp

import (
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/completion/posener"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// completed answers a Tab behind tmp in a bash that was told "complete -C tmp tmp",
// as where no hook is loaded, and reports whether it was one. Such a call has
// COMP_LINE and three arguments, the first of which is the program's own name:
// what a completer starts inherits the variable, and is not meant by it.
func completed(env *term.Env) bool {
	if len(env.Args) != 3 || filepath.Base(env.Args[0]) != "tmp" || env.Getenv("COMP_LINE") == "" {
		return false
	}
	caller := env.Caller()
	caller.Notice = nil // the person is typing
	return posener.Run(session.At(caller).Engine(), env.Args, env.Getenv, env.Stdout)
}
