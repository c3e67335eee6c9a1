package binding

import (
	_ "embed" // the table of habits
	"path/filepath"
	"strings"
	"sync"
)

//go:embed habits.tsv
var habitTable string

// table is the table by kind, and what it holds of each.
var table = sync.OnceValue(func() map[string]*kind {
	out := map[string]*kind{}
	for line := range strings.Lines(habitTable) {
		name, words, ok := strings.Cut(line, "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		k := out[name]
		if k == nil {
			k = &kind{has: map[string]bool{}}
			out[name] = k
		}
		for _, word := range strings.Fields(words) {
			k.words, k.has[word] = append(k.words, word), true
		}
	}
	return out
})

// kind are the words of the table's rows of a kind.
type kind struct {
	words []string
	has   map[string]bool
}

// habit reports whether the table has something of a kind.
func habit(name, word string) bool {
	k := table()[name]
	return k != nil && k.has[word]
}

// rows are the words of the table's rows of a kind.
func rows(name string) []string {
	if k := table()[name]; k != nil {
		return k.words
	}
	return nil
}

// habits binds the user's own files, that tools read without being told.
func (t *taking) habits() {
	home := t.home()
	config := getenv(t.Env, "XDG_CONFIG_HOME")
	if config == "" && home != "" {
		config = home + "/.config"
	}
	for _, row := range rows("user") {
		path := ""
		switch {
		case strings.HasPrefix(row, "~/") && home != "":
			path = home + row[1:]
		case strings.HasPrefix(row, "$XDG_CONFIG_HOME/") && config != "":
			path = config + strings.TrimPrefix(row, "$XDG_CONFIG_HOME")
		case filepath.IsAbs(row):
			path = row
		default:
			continue
		}
		t.own(path)
	}
	for _, file := range rows("gitconfig") {
		t.gitConfig(t.expand(strings.Replace(file, "$XDG_CONFIG_HOME/", config+"/", 1), "/"))
	}
}

// own binds one of the user's own files, or all below a directory.
func (t *taking) own(path string) {
	dir, all := strings.CutSuffix(path, "/**")
	if !strings.Contains(dir, "*") {
		t.ownOne(dir, all)
		return
	}
	found, _ := filepath.Glob(dir)
	for _, one := range found {
		t.ownOne(one, all)
	}
}

func (t *taking) ownOne(path string, all bool) {
	switch e := stat(path); {
	case e.Kind == Absent:
		if _, in := t.within(path); !in {
			t.entry(path)
		}
	case e.Kind == Directory && all:
		t.directory(path)
	case e.Kind == File:
		t.file(path)
	}
}

// OutputsOf are patterns of what a program writes in a project by habit.
func OutputsOf(program string) []string { return rows("outputs " + filepath.Base(program)) }

// InputsOf are patterns of what a command is run over again and again by habit: of
// "go test" those of the row "inputs go test".
func InputsOf(words []string) []string {
	name := filepath.Base(words[0])
	for _, word := range words[1:] {
		if !strings.HasPrefix(word, "-") {
			if list := rows("inputs " + name + " " + word); list != nil {
				return list
			}
			break
		}
	}
	return rows("inputs " + name)
}
