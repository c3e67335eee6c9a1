package machine

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
	"github.com/tool-mapping-protocol/tmp/internal/discover/man"
	"github.com/tool-mapping-protocol/tmp/internal/discover/question"
)

// names are the commands of a program by the places that name them. What a
// program prints of itself comes first: where its help lists commands, a word
// that stands in another text alone (an example of a manual, a topic with a page
// of its own, a completion script of another version) is not run.
type names struct {
	tool string
	// printed are those that the program printed, written those of other texts, by
	// the words from the root on.
	printed, written map[string]question.Verb
	listed           map[string]bool // commands whose own help lists some
}

func newNames(tool string) *names {
	return &names{tool: tool, printed: map[string]question.Verb{}, written: map[string]question.Verb{}, listed: map[string]bool{}}
}

// help takes what a command printed.
func (n *names) help(path []string, text string) {
	t := question.NewText("the help of "+n.named(path), help.Lines(text))
	n.each(discover.Texts{Nodes: []discover.Text{{Path: path, Help: text}}}, path, func(above, word string, line int) {
		if v, ok := t.Verb(word, line); ok {
			remember(n.printed, above, v)
			n.listed[above] = true
		}
	})
}

// manual takes the manual page of a command.
func (n *names) manual(path []string, page []byte, include func(string) []byte) {
	t := question.NewText("the manual page of "+n.named(path), man.Lines(page, include))
	n.each(discover.Texts{Nodes: []discover.Text{{Path: path, Man: page, Include: include}}}, path, func(above, word string, line int) {
		if v, ok := t.Verb(word, line); ok {
			remember(n.written, above, v)
		}
	})
}

// script takes a completion script; texts holds it alone.
func (n *names) script(of, text string, texts discover.Texts) {
	t := question.NewText("the completion script "+of, help.Lines(text))
	n.each(texts, nil, func(above, word string, line int) {
		if v, ok := t.From(word, line); ok {
			remember(n.written, above, v)
		}
	})
}

func (n *names) named(path []string) string {
	return strings.Join(append([]string{n.tool}, path...), " ")
}

func remember(into map[string]question.Verb, above string, v question.Verb) {
	key := strings.TrimPrefix(above+" "+v.Word(), " ")
	if _, have := into[key]; !have {
		into[key] = v
	}
}

// each calls note for the names of the commands that a text, read alone, lists
// below a path, with the words above them and the line.
func (n *names) each(texts discover.Texts, path []string, note func(above, word string, line int)) {
	texts.Tool = n.tool
	node, _ := discover.Parse(texts)
	for _, word := range path {
		if node = node.Sub(word); node == nil {
			return
		}
	}
	var walk func(d *draft.Node, above []string)
	walk = func(d *draft.Node, above []string) {
		for _, sub := range d.Subs {
			for _, word := range append([]string{sub.Name}, sub.Aliases...) {
				if !badName(word) {
					note(strings.Join(above, " "), word, sub.At.Line)
				}
			}
			walk(sub, append(slices.Clone(above), sub.Name))
		}
	}
	walk(node, path)
}

// command returns the verbs of a command; ok is false if one of its words is
// named nowhere, or only where that does not count.
func (n *names) command(words []string) (command []question.Verb, ok bool) {
	for i := range words {
		key := strings.Join(words[:i+1], " ")
		v, ok := n.printed[key]
		if !ok && !n.listed[strings.Join(words[:i], " ")] {
			v, ok = n.written[key]
		}
		if !ok {
			return nil, false
		}
		command = append(command, v)
	}
	return command, true
}
