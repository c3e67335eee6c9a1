package sqlitefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
)

// sqlite runs the real sqlite3 over a database and returns its output.
func sqlite(t testing.TB, path, sql string) string {
	t.Helper()
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("sqlite3 is not installed (Debian: apt install sqlite3)")
	}
	cmd := exec.Command(tool, "-batch", "-bail", path)
	cmd.Stdin = strings.NewReader("pragma synchronous=off;\n" + sql)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("sqlite3: %v\n%s\n%s", err, out, sql)
	}
	return string(out)
}

func open(t testing.TB, path string) File {
	t.Helper()
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return File{}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return File{f, st.Size()}
}

func read(t testing.TB, path string) []Entry {
	t.Helper()
	var list []Entry
	if err := Schema(open(t, path), open(t, path+"-wal"), nil, func(e Entry) { list = append(list, e) }); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return list
}

// Over many made schemas, in every encoding and in several page sizes, the
// tables and the columns are those that sqlite3 itself tells.
func TestAsSQLiteTells(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 6
	}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		path := filepath.Join(t.TempDir(), "made.db")
		var sql strings.Builder
		fmt.Fprintf(&sql, "pragma page_size=%d; pragma encoding='%s';\n", 512<<rng.IntN(8), []string{"UTF-8", "UTF-16le", "UTF-16be"}[seed%3])
		if seed%4 == 1 {
			sql.WriteString("pragma auto_vacuum=full;\n")
		}
		for i := range 1 + rng.IntN(40) {
			sql.WriteString(madeTable(rng, fmt.Sprintf("t%d %s", i, madeName(rng))))
		}
		sql.WriteString("create view \"the view\" as select name, type as kind from sqlite_master;\ncreate view given(one, \"two 2\") as select 1, 2;\n")
		if seed%5 == 0 {
			sql.WriteString("vacuum;\n")
		}
		sqlite(t, path, sql.String())
		got := map[string][]string{}
		for _, e := range read(t, path) {
			if e.Type != "table" && e.Type != "view" || strings.HasPrefix(e.Name, "sqlite_") {
				continue
			}
			got[e.Name] = []string{}
			for _, c := range sqltext.Columns(e.SQL, nil) {
				got[e.Name] = append(got[e.Name], c.Name)
			}
		}
		want := map[string][]string{}
		rows := sqlite(t, path, ".mode ascii\nselect m.name, x.name from sqlite_master m, pragma_table_xinfo(m.name) x where m.type in ('table','view') and m.name not like 'sqlite\\_%' escape '\\' order by m.rowid, x.cid;")
		for row := range strings.SplitSeq(strings.TrimSuffix(rows, "\x1e"), "\x1e") {
			table, column, _ := strings.Cut(row, "\x1f")
			want[table] = append(want[table], column)
		}
		for table, columns := range want {
			if !slices.Equal(got[table], columns) {
				t.Errorf("seed %d: %q has columns %q, want %q", seed, table, got[table], columns)
			}
		}
		if len(got) != len(want) {
			t.Errorf("seed %d: %d tables, want %d", seed, len(got), len(want))
		}
	}
}

func madeName(rng *rand.Rand) string {
	parts := []string{"a", "Order", "größe", "it's", `say "x"`, "x]y", "a,b", "(", "日本", "-- no", "/* c */", "select", "PRIMARY", "1st", "$", "tab\tbed"}
	return parts[rng.IntN(len(parts))] + parts[rng.IntN(len(parts))]
}

func madeTable(rng *rand.Rand, name string) string {
	quote := func(s string) string {
		switch rng.IntN(3) {
		case 0:
			return "`" + strings.ReplaceAll(s, "`", "``") + "`"
		case 1:
			if !strings.Contains(s, "]") {
				return "[" + s + "]"
			}
		}
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	types := []string{"", "INTEGER", "varchar(10)", "DECIMAL(10, 2)", "unsigned big int", "text collate nocase", "blob not null default x'00'", "int default (1 + (2))", "real check (1 in (1, 2))", "text default 'a, b) --'", "int /* , x int */"}
	var b strings.Builder
	b.WriteString("create table " + quote(name) + " (")
	n := 1 + rng.IntN(12)
	for i := range n {
		if i > 0 {
			b.WriteString([]string{",", ",\n", " , -- next, one\n"}[rng.IntN(3)])
		}
		b.WriteString(quote(fmt.Sprintf("%s %d", madeName(rng), i)) + " " + types[rng.IntN(len(types))])
	}
	if rng.IntN(3) == 0 {
		b.WriteString(", made int generated always as (1) virtual")
	}
	if rng.IntN(3) == 0 {
		b.WriteString(", constraint c check (1), check (2)")
	}
	b.WriteString(");\n")
	if rng.IntN(20) == 0 { // a statement that goes on over several pages
		b.WriteString("create table " + quote(name+" long") + " (a int check (a <> '" + strings.Repeat("x, ", 3000+rng.IntN(9000)) + "'), b);\n")
	}
	return b.String()
}

// Modules of virtual tables that name columns, where this sqlite3 has them.
func TestVirtualTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v.db")
	sqlite(t, path, "create virtual table r using rtree(id, minX, maxX, minY, maxY);")
	if out, err := exec.Command("sqlite3", path, "create virtual table f using fts5(title, body unindexed, tokenize = 'porter')").CombinedOutput(); err != nil {
		t.Skipf("no fts5: %s", out)
	}
	for _, e := range read(t, path) {
		want, known := map[string]string{"r": "id minX maxX minY maxY", "f": "title body"}[e.Name]
		if !known || e.Type != "table" {
			continue
		}
		var names []string
		for _, c := range sqltext.Columns(e.SQL, nil) {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", e.Name, got, want)
		}
	}
}

