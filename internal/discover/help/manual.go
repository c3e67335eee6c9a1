package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// commandTitles aims the sections of a manual that are about one command each:
// sub-sections of a section of commands that a command names, and sections that
// begin by showing how a command of the program is called, "nmcli general
// { status | hostname }".
func commandTitles(secs []section, path []string) {
	below := false // a section of commands
	called := calledCommands(secs, path)
	for i := range secs {
		sec := &secs[i]
		if name := optionsOf(sec.title, called); name != "" && sec.target == nil {
			sec.target, sec.kind = []string{name}, options
			continue
		}
		if sec.target == nil && sec.indent > 0 && commandWord(sec.title) && len(path) > 0 && showsCall(sec.lines, append(slices.Clone(path), sec.title)) {
			sec.target, sec.kind, sec.called = []string{sec.title}, options, true
			continue
		}
		if sec.indent == 0 {
			below = sec.kind == commands
			if below && sec.target == nil {
				sec.target = shownCommand(sec.lines, path)
			}
			continue
		}
		if name, _, _ := strings.Cut(sec.title, ","); below && sec.target == nil && commandWord(sec.title) || strings.Contains(sec.title, ", ") && below && !strings.Contains(name, " ") && commandWord(name) {
			sec.target, sec.kind = []string{name}, other
		}
	}
}

// calledCommands are the words behind the program's name in its synopsis.
func calledCommands(secs []section, path []string) map[string]bool {
	called := map[string]bool{}
	for i := range secs {
		if secs[i].kind != usage {
			continue
		}
		forms, _ := Forms(secs[i].lines, path)
		for _, f := range forms {
			if len(f.Subs) > 0 {
				called[f.Subs[0]] = true
			}
			for _, w := range f.Others {
				called[w] = true
			}
		}
	}
	return called
}

// optionsOf is the command of the synopsis whose options a title such as "'ADD'
// OPTIONS" or "Options for add" announces, "" if it names none.
func optionsOf(title string, called map[string]bool) string {
	if len(called) == 0 || titleKind(title) != options {
		return ""
	}
	name := ""
	for w := range strings.FieldsSeq(strings.ToLower(title)) {
		switch w = strings.Trim(w, "'\"`():,"); {
		case titleKind(w) == options || w == "for" || w == "of" || w == "the" || w == "command" || w == "subcommand":
		case called[w] && name == "":
			name = w
		default:
			return ""
		}
	}
	return name
}

// showsCall reports whether one of the first lines of a section shows how the
// command is called whose words these are.
func showsCall(lines []Line, words []string) bool {
	seen := 0
	for _, l := range lines {
		if l.Text == "" {
			continue
		}
		if fields := strings.Fields(plainForm(l.Text, words[:1])); len(fields) >= len(words) && slices.Equal(fields[:len(words)], words) {
			return true
		}
		if seen++; seen > 8 {
			break
		}
	}
	return false
}

// shownCommand is the command whose own commands a section lists, if its first
// line shows them.
func shownCommand(lines []Line, path []string) []string {
	for _, l := range lines {
		if l.Text == "" {
			continue
		}
		words := strings.Fields(plainForm(l.Text, path))
		n := len(path)
		if len(words) > n+1 && slices.Equal(words[:n], path) && commandWord(words[n]) && words[n+1][0] == '{' {
			return words[n : n+1]
		}
		break
	}
	return nil
}

