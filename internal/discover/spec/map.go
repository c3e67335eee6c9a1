package spec

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// readMap reads a source map of our own. What it claims for itself does not
// come with it: evidence is of the machine that found it, and neither a wrapper
// nor whom to ask is taken from a stranger, since both decide what is run.
func readMap(file string, data []byte, o Options) (*opmap.Source, error) {
	s, problems := opmap.Parse(file, data, opmap.ParseOptions{})
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if s.Node == nil && len(s.Operations) == 0 || s.Tool == "" {
		return nil, &opmap.Problem{File: file, Line: 1, Field: "tool", Reason: "is missing: only a whole source map can be imported", Severity: opmap.Error}
	}
	if s.Shared != nil && s.Shared.Digest != s.Digest() {
		return nil, &opmap.Problem{File: file, Field: "shared.digest", Reason: "is not that of the map: it was changed or cut off after it was shared", Severity: opmap.Error}
	}
	if o.Name != "" && o.Name != s.Tool {
		if s.Node != nil {
			s.Node.Name = o.Name
		}
		s.Tool = o.Name
	}
	if s.Node == nil {
		s.Node = &opmap.Node{Name: s.Tool, Interspersed: true}
	}
	s.Origin = origin(s)
	s.Provenance, s.Shared = "import", nil
	gapf := func(node, format string, args ...any) {
		s.Gaps = append(s.Gaps, gapAt(node, fmt.Sprintf(format, args...)))
	}
	notef := func(format string, args ...any) {
		gapf(s.Tool, format, args...)
		s.Gaps[len(s.Gaps)-1].Note = true
	}
	if n := len(s.Evidence); n > 0 {
		notef("its evidence is of another machine: %d pieces", n)
	}
	s.Evidence = nil
	if len(s.Operations) > 0 {
		notef("%d operations are kept and do not run: a draft never does", len(s.Operations))
	}
	for _, op := range s.Operations {
		if len(op.Evidence) > 0 {
			notef("the evidence of %s is of another machine", op.ID)
		}
		op.Verified, op.Evidence = false, nil
	}
	tame(s.Node, s.Tool, gapf)
	for _, p := range problems {
		if p.Unknown {
			notef("line %d: %s is not a known field: it is kept as it is", p.Line, p.Field)
		}
	}
	return s, nil
}

// origin is where an imported map says it comes from.
func origin(s *opmap.Source) *opmap.Origin {
	o := &opmap.Origin{Format: string(Map), Provenance: s.Provenance}
	if s.Origin != nil {
		o.Licence = s.Origin.Licence
		o.Provenance = strings.TrimSpace(strings.Join([]string{s.Origin.Format, s.Origin.From}, " "))
	}
	return o
}

// tame takes from a tree what decides how lines are run or replaces what others say.
func tame(n *opmap.Node, path string, gapf func(string, string, ...any)) {
	if n.Wrapper != nil {
		gapf(path, "that it carries another command is not taken over")
		n.Wrapper = nil
	}
	if n.Exec != "" {
		gapf(path, "that it is asked for what the map does not hold is not taken over")
		n.Exec = ""
	}
	if n.Replace {
		gapf(path, "it does not replace what is known here")
		n.Replace = false
	}
	for _, s := range n.Subcommands {
		tame(s, path+" "+s.Name, gapf)
	}
}
