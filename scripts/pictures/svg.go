package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// Sizes of the picture, in pixels.
const (
	cellWidth  = 8.4
	lineHeight = 19
	margin     = 14
	bar        = 30 // over the text, with the title
)

// sheet colours the text for light and for dark pages. The classes c0 to c15 are
// the palette of a terminal; brighter ones look like those they belong to.
const sheet = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328;white-space:pre}
.paper{fill:#f6f8fa;stroke:#d1d9e0}.bar{font-size:12px;fill:#59636e}.cursor{fill:#1f2328}.over{fill:#f6f8fa}
.b{font-weight:bold}.d{fill:#59636e}.i{font-style:italic}.u{text-decoration:underline}
.c1,.c9{fill:#cf222e}.c2,.c10{fill:#1a7f37}.c3,.c11{fill:#9a6700}.c4,.c12{fill:#0969da}.c5,.c13{fill:#8250df}.c6,.c14{fill:#1b7c83}.c0,.c8{fill:#59636e}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117;stroke:#30363d}.bar,.d{fill:#9198a1}.cursor{fill:#e6edf3}.over{fill:#0d1117}
.c1,.c9{fill:#ff7b72}.c2,.c10{fill:#3fb950}.c3,.c11{fill:#d29922}.c4,.c12{fill:#58a6ff}.c5,.c13{fill:#bc8cff}.c6,.c14{fill:#39c5cf}.c0,.c8{fill:#9198a1}}`

// svg draws the rows of a screen, the text as text: one element a row.
func svg(title string, rows [][]shelltest.Cell) string {
	width := 2*margin + float64(cols)*cellWidth
	height := bar + 2*margin + len(rows)*lineHeight
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n<style>\n%s\n</style>\n", html.EscapeString(title), sheet)
	fmt.Fprintf(&b, `<rect class="paper" x=".5" y=".5" width="%.0f" height="%d" rx="8"/>`+"\n", width-1, height-1)
	fmt.Fprintf(&b, `<text class="bar" x="%d" y="21">%s</text>`+"\n", margin, html.EscapeString(title))
	for n, row := range rows {
		y := bar + margin + n*lineHeight
		var text strings.Builder
		for _, r := range runs(row) {
			x := margin + float64(r.col)*cellWidth
			class := classes(r.style)
			if r.style.Reverse {
				fmt.Fprintf(&b, `<rect class="cursor" x="%.1f" y="%d" width="%.1f" height="%d"/>`+"\n", x, y-14, float64(r.width)*cellWidth, lineHeight)
				class = "over"
			}
			if class != "" {
				class = ` class="` + class + `"`
			}
			fmt.Fprintf(&text, `<tspan%s x="%.1f" textLength="%.1f">%s</tspan>`, class, x, float64(r.width)*cellWidth, html.EscapeString(r.text))
		}
		fmt.Fprintf(&b, `<text class="row" y="%d" xml:space="preserve">%s</text>`+"\n", y, text.String())
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// run is a part of a row in one style.
type run struct {
	col, width int
	text       string
	style      shelltest.Style
}

// runs cuts a row where its style changes and leaves plain blanks at its end out.
func runs(row []shelltest.Cell) []run {
	end := len(row)
	for end > 0 && row[end-1] == (shelltest.Cell{Rune: ' '}) {
		end--
	}
	var list []run
	for i, c := range row[:end] {
		if len(list) == 0 || c.Style != list[len(list)-1].style {
			list = append(list, run{col: i, style: c.Style})
		}
		r := &list[len(list)-1]
		r.width++
		if c.Rune != 0 {
			r.text += string(c.Rune)
		}
	}
	return list
}

func classes(y shelltest.Style) string {
	var list []string
	for _, c := range []struct {
		on   bool
		name string
	}{{y.Bold, "b"}, {y.Dim, "d"}, {y.Italic, "i"}, {y.Underline, "u"}} {
		if c.on {
			list = append(list, c.name)
		}
	}
	if y.Fore >= 1 && y.Fore <= 16 {
		list = append(list, fmt.Sprintf("c%d", y.Fore-1))
	}
	return strings.Join(list, " ")
}

var (
	rowElement = regexp.MustCompile(`<text class="row"[^>]*>(.*)</text>`)
	tag        = regexp.MustCompile(`<[^>]*>`)
)

// textOf is the text of a picture's rows, without the blanks at their ends.
func textOf(picture string) string {
	var b strings.Builder
	for _, m := range rowElement.FindAllStringSubmatch(picture, -1) {
		b.WriteString(strings.TrimRight(html.UnescapeString(tag.ReplaceAllString(m[1], "")), " ") + "\n")
	}
	return b.String()
}