// commandOptions adds what stands below the row of a command in a manual: the
// command's own options, and those that the row itself shows.
func commandOptions(n *draft.Node, sec *section, path []string, from draft.Source) {
	indent := rowIndent(sec.lines, path)
	shared := map[string]int{} // rows that begin with a word: "role add", "role remove"
	for _, l := range sec.lines {
		if l.Tag && l.Indent <= indent {
			first, _, _ := strings.Cut(dropPath(bare(l.Text), path), " ")
			shared[first]++
		}
	}
	var sub *draft.Node
	var body []Line
	end := func() {
		if sub != nil && slices.ContainsFunc(body, func(l Line) bool { return l.Tag && rowStart(l.Text) }) {
			addRows(sub, &section{kind: options, lines: body, marked: true}, from)
		}
		sub, body = nil, nil
	}
	for i, l := range sec.lines {
		if !l.Tag || l.Indent > indent {
			body = append(body, l)
			continue
		}
		end()
		row, ok := commandRow(l, path, nextDeeper(sec.lines, i))
		if !ok {
			continue
		}
		if sub = n.Sub(row.Name); sub == nil {
			continue
		}
		if words := strings.Fields(dropPath(bare(l.Text), path)); shared[words[0]] > 1 && len(words) > 1 && commandWord(words[1]) {
			sub = sub.AddSub(words[1], draft.Place{Source: from, Line: l.No})
		}
		if f, ok := readForm(entry{l.No, dropPath(plainForm(l.Text, path), path)}, nil); ok && strings.Contains(l.Text, "[-") {
			f.Subs = nil
			defer addForms(sub, []Form{f}, false, from)
		}
	}
	end()
}

// pageName takes the name of a command's own page apart: "frob-add(1)".
func pageName(left string, path []string) string {
	if len(path) == 0 || len(left) < 5 || left[len(left)-1] != ')' || left[len(left)-3] != '(' && !strings.HasSuffix(left, "ssl)") {
		return left
	}
	name, ok := strings.CutPrefix(left[:strings.LastIndexByte(left, '(')], strings.Join(path, "-")+"-")
	if !ok {
		return left
	}
	return name
}

// nestPages puts the commands whose page's name shows that they are below another
// command, "frob-tide-clean(1)", below it: the text names that command by its
// words, "frob tide", and lists no page of its own for it.
func nestPages(n *draft.Node, lines []Line, path []string) {
	if len(path) == 0 || !slices.ContainsFunc(n.Subs, func(s *draft.Node) bool { return strings.Contains(s.Name, "-") && len(s.Subs) == 0 }) {
		return
	}
	named := map[string]bool{}
	lead := strings.Join(path, " ") + " "
	for _, l := range lines {
		for text := l.Text; ; {
			_, after, ok := strings.Cut(text, lead)
			if !ok {
				break
			}
			end := strings.IndexAny(after+".", " .,;:()'\"\x01\x02\x03\x04")
			if end == len(after) || after[end] != ' ' {
				named[after[:end]] = true // and not the start of a sentence
			}
			text = after[end:]
		}
	}
	var subs []*draft.Node
	for _, s := range n.Subs {
		first, rest, ok := strings.Cut(s.Name, "-")
		if !ok || !named[first] || named[s.Name] || n.Sub(first) != nil || !commandWord(rest) {
			subs = append(subs, s)
			continue
		}
		above := draft.Node{Subs: subs}
		parent := above.AddSub(first, s.At)
		s.Name = rest
		parent.Merge(&draft.Node{Subs: []*draft.Node{s}})
		subs = above.Subs
	}
	n.Subs = subs
}

// seenCommands adds the commands of a manual that are shown with what follows
// them and sent to a page of their own: "luksKillSlot <device> <slot>", its text,
// and "See cryptsetup-luksKillSlot(8)."
func seenCommands(n *draft.Node, lines []Line, path []string, from draft.Source) {
	for i, l := range lines {
		page, ok := strings.CutPrefix(bare(l.Text), "See ")
		if !ok {
			continue
		}
		page = strings.TrimRight(page, ".")
		name := pageName(page, path)
		if name == page || !commandWord(name) {
			continue
		}
		for j := i - 1; j >= max(0, i-40); j-- {
			form := bare(lines[j].Text)
			if lines[j].Indent < l.Indent && form != "" {
				break // the title above
			}
			if word, _, _ := strings.Cut(form, " "); word != name {
				continue
			}
			sub := n.AddSub(name, draft.Place{Source: from, Line: lines[j].No})
			for _, below := range lines[j+1 : i] {
				if below.Text != "" && sub.Description == "" {
					sub.Description = sentence(bare(below.Text))
				}
			}
			break
		}
	}
}
