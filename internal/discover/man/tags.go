package man

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// tags marks paragraphs that serve as tags: they begin with a dash and the next
// line is deeper.
func tags(lines []help.Line) {
	for i := range lines {
		l := &lines[i]
		if rest, ok := strings.CutPrefix(l.Text, "• "); ok && (strings.HasPrefix(rest, "-") && strings.HasSuffix(rest, ":") || optionItem(rest, lines[i+1:])) {
			l.Text, l.Tag, l.Indent = rest, true, l.Indent-listStep
			continue
		}
		if rest, ok := strings.CutPrefix(l.Text, "\x03[-"); ok { // "[--dbname=]NAME"
			l.Text = "[-" + strings.Replace(rest, "\x04", "", 1)
		}
		if rest, ok := strings.CutPrefix(l.Text, "[!] -"); ok { // iptables: what may be inverted
			l.Text = "-" + rest
		}
		if strings.HasPrefix(l.Text, `"-`) && strings.Count(l.Text, `"`) == 2 && strings.HasSuffix(l.Text, `"`) && l.Tag {
			l.Text = strings.Trim(l.Text, `"`)
		}
		if l.Text == "" || l.Text[0] != '-' || l.Tag {
			continue
		}
		for _, next := range lines[i+1:] {
			if next.Text != "" {
				l.Tag = next.Indent > l.Indent
				break
			}
		}
	}
}

// optionItem reports whether an item of a list is the names of an option, with a
// paragraph about it to follow, as the manual pages of MariaDB have them.
func optionItem(item string, below []help.Line) bool {
	fields := strings.Fields(strings.Map(func(r rune) rune {
		if r == openBold || r == closeBold {
			return -1
		}
		return r
	}, item))
	if len(fields) == 0 || len(fields[0]) < 2 || fields[0][0] != '-' || fields[0] == strings.ToUpper(fields[0]) && len(fields[0]) > 2 || len(below) < 2 || below[0].Text != "" || below[1].Head {
		return false
	}
	return !slices.ContainsFunc(fields, func(f string) bool {
		return f[0] != '-' && f[0] != '[' && f[0] != help.Open && strings.ToUpper(f) != f
	})
}

// listedCommands marks the items of a list of commands, "• drop db_name" with a
// paragraph about it to follow, below a sentence that says that they are that.
func listedCommands(lines []help.Line) {
	intro := -1
	for i := range lines {
		l := &lines[i]
		text := strings.ToLower(l.Text)
		switch {
		case l.Head || l.Indent < bodyIndent && l.Text != "":
			intro = -1
		case l.Indent == bodyIndent && l.Text != "":
			if intro = -1; strings.Contains(text, "the following commands") && strings.HasSuffix(strings.TrimSuffix(text, "."), "commands") ||
				strings.Contains(text, "supports the following commands.") {
				intro = i
			}
		case intro >= 0:
			item, ok := strings.CutPrefix(l.Text, "• ")
			if !ok || i+2 >= len(lines) || lines[i+1].Text != "" || !commandItem(item) {
				continue
			}
			l.Text, l.Tag, l.Indent = item, true, l.Indent-listStep+1
			if in := &lines[intro]; !in.Head {
				in.Text, in.Head = "Commands:", true
			}
		}
	}
}

// commandItem reports whether an item is a command, with places for its arguments.
func commandItem(item string) bool {
	fields := strings.Fields(item)
	if len(fields) == 0 || !('a' <= fields[0][0] && fields[0][0] <= 'z') || strings.ContainsFunc(fields[0], func(r rune) bool {
		return r != '-' && r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) {
		return false
	}
	return !slices.ContainsFunc(fields[1:], func(f string) bool {
		return f[0] != help.Open && f[0] != '[' && f[0] != '<' && f[0] != '.' && f[0] != ','
	})
}

// commandTags marks paragraphs of a section of commands that begin with a bold
// word and have deeper text below them, as DocBook makes of a list.
func commandTags(lines []help.Line) {
	inside := false
	for i := range lines {
		l := &lines[i]
		if l.Head {
			if l.Indent == 0 {
				title := strings.ToLower(l.Text)
				inside = strings.Contains(title, "command") && !strings.Contains(title, "line") && !strings.Contains(title, "option")
			}
			continue
		}
		if !inside && l.Indent == bodyIndent && announcesCommands(l.Text) && i+2 < len(lines) && lines[i+1].Text == "" && strings.HasPrefix(lines[i+2].Text, "\x03") {
			inside, l.Text, l.Head, l.Indent = true, "Commands:", true, bodyIndent-listStep
			continue
		}
		if inside && l.Tag {
			l.Text = withoutRemark(l.Text)
		}
		if !inside || l.Tag || l.Text == "" || l.Text[0] != openBold || i > 0 && lines[i-1].Text != "" && !lines[i-1].Head {
			continue
		}
		if end := strings.IndexByte(l.Text, closeBold); end < 0 || strings.Contains(l.Text[:end], " ") || strings.HasSuffix(l.Text[:end], ":") {
			continue
		}
		l.Tag = i+1 < len(lines) && lines[i+1].Text != "" && lines[i+1].Indent > l.Indent
	}
}

// announcesCommands reports whether a paragraph leads to a list of commands.
func announcesCommands(text string) bool {
	low := strings.ToLower(plain(text))
	return len(low) < 160 && (strings.Contains(low, "one of the commands below must be") || strings.Contains(low, "one of the following commands must be") ||
		strings.HasSuffix(low, "the following commands are available:") || strings.HasSuffix(low, "available commands are:"))
}

// withoutRemark is a tag without what it says in brackets at the end: "(deprecated)".
func withoutRemark(tag string) string {
	if at := strings.LastIndex(tag, " ("); at > 0 && strings.HasSuffix(tag, ")") && strings.HasSuffix(strings.ToLower(tag), "deprecated)") {
		return tag[:at]
	}
	return tag
}
