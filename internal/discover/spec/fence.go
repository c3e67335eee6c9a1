package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// fence keeps an import from hiding what a line does from the judge, where
// people have described the tool. An option that takes a value swallows the next
// word, a command or another name of one changes which rules hold: such is taken
// over only as far as every word stays in sight.
func fence(s *opmap.Source, core *tcpdb.View) {
	gapf := func(node, format string, args ...any) {
		s.Gaps = append(s.Gaps, gapAt(node, fmt.Sprintf(format, args...)))
	}
	if len(s.Node.Aliases) > 0 {
		gapf(s.Tool, "other names of the tool (%s) are not taken over", strings.Join(s.Node.Aliases, ", "))
		s.Node.Aliases = nil
	}
	if core == nil {
		return
	}
	root := core.Root(s.Tool)
	if root == nil {
		return
	}
	f := &fencer{core: core, gapf: gapf}
	f.node(root, s.Node, s.Tool, nil)
}

type fencer struct {
	core *tcpdb.View
	gapf func(node, format string, args ...any)
}

// node fences the import of one command that people described; above are the
// commands that it stands below, whose options it takes too.
func (f *fencer) node(have *tcpdb.Node, n *opmap.Node, path string, above []*tcpdb.Node) {
	chain := append(above[:len(above):len(above)], have)
	var flags []*opmap.Flag
	for _, flag := range n.Flags {
		if f.flag(chain, flag, path) {
			flags = append(flags, flag)
		}
	}
	n.Flags = flags
	if !have.HasSubs() && have.Bits&tcpdb.Partial == 0 && len(n.Subcommands) > 0 {
		f.gapf(path, "its commands are not taken over: it is known to have arguments there")
		n.Subcommands = nil
	}
	for _, sub := range n.Subcommands {
		sub.Aliases = slices.DeleteFunc(sub.Aliases, func(a string) bool {
			known := have.Sub(a)
			if known == nil || known.Name == sub.Name {
				return false
			}
			f.gapf(path, "%q is the name of another command than %q", a, sub.Name)
			return true
		})
		if known := f.core.Open(have.Sub(sub.Name)); known != nil {
			f.node(known, sub, path+" "+sub.Name, chain)
			continue
		}
		f.below(sub, path+" "+sub.Name, chain)
	}
}

// below fences a command that only the import knows.
func (f *fencer) below(n *opmap.Node, path string, chain []*tcpdb.Node) {
	n.Flags = slices.DeleteFunc(n.Flags, func(flag *opmap.Flag) bool { return !f.flag(chain, flag, path) })
	for _, sub := range n.Subcommands {
		f.below(sub, path+" "+sub.Name, chain)
	}
}

// flag fences an option and reports whether anything is left of it. One that
// people described keeps how they read it; another may take a value only where
// that is attached with "=".
func (f *fencer) flag(chain []*tcpdb.Node, flag *opmap.Flag, path string) bool {
	if flag.Value == "" || flag.Value == "none" {
		return true
	}
	for _, n := range chain {
		if slices.ContainsFunc(flag.Names, func(name string) bool { return n.Flag(name) != nil }) {
			return true // their reading stands
		}
	}
	var long []string
	for _, name := range flag.Names {
		if strings.HasPrefix(name, "--") {
			long = append(long, name)
		}
	}
	if len(long) == 0 {
		f.gapf(path, "%s takes a value that would hide the next word from the judge: it is left out", flag.Names[0])
		return false
	}
	if flag.Value == "required" || len(long) < len(flag.Names) {
		f.gapf(path, "%s is not known to take a value: it is offered with = only", long[0])
	}
	if id := flag.ID; id != "" && id == opmap.FlagID(flag.Names) {
		flag.ID = ""
	}
	flag.Names, flag.Value = long, "optional"
	return true
}
