package help

import (
	"slices"
	"strings"
)

// kind is what a section of a text is about, as far as its title tells.
type kind uint8

const (
	other kind = iota
	options
	commands
	arguments
	usage
	examples
	notes // environment, files, exit status: what begins with a dash there is no option
	guides
)

// section is a run of lines under one title.
type section struct {
	title   string
	kind    kind
	indent  int // of the title
	body    int // indent of the first line below it, 0 before that is known
	lines   []Line
	marked  bool     // titles are marked as such
	absl    bool     // "--[no]x: text" says which options take no value
	grouped bool     // one of several groups below the title of a list of commands
	target  []string // the sub-command whose section it is
	called  bool     // it shows how that one is called
	row     int      // indent of that one's row where the section stands below it
}

// sections cuts a text at its titles. Lines before the first title are the
// first section, without a title.
func sections(lines []Line) []section {
	out := []section{{marked: slices.ContainsFunc(lines, func(l Line) bool { return l.Head })}}
	for i, l := range lines {
		cur := &out[len(out)-1]
		if l.Text == "" {
			cur.lines = append(cur.lines, l)
			continue
		}
		if nested(&out, l) {
			continue
		}
		title, rest, ok := heading(lines, i, cur)
		if !ok {
			if cur.body == 0 {
				cur.body = l.Indent
			}
			cur.lines = append(cur.lines, l)
			continue
		}
		next := section{title: title, kind: titleKind(title), indent: l.Indent, marked: cur.marked}
		if _, _, ok := usageTitle(l.Text); ok && next.kind == other {
			next.kind = usage
		}
		if word, ok := aboutCommand(title); ok && !l.Head {
			next.kind, next.target = options, []string{word}
		}
		if next.kind == other && rest == "" && i+1 < len(lines) && strings.HasPrefix(lines[i+1].Text, title+":") && slices.ContainsFunc(out, func(s section) bool { return s.kind == commands }) {
			next.kind, next.grouped = commands, true // "db", with "db:seed" below it
		}
		if next.kind == other && cur.kind == examples && l.Indent > cur.indent && l.Indent >= cur.body {
			next.kind, next.indent, next.body = examples, cur.indent, cur.body
		}
		if next.kind == other && next.marked && l.Indent > 0 {
			next.kind = aside(out, l.Indent)
		}
		if next.kind == other && !cur.marked && cur.kind == commands && l.Indent > cur.indent && l.Indent <= cur.body {
			next.kind, next.grouped = commands, true // a category deeper than the list's title
		}
		if next.kind == other && grouped(cur) && l.Indent >= cur.indent {
			next.kind, next.grouped = commands, true
		}
		if rest != "" {
			next.lines = append(next.lines, Line{No: l.No, Indent: l.Indent + len(l.Text) - len(rest), Text: rest})
		}
		out = append(out, next)
	}
	return out
}

// aside is the kind of the section that one of a manual stands below, if that is
// about no options: what is below examples are examples.
func aside(above []section, indent int) kind {
	for _, sec := range slices.Backward(above) {
		if sec.indent < indent {
			if sec.kind == examples || sec.kind == notes || sec.kind == guides {
				return sec.kind
			}
			break
		}
	}
	return other
}

// grouped reports whether the sections that follow are groups of a list of
// commands, whose own title has nothing below it.
func grouped(s *section) bool {
	if s.kind != commands {
		return false
	}
	return s.grouped || !slices.ContainsFunc(s.lines, func(l Line) bool { return l.Text != "" })
}

// heading reports whether line i is a title, and what follows it on the line.
func heading(lines []Line, i int, cur *section) (title, rest string, ok bool) {
	l := lines[i]
	text := l.Text
	if l.Head {
		return text, "", true
	}
	if c := text[0]; c == '-' || c == Open || l.Tag || cur.marked {
		return "", "", false
	}
	if _, found := aboutCommand(text); found && l.Indent == 0 {
		return text, "", true
	}
	if t, r, found := usageTitle(text); found && (l.Indent <= 8) {
		return t, r, true
	}
	if len(text) > 100 {
		return "", "", false
	}
	follow := nextLine(lines, i)
	if follow < 0 {
		return "", "", false
	}
	next := lines[follow]
	blank := i > 0 && lines[i-1].Text == "" || i == 0
	trimmed := strings.TrimRight(strings.Trim(text, "#*=[]_ "), " ")
	if strings.Trim(trimmed, ": ") == "" {
		return "", "", false
	}
	switch {
	case strings.HasSuffix(trimmed, ":") || strings.HasSuffix(text, ":**"):
		title = strings.TrimRight(trimmed, ":* ")
		if !blank && lower(title[0]) && !introduces(title) && (strings.Count(title, " ") > 1 || titleKind(title) == other && runsOn(lines, i)) {
			return "", "", false // the end of a sentence
		}
		if l.Indent > 0 && announces(text) && slices.ContainsFunc(cur.lines, func(l Line) bool { return rowStart(l.Text) }) {
			return "", "", false // the words of an option's value follow
		}
		if cur.kind == commands && titleKind(title) == other && namesCommand(title) {
			return "", "", false // "edit [PATH]:", with its text below
		}
		deeper := next.Indent > l.Indent || next.Text[0] == '-' && next.Indent == l.Indent || follow > i+1 || titleKind(title) != other && next.Text[0] == '['
		if !deeper || strings.Contains(title, "  ") && !blank || next.Indent == l.Indent && next.Text[0] != '-' && titleKind(title) == other {
			return "", "", false
		}
		if l.Indent > 0 && cur.lines != nil && bodyLine(cur.lines, l, next) {
			return "", "", false
		}
		return title, "", true
	case allCaps(trimmed) && l.Indent <= 4 && len(trimmed) > 2 && (blank || l.Indent == 0) && (next.Indent > l.Indent || text != trimmed || titleKind(trimmed) != other):
		return trimmed, "", true
	case l.Indent <= 2 && blank && next.Indent > l.Indent && len(strings.Fields(text)) <= 7 && !strings.HasSuffix(text, ".") && !strings.Contains(text, "  ") && follow == i+1 && (rowStart(next.Text) || strings.Contains(next.Text, "  ")):
		return trimmed, "", true
	case blank && follow == i+1 && titleKind(text) == commands && wordList(block(lines[i+1:])) != nil:
		return trimmed, "", true
	case text != trimmed && text[0] == '#' && l.Indent == 0:
		return trimmed, "", true
	case titleKind(trimmed) != other && len(strings.Fields(text)) <= 3 && blank && l.Indent <= 2 && next.Indent >= l.Indent && !strings.Contains(text, "  "):
		return trimmed, "", true
	}
	return "", "", false
}

