package help

import (
	"strings"
)

// layout is what is known of the columns of a section.
type layout struct {
	column int            // where descriptions begin, -1 if it is not known
	firm   bool           // said by more than one row
	single bool           // descriptions follow after one blank
	words  map[string]int // values in lower case, and how many rows have them
}

// measure finds the column of descriptions: where most texts begin behind a wide
// gap, or where most lines below a row begin.
func measure(lines []Line) layout {
	votes, words := map[int]int{}, map[string]int{}
	single, wide := 0, 0
	open := -1 // indent of the row above
	for i, l := range lines {
		switch {
		case l.Text == "":
		case l.Text[0] == '-' && !(open >= 0 && l.Indent > open+6):
			s, ok := ParseSpec(l.Text, -1, false, l.Tag)
			if !ok {
				continue
			}
			open = l.Indent
			if m := s.Metavar; m != "" && lower(m[0]) && s.Gap > 1 && strings.Contains(l.Text, " "+m+"  ") {
				words[m]++
			}
			switch {
			case s.Rest != "" && s.Gap > 1:
				votes[l.Indent+s.RestAt] += 2
				wide++
			case s.Rest != "":
				single++
			}
		case open >= 0 && l.Indent > open && i > 0 && lines[i-1].Text != "":
			votes[l.Indent]++
		default:
			if l.Indent <= open {
				open = -1
			}
		}
	}
	best := layout{column: -1, words: words}
	most, total := 0, 0
	for col, n := range votes {
		total += n
		if n > most || n == most && col < best.column {
			best.column, most = col, n
		}
	}
	best.firm = most > 1
	best.single = single > 2 && single > wide
	if best.single && most*3 < total*2 {
		best.column = -1
	}
	return best
}

// splitColumns cuts lines that hold several options beside each other, each with
// its text, where enough lines do so at the same column:
// "-q  quiet mode      -j  junk paths".
func splitColumns(lines []Line) []Line {
	votes := map[int]int{}
	total := 0
	for _, l := range lines {
		if !rowStart(l.Text) {
			continue
		}
		total++
		for _, at := range columns(l.Text) {
			votes[l.Indent+at]++
		}
	}
	split := false
	for col, n := range votes {
		if n < 3 || n*3 < total {
			delete(votes, col)
			continue
		}
		split = true
	}
	if !split {
		return lines
	}
	var out []Line
	for _, l := range lines {
		if rowStart(l.Text) {
			from := 0
			for _, at := range columns(l.Text) {
				if votes[l.Indent+at] > 0 {
					out = append(out, Line{No: l.No, Indent: l.Indent, Text: strings.TrimRight(l.Text[from:at], " ")})
					from = at
				}
			}
			l.Text = l.Text[from:]
		}
		out = append(out, l)
	}
	return out
}

// columns are the places in a row where another option with a text of its own
// begins, behind the text of the one before.
func columns(text string) []int {
	var out []int
	from := 0
	for at := 3; at+2 < len(text); at++ {
		if text[at] != '-' || text[at-1] != ' ' || text[at-2] != ' ' || !rowStart(text[at:]) {
			continue
		}
		left, ok := ParseSpec(strings.TrimRight(text[from:at], " "), -1, false, false)
		right, also := ParseSpec(text[at:], -1, false, false)
		if ok && also && left.Rest != "" && right.Rest != "" && !rowStart(left.Rest) && right.Gap > 0 {
			out = append(out, at)
			from = at
		}
	}
	return out
}

// joinNames puts names together that a comma carries on to the next line:
// "--color[=WHEN],", "--colour[=WHEN]  use colours".
func joinNames(lines []Line) []Line {
	var out []Line
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if i+1 < len(lines) && strings.HasSuffix(l.Text, ",") && l.Indent == lines[i+1].Indent && l.Text[0] == '-' && !strings.Contains(l.Text, "  ") && rowStart(lines[i+1].Text) {
			if out == nil {
				out = append(make([]Line, 0, len(lines)), lines[:i]...)
			}
			i++
			l.Text += " " + lines[i].Text
		}
		if out != nil {
			out = append(out, l)
		}
	}
	if out == nil {
		return lines
	}
	return out
}
