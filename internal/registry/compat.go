package registry

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

var coreView = sync.OnceValue(func() *tcpdb.View { return tcpdb.NewView(tcpdb.Core()) })

// compatible refuses a pack whose operations have the ID or an intent of one that is
// part of the programs: it would stand in its place, or leave what was clear ambiguous.
func compatible(p *opmap.Pack) error {
	core := coreView()
	for _, s := range p.Sources {
		for i, op := range s.Operations {
			if _, ok := core.Operation(op.ID); ok {
				return &fault.Fault{Code: fault.Conflict, File: s.File, Line: op.Line(), Reason: fmt.Sprintf("operations[%d].id: %s is an operation of the core", i, op.ID)}
			}
		}
		for _, op := range opmap.Compiled(s, tcpdb.PackLayer) {
			for _, intent := range op.Intents {
				if same := core.Intent(intent); len(same) > 0 {
					return fault.In(fault.Conflict, s.File, "%s: the intent %q is that of %s in the core", op.ID, intent, same[0])
				}
			}
		}
	}
	return nil
}

// together refuses packs that cannot be installed beside each other: two that map one
// tool, or have one operation.
func together(packs []*opmap.Pack) error {
	tools, ops := map[string]string{}, map[string]string{}
	for _, p := range packs {
		for _, s := range p.Sources {
			if s.Node != nil {
				if other, twice := tools[s.Tool]; twice && other != p.Name {
					return fault.In(fault.Conflict, s.File, "%s and %s both map %s", other, p.Name, s.Tool).Hint("tmp registry remove %s makes room", other)
				}
				tools[s.Tool] = p.Name
			}
			for _, op := range s.Operations {
				if other, twice := ops[op.ID]; twice && other != p.Name {
					return &fault.Fault{Code: fault.Conflict, File: s.File, Line: op.Line(), Reason: fmt.Sprintf("%s and %s both have the operation %s", other, p.Name, op.ID), Hints: []string{"tmp registry remove " + other + " makes room"}}
				}
				ops[op.ID] = p.Name
			}
		}
	}
	return nil
}

// unasked are the tools of a pack that the core maps whole: what the pack says of
// their trees and risks is not asked.
func unasked(p *opmap.Pack) []string {
	var out []string
	for _, s := range p.Sources {
		if s.Node != nil && opmap.InCore(coreView(), s.Tool) && !slices.Contains(out, s.Tool) {
			out = append(out, s.Tool)
		}
	}
	for _, r := range p.Risks {
		for _, c := range r.Commands {
			tool, _, _ := strings.Cut(c.Key, " ")
			if opmap.InCore(coreView(), tool) && !slices.Contains(out, tool) {
				out = append(out, tool)
			}
		}
	}
	return out
}