// introduces reports whether a title is the half sentence below a usage line that
// says what one of its words stands for: "where <command> is one of".
func introduces(title string) bool {
	rest, ok := strings.CutPrefix(title, "where ")
	if !ok || titleKind(title) == other {
		return false
	}
	for _, end := range []string{" is one of", " are", " is", " include", " can be", " may be"} {
		if what, ok := strings.CutSuffix(rest, end); ok {
			return strings.Count(what, " ") < 3
		}
	}
	return false
}

// runsOn reports whether line i carries on the paragraph above it.
func runsOn(lines []Line, i int) bool {
	p := lines[i-1]
	return p.Indent == lines[i].Indent && strings.Contains(p.Text, " ") && !rowStart(p.Text) && !strings.HasSuffix(p.Text, ":")
}

// namesCommand reports whether a title is a command, by words in lower case, with
// its arguments, which stand in brackets or capitals.
func namesCommand(title string) bool {
	words := strings.Fields(title)
	n := 0
	for n < len(words) && commandWord(words[n]) {
		n++
	}
	for _, w := range words[n:] {
		if strings.IndexByte("[<{", w[0]) < 0 && !capitals(w) {
			return false
		}
	}
	return n > 0 && n < 4
}

// block is the lines up to the first blank one.
func block(lines []Line) []Line {
	for i, l := range lines {
		if l.Text == "" || i == 200 {
			return lines[:i]
		}
	}
	return lines
}

// bodyLine reports whether a line lies in the text of the row above it: as deep
// as what follows that row. Next is the line below it.
func bodyLine(lines []Line, l, next Line) bool {
	least := l.Indent
	for j := len(lines) - 1; j >= max(0, len(lines)-200); j-- {
		if lines[j].Text == "" {
			continue
		}
		if rowStart(lines[j].Text) && least > lines[j].Indent {
			return l.Indent > lines[j].Indent+2 || j == len(lines)-1 || l.Indent > lines[j].Indent && !rowStart(next.Text)
		}
		if least = min(least, lines[j].Indent); least == 0 {
			return false
		}
	}
	return false
}

// usageTitle recognises the words that begin a usage line, with what follows.
func usageTitle(text string) (title, rest string, ok bool) {
	for _, w := range table("usage titles") {
		if len(text) < len(w) || !strings.EqualFold(text[:len(w)], w) {
			continue
		}
		tail := text[len(w):]
		trimmed := strings.TrimLeft(tail, " ")
		for _, colon := range []string{":", "："} {
			if r, is := strings.CutPrefix(trimmed, colon); is {
				return w, strings.TrimLeft(r, " *"), true
			}
		}
		if trimmed == "" {
			return w, "", true
		}
	}
	return "", "", false
}

func nextLine(lines []Line, i int) int {
	for j := i + 1; j < len(lines) && j < i+6; j++ {
		if lines[j].Text != "" {
			return j
		}
	}
	return -1
}

// rowStart reports whether a line begins as a row of options does.
func rowStart(text string) bool {
	_, _, n := scanName(text)
	return n > 0
}

func allCaps(s string) bool {
	letters := 0
	for i := range len(s) {
		switch c := s[i]; {
		case upper(c):
			letters++
		case lower(c):
			return false
		}
	}
	return letters > 1
}

// titleKind tells what a section is about by the words of its title, in the
// languages that programs are translated to.
func titleKind(title string) kind {
	t := strings.ToLower(title)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(t, w) {
				return true
			}
		}
		return false
	}
	if !strings.Contains(t, " ") && strings.ContainsAny(t, "._") && !has("flag", "option") {
		return other // a module: "frontend.command_query"
	}
	switch {
	case strings.Count(t, " ") > 5 && !strings.HasPrefix(t, "example") && !strings.HasPrefix(t, "for example") && has("example"): // a sentence
		return other
	case has(table("titles of examples")...):
		return examples
	case strings.HasPrefix(t, "usage of "): // Go's flag package
		return options
	case has("usage", "synopsis"):
		return usage
	case t == "topics" || strings.HasSuffix(t, "topics are") && !strings.Contains(t, "help"):
		return commands
	case has(table("titles of guides")...):
		return guides
	case t == "groups", has(table("titles of commands")...) && !has(table("titles that only name a command")...):
		return commands
	case has(table("titles of arguments")...) && !has(table("titles that only name an argument")...):
		return arguments
	case has(table("titles of options")...):
		return options
	case t == "files" || t == "history" || t == "notes" || t == "removed" || t == "no longer supported" || has(table("titles of notes")...):
		return notes
	}
	return other
}
