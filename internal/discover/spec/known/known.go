// Package known tells which of our resolvers stands for what another completion
// engine would run a command for. It knows few commands, and those exactly: a
// command that it does not know stays a gap.
package known

import (
	_ "embed" // the tables
	"strings"
)

// Command returns the resolver that lists what a shell command prints, "" if
// there is none. Options that only change the format of the list do not matter,
// and commands after a pipe that take its lines one by one; the names of the
// command and of what it lists do.
func Command(line string) string {
	stages := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), "2>/dev/null"), "|")
	if strings.ContainsAny(stages[0], ";&<>`\n") || strings.Contains(line, "$(") {
		return ""
	}
	for _, stage := range stages[1:] {
		if !passes(strings.TrimSpace(stage)) {
			return ""
		}
	}
	return Words(strings.Fields(stages[0]))
}

// passes reports whether a command passes on each line, cut or changed.
func passes(stage string) bool {
	name, rest, _ := strings.Cut(stage, " ")
	rest = strings.TrimLeft(strings.TrimSpace(rest), `'"`)
	for row := range strings.Lines(filters) {
		filter, begin, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		if filter == name && strings.HasPrefix(rest, begin) && (begin != "" || !strings.ContainsAny(rest, ";&")) {
			return true
		}
	}
	return false
}

// Words is Command for a command whose words are apart.
func Words(words []string) string {
	var kept []string
	for _, w := range words {
		if !shapes(w) {
			kept = append(kept, strings.Trim(w, `"'`))
		}
	}
	return lookup(strings.Join(kept, " "))
}

// shapes reports whether an option only shapes how a list is printed.
func shapes(word string) bool {
	switch word {
	case "--no-optional-locks", "--no-pager", "--no-color", "--no-headers", "--no-legend", "--plain", "--column=never":
		return true
	}
	for _, name := range [...]string{"--format=", "--template=", "--sort=", "--color="} {
		if strings.HasPrefix(word, name) {
			return true
		}
	}
	return false
}

//go:embed commands.tsv
var commands string

//go:embed macros.tsv
var macros string

//go:embed filters.tsv
var filters string

func lookup(line string) string { return find(commands, line) }

// find returns the second field of a table's row, "" if there is none.
func find(table, key string) string {
	for row := range strings.Lines(table) {
		if value, ok := strings.CutPrefix(row, key+"\t"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Macro returns the resolver for a macro of carapace, named without its
// arguments: "tools.git.LocalBranches". "" if there is none.
func Macro(name string) string { return find(macros, strings.TrimPrefix(name, "carapace.")) }
