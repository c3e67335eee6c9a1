package recent

import (
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maxMarks bounds what is kept of one line.
const maxMarks = 32

// maxCommands bounds the commands of a line that are looked at.
const maxCommands = 16

// maxInner bounds wrappers and aliases within each other.
const maxInner = 8

// Line is an accepted line and what is to be known to read it.
type Line struct {
	Text    string
	Dialect shline.Dialect
	Dir     string
	Aliases map[string]string                      // of the shell
	Alias   func(tool, name string) (string, bool) // of a tool
}

// Marks returns the words of a line that a Tab could have offered: sub-commands,
// options, and values and arguments of which the map knows the kind. Free text
// (messages, passwords, patterns) is not among them. A line that begins with a
// blank has none: such lines are not to be remembered.
func (l Line) Marks(v *tcpdb.View) []Mark {
	if l.Text == "" || l.Text[0] == ' ' || l.Text[0] == '\t' {
		return nil
	}
	var r reader
	r.line, r.view = l, v
	for i, c := range shline.Split(l.Dialect, l.Text).Commands {
		if i == maxCommands {
			break
		}
		words, _ := shline.ExpandAlias(l.Dialect, c.Words, l.Aliases)
		r.words(words, l.Dir, 0)
	}
	return r.marks
}

type reader struct {
	line  Line
	view  *tcpdb.View
	marks []Mark
}

func (r *reader) add(dir, command, word string) {
	if word != "" && len(r.marks) < maxMarks {
		r.marks = append(r.marks, Mark{dir, command, word})
	}
}

// words reads one simple command and those that it carries.
func (r *reader) words(words []string, dir string, depth int) {
	if depth == maxInner {
		return
	}
	b := argv.Bind(r.view, words)
	if b == nil {
		return
	}
	dir = b.Chdir(dir)
	for i := 1; i < len(b.Chain); i++ {
		r.add(dir, b.Chain[i-1].Path, words[b.Subs[i]])
	}
	if len(b.Chain) == 1 && len(b.Args) > 0 && r.line.Alias != nil {
		if text, ok := r.line.Alias(b.Chain[0].Name, b.Args[0].Text); ok {
			r.add(dir, b.Chain[0].Path, b.Args[0].Text)
			if !strings.HasPrefix(text, "!") {
				at := b.Args[0].Word
				out := append(append([]string{}, words[:at]...), strings.Fields(text)...)
				r.words(append(out, words[at+1:]...), dir, depth+1)
			}
			return
		}
	}
	r.flags(b, dir)
	for i, a := range b.Args {
		if arg := b.ArgFor(i); arg != nil && offered(arg, a.Text) {
			r.value(dir, Command(b.Node(), nil), a.Text)
		}
	}
	for _, in := range b.Inner {
		r.words(words[in.Start:in.End], dir, depth+1)
	}
}

func (r *reader) flags(b *argv.Bound, dir string) {
	for _, u := range b.Flags {
		if u.Flag == nil {
			continue
		}
		// The command whose options stand at this place of the line.
		node := b.Chain[0]
		for i := range b.Chain {
			if b.Subs[i] < u.Word {
				node = b.Chain[i]
			}
		}
		name := u.Name
		if !u.Negated {
			name = Name(u.Flag)
		}
		r.add(dir, Command(node, nil), name)
		if u.ValueWord >= 0 && kept(u.Flag.Spec, u.Value) {
			r.value(dir, Command(node, u.Flag), u.Value)
		}
	}
}

func (r *reader) value(dir, command, word string) {
	if strings.Contains(word, "://") && strings.Contains(word, "@") {
		return // an address may hold a password
	}
	for _, step := range Steps(word) {
		r.add(dir, command, step)
	}
}

// kept reports whether a word of a kind is kept: one that Tab could offer. Of a
// closed set only its words are; the end of "https://" is free text.
func kept(s tcpdb.ValueSpec, word string) bool {
	for _, v := range s.Enum {
		if rest, ok := strings.CutPrefix(word, v.Value); ok && (rest == "" || v.Next != nil && kept(*v.Next, rest)) {
			return true
		}
	}
	switch s.Kind {
	case tcpdb.FileSpec, tcpdb.DirSpec, tcpdb.ResolverSpec, tcpdb.CommandSpec:
		return true
	}
	return false
}

func offered(a *tcpdb.Arg, word string) bool {
	return kept(a.Spec, word) || slices.ContainsFunc(a.Alt, func(s tcpdb.ValueSpec) bool { return kept(s, word) })
}

// Name is the name of a flag that Tab offers first.
func Name(f *tcpdb.Flag) string {
	for _, s := range f.Names {
		if strings.HasPrefix(s, "--") || len(s) > 2 {
			return s
		}
	}
	if len(f.Names) > 0 {
		return f.Names[0]
	}
	return ""
}

// Ranker returns how Tab ranks the words of a command in a directory, or the
// values of one of its flags, by what the file knows.
func Ranker(file string, now func() time.Time) func(dir string, command *tcpdb.Node, flag *tcpdb.Flag) func(string) int {
	return func(dir string, command *tcpdb.Node, flag *tcpdb.Flag) func(string) int {
		t := Open(file, dir, Command(command, flag), now())
		if t == nil {
			return nil
		}
		return t.Score
	}
}

// Command names the place that a word stands in: a command, or a flag of it
// whose value it is.
func Command(n *tcpdb.Node, f *tcpdb.Flag) string {
	if f != nil {
		return n.Path + " -" + f.ID
	}
	return n.Path
}
