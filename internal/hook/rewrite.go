package hook

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/printed"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Rewriter says what of a line may be put behind tmp run or te.
type Rewriter struct {
	Map *tcpdb.View
	// Run and TE: the person wants it, and the program is there.
	Run, TE bool
}

// shaped are the forms of output that tmp run shortens well: of tests, builds,
// linters, installations, and of what git shows.
var shaped = []string{
	"build", "cargo", "go-test", "pytest", "ctest", "package", "git-status", "git-log", "git-diff", "terraform", "tap", "junit", "unittest", "jest",
}

// tasks are names of tasks whose output is of that kind.
var tasks = []string{"build", "lint", "check", "typecheck", "type-check", "types", "tsc", "compile", "ci", "verify", "coverage", "fmt-check"}

// Insertion returns the place in a line at which a text is put in, "" for none.
// The line is one command, maybe with assignments before it, behind cd DIR &&, or
// with 2>&1.
func (w *Rewriter) Insertion(line string) (at int, text string) {
	c, ok := alone(line)
	if !ok || len(c.Words) == 0 {
		return 0, ""
	}
	first := c.Words[0]
	if first.Raw != first.Text || first.Live || first.Glob || strings.ContainsAny(first.Text, "/=") && !strings.HasPrefix(first.Text, "./") {
		return 0, ""
	}
	words := shline.Texts(c.Words)
	if forPrograms(words) {
		return 0, ""
	}
	root := w.Map.Root(strings.TrimPrefix(first.Text, "./"))
	if root == nil || root.HasClass(tcpdb.ShellBuiltinClass) {
		return 0, ""
	}
	if is(words, "never") {
		return 0, ""
	}
	if is(words, "te") {
		if w.TE && !follows(words) {
			return first.Start, "te "
		}
		return 0, ""
	}
	form := printed.Of(w.Map, words)
	if !w.Run || form.Interactive || form.Follows || follows(words) || !w.shapes(words, &form) {
		return 0, ""
	}
	return first.Start, "tmp run -- "
}

// shapes reports whether the output is of a kind that is worth it.
func (w *Rewriter) shapes(words []string, form *printed.Form) bool {
	if slices.Contains(shaped, form.Output) {
		return true
	}
	b := argv.Bind(w.Map, words)
	if b == nil {
		return false
	}
	if b.Is(tcpdb.TestRunnerClass) {
		return true
	}
	runs := b.Is(tcpdb.TaskRunnerClass) || b.Is(tcpdb.PackageManagerClass)
	if form.Tests && (runs || len(b.Chain) > 1 && strings.Contains(b.Node().Path, " test")) {
		return true
	}
	if !runs {
		return false
	}
	for _, word := range words[1:] {
		name, _, _ := strings.Cut(word, ":")
		if slices.Contains(tasks, name) {
			return true
		}
		if word != "run" && word != "exec" && !strings.HasPrefix(word, "-") {
			return false
		}
	}
	return false
}

// alone returns the one command of a line that is nothing else.
func alone(line string) (c shline.Command, ok bool) {
	x := shline.Split(shline.Bash, line)
	if !x.Complete || x.Deep || x.Err != "" || len(x.Commands) == 0 || len(x.Commands) > 2 {
		return c, false
	}
	from := 0
	if len(x.Commands) == 2 {
		cd := x.Commands[0]
		if len(cd.Words) != 2 || cd.Words[0].Raw != "cd" || strings.HasPrefix(cd.Words[1].Text, "-") || cd.Sep != "&&" || len(cd.Redirects)+len(cd.Assigns) > 0 || cd.Parent >= 0 || cd.Piped || strings.TrimSpace(line[:cd.Words[0].Start]) != "" {
			return c, false
		}
		from = cd.Words[1].End
	}
	c = x.Commands[len(x.Commands)-1]
	if c.Parent >= 0 || c.Piped || c.Sep != "" || c.Function != "" || len(c.Words) == 0 {
		return c, false
	}
	start, end := c.Words[0].Start, c.Words[len(c.Words)-1].End
	for _, a := range c.Assigns {
		start = min(start, a.Start)
		if a.Start > c.Words[0].Start {
			return c, false
		}
	}
	for _, r := range c.Redirects {
		if r.Op != "2>&" && !(r.Op == ">&" && r.FD == 2) || r.Target.Text != "1" || r.Start < c.Words[0].End {
			return c, false
		}
		end = max(end, r.Target.End)
	}
	before := strings.TrimSpace(line[from:start])
	if before != "" && (len(x.Commands) == 1 || before != "&&") {
		return c, false
	}
	return c, strings.TrimSpace(line[end:]) == ""
}

