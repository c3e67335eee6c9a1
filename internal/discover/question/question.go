// Package question makes the words that a program is run with when its map is
// drafted. There are few ways to make a Question, and none of them takes a word
// that could be a guess: the options that ask for help are constants, and a
// sub-command is a Verb, which carries the line of a text that names it and
// cannot be had without one. Whoever runs programs for their texts takes a
// Question and no words.
package question

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// Text is a text about a program, in lines.
type Text struct {
	of    string // what it is, "the help of frob add"
	lines map[int]string
	last  int
}

// NewText is a text as it was read: what a program printed (help.Lines), a manual
// page (man.Lines), a completion script.
func NewText(of string, lines []help.Line) *Text {
	t := &Text{of: of, lines: make(map[int]string, len(lines))}
	for _, l := range lines {
		if l.Text != "" {
			t.lines[l.No] += l.Text + "\n"
			t.last = max(t.last, l.No)
		}
	}
	return t
}

// Verb is a word of a program with the place that names it. The zero Verb is none.
type Verb struct {
	word string
	text *Text
	line int
}

// Verb returns a word that a line of the text, from 1, has as a word of its own;
// ok is false if it has not.
func (t *Text) Verb(word string, line int) (v Verb, ok bool) {
	if word == "" || word[0] == '-' || !has(t.lines[line], word) {
		return Verb{}, false
	}
	return Verb{word: word, text: t, line: line}, true
}

// From is Verb of the first line from one on that has the word: a command of a
// script goes over several.
func (t *Text) From(word string, line int) (v Verb, ok bool) {
	for ; line <= t.last; line++ {
		if v, ok = t.Verb(word, line); ok {
			return v, true
		}
	}
	return Verb{}, false
}

// has reports whether a line has a word that no letter, digit or dash goes on.
func has(line, word string) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], word)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(word)
		if (begin == 0 || !letter(line[begin-1])) && (end == len(line) || !letter(line[end])) {
			return true
		}
		at = begin + 1
	}
}

func letter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= 0x80
}

// Word is the word as it is typed.
func (v Verb) Word() string { return v.word }

// Where says which line of which text names the word.
func (v Verb) Where() (text string, line int) {
	if v.text == nil {
		return "", 0
	}
	return v.text.of, v.line
}

// Question is what a program is run with. The zero Question is none.
type Question struct {
	args  []string
	asked bool
}

// Args are the words after the program's name; ok is false for no question.
func (q Question) Args() (args []string, ok bool) { return q.args, q.asked }

// Option is an option that asks for help.
type Option uint8

// The options of which it is known what they ask for.
const (
	Long  Option = iota // --help
	Short               // -h
)

func (o Option) String() string { return [...]string{"--help", "-h"}[min(o, Short)] }

// Help asks a command of a program, or with no verbs the program itself.
func Help(command []Verb, o Option) Question { return of(command, o.String()) }

// Behind is "frob help add", the verb of help being one that a text names.
func Behind(verb Verb, command []Verb) Question {
	return of(append([]Verb{verb}, command...))
}

// Before is "frob add help".
func Before(command []Verb, verb Verb) Question {
	return of(append(slices.Clone(command), verb))
}

// List is "frob help -a", if that is what the line says which names the verb.
func List(verb Verb, option string) Question {
	if verb.text == nil || !strings.Contains(verb.text.lines[verb.line], verb.word+" "+option) {
		return Question{}
	}
	return of([]Verb{verb}, option)
}

func of(command []Verb, more ...string) Question {
	q := Question{asked: true}
	for _, v := range command {
		if v.text == nil {
			return Question{}
		}
		q.args = append(q.args, v.word)
	}
	q.args = append(q.args, more...)
	return q
}

// Complete is the question that the completion of a program made with cobra puts
// to it: what may stand in the place of the last word. The words are completed
// and not run. That a program is such a one its build says.
func Complete(words ...string) Question {
	return Question{args: append([]string{"__complete"}, words...), asked: true}
}

// CompleteClap is the same of a program that answered clap's variable COMPLETE,
// which is to be set again.
func CompleteClap(program string, words ...string) Question {
	return Question{args: append([]string{"--", program}, words...), asked: true}
}

// Bare is no words at all, for what a variable asks.
func Bare() Question { return Question{asked: true} }
