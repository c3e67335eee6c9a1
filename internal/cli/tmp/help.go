package tmp

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

func newHelp(env *term.Env, f *command.Flags) command.Run {
	return func(in command.Input) error {
		root, err := command.Load()
		if err != nil {
			return err
		}
		path := strings.Join(in.Args, " ")
		if n := root.Find(path); n == nil || path != "" && !implemented(n, path) {
			return term.Usagef("unknown command %q", path).Hint("tmp help lists the commands")
		}
		writeHelp(env, root, path)
		return nil
	}
}

// writeHelp prints the help of the command of that path to standard output.
func writeHelp(env *term.Env, root *command.Node, path string) {
	n := root.Find(path)
	if n == nil {
		return
	}
	st := env.StyleOf(1)
	w := env.Stdout
	fmt.Fprintf(w, "%s\n\n%s\n  %s\n", n.Description, st.Bold("Usage"), n.Usage(command.Name(path)))
	if subs := visibleSubs(n, path); len(subs) > 0 {
		fmt.Fprintf(w, "\n%s\n", st.Bold("Commands"))
		writeRows(w, subs)
	}
	if rows := argRows(n); len(rows) > 0 {
		fmt.Fprintf(w, "\n%s\n", st.Bold("Arguments"))
		writeRows(w, rows)
	}
	fmt.Fprintf(w, "\n%s\n", st.Bold("Flags"))
	writeRows(w, flagRows(n))
	if len(n.Examples) > 0 {
		fmt.Fprintf(w, "\n%s\n", st.Bold("Examples"))
		for _, e := range n.Examples {
			fmt.Fprintf(w, "  %s\n  %s\n", st.Dim("# "+e.Text), e.Line)
		}
	}
	if len(n.Subs) > 0 {
		fmt.Fprintf(w, "\n%s <command> --help says more about one of them.\n", command.Name(path))
	}
}

// visibleSubs lists the sub-commands that exist, in the map's order.
func visibleSubs(n *command.Node, path string) [][2]string {
	var rows [][2]string
	for _, s := range n.Subs {
		if !s.Hidden && implemented(s, strings.TrimSpace(path+" "+s.Name)) {
			rows = append(rows, [2]string{s.Name, s.Description})
		}
	}
	return rows
}

// implemented reports whether the table has the command or one below it.
func implemented(n *command.Node, path string) bool {
	return slices.ContainsFunc(table(), func(c entry) bool {
		return c.path == path || strings.HasPrefix(c.path, path+" ")
	})
}

func argRows(n *command.Node) [][2]string {
	var rows [][2]string
	for _, a := range n.Args {
		name := "<" + a.Name + ">"
		if a.AfterDash {
			name = "-- " + name
		}
		rows = append(rows, [2]string{name, a.Description})
	}
	return rows
}

// flagRows lists the flags, "-n, --dry-run", with help last where the map does
// not name it.
func flagRows(n *command.Node) [][2]string {
	var rows [][2]string
	help := false
	for i := range n.Flags {
		f := &n.Flags[i]
		if f.Hidden {
			continue
		}
		help = help || f.Long() == "help"
		name := "    "
		if f.Short() != "" {
			name = "-" + f.Short()
			if f.Long() != "" {
				name += ", "
			}
		}
		if f.Long() != "" {
			name += "--" + f.Long()
		}
		rows = append(rows, [2]string{name + f.Placeholder(), f.Description})
	}
	if !help {
		rows = append(rows, [2]string{"-h, --help", "Show this help"})
	}
	return rows
}

// writeRows prints two columns, the first as wide as its widest entry up to 30.
func writeRows(w io.Writer, rows [][2]string) {
	width := 0
	for _, r := range rows {
		if n := utf8.RuneCountInString(r[0]); n <= 30 {
			width = max(width, n)
		}
	}
	for _, r := range rows {
		n := utf8.RuneCountInString(r[0])
		switch {
		case r[1] == "":
			fmt.Fprintf(w, "  %s\n", r[0])
		case n > width:
			fmt.Fprintf(w, "  %s\n  %*s  %s\n", r[0], width, "", r[1])
		default:
			fmt.Fprintf(w, "  %s%*s  %s\n", r[0], width-n, "", r[1])
		}
	}
}
