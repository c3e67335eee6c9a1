package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// How much of an answer is shown: the rest is in the raw output.
const (
	maxColumns = 8
	maxCell    = 60 // columns of the screen
	maxRows    = 200
	maxLines   = 200
)

// listOf are the elements of a list of objects; it is none if one is no object.
func listOf(v any) ([]object, bool) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, false
	}
	out := make([]object, 0, len(list))
	for _, item := range list {
		o, ok := item.(object)
		if !ok {
			return nil, false
		}
		out = append(out, o)
	}
	return out, true
}

// table shows a list of objects, a column for each member. Of members that nobody
// chose those with objects and lists are left out, and told.
func table(list []object, chosen bool, width int) string {
	columns, left := columnsOf(list, chosen)
	if len(columns) == 0 {
		return ""
	}
	shown := list[:min(len(list), maxRows)]
	cells := [][]string{columns}
	for _, o := range shown {
		row := make([]string, len(columns))
		for i, name := range columns {
			v, ok := o.get(name)
			row[i] = cell(v, ok)
		}
		cells = append(cells, row)
	}
	var b strings.Builder
	widths := fit(cells, width)
	for _, row := range cells {
		var line strings.Builder
		for i, text := range row {
			text = screen.Clip(text, widths[i])
			line.WriteString(text)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-screen.Width(text)+2))
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	if n := len(list) - len(shown); n > 0 {
		fmt.Fprintf(&b, "[tmp] … %s more\n", screen.Count(n, "row"))
	}
	if left > 0 {
		fmt.Fprintf(&b, "[tmp] … %s more of each\n", screen.Count(left, "field"))
	}
	return b.String()
}

// columnsOf are the members of the first rows in their order, and how many are not
// among them.
func columnsOf(list []object, chosen bool) (columns []string, left int) {
	var others []string
	for _, o := range list[:min(len(list), 20)] {
		for _, m := range o {
			if slices.Contains(columns, m.name) || slices.Contains(others, m.name) {
				continue
			}
			switch m.value.(type) {
			case object, []any:
				if !chosen {
					others = append(others, m.name)
					continue
				}
			}
			if !chosen && len(columns) == maxColumns {
				others = append(others, m.name)
				continue
			}
			columns = append(columns, m.name)
		}
	}
	return columns, len(others)
}

// cell is a value in one line.
func cell(v any, there bool) string {
	switch v := v.(type) {
	case nil:
		if !there {
			return ""
		}
		return "null"
	case string:
		return clean(v)
	case json.Number:
		return v.String()
	}
	data, err := encodeJSON(v)
	if err != nil {
		return ""
	}
	return clean(string(data))
}

// clean makes a text one that a terminal shows as it is.
func clean(s string) string {
	if len(s) > 4*maxCell {
		s = strings.ToValidUTF8(s[:4*maxCell], "") + "…"
	}
	return screen.Printable(strings.Join(strings.Fields(s), " "))
}

// fit finds the widths of columns; those that are too wide share what is left.
func fit(cells [][]string, width int) []int {
	out := make([]int, len(cells[0]))
	for _, row := range cells {
		for i, text := range row {
			out[i] = min(max(out[i], screen.Width(text)), maxCell)
		}
	}
	if width <= 0 {
		return out
	}
	for {
		total, widest := 2*(len(out)-1), 0
		for i, w := range out {
			total += w
			if w > out[widest] {
				widest = i
			}
		}
		if total <= width || out[widest] <= 8 {
			return out
		}
		out[widest] = max(out[widest]-(total-width), 8)
	}
}

// pretty is JSON in lines, cut where it is long.
func pretty(v any) string {
	data, err := encodeJSON(v)
	if err != nil {
		return ""
	}
	var text []byte
	if text, err = indent(data); err != nil {
		return ""
	}
	lines := strings.Split(string(text), "\n")
	rest := ""
	if n := len(lines) - maxLines; n > 0 {
		lines = lines[:maxLines]
		rest = fmt.Sprintf("[tmp] … %s more\n", screen.Count(n, "line"))
	}
	for i, line := range lines {
		lines[i] = screen.Printable(screen.Clip(line, 2000))
	}
	return strings.Join(lines, "\n") + "\n" + rest
}
