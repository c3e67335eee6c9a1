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
			if len(out) > 0 && leadsToForm(lines[i+1:], path) {
				continue
			}
			if len(out) > 0 && i+1 < len(lines) && (!startsForm(plainForm(lines[i+1].Text, path), path) || sentenceLike(lines[i+1].Text)) && (lines[i+1].Text == "" || lines[i+1].Text[0] != '[') {
				return out, i
			}
			continue
		}
		text, or := orForm(plainForm(l.Text, path))
		text = withoutLauncher(text, path)
		switch {
		case len(out) > 0 && isRow(l):
			return out, i
		case len(path) > 0 && !startsForm(text, path) && strings.HasSuffix(text, ":") && (!strings.ContainsAny(text, "[<") || strings.HasPrefix(text, "To ")), isSentence(text):
			continue // "To start a server:"
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

// leadsToForm reports whether a sentence stands first that says what the form after
// it does: "To print the contents of a recording:".
func leadsToForm(lines []Line, path []string) bool {
	if len(lines) < 2 || lines[0].Head || !strings.HasSuffix(lines[0].Text, ":") || !strings.HasPrefix(lines[0].Text, "To ") {
		return false
	}
	for _, l := range lines[1:] {
		if l.Text != "" {
			return !l.Head && startsForm(plainForm(l.Text, path), path)
		}
	}
	return false
}

// sentenceLike reports whether a line that begins with the program's name is
// running text: many words, none of which is an argument.
func sentenceLike(text string) bool {
	words := strings.Fields(text)
	return len(words) > 4 && !strings.ContainsAny(text, "[<{|\x01\x03") && !slices.ContainsFunc(words, func(w string) bool { return capitals(w) || w[0] == '-' || strings.HasSuffix(w, "...") })
}

// isSentence reports whether a line that begins with the program's name is a
// sentence about it, "frob intentionally ignores signals."
func isSentence(text string) bool {
	text = bare(text)
	words := strings.Fields(text)
	if len(words) < 5 || !strings.HasSuffix(text, ".") && !strings.Contains(text, ". ") || strings.HasSuffix(text, "...") {
		return false
	}
	return !slices.ContainsFunc(words[1:4], func(w string) bool { return !lowers(w) })
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

// withoutLauncher takes what starts the program off a form, "python -m frob":
// its options are not the program's.
func withoutLauncher(text string, path []string) string {
	if len(path) == 0 {
		return text
	}
	words := strings.Fields(text[:min(len(text), 200)])
	if len(words) < 2 || baseName(words[0]) == path[0] {
		return text
	}
	if !inTable("launchers", strings.TrimRight(baseName(words[0]), "0123456789.")) {
		return text
	}
	for _, w := range words[1:min(len(words), 4)] {
		if w[0] == '[' || w[0] == '<' {
			break
		}
		base := baseName(w)
		for _, ending := range []string{".jar", ".js", ".rb", ".php"} {
			base = strings.TrimSuffix(base, ending)
		}
		if base == path[0] {
			_, after, _ := strings.Cut(text, w)
			return path[0] + after
		}
	}
	return text
}

func startsForm(text string, path []string) bool {
	text, _ = orForm(strings.TrimLeft(text, "$ "))
	text = withoutLauncher(text, path)
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

// bracketForms reads lines of a section of options that show them as a usage line
// does: "[-S|--save] [--omit <dev|peer>]".
func bracketForms(sec *section) []Form {
	if len(sec.lines) == 0 {
		return nil
	}
	var e entry
	for _, l := range sec.lines {
		if !strings.HasPrefix(l.Text, "[-") && (e.text == "" || l.Text == "" || rowStart(l.Text)) {
			if l.Text != "" && rowStart(l.Text) {
				break
			}
			if e.text != "" {
				break
			}
			continue
		}
		if e.no == 0 {
			e.no = l.No
		}
		if len(e.text) < 1<<16 {
			e.text += " " + l.Text
		}
	}
	if strings.Count(e.text, "[-") < 2 {
		return nil
	}
	if f, ok := readForm(entry{e.no, strings.TrimSpace(e.text)}, nil); ok {
		return []Form{f}
	}
	return nil
}

// bareForms reads a first line that shows how the program is called without
// saying so: "systemctl [OPTIONS...] COMMAND ...".
func bareForms(lines []Line, path []string) []Form {
	for i, l := range lines {
		if l.Text == "" {
			continue
		}
		if i < 5 && startsForm(l.Text, path) && strings.ContainsAny(l.Text, "[<") {
			forms, _ := Forms(lines[i:], path)
			return forms
		}
	}
	return nil
}
