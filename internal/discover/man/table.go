package man

import "strings"

// table reads a table of tbl: the first cell of a row is its tag, the others
// are its text.
type table struct {
	sep    string
	format bool // the lines that say how columns look are over
	block  bool // inside a cell of several lines, T{ … T}
	cells  []string
	cell   strings.Builder
	rows   int
}

func (t *table) row(r *reader, line string) {
	if t.sep == "" {
		t.sep = "\t"
		if strings.HasSuffix(strings.TrimSpace(line), ";") {
			if _, after, ok := strings.Cut(line, "tab("); ok && after != "" {
				t.sep = after[:1]
			} else if _, after, ok := strings.Cut(line, "tab ("); ok && after != "" {
				t.sep = after[:1]
			}
			return
		}
	}
	switch {
	case !t.format:
		t.format = strings.HasSuffix(strings.TrimSpace(line), ".")
	case t.block:
		if rest, ok := strings.CutPrefix(line, "T}"); ok {
			t.block = false
			t.cells = append(t.cells, t.cell.String())
			t.cell.Reset()
			if rest != "" {
				t.split(strings.TrimPrefix(rest, t.sep))
			}
			if !t.block {
				t.end(r)
			}
			return
		}
		if t.cell.Len() < maxText {
			t.cell.WriteString(strings.TrimLeft(line, ".") + " ")
		}
	case line == "_" || line == "=" || line == "":
	default:
		t.split(line)
		if !t.block {
			t.end(r)
		}
	}
}

func (t *table) split(line string) {
	for _, c := range strings.Split(line, t.sep) {
		if strings.TrimSpace(c) == "T{" {
			t.block = true
			return
		}
		t.cells = append(t.cells, c)
	}
}

// end writes the row that was read.
func (t *table) end(r *reader) {
	cells := t.cells
	t.cells = nil
	if len(cells) == 0 || t.rows > 20_000 {
		return
	}
	t.rows++
	old := r.indent
	var first, rest []piece
	for i, c := range cells {
		r.font = roman
		ps := r.inline(strings.TrimSpace(c))
		if i == 0 {
			first = ps
			continue
		}
		if len(rest) > 0 {
			rest = append(rest, piece{" ", roman})
		}
		rest = append(rest, ps...)
	}
	r.font = roman
	r.para = append(r.para[:0], first...)
	r.inTag = true
	r.flush()
	r.indent = old + listStep
	r.para = append(r.para[:0], rest...)
	r.flush()
	r.indent = old
}
