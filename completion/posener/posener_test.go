package posener

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func engine() *completion.Engine {
	return &completion.Engine{Map: tcpdb.NewView(tcpdb.Core()), Resolvers: all.Table()}
}

func run(t *testing.T, env ...string) (string, bool) {
	t.Helper()
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	answered := Run(engine(), nil, func(name string) string {
		for _, e := range env {
			if v, ok := strings.CutPrefix(e, name+"="); ok {
				return v
			}
		}
		return ""
	}, &out)
	return out.String(), answered
}

func TestRun(t *testing.T) {
	for _, c := range []struct{ line, point, want string }{
		{"git swit", "8", "switch\n"},
		{"git swit", "seven", "switch\n"}, // the library panics
		{"git swit", "-1", "switch\n"},
		{"git swit", "9999999999999999999999", "switch\n"},
		{"git commit --allow-empty-m", "27", "--allow-empty-message\n"},
		{"git zzz", "7", ""}, // the library prints everything
		{"no-such-tool x", "14", ""},
		{"git swit foo", "8", "switch\n"},
	} {
		got, answered := run(t, "COMP_LINE="+c.line, "COMP_POINT="+c.point)
		if got != c.want || !answered {
			t.Errorf("%q at %s: %q", c.line, c.point, got)
		}
	}
	if got, answered := run(t); got != "" || answered {
		t.Errorf("without COMP_LINE: %q %v", got, answered)
	}
}

func TestCompleter(t *testing.T) {
	if New(engine(), "no-such-tool") != nil {
		t.Error("a completer for a tool without a map")
	}
	git := New(engine(), "git")
	if !slices.Contains(git.SubCmdList(), "checkout") || git.SubCmdGet("no-such-command") != nil {
		t.Error("sub-commands of git")
	}
	commit := git.SubCmdGet("commit")
	if !slices.Contains(commit.FlagList(), "amend") || !slices.Contains(commit.FlagList(), "a") {
		t.Errorf("flags of git commit: %q", commit.FlagList())
	}
	if commit.FlagGet("amend") != nil || commit.FlagGet("no-such-flag") != nil {
		t.Error("values for a flag that takes none")
	}
	cleanup := commit.FlagGet("cleanup")
	if cleanup == nil {
		t.Fatal("no values for --cleanup")
	}
	if got := cleanup.Predict("sc"); !slices.Equal(got, []string{"scissors"}) {
		t.Errorf("--cleanup sc: %q", got)
	}
	if got := cleanup.Predict("zzz"); len(got) > 0 {
		t.Errorf("--cleanup zzz: %q", got)
	}
}
