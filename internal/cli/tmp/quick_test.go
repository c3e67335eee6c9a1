package tmp

import (
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// What quick makes of the compiled map takes the same flags and arguments as
// what is made of its source.
func TestQuickCommandsAreThoseOfTheMap(t *testing.T) {
	root, err := command.Load()
	if err != nil {
		t.Fatal(err)
	}
	env, _, _ := testEnv(t, t.TempDir())
	view := tcpdb.NewView(tcpdb.Core())
	for _, c := range table() {
		words := strings.Fields(c.path)
		env.Args = append(slices.Clone(words), "x", "--", "y")
		path, rest, ok := quickPath(env.Args)
		if !ok || path != c.path || !slices.Equal(rest, []string{"x", "--", "y"}) || quick(&env) == nil {
			t.Errorf("%s is not made quickly: %q, %q", c.path, path, rest)
			continue
		}
		at := view.Root("tmp")
		for _, w := range words {
			at = view.Open(at.Sub(w))
		}
		got, want := command.Compiled(at), root.Find(c.path)
		if got.Usage("") != want.Usage("") || len(got.Flags) != len(want.Flags) || len(got.Args) != len(want.Args) {
			t.Fatalf("%s: %s, want %s", c.path, got.Usage(""), want.Usage(""))
		}
		for i := range want.Flags {
			g, w := &got.Flags[i], &want.Flags[i]
			if g.Key() != w.Key() || g.Long() != w.Long() || g.Short() != w.Short() || g.Placeholder() != w.Placeholder() || g.Repeatable != w.Repeatable {
				t.Errorf("%s: flag %v %s, want %v %s", c.path, g.Names, g.Placeholder(), w.Names, w.Placeholder())
			}
		}
		for i := range want.Args {
			if g, w := got.Args[i], want.Args[i]; g.Name != w.Name || g.Required != w.Required || g.Repeatable != w.Repeatable || g.AfterDash != w.AfterDash || !slices.Equal(g.Spec.Closed(), w.Spec.Closed()) {
				t.Errorf("%s: argument %+v, want %+v", c.path, g, w)
			}
		}
	}
}

func TestQuickLeavesTheRest(t *testing.T) {
	env, _, _ := testEnv(t, t.TempDir())
	for _, line := range []string{"", "--version", "-h", "run -h", "run --help", "run --hel", "nonsense", "output", "workflow", "--json list"} {
		if env.Args = strings.Fields(line); quick(&env) != nil {
			t.Errorf("%q is taken for one command", line)
		}
	}
	env.Args = []string{"run", "--", "ls", "--help"}
	if quick(&env) == nil {
		t.Error("the help that another command is asked for keeps tmp run from being made quickly")
	}
}
