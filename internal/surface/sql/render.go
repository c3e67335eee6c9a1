package sql

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// kind is what a cell is.
type kind uint8

const (
	nullCell kind = iota
	textCell
	numberCell // as it was written, all digits
	boolCell   // "true" or "false"
	bytesCell  // base64
	jsonCell   // JSON by itself
)

// cell is a value of a row as text.
type cell struct {
	kind kind
	text string
}

// goCell is a value that a driver gives; declared is the type of its column.
func goCell(v any, declared string) cell {
	switch v := v.(type) {
	case nil:
		return cell{}
	case int64:
		return cell{numberCell, strconv.FormatInt(v, 10)}
	case float64:
		return floatCell(v)
	case float32:
		return floatCell(float64(v))
	case uint64:
		return cell{numberCell, strconv.FormatUint(v, 10)}
	case bool:
		return cell{boolCell, strconv.FormatBool(v)}
	case []byte:
		return cell{bytesCell, base64.StdEncoding.EncodeToString(v)}
	case time.Time:
		return cell{textCell, isoTime(v, declared)}
	case string:
		return cell{textCell, v}
	}
	return cell{textCell, fmt.Sprint(v)}
}

func floatCell(v float64) cell {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return cell{textCell, strconv.FormatFloat(v, 'g', -1, 64)}
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return cell{numberCell, strconv.FormatFloat(v, 'f', 1, 64)}
	}
	return cell{numberCell, strconv.FormatFloat(v, 'g', -1, 64)}
}

