// Package printed says before a command runs what it will print, as far as the
// map tells: in which form, whether it goes on until it is stopped, and whether
// it needs the terminal itself. Names of tools are the map's business: a tool
// that a user maps has the rights of any other.
package printed

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/shape"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Form is what is known of a command's output before it runs.
type Form struct {
	shape.Command
	// Interactive: it works on the whole screen of a terminal, or talks to whoever
	// sits there. What it writes is nothing to keep or to shorten.
	Interactive bool
	// Follows: it goes on until it is stopped, so that its output is to be passed on
	// as it comes.
	Follows bool
}

// maxDepth bounds commands within commands: sudo env sh -c …
const maxDepth = 16

// Of returns the form of a command's output.
func Of(v *tcpdb.View, words []string) Form { return of(v, words, 0) }

// Line is Of for the line of a shell, if one command of it makes the output: the
// only one that prints, or the first of a pipe into programs that choose lines.
func Line(v *tcpdb.View, line string) Form { return ofLine(v, line, 0) }

func ofLine(v *tcpdb.View, line string, depth int) Form {
	words := maker(v, line)
	f := of(v, words, depth)
	f.Interactive = f.Interactive && depth == 0
	return f
}

// of walks from the outermost command to the one that prints.
func of(v *tcpdb.View, words []string, depth int) Form {
	words = command(words)
	if len(words) == 0 || depth > maxDepth {
		return Form{}
	}
	b := bind(v, words)
	if b == nil {
		return Form{Command: shape.Command{Argv: words, Tests: tests(words)}, Follows: goesOn(nil, words)}
	}
	terminal := wantsTerminal(b)
	if !terminal {
		if line, ok := shellLine(b); ok {
			return ofLine(v, line, depth+1)
		}
		if inner := carried(b); inner != nil {
			return of(v, inner, depth+1)
		}
	}
	return Form{
		Command: shape.Command{
			Argv: words, Output: output(b), Search: searched(b), File: showsFile(b),
			Tests: runsTests(v, b), Relays: b.Is(tcpdb.ContainerClass),
		},
		Interactive: terminal,
		Follows:     goesOn(b, words),
	}
}

// command leaves out the variables that stand before a command.
func command(words []string) []string {
	for len(words) > 0 {
		name, _, ok := strings.Cut(words[0], "=")
		if !ok || name == "" || strings.ContainsAny(name, "/-. ") {
			break
		}
		words = words[1:]
	}
	return words
}

// bind is argv.Bind, which also finds python3 for python3.11 and go for go.exe.
func bind(v *tcpdb.View, words []string) *argv.Bound {
	if b := argv.Bind(v, words); b != nil {
		return b
	}
	name := strings.TrimSuffix(path.Base(words[0]), ".exe")
	if i := strings.LastIndexByte(name, '.'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	if name == "" || name == path.Base(words[0]) {
		return nil
	}
	return argv.Bind(v, append([]string{name}, words[1:]...))
}

// shellLine returns the line that a command gives to a shell: the value of the
// option for that, or where it takes none the first argument: sh -c LINE.
func shellLine(b *argv.Bound) (line string, ok bool) {
	id := b.Node().Wrapper.ShellFlag
	if id == "" || b.Node().Wrapper.Elsewhere || !b.Has(id) {
		return "", false
	}
	for _, u := range b.Flags {
		if u.Flag != nil && u.Flag.ID == id && u.ValueWord >= 0 {
			return u.Value, true
		}
	}
	if len(b.Args) > 0 {
		return b.Args[0].Text, true
	}
	return "", false
}

// carried returns the words of the command whose output this one passes on, nil
// if it prints something itself: the command behind sudo, the module of python -m.
func carried(b *argv.Bound) []string {
	if b.Is(tcpdb.RunnerClass) && len(b.Inner) > 0 && b.Inner[0].Start < len(b.Words) {
		return b.Words[b.Inner[0].Start:b.Inner[0].End]
	}
	for _, u := range b.Uses(tcpdb.ModuleRole) {
		if u.Word >= 0 && u.Value != "" {
			return append([]string{u.Value}, b.Words[u.Word+1:]...)
		}
	}
	return nil
}

// maker returns the words of the command of a line that makes its output, nil if
// several do.
func maker(v *tcpdb.View, line string) []string {
	var found []string
	for _, c := range shline.Split(shline.Bash, line).Commands {
		if c.Parent >= 0 || len(c.Words) == 0 {
			continue
		}
		words := shline.Texts(c.Words)
		root := v.Root(path.Base(words[0]))
		is := func(class string) bool { return root != nil && root.HasClass(class) }
		switch {
		case c.Piped:
			if !is(tcpdb.LineFilterClass) || root.Output != "" {
				found = words
			}
		case is(tcpdb.ShellBuiltinClass) || is(tcpdb.QuietClass):
		case found != nil:
			return nil
		default:
			found = words
		}
	}
	return found
}

// runsTests reports whether a command runs tests: it is known for that, it is a
// task that is named for a tool which is, or a word of it says so.
func runsTests(v *tcpdb.View, b *argv.Bound) bool {
	if b.Is(tcpdb.TestRunnerClass) || tests(b.Words) {
		return true
	}
	return b.Is(tcpdb.TaskRunnerClass) && slices.ContainsFunc(b.Words[1:min(len(b.Words), maxTask)], func(w string) bool {
		root := v.Root(w)
		return root != nil && root.HasClass(tcpdb.TestRunnerClass)
	})
}

// maxTask is how many words of a line are looked through for the name of a task.
const maxTask = 5

// tests reports whether a word of a command says that it runs tests, as tools
// and tasks of all kinds name it.
func tests(words []string) bool {
	if len(words) > 0 && words[0] == "test" {
		return false // the shell's: test -f x
	}
	return slices.ContainsFunc(words, func(w string) bool {
		switch w = path.Base(w); w {
		case "test", "tests", "t", "nextest", "check":
			return true
		}
		return strings.HasPrefix(w, "test:") || strings.HasPrefix(w, "--test")
	})
}
