package machine

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

// Trial is what a program is to be tried with.
type Trial struct {
	Args  []string
	Dir   string // the working directory, which can be read and not written; "" is the scratch home
	Stdin []byte
}

// Try runs a program in a jail, and never without one. What must not be run even
// there is refused.
func (m *Machine) Try(ctx context.Context, p Program, t Trial) (sandbox.Result, error) {
	if err := m.mayRun(p); err != nil {
		return sandbox.Result{}, err
	}
	if err := m.jail(); err != nil {
		return sandbox.Result{}, fmt.Errorf("%w: %w", errNotRun, err)
	}
	select {
	case m.running <- struct{}{}:
		defer func() { <-m.running }()
	case <-ctx.Done():
		return sandbox.Result{}, ctx.Err()
	}
	show := shown(p)
	if t.Dir != "" {
		show = append(show, t.Dir)
	}
	return m.confined(ctx, sandbox.Spec{
		Argv: append([]string{p.Path}, t.Args...), Env: m.toolchains(), Dir: t.Dir, Stdin: t.Stdin,
		Timeout: helpTime, Output: maxHelp, Memory: 8 << 30, Show: show,
	})
}

// At is the program of a file, as a script that a map names by its path.
func At(file string) (Program, error) {
	if p, ok := look(filepath.Dir(file), filepath.Base(file)); ok {
		return p, nil
	}
	return Program{}, fmt.Errorf("%s is no program", file)
}

// IsHelp reports whether a text is help, and not an error or the work of a
// program that did not care what it was asked.
func IsHelp(text string) bool { return looksLikeHelp(text) }

// Version is the version of a program as its package or its build says it, "" if
// neither does. Nothing is run.
func (m *Machine) Version(p Program) string {
	if v := upstream(m.Package(p).Version); v != "" {
		return v
	}
	return goVersion(goInfo(p))
}

// AskVersion is Version, or where nothing is known without running it, what the
// program prints for --version in a jail: its first word that looks like one.
func (m *Machine) AskVersion(ctx context.Context, p Program) string {
	if v := m.Version(p); v != "" {
		return v
	}
	r, err := m.Try(ctx, p, Trial{Args: []string{"--version"}})
	if err != nil || r.TimedOut || r.Cut {
		return ""
	}
	return versionIn(textOf(r), filepath.Base(p.Real))
}

// versionIn finds a version in the first lines of a text: "jq-1.7", "git version
// 2.39.5", "v20.11.0". It has two numbers at least.
func versionIn(text, name string) string {
	lines := strings.SplitN(text, "\n", 4)
	for _, line := range lines[:min(len(lines), 3)] {
		for _, word := range strings.Fields(line) {
			word = strings.Trim(word, "(),;\"'")
			word = strings.TrimPrefix(strings.TrimPrefix(word, name), "-")
			word = strings.TrimPrefix(word, "v")
			number, rest, ok := strings.Cut(word, ".")
			if ok && digits(number) && rest != "" && digits(rest[:1]) && len(word) <= 64 {
				return word
			}
		}
	}
	return ""
}

// upstream is the version of a package without epoch and revision.
func upstream(s string) string {
	if epoch, rest, ok := strings.Cut(s, ":"); ok && digits(epoch) {
		s = rest
	}
	if i := strings.LastIndexByte(s, '-'); i > 0 {
		s = s[:i]
	}
	return s
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
