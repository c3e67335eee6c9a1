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
	for i := range secs {
		sec := &secs[i]
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
			defer addForms(sub, []Form{f}, from)
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
