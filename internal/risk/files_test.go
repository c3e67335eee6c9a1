package risk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestFilesOf(t *testing.T) {
	for line, want := range map[string]string{
		"psql -f a.sql":                      "a.sql sql 2",
		"psql -fa.sql db":                    "a.sql sql 1",
		"psql --file=a.sql -f b.sql":         "a.sql sql 1 b.sql sql 3",
		"psql -Xqf a.sql":                    "a.sql sql 2",
		"psql -f - db":                       "",
		"psql -d f":                          "",
		"/usr/bin/sqlite3 -init a b":         "a sql 2",
		"gdb -x a.gdb --command=b.py p":      "a.gdb gdb 2 b.py python 3",
		"vim -S a.vim -u NONE -u b.lua file": "a.vim ex 2 b.lua lua 6",
		"awk -f a.awk -fb.awk data":          "a.awk awk 2 b.awk awk 3",
		"awk {print} -f":                     "",
		"expect x.exp -f y":                  "x.exp tcl 1",
		"expect -f x.exp y":                  "x.exp tcl 2",
		"expect -c puts":                     "",
		"sed -n -f x.sed f":                  "x.sed sed 3",
		"bash --rcfile rc":                   "rc shell 2",
		"ls -f x":                            "",
	} {
		var got []string
		for _, f := range FilesOf(tcpdb.NewView(tcpdb.Core()), strings.Fields(line)) {
			got = append(got, fmt.Sprint(f.Name, " ", f.Language, " ", f.Word))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", line, s, want)
		}
	}
}
