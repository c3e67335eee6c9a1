package tmp

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
)

var update = flag.Bool("update", false, "write docs/commands.md")

// TestCommandsDocument holds docs/commands.md, from its marker on, against the map.
func TestCommandsDocument(t *testing.T) {
	const file, marker = "../../../docs/commands.md", "<!-- from here on written by go test ./internal/cli/tmp -run CommandsDocument -update -->\n"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, got, ok := strings.Cut(string(data), marker)
	if !ok {
		t.Fatalf("%s has no line %s", file, marker)
	}
	root, err := command.Load()
	if err != nil {
		t.Fatal(err)
	}
	want := commandsDocument(root)
	if got == want {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: go test ./internal/cli/tmp -run CommandsDocument -update", file)
	}
	if err := os.WriteFile(file, []byte(head+marker+want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// commandsDocument is a table of all commands, then each with its flags and examples.
func commandsDocument(root *command.Node) string {
	var list, each strings.Builder
	list.WriteString("| command | what it does |\n|---|---|\n")
	command.Walk(root, "", func(n *command.Node, path string) {
		runs := slices.ContainsFunc(table(), func(c entry) bool { return c.path == path })
		if len(n.Subs) > 0 && !runs || n.Hidden || !implemented(n, path) {
			return
		}
		name := command.Name(path)
		anchor := strings.ReplaceAll(name, " ", "-")
		fmt.Fprintf(&list, "| [`%s`](#%s) | %s |\n", name, anchor, cell(n.Description))
		fmt.Fprintf(&each, "\n## %s\n\n%s.\n\n    %s\n", name, n.Description, n.Usage(name))
		writeParts(&each, n)
		if len(n.Examples) > 0 {
			each.WriteString("\nExamples:\n\n")
		}
		for _, x := range n.Examples {
			fmt.Fprintf(&each, "    # %s\n    %s\n", x.Text, x.Line)
		}
	})
	return "\n" + list.String() + each.String()
}

// writeParts writes the arguments and flags of a command as one table.
func writeParts(b *strings.Builder, n *command.Node) {
	var rows [][2]string
	for _, a := range n.Args {
		name := "<" + a.Name + ">"
		if a.AfterDash {
			name = "-- " + name
		}
		rows = append(rows, [2]string{name, a.Description})
	}
	for i := range n.Flags {
		if f := &n.Flags[i]; !f.Hidden {
			rows = append(rows, [2]string{strings.Join(f.Names, ", ") + f.Placeholder(), f.Description})
		}
	}
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n| | |\n|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| `%s` | %s |\n", strings.ReplaceAll(r[0], "|", `\|`), cell(r[1]))
	}
}

// cell is text within a table of Markdown.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(s)
}
