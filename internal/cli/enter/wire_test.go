package enter

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWire(t *testing.T) {
	type m = map[string]string
	for _, tc := range []struct {
		args                      []string
		in, text                  string
		alias, variable, function m
	}{
		{[]string{"--shell", "bash"}, "ls\x00ll=ls -l\x00", "ls", m{"ll": "ls -l"}, nil, nil},
		{[]string{"--shell=zsh", "--aliases", "1", "--variables", "1", "--functions", "1"}, "a\nb\x00a=x=y\x00v=\x00f=\n rm\n\x00", "a\nb", m{"a": "x=y"}, m{"v": ""}, m{"f": "\n rm\n"}},
		{[]string{"--shell", "bash", "--split", "--aliases=0", "--variables=1"}, "ls\x1fv=a\nb\x1f\n", "ls", nil, m{"v": "a\nb"}, nil},
		{[]string{"--shell", "zsh", "--aliases", "1"}, "rm\x00 a\x00\x00a=x\x00", "rm\x00 a\x00", m{"a": "x"}, nil, nil},
		{[]string{"--shell", "sh", "--aliases", "0"}, "ls", "ls", nil, nil, nil},
	} {
		var c call
		if err := c.parse(tc.args); err != nil {
			t.Fatal(err)
		}
		if err := c.read(tc.in); err != nil {
			t.Errorf("%q: %v", tc.in, err)
		}
		if d := cmp.Diff([]any{tc.text, tc.alias, tc.variable, tc.function}, []any{c.text, c.alias, c.variable, c.function}); d != "" {
			t.Errorf("%q: %s", tc.in, d)
		}
	}
	for _, tc := range []struct {
		args []string
		in   string
	}{
		{nil, ""},
		{[]string{"--shell"}, ""},
		{[]string{"--shell", "bash", "--aliases", "-1"}, ""},
		{[]string{"--shell", "bash", "--aliases", "2"}, "ls\x00a=b\x00"},
		{[]string{"--shell", "bash", "--aliases", "0"}, "ls\x00a=b\x00"},
	} {
		var c call
		if err := c.parse(tc.args); err == nil {
			if err = c.read(tc.in); err == nil {
				t.Errorf("%q %q is taken", tc.args, tc.in)
			}
		}
	}
}

// With --silent nothing is asked.
func TestSilent(t *testing.T) {
	for _, tc := range []struct {
		line   string
		status int
	}{{"ls", StatusRun}, {"rm -rf /", StatusAsk}, {"echo 'a", StatusUnfinished}} {
		status, _, stderr := press(t, "bash --silent", tc.line+"\x00", "", "", nil)
		if status != tc.status || stderr != "" {
			t.Errorf("%q: %d %q", tc.line, status, stderr)
		}
	}
}
