package screen

import "strings"

// Rows cuts text of several lines into rows of at most so many columns, each line
// into its own, as Wrap does, with control characters made visible.
func Rows(text string, columns int) []string {
	var rows []string
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		rows = append(rows, Wrap(Printable(strings.TrimSuffix(l, "\r")), columns)...)
	}
	return rows
}
