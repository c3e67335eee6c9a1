package session

import (
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
)

// A script that was looked at may be another one when its shell opens it. Where the
// shell allows it, it reads what was looked at: a copy in memory that nobody can
// change. A script that asks for its own file (BASH_SOURCE) and other languages are
// looked at last before the start.

// maxScript bounds a script that is started from a copy, in bytes.
const maxScript = 4 << 20

// opened is how a plan is started from the script that was looked at; nil: as it is.
func (e *execution) opened(p *invoke.Plan) *invoke.Start {
	if e.bound == nil || e.bound.state == nil {
		return nil
	}
	c, ok := scriptOf(p)
	if !ok {
		return nil
	}
	data, err := disk.ReadRegular(c.script, maxScript)
	if err != nil || strings.Contains(string(data), "BASH_SOURCE") || !e.bound.state.Holds(c.script, data) {
		return nil
	}
	file, err := invoke.Sealed(filepath.Base(c.script), data)
	if err != nil {
		return nil
	}
	args := append(append([]string{}, c.shell...), "-c", ". /proc/self/fd/3", c.name)
	return &invoke.Start{Path: c.path, Args: append(args, c.args...), File: file}
}

// scriptCall is a call of a shell with a script.
type scriptCall struct {
	path   string   // the shell's program
	shell  []string // its words before the script
	script string   // the file
	name   string   // the script's name for itself
	args   []string
}

// scriptOf reads a plan as the call of a script: "sh -e FILE ARG…", or FILE with a
// first line that names a shell.
func scriptOf(p *invoke.Plan) (c scriptCall, ok bool) {
	path, _, err := invoke.Look(p.Argv[0], p.Dir, p.Env)
	if err != nil {
		return c, false
	}
	if isShell(p.Argv[0]) {
		at := 1
		for at < len(p.Argv) && len(p.Argv[at]) > 1 && p.Argv[at][0] == '-' && strings.Trim(p.Argv[at][1:], "efux") == "" {
			at++
		}
		if at == len(p.Argv) || p.Argv[at] == "" || strings.ContainsRune("-+", rune(p.Argv[at][0])) {
			return c, false
		}
		file := p.Argv[at]
		if !filepath.IsAbs(file) {
			file = p.Dir + "/" + file
		}
		return scriptCall{path, p.Argv[:at], file, p.Argv[at], p.Argv[at+1:]}, true
	}
	head := make([]byte, 256)
	n, _ := disk.ReadStart(path, head)
	line, ok := strings.CutPrefix(string(head[:n]), "#!")
	if !ok {
		return c, false
	}
	line, _, _ = strings.Cut(line, "\n")
	first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	shell := []string{first}
	switch {
	case filepath.Base(first) == "env":
		if strings.ContainsAny(rest, " -=") {
			return c, false
		}
		found, _, err := invoke.Look(rest, p.Dir, p.Env)
		if err != nil {
			return c, false
		}
		first, shell = found, []string{rest}
	case rest != "":
		shell = append(shell, rest) // the kernel hands it on as one word
	}
	if !isShell(first) || !filepath.IsAbs(first) || strings.Contains(rest, "c") && len(shell) > 1 {
		return c, false
	}
	name := p.Argv[0]
	if !strings.Contains(name, "/") {
		name = path
	}
	return scriptCall{first, shell, path, name, p.Argv[1:]}, true
}

// isShell reports whether a program is a shell that reads a script which it sources
// as it does one that it is started with.
func isShell(program string) bool {
	name := filepath.Base(program)
	d, ok := shline.ParseDialect(name)
	return ok && d == shline.Bash && name != "zsh"
}