// What a log has committed counts, what it has not does not.
func TestLog(t *testing.T) {
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("sqlite3 is not installed (Debian: apt install sqlite3)")
	}
	path := filepath.Join(t.TempDir(), "w.db")
	cmd := exec.Command(tool, "-batch", path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); _ = cmd.Wait() }()
	say := func(sql string) {
		t.Helper()
		fmt.Fprintln(in, sql+"\nselect 'done';")
		buf := make([]byte, 4096)
		for text := ""; !strings.Contains(text, "done"); {
			n, err := out.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			text += string(buf[:n])
		}
	}
	tables := func() string {
		var list []string
		for _, e := range read(t, path) {
			list = append(list, e.Name)
		}
		return strings.Join(list, " ")
	}
	say("create table before(x); pragma journal_mode=wal; pragma wal_autocheckpoint=0;")
	say("create table logged(x);")
	if got := tables(); got != "before logged" {
		t.Errorf("with a commit in the log: %s", got)
	}
	say("pragma cache_size=1; pragma cache_spill=1; begin; create table pending(x); with recursive n(i) as (select 1 union all select i+1 from n where i < 20000) insert into pending select randomblob(100) from n;")
	if got := tables(); got != "before logged" {
		t.Errorf("within a transaction: %s", got)
	}
	say("commit; drop table before;")
	if got := tables(); got != "logged pending" && got != "pending logged" {
		t.Errorf("after it: %s", got)
	}
	say("pragma wal_checkpoint(truncate); create table last(x);")
	if got := tables(); !strings.HasSuffix(got, "last") || strings.Contains(got, "before") {
		t.Errorf("after a checkpoint: %s", got)
	}
}

// page1 is a database of one page of 4 096 bytes, with the header of a leaf.
func page1(kind byte, cells int) []byte {
	b := make([]byte, 4096)
	copy(b, magic)
	binary.BigEndian.PutUint16(b[16:], 4096)
	binary.BigEndian.PutUint32(b[56:], 1)
	b[100] = kind
	binary.BigEndian.PutUint16(b[103:], uint16(cells))
	return b
}

func TestHostileFiles(t *testing.T) {
	cyclic := page1(5, 1)
	binary.BigEndian.PutUint32(cyclic[108:], 1) // its last child is itself
	binary.BigEndian.PutUint16(cyclic[112:], 4000)
	binary.BigEndian.PutUint32(cyclic[4000:], 1)
	// A row of two megabytes whose chain of pages leads to itself: whatever is read
	// for the number of the first one is 2, or lies far beyond the end.
	long := append(page1(13, 1), make([]byte, 4096)...)
	binary.BigEndian.PutUint16(long[108:], 200)
	copy(long[200:], []byte{0x81, 0x80, 0x80, 0x00, 1})
	for at := 205; at < 4092; at += 4 {
		binary.BigEndian.PutUint32(long[at:], 2)
	}
	binary.BigEndian.PutUint32(long[4096:], 2)
	beyond := page1(5, 0)
	binary.BigEndian.PutUint32(beyond[108:], 1<<31)
	cells := page1(13, 65_535)
	for name, x := range map[string]struct {
		data []byte
		want error
	}{
		"empty":    {nil, nil},
		"short":    {[]byte("SQLite format 3\x00"), ErrNotDatabase},
		"text":     {bytes.Repeat([]byte("text "), 100), ErrNotDatabase},
		"cyclic":   {cyclic, ErrDamaged},
		"long":     {long, ErrDamaged},
		"beyond":   {beyond, ErrDamaged},
		"cells":    {cells, ErrDamaged},
		"no pages": {page1(13, 0), nil},
		"index":    {page1(10, 0), ErrDamaged},
		"cut":      {page1(13, 0)[:200], ErrDamaged},
	} {
		start := time.Now()
		err := Schema(File{bytes.NewReader(x.data), int64(len(x.data))}, File{}, nil, func(e Entry) { t.Errorf("%s: %+v", name, e) })
		if !errors.Is(err, x.want) || (err == nil) != (x.want == nil) {
			t.Errorf("%s: %v, want %v", name, err, x.want)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("%s took %v", name, d)
		}
	}
}

// A database with four gigabytes of holes costs no more than what its schema has.
func TestSparse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	sqlite(t, path, "create table t(a);")
	if err := os.Truncate(path, 4<<30); err != nil {
		t.Skip(err)
	}
	if list := read(t, path); len(list) != 1 || list[0].Name != "t" {
		t.Errorf("%+v", list)
	}
}

func TestStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	sqlite(t, path, "create table t(a);")
	err := Schema(open(t, path), File{}, func() bool { return true }, func(Entry) {})
	if !errors.Is(err, ErrStopped) {
		t.Error(err)
	}
}

// FuzzSchema changes a real database: whatever the bytes, it ends soon and
// without a panic.
func FuzzSchema(f *testing.F) {
	f.Add(page1(13, 0), []byte{})
	f.Add(page1(5, 3), []byte("7\x7f\x06\x82"))
	if tool, err := exec.LookPath("sqlite3"); err == nil {
		path := filepath.Join(f.TempDir(), "f.db")
		if exec.Command(tool, path, "pragma page_size=512; create table a(b, c text); create view v as select * from a; create table long(x check (x <> '"+strings.Repeat("y", 2000)+"'))").Run() == nil {
			if data, err := os.ReadFile(path); err == nil {
				f.Add(data, []byte{})
			}
		}
	}
	f.Fuzz(func(t *testing.T, db, log []byte) {
		n := 0
		_ = Schema(File{bytes.NewReader(db), int64(len(db))}, File{bytes.NewReader(log), int64(len(log))}, nil, func(e Entry) {
			n++
			sqltext.Columns(e.SQL, nil)
		})
	})
}
