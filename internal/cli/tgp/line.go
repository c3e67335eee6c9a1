package tgp

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
)

// option is an option of a command.
type option struct {
	name  string // with its dashes
	short string
	value string // what it takes, "" if nothing
	text  string
	many  bool
}

// command is a row of the table.
type command struct {
	name     string
	args     string // as they are shown
	least    int
	most     int // -1 for any number
	text     string
	flags    []option
	examples [][2]string
	first    bool // all after the first word is not ours
}

// Line is what stands on the command line.
type Line struct {
	command       *command
	root, config  string
	JSON          bool
	help, version bool
	values        map[string][]string
	Args          []string
}

// Given reports whether a flag stands there.
func (l *Line) Given(name string) bool { _, ok := l.values[name]; return ok }

// Value is that of a flag, "" without it.
func (l *Line) Value(name string) string {
	if v := l.values[name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return ""
}

// everywhere are the flags of every command.
var everywhere = []option{
	{name: "--root", value: "DIR", text: "The root of the tools, in the place of the nearest .tgp"},
	{name: "--config", value: "FILE", text: "The configuration, the host's word"},
	{name: "--json", text: "Print JSON"},
	{name: "--help", short: "-h", text: "Show help"},
}

// Usage is an error of the command line.
func Usage(format string, args ...any) error { return run.Fail(run.Usage, format, args...) }

// parse reads the command line. Flags of all commands may stand before the command too.
func parse(args []string) (*Line, error) {
	l := &Line{values: map[string][]string{}}
	// Whether JSON is wanted is known even where the rest is wrong.
	for _, a := range args {
		if a == "--json" {
			l.JSON = true
		}
		if a == "--" {
			break
		}
	}
	i := 0
	for ; i < len(args) && strings.HasPrefix(args[i], "-"); i++ {
		if args[i] == "--version" {
			l.version = true
			return l, nil
		}
		n, err := l.flag(everywhere, args, i)
		if err != nil {
			return l, err
		}
		i += n
	}
	if i == len(args) {
		if l.help || len(args) == 0 {
			l.help = true
			return l, nil
		}
		return l, Usage("a command is missing; tgp --help lists them")
	}
	word := args[i]
	if word == "help" {
		l.help = true
		if i+1 < len(args) {
			l.command = byName(args[i+1])
		}
		return l, nil
	}
	if l.command = byName(word); l.command == nil {
		return l, Usage("there is no command %q; tgp --help lists them", word)
	}
	if l.command.first {
		l.JSON = slices.Contains(args[:i], "--json") // those after the tool are the tool's
	}
	return l, l.rest(args[i+1:])
}

// rest reads what stands after the command.
func (l *Line) rest(args []string) error {
	flags := append(slices.Clone(everywhere), l.command.flags...)
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			l.Args = append(l.Args, args[i+1:]...)
			break
		}
		if len(a) > 1 && a[0] == '-' {
			n, err := l.flag(flags, args, i)
			if err != nil {
				return err
			}
			i += n
			continue
		}
		l.Args = append(l.Args, a)
		if l.command.first {
			l.Args = append(l.Args, args[i+1:]...)
			break
		}
	}
	if l.help {
		return nil
	}
	if len(l.Args) < l.command.least {
		return Usage("tgp %s needs %s", l.command.name, l.command.args)
	}
	if l.command.most >= 0 && len(l.Args) > l.command.most {
		return Usage("unexpected argument %q: tgp %s %s", l.Args[l.command.most], l.command.name, l.command.args)
	}
	return nil
}

// flag reads one flag and returns how many words more it took.
func (l *Line) flag(flags []option, args []string, i int) (int, error) {
	name, value, has := strings.Cut(args[i], "=")
	at := slices.IndexFunc(flags, func(f option) bool { return f.name == name || f.short != "" && f.short == name })
	if at < 0 {
		return 0, Usage("there is no flag %s here", name)
	}
	f := flags[at]
	took := 0
	switch {
	case f.value == "" && has:
		return 0, Usage("%s takes no value", name)
	case f.value != "" && !has:
		if i+1 >= len(args) {
			return 0, Usage("%s needs %s", name, f.value)
		}
		value, took = args[i+1], 1
	}
	if _, twice := l.values[f.name]; twice && !f.many && f.value != "" {
		return 0, Usage("%s is given twice", name)
	}
	l.values[f.name] = append(l.values[f.name], value)
	switch f.name {
	case "--root":
		l.root = value
	case "--config":
		l.config = value
	case "--json":
		l.JSON = true
	case "--help":
		l.help = true
	}
	return took, nil
}

func byName(name string) *command {
	table := commands()
	for i := range table {
		if table[i].name == name {
			return &table[i]
		}
	}
	return nil
}
