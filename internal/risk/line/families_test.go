package line

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// familyRow is a command of some family of tools with the levels that are right
// for it, best first, and the capabilities that a verdict must name.
type familyRow struct {
	command string
	levels  []tcpdb.Level
	flags   tcpdb.Flags
	why     string
}

func familyRows(t testing.TB, file string) []familyRow {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []familyRow
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			t.Fatalf("%q: want command, levels, capabilities, why", line)
		}
		row := familyRow{command: f[0], why: f[3]}
		for name := range strings.SplitSeq(f[1], "|") {
			level, err := tcpdb.ParseLevel(name)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			row.levels = append(row.levels, level)
		}
		if f[2] != "-" {
			for name := range strings.SplitSeq(f[2], "|") {
				flag, err := tcpdb.ParseFlag(name)
				if err != nil {
					t.Fatalf("%q: %v", line, err)
				}
				row.flags |= flag
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// wrong says what is wrong with the core map's answer, "" if nothing is.
func (r *familyRow) wrong() string {
	v := judgeCore(r.command)
	rule := "-"
	if len(v.Findings) > 0 {
		rule = v.Findings[0].Rule
	}
	switch {
	case !slices.Contains(r.levels, v.Level):
		return fmt.Sprintf("is %v by %s, want %v: %s", v.Level, rule, r.levels, r.why)
	case v.Flags&r.flags != r.flags:
		return fmt.Sprintf("has %v by %s, want also %v: %s", v.Flags.Names(), rule, (r.flags &^ v.Flags).Names(), r.why)
	case !v.Known:
		return "is not known"
	}
	return ""
}

// TestFamilies holds the shipped risk tables to what the rules say of the
// commands of every family.
func TestFamilies(t *testing.T) {
	for _, r := range familyRows(t, "testdata/families.tsv") {
		if wrong := r.wrong(); wrong != "" {
			t.Errorf("%s %s", r.command, wrong)
		}
	}
}
