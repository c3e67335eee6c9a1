package shells_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Tab within statements, in the real shells: a database that is a file, and a
// server, which a fake psql plays: the first Tab asks it, a later one has the
// answer.
func TestRealStatements(t *testing.T) {
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("sqlite3 is not installed (Debian: apt install sqlite3)")
	}
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := ""
			if name == "zsh" {
				before = compinit
			}
			x := start(t, name, setup{before: before, env: []string{"TEST_REAL=1"}, cols: 100})
			cmd := exec.Command(tool, "-batch", filepath.Join(x.dir, "shop.db"))
			cmd.Stdin = strings.NewReader(`create table users(id int, email text); create table "Group"(gid int);`)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			x.tab(`sqlite3 shop.db "select * from us`, `sqlite3 shop.db "select * from users `)
			column := `sqlite3 shop.db 'select email`
			if name == "fish" {
				column += " " // its way to keep the quote open
			}
			x.tab(`sqlite3 shop.db 'select ema`, column)
			typed := `sqlite3 shop.db "select * from Gr`
			if name == "fish" {
				typed = `sqlite3 shop.db "select * from \"Gr` // it inserts nothing before what is typed
			}
			x.tab(typed, `sqlite3 shop.db "select * from \"Group\" `)
			x.tab(`sqlite3 shop.db ".schema us`, `sqlite3 shop.db ".schema users `)

			x.write("bin/psql", "#!/bin/sh\n# a fake client of the tests\nprintf 'P\\tpublic\\nT\\tpublic\\torders\\tr\\tid\\037int\\n'\n")
			x.write(".pg_service.conf", "[shop]\nhost=db.example\n")
			for path, mode := range map[string]os.FileMode{"bin/psql": 0o755, ".pg_service.conf": 0o600} {
				if err := os.Chmod(filepath.Join(x.home, path), mode); err != nil {
					t.Fatal(err)
				}
			}
			const server, want = `psql service=shop -c "select * from ord`, `$ psql service=shop -c "select * from orders _`
			for end := time.Now().Add(30 * time.Second); ; {
				x.Keys(server + "\t_")
				x.shows(server[:20])
				time.Sleep(500 * time.Millisecond)
				found := strings.Contains(x.Screen(), want)
				x.clear()
				x.Keys("\x0c")
				if found {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("no answer of the server:\n%s", x.Screen())
				}
			}
		})
	}
}
