package hook

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

//go:embed programs.tsv
var programsText string

// does is what a command does with the files and secrets that it names.
type does struct {
	words   []string
	options []string // "-" is none
	without bool
	what    string
}

// programs reads the table, by the first word of the commands.
var programs = sync.OnceValue(func() map[string][]does {
	table := map[string][]does{}
	for l := range strings.Lines(programsText) {
		f := strings.Split(strings.TrimRight(l, "\n"), "\t")
		if strings.HasPrefix(l, "#") || len(f) != 3 {
			continue
		}
		for command := range strings.SplitSeq(f[0], ",") {
			d := does{words: strings.Fields(command), what: f[2]}
			options, without := strings.CutPrefix(f[1], "!")
			if d.without = without; options != "-" {
				d.options = strings.Split(options, ",")
			}
			table[d.words[0]] = append(table[d.words[0]], d)
		}
	}
	return table
})

// Touch is what one command of a line does beside what the judge says of it.
type Touch struct {
	Part   string   // the command, as far as it is written in the line
	Shows  []string // files whose content it prints; patterns of the shell too
	Secret bool     // it prints a secret, whatever the files
	Names  []string // of variables that it prints; "*" is all
	Writes []string // files that it writes
}

// maxInner bounds commands within commands.
const maxInner = 8

// Touches says what the commands of a line show and write.
func Touches(view *tcpdb.View, line string) []Touch {
	var list []Touch
	if view != nil {
		touch(view, line, 0, &list)
	}
	return list
}

func touch(view *tcpdb.View, line string, depth int, list *[]Touch) {
	if depth > maxInner || len(*list) > 256 {
		return
	}
	cmds := shline.Split(shline.Bash, line).Commands
	for i := range cmds {
		c := &cmds[i]
		t := Touch{Part: line[min(c.Start, len(line)):min(c.End, len(line))]}
		printed := prints(cmds, i)
		var input []string
		for _, r := range c.Redirects {
			switch {
			case strings.Contains(r.Op, ">") && r.Target.Text != "" && !strings.HasPrefix(r.Op, ">&") && !strings.HasSuffix(r.Op, ">&"):
				t.Writes = append(t.Writes, r.Target.Text)
			case r.Op == "<":
				input = append(input, r.Target.Text)
			}
		}
		t.command(view, c.Words, input, printed, depth, list)
		if len(c.Words) == 0 && printed {
			t.Shows = append(t.Shows, input...) // $(< file)
		}
		if len(t.Shows)+len(t.Names)+len(t.Writes) > 0 || t.Secret {
			*list = append(*list, t)
		}
	}
}

// command adds what the words of a command do, and what those do that it carries.
func (t *Touch) command(view *tcpdb.View, ws []shline.Word, input []string, printed bool, depth int, list *[]Touch) {
	words := shline.Texts(ws)
	if len(words) == 0 {
		return
	}
	if b := argv.Bind(view, words); b != nil {
		for _, in := range b.Inner {
			if in.Start < in.End && in.End <= len(words) && in.Start > 0 {
				if len(ws) == len(words) {
					t.command(view, ws[in.Start:in.End], input, printed, depth+1, list)
				}
			}
		}
		for _, role := range []tcpdb.Role{tcpdb.ShellLineRole} {
			for _, u := range b.Uses(role) {
				touch(view, u.Value, depth+1, list)
			}
		}
		if id := b.Node().Wrapper.ShellFlag; id != "" && b.Has(id) {
			for _, w := range words[1:] {
				if strings.ContainsAny(w, " \t\n") {
					touch(view, w, depth+1, list)
				}
			}
		}
		for _, u := range b.Uses(tcpdb.OutputFileRole) {
			t.Writes = append(t.Writes, u.Value)
		}
		if b.Is(tcpdb.PrintsSecretClass) && printed && !is(words, "variables") && !is(words, "named") {
			t.Secret = true
		}
	}
	words[0] = path.Base(words[0])
	for _, d := range programs()[words[0]] {
		if d.holds(words) {
			t.add(d.what, ws, words, input, printed)
		}
	}
}

