package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// nested puts a line into the section of a command that is told about below its
// own row, as JCommander does:
//
//	add      Add one
//	  Usage: add [options]
//	    Options:
//	      --all
//
// It reports whether it did. The section ends with the next row.
func nested(out *[]section, l Line) bool {
	cur := &(*out)[len(*out)-1]
	if cur.marked {
		return false
	}
	if cur.row > 0 {
		if l.Indent > cur.row {
			cur.lines = append(cur.lines, l)
			return true
		}
		if l.Indent == cur.row {
			*out = append(*out, section{title: "commands", kind: commands, indent: cur.indent, body: l.Indent, lines: []Line{l}})
			return true
		}
		return false
	}
	_, form, ok := usageTitle(l.Text)
	if !ok || cur.kind != commands {
		return false
	}
	for i := len(cur.lines) - 1; i >= 0; i-- {
		row := cur.lines[i]
		if row.Text == "" {
			continue
		}
		name, _, _ := strings.Cut(row.Text, " ")
		if row.Indent == 0 || l.Indent <= row.Indent || !commandWord(name) || !strings.HasPrefix(form+" ", name+" ") {
			return false
		}
		*out = append(*out, section{title: name, kind: options, indent: cur.indent, body: l.Indent, target: []string{name}, row: row.Indent})
		return true
	}
	return false
}

// usageTargets aims sections below usage lines of their own: a text that shows
// how a sub-command is called after it listed options tells of that one's next.
func usageTargets(secs []section, path []string) {
	if len(path) == 0 || len(secs) == 0 || secs[0].marked {
		return
	}
	listed := false // options below a usage line
	var target []string
	for i := range secs {
		sec := &secs[i]
		if sec.kind != usage {
			listed = listed || sec.kind == options
			if target != nil && sec.target == nil && (sec.kind == options || sec.kind == arguments || sec.kind == other) {
				sec.target = target
			}
			continue
		}
		target = nil
		if !listed {
			continue
		}
		forms, _ := Forms(sec.lines, path)
		if len(forms) == 1 && len(forms[0].Subs) == 1 && len(forms[0].Others) == 0 {
			target = forms[0].Subs
			sec.target = target
		}
	}
}

// aboutCommand is the command that a title such as "Command: update [options]"
// is about.
func aboutCommand(title string) (string, bool) {
	form, ok := strings.CutPrefix(title, "Command: ")
	name, rest, _ := strings.Cut(form, " ")
	return name, ok && commandWord(name) && (rest == "" || argumentish(strings.Fields(rest)))
}

// rowOptions gives a command the options that stand below its own row:
//
//	install   [name...]   Install them
//	          [-d, --deps]   Only what they need
func rowOptions(n *draft.Node, sec *section, path []string, from draft.Source) {
	indent := rowIndent(sec.lines, path)
	var sub *draft.Node
	var body []Line
	end := func() {
		if sub != nil && len(body) > 0 {
			addRows(sub, &section{kind: options, lines: body, absl: sec.absl}, from)
		}
		sub, body = nil, nil
	}
	for i, l := range sec.lines {
		switch {
		case l.Text == "":
		case l.Indent == indent:
			end()
			if row, ok := commandRow(l, path, nextDeeper(sec.lines, i)); ok {
				sub = n.Sub(row.Name)
			}
		case l.Indent < indent:
			end()
		case len(body) > 0 || rowStart(l.Text) || strings.HasPrefix(l.Text, "[-"):
			body = append(body, l)
		}
	}
	end()
}

// rightAligned reads rows of commands whose names end at one column and begin at
// many.
func rightAligned(lines []Line, path []string) []*draft.Node {
	var out []*draft.Node
	column := -1
	begins := map[int]bool{}
	for _, l := range lines {
		if l.Text == "" {
			continue
		}
		gap := strings.Index(l.Text, "  ")
		if gap < 0 && l.Indent == 0 && len(out) > 0 {
			break
		}
		if gap < 0 || column >= 0 && l.Indent+gap != column {
			return nil
		}
		column = l.Indent + gap
		begins[l.Indent] = true
		if n, ok := commandRow(l, path, false); ok {
			out = append(out, n)
		}
	}
	if len(begins) < 3 {
		return nil
	}
	return out
}

// overflowed takes the first word behind the names for their value where it is
// the value of other rows: the row is so long that one blank parts it from its
// text, "-nocreationpartial xxx add a pattern".
func (s *Spec) overflowed(words map[string]int) {
	word, rest, _ := strings.Cut(s.Rest, " ")
	if s.Arity != draft.Unsaid || s.Gap != 1 || words[word] < 3 || rest == "" {
		return
	}
	s.Arity, s.Metavar = draft.Required, word
	s.RestAt += len(s.Rest) - len(strings.TrimLeft(rest, " "))
	s.Rest = strings.TrimLeft(rest, " ")
}
