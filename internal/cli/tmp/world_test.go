package tmp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestJudgeArgv: a plan is judged by its words, with whatever they carry.
func TestJudgeArgv(t *testing.T) {
	env := mapped(t, processMap)
	w, err := openWorld(&env)
	if err != nil {
		t.Fatal(err)
	}
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
		if got := w.judge(strings.Split(tt.argv, "|"), nil).level; got != tt.want {
			t.Errorf("%s: %v, want %v", tt.argv, got, tt.want)
		}
	}
	if got := w.judge([]string{"git", "status"}, &tcpdb.Operation{ID: "x.y", Risk: tcpdb.High}); got.level != tcpdb.High || got.reasons[0] != "the map rates x.y so" {
		t.Errorf("the operation's own risk does not count: %+v", got)
	}
}

// TestJudgedIsWhatRuns: a program in the working directory that PATH names
// first neither runs nor lowers the judgement of the one that does.
func TestJudgedIsWhatRuns(t *testing.T) {
	env := mapped(t, processMap)
	if err := os.WriteFile(filepath.Join(env.Dir, "git"), []byte("#!/bin/sh\ntouch marked\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := "PATH=.:" + os.Getenv("PATH")
	env.Environ = append(env.Environ, path)
	get := env.Getenv
	env.Getenv = func(name string) string {
		if name == "PATH" {
			return path[len("PATH="):]
		}
		return get(name)
	}
	if status, e := runJSON(t, env, "--", "git", "reset", "--hard"); status != 125 || *e.Level != "CRITICAL" {
		t.Errorf("status %d, level %s", status, *e.Level)
	}
	if status, _ := runJSON(t, env, "--", "git", "--version"); status != 0 || marked(env) {
		t.Errorf("status %d, the program of the working directory ran: %v", status, marked(env))
	}
}
