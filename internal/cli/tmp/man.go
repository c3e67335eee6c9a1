package tmp

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/version"
)

type manOptions struct{ dir string }

func newMan(env *term.Env, f *command.Flags) command.Run {
	var o manOptions
	f.String("dir", &o.dir)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *manOptions) run(env *term.Env, words []string) error {
	root, err := command.Load()
	if err != nil {
		return err
	}
	if o.dir != "" {
		if len(words) > 0 {
			return term.Usagef("--dir writes every page and takes no command")
		}
		return o.writeAll(env, root)
	}
	path := strings.Join(words, " ")
	n := root.Find(path)
	if n == nil || path != "" && !implemented(n, path) {
		return term.Usagef("no manual page for %q", path).Hint("tmp help lists the commands")
	}
	return writeMan(env.Stdout, n, path)
}

// writeAll writes tmp.1, tmp-resolve.1 … into the directory.
func (o *manOptions) writeAll(env *term.Env, root *command.Node) error {
	dir := o.dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(env.Dir, dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var failed error
	command.Walk(root, "", func(n *command.Node, path string) {
		if failed != nil || path != "" && !implemented(n, path) {
			return
		}
		var b strings.Builder
		_ = writeMan(&b, n, path)
		name := filepath.Join(dir, pageName(path)+".1")
		if failed = os.WriteFile(name, []byte(b.String()), 0o644); failed == nil {
			fmt.Fprintln(env.Stdout, name)
		}
	})
	return failed
}

func pageName(path string) string { return strings.ReplaceAll(command.Name(path), " ", "-") }

// writeMan writes one page with the man macros (groff_man(7)).
func writeMan(out io.Writer, n *command.Node, path string) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"tmp %s\" \"User Commands\"\n", strings.ToUpper(pageName(path)), version.Text())
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(pageName(path)), roff(lowerFirst(n.Description)))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(command.Name(path)))
	if rest := strings.TrimPrefix(n.Usage(command.Name(path)), command.Name(path)); rest != "" {
		fmt.Fprintf(&b, "%s\n", roff(strings.TrimSpace(rest)))
	}
	manRows(&b, "COMMANDS", visibleSubs(n, path))
	manRows(&b, "ARGUMENTS", argRows(n))
	manRows(&b, "OPTIONS", flagRows(n))
	if len(n.Examples) > 0 {
		b.WriteString(".SH EXAMPLES\n")
		for _, e := range n.Examples {
			fmt.Fprintf(&b, ".PP\n%s:\n.PP\n.nf\n.RS 4\n%s\n.RE\n.fi\n", roff(e.Text), roff(e.Line))
		}
	}
	if path == "" {
		b.WriteString(manEnvironment)
	}
	var also []string
	if path != "" {
		up, _, nested := cutLast(path)
		if !nested {
			up = ""
		}
		also = append(also, pageName(up))
	}
	for _, s := range visibleSubs(n, path) {
		also = append(also, pageName(strings.TrimSpace(path+" "+s[0])))
	}
	if len(also) > 0 {
		b.WriteString(".SH SEE ALSO\n")
		for i, p := range also {
			end := ","
			if i == len(also)-1 {
				end = ""
			}
			fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(p), end)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

const manEnvironment = `.SH ENVIRONMENT
.TP
.B TMP_CONFIG_DIR, TMP_DATA_DIR, TMP_STATE_DIR, TMP_CACHE_DIR
Directories used instead of $XDG_CONFIG_HOME/tmp, $XDG_DATA_HOME/tmp, $XDG_STATE_HOME/tmp and $XDG_CACHE_HOME/tmp.
.TP
.B TMP_AGENT_ID
Says that an agent is calling: nothing is asked at the terminal, and what needs approval waits for
.BR tmp-approve (1).
.TP
.B NO_COLOR
When set and not empty, no colour is used.
.SH EXIT STATUS
0 done, 1 failed or refused, 2 used wrongly.
.BR tmp-run (1)
passes on the status of the command it ran; 124 is a timeout, 125 says that nothing was started, 126 and 127 that the program could not be run or found.
.BR tmp-check (1)
exits with 3 for HIGH and 4 for CRITICAL,
.BR tmp-complete (1)
with 10 where there is no map.
`

func manRows(b *strings.Builder, title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	for _, r := range rows {
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(r[0])), roff(r[1]))
	}
}

// roff escapes text for a line of roff input: backslashes, dashes, quotes that
// would be made typographic, and a leading control character.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "…", "...", `"`, `\(dq`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' || len(s) > 1 && s[1] == ' ' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// cutLast cuts the path at its last blank; found is false if it has none.
func cutLast(path string) (before, after string, found bool) {
	if i := strings.LastIndexByte(path, ' '); i >= 0 {
		return path[:i], path[i+1:], true
	}
	return path, "", false
}
