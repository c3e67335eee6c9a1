package binding

import (
	_ "embed" // the table of habits
	"path/filepath"
	"slices"
	"strings"
)

//go:embed habits.tsv
var habitTable string

// habit reports whether the table has a row of a kind that names something.
func habit(kind, name string) bool { return slices.Contains(rows(kind), name) }

// rows are the words of the table's rows of a kind.
func rows(kind string) []string {
	var out []string
	for line := range strings.Lines(habitTable) {
		if words, ok := strings.CutPrefix(line, kind+"\t"); ok {
			out = append(out, strings.Fields(words)...)
		}
	}
	return out
}

// codeFolders are the folders that hold code of others and that git ignores.
var codeFolders = func() func() []string {
	var list []string
	return func() []string {
		if list == nil {
			list = rows("code")
		}
		return list
	}
}()

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
