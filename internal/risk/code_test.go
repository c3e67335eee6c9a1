package risk

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestCode(t *testing.T) {
	for _, tc := range []struct {
		lang, code string
		level      tcpdb.Level
		line       string // the first shell line in it
	}{
		{"python", "print(1)", tcpdb.Low, ""},
		{"python", "import os; os.remove('a')", tcpdb.Critical, ""},
		{"python", "msg = 'os.remove(1)'", tcpdb.Low, ""},
		{"python", "l = [1]; l.remove(1)", tcpdb.Low, ""},
		{"python", "# os.remove('a')", tcpdb.Low, ""},
		{"python", "from pathlib import Path\nPath('a').unlink()", tcpdb.Critical, ""},
		{"python", "import os; os.system(\"rm -rf data\")", tcpdb.Low, "rm -rf data"},
		{"python", "import subprocess\nsubprocess.run(['rm', '-rf', 'x'])", tcpdb.Low, "rm -rf x"},
		{"python", "import os, sys; os.system(sys.argv[1])", tcpdb.High, ""},
		{"python", `s = """unlink( '"""`, tcpdb.Low, ""},
		{"perl", `unlink glob "*"`, tcpdb.Critical, ""},
		{"perl", "print `rm x`", tcpdb.Low, "rm x"},
		{"ruby", "FileUtils.rm_rf 'x'", tcpdb.Critical, ""},
		{"node", "require('child_process').execSync('rm -rf data')", tcpdb.Low, "rm -rf data"},
		{"node", "/a/.exec(s); // fs.rmSync('x')", tcpdb.Low, ""},
		{"node", "fs.rmSync('x')", tcpdb.Critical, ""},
		{"sql", "select 'drop table x'", tcpdb.Low, ""},
		{"sql", "-- drop\nselect 1; DROP TABLE x", tcpdb.Critical, ""},
		{"sql", "DELETE FROM t WHERE id = 1", tcpdb.High, ""},
		{"sql", "delete from t", tcpdb.Critical, ""},
		{"sql", "insert into t values (1)", tcpdb.Medium, ""},
		{"sql", "update t set a = 1", tcpdb.High, ""},
		{"sql", "with x as (select 1) delete from t", tcpdb.Critical, ""},
		{"sql", `\! rm x`, tcpdb.Low, " rm x"},
		{"sql", "select a #> '{x}' from t; drop table t", tcpdb.Critical, ""},
		{"sql", "select 1 # drop table t", tcpdb.Low, ""},
		{"sql", "/*!50000 drop */ table t", tcpdb.Critical, ""},
		{"sql", "/* drop */ select 1", tcpdb.Low, ""},
		{"sql", ".shell rm x", tcpdb.Low, "rm x"},
		{"sql", "select 'it''s'; drop table t", tcpdb.Critical, ""},
	} {
		v := Code(tc.lang, tc.code)
		line := ""
		if len(v.Lines) > 0 {
			line = v.Lines[0].Text
		}
		if v.Level != tc.level || line != tc.line {
			t.Errorf("%s %q: %v, line %q; want %v, %q", tc.lang, tc.code, v.Level, line, tc.level, tc.line)
		}
	}
}

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
		for _, p := range Programs(tc.words) {
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
		if got := ReadsInput(tc.words); got != tc.want {
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
