package sql

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/surface/statement"
)

// mostValues is how many values of a column are offered.
const mostValues = 500

// values writes the distinct values of a column, one a line, for completion:
// "sql:NAME.table.column" or "sql:NAME.schema.table.column".
func values(ctx context.Context, w surface.World, r *surface.Request, c *connection) *surface.Report {
	parts := strings.Split(strings.TrimPrefix(r.Resolver, "sql:"), ".")
	if len(parts) < 3 || len(parts) > 4 {
		return surface.Refuse(fmt.Sprintf("%q: want sql:CONNECTION.TABLE.COLUMN", r.Resolver))
	}
	var names []string
	for _, part := range parts[1:] {
		if !plainName(part) {
			return surface.Refuse(fmt.Sprintf("%q is no name of a table or column", part))
		}
		quote := `"`
		if c.Driver == mysqlDriver {
			quote = "`"
		}
		names = append(names, quote+part+quote)
	}
	column := names[len(names)-1]
	query := fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE %s IS NOT NULL ORDER BY 1 LIMIT %d", column, strings.Join(names[:len(names)-1], "."), column, mostValues)
	st, err := statement.Parse(c.dialect(), query)
	if err != nil {
		return surface.Fail(1, err.Error())
	}
	t := &template{r: r, c: c, st: st, record: surface.SQLRecord{Query: query}, sent: statement.Rewritten{Text: query}}
	if t.r.Operation == "" {
		t.r.Operation = r.Resolver
	}
	db, err := open(ctx, c, true)
	if err != nil {
		return failed(ctx, t, err, false)
	}
	defer db.Close()
	out := newRows(w.Stdout, r, mostValues)
	out.form = valueForm{}
	err = db.Read(ctx, t, out)
	if e := out.end(err == nil); err == nil {
		err = e
	}
	if err != nil {
		return failed(ctx, t, err, true)
	}
	return &surface.Report{V: 1, Started: true}
}

// plainName reports whether a name can be quoted in every dialect.
func plainName(s string) bool {
	return s != "" && len(s) <= 128 && !strings.ContainsAny(s, "\"`'\\\x00\r\n") && sqltext.Quote(sqltext.Any, s) != ""
}

// valueForm is the first cell of each row, those of one line.
type valueForm struct{}

func (valueForm) head(io.Writer, []string) error { return nil }
func (valueForm) end(io.Writer) error            { return nil }

func (valueForm) row(w io.Writer, row []cell) error {
	text := row[0].text
	if text == "" || len(text) > 200 || strings.ContainsAny(text, "\r\n\x00") {
		return nil
	}
	_, err := io.WriteString(w, text+"\n")
	return err
}
