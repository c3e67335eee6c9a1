package agent

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/hook/entry"
)

// versionTime bounds asking a harness for its version.
const versionTime = 5 * time.Second

// age fits an entry to the version of the harness that is installed: what it is
// too old for is left out. One that is not found is taken for a new one.
func (env *Env) age(e *entry.Entry) {
	h := e.Harness
	if h.Program == "" {
		return
	}
	version := env.version(h.Program)
	if version == nil {
		return
	}
	e.Shut = !older(version, h.ShutFrom)
	if h.Asks && older(version, h.AskFrom) {
		e.Argv = append(e.Argv, "--no-ask")
	}
	if older(version, h.RewriteFrom) {
		e.Argv = append(e.Argv, "--no-rewrite")
	}
}

// version asks a program for its version; nil if it does not say.
func (env *Env) version(program string) []int {
	ctx, cancel := context.WithTimeout(context.Background(), versionTime)
	defer cancel()
	file := lookPath(env.Getenv("PATH"), program)
	if file == "" {
		return nil
	}
	cmd := exec.CommandContext(ctx, file, "--version")
	cmd.Dir, cmd.Env = "/", env.Environ
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	for _, w := range strings.Fields(string(out)) {
		if v := numbers(strings.TrimPrefix(w, "v")); len(v) > 1 {
			return v
		}
	}
	return nil
}

// numbers reads 2.1.295, with anything behind it.
func numbers(s string) (out []int) {
	for part := range strings.SplitSeq(s, ".") {
		end := 0
		for end < len(part) && part[end] >= '0' && part[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(part[:end])
		if err != nil {
			return out
		}
		out = append(out, n)
		if end < len(part) {
			break
		}
	}
	return out
}

// older reports whether a version is before another one; "" is before all.
func older(version []int, than string) bool {
	for i, n := range numbers(than) {
		have := 0
		if i < len(version) {
			have = version[i]
		}
		if have != n {
			return have < n
		}
	}
	return false
}
