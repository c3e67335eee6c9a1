package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// subCommands reads the rows of a section that lists commands.
func subCommands(sec *section, path []string) []*draft.Node {
	if out := bullets(sec.lines); len(out) > 0 {
		return out
	}
	if out := wordList(sec.lines); len(out) > 0 {
		return out
	}
	if out := commandTree(sec.lines); len(out) > 0 {
		return out
	}
	if out := rightAligned(sec.lines, path); len(out) > 0 {
		return out
	}
	indent := rowIndent(sec.lines, path)
	chains := pathRows(sec.lines, path)
	var out []*draft.Node
	for i, l := range sec.lines {
		if words := chains[i]; words != nil {
			out = addChain(out, words, l)
			continue
		}
		if l.Text == "" || l.Indent != indent {
			if l.Text != "" && l.Indent < indent && l.Indent <= sec.indent && i > 0 && len(out) > 0 {
				break
			}
			if n := len(out); n > 0 && l.Text != "" && l.Indent > indent && !rowStart(l.Text) {
				joinText(out[n-1], l.Text)
			}
			continue
		}
		if sec.marked && !l.Tag {
			continue
		}
		if n, ok := commandRow(l, path, nextDeeper(sec.lines, i)); ok {
			out = append(out, n)
		}
	}
	for _, n := range out {
		markedAliases(n)
	}
	return withoutWords(out)
}

// markedAliases takes the names that a command's text gives in brackets:
// "List them  [aliases: ls, la]".
func markedAliases(n *draft.Node) {
	for _, lead := range []string{"[aliases: ", "[alias: "} {
		_, in, _ := strings.Cut(n.Description, lead)
		in, _, ok := strings.Cut(in, "]")
		if !ok {
			continue
		}
		for w := range strings.SplitSeq(in, ",") {
			if w = strings.TrimSpace(w); commandWord(w) && !slices.Contains(n.Aliases, w) {
				n.Aliases = append(n.Aliases, w)
			}
		}
	}
}

func joinText(n *draft.Node, text string) {
	if len(n.Description) < 400 {
		n.Description = strings.TrimSpace(n.Description + " " + text)
	}
}

func nextDeeper(lines []Line, i int) bool {
	j := nextLine(lines, i)
	return j == i+1 && lines[j].Indent > lines[i].Indent
}

// rowIndent is where the rows of a list of commands begin: the indent that most
// lines have that look like one.
func rowIndent(lines []Line, path []string) int {
	votes := map[int]int{}
	for i, l := range lines {
		if l.Text == "" {
			continue
		}
		if l.Tag { // a manual's commands are the tags that stand farthest left
			return l.Indent
		}
		if _, ok := commandRow(l, path, nextDeeper(lines, i)); ok {
			votes[l.Indent]++
		}
	}
	best, most := -1, 0
	for at, n := range votes {
		if n > most || n == most && at < best {
			best, most = at, n
		}
	}
	return best
}

// commandRow reads one row: names with aliases, arguments, then the text behind
// a wide gap or a dash.
func commandRow(l Line, path []string, deeper bool) (*draft.Node, bool) {
	text := strings.TrimLeft(bare(l.Text), "*+ ")
	if name, rest, _ := strings.Cut(text, " "); len(text) < len(bare(l.Text)) && !endsBullet(name, rest) {
		return nil, false
	}
	left, right, found := strings.Cut(text, "  ")
	right = strings.TrimLeft(right, " ")
	if !found {
		for _, sep := range []string{" - ", " -- ", " — ", " – ", ": ", " : "} {
			if a, b, ok := strings.Cut(text, sep); ok && (strings.Count(a, " ") < 3 || sep == " - ") {
				left, right, found = a, strings.TrimSpace(b), true
				break
			}
		}
	}
	left = strings.Trim(left, " :")
	right = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(right, "- "), "-- "), ": ")
	if !found && strings.Contains(left, " ") && !deeper && !l.Tag {
		if a, b, ok := oneGap(left); ok {
			left, right = a, b
		} else if n, ok := formRow(left, l, path); ok {
			return n, true
		} else {
			return nil, false
		}
	}
	left = pageName(dropPath(left, path), path)
	for _, lead := range aliasLeads() {
		left = strings.Replace(left, "("+lead, "(", 1) // "status (or st)"
	}
	names, ok := rowNames(left)
	if !ok && found && right != "" && commandShape(left) {
		names, ok = []string{left}, true // "file      Choose one"
	}
	if !ok {
		return nil, false
	}
	names, right = besideNames(names, right)
	return &draft.Node{Name: names[0], Aliases: names[1:], Description: right, At: draft.Place{Source: draft.Help, Line: l.No}}, true
}

// oneGap splits a row whose name, with its arguments, is so long that one blank
// follows it: "disable-linger [USER...] Disable lingering".
func oneGap(text string) (string, string, bool) {
	name, rest, _ := strings.Cut(text, " ")
	if !commandWord(name) {
		return "", "", false
	}
	for rest != "" {
		word := rest[:wordEnd(rest, 0)]
		if word == "" || strings.IndexByte("[<{", word[0]) < 0 && (!capitals(word) || len(word) < 2 || acronym(word)) {
			break
		}
		rest = strings.TrimLeft(rest[len(word):], " ")
	}
	left := strings.TrimRight(text[:len(text)-len(rest)], " ")
	sentence := strings.Contains(rest, " ") && upper(rest[0])
	return left, rest, len(left) > 9 && (rest == "" || sentence)
}

