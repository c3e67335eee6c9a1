package review

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/tool-mapping-protocol/tmp/internal/evidence"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// Least size of a window that the screen fits in.
const (
	minWidth  = 24
	minHeight = 8
	wide      = 64 // from which on the two parts stand side by side
)

// layout says where the parts of the screen are.
type layout struct {
	side         bool // side by side, else one above the other
	left, right  int  // columns
	rows, detail int  // rows of the list and of the texts
	foot         []string
}

func (m *model) layout() layout {
	l := layout{side: m.width >= wide, foot: m.keys()}
	body := max(2, m.height-1-1-len(l.foot)) // a head and a line of notes
	if l.side {
		l.left = min(max(30, m.width*2/5), 60)
		l.right = m.width - l.left - 3
		l.rows, l.detail = body, body
		return l
	}
	l.left, l.right = m.width, m.width
	l.rows = max(1, body/2)
	l.detail = max(0, body-l.rows-1)
	return l
}

// View is the whole screen.
func (m *model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	return v
}

func (m *model) screen() string {
	if m.width < minWidth || m.height < minHeight {
		return m.fill([]string{screen.Clip("the window is too small", m.width)})
	}
	l := m.layout()
	m.top = max(min(m.top, m.at), m.at-l.rows+1)
	left, right := m.list(l), m.details(l)
	if m.mode == helping {
		right = helpText(l.right)
	}
	rows := []string{m.head()}
	if l.side {
		for i := range l.rows {
			rows = append(rows, pad(at(left, i), l.left)+m.paint("2", " | ")+at(right, i))
		}
	} else {
		for i := range l.rows {
			rows = append(rows, at(left, i))
		}
		rows = append(rows, m.paint("2", strings.Repeat("-", m.width)))
		for i := range l.detail {
			rows = append(rows, at(right, i))
		}
	}
	rows = append(rows, m.noteLine())
	rows = append(rows, l.foot...)
	return m.fill(rows)
}

// fill makes the rows the whole window: each row to its width, and all its rows. What was
// there before is then written over, wherever the terminal has left the cursor
// and whatever it erases.
func (m *model) fill(rows []string) string {
	for len(rows) < m.height {
		rows = append(rows, "")
	}
	for i := range rows {
		rows[i] = pad(rows[i], m.width)
	}
	return strings.Join(rows, "\n")
}

func at(rows []string, i int) string {
	if i < len(rows) {
		return rows[i]
	}
	return ""
}

func (m *model) paint(code, text string) string {
	return screen.Style{Colour: m.r.Colour}.Paint(code, text)
}

// fit makes text one line of at most n columns that a terminal can be given.
func fit(text string, n int) string {
	text = screen.Printable(text)
	if screen.Width(text) <= n {
		return text
	}
	return screen.Clip(text, max(0, n-1)) + "…"
}

// pad fills a line up to n columns; sequences that paint take none.
func pad(line string, n int) string {
	return line + strings.Repeat(" ", max(0, n-paintedWidth(line)))
}

func paintedWidth(s string) int {
	w := 0
	for s != "" {
		before, rest, ok := strings.Cut(s, "\x1b[")
		w += screen.Width(before)
		if !ok {
			break
		}
		_, s, _ = strings.Cut(rest, "m")
	}
	return w
}

func (m *model) head() string {
	n, missing := m.counts()
	text := fmt.Sprintf("Review of %s: %d of %d accepted", m.r.Title, n[accepted], len(m.all))
	if n[rejected] > 0 {
		text += fmt.Sprintf(", %d rejected", n[rejected])
	}
	if missing > 0 {
		text += fmt.Sprintf(", %d in no text (!)", missing)
	}
	return m.paint("1", fit(text, m.width))
}

// list draws the rows of the tree.
func (m *model) list(l layout) []string {
	if len(m.shown) == 0 {
		return []string{fit("  nothing matches: esc shows all", l.left)}
	}
	var rows []string
	for i := m.top; i < min(len(m.shown), m.top+l.rows); i++ {
		it := m.shown[i]
		cursor, doubt := " ", " "
		if i == m.at {
			cursor = ">"
		}
		if it.missing {
			doubt = "!"
		} else if it.edited {
			doubt = "~"
		}
		row := fit(cursor+it.state.mark()+doubt+strings.Repeat("  ", min(it.depth, 6))+" "+it.label(), l.left)
		switch {
		case i == m.at:
			row = m.paint("7", pad(row, l.left))
		case it.state == rejected:
			row = m.paint("2", row)
		case it.missing:
			row = m.paint("33", row)
		case it.state == accepted:
			row = m.paint("32", row)
		}
		rows = append(rows, row)
	}
	return rows
}

