package code

import (
	"strings"
	"testing"
)

// Every row of the table is one that a reader looks at.
func TestWordsTable(t *testing.T) {
	readers, parts := "call pwsh mongo vim ftp loose loose-name sql", "last whole module"
	for row := range strings.Lines(wordsTable) {
		row = strings.TrimSuffix(row, "\n")
		if row == "" || row[0] == '#' {
			continue
		}
		c := strings.Split(row, "\t")
		if len(c) != 5 {
			t.Errorf("%d columns: %s", len(c), row)
			continue
		}
		part := strings.TrimPrefix(strings.TrimPrefix(c[2], "unsigned "), "signed ")
		if !strings.Contains(readers, c[0]) || c[1] == "" || !strings.Contains(parts, part) || c[3] == "" || strings.Trim(c[4], " ") != c[4] || c[4] == "" {
			t.Errorf("a column that nobody reads: %s", row)
		}
		if part == "module" != strings.Contains(c[4], "|") {
			t.Errorf("modules and functions: %s", row)
		}
	}
}

func TestMeaning(t *testing.T) {
	for _, c := range []struct {
		lang, name string
		variable   bool
		want       string
	}{
		{"python", "os.remove", false, "delete"},
		{"python", "list.remove", false, ""},
		{"python", "requests.delete", false, "drop"},
		{"node", "requests.delete", false, ""},
		{"node", "fork", false, "shell"},
		{"perl", "fork", false, "fork"},
		{"perl", "system", false, "shell"},
		{"php", "system", true, ""},
		{"perl", "eval", false, ""},
		{"perl", "eval", true, "eval"},
		{"python", "eval", false, "eval"},
		{"ruby", "File::delete", false, "delete"},
		{"python", "os.write", false, ""},
		{"python", "shutil.move", false, "write-2"},
		{"python", "list.move", false, ""},
		{"python", "os.execvp", false, "shell"},
		{"node", "os.execvp", false, ""},
		{"python", "requests.post", false, "network"},
		{"python", "print", false, ""},
	} {
		if got := meaning("call", called{c.lang, c.name, c.variable}); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.lang, c.name, got, c.want)
		}
	}
}
