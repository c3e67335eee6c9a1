package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// withoutWords drops rows whose name is a placeholder in most texts, "file" and
// "command", unless a row of another name beside them shows that commands are
// listed.
func withoutWords(rows []*draft.Node) []*draft.Node {
	isWord := func(n *draft.Node) bool { return otherWord(n.Name) && len(n.Subs) == 0 }
	words := 0
	for _, n := range rows {
		if isWord(n) {
			words++
		}
	}
	if len(rows) > words {
		return rows
	}
	return slices.DeleteFunc(rows, isWord)
}

// aliasLeads are what stands in brackets before other names of a command.
func aliasLeads() []string {
	return []string{"or ", "aliases: ", "alias: ", "alias ", "aka ", "also "}
}

// besideNames takes the other names of a command off the start of its text:
// "gr   (or grow)   - Grow it".
func besideNames(names []string, text string) ([]string, string) {
	in, rest, ok := strings.Cut(strings.TrimPrefix(text, "("), ")")
	if !ok || text[0] != '(' {
		return names, text
	}
	for _, lead := range aliasLeads() {
		list, ok := strings.CutPrefix(in, lead)
		if !ok {
			continue
		}
		var others []string
		for w := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ' ' || r == ',' || r == '|' }) {
			if w = strings.Trim(w, "'\"`"); w == "or" {
				continue
			}
			if !commandShape(w) {
				return names, text
			}
			others = append(others, w)
		}
		return append(names, others...), strings.TrimLeft(rest, " -")
	}
	return names, text
}

// pathRows are the rows of a list that give the whole words of commands below
// other commands, "frob grow leaf  Add one": by the number of the line the words
// behind the command's own. Words that several rows share as their first are
// commands of which the next are sub-commands.
func pathRows(lines []Line, path []string) map[int][]string {
	if len(path) == 0 {
		return nil
	}
	rows, second := map[int][]string{}, map[string]map[string]bool{}
	for i, l := range lines {
		left, _, gap := strings.Cut(bare(l.Text), "  ")
		if !gap || !strings.HasPrefix(left, path[0]+" ") {
			continue
		}
		var words []string
		for w := range strings.FieldsSeq(dropPath(left, path)) {
			if !commandShape(w) {
				break
			}
			words = append(words, w)
		}
		if len(words) < 2 || len(words) > 4 {
			continue
		}
		rows[i] = words
		if second[words[0]] == nil {
			second[words[0]] = map[string]bool{}
		}
		second[words[0]][words[1]] = true
	}
	for i, words := range rows {
		if len(second[words[0]]) < 2 {
			delete(rows, i)
		}
	}
	return rows
}

// addChain adds the command that a row gives the words of to those of a list.
func addChain(list []*draft.Node, words []string, l Line) []*draft.Node {
	at := draft.Place{Source: draft.Help, Line: l.No}
	root := draft.Node{Subs: list}
	n := &root
	for _, w := range words {
		n = n.AddSub(w, at)
	}
	_, text, _ := strings.Cut(l.Text, "  ")
	n.Description = strings.TrimSpace(text)
	return root.Subs
}

// uncategorised takes the titles of categories out of a list of commands, whose
// rows stand deeper than those of the list itself, and moves those rows as far
// left as their title:
//
//	tide    Go with it
//
//	ocean:
//	  dive    Go down
func uncategorised(lines []Line, path []string) []Line {
	var out []Line
	title, shift := -1, 0 // indent of the open category's title, and how far its rows move
	for i, l := range lines {
		if l.Text != "" && title >= 0 && l.Indent <= title {
			title, shift = -1, 0
		}
		if rows := categoryRows(lines, i, path); rows > 0 && (title < 0 || shift == 0) {
			if out == nil {
				out = append(make([]Line, 0, len(lines)), lines[:i]...)
			}
			title, shift = l.Indent, rows
			out = append(out, Line{No: l.No})
			continue
		}
		if out != nil {
			if l.Text != "" {
				l.Indent -= shift
			}
			out = append(out, l)
		}
	}
	if out == nil {
		return lines
	}
	return out
}

// categoryRows is how much deeper than line i the rows are whose category it
// names, 0 if it names none: words with a colon behind them and, right below,
// rows with their texts beside them.
func categoryRows(lines []Line, i int, path []string) int {
	l := lines[i]
	title, ok := strings.CutSuffix(l.Text, ":")
	if !ok || l.Tag || l.Head || rowStart(l.Text) || strings.Contains(title, "  ") || strings.ContainsAny(title, "[<{|") {
		return 0
	}
	j := nextLine(lines, i)
	if j < 0 || lines[j].Indent <= l.Indent || !strings.Contains(lines[j].Text, "  ") {
		return 0
	}
	if _, ok := commandRow(lines[j], path, false); !ok {
		return 0
	}
	return lines[j].Indent - l.Indent
}

// formRow reads a row that shows how a command is called and has no text: "amend
// [-q] [-f fmt] filename".
func formRow(row string, l Line, path []string) (*draft.Node, bool) {
	name, rest, _ := strings.Cut(dropPath(row, path), " ")
	if !commandWord(name) || rest == "" || strings.IndexByte("[<({", rest[0]) < 0 || balanced(rest, 0) == 0 || !strings.Contains(rest, "[-") {
		return nil, false
	}
	at := draft.Place{Source: draft.Help, Line: l.No}
	n := &draft.Node{Name: name, At: at}
	if f, ok := readForm(entry{l.No, rest}, nil); ok {
		f.Subs, f.Others = nil, nil
		addForms(n, []Form{f}, false, draft.Help)
	}
	return n, true
}