// details draws what the map says of the item and what the texts say.
func (m *model) details(l layout) []string {
	it := m.current()
	if it == nil {
		return nil
	}
	if m.mode == editing {
		return m.form(l)
	}
	rows := []string{m.paint("1", fit(m.where(it), l.right))}
	for _, line := range it.says() {
		for i, part := range screen.Wrap(screen.Printable(line), l.right-2) {
			if i == 3 {
				break
			}
			rows = append(rows, "  "+part)
		}
	}
	rows = rows[:min(len(rows), max(2, l.detail/2))]
	lines, hits := m.linesOf(it, l.right)
	if len(lines) == 0 {
		return append(rows, "", fit("The tool says nothing of it.", l.right))
	}
	title := "What is written there:"
	switch {
	case len(it.names) == 0:
	case len(hits) == 0:
		title = "No text names it. What is written there:"
	default:
		title = fmt.Sprintf("In %s, line %d:", sourceName(lines[hits[0]].source), lines[hits[0]].no)
	}
	rows = append(rows, m.paint("1", fit(title, l.right)))
	start := m.start(lines, hits, l.detail-len(rows))
	for i := start; i < len(lines) && len(rows) < l.detail; i++ {
		row := lines[i].text
		if lines[i].hit {
			row = m.paint("1;36", row)
		}
		rows = append(rows, row)
	}
	return rows
}

// where names the command that an item belongs to.
func (m *model) where(it *item) string {
	tool := m.r.Source.Tool
	if tool == "" && it.op != nil {
		tool = m.r.Source.ToolOf(it.op)
	}
	words := strings.Join(append([]string{tool}, it.path...), " ")
	if it.node != nil && it.parent == nil {
		return tool
	}
	return words + " " + it.label()
}

// row is a line of a text as it is drawn.
type row struct {
	text   string
	hit    bool
	source string
	no     int // of the line, from 1
}

// textCache holds the rows of the item that is shown.
type textCache struct {
	item  *item
	width int
	names string
	rows  []row
	hits  []int // rows at which a line that names the item begins
}

// linesOf are the texts about an item, wrapped, and where they name it.
func (m *model) linesOf(it *item, width int) ([]row, []int) {
	names := strings.Join(it.names, " ")
	if c := &m.texts; c.item == it && c.width == width && c.names == names {
		return c.rows, c.hits
	}
	c := textCache{item: it, width: width, names: names}
	var lines []evidence.Line
	var named []int
	if m.r.Texts != nil {
		lines, named = m.r.Texts.Lines(it.path, it.names)
	}
	source := ""
	for i, line := range lines {
		if line.Source != source {
			source = line.Source
			c.rows = append(c.rows, row{text: fit("-- "+sourceName(source)+" --", width)})
		}
		hit := slices.Contains(named, i)
		if hit {
			c.hits = append(c.hits, len(c.rows))
		}
		c.rows = append(c.rows, wrapped(line, hit, width)...)
	}
	m.texts = c
	return c.rows, c.hits
}

func sourceName(source string) string {
	if source == "man" {
		return "its manual"
	}
	return "its help"
}

// wrapped lays out a line of a text; ">" stands before one that names the item.
func wrapped(line evidence.Line, hit bool, width int) []row {
	mark := "  "
	if hit {
		mark = "> "
	}
	indent := strings.Repeat(" ", min(line.Indent, width/4))
	text := screen.Printable(line.Text)
	if screen.Width(text)+len(indent)+2 <= width {
		return []row{{mark + indent + text, hit, line.Source, line.No}}
	}
	var rows []row
	for _, part := range screen.Wrap(text, width-2-len(indent)) {
		rows = append(rows, row{mark + indent + part, hit, line.Source, line.No})
	}
	return rows
}

// start is the first row of the texts to draw: a little above the first that
// names the item, moved by what was scrolled.
func (m *model) start(lines []row, hits []int, rows int) int {
	from := 0
	if len(hits) > 0 {
		from = hits[0] - rows/4
	}
	from = max(0, min(from, len(lines)-rows))
	most := max(0, len(lines)-1)
	m.scroll = max(-from, min(most-from, m.scroll))
	return from + m.scroll
}

