package workflow

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// levels puts each step one column after the last of those that it needs.
func levels(steps []Step) [][]Step {
	ordered, err := Order(steps)
	if err != nil {
		ordered = steps
	}
	at := map[string]int{}
	var out [][]Step
	for _, s := range ordered {
		n := 0
		for _, need := range s.Needs {
			n = max(n, at[need]+1)
		}
		at[s.ID] = n
		for len(out) <= n {
			out = append(out, nil)
		}
		out[n] = append(out[n], s)
	}
	return out
}

// label is a step in one line.
func label(s Step) string {
	text := s.ID
	if s.Run != s.ID && strings.ReplaceAll(s.Run, ".", "-") != s.ID {
		text += " = " + s.Run
	}
	if s.If != "" {
		text += " if " + s.If
	}
	if s.On != "" && s.On != "success" {
		text += " on " + s.On
	}
	if s.Retry > 0 {
		text += fmt.Sprintf(" (again up to %d times)", s.Retry)
	}
	return text
}

// Text draws the graph for a terminal of that many columns: the steps of a row can
// run at the same time, and each names what it follows.
func Text(steps []Step, columns int) string {
	columns = max(columns, 20)
	var b strings.Builder
	rows := levels(steps)
	for i, row := range rows {
		for j, s := range row {
			mark := "├─"
			switch {
			case len(row) == 1:
				mark = "──"
			case j == 0:
				mark = "┌─"
			case j == len(row)-1:
				mark = "└─"
			}
			what := cut(label(s), columns-3)
			fmt.Fprintf(&b, "%s %s", mark, what)
			follows(&b, s.Needs, 3+utf8.RuneCountInString(what), columns)
			b.WriteByte('\n')
		}
		if i < len(rows)-1 {
			b.WriteString("   ↓\n")
		}
	}
	return b.String()
}

// follows writes "   ← a, b" after a step, in lines of their own where it is long.
func follows(b *strings.Builder, needs []string, at, columns int) {
	const indent = "     "
	for i, n := range needs {
		text := "   ← "
		if i > 0 {
			text = ", "
		}
		if at+utf8.RuneCountInString(text+n) >= columns && at > len(indent) {
			b.WriteString(strings.TrimRight(text, " ←"))
			b.WriteString("\n" + indent)
			at = len(indent)
			if text = "← "; i > 0 {
				text = "  "
			}
		}
		text += n
		text = cut(text, columns-at)
		b.WriteString(text)
		at += utf8.RuneCountInString(text)
	}
}

// cut shortens a text to at most n runes.
func cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:max(n-1, 0)]) + "…"
}

// Measures of the picture, in pixels. A row that would be wider than maxWidth
// goes on below; a label has at most maxLabel runes.
const (
	boxHeight, rowGap, columnGap, margin = 34, 46, 24, 20
	perRune, padding                     = 8, 24
	maxWidth, maxLabel                   = 960, 60
)

// SVG draws the graph: a box a step, an arrow from each step to those that
// need it.
func SVG(title string, steps []Step) []byte {
	rows := levels(steps)
	type box struct{ x, y, w int }
	boxes := map[string]box{}
	width := 2 * margin
	y := margin
	for _, row := range rows {
		x := margin
		for _, s := range row {
			w := utf8.RuneCountInString(cut(label(s), maxLabel))*perRune + padding
			if x > margin && x+w+margin > maxWidth {
				x, y = margin, y+boxHeight+columnGap
			}
			boxes[s.ID] = box{x, y, w}
			x += w + columnGap
			width = max(width, x-columnGap+margin)
		}
		y += boxHeight + rowGap
	}
	height := y - rowGap + margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(title))
	b.WriteString(`<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>` + "\n")
	for _, row := range rows {
		for _, s := range row {
			to := boxes[s.ID]
			for _, n := range s.Needs {
				from, ok := boxes[n]
				if !ok {
					continue
				}
				x1, y1, x2, y2 := from.x+from.w/2, from.y+boxHeight, to.x+to.w/2, to.y
				fmt.Fprintf(&b, `<path d="M%d %dC%d %d %d %d %d %d" fill="none" stroke="#555" marker-end="url(#a)"/>`+"\n", x1, y1, x1, y1+rowGap/2, x2, y2-rowGap/2, x2, y2)
			}
		}
	}
	for _, row := range rows {
		for _, s := range row {
			at := boxes[s.ID]
			fmt.Fprintf(&b, "<g><title>%s</title>", escape(label(s)))
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="#f4f6fa" stroke="#345"/>`, at.x, at.y, at.w, boxHeight)
			fmt.Fprintf(&b, `<text x="%d" y="%d" font-family="monospace" font-size="13" text-anchor="middle" fill="#123">%s</text></g>`+"\n", at.x+at.w/2, at.y+boxHeight/2+5, escape(cut(label(s), maxLabel)))
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