// holds reports whether the words of a command are those of a row.
func (d *does) holds(words []string) bool {
	i := 1
	for _, w := range words[1:] {
		if i < len(d.words) && match(d.words[i], w) {
			i++
		}
	}
	if i < len(d.words) {
		return false
	}
	if d.options == nil {
		return true
	}
	return slices.ContainsFunc(d.options, func(o string) bool { return given(o, words) }) != d.without
}

// given reports whether an option is among the words; -o=json is that with its
// value, attached or not.
func given(option string, words []string) bool {
	name, value, has := strings.Cut(option, "=")
	for i, w := range words {
		switch {
		case !has && (w == name || strings.HasPrefix(name, "--") && strings.HasPrefix(w, name+"=")):
			return true
		case !has && len(name) == 2 && bundled(w, name[1]):
			return true
		case has && w == name && i+1 < len(words) && match(value, words[i+1]):
			return true
		case has && (match(option, w) || match(name+value, w) || name == "-o" && match("--output="+value, w)):
			return true
		case has && name == "-o" && w == "--output" && i+1 < len(words) && match(value, words[i+1]):
			return true
		}
	}
	return false
}

// bundled reports whether a word of short options holds one.
func bundled(w string, letter byte) bool {
	return len(w) > 2 && w[0] == '-' && w[1] != '-' && strings.Trim(w[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && strings.IndexByte(w[1:], letter) >= 0
}

// add takes over what a row says.
func (t *Touch) add(what string, ws []shline.Word, words, input []string, printed bool) {
	args := arguments(words)
	switch what {
	case "files":
		if printed {
			t.Shows = append(append(t.Shows, args...), input...)
		}
	case "gitgrep":
		if len(args) > 2 && printed {
			t.Shows = append(t.Shows, args[2:]...)
		}
	case "search":
		if len(args) > 0 && !given("-e", words) && !given("-f", words) && !given("--regexp", words) && !given("--file", words) {
			args = args[1:]
		}
		if printed {
			t.Shows = append(append(t.Shows, args...), input...)
		}
	case "revision":
		for _, a := range args {
			if _, file, ok := strings.Cut(a, ":"); ok {
				a = file
			}
			if printed {
				t.Shows = append(t.Shows, a)
			}
		}
	case "secret":
		t.Secret = t.Secret || printed
	case "echoes":
		if printed {
			t.Names = append(t.Names, named(ws)...)
		}
	case "named", "variables":
		switch {
		case !printed:
		case len(args) == 0 && (len(words) < 3 || what == "named"):
			t.Names = append(t.Names, "*")
		case what == "named":
			t.Names = append(t.Names, args...)
		}
	case "writes":
		t.Writes = append(t.Writes, args...)
	case "target":
		if len(args) > 0 {
			t.Writes = append(t.Writes, args[len(args)-1])
			for _, a := range args[:len(args)-1] { // into a directory
				t.Writes = append(t.Writes, args[len(args)-1]+"/"+path.Base(a))
			}
		}
	case "code":
		for _, w := range words[1:] {
			t.code(w, printed)
		}
	}
}

// arguments are the words that are no options; of those that hold a file behind
// a sign, the file.
func arguments(words []string) (args []string) {
	for _, w := range words[1:] {
		name, value, ok := strings.Cut(w, "=")
		switch {
		case ok && (name == "of" || name == "if"):
			args = append(args, value)
		case strings.HasPrefix(w, "-") && ok:
			args = append(args, value)
		case !strings.HasPrefix(w, "-"):
			args = append(args, strings.TrimPrefix(w, "@"))
		}
	}
	return args
}

// named are the variables among the words of a command that prints them.
func named(ws []shline.Word) (names []string) {
	for _, w := range ws[1:] {
		if !w.Live {
			continue
		}
		for rest := w.Text; ; {
			i := strings.IndexByte(rest, '$')
			if i < 0 {
				break
			}
			rest = strings.TrimPrefix(rest[i+1:], "{")
			end := strings.IndexFunc(rest, func(r rune) bool {
				return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
			})
			if end < 0 {
				end = len(rest)
			}
			if !strings.HasPrefix(rest[end:], ":+") && !strings.HasPrefix(rest[end:], "+") { // ${X:+set}
				names = append(names, rest[:end])
			}
			rest = rest[end:]
		}
	}
	return names
}

// code finds the paths that a text of a program names.
func (t *Touch) code(text string, printed bool) {
	prints := printed && (strings.Contains(text, "print") || strings.Contains(text, "log") || strings.Contains(text, "puts") || strings.Contains(text, "echo") || strings.Contains(text, "stdout"))
	writes := strings.Contains(text, "write") || strings.Contains(text, "'w'") || strings.Contains(text, `"w"`) || strings.Contains(text, "'a'") || strings.Contains(text, `"a"`) || strings.Contains(text, "unlink") ||
		strings.Contains(text, "remove") || strings.Contains(text, "append") || strings.Contains(text, "put_contents") || strings.Contains(text, "rename") || strings.Contains(text, "copy")
	for _, p := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("'\"`() \t\n,;", r) }) {
		if !strings.ContainsAny(p, "./~") {
			continue
		}
		if prints {
			t.Shows = append(t.Shows, p)
		}
		if writes {
			t.Writes = append(t.Writes, p)
		}
	}
}

