package line

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

var update = flag.Bool("update", false, "write testdata/open.tsv")

// riskCase is a labelled line; the columns are those of cases/risk.tsv.
type riskCase struct {
	line, level, flags, why string
	also, action            string
}

func riskCases(t testing.TB) []riskCase {
	t.Helper()
	data, err := os.ReadFile("testdata/cases/risk.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out []riskCase
	for i, row := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(row, "\t")
		if len(f) != 8 {
			t.Fatalf("row %d has %d columns", i+1, len(f))
		}
		if i > 0 {
			out = append(out, riskCase{strings.ReplaceAll(f[0], "⏎", "\n"), f[1], f[2], f[3], f[5], f[6]})
		}
	}
	return out
}

func judgeCore(line string) Verdict {
	return Judge(tcpdb.NewView(tcpdb.Core()), line, shline.Bash, risk.Facts{}, Options{})
}

// right reports whether a verdict has the action, and the level or another
// accepted one with the flags that must be there.
func (c *riskCase) right(v Verdict) (band, exact bool) {
	levels := []string{c.level}
	if c.also != "-" {
		levels = append(levels, strings.Split(c.also, "|")...)
	}
	for i, l := range levels {
		level, err := tcpdb.ParseLevel(l)
		if err != nil {
			continue
		}
		band = band || v.Level.Action() == level.Action()
		exact = exact || i == 0 && v.Level == level
	}
	if c.flags != "-" {
		for _, name := range strings.Split(c.flags, "|") {
			flag, _ := tcpdb.ParseFlag(name)
			exact = exact && v.Flags&flag != 0
		}
	}
	return band, exact
}

// What was reached on the labelled lines; it only goes up. The lines that are
// not yet right are in testdata/open.tsv.
const (
	floorAction = 248
	floorExact  = 247
)

func TestCases(t *testing.T) {
	cases := riskCases(t)
	var open strings.Builder
	bands, exacts := 0, 0
	for i := range cases {
		c := &cases[i]
		v := judgeCore(c.line)
		band, exact := c.right(v)
		if band {
			bands++
		}
		if exact {
			exacts++
		}
		if !exact {
			mark := "flags or level"
			if !band {
				mark = "ACTION"
			}
			rule := ""
			if len(v.Findings) > 0 {
				rule = v.Findings[0].Rule
			}
			fmt.Fprintf(&open, "%s\t%s\t%s %s\t%s %s\t%s\n", strings.ReplaceAll(c.line, "\n", "⏎"), mark, c.level, c.flags, v.Level, strings.Join(v.Flags.Names(), "|"), rule)
		}
	}
	t.Logf("%d lines: action right in %d, level and flags in %d", len(cases), bands, exacts)
	if bands < floorAction || exacts < floorExact {
		t.Errorf("action right in %d (was %d), level and flags in %d (was %d)", bands, floorAction, exacts, floorExact)
	}
	if *update {
		if err := os.WriteFile("testdata/open.tsv", []byte(open.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
