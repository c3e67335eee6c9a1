package help

import (
	"slices"
	"strings"
)

// unboxed takes lines out of the boxes that Rich draws: the title in the upper
// edge becomes a line of its own, and what stands in columns beside a name, other
// names and the value, is put behind it.
func unboxed(lines []Line) []Line {
	if !slices.ContainsFunc(lines, func(l Line) bool { return upperEdge(l.Text) }) {
		return lines
	}
	var out []Line
	inside := false
	for i, l := range lines {
		switch {
		case upperEdge(l.Text):
			inside = true
			title := strings.Trim(l.Text, "╭╮┌┐─━ ")
			out = append(out, Line{No: l.No}, Line{No: l.No, Text: title + ":"})
		case strings.HasPrefix(l.Text, "╰") || strings.HasPrefix(l.Text, "└"):
			inside = false
			out = append(out, Line{No: l.No})
		case inside && boxed(l.Text):
			row := cell(l.Text)
			if i+1 < len(lines) {
				row = joinCells(row, lines[i+1].Text)
			}
			if i > 0 && boxed(lines[i-1].Text) {
				row = withoutJoined(row, cell(lines[i-1].Text))
			}
			body := strings.TrimLeft(row, " ")
			if after := strings.TrimLeft(strings.TrimPrefix(body, "*"), " "); body != "" && body[0] == '*' && after != "" {
				body = after // it must be given
			}
			out = append(out, Line{No: l.No, Indent: 2 + len(row) - len(body), Text: columnRow(body)})
		default:
			out = append(out, l)
		}
	}
	rows := 0 // the farthest that a row of the box begins
	for i := range out {
		switch l := &out[i]; {
		case l.Text == "" || l.Indent == 0:
			rows = 0
		case rowStart(l.Text) && (rows == 0 || l.Indent < 12):
			l.Indent, rows = 2, 2
		case rows == 0:
			l.Indent = 2
		}
	}
	return out
}

// upperEdge reports whether a line is the upper edge of a box with a title.
func upperEdge(text string) bool {
	return (strings.HasPrefix(text, "╭─ ") || strings.HasPrefix(text, "┌─ ")) && strings.Trim(text, "╭╮┌┐─━┬ ") != ""
}

func boxed(text string) bool {
	return len(text) > 1 && text[0] == '|' && (text[len(text)-1] == '|' && text[1] == ' ')
}

// cell is what stands in the box on a line, with the blanks before it.
func cell(text string) string { return strings.TrimRight(text[1:len(text)-1], " ") }

// openChoice is where a list of choices begins that its column cuts off,
// "[bash|zsh|power", and where the cut is; -1 if there is none.
func openChoice(row string) (from, to int) {
	from = strings.Index(row, "  [")
	if from < 0 || !strings.HasPrefix(strings.TrimLeft(row, " *"), "-") {
		return -1, 0
	}
	from += 2
	to = from + strings.Index(row[from:]+"  ", "  ")
	if token := row[from:to]; !strings.Contains(token, "|") || strings.Contains(token, "]") {
		return -1, 0
	}
	return from, to
}

// joinCells puts the rest of a list of choices, which stands below it, behind it.
func joinCells(row, below string) string {
	from, to := openChoice(row)
	if from < 0 || !boxed(below) {
		return row
	}
	next := cell(below)
	if len(next) <= from || strings.TrimSpace(next[:from]) != "" {
		return row
	}
	rest, _, ok := strings.Cut(next[from:], "]")
	if !ok || strings.Contains(rest, " ") {
		return row
	}
	return row[:to] + rest + "]  " + strings.TrimLeft(row[to:], " ")
}

// withoutJoined takes off a line what was put behind the list above it.
func withoutJoined(row, above string) string {
	from, _ := openChoice(above)
	if from < 0 || len(row) <= from || strings.TrimSpace(row[:from]) != "" {
		return row
	}
	rest, after, ok := strings.Cut(row[from:], "]")
	if !ok || strings.Contains(rest, " ") {
		return row
	}
	return strings.Repeat(" ", from+len(rest)+1) + after
}

// columnRow puts the names and the value of a row, which stand in columns, one
// behind the other: "--age  -a  INTEGER RANGE [0<=x<=150]  How old".
func columnRow(row string) string {
	if !rowStart(row) {
		return row
	}
	var names []string
	rest := row
	for rowStart(rest) {
		name, after, _ := strings.Cut(rest, "  ")
		if strings.Contains(name, " ") {
			return row
		}
		names = append(names, strings.Split(name, ",")...)
		rest = strings.TrimLeft(after, " ")
	}
	out := strings.Join(names, ", ")
	value, after, _ := strings.Cut(rest, "  ")
	switch words := strings.Fields(value); {
	case len(words) == 0:
	case value[0] == '[' && len(choices(value)) > 1:
		out, rest = out+" "+value, strings.TrimLeft(after, " ")
	case !slices.ContainsFunc(words, func(w string) bool { return w[0] != '[' && !capitals(w) }) && len(words) < 4:
		out, rest = out+" <"+strings.TrimSpace(strings.Split(value, "[")[0])+">", strings.TrimLeft(after, " ")
	}
	return strings.TrimRight(out+strings.Repeat(" ", max(60-len(out), 2))+rest, " ") // texts in one column
}
