package opmap

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Program says in a risk file what kind of program a command is and what its
// options and arguments do, for tools without a map of their own. Its fields are
// those of a node in a source map.
type Program struct {
	Key     string   `toml:"key"`     // canonical path, "less"
	Keys    []string `toml:"keys"`    // in place of key: commands that share all that follows
	Class   []string `toml:"class"`   // see tcpdb.ValidClass
	Output  string   `toml:"output"`  // see tcpdb.Outputs
	Options []string `toml:"options"` // as of a command, with roles: "-o FILE @output-file"
	// Like names a tool of the map that reads its words as these do: the commands have
	// its options and arguments.
	Like string `toml:"like"`
	// Interspersed: options may follow the first argument, as they may where nothing
	// is said. Behind the script of an interpreter they are the script's.
	Interspersed *bool `toml:"interspersed"`
	// Arguments in order, NAME or NAME... for this one and all that follow, with
	// their roles: "source...", "target @output-file", "file... @output-file if in-place".
	Arguments []string `toml:"arguments"`
}

func (x *Program) keys() []string {
	if x.Key != "" {
		return append([]string{x.Key}, x.Keys...)
	}
	return x.Keys
}

func (c *riskChecker) program(i int, x *Program) {
	line := c.lines.program(i)
	field := fmt.Sprintf("program[%d]", i)
	if len(x.keys()) == 0 {
		c.errorf(line, field+".keys", "names no command")
	}
	if x.Like != "" && badWord(x.Like) != "" {
		c.errorf(line, field+".like", "%q is no name of a tool", x.Like)
	}
	for _, class := range x.Class {
		if !tcpdb.ValidClass(class) {
			c.errorf(line, field+".class", "%q is no class", class)
		}
	}
	if x.Output != "" && !tcpdb.ValidOutput(x.Output) {
		c.errorf(line, field+".output", "%q: want one of %s", x.Output, strings.Join(tcpdb.Outputs(), ", "))
	}
	for _, o := range x.Options {
		if _, err := parseOption(o); err != nil {
			c.errorf(line, field+".options", "%v", err)
		}
	}
	for _, a := range x.Arguments {
		if _, err := parseArgument(a); err != nil {
			c.errorf(line, field+".arguments", "%v", err)
		}
	}
}

// parseArgument reads the short form of an argument: "target @output-file",
// "source...".
func parseArgument(text string) (tcpdb.Arg, error) {
	name, role, with, err := cutRole(text)
	if err != nil {
		return tcpdb.Arg{}, fmt.Errorf("argument %q: %w", text, err)
	}
	name, many := strings.CutSuffix(name, "...")
	if reason := badWord(name); reason != "" || name == "" {
		return tcpdb.Arg{}, fmt.Errorf("argument %q: want NAME or NAME..., and @ROLE behind it", text)
	}
	return tcpdb.Arg{Name: name, Repeatable: many, Role: tcpdb.Role(role), RoleWith: with}, nil
}

// cutRole cuts the role off the short form of an option or argument, with the IDs of
// the flags that it holds with: "file... @output-file if in-place".
func cutRole(text string) (form, role string, with []string, err error) {
	form, role, has := strings.Cut(text, " @")
	role, ids, limited := strings.Cut(role, " if ")
	if with = strings.Fields(ids); has && !tcpdb.Role(role).Valid() || limited && len(with) == 0 {
		return "", "", nil, fmt.Errorf("%q is no role", role)
	}
	return form, role, with, nil
}

// mergeProgram gives the nodes of a program's keys their class, and the options
// and arguments that no map describes.
func mergeProgram(byTool map[string]*tcpdb.Node, x *Program) {
	for _, key := range x.keys() {
		words := strings.Fields(key)
		if len(words) == 0 {
			continue
		}
		if byTool[words[0]] == nil {
			byTool[words[0]] = newProgram(words[0])
		}
		if root := byTool[words[0]]; len(words) > 1 && root.Bits&tcpdb.Partial != 0 && len(root.Subs) == 0 && len(root.Args) == 0 {
			root.Args = newProgram(words[0]).Args // its other words are what they were
		}
		if model := byTool[x.Like]; model != nil {
			mergeLike(byTool[words[0]], model)
		}
		mergeOptions(byTool, &RiskCommand{Key: key, Options: x.Options}, nil)
		n := byTool[words[0]]
		for _, w := range words[1:] {
			n = n.Sub(w)
		}
		for _, class := range x.Class {
			if !n.HasClass(class) {
				n.Class = append(n.Class, class)
			}
		}
		if n.Output == "" {
			n.Output = x.Output
		}
		if x.Interspersed != nil && !*x.Interspersed {
			n.Bits &^= tcpdb.Interspersed
		}
		mergeArguments(n, x.Arguments)
	}
}

// mergeLike gives a node the options and arguments of another, if nobody has mapped
// it. It stays one that serves judgement and not completion.
func mergeLike(n, model *tcpdb.Node) {
	if n.Bits&tcpdb.Partial == 0 {
		return
	}
	n.Bits = n.Bits&^tcpdb.Interspersed | model.Bits
	n.Args = model.Args
	for _, f := range model.Flags {
		var known *tcpdb.Flag
		for _, name := range f.Names {
			if known == nil {
				known = n.Flag(name)
			}
		}
		if known == nil {
			n.Flags = append(n.Flags, f)
			continue
		}
		known.Value, known.Role, known.RoleWith = f.Value, f.Role, f.RoleWith
	}
}

// newProgram is the node of a program of which nothing else is known. Its words
// are arguments and say nothing of what it does: "info rm" reads.
func newProgram(name string) *tcpdb.Node {
	return &tcpdb.Node{
		Path: name, Name: name, Bits: tcpdb.Interspersed | tcpdb.Partial | tcpdb.DraftNode,
		Args: []tcpdb.Arg{{Name: "argument", Repeatable: true}},
	}
}

// mergeArguments gives a node arguments if nobody has said more of them than
// that there are some, else their roles.
func mergeArguments(n *tcpdb.Node, texts []string) {
	var args []tcpdb.Arg
	for _, text := range texts {
		if a, err := parseArgument(text); err == nil { // else reported by ParseRisks
			args = append(args, a)
		}
	}
	if len(args) == 0 {
		return
	}
	if n.Bits&tcpdb.Partial != 0 {
		n.Args = args
		return
	}
	for i := range n.Args {
		for _, a := range args {
			if n.Args[i].Name == a.Name && n.Args[i].Role == "" {
				n.Args[i].Role, n.Args[i].RoleWith = a.Role, a.RoleWith
			}
		}
	}
}