// nextHit is how far the texts must be moved to show the next place that names
// the item.
func (m *model) nextHit() int {
	it := m.current()
	if it == nil {
		return 0
	}
	_, hits := m.linesOf(it, m.layout().right)
	if len(hits) == 0 {
		return m.scroll
	}
	for _, h := range hits {
		if h-hits[0] > m.scroll {
			return h - hits[0]
		}
	}
	return 0
}

// form draws the item that is being edited.
func (m *model) form(l layout) []string {
	f := &m.edit
	rows := []string{m.paint("1", fit("Edit "+m.where(f.item), l.right)), ""}
	for i, fd := range f.fields {
		cursor := "  "
		text := fit(f.lines[i].text(), max(1, l.right-14))
		if i == f.at {
			cursor = "> "
			text = f.lines[i].view(max(1, l.right-14), m.cursor)
		}
		rows = append(rows, cursor+pad(fd.name, 11)+" "+text)
	}
	rows = append(rows, "")
	if f.fault != "" {
		for _, part := range screen.Wrap(screen.Printable(f.fault), l.right) {
			rows = append(rows, m.paint("31", part))
		}
	}
	return rows
}

// cursor marks the place where typing goes.
func (m *model) cursor(under string) string {
	if m.r.Colour {
		return m.paint("7", under)
	}
	return "\x1b[7m" + under + "\x1b[0m" // not a colour: without it nobody sees where they type
}

// noteLine tells what is typed, asked or happened.
func (m *model) noteLine() string {
	switch {
	case m.mode == filtering:
		return "/" + m.filter.view(max(1, m.width-2), m.cursor)
	case m.mode == naming:
		q := m.question()
		if screen.Width(q) > m.width-16 {
			q = "Reviewed by (empty: no record): "
		}
		return q + m.name.view(max(4, m.width-screen.Width(q)-1), m.cursor)
	case m.mode == leaving:
		return m.paint("1", fit(m.question(), m.width))
	case m.note != "":
		return m.paint("1", fit(m.note, m.width))
	}
	var on []string
	if m.filter.text() != "" {
		on = append(on, "with "+m.filter.text())
	}
	if m.onlyOpen {
		on = append(on, "open")
	}
	if m.onlyMissing {
		on = append(on, "in no text")
	}
	if len(on) > 0 {
		return fit(fmt.Sprintf("%d shown: %s (esc: all)", len(m.shown), strings.Join(on, ", ")), m.width)
	}
	return ""
}

// keys are the lines at the bottom that say what keys do.
func (m *model) keys() []string {
	var keys []string
	switch m.mode {
	case filtering:
		keys = []string{"enter keep", "esc show all"}
	case editing:
		keys = []string{"enter apply", "esc leave as it was", "up/down field", "ctrl-u clear"}
	case naming:
		keys = []string{"enter save and leave", "esc go on"}
	case leaving:
		keys = []string{"y save", "n discard", "esc go on"}
	case helping:
		keys = []string{"any key: back"}
	default:
		keys = []string{"a accept", "x reject", "e edit", "u undo", "A all here", "/ filter", "n next open", "w save", "q leave", "? keys"}
	}
	rows := flow(keys, m.width)
	if most := max(1, m.height/6); len(rows) > most {
		rows = flow(append([]string{"? keys"}, keys...), m.width)[:most]
	}
	for i := range rows {
		rows[i] = m.paint("2", fit(rows[i], m.width))
	}
	return rows
}

// flow puts keys into lines of at most columns columns.
func flow(keys []string, columns int) []string {
	var rows []string
	line := ""
	for _, k := range keys {
		if line != "" && screen.Width(line)+3+screen.Width(k) > columns {
			rows = append(rows, line)
			line = ""
		}
		if line != "" {
			line += "   "
		}
		line += k
	}
	return append(rows, line)
}

func helpText(width int) []string {
	var rows []string
	for _, line := range []string{
		"a, space  accept the item",
		"A         accept all of this command that a text names",
		"x         reject it: it goes from the map",
		"e, enter  edit it",
		"u         open it again, edits undone",
		"",
		"/         show what has a text",
		"o         show what is open",
		"m         show what is in no text",
		"esc       show all",
		"",
		"up, down  move; also j, k, page, g, G",
		"n         next open item",
		"tab       next place in the texts",
		"J, K      move the texts",
		"",
		"w         save    q  leave",
	} {
		rows = append(rows, fit(line, width))
	}
	return rows
}
