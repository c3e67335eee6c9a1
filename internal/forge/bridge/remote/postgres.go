package remote

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tool-mapping-protocol/tmp/internal/forge/bridge"
)

// postgres is a connection; each statement has a transaction of its own.
type postgres struct {
	conn  *pgconn.PgConn
	super bool
}

func openPostgres(ctx context.Context, d *bridge.Database) (connection, error) {
	cfg, err := pgconn.ParseConfig(d.URL)
	if err != nil {
		return nil, bridge.Fail("ENODB", "the address of the database cannot be read")
	}
	conn, err := pgconn.ConnectConfig(ctx, cfg)
	if err != nil {
		return nil, bridge.Fail("ENODB", "the database cannot be reached")
	}
	p := &postgres{conn: conn}
	t, err := p.exec(ctx, "select rolsuper or rolreplication or pg_has_role(current_user, 'pg_execute_server_program', 'member') from pg_roles where rolname = current_user", nil)
	if err != nil {
		p.close()
		return nil, err
	}
	p.super = len(t.rows) > 0 && t.rows[0][0] == true
	return p, nil
}

func (p *postgres) close() { _ = p.conn.Close(context.Background()) }

// query runs a statement in a read-only transaction, or in one that writes. Who may
// do everything reads with the role that may only read.
func (p *postgres) query(ctx context.Context, text string, params []any, write bool) (*table, error) {
	begin := "begin read only"
	if write {
		begin = "begin"
	}
	steps := []string{begin, "set local statement_timeout = '60s'"}
	if p.super && !write {
		steps = append(steps, "set local role pg_read_all_data")
	}
	for _, s := range steps {
		if _, err := p.exec(ctx, s, nil); err != nil {
			_, _ = p.exec(ctx, "rollback", nil)
			if strings.HasPrefix(s, "set local role") {
				return nil, bridge.Fail("EPERM", "the role of the database may do everything: create one that only reads")
			}
			return nil, err
		}
	}
	t, err := p.exec(ctx, text, params)
	end := "rollback"
	if err == nil && write {
		end = "commit"
	}
	if _, endErr := p.exec(ctx, end, nil); err == nil && endErr != nil {
		err = endErr
	}
	return t, err
}

// exec runs one statement by the extended protocol, everything as text.
func (p *postgres) exec(ctx context.Context, text string, params []any) (*table, error) {
	values := make([][]byte, len(params))
	for i, v := range params {
		if v != nil {
			values[i] = []byte(fmt.Sprint(v))
		}
	}
	r := p.conn.ExecParams(ctx, text, values, nil, nil, nil)
	t := &table{}
	for _, f := range r.FieldDescriptions() {
		t.columns = append(t.columns, f.Name)
	}
	over := false
	for r.NextRow() {
		if len(t.rows) >= maxRows {
			over = true
			break
		}
		row := make([]any, len(t.columns))
		for i, v := range r.Values() {
			row[i] = postgresValue(v, r.FieldDescriptions()[i].DataTypeOID)
		}
		t.rows = append(t.rows, row)
	}
	_, err := r.Close()
	if over {
		return nil, bridge.Quota("a query has more than 10000 rows")
	}
	if err != nil {
		return nil, postgresFault(err)
	}
	return t, nil
}

// OIDs of pg_type.
const (
	oidBool, oidBytea, oidInt8, oidInt2, oidInt4, oidJSON, oidFloat4, oidFloat8, oidJSONB = 16, 17, 20, 21, 23, 114, 700, 701, 3802
)

// postgresValue keeps types: what JavaScript cannot hold exactly stays text.
func postgresValue(v []byte, oid uint32) any {
	if v == nil {
		return nil
	}
	s := string(v)
	switch oid {
	case oidBool:
		return s == "t"
	case oidInt2, oidInt4, oidInt8:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil && n <= 1<<53 && n >= -1<<53 {
			return n
		}
	case oidFloat4, oidFloat8:
		if f, err := strconv.ParseFloat(s, 64); err == nil && f == f && f < 1e308 && f > -1e308 {
			return f
		}
	case oidJSON, oidJSONB:
		if json.Valid(v) {
			return json.RawMessage(s)
		}
	case oidBytea:
		if data, err := hex.DecodeString(strings.TrimPrefix(s, `\x`)); err == nil {
			return base64.StdEncoding.EncodeToString(data)
		}
	}
	if !utf8.ValidString(s) {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	return s
}

// postgresFault is what the server says, with its SQLSTATE.
func postgresFault(err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch pg.Code {
		case "25006", "42501":
			return bridge.Fail("EPERM", pg.Message+" (SQLSTATE "+pg.Code+")")
		}
		return bridge.Fail("EDB", pg.Message+" (SQLSTATE "+pg.Code+")")
	}
	return bridge.Fail("EDB", "the database did not answer")
}
