package line

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// What names an earlier line is not analysed as it stands, and is text once the
// shell has expanded the line: with set +H, or behind a hook of the Enter key.
func TestHistory(t *testing.T) {
	v := testView(t)
	for _, s := range []string{"sudo !!", "ls !$", "cp !* x", "echo !^", "!!", "!rm", "!-2", "^a^b^"} {
		for _, d := range []shline.Dialect{shline.Bash, shline.Zsh} {
			if got := Judge(v, s, d, risk.Facts{}, Options{}); got.Level != tcpdb.High {
				t.Errorf("%v: %s: %v, want HIGH", d, s, got.Level)
			}
			got := Judge(v, s, d, risk.Facts{}, Options{Expanded: true})
			if slices.ContainsFunc(got.Findings, func(f Finding) bool { return f.Rule == "not-analysed" }) {
				t.Errorf("%v: %s, expanded: not analysed", d, s)
			}
		}
	}
	for _, s := range []string{"echo '!!'", "echo \"a!\"", "ls [!a]*", "! ls", "echo !", "ls !(a)", "echo '^a^b^'"} {
		if got := Judge(v, s, shline.Bash, risk.Facts{}, Options{}); got.Level >= tcpdb.High {
			t.Errorf("%s: %v", s, got.Level)
		}
	}
}
