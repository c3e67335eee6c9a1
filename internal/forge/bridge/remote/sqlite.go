package remote

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	_ "modernc.org/sqlite" // the driver

	"github.com/tool-mapping-protocol/tmp/internal/forge/bridge"
)

// sqlite is a database in a file, read-only but for the queries that may write.
type sqlite struct {
	read, write *sql.DB
	file        string
}

// heap bounds what SQLite may take of the host's memory, in bytes.
const heap = "67108864"

func openSQLite(_ context.Context, d *bridge.Database) (connection, error) {
	file := d.URL
	for _, p := range []string{"sqlite://", "sqlite:", "file:"} {
		file = strings.TrimPrefix(file, p)
	}
	file, _, _ = strings.Cut(file, "?")
	if !filepath.IsAbs(file) {
		file = filepath.Join(d.Dir, file)
	}
	return &sqlite{file: file}, nil
}

// open opens the file, for reading alone or for both.
func (s *sqlite) open(write bool) (*sql.DB, error) {
	db := &s.read
	mode, pragma := "ro", "&_pragma=query_only(1)"
	if write {
		db, mode, pragma = &s.write, "rw", ""
	}
	if *db == nil {
		name := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: s.file}).EscapedPath()}).String()
		o, err := sql.Open("sqlite", name+"?mode="+mode+"&_pragma=trusted_schema(0)&_pragma=hard_heap_limit("+heap+")&_pragma=busy_timeout(5000)"+pragma)
		if err != nil {
			return nil, bridge.Fail("ENODB", "the database cannot be opened")
		}
		o.SetMaxOpenConns(1)
		*db = o
	}
	return *db, nil
}

func (s *sqlite) close() {
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			_ = db.Close()
		}
	}
}

func (s *sqlite) query(ctx context.Context, text string, params []any, write bool) (*table, error) {
	db, err := s.open(write)
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, text, params...)
	if err != nil {
		return nil, sqliteFault(err)
	}
	defer rows.Close()
	t := &table{}
	if t.columns, err = rows.Columns(); err != nil {
		return nil, sqliteFault(err)
	}
	for rows.Next() {
		if len(t.rows) >= maxRows {
			return nil, bridge.Quota("a query has more than 10000 rows")
		}
		row := make([]any, len(t.columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, sqliteFault(err)
		}
		for i, v := range row {
			row[i] = sqliteValue(v)
		}
		t.rows = append(t.rows, row)
	}
	if err := rows.Err(); err != nil {
		return nil, sqliteFault(err)
	}
	return t, nil
}

func sqliteValue(v any) any {
	switch v := v.(type) {
	case []byte:
		return base64.StdEncoding.EncodeToString(v)
	case time.Time:
		return v.UTC().Format("2006-01-02T15:04:05.999Z07:00")
	case string:
		if !utf8.ValidString(v) {
			return strings.ToValidUTF8(v, "\ufffd")
		}
	case float64:
		if v != v || v > 1e308 || v < -1e308 {
			return nil
		}
	}
	return v
}

// sqliteFault is what SQLite says, without the path of the file.
func sqliteFault(err error) error {
	text := err.Error()
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return err
	case strings.Contains(text, "readonly"), strings.Contains(text, "not authorized"), strings.Contains(text, "query_only"):
		return bridge.Fail("EPERM", "the statement writes")
	case strings.Contains(text, "unable to open"):
		return bridge.Fail("ENODB", "the database cannot be opened")
	}
	return bridge.Fail("EDB", strings.TrimPrefix(text, "SQL logic error: "))
}
