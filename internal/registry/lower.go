package registry

import (
	"context"
	"fmt"
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Lower tells what the new version of a pack rates lower than the installed one does:
// operations and commands.
func (s *Step) Lower() []string {
	if s.WasPack == nil {
		return nil
	}
	old, now := levels(s.WasPack), levels(s.Pack)
	var out []string
	for what, was := range old {
		if is, there := now[what]; there && is < was {
			out = append(out, fmt.Sprintf("%s is %s and was %s", what, is, was))
		} else if !there {
			out = append(out, fmt.Sprintf("%s was %s and is not rated any more", what, was))
		}
	}
	slices.Sort(out)
	return out
}

func levels(p *opmap.Pack) map[string]tcpdb.Level {
	out := map[string]tcpdb.Level{}
	for _, s := range p.Sources {
		for _, op := range s.Operations {
			out[op.ID] = LevelOf(op)
		}
	}
	for _, r := range p.Risks {
		for _, c := range r.Commands {
			level, _ := tcpdb.ParseLevel(c.Level)
			for _, v := range c.Variants {
				if l, err := tcpdb.ParseLevel(v.Level); err == nil {
					level = max(level, l)
				}
			}
			out["the command "+c.Key] = level
		}
	}
	return out
}

// Fresh asks every registry again; one whose log is too old is refused.
func (h *Home) Fresh(ctx context.Context) error {
	sources, err := h.SourcesOfInstalled(ctx)
	if err != nil {
		return err
	}
	for _, s := range sources {
		if err := h.Client().Stale(s.Log); err != nil {
			return err
		}
	}
	return nil
}
