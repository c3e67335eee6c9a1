package risk

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// A statement is found where it stands in the same word as its option.
func TestPrograms(t *testing.T) {
	for _, tc := range []struct {
		words []string
		want  string
	}{
		{[]string{"psql", "-c", "a"}, "a"},
		{[]string{"psql", "-ca"}, "a"},
		{[]string{"psql", "-Atca b"}, "a b"},
		{[]string{"psql", "-Atc", "a"}, "a"},
		{[]string{"psql", "--command=a"}, "a"},
		{[]string{"psql", "-Uca"}, ""},
		{[]string{"mysql", "-edrop table x"}, "drop table x"},
		{[]string{"mysql", "-Ne", "a"}, "a"},
		{[]string{"mysql", "-pe", "a"}, ""},
		{[]string{"mysql", "-uroot", "-hlocalhost"}, ""},
		{[]string{"sqlite3", "a.db", "b"}, "b"},
	} {
		got := ""
		for _, p := range Programs(tcpdb.NewView(tcpdb.Core()), tc.words) {
			got += p.Text
		}
		if got != tc.want {
			t.Errorf("%q: %q, want %q", tc.words, got, tc.want)
		}
	}
}

func TestReadsInput(t *testing.T) {
	for _, tc := range []struct {
		words []string
		want  bool
	}{
		{[]string{"python3"}, true},
		{[]string{"python3", "-"}, true},
		{[]string{"python3", "-u"}, true},
		{[]string{"python3", "x.py"}, false},
		{[]string{"python3", "-m", "http.server"}, false},
		{[]string{"python3", "-c", "1"}, false},
		{[]string{"perl", "-ne", "print"}, false},
		{[]string{"psql", "-U", "me", "db"}, true},
		{[]string{"psql", "--command=select 1"}, false},
		{[]string{"sqlite3", "a.db"}, true},
		{[]string{"sqlite3", "a.db", "select 1"}, false},
		{[]string{"ls"}, false},
	} {
		if got := ReadsInput(tcpdb.NewView(tcpdb.Core()), tc.words); got != tc.want {
			t.Errorf("%q: %v", tc.words, got)
		}
	}
}

func FuzzCode(f *testing.F) {
	f.Add("python", `os.system("rm")`)
	f.Add("sql", "drop table 'x")
	f.Add("node", "`a${b}`")
	f.Fuzz(func(t *testing.T, lang, code string) {
		if v := Code(lang, code); v.Level < tcpdb.Low {
			t.Fatalf("level %v", v.Level)
		}
	})
}
