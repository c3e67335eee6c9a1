package tmp

import (
	"os"
	"path/filepath"
	"testing"
)

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
