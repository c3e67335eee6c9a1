package tmp

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

func newHelp(env *Env, f *flags) runFunc {
	return func(in input) error {
		root, err := loadMap()
		if err != nil {
			return err
		}
		path := strings.Join(in.Args, " ")
		if n := root.find(path); n == nil || path != "" && !implemented(n, path) {
			return usagef("unknown command %q", path).hint("tmp help lists the commands")
		}
		writeHelp(env, root, path)
		return nil
	}
}

// writeHelp prints the help of the command of that path to standard output.
func writeHelp(env *Env, root *node, path string) {
	n := root.find(path)
	if n == nil {
		return
	}
	st := env.styleOf(1)
	w := env.Stdout
	fmt.Fprintf(w, "%s\n\n%s\n  %s\n", n.Description, st.bold("Usage"), n.usage(commandName(path)))
	if subs := visibleSubs(n, path); len(subs) > 0 {
		fmt.Fprintf(w, "\n%s\n", st.bold("Commands"))
		writeRows(w, subs)
	}
	if rows := argRows(n); len(rows) > 0 {
		fmt.Fprintf(w, "\n%s\n", st.bold("Arguments"))
		writeRows(w, rows)
	}
	fmt.Fprintf(w, "\n%s\n", st.bold("Flags"))
	writeRows(w, flagRows(n))
	if len(n.Examples) > 0 {
		fmt.Fprintf(w, "\n%s\n", st.bold("Examples"))
		for _, e := range n.Examples {
			fmt.Fprintf(w, "  %s\n  %s\n", st.dim("# "+e.Text), e.Line)
		}
	}
	if len(n.Subs) > 0 {
		fmt.Fprintf(w, "\n%s <command> --help says more about one of them.\n", commandName(path))
	}
}

// visibleSubs lists the sub-commands that exist, in the map's order.
func visibleSubs(n *node, path string) [][2]string {
	var rows [][2]string
	for _, s := range n.Subs {
		if !s.Hidden && implemented(s, strings.TrimSpace(path+" "+s.Name)) {
			rows = append(rows, [2]string{s.Name, s.Description})
		}
	}
	return rows
}

// implemented reports whether the table has the command or one below it.
func implemented(n *node, path string) bool {
	return slices.ContainsFunc(table(), func(c command) bool {
		return c.path == path || strings.HasPrefix(c.path, path+" ")
	})
}

func argRows(n *node) [][2]string {
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
func flagRows(n *node) [][2]string {
	var rows [][2]string
	help := false
	for i := range n.Flags {
		f := &n.Flags[i]
		if f.Hidden {
			continue
		}
		help = help || f.long() == "help"
		name := "    "
		if f.short() != "" {
			name = "-" + f.short()
			if f.long() != "" {
				name += ", "
			}
		}
		if f.long() != "" {
			name += "--" + f.long()
		}
		rows = append(rows, [2]string{name + f.placeholder(), f.Description})
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

// commandTable is the table of commands in docs/commands.md, in Markdown.
func commandTable(root *node) string {
	var b strings.Builder
	b.WriteString("| command | what it does |\n|---|---|\n")
	walk(root, "", func(n *node, path string) {
		runs := slices.ContainsFunc(table(), func(c command) bool { return c.path == path })
		if (len(n.Subs) == 0 || runs) && !n.Hidden && implemented(n, path) {
			usage := strings.NewReplacer("|", `\|`).Replace(n.usage(commandName(path)))
			fmt.Fprintf(&b, "| `%s` | %s |\n", usage, n.Description)
		}
	})
	return b.String()
}

// walk visits the node and all below it in the map's order.
func walk(n *node, path string, visit func(n *node, path string)) {
	visit(n, path)
	for _, s := range n.Subs {
		walk(s, strings.TrimSpace(path+" "+s.Name), visit)
	}
}