// prints reports whether what a command prints is seen: it goes into no file, and
// what reads it tells more of it than how much it is.
func prints(cmds []shline.Command, i int) bool {
	c := &cmds[i]
	for _, r := range c.Redirects {
		if r.FD != 2 && r.FD < 3 && strings.Contains(r.Op, ">") && !strings.Contains(r.Op, "&") && !strings.HasPrefix(r.Op, "2") && !strings.HasPrefix(r.Target.Text, "/dev/std") && r.Target.Text != "/dev/tty" {
			return false
		}
	}
	if c.Sep != "|" && c.Sep != "|&" {
		return true
	}
	for j := i + 1; j < len(cmds); j++ {
		next := &cmds[j]
		if next.Parent != c.Parent {
			continue
		}
		words := shline.Texts(next.Words)
		if len(words) == 0 || !next.Piped {
			return true
		}
		if hides(words) {
			return false
		}
		return prints(cmds, j)
	}
	return true
}

// hides reports whether a command lets nothing through of what it reads.
func hides(words []string) bool { return is(words, "hides") }

// is reports whether the table says something of a command.
func is(words []string, what string) bool {
	return slices.ContainsFunc(programs()[path.Base(words[0])], func(d does) bool { return d.what == what && d.holds(words) })
}

// SecretName reports whether a variable is by its name a secret.
func SecretName(name string) bool {
	parts := strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return r == '_' })
	for i, p := range parts {
		switch p {
		case "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIALS", "APIKEY", "SECRETKEY", "AUTHTOKEN", "PAT", "PWD":
			if p != "PWD" || i > 0 && len(parts) > 1 && parts[0] != "OLD" {
				return true
			}
		case "KEY":
			if i > 0 && slices.Contains([]string{"API", "ACCESS", "PRIVATE", "SECRET", "ENCRYPTION", "MASTER", "SIGNING", "AUTH", "ACCOUNT", "SERVICE", "DEPLOY", "LICENSE", "STORAGE"}, parts[i-1]) {
				return true
			}
		case "PASS":
			if i > 0 {
				return true
			}
		}
	}
	return slices.Contains([]string{"DATABASE_URL", "MONGO_URL", "REDIS_URL", "MONGODB_URI", "DSN", "SENTRY_DSN"}, strings.ToUpper(name))
}