// isoTime is a time as ISO 8601, a date alone where the column holds no more.
func isoTime(t time.Time, declared string) string {
	if strings.EqualFold(declared, "DATE") && t.Equal(t.Truncate(24*time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}

// json is the cell as JSON.
func (c cell) json() []byte {
	switch c.kind {
	case nullCell:
		return []byte("null")
	case numberCell:
		if json.Valid([]byte(c.text)) {
			return []byte(c.text)
		}
	case boolCell:
		return []byte(c.text)
	case jsonCell:
		if json.Valid([]byte(c.text)) {
			return []byte(c.text)
		}
	}
	return jsonText(c.text)
}

func jsonText(s string) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // cannot fail on a string
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// rows takes the rows of a result and writes them, as many as are wanted.
type rows struct {
	w       *bufio.Writer // nil: nobody wants to see them
	form    writer
	columns []string
	most    int
	n       int
	more    int64 // that were counted and not shown
	cut     bool
	counted bool // more is all that there are
	until   time.Time
}

// writer is a form of output.
type writer interface {
	head(w io.Writer, columns []string) error
	row(w io.Writer, row []cell) error
	end(w io.Writer) error
}

// countTime is how long the rows that are not shown are counted.
const countTime = 2 * time.Second

func newRows(w io.Writer, r *surface.Request, most int) *rows {
	out := &rows{most: most}
	if w == nil {
		return out
	}
	out.w = bufio.NewWriterSize(w, 64<<10)
	switch r.Format {
	case "json":
		out.form = &jsonForm{}
	case "ndjson":
		out.form = &lineForm{}
	case "csv":
		out.form = csvForm{}
	default:
		out.form = &tableForm{cut: r.Terminal, width: r.Width}
	}
	return out
}

// head takes the names of the columns; two of one name are told apart.
func (o *rows) head(names []string) error {
	if len(names) == 0 {
		return nil // a statement without a result
	}
	seen := map[string]int{}
	for _, name := range names {
		seen[name]++
		if k := seen[name]; k > 1 {
			name = fmt.Sprintf("%s_%d", name, k)
			seen[name]++
		}
		o.columns = append(o.columns, name)
	}
	if o.form == nil {
		return nil
	}
	return o.form.head(o.w, o.columns)
}

func (o *rows) row(row []cell) error {
	o.n++
	if o.form == nil {
		return nil
	}
	return o.form.row(o.w, row)
}

// full reports whether no more rows are wanted.
func (o *rows) full() bool { return o.n >= o.most }

// count counts a row that is not shown; it is false when there is no time for more.
func (o *rows) count(ctx context.Context) bool {
	if !o.cut {
		o.cut, o.counted, o.until = true, true, time.Now().Add(countTime)
	}
	o.more++
	if o.more%256 == 0 && (time.Now().After(o.until) || ctx.Err() != nil) {
		o.counted = false
		return false
	}
	return true
}

// take hands on the rows of a driver of database/sql, each value as cellOf makes it of
// the value and the type that its column declares. stopped says that more rows are there
// than are worth counting.
func (o *rows) take(ctx context.Context, found *sql.Rows, cellOf func(v any, declared string) cell) (stopped bool, err error) {
	names, err := found.Columns()
	if err != nil {
		return false, err
	}
	types, err := found.ColumnTypes()
	if err != nil {
		return false, err
	}
	if err := o.head(names); err != nil {
		return false, err
	}
	values := make([]any, len(names))
	into := make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for found.Next() {
		if o.full() {
			if !o.count(ctx) {
				return true, nil
			}
			continue
		}
		if err := found.Scan(into...); err != nil {
			return false, err
		}
		row := make([]cell, len(values))
		for i, v := range values {
			row[i] = cellOf(v, types[i].DatabaseTypeName())
		}
		if err := o.row(row); err != nil {
			return false, err
		}
	}
	return false, nil
}

// end closes the output; good says that all rows came.
func (o *rows) end(good bool) error {
	if o.form == nil || o.n == 0 && !good {
		return nil
	}
	if err := o.form.end(o.w); err != nil {
		return err
	}
	return o.w.Flush()
}

// fields are what an envelope says of the rows.
func (o *rows) fields(t *template) map[string]any {
	f := map[string]any{"rows": o.n, "cut": o.cut, "connection": t.c.Name, "driver": t.c.Driver}
	if o.columns != nil {
		f["columns"] = o.columns
	}
	if o.cut {
		f["max_rows"] = o.most
		if o.counted {
			f["total_rows"] = int64(o.n) + o.more
		}
	}
	return f
}

// lines tell a person of what is not shown.
func (o *rows) lines() []string {
	switch {
	case !o.cut:
		return nil
	case o.counted:
		return []string{fmt.Sprintf("cut at %d rows of %d: max_rows of the connection", o.n, int64(o.n)+o.more)}
	}
	return []string{fmt.Sprintf("cut at %d rows, there are more: max_rows of the connection", o.n)}
}

// jsonForm is a list of objects.
type jsonForm struct {
	columns []string
	begun   bool
}

func (f *jsonForm) head(w io.Writer, columns []string) error {
	f.columns = columns
	_, err := io.WriteString(w, "[")
	return err
}

func (f *jsonForm) row(w io.Writer, row []cell) error {
	sep := "\n"
	if f.begun {
		sep = ",\n"
	}
	f.begun = true
	if _, err := io.WriteString(w, sep); err != nil {
		return err
	}
	return writeObject(w, f.columns, row)
}

func (f *jsonForm) end(w io.Writer) error {
	end := "\n]\n"
	if f.columns == nil {
		end = "[]\n" // a statement without a result
	} else if !f.begun {
		end = "]\n"
	}
	_, err := io.WriteString(w, end)
	return err
}

func writeObject(w io.Writer, columns []string, row []cell) error {
	b := []byte("{")
	for i, c := range row {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, jsonText(columns[i])...), ':')
		b = append(b, c.json()...)
	}
	_, err := w.Write(append(b, '}'))
	return err
}

// lineForm is an object a line.
type lineForm struct{ columns []string }

func (f *lineForm) head(_ io.Writer, columns []string) error {
	f.columns = columns
	return nil
}

