package help

import "strings"

// unmarked takes marks off the starts of lines that are rows of options behind
// them: the points of a list, the star of an option that must be given, and the
// brackets that Thor puts around each name.
func unmarked(lines []Line) []Line {
	points, bare := 0, map[int]bool{} // indents of rows without a mark
	for _, l := range lines {
		if l.Tag {
			return lines
		}
		if rowStart(l.Text) {
			bare[l.Indent] = true
		} else if _, ok := pointRow(l.Text); ok {
			points++
		}
	}
	var out []Line
	for i, l := range lines {
		text, shift := l.Text, 0
		if row, ok := pointRow(text); ok && (points > 1 && len(bare) == 0 || text[0] == '*' && (bare[l.Indent] || bare[l.Indent+2]) && textBeneath(lines, i)) {
			text = row
			if len(bare) > 0 && !bare[l.Indent] {
				shift = len("* ") // the rows without a star stand there
			}
		} else if row, ok := unbracketed(text); ok {
			text = row
		}
		if text != l.Text && out == nil {
			out = append(make([]Line, 0, len(lines)), lines[:i]...)
		}
		if out != nil {
			l.Text, l.Indent = text, l.Indent+shift
			out = append(out, l)
		}
	}
	if out == nil {
		return lines
	}
	return out
}

// pointRow is the row of an option that is a point of a list, "• --app - the
// name", without the point and the quotes around its names.
func pointRow(text string) (string, bool) {
	var after string
	ok := false
	for _, mark := range []string{"• ", "* ", "- ", "+ "} {
		if after, ok = strings.CutPrefix(text, mark); ok {
			break
		}
	}
	after = strings.TrimLeft(after, " ")
	names, rest, _ := strings.Cut(after, " - ")
	if names = strings.ReplaceAll(names, "`", ""); !ok || !rowStart(names) {
		return "", false
	}
	if rest != "" {
		names += " - " + rest
	}
	s, ok := ParseSpec(names, -1, false, false)
	return names, ok && len(s.Names) > 0 && (s.Rest == "" || s.Gap > 1)
}

// unbracketed takes the brackets off the names of a row in which each stands in
// its own: "-f, [--force], [--no-force]  # Overwrite". What follows stays where
// it is.
func unbracketed(text string) (string, bool) {
	if text == "" || text[0] != '-' && text[0] != '[' || !strings.Contains(text, "[--") {
		return "", false
	}
	var names []string
	i, brackets := 0, 0
	for {
		end := 0
		if strings.HasPrefix(text[i:], "[-") {
			if end = balanced(text, i); end == 0 {
				return "", false
			}
			names = append(names, text[i+1:end-1])
			brackets++
		} else if _, _, n := scanName(text[i:]); n > 0 {
			end = i + n
			names = append(names, text[i:end])
		} else {
			return "", false
		}
		i = end
		if !strings.HasPrefix(text[i:], ", ") {
			break
		}
		i += len(", ")
	}
	if brackets == 0 || len(names) < 2 || i < len(text) && !strings.HasPrefix(text[i:], "  ") {
		return "", false
	}
	left := strings.Join(names, ", ")
	return left + strings.Repeat(" ", i-len(left)) + text[i:], true
}

// negatedNames reports whether a row names an option and its opposite:
// "--test, --no-test".
func negatedNames(names []string) bool {
	for _, name := range names {
		positive, ok := strings.CutPrefix(name, "--no-")
		for _, other := range names {
			if ok && other == "--"+positive {
				return true
			}
		}
	}
	return false
}
