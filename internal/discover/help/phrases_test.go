package help

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every table that the source names is there, every one that is there is named.
func TestPhrases(t *testing.T) {
	named := map[string]bool{}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		source, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?:table|inTable)\("([^"]+)"`).FindAllSubmatch(source, -1) {
			named[string(m[1])] = true
		}
	}
	for name := range named {
		if len(table(name)) == 0 {
			t.Errorf("there is no table %q", name)
		}
	}
	for name, table := range phrases() {
		if !named[name] {
			t.Errorf("nothing reads the table %q", name)
		}
		if len(table.list) != len(table.set) {
			t.Errorf("the table %q holds a phrase twice", name)
		}
	}
}
