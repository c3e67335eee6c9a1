package risk

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Each row of the table of settings has its columns, each list is there and used,
// each sub-command is one that the map has.
func TestSettingsTable(t *testing.T) {
	view := tcpdb.NewView(tcpdb.Core())
	used := map[string]bool{}
	for i, row := range strings.Split(strings.TrimSuffix(settingsTable, "\n"), "\n") {
		columns := strings.Split(row, "\t")
		if row == "" || row[0] == '#' || row[0] == '+' {
			if row != "" && row[0] == '+' && len(columns) != 2 {
				t.Errorf("row %d: a list has two columns", i+1)
			}
			continue
		}
		if len(columns) != 7 || slices.Contains(columns, "") {
			t.Errorf("row %d: %q", i+1, row)
			continue
		}
		for _, list := range []struct{ column, between string }{{columns[1], " "}, {columns[6], "|"}} {
			for word := range strings.SplitSeq(list.column, list.between) {
				if strings.HasPrefix(word, "+") {
					used[word] = true
					if !strings.Contains(settingsTable, "\n"+word+"\t") {
						t.Errorf("row %d: there is no list %s", i+1, word)
					}
				}
			}
		}
		if !slices.Contains(strings.Fields("line bang helper ext program loads hook unasked gdb ruby bash setting variable"), columns[5]) {
			t.Errorf("row %d: reads %q", i+1, columns[5])
		}
		each(columns[6], "|", func(usual string) bool {
			if _, err := path.Match(usual, ""); err != nil {
				t.Errorf("row %d: %q: %v", i+1, usual, err)
			}
			return false
		})
		root := view.Root(columns[0])
		if root == nil || !root.HasSubs() || columns[0] != "git" {
			continue
		}
		each(columns[1], " ", func(command string) bool {
			words := append([]string{columns[0]}, strings.Split(command, "/")...)
			if b := argv.Outline(view, words); command != "*" && b != nil && len(b.Chain) != len(words) {
				t.Errorf("row %d: the map has no %s", i+1, strings.Join(words, " "))
			}
			return false
		})
	}
	for row := range strings.Lines(settingsTable) {
		if name, _, _ := strings.Cut(row, "\t"); row[0] == '+' && !used[name] {
			t.Errorf("nothing uses the list %s", name)
		}
	}
}
