package tmp

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newProgram makes the command tree: every node of the map that has a row in
// the table, or sub-commands that do.
func newProgram(env *Env, root *node) *cobra.Command {
	p := &program{env: env, root: root, rows: table()}
	cmd := p.build(root, "")
	cmd.CompletionOptions.DisableDefaultCmd = true
	for _, c := range cmd.Commands() {
		if c.Name() == "help" {
			cmd.SetHelpCommand(c) // in place of cobra's own
		}
	}
	cmd.SetOut(env.Stdout)
	cmd.SetErr(env.Stderr)
	cmd.SetIn(env.Stdin)
	return cmd
}

type program struct {
	env  *Env
	root *node
	rows []command
	made []*flags // for the test that every flag is bound
}

func (p *program) row(path string) *command {
	for i := range p.rows {
		if p.rows[i].path == path {
			return &p.rows[i]
		}
	}
	return nil
}

// command makes the command of a node, without its sub-commands and what it does.
func (p *program) command(n *node, path string) *cobra.Command {
	cmd := &cobra.Command{
		Use: n.Name, Aliases: n.Aliases, Short: n.Description, Hidden: n.Hidden,
		SilenceErrors: true, SilenceUsage: true,
		DisableFlagsInUseLine: true, DisableAutoGenTag: true,
		SuggestionsMinimumDistance: 2,
	}
	cmd.SetHelpFunc(func(*cobra.Command, []string) { p.help(path) })
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return p.misused(path, usagef("%s", err).hint("%s --help shows the flags", commandName(path)))
	})
	return cmd
}

// help prints the help of a command. A program that was made for one command
// alone reads the whole map for it.
func (p *program) help(path string) {
	root := p.root
	if root == nil {
		root, _ = loadMap() // the map is that of the program: a test reads it
	}
	if root != nil {
		writeHelp(p.env, root, path)
	}
}

// build makes the command of a node, or nil if nothing implements it.
func (p *program) build(n *node, path string) *cobra.Command {
	cmd := p.command(n, path)
	for _, s := range n.Subs {
		if sub := p.build(s, strings.TrimSpace(path+" "+s.Name)); sub != nil {
			cmd.AddCommand(sub)
		}
	}
	row := p.row(path)
	switch {
	case row != nil:
		p.bind(cmd, n, path, row)
	case path == "" || cmd.HasSubCommands():
		p.group(cmd, path)
	default:
		return nil
	}
	return cmd
}

// bind connects the flags and the run function of a row.
func (p *program) bind(cmd *cobra.Command, n *node, path string, row *command) {
	f := &flags{set: cmd.Flags(), node: n, bound: map[string]bool{}}
	run := row.make(p.env, f)
	p.made = append(p.made, f)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in := input{Args: args}
		if dash := cmd.ArgsLenAtDash(); dash >= 0 {
			in = input{Args: args[:dash], Rest: args[dash:], Dashed: true}
		}
		if err := n.checkArgs(path, &in); err != nil {
			return p.misused(path, err)
		}
		return run(in)
	}
}

// misused is the error of a line that the command at path cannot be called with.
func (p *program) misused(path string, err error) error {
	if path == "resolve" {
		forgetResolved(p.env)
	}
	return err
}

// group makes a command that only has sub-commands: alone it shows its help.
func (p *program) group(cmd *cobra.Command, path string) {
	var version bool
	if path == "" {
		cmd.Flags().BoolVar(&version, "version", false, "")
	}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if version {
			return (&versionOptions{}).run(p.env)
		}
		if len(args) == 0 {
			p.help(path)
			if path == "" {
				return nil
			}
			return exitStatus(2)
		}
		return unknownCommand(cmd, path, args[0])
	}
}

func unknownCommand(cmd *cobra.Command, path, word string) error {
	f := usagef("unknown command %q", strings.TrimSpace(commandName(path)[len("tmp"):]+" "+word))
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		for i := range near {
			near[i] = commandName(path) + " " + near[i]
		}
		return f.hint("did you mean %s?", strings.Join(near, " or "))
	}
	return f.hint("%s --help lists the commands", commandName(path))
}

// commandName is the command of a path as it is typed.
func commandName(path string) string { return strings.TrimSpace("tmp " + path) }

