package spec

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/fig/evaluator"
	"github.com/tool-mapping-protocol/tmp/internal/mapdiff"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestMain(m *testing.M) {
	sandbox.Child()
	evaluator.Child()
	os.Exit(m.Run())
}

func options() Options {
	return Options{Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), KnownResolver: all.Table().Known, Core: tcpdb.NewView(tcpdb.Core()), Evaluator: evaluator.Self()}
}

// TestRead reads each spec in testdata and compares it with FILE.want, which
// people wrote: a line for each command, option, argument and gap.
func TestRead(t *testing.T) {
	wants, err := filepath.Glob("testdata/*.want")
	if err != nil || len(wants) < 4 {
		t.Fatalf("%d specs: %v", len(wants), err)
	}
	for _, want := range wants {
		file := strings.TrimSuffix(want, ".want")
		t.Run(filepath.Base(file), func(t *testing.T) {
			s, err := Read(t.Context(), file, readFile(t, file), options())
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(string(readFile(t, want)), outline(s)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			strict(t, s)
		})
	}
}

func readFile(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// strict holds an import to what every draft promises.
func strict(t testing.TB, s *opmap.Source) {
	t.Helper()
	if _, problems := opmap.Parse("draft", s.Encode(), opmap.ParseOptions{KnownResolver: all.Table().Known}); problems.Err() != nil {
		t.Errorf("not valid: %v", problems.Err())
	}
	if s.Verified || len(s.Evidence) > 0 || s.Provenance != "import" || s.Origin == nil || s.Origin.Date == "" || s.Shared != nil {
		t.Errorf("no draft of an import: %+v", s)
	}
	var walk func(n *opmap.Node)
	walk = func(n *opmap.Node) {
		if n.Wrapper != nil || n.Exec != "" || n.Replace {
			t.Errorf("%s decides what is run", n.Name)
		}
		for _, sub := range n.Subcommands {
			walk(sub)
		}
	}
	walk(s.Node)
	for _, op := range s.Operations {
		if op.Verified || len(op.Evidence) > 0 {
			t.Errorf("%s is verified", op.ID)
		}
	}
}

// outline writes a map as people would for a comparison.
func outline(s *opmap.Source) string {
	var b strings.Builder
	node(&b, s.Node, s.Tool, strings.TrimSuffix(" "+s.Version, " "), fmt.Sprintf(" [import %s]", strings.TrimSpace(strings.Join([]string{s.Origin.Format, s.Origin.From, s.Origin.Licence}, " "))))
	for _, op := range s.Operations {
		fmt.Fprintf(&b, "operation %s\n", op.ID)
	}
	for _, g := range s.Gaps {
		fmt.Fprintf(&b, "gap %s: %s\n", g.Node, g.Text)
	}
	return b.String()
}

type noted struct {
	on   bool
	text string
}

func words(list ...noted) string {
	out := ""
	for _, n := range list {
		if n.on {
			out += " " + n.text
		}
	}
	return out
}

func described(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

func node(b *strings.Builder, n *opmap.Node, path, version, origin string) {
	aliases := strings.Join(n.Aliases, ", ")
	b.WriteString(path + version + words(
		noted{aliases != "", "(" + aliases + ")"}, noted{n.Hidden, "hidden"}, noted{n.Deprecated, "deprecated"},
		noted{!n.Interspersed, "options-first"}, noted{n.SingleDashLong, "one-dash"},
	) + described(n.Description) + origin + "\n")
	for _, a := range n.Args {
		repeat := ""
		if a.Repeatable {
			repeat = "…"
		}
		b.WriteString("  <" + a.Name + ">" + repeat + words(
			noted{a.AfterDash, "after --"}, noted{a.Required, "required"}, noted{a.Spec != nil, specText(a.Spec)},
		) + described(a.Description) + "\n")
		for _, alt := range a.Alt {
			b.WriteString("    or " + specText(alt) + "\n")
		}
	}
	for _, f := range n.Flags {
		b.WriteString("  " + strings.Join(f.Names, ", ") + words(
			noted{true, cmp.Or(f.Value, "none")}, noted{f.Repeatable, "repeatable"}, noted{f.Negatable, "negatable"}, noted{f.Hidden, "hidden"},
			noted{f.Deprecated, "deprecated"}, noted{f.Group != "", "group " + f.Group}, noted{f.Spec != nil, specText(f.Spec)},
			noted{f.Default != "", "default " + f.Default},
		) + described(f.Description) + "\n")
	}
	for _, e := range n.Examples {
		b.WriteString("  example " + e.Line + described(e.Text) + "\n")
	}
	for _, sub := range n.Subcommands {
		node(b, sub, path+" "+sub.Name, "", "")
	}
}

func specText(s *opmap.Spec) string {
	return strings.Replace(mapdiff.Spec(s), "separated by", "by", 1)
}
