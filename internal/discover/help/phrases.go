package help

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed phrases.txt
var phraseText string

// phrases are the tables of phrases.txt, each in the order of the file and as a set.
var phrases = sync.OnceValue(func() map[string]phraseTable {
	out := map[string]phraseTable{}
	title := ""
	for line := range strings.Lines(phraseText) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			title = strings.Trim(line, "[]")
		default:
			line = strings.Trim(line, `"`)
			t := out[title]
			if t.set == nil {
				t.set = map[string]bool{}
			}
			t.list, t.set[line] = append(t.list, line), true
			out[title] = t
		}
	}
	return out
})

type phraseTable struct {
	list []string
	set  map[string]bool
}

// table lists the phrases of a table.
func table(name string) []string { return phrases()[name].list }

// inTable reports whether a word stands in a table.
func inTable(name, word string) bool { return phrases()[name].set[word] }