func (f *lineForm) row(w io.Writer, row []cell) error {
	if err := writeObject(w, f.columns, row); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (*lineForm) end(io.Writer) error { return nil }

// csvForm is CSV (RFC 4180) with line feeds: NULL is an empty field, an empty text "".
type csvForm struct{}

func (csvForm) head(w io.Writer, columns []string) error {
	row := make([]cell, len(columns))
	for i, c := range columns {
		row[i] = cell{textCell, c}
	}
	return csvForm{}.row(w, row)
}

func (csvForm) row(w io.Writer, row []cell) error {
	var b strings.Builder
	for i, c := range row {
		if i > 0 {
			b.WriteByte(',')
		}
		switch {
		case c.kind == nullCell:
		case c.text == "", strings.ContainsAny(c.text, "\",\r\n"), strings.TrimSpace(c.text) != c.text:
			b.WriteString(`"` + strings.ReplaceAll(c.text, `"`, `""`) + `"`)
		default:
			b.WriteString(c.text)
		}
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

func (csvForm) end(io.Writer) error { return nil }

// tableForm is a table for people. The widths of its columns are those of the first
// rows; on a terminal a value that is wider is cut, with a mark.
type tableForm struct {
	columns []string
	cut     bool
	width   int
	kept    [][]cell // until the widths are known
	widths  []int
	right   []bool
	laidOut bool
}

const (
	// layoutRows is how many rows the widths are taken from.
	layoutRows = 1000
	// widest is how wide a column is on a terminal at most.
	widest = 60
	mark   = "…"
)

func (f *tableForm) head(_ io.Writer, columns []string) error {
	f.columns = columns
	return nil
}

func (f *tableForm) row(w io.Writer, row []cell) error {
	if f.laidOut {
		return f.write(w, row)
	}
	f.kept = append(f.kept, row)
	if len(f.kept) < layoutRows {
		return nil
	}
	return f.layOut(w)
}

// layOut finds the widths and writes what was kept for it.
func (f *tableForm) layOut(w io.Writer) error {
	f.laidOut = true
	f.widths, f.right = make([]int, len(f.columns)), make([]bool, len(f.columns))
	for i, name := range f.columns {
		f.widths[i] = screen.Width(shown(cell{textCell, name}))
		numbers := false
		all := true
		for _, row := range f.kept {
			f.widths[i] = max(f.widths[i], screen.Width(shown(row[i])))
			numbers = numbers || row[i].kind == numberCell
			all = all && (row[i].kind == numberCell || row[i].kind == nullCell)
		}
		f.right[i] = numbers && all
		if f.cut {
			f.widths[i] = min(f.widths[i], widest)
		}
	}
	f.fit()
	head := make([]cell, len(f.columns))
	for i, name := range f.columns {
		head[i] = cell{textCell, name}
	}
	if len(f.columns) > 0 {
		if err := f.write(w, head); err != nil {
			return err
		}
		var rule []string
		for _, n := range f.widths {
			rule = append(rule, strings.Repeat("-", max(n, 1)))
		}
		if _, err := io.WriteString(w, strings.Join(rule, "  ")+"\n"); err != nil {
			return err
		}
	}
	for _, row := range f.kept {
		if err := f.write(w, row); err != nil {
			return err
		}
	}
	f.kept = nil
	return nil
}

// fit narrows the widest columns until the table fits the terminal, as far as that
// leaves something to read.
func (f *tableForm) fit() {
	if !f.cut || f.width <= 0 {
		return
	}
	for {
		total, most := -2, 0
		for i, n := range f.widths {
			total += n + 2
			if n > f.widths[most] {
				most = i
			}
		}
		if total <= f.width || len(f.widths) == 0 || f.widths[most] <= 8 {
			return
		}
		f.widths[most] -= min(total-f.width, f.widths[most]-8)
	}
}

func (f *tableForm) write(w io.Writer, row []cell) error {
	var b strings.Builder
	for i, c := range row {
		if i > 0 {
			b.WriteString("  ")
		}
		text := shown(c)
		if f.cut && screen.Width(text) > f.widths[i] {
			text = screen.Clip(text, f.widths[i]-1)
			text = strings.TrimSuffix(text, mark) + mark
		}
		pad := strings.Repeat(" ", max(0, f.widths[i]-screen.Width(text)))
		switch {
		case f.right[i]:
			b.WriteString(pad + text)
		case i == len(row)-1:
			b.WriteString(text)
		default:
			b.WriteString(text + pad)
		}
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}

func (f *tableForm) end(w io.Writer) error {
	if f.laidOut {
		return nil
	}
	return f.layOut(w)
}

// shown is a cell as a person reads it: what is not there is told from what is empty,
// and nothing in it steers the terminal.
func shown(c cell) string {
	if c.kind == nullCell {
		return "NULL"
	}
	text := c.text
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	return screen.Printable(text)
}
