package session

import (
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestJudgeArgv: a plan is judged by its words, with whatever they carry.
func TestJudgeArgv(t *testing.T) {
	s := opened(t)
	for _, tt := range []struct {
		argv string // words split at "|"
		want tcpdb.Level
	}{
		{"git|status", tcpdb.Safe},
		{"git|reset|--hard", tcpdb.Critical},
		{"env|A=b|git|reset|--hard", tcpdb.Critical},
		{"sh|-c|git reset --hard", tcpdb.Critical},
		{"bash|-c|echo hello && git status", tcpdb.Low},
		{"sh|-c|sh -c 'rm -rf /'", tcpdb.Critical},
		{"echo|git reset --hard", tcpdb.Safe},
		{"no-such-program|x", tcpdb.Medium},
		{"./git|reset|--hard", tcpdb.Critical}, // a program of this place: no less than its name says
	} {
		if got := s.judge(strings.Split(tt.argv, "|"), nil).Level; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.argv, got, tt.want)
		}
	}
	if got := s.judge([]string{"git", "status"}, &tcpdb.Operation{ID: "x.y", Risk: tcpdb.High}); got.Level != tcpdb.High || got.Reasons[0] != "the map rates x.y so" {
		t.Errorf("the operation's own risk does not count: %+v", got)
	}
}
