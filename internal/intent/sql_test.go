package intent

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// The tables of an operation are those of the database that another of its
// parameters names.
func TestTablesOfAnOperation(t *testing.T) {
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("sqlite3 is not installed (Debian: apt install sqlite3)")
	}
	dir := t.TempDir()
	cmd := exec.Command(tool, "-batch", filepath.Join(dir, "shop.db"))
	cmd.Stdin = strings.NewReader("create table users(id int, email text);")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	op := tcpdb.Operation{
		ID: "sqlite.index", Tool: "sqlite3", Standing: tcpdb.Shipped,
		Intents: []string{"show table <table> of <file>"}, Template: []string{"sqlite3", "<file>", ".schema <table>"},
		Params: []tcpdb.Param{
			{Name: "file", Type: "string", Required: true, Resolver: "files"},
			{Name: "table", Type: "string", Required: true, Resolver: "sql:tables"},
			{Name: "column", Type: "string", Resolver: "sql:columns"},
		},
	}
	r := Request{Dir: dir, Getenv: func(string) string { return "" }, Values: all.Table().Resolve}
	got, err := r.Fill(context.Background(), &op, map[string]string{"file": "shop.db", "table": "users", "column": "email"})
	if err != nil || got["table"] != "users" || got["column"] != "email" {
		t.Errorf("%v %v", got, err)
	}
	for _, bad := range []map[string]string{
		{"file": "shop.db", "table": "orders"},
		{"file": "shop.db", "table": "users", "column": "name"},
		{"file": "none.db", "table": "users"},
	} {
		if got, err := r.Fill(context.Background(), &op, bad); err == nil {
			t.Errorf("%v: %v", bad, got)
		}
	}
}
