package line

import (
	"os"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestLines judges lines whose levels were written down before they were
// judged. Each row has the shell, the line (⏎ is a line break), the levels that
// are right, by their first letters (SAFE and LOW are one), and the capabilities
// that must be set.
func TestLines(t *testing.T) { judgeRows(t, "testdata/lines.tsv", 4) }

// TestWild does so for lines as they are pasted from installation notes, answers,
// build scripts and reports of what went wrong. The last column says why a level
// is right.
func TestWild(t *testing.T) { judgeRows(t, "testdata/wild.tsv", 5) }

// TestTricks does so for everyday work, for disasters in disguise and for data
// that looks like either.
func TestTricks(t *testing.T) { judgeRows(t, "testdata/tricks.tsv", 4) }

// TestCarriers does so for the programs that start another one, each with its own
// grammar.
func TestCarriers(t *testing.T) { judgeRows(t, "testdata/carriers.tsv", 4) }

// TestKinds holds one or two lines of each kind that a judge by names alone gets
// wrong: what a line hands on to functions, scripts, files, hooks and settings.
func TestKinds(t *testing.T) { judgeRows(t, "testdata/kinds.tsv", 4) }

// TestNear holds lines that are like the cases in testdata/cases: other commands
// and operands of the same kinds, dangerous ones and those that only look so.
func TestNear(t *testing.T) { judgeRows(t, "testdata/near.tsv", 4) }

// TestServices holds what tools of clouds, databases, queues, backups, packages,
// containers, disks, boot loaders, directories and secrets do, what the shells
// have of their own, and harmless lines beside them.
func TestServices(t *testing.T) { judgeRows(t, "testdata/services.tsv", 4) }

func judgeRows(t *testing.T, file string, columns int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(tcpdb.Core())
	for i, row := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(row, "\t")
		if len(f) != columns {
			t.Fatalf("row %d has %d columns", i+2, len(f))
		}
		d, ok := shline.ParseDialect(f[0])
		if !ok {
			t.Fatalf("row %d: shell %q", i+2, f[0])
		}
		got := Judge(v, strings.ReplaceAll(f[1], "⏎", "\n"), d, risk.Facts{}, Options{Posix: f[0] == "sh", Waits: true})
		levels := f[2]
		if strings.ContainsAny(levels, "SL") {
			levels += "SL"
		}
		if !strings.Contains(levels, got.Level.String()[:1]) {
			t.Errorf("%s: %s: %v, want one of %s", f[0], f[1], got.Level, f[2])
		}
		if f[3] == "-" {
			continue
		}
		for _, name := range strings.Split(f[3], "|") {
			if flag, err := tcpdb.ParseFlag(name); err != nil || got.Flags&flag == 0 {
				t.Errorf("%s: %s: %v lack %s", f[0], f[1], got.Flags.Names(), name)
			}
		}
	}
}
