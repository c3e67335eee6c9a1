package tmp

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// quick makes the one command that a line names word for word, out of the
// compiled map: `tmp run -- true` has no use for the other fifty commands, nor
// for the texts of their help, which only the map's JSON has. It returns nil for
// every line that may want more: an alias, a flag before the command, help.
func quick(env *term.Env) *cobra.Command {
	path, rest, ok := quickPath(env.Args)
	if !ok {
		return nil
	}
	view := tcpdb.NewView(tcpdb.Core())
	at := view.Root("tmp")
	for word := range strings.SplitSeq(path, " ") {
		if at == nil {
			return nil
		}
		at = view.Open(at.Sub(word))
	}
	if at == nil || at.Path != "tmp "+path {
		return nil
	}
	p := &program{env: env, rows: table()}
	n := command.Compiled(at)
	cmd := p.command(n, path)
	p.bind(cmd, n, path, p.row(path))
	cmd.SetArgs(rest)
	return cmd
}

// quickPath splits a line into the path of a command of the table and the rest.
func quickPath(args []string) (path string, rest []string, ok bool) {
	for i, a := range args {
		if a == "--" {
			break
		}
		if a == "-h" || strings.HasPrefix(a, "--h") || i == 0 && strings.HasPrefix(a, "-") {
			return "", nil, false
		}
	}
	for n := min(2, len(args)); n > 0; n-- {
		path = strings.Join(args[:n], " ")
		if slices.ContainsFunc(table(), func(c entry) bool { return c.path == path }) {
			return path, args[n:], true
		}
	}
	return "", nil, false
}
