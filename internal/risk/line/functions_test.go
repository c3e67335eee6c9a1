package line

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// What the shell hands over is judged with the line.
func TestShellFunctionsAndVariables(t *testing.T) {
	o := Options{
		Variables: map[string]string{"X": "rm", "GREP": "grep -n"},
		Functions: map[string]string{
			"wipe":  `git reset --hard "$@"`,
			"say":   `echo "rm $1"`,
			"run":   `"$@"`,
			"first": `$1 "$2"`,
			"g":     "g () \n{ \n    command git \"$@\"\n}",
			"ls":    "ls --color $argv",
			"loop":  "loop",
			"pyenv": `eval "$(command pyenv sh-x "$@")"`,
			"long":  strings.Repeat(": ", 3000) + "\nrm x",
			"del":   "function del\n    unlink x\nend",
			"rm":    `echo kept "$@"`,
		},
	}
	for _, c := range []struct {
		line  string
		shell shline.Dialect
		want  tcpdb.Level
	}{
		{"$X y", shline.Bash, tcpdb.Critical},
		{"${X} y", shline.Zsh, tcpdb.Critical},
		{"$GREP x f", shline.Bash, tcpdb.Safe},
		{"$Y y", shline.Bash, tcpdb.High},
		{"wipe", shline.Bash, tcpdb.Critical},
		{"wipe && ls", shline.Zsh, tcpdb.Critical},
		{"say x", shline.Bash, tcpdb.Safe},
		{"run rm x", shline.Bash, tcpdb.Safe}, // this shell's rm is a function
		{"run git clean -fdx", shline.Bash, tcpdb.Critical},
		{"run", shline.Bash, tcpdb.Safe}, // "$@" of no words is no command
		{"first unlink x", shline.Bash, tcpdb.Critical},
		{"g reset --hard", shline.Bash, tcpdb.Critical},
		{"loop", shline.Bash, tcpdb.Medium},
		{"pyenv versions", shline.Bash, tcpdb.Medium},
		{"long", shline.Bash, tcpdb.Medium},
		{"del", shline.Fish, tcpdb.Critical},
		{"rm x", shline.Bash, tcpdb.Safe},
		{"command rm x", shline.Bash, tcpdb.Critical},
		{`\rm x`, shline.Bash, tcpdb.Critical},
		{"sh -c 'rm x'", shline.Bash, tcpdb.Critical},
		{"sudo rm x", shline.Bash, tcpdb.Critical},
		{"[ -f x ] && say y", shline.Bash, tcpdb.Safe},
	} {
		if v := Judge(tcpdb.NewView(tcpdb.Core()), c.line, c.shell, risk.Facts{}, o); v.Level != c.want && (c.want > tcpdb.Low || v.Level > tcpdb.Low) {
			t.Errorf("%s: %v %+v, want %v", c.line, v.Level, v.Findings, c.want)
		}
	}
}
