package tmp

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/project"
	cmdrun "github.com/tool-mapping-protocol/tmp/internal/cli/tmp/run"
)

// newProgram makes the command tree: every node of the map that has a row in
// the table, or sub-commands that do.
func newProgram(env *term.Env, root *command.Node) *cobra.Command {
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
	env  *term.Env
	root *command.Node
	rows []entry
	made []*command.Flags // for the test that every flag is bound
}

func (p *program) row(path string) *entry {
	for i := range p.rows {
		if p.rows[i].path == path {
			return &p.rows[i]
		}
	}
	return nil
}

// command makes the command of a node, without its sub-commands and what it does.
func (p *program) command(n *command.Node, path string) *cobra.Command {
	cmd := &cobra.Command{
		Use: n.Name, Aliases: n.Aliases, Short: n.Description, Hidden: n.Hidden,
		SilenceErrors: true, SilenceUsage: true,
		DisableFlagsInUseLine: true, DisableAutoGenTag: true,
		SuggestionsMinimumDistance: 2,
	}
	cmd.SetHelpFunc(func(*cobra.Command, []string) { p.help(path) })
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return p.misused(path, term.Usagef("%s", err).Hint("%s --help shows the flags", command.Name(path)))
	})
	return cmd
}

// help prints the help of a command. A program that was made for one command
// alone reads the whole map for it.
func (p *program) help(path string) {
	root := p.root
	if root == nil {
		root, _ = command.Load() // the map is that of the program: a test reads it
	}
	if root != nil {
		writeHelp(p.env, root, path)
	}
}

// build makes the command of a node, or nil if nothing implements it.
func (p *program) build(n *command.Node, path string) *cobra.Command {
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
func (p *program) bind(cmd *cobra.Command, n *command.Node, path string, row *entry) {
	f := command.NewFlags(cmd.Flags(), n)
	run := row.make(p.env, f)
	p.made = append(p.made, f)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in := command.Input{Args: args}
		if dash := cmd.ArgsLenAtDash(); dash >= 0 {
			in = command.Input{Args: args[:dash], Rest: args[dash:], Dashed: true}
		}
		if err := n.CheckArgs(path, &in); err != nil {
			return p.misused(path, err)
		}
		return run(in)
	}
}

// misused is the error of a line that the command at path cannot be called with.
func (p *program) misused(path string, err error) error {
	if path == "resolve" {
		cmdrun.ForgetResolved(p.env)
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
			if path == "" {
				if !project.Alone(p.env) {
					p.help(path)
				}
				return nil
			}
			p.help(path)
			return term.ExitStatus(2)
		}
		return unknownCommand(cmd, path, args[0])
	}
}

func unknownCommand(cmd *cobra.Command, path, word string) error {
	f := term.Usagef("unknown command %q", strings.TrimSpace(command.Name(path)[len("tmp"):]+" "+word))
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		for i := range near {
			near[i] = command.Name(path) + " " + near[i]
		}
		return f.Hint("did you mean %s?", strings.Join(near, " or "))
	}
	return f.Hint("%s --help lists the commands", command.Name(path))
}
