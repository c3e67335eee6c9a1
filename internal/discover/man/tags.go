package man

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// tags marks paragraphs that serve as tags: they begin with a dash and the next
// line is deeper.
func tags(lines []help.Line) {
	for i := range lines {
		l := &lines[i]
		if rest, ok := strings.CutPrefix(l.Text, "• -"); ok && strings.HasSuffix(rest, ":") {
			l.Text, l.Tag, l.Indent = "-"+rest, true, l.Indent-listStep
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
		if !inside || l.Tag || l.Text == "" || l.Text[0] != openBold || i > 0 && lines[i-1].Text != "" && !lines[i-1].Head {
			continue
		}
		if end := strings.IndexByte(l.Text, closeBold); end < 0 || strings.Contains(l.Text[:end], " ") || strings.HasSuffix(l.Text[:end], ":") {
			continue
		}
		l.Tag = i+1 < len(lines) && lines[i+1].Text != "" && lines[i+1].Indent > l.Indent
	}
}