// dropPath takes the command's own words off a row: "git remote add <name>".
func dropPath(left string, path []string) string {
	if len(path) > 0 && strings.Contains(path[0], "-") { // git-lfs is called as "git lfs"
		left = strings.TrimPrefix(left, strings.ReplaceAll(path[0], "-", " ")+" ")
	}
	for i, word := range path {
		after, ok := strings.CutPrefix(left, word+" ")
		after = strings.TrimLeft(after, " ")
		if next, _, _ := strings.Cut(after, " "); !ok || i > 0 && !commandShape(strings.TrimRight(next, ",*:")) {
			if i == 0 && len(path) > 1 {
				continue // the program's own name is left out
			}
			break
		}
		left = after
	}
	return left
}

// rowNames reads the names of a row: "build, b", "remove|rm", "add ARGS…",
// "list (ls)".
func rowNames(left string) ([]string, bool) {
	var names []string
	fields := strings.Fields(left)
	for i, w := range fields {
		more := strings.HasSuffix(w, ",") || i+1 < len(fields) && (fields[i+1] == "|" || fields[i+1] == "or" || fields[i+1] == "," || aliasList(fields[i+1:]))
		if w == "|" || w == "or" || w == "," {
			continue
		}
		if i > 0 {
			w = strings.TrimSuffix(strings.TrimPrefix(w, "("), ")")
		}
		for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == ',' || r == '|' || r == '/' && i == 0 }) {
			part = strings.Trim(part, "\x01\x02`'\"*")
			if !commandWord(part) && (len(part) != 1 || len(names) == 0) { // "add|a"
				if len(names) == 0 {
					return nil, false
				}
				return names, true
			}
			if !slices.Contains(names, part) {
				names = append(names, part)
			}
		}
		if !more {
			// What follows are arguments, unless it is running text.
			if len(names) == 1 && i+1 < len(fields) && !argumentish(fields[i+1:]) {
				return nil, false
			}
			break
		}
	}
	return names, len(names) > 0
}

// aliasList reports whether the words behind a name are other names of it in
// brackets that end the row: "(ls)", "(delete, del, rm)".
func aliasList(words []string) bool {
	in, ok := strings.CutPrefix(strings.Join(words, " "), "(")
	if !ok || !strings.HasSuffix(in, ")") {
		return false
	}
	for w := range strings.SplitSeq(strings.TrimSuffix(in, ")"), ",") {
		if w = strings.TrimSpace(w); w == "default" || w == "deprecated" || w == "experimental" || !commandWord(w) && w != "file" && w != "files" {
			return false
		}
	}
	return true
}

// argumentish reports whether the words behind a command's name are arguments:
// the first in brackets or capitals, or a single word.
func argumentish(words []string) bool {
	w := words[0]
	return strings.IndexByte("[<({-\x01'\"+@&", w[0]) >= 0 || capitals(w) || strings.HasSuffix(w, "...") || len(words) <= 2 && commandWord(w) || w == "|"
}

// bullets reads a list of names, each behind a mark.
func bullets(lines []Line) []*draft.Node {
	var out []*draft.Node
	others := 0
	for _, l := range lines {
		name := ""
		for _, mark := range []string{"o ", "* ", "+ ", "- ", "• ", "· "} {
			if after, ok := strings.CutPrefix(l.Text, mark); ok {
				rest := ""
				if name, rest, _ = strings.Cut(strings.TrimSpace(after), " "); !endsBullet(name, rest) {
					name = ""
				}
				break
			}
		}
		switch {
		case name != "" && commandWord(strings.TrimRight(name, ":,")):
			out = append(out, &draft.Node{Name: strings.TrimRight(name, ":,"), At: draft.Place{Source: draft.Help, Line: l.No}})
		case l.Text != "":
			others++
		}
	}
	if others > len(out) {
		return nil
	}
	return out
}

// endsBullet reports whether a name behind a mark stands for itself: what
// follows is set apart from it or is an argument, and not running text.
func endsBullet(name, rest string) bool {
	return rest == "" || strings.HasSuffix(name, ":") || strings.HasSuffix(name, ",") || strings.IndexByte(" -:(=[<{|\x01", rest[0]) >= 0 || capitals(strings.Fields(rest)[0])
}

// wordList reads names that fill the lines, with commas or in columns.
func wordList(lines []Line) []*draft.Node {
	var names []string
	commas, words, total := 0, 0, 0
	at := draft.Place{Source: draft.Help}
	for _, l := range lines {
		if l.Text == "" {
			if total > 0 && commas == 0 && words == 0 {
				break
			}
			if commas > 3 {
				break
			}
			continue
		}
		if at.Line == 0 {
			at.Line = l.No
		}
		commas += strings.Count(l.Text, ",")
		for w := range strings.FieldsFuncSeq(l.Text, func(r rune) bool { return r == ' ' || r == ',' }) {
			total++
			if commandWord(w) || w == "[" || w == "[[" {
				words++
				names = append(names, w)
			}
		}
	}
	columns := total >= 8 && manyColumns(lines)
	if total == 0 || words < total-2 || commas < total/2 && !columns {
		return nil
	}
	var out []*draft.Node
	for _, n := range names {
		out = append(out, &draft.Node{Name: n, At: at})
	}
	return out
}

// manyColumns reports whether most lines hold three or more words that stand
// apart from each other.
func manyColumns(lines []Line) bool {
	n, wide := 0, 0
	for _, l := range lines {
		if l.Text == "" {
			continue
		}
		n++
		if strings.Count(collapse(l.Text), "  ") >= 2 && strings.Count(l.Text, " ")-strings.Count(l.Text, "  ") >= 0 {
			wide++
		}
	}
	return wide*3 >= n*2
}

// collapse makes every gap two blanks.
func collapse(s string) string {
	for strings.Contains(s, "   ") {
		s = strings.ReplaceAll(s, "   ", "  ")
	}
	return s
}
