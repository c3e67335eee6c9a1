package question

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

const text = "Usage: frob COMMAND\n\nCommands:\n  add, a     Add a thing\n  re-move    See touch-glob of another tool\n\nUse \"frob help -a\" for all.\n"

// TestVerb: only a word that a line has as a word of its own is a verb, and it
// knows the line.
func TestVerb(t *testing.T) {
	printed := NewText("the help of frob", help.Lines(text))
	for _, c := range []struct {
		word string
		line int
		ok   bool
	}{
		{"add", 4, true},
		{"a", 4, true},
		{"re-move", 5, true},
		{"add", 5, false},  // another line
		{"move", 5, false}, // a part of a word
		{"re", 5, false},   // the same
		{"glob", 5, false}, // the same
		{"remove", 5, false},
		{"--all", 1, false},
		{"", 4, false},
		{"add", 0, false},
		{"add", 99, false},
	} {
		v, ok := printed.Verb(c.word, c.line)
		if ok != c.ok {
			t.Errorf("%q in line %d: %v", c.word, c.line, ok)
		}
		if of, line := v.Where(); ok && (of != "the help of frob" || line != c.line || v.Word() != c.word) {
			t.Errorf("%q is said to stand in %s:%d", c.word, of, line)
		}
	}
	if v, ok := printed.From("re-move", 1); !ok || v.line != 5 {
		t.Errorf("from the first line on: %+v", v)
	}
	if _, ok := printed.From("add", 5); ok {
		t.Error("found above")
	}
}

// TestQuestions: there is no question with a word that no text names.
func TestQuestions(t *testing.T) {
	printed := NewText("the help of frob", help.Lines(text))
	add, _ := printed.Verb("add", 4)
	verb, _ := printed.Verb("help", 7)
	for _, c := range []struct {
		name string
		q    Question
		want []string // nil: no question
	}{
		{"the program", Help(nil, Long), []string{"--help"}},
		{"a command", Help([]Verb{add}, Short), []string{"add", "-h"}},
		{"behind help", Behind(verb, []Verb{add}), []string{"help", "add"}},
		{"before help", Before([]Verb{add}, verb), []string{"add", "help"}},
		{"a list", List(verb, "-a"), []string{"help", "-a"}},
		{"a list that no text names", List(verb, "--all"), nil},
		{"a verb from nowhere", Help([]Verb{{}}, Long), nil},
		{"one among others", Help([]Verb{add, {}}, Long), nil},
		{"help from nowhere", Behind(Verb{}, []Verb{add}), nil},
		{"the same behind", Before([]Verb{add}, Verb{}), nil},
		{"a list from nowhere", List(Verb{}, "-a"), nil},
		{"none", Question{}, nil},
	} {
		args, ok := c.q.Args()
		if ok != (c.want != nil) || ok && !slices.Equal(args, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.name, args, ok, c.want)
		}
	}
}
