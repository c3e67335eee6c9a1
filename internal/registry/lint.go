package registry

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
)

// Lint holds a pack to what is asked of one that is published. The problems that are
// Errors refuse it.
func Lint(files archive.Files) (*opmap.Pack, opmap.Problems, error) {
	p, problems, err := parse(files)
	if err != nil {
		return p, problems, err
	}
	add := func(severity opmap.Severity, file string, line int, field, format string, args ...any) {
		problems = append(problems, &opmap.Problem{File: file, Line: line, Field: field, Reason: fmt.Sprintf(format, args...), Severity: severity})
	}
	for _, name := range [...]string{"LICENSE", "README.md"} {
		if len(files[name]) == 0 {
			add(opmap.Warning, name, 0, "", "is missing: others do not know what the pack is, or whether they may use it")
		}
	}
	if len(p.Sources) == 0 && len(p.Risks) == 0 {
		add(opmap.Error, opmap.PackFile, 0, "tools", "the pack has neither a map nor ratings")
	}
	for _, s := range p.Sources {
		for i, op := range s.Operations {
			at := func(name string) string { return fmt.Sprintf("operations[%d].%s", i, name) }
			if name := toolid.Reserved(op.ID); name != "" {
				add(opmap.Error, s.File, op.Line(), at("id"), "%q is reserved in the public taxonomy: %s cannot be published", name, op.ID)
			}
			if len(op.Evidence) == 0 && len(s.Evidence) == 0 {
				add(opmap.Error, s.File, op.Line(), at("evidence"), "%s has no evidence: say why it is to be trusted", op.ID)
			}
		}
	}
	for _, tool := range unasked(p) {
		add(opmap.Warning, opmap.PackFile, 0, "tools", "the core maps %s whole: of a pack its operations count alone", tool)
	}
	problems = append(problems, opmap.LintPack(p)...)
	problems = append(problems, samples(files, p)...)
	if err := compatible(p); err != nil {
		var f *fault.Fault
		if errors.As(err, &f) {
			add(opmap.Error, f.File, f.Line, "", "%s", strings.TrimSpace(f.Reason))
		}
	}
	for _, x := range problems {
		if x.Severity == opmap.Error {
			return p, problems, asFault(fault.Lint, x)
		}
	}
	return p, problems, nil
}