// checkArgs holds the words of the line against the node's arguments.
func (n *node) checkArgs(path string, in *input) error {
	// Without arguments of its own after "--", the dashes only end the flags.
	if !slices.ContainsFunc(n.Args, func(a mapArg) bool { return a.AfterDash }) {
		in.Args, in.Rest = append(in.Args, in.Rest...), nil
	}
	most, need := 0, 0
	for i := range n.Args {
		a := &n.Args[i]
		switch {
		case a.AfterDash:
			continue
		case a.Repeatable:
			most = len(in.Args)
		case most < len(in.Args) || need < len(in.Args):
			most++
		}
		if a.Required {
			need++
			if len(in.Args) < need {
				return usagef("%s needs <%s>", commandName(path), a.Name).hint("%s", n.usage(commandName(path)))
			}
		}
		if i < len(in.Args) && len(a.Spec.closed()) > 0 {
			if err := oneOf(a.Spec.Enum, in.Args[i]); err != nil {
				return usagef("<%s>: %s", a.Name, err)
			}
		}
	}
	if len(in.Args) > most {
		return usagef("unexpected argument %q", in.Args[most]).hint("%s", n.usage(commandName(path)))
	}
	return nil
}

func oneOf(words []enumWord, s string) error {
	names := make([]string, len(words))
	for i, w := range words {
		if names[i] = w.Value; w.Value == s {
			return nil
		}
	}
	return fmt.Errorf("%q is not one of %s", s, strings.Join(names, ", "))
}

// flags binds the flags of a node to variables.
type flags struct {
	set     *pflag.FlagSet
	node    *node
	bound   map[string]bool
	unknown []string // bound but not in the map
}

// find marks the flag as bound and returns it; nil if the map lacks it.
func (f *flags) find(id string) *mapFlag {
	f.bound[id] = true
	for i := range f.node.Flags {
		if f.node.Flags[i].id() == id {
			return &f.node.Flags[i]
		}
	}
	f.unknown = append(f.unknown, id)
	return nil
}

func (f *flags) add(id string, v pflag.Value) {
	m := f.find(id)
	if m == nil {
		return
	}
	flag := f.set.VarPF(v, m.long(), m.short(), m.Description)
	if v.Type() == "bool" {
		flag.NoOptDefVal = "true"
	}
	flag.Hidden = m.Hidden
}

// Bool binds a flag without a value.
func (f *flags) Bool(id string, p *bool) { f.add(id, (*boolValue)(p)) }

// String binds a flag with a value; one with an enum takes only its words.
func (f *flags) String(id string, p *string) {
	var words []enumWord
	if m := f.find(id); m != nil {
		words = m.Spec.closed()
	}
	f.add(id, &stringValue{p, words})
}

// Strings binds a flag that may be given several times.
func (f *flags) Strings(id string, p *[]string) { f.add(id, (*listValue)(p)) }

// Int binds a flag whose value is a whole number; *p keeps its value when the
// flag is not given.
func (f *flags) Int(id string, p *int) { f.add(id, (*intValue)(p)) }

// Duration binds a flag whose value is a time such as "90s"; it must not be negative.
func (f *flags) Duration(id string, p *time.Duration) { f.add(id, (*durationValue)(p)) }

type boolValue bool

func (v *boolValue) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("%q is not true or false", s)
	}
	*v = boolValue(b)
	return nil
}
func (v *boolValue) String() string   { return strconv.FormatBool(bool(*v)) }
func (v *boolValue) Type() string     { return "bool" }
func (v *boolValue) IsBoolFlag() bool { return true }

type stringValue struct {
	p     *string
	words []enumWord
}

func (v *stringValue) Set(s string) error {
	if len(v.words) > 0 {
		if err := oneOf(v.words, s); err != nil {
			return err
		}
	}
	*v.p = s
	return nil
}
func (v *stringValue) String() string { return "" }
func (v *stringValue) Type() string   { return "string" }

type listValue []string

func (v *listValue) Set(s string) error { *v = append(*v, s); return nil }
func (v *listValue) String() string     { return "" }
func (v *listValue) Type() string       { return "strings" }

type intValue int

func (v *intValue) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // beyond the range Atoi gives its end
		return fmt.Errorf("%q is not a whole number", s)
	}
	*v = intValue(n)
	return nil
}
func (v *intValue) String() string { return strconv.Itoa(int(*v)) }
func (v *intValue) Type() string   { return "int" }

type durationValue time.Duration

func (v *durationValue) Set(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is not a time such as 90s or 5m", s)
	}
	*v = durationValue(d)
	return nil
}
func (v *durationValue) String() string { return time.Duration(*v).String() }
func (v *durationValue) Type() string   { return "duration" }
