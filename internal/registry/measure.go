package registry

import (
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// parse reads the files of a pack as one. The error names the first fault by file and
// line; problems hold all of them.
func parse(files archive.Files) (*opmap.Pack, opmap.Problems, error) {
	p, problems := opmap.ReadPack(files.FS(), ".", opmap.KnownResolvers())
	for _, x := range problems {
		if x.Severity == opmap.Error {
			return p, problems, asFault(fault.BadPack, x)
		}
	}
	if err := statement.CheckName(p.Name); err != nil {
		return p, problems, err
	}
	return p, problems, statement.CheckVersion(p.Version)
}

func asFault(code fault.Code, x *opmap.Problem) *fault.Fault {
	reason := x.Reason
	if x.Field != "" {
		reason = x.Field + ": " + reason
	}
	return &fault.Fault{Code: code, File: x.File, Line: x.Line, Reason: reason}
}

// measure is the maximum over the operations and the rules of a pack: the highest
// level, and the capabilities of all.
func measure(p *opmap.Pack) (tcpdb.Level, []string) {
	level := tcpdb.Unknown
	var flags tcpdb.Flags
	add := func(l string, names []string) {
		if parsed, err := tcpdb.ParseLevel(l); err == nil {
			level = max(level, parsed)
		}
		for _, n := range names {
			if f, err := tcpdb.ParseFlag(n); err == nil {
				flags |= f
			}
		}
	}
	for _, s := range p.Sources {
		for _, op := range s.Operations {
			add(op.Risk, nil)
			level = max(level, gate.EffectLevel(op.Effect))
		}
		wrapped(s.Node, add)
	}
	for _, r := range p.Risks {
		for _, c := range r.Commands {
			add(c.Level, c.Flags)
			for _, v := range c.Variants {
				add(v.Level, v.Flags)
			}
		}
	}
	names := flags.Names()
	slices.Sort(names)
	return level, names
}

// wrapped adds what commands of a tree add to those that they carry.
func wrapped(n *opmap.Node, add func(level string, flags []string)) {
	if n == nil {
		return
	}
	if n.Wrapper != nil {
		add("", n.Wrapper.Adds)
	}
	for _, s := range n.Subcommands {
		wrapped(s, add)
	}
}
