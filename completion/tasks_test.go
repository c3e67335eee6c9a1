package completion

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// A task as a candidate is as bad as what it runs, as Enter says of the line.
func TestTasksAreJudged(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "package.json", `{"scripts": {"db:reset": "prisma migrate reset --force", "build": "tsc", "prelint": "dropdb x", "lint": "eslint .", "all": "npm run db:reset", "dyn": "$X"}}`)
	write(t, dir, "Makefile", "build:\n\tcc x.c\nreset: drop\ndrop:\n\tsh -c 'dropdb app'\n")
	write(t, dir, "justfile", "build:\n    cc x.c\nreset db='x':\n    dropdb {{db}}\n")
	for _, tc := range []struct {
		words []string
		want  map[string]tcpdb.Level
	}{
		{[]string{"npm", "run", ""}, map[string]tcpdb.Level{"build": tcpdb.Medium, "db:reset": tcpdb.Critical, "lint": tcpdb.Critical, "all": tcpdb.Critical, "dyn": tcpdb.Medium}},
		{[]string{"sudo", "npm", "run", ""}, map[string]tcpdb.Level{"db:reset": tcpdb.Critical}},
		{[]string{"yarn", "run", ""}, map[string]tcpdb.Level{"build": tcpdb.Medium, "db:reset": tcpdb.Critical}},
		{[]string{"make", ""}, map[string]tcpdb.Level{"build": tcpdb.Medium, "reset": tcpdb.Critical, "drop": tcpdb.Critical}},
		{[]string{"just", ""}, map[string]tcpdb.Level{"build": tcpdb.Medium, "reset": tcpdb.Critical}},
	} {
		a := completeWords(dir, tc.words...)
		for value, want := range tc.want {
			found := false
			for _, c := range a.Candidates {
				if c.Value == value {
					found = true
					if c.Level != want || c.Raises != (want >= tcpdb.High) {
						t.Errorf("%v %s: %v, raises %v, want %v", tc.words, value, c.Level, c.Raises, want)
					}
				}
			}
			if !found {
				t.Errorf("%v: no %s", tc.words, value)
			}
		}
	}
}
