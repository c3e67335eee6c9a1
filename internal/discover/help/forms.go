package help

import (
	"slices"
	"strings"
)

// entry is the text of one form, joined from its lines.
type entry struct {
	no   int
	text string
}

// entries joins continuation lines. A line begins a form if it begins with the
// program's name, or "or:", or stands no deeper than the first.
func entries(lines []Line, path []string) (out []entry, used int) {
	base := -1
	for i, l := range lines {
		if l.Text == "" {
			if len(out) > 0 && i+1 < len(lines) && (!startsForm(plainForm(lines[i+1].Text, path), path) || sentenceLike(lines[i+1].Text)) && (lines[i+1].Text == "" || lines[i+1].Text[0] != '[') {
				return out, i
			}
			continue
		}
		text, or := orForm(plainForm(l.Text, path))
		switch {
		case len(out) > 0 && isRow(l):
			return out, i
		case len(out) == 0 || or || startsForm(text, path):
			if base < 0 {
				base = l.Indent
			}
			out = append(out, entry{l.No, text})
		case l.Indent > base || text[0] == '-' && (l.Indent == base || i > 0 && !strings.Contains(text, "  ") && len(out) == 1 && synopsis(lines, i)) || strings.IndexByte("[{(<", text[0]) >= 0:
			last := &out[len(out)-1]
			if len(last.text) < 1<<16 {
				last.text += " " + text
			}
		default:
			return out, i
		}
	}
	return out, len(lines)
}

// sentenceLike reports whether a line that begins with the program's name is
// running text: many words, none of which is an argument.
func sentenceLike(text string) bool {
	words := strings.Fields(text)
	return len(words) > 4 && !strings.ContainsAny(text, "[<{|\x01\x03") && !slices.ContainsFunc(words, func(w string) bool { return capitals(w) || w[0] == '-' || strings.HasSuffix(w, "...") })
}

// isRow reports whether a line is a row of an option with its text.
func isRow(l Line) bool {
	if !rowStart(l.Text) {
		return false
	}
	s, ok := ParseSpec(l.Text, -1, false, false)
	return ok && s.Gap > 1 && s.Rest != "" && s.Rest[0] != '[' && s.Rest[0] != '-'
}

// synopsis reports whether the lines up to i hold one option each, as in help
// that is printed like a manual.
func synopsis(lines []Line, i int) bool {
	for j := i + 1; j < len(lines) && j < i+3 && lines[j].Text != ""; j++ {
		if t := lines[j].Text; !strings.HasPrefix(t, "[-") && !strings.HasPrefix(t, "--") && t[0] != '<' {
			return false
		}
	}
	return strings.HasPrefix(lines[i].Text, "--")
}

// plainForm takes the marks of fonts off the words that are printed as they are
// typed: bold ones, and the program's name in any font.
func plainForm(text string, path []string) string {
	text = strings.Map(func(r rune) rune {
		if r == OpenBold || r == CloseBold {
			return -1
		}
		return r
	}, text)
	for len(path) > 0 {
		i := strings.Index(text, string(rune(Open))+path[0])
		if i < 0 {
			break
		}
		end := strings.IndexByte(text[i:], Close)
		if end < 0 {
			break
		}
		text = text[:i] + text[i+1:i+end] + text[i+end+1:]
	}
	return text
}

// orForm takes "or:" and its translations off a line's start.
func orForm(text string) (string, bool) {
	for _, w := range []string{"or:", "or :", "oder:", "ou:", "ou :", "o:", "o bien:", "albo:", "lub:", "eller:", "или:", "or "} {
		if after, ok := strings.CutPrefix(text, w); ok {
			return strings.TrimLeft(after, " "), true
		}
	}
	return text, false
}

func startsForm(text string, path []string) bool {
	text, _ = orForm(strings.TrimLeft(text, "$ "))
	first, _, _ := strings.Cut(text, " ")
	return len(path) > 0 && baseName(first) == path[0]
}

func baseName(s string) string {
	s = strings.Trim(s, "\x01\x02<>`*")
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		s = s[i+1:]
	}
	return strings.TrimSuffix(strings.TrimSuffix(s, ".exe"), ".py")
}
