package line

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// show writes targets one after the other: "?" before one that is not known,
// "~/" before one in the home directory, "*" after a pattern.
func show(targets []Target) string {
	var out []string
	for _, t := range targets {
		s := t.Path
		if t.Home {
			s = "~/" + s
		}
		if !t.Known {
			s = "?" + s
		}
		if t.Glob {
			s += "*"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestTargetsAndForms(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	facts := risk.Facts{
		Installed: func(name string) bool { return name == "buildit" },
		Alias: func(tool, name string) (string, bool) {
			return "reset --hard", tool == "git" && name == "undo"
		},
	}
	for _, tc := range []struct{ line, form, targets string }{
		{"rm a b", "rm", "a b"},
		{"rm -f -- -a", "rm --force", "-a"},
		{"rm -rf ~/x $HOME/y \"$HOME\"/z", "rm --force --recursive", "~/x ~/y ~/z"},
		{"rm -fr build/*", "rm --force --recursive", "build/**"},
		{"rm $x $(f) a{b,c}", "rm", "?$x ?$(f) ab ac"},
		{"rm ~", "rm", "~/"},
		{"rm ~joe/x", "rm", "?~joe/x"},
		{"cd / && rm x /y", "rm", "?x /y"},
		{"make && rm x", "rm", "x"},
		{"buildit && rm x", "rm", "x"},
		{"mkcd && rm x", "rm", "?x"},
		{"./cd && rm x", "rm", "x"},
		{"mv a b; rm x /y", "rm", "?x ?/y"},
		{"for i in 1 2; do rm x; cd ..; done", "rm", "?x"},
		{"f() { rm x; }; cd /; f", "rm", "?x"},
		{"time rm x", "rm", "x"},
		{"sudo rm x", "sudo rm", "x"},
		{"sudo -u bob npm install -g x", "sudo --user=bob npm install --global", "x"},
		{"env -C / rm x", "env --chdir=/ rm", "?x"},
		{"bash -c 'rm x'", "bash -c rm", "?x"},
		{"cd /; bash -c 'rm x'", "bash -c rm", "?x"},
		{"r x", "rm -i", "x"},
		{"xargs rm", "xargs rm", ""},
		{"find . -exec rm {} +", "find --exec rm", "?{}"},
		{"git undo", "git reset --hard", ""},
		{"npm install -g --registry=$U x", "", "x"},
		{": > a", "", "a"},
		{"cd /; : > a", "", "?a"},
		{"curl x | sh", "", ""},
		{"echo 'rm x' | sh", "", "?x"},
	} {
		got := Judge(v, tc.line, shline.Bash, facts, Options{Aliases: map[string]string{"r": "rm -i"}})
		if len(got.Findings) == 0 || got.Level < tcpdb.High {
			t.Errorf("%s: no finding", tc.line)
			continue
		}
		f := got.Findings[0]
		if f.Form != tc.form || show(f.Targets) != tc.targets {
			t.Errorf("%s:\n got %q %q\nwant %q %q", tc.line, f.Form, show(f.Targets), tc.form, tc.targets)
		}
	}
}

// Ten thousand arguments do not make the look at what ran before them slow.
func TestManyTargets(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "a%d; ", i)
	}
	b.WriteString("rm")
	for i := range 10000 {
		fmt.Fprintf(&b, " %d", i)
	}
	got := Judge(tcpdb.NewView(tcpdb.Core()), b.String(), shline.Bash, risk.Facts{}, Options{})
	if n := len(got.Findings[0].Targets); n != 10000 {
		t.Errorf("%d targets", n)
	}
}
