package screen

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Note is said below the underlined part of a text from Start to End, in bytes.
type Note struct {
	Start, End int
	Colour     string // of the underline: parameters of an SGR sequence, "31"
	Lines      []string
}

// Style says how an annotated text is laid out.
type Style struct {
	Columns int
	Colour  bool
	EOL     string // "\n", or "\r\n" for a terminal in raw mode
	// Rows bounds how many rows of the text are shown; those without a note are
	// left out first. 0 shows all.
	Rows int
}

const (
	indent  = 2
	tabStop = 8
)

// Paint writes text in a colour, if the style has colours.
func (st Style) Paint(colour, text string) string {
	if !st.Colour || colour == "" || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// cell is one rune as it is shown.
type cell struct {
	at, end int // bytes of the text
	column  int // in its row, from 0
	width   int
	text    string
}

// row is what fits on one row of the screen.
type row struct {
	start, end int // bytes of the text; the end is behind a line break
	cells      []cell
}

// Annotate shows a text, each row of it followed by the underlines of the notes
// in it, and each note's lines below the last of its underlines.
func Annotate(text string, notes []Note, st Style) string {
	notes = merged(text, notes)
	rows := layOut(text, max(st.Columns-indent-1, 8))
	shown := st.choose(rows, notes)
	// The row below which each note has its say: the last that shows a part of it.
	last := make([]int, len(notes))
	for k := range notes {
		last[k] = -1
		for i := range rows {
			if shown[i] && rows[i].touches(&notes[k]) {
				last[k] = i
			}
		}
	}
	var b strings.Builder
	gap := false
	for i, r := range rows {
		if !shown[i] {
			if !gap {
				st.write(&b, 0, "", "…")
			}
			gap = true
			continue
		}
		gap = false
		st.row(&b, &r, notes)
		for k := range notes {
			st.note(&b, &r, &notes[k], i == last[k])
		}
	}
	return b.String()
}

// merged clamps the notes to the text, sorts them by their places, and joins
// those of one place.
func merged(text string, notes []Note) []Note {
	var out []Note
	for _, n := range notes {
		n.Start = min(max(n.Start, 0), len(text))
		n.End = min(max(n.End, n.Start), len(text))
		k := slices.IndexFunc(out, func(o Note) bool { return o.Start == n.Start && o.End == n.End })
		if k < 0 {
			n.Lines = slices.Clone(n.Lines)
			out = append(out, n)
			continue
		}
		for _, l := range n.Lines {
			if !slices.Contains(out[k].Lines, l) {
				out[k].Lines = append(out[k].Lines, l)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Note) int { return a.Start - b.Start })
	return out
}

// layOut cuts a text into rows of at most columns columns.
func layOut(text string, columns int) []row {
	rows := []row{{}}
	column := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		cur := &rows[len(rows)-1]
		if r == '\n' {
			i += n
			cur.end = i
			rows = append(rows, row{start: i, end: i})
			column = 0
			continue
		}
		c := cell{at: i, end: i + n, text: printable(r, n, text[i])}
		if r == '\t' {
			c.text = strings.Repeat(" ", tabStop-column%tabStop)
		}
		c.width = Width(c.text)
		if column+c.width > columns && column > 0 {
			rows = append(rows, row{start: i, end: i})
			cur = &rows[len(rows)-1]
			column = 0
			if r == '\t' {
				c.text, c.width = strings.Repeat(" ", tabStop), tabStop
			}
		}
		c.column = column
		column += c.width
		cur.cells = append(cur.cells, c)
		i += n
		cur.end = i
	}
	return rows
}

// touches reports whether a row shows a part of a note.
func (r *row) touches(n *Note) bool {
	if n.Start == n.End {
		return r.start <= n.Start && (n.Start < r.end || n.Start == r.end && r.start == r.end) || len(r.cells) > 0 && r.cells[len(r.cells)-1].end == n.Start
	}
	return n.Start < r.end && n.End > r.start
}

// choose returns which rows are shown.
func (st Style) choose(rows []row, notes []Note) []bool {
	shown := make([]bool, len(rows))
	left := st.Rows
	if left == 0 || len(rows) <= left {
		for i := range shown {
			shown[i] = true
		}
		return shown
	}
	// Of each note the first row, then more of them, then the rest.
	for pass := range 3 {
		for k := range notes {
			seen := 0
			for i := range rows {
				if !rows[i].touches(&notes[k]) {
					continue
				}
				if seen++; left > 0 && !shown[i] && (pass > 0 || seen == 1) {
					shown[i] = true
					left--
				}
			}
		}
		for i := 0; pass == 2 && i < len(rows) && left > 0; i++ {
			if !shown[i] {
				shown[i] = true
				left--
			}
		}
	}
	return shown
}

// row writes one row of the text, its noted parts coloured.
func (st Style) row(b *strings.Builder, r *row, notes []Note) {
	b.WriteString(strings.Repeat(" ", indent))
	colour := ""
	for _, c := range r.cells {
		want := ""
		for k := range notes {
			if c.at >= notes[k].Start && c.at < notes[k].End {
				want = notes[k].Colour
				break
			}
		}
		if st.Colour && want != colour {
			if colour != "" {
				b.WriteString("\x1b[0m")
			}
			if want != "" {
				b.WriteString("\x1b[" + want + "m")
			}
			colour = want
		}
		b.WriteString(c.text)
	}
	if st.Colour && colour != "" {
		b.WriteString("\x1b[0m")
	}
	b.WriteString(st.EOL)
}

// note underlines the part of a note that is in a row, and below the last part
// says what it has to say.
func (st Style) note(b *strings.Builder, r *row, n *Note, last bool) {
	if !r.touches(n) {
		return
	}
	from, to := -1, 0
	for _, c := range r.cells {
		if c.at >= n.Start && c.at < n.End || n.Start == n.End && c.at == n.Start {
			if from < 0 {
				from = c.column
			}
			to = c.column + c.width
		}
	}
	if from < 0 { // at the end of the row, or an empty row of a longer part
		if n.Start != n.End && !last {
			return
		}
		if k := len(r.cells); k > 0 {
			from = r.cells[k-1].column + r.cells[k-1].width
		}
		from = max(from, 0)
	}
	st.write(b, indent+from, n.Colour, strings.Repeat("^", max(to-from, 1)))
	if !last {
		return
	}
	// Beside the underline where there is room, else from the left.
	left := indent + from
	if st.Columns-left < 30 {
		left = indent
	}
	for _, l := range n.Lines {
		for _, part := range Wrap(l, st.Columns-left-1) {
			st.write(b, left, "", part)
		}
	}
}

func (st Style) write(b *strings.Builder, left int, colour, text string) {
	b.WriteString(strings.Repeat(" ", left))
	b.WriteString(st.Paint(colour, text))
	b.WriteString(st.EOL)
}
