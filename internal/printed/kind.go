package printed

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// output is the form that the command writes, as its options have it; "" if the
// map does not say. A sub-command of which it does not is like its parent.
func output(b *argv.Bound) string {
	form := ""
	for c := len(b.Chain) - 1; c >= 0 && form == ""; c-- {
		form = b.Chain[c].Output
	}
	if form == "" && b.Is(tcpdb.ViewerClass) && slices.ContainsFunc(b.Args, func(a argv.ArgUse) bool { return isLog(a.Text) }) {
		form = "log"
	}
	for _, u := range b.Uses(tcpdb.OutputRole) {
		form = u.Role.Operand()
	}
	for _, u := range b.Uses(tcpdb.FormatRole) {
		form = formatted(form, u.Value)
	}
	return form
}

func isLog(file string) bool {
	return strings.HasSuffix(file, ".log") || strings.HasPrefix(file, "/var/log/")
}

// formatted is the form of an output whose option names a format. One of a
// tool's own are lines that nobody can read for it.
func formatted(form, value string) string {
	switch value = strings.ToLower(value); {
	case value == "", value == "plain", value == "text", value == "wide", value == "table", value == "human", value == "default", value == "auto":
		return form
	case value != "any" && tcpdb.ValidOutput(value):
		return value
	}
	return "lines"
}

// wantsTerminal reports whether a command needs the terminal itself.
func wantsTerminal(b *argv.Bound) bool {
	switch {
	case b.HasRole(tcpdb.TerminalRole):
		return true
	case b.Has("help"), b.Has("version"), b.HasRole(tcpdb.BatchRole), b.HasRole(tcpdb.DryRunRole), refuses(b):
		return false
	case b.Is(tcpdb.FullScreenClass):
		return !b.HasRole(tcpdb.MessageRole)
	}
	return b.Is(tcpdb.ConversationClass) && !hasWork(b)
}

// refuses reports whether an option that asks for the terminal is negated: --no-edit.
func refuses(b *argv.Bound) bool {
	return slices.ContainsFunc(b.Flags, func(u argv.FlagUse) bool { return u.Negated && u.Flag.Role.Is(tcpdb.TerminalRole) })
}

// hasWork reports whether a program that else talks to whoever sits there is
// told what to do: a command, a script, a text to run. The database that it opens
// and the host that it calls are no work.
func hasWork(b *argv.Bound) bool {
	for _, role := range []tcpdb.Role{tcpdb.CodeRole, tcpdb.InputProgramRole, tcpdb.ShellLineRole, tcpdb.ProgramRole, tcpdb.ModuleRole} {
		if b.HasRole(role) {
			return true
		}
	}
	if _, ok := shellLine(b); ok {
		return true
	}
	w := b.Node().Wrapper.Mode
	if w == tcpdb.WrapWords || w == tcpdb.WrapJoined {
		return len(b.Inner) > 0 && b.Inner[0].Start < len(b.Words)
	}
	return slices.ContainsFunc(b.Placed(), func(a *tcpdb.Arg) bool { return a == nil || !a.Role.Is(tcpdb.PlaceRole) })
}

// endless are words for commands and tasks that go on, as projects name them.
var endless = []string{"dev", "start", "watch", "serve"}

// goesOn reports whether a command goes on until it is stopped; b is nil for one
// that the map does not know.
func goesOn(b *argv.Bound, words []string) bool {
	if b == nil {
		return slices.ContainsFunc(words[1:], watches)
	}
	switch {
	case b.Has("help"), b.HasRole(tcpdb.OnceRole):
		return false
	case b.HasRole(tcpdb.FollowRole), b.Node().HasClass(tcpdb.GoesOnClass):
		return true
	case slices.ContainsFunc(b.Flags, func(u argv.FlagUse) bool { return u.Flag == nil && watches(u.Name) }):
		return true
	}
	return b.Is(tcpdb.TaskRunnerClass) && slices.ContainsFunc(words[1:], func(w string) bool {
		task, _, _ := strings.Cut(w, ":")
		return slices.Contains(endless, task)
	})
}

func watches(w string) bool { return w == "--watch" || w == "--follow" || w == "--watchAll" }

// showsFile reports whether a command shows a file that it names: what was asked
// for is the text itself. git show REV:FILE does, and shows commits else.
func showsFile(b *argv.Bound) bool {
	if !b.Is(tcpdb.ViewerClass) && !b.HasRole(tcpdb.ViewRole) {
		return false
	}
	placed := b.Placed()
	for i, a := range b.Args {
		script := placed[i] != nil && placed[i].Role.Is(tcpdb.CodeRole) // sed SCRIPT FILE
		object := output(b) == "git-log" && strings.IndexByte(a.Text, ':') <= 0
		if !script && !object {
			return true
		}
	}
	return false
}

// searched returns the text that a command looks for, as far as it stands for
// itself in the expression; "" if it looks for none.
func searched(b *argv.Bound) string {
	uses := b.Uses(tcpdb.SearchRole)
	if len(uses) == 0 {
		return ""
	}
	return literal(uses[0].Value)
}

// literal returns the longest part of a regular expression that stands for itself.
func literal(re string) string {
	best, from := "", 0
	for i := 0; i <= len(re); i++ {
		if i < len(re) && strings.IndexByte(`\.*+?()[]{}|^$`, re[i]) < 0 {
			continue
		}
		end := i
		if i < len(re) && end > from && strings.IndexByte("*?{", re[i]) >= 0 {
			end--
		}
		if end-from > len(best) {
			best = re[from:end]
		}
		if i < len(re) && re[i] == '\\' {
			i++
		}
		if i < len(re) && re[i] == '[' {
			for i < len(re) && re[i] != ']' {
				i++
			}
		}
		from = i + 1
	}
	return best
}

// builders are the forms that compilers, linters and tests write.
var builders = []string{"build", "cargo", "ctest", "go-json", "go-test", "gotestsum", "js-test", "junit", "pytest", "tap", "unittest"}

// steps are words for what builds and checks, as tools and projects name it.
var steps = []string{"test", "build", "vet", "check", "clippy", "bench", "fmt", "lint", "doc"}

// Builds reports whether a command of a script compiles, checks or tests something.
func Builds(v *tcpdb.View, script string) bool {
	return slices.ContainsFunc(shline.Split(shline.Bash, script).Commands, func(c shline.Command) bool {
		f := Of(v, shline.Texts(c.Words))
		if f.Tests || slices.Contains(builders, f.Output) {
			return true
		}
		if len(f.Argv) < 2 {
			return false
		}
		root := v.Root(path.Base(f.Argv[0]))
		return root != nil && (slices.Contains(steps, f.Argv[1]) || f.Argv[1] == "run" && root.HasClass(tcpdb.TaskRunnerClass))
	})
}
