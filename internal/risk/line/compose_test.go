package line

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestCompositions holds that no line is judged below HIGH that runs a
// CRITICAL command somewhere in it, whatever lists, blocks, wrappers and
// redirections stand around it.
func TestCompositions(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	around := []func(string) string{
		func(s string) string { return "ls; " + s },
		func(s string) string { return s + "; ls" },
		func(s string) string { return "true && " + s },
		func(s string) string { return "false || " + s + " | cat" },
		func(s string) string { return s + " &" },
		func(s string) string { return "(" + s + ")" },
		func(s string) string { return "{ " + s + "; }" },
		func(s string) string { return "if ls; then " + s + "; fi" },
		func(s string) string { return "while ls; do " + s + "\ndone" },
		func(s string) string { return "for i in a b; do " + s + "; done" },
		func(s string) string { return "echo \"$(" + s + ")\"" },
		func(s string) string { return "cat <(" + s + ")" },
		func(s string) string { return "f() { " + s + "; }; f" },
		func(s string) string { return "case x in x) " + s + ";; esac" },
		func(s string) string { return "bash -c " + shline.QuoteWord(shline.Bash, s) },
		func(s string) string { return "eval " + shline.QuoteWord(shline.Bash, s) },
		func(s string) string { return "sudo sh -c " + shline.QuoteWord(shline.Bash, s) },
		func(s string) string { return "ssh host " + shline.QuoteWord(shline.Bash, s) },
		func(s string) string { return "timeout 5 bash -c " + shline.QuoteWord(shline.Bash, s) },
		func(s string) string { return "bash <<'END'\n" + s + "\nEND\n" },
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]string{"rm -rf /srv", "dd if=a of=/dev/sda", "mkfs.ext4 /dev/sda1", "git reset --hard", "find . -delete"}).Draw(t, "command")
		s = rapid.SampledFrom([]string{"", "sudo ", "env A=1 ", "nice -n 5 ", "command ", "A=1 ", "nohup ", "time "}).Draw(t, "before") + s
		for range rapid.IntRange(0, 4).Draw(t, "depth") {
			s = rapid.SampledFrom(around).Draw(t, "around")(s)
		}
		if got := Judge(v, s, shline.Bash, risk.Facts{}, Options{}); got.Level < tcpdb.High {
			t.Fatalf("%q: %v", s, got.Level)
		}
	})
}
