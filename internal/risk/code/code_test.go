package code

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestRead(t *testing.T) {
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
		v := Read(tc.lang, tc.code)
		line := ""
		if len(v.Lines) > 0 {
			line = v.Lines[0]
		}
		if v.Level != tc.level || line != tc.line {
			t.Errorf("%s %q: %v, line %q; want %v, %q", tc.lang, tc.code, v.Level, line, tc.level, tc.line)
		}
	}
}