// forPrograms reports whether the output is meant to be read by a program, or
// says no more than how a command is used.
func forPrograms(words []string) bool {
	for i, w := range words[1:] {
		name, value, attached := strings.Cut(w, "=")
		if !attached && i+2 < len(words) {
			value = words[i+2]
		}
		switch name {
		case "--json", "-json", "--porcelain", "-z", "-Z", "--null", "-0", "--print0", "-print0", "--name-only", "--name-status", "--numstat", "--raw", "--format", "--pretty", "--template",
			"--message-format", "--jq", "-i", "--interactive", "-it", "-ti", "--help", "-h", "--version", "-V", "help", "version", "--quiet", "--xml", "--csv", "--yaml", "--nul", "--word-diff", "--exit-code":
			return !(name == "-h" && i > 0)
		case "-o", "--output", "--output-format", "--reporter", "-f", "--reporters", "--out", "--log-format", "-r", "--report":
			switch strings.ToLower(value) {
			case "json", "yaml", "yml", "xml", "csv", "jsonl", "ndjson", "junit", "sarif", "name", "custom-columns", "go-template", "jsonpath", "tap", "checkstyle":
				return true
			}
			if strings.HasPrefix(value, "jsonpath=") || strings.HasPrefix(value, "go-template=") {
				return true
			}
		}
		if strings.HasPrefix(name, "--json") || strings.HasPrefix(name, "--porcelain") || strings.HasPrefix(name, "--format") || strings.HasPrefix(name, "-ojson") || strings.HasPrefix(name, "-oyaml") {
			return true
		}
	}
	// git show COMMIT:FILE is the file.
	return len(words) > 1 && words[0] == "git" && slices.Contains(words, "show") && slices.ContainsFunc(words[1:], func(w string) bool { return strings.Contains(w, ":") && !strings.HasPrefix(w, ":") && w[0] != '-' })
}

// follows reports whether words say that a command goes on until it is stopped.
func follows(words []string) bool {
	for i, w := range words[1:] {
		if strings.HasPrefix(w, "--watch") && w != "--watch=false" && w != "--watchAll=false" || w == "--follow" || w == "-f" && words[0] != "grep" || w == "-w" && words[0] == "tsc" {
			return true
		}
		name, _, _ := strings.Cut(w, ":")
		switch name {
		case "dev", "serve", "server", "start", "up", "watch", "preview", "storybook", "runserver", "develop":
			if i < 3 {
				return true
			}
		}
	}
	return false
}

// Changed is the input of an event with a text put into its line; nil where
// that cannot be done without changing another byte.
func Changed(e *Event, at int, insert string) []byte {
	if e.start == 0 || e.end > len(e.Input) || strings.ContainsAny(insert, `"\`) {
		return nil
	}
	raw := e.Input[e.start:e.end]
	if text(raw) != e.Line {
		return nil // it was cleaned: not the same bytes
	}
	off := rawOffset(raw, at)
	if off < 0 {
		return nil
	}
	return slices.Concat(e.Input[:e.start+off], []byte(insert), e.Input[e.start+off:])
}

// rawOffset is the place in a raw JSON string of a place in its text; -1 if it
// lies within an escape.
func rawOffset(raw []byte, at int) int {
	i, n := 1, 0
	for n < at && i < len(raw)-1 {
		if raw[i] != '\\' {
			i, n = i+1, n+1
			continue
		}
		size := 2
		if raw[i+1] == 'u' {
			size = 6
			if next := i + 12; next < len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' && utf8.RuneCountInString(text(wrap(raw[i:next]))) == 1 {
				size = 12
			}
		}
		n += len(text(wrap(raw[i : i+size])))
		i += size
	}
	if n != at {
		return -1
	}
	return i
}

func wrap(raw []byte) []byte { return slices.Concat([]byte{'"'}, raw, []byte{'"'}) }
