package shell

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// report prints what a bug report needs, as Markdown for the place where it goes: the
// build, the system, the shell, which settings and variables there are without what they
// say, and the findings. Names of directories, of the person and of the machine are taken
// out; a person reads it before they send it.
func (r *doctorReport) report(env *term.Env, w *session.Session) {
	private := newMask(env)
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(env.Stdout, "- %s: %s\n", what, screen.Printable(private.hide(text)))
		}
	}
	core := tcpdb.Core().Digest()
	line("tmp", fmt.Sprintf("%s, core map %x, %s", r.Version, core[:6], runtime.Version()))
	line("system", system())
	line("shell", shellVersion(env, r.Shell))
	line("terminal", terminal(env))
	line("locale", locale(env))
	line("variables", strings.Join(ownVariables(env.Environ), ", "))
	line("settings", settingsNames(w.Paths.Settings()))
	line("commands with a map", fmt.Sprint(r.Tools))
	for _, name := range slices.Sorted(maps.Keys(r.Programs)) {
		line(name, r.Programs[name])
	}
	fmt.Fprintln(env.Stdout)
	for _, f := range r.Findings {
		line(string(f.Standing), f.Text)
	}
	fmt.Fprintln(env.Stderr, "Read it before you send it. What you typed, and what tmp answered, is not in it.")
}

// mask takes a person's own names out of a text.
type mask struct{ pairs []pair }

type pair struct {
	name *regexp.Regexp
	with string
}

func newMask(env *term.Env) mask {
	var m mask
	add := func(name, with string) {
		if len(name) > 1 {
			m.pairs = append(m.pairs, pair{regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(name) + `($|[^\pL\pN_])`), "${1}" + with + "${2}"})
		}
	}
	home := filepath.Clean(env.Getenv("HOME"))
	if home != "/" && home != "." {
		add(home, "~")
	}
	if env.Dir != home && env.Dir != "/" {
		add(env.Dir, "DIRECTORY")
	}
	// A project may lie above: its own name says what somebody works on.
	if base := filepath.Base(env.Dir); env.Dir != home && base != "/" {
		add(base, "DIRECTORY")
	}
	for _, name := range []string{env.Getenv("USER"), env.Getenv("LOGNAME"), filepath.Base(home)} {
		if name != "root" && name != "/" {
			add(name, "USER")
		}
	}
	if host, err := os.Hostname(); err == nil && host != "localhost" {
		add(host, "HOST")
	}
	return m
}

func (m mask) hide(text string) string {
	for _, p := range m.pairs {
		// Twice: what is between two names is the end of one and the start of the next.
		text = p.name.ReplaceAllString(p.name.ReplaceAllString(text, p.with), p.with)
	}
	return text
}

// system is the kernel with its release and the name of the distribution (os-release(5)).
func system() string {
	text := runtime.GOOS + "/" + runtime.GOARCH
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		text += ", " + unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
	}
	if data, err := os.ReadFile("/etc/os-release"); err == nil {
		for l := range strings.Lines(string(data)) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(l), "PRETTY_NAME="); ok {
				text += ", " + strings.Trim(name, `"'`)
			}
		}
	}
	return text
}

func shellVersion(env *term.Env, shell string) string {
	program := term.LookPath(env, shell)
	if shell == "" || program == "" {
		return shell
	}
	out, err := runQuietly(env, "", program, "--version")
	first, _, _ := strings.Cut(out, "\n")
	if err != nil || first == "" {
		return shell
	}
	return first
}

// terminal names the terminal and what is between it and the shell.
func terminal(env *term.Env) string {
	text := env.Getenv("TERM")
	if program := env.Getenv("TERM_PROGRAM"); program != "" {
		text += ", " + program
	}
	for variable, name := range map[string]string{"TMUX": "tmux", "STY": "screen", "SSH_TTY": "ssh"} {
		if env.Getenv(variable) != "" {
			text += ", in " + name
		}
	}
	return text
}

func locale(env *term.Env) string {
	for _, variable := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := env.Getenv(variable); v != "" {
			return v
		}
	}
	return "none"
}

// ownVariables are the names of the variables that tmp reads.
func ownVariables(environ []string) []string {
	var names []string
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, "TMP_") || strings.HasPrefix(name, "XDG_") && strings.HasSuffix(name, "_HOME") || name == "NO_COLOR" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// settingsNames are the names of the settings in a file, without those that a person
// made up: of a table of places, servers or agents its first name alone.
func settingsNames(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	var all map[string]any
	if _, err := toml.Decode(string(data), &all); err != nil {
		return "a file that is no TOML"
	}
	var names []string
	for name, v := range all {
		inner := inTable(v)
		if len(inner) == 0 || name == "places" {
			inner = []string{""}
		}
		for _, in := range inner {
			names = append(names, strings.TrimSuffix(name+"."+in, "."))
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// inTable are the names in a table that are settings, not tables with names of their own.
func inTable(v any) []string {
	table, _ := v.(map[string]any)
	var names []string
	for name, v := range table {
		switch v.(type) {
		case map[string]any, []map[string]any:
		default:
			names = append(names, name)
		}
	}
	return names
}
