// Package mapcases reads and runs the cases of a tool's map: what Tab is to offer
// and how lines are to be judged, side by side in one table. The map that ships
// and a user's own are held to their cases by the same code.
package mapcases

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Header is the first line of a table: the names of its columns, joined by tabs.
const Header = "door\tshell\tline\twant\tflags\twhy"

// FileName is the name of a table beside its map.
const FileName = "cases.tsv"

// Case is one row. A line break in a line is written "⏎".
type Case struct {
	Row   int    // of the file, from 1
	Door  string // "risk" or "tab"
	Shell string // bash, zsh, fish; sh for a POSIX shell
	Line  string
	// Levels are those that are right for a risk case, best first, and Flags the
	// capabilities that must be there.
	Levels []tcpdb.Level
	Flags  tcpdb.Flags
	// Offered must be among what Tab offers, Kept must not.
	Offered, Kept []string
	Why           string
}

// Parse reads a table. An error names the row.
func Parse(data []byte) ([]Case, error) {
	rows := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	if rows[0] != Header {
		return nil, fmt.Errorf("row 1: want the columns %s, joined by tabs", strings.ReplaceAll(Header, "\t", ", "))
	}
	var cases []Case
	for i, row := range rows[1:] {
		if row == "" || strings.HasPrefix(row, "#") {
			continue
		}
		c, err := parseRow(row)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+2, err)
		}
		c.Row = i + 2
		cases = append(cases, c)
	}
	return cases, nil
}

func parseRow(row string) (Case, error) {
	f := strings.Split(row, "\t")
	if len(f) != strings.Count(Header, "\t")+1 {
		return Case{}, fmt.Errorf("%d columns, want %d", len(f), strings.Count(Header, "\t")+1)
	}
	c := Case{Door: f[0], Shell: f[1], Line: strings.ReplaceAll(f[2], "⏎", "\n"), Why: f[5]}
	if _, ok := shline.ParseDialect(c.Shell); !ok {
		return Case{}, fmt.Errorf("shell %q: want bash, zsh, fish or sh", c.Shell)
	}
	switch c.Door {
	case "risk":
		for name := range strings.SplitSeq(f[3], "|") {
			level, err := tcpdb.ParseLevel(name)
			if err != nil || level == tcpdb.Unknown {
				return Case{}, fmt.Errorf("level %q: want levels such as HIGH|CRITICAL", name)
			}
			c.Levels = append(c.Levels, level)
		}
		for name := range strings.SplitSeq(f[4], "|") {
			if name == "-" {
				continue
			}
			flag, err := tcpdb.ParseFlag(name)
			if err != nil {
				return Case{}, err
			}
			c.Flags |= flag
		}
	case "tab":
		for word := range strings.FieldsSeq(f[3]) {
			if kept, ok := strings.CutPrefix(word, "!"); ok {
				c.Kept = append(c.Kept, kept)
			} else {
				c.Offered = append(c.Offered, word)
			}
		}
		if len(c.Offered)+len(c.Kept) == 0 {
			return Case{}, fmt.Errorf("want is empty: want values that are offered, and !VALUE for those that are not")
		}
	default:
		return Case{}, fmt.Errorf("door %q: want risk or tab", c.Door)
	}
	return c, nil
}

// Wrong runs a case and says what is wrong with the answer, "" if nothing is.
// Tab is asked in dir, which should be empty but for what the case needs.
func (c *Case) Wrong(v *tcpdb.View, dir string) string {
	if c.Door == "tab" {
		return c.wrongTab(v, dir)
	}
	d, _ := shline.ParseDialect(c.Shell)
	got := line.Judge(v, c.Line, d, risk.Facts{}, line.Options{Posix: c.Shell == "sh"})
	by := ""
	if len(got.Findings) > 0 {
		by = " by " + got.Findings[0].Rule
	}
	switch {
	case !slices.Contains(c.Levels, got.Level):
		return fmt.Sprintf("is %v%s, want %s", got.Level, by, levels(c.Levels))
	case got.Flags&c.Flags != c.Flags:
		return fmt.Sprintf("has %v%s, want also %v", got.Flags.Names(), by, (c.Flags &^ got.Flags).Names())
	}
	return ""
}

func levels(ls []tcpdb.Level) string {
	var names []string
	for _, l := range ls {
		names = append(names, l.String())
	}
	return strings.Join(names, " or ")
}

func (c *Case) wrongTab(v *tcpdb.View, dir string) string {
	e := completion.Engine{Map: v, Resolvers: all.Table()}
	shell := c.Shell
	if shell == "sh" {
		shell = "bash"
	}
	a := e.Complete(context.Background(), completion.Request{
		Shell: shell, Line: c.Line, Point: len(c.Line), Dir: dir, Getenv: func(string) string { return "" },
	})
	offered := map[string]bool{}
	for i := range a.Candidates {
		offered[a.Candidates[i].Value] = true
	}
	for _, want := range c.Offered {
		if !offered[want] {
			return fmt.Sprintf("does not offer %s", want)
		}
	}
	for _, not := range c.Kept {
		if offered[not] {
			return fmt.Sprintf("offers %s", not)
		}
	}
	return ""
}
