package registry

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/shape"
)

// sample is an output of a tool, and what of it is kept where it is shaped.
type sample struct {
	Tool   string   `toml:"tool"`
	Args   []string `toml:"args"`
	Status int      `toml:"status"`
	Stdin  string   `toml:"stdin"`
	// File is the output: the name of a file beside the sample, or its text.
	File string   `toml:"file"`
	Keep []string `toml:"keep"`
}

// samples holds the samples of a pack: each is of a tool that the pack maps, and its
// output keeps what is asked, shaped as tmp run shapes it.
func samples(files archive.Files, p *opmap.Pack) opmap.Problems {
	var problems opmap.Problems
	for _, name := range files.Names() {
		if path.Dir(name) != "samples" || path.Ext(name) != ".toml" {
			continue
		}
		list, problem := readSamples(name, files[name])
		if problem != nil {
			problems = append(problems, problem)
			continue
		}
		for i, x := range list {
			if why := x.check(files, p); why != "" {
				problems = append(problems, &opmap.Problem{File: name, Line: tableLine(files[name], i), Field: fmt.Sprintf("sample[%d]", i), Reason: why, Severity: opmap.Error})
			}
		}
	}
	return problems
}

// readSamples reads a file of samples: [[sample]] tables, or one sample alone.
func readSamples(name string, data []byte) ([]sample, *opmap.Problem) {
	var in struct {
		sample
		Sample []sample `toml:"sample"`
	}
	fault := func(line int, reason string) *opmap.Problem {
		return &opmap.Problem{File: name, Line: line, Reason: reason, Severity: opmap.Error}
	}
	meta, err := toml.Decode(string(data), &in)
	if err != nil {
		if at := (toml.ParseError{}); errors.As(err, &at) {
			return nil, fault(at.Position.Line, at.Message)
		}
		return nil, fault(0, strings.TrimPrefix(err.Error(), "toml: "))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fault(0, fmt.Sprintf("there is no field %q", unknown[0]))
	}
	if in.Tool != "" {
		in.Sample = append(in.Sample, in.sample)
	}
	return in.Sample, nil
}

// tableLine is where the i-th [[sample]] begins, 0 if it is none.
func tableLine(data []byte, i int) int {
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if strings.HasPrefix(strings.TrimSpace(line), "[[sample]]") {
			if i == 0 {
				return n
			}
			i--
		}
	}
	return 0
}

func (x *sample) check(files archive.Files, p *opmap.Pack) string {
	if !slices.ContainsFunc(p.Tools, func(t opmap.PackTool) bool { return t.Tool == x.Tool }) {
		return fmt.Sprintf("is of %q, which the pack does not map", x.Tool)
	}
	output := x.File
	switch data, ok := files[path.Join("samples", x.File)]; {
	case ok && x.File != "":
		output = string(data)
	case !strings.Contains(x.File, "\n"):
		return fmt.Sprintf("its output %q is no file of samples", x.File)
	}
	sum, err := shape.Shape(shape.Options{
		Command: shape.Command{Argv: append([]string{x.Tool}, x.Args...), Output: form(p, x)}, Status: x.Status, Ended: true,
	}, strings.NewReader(output))
	if err != nil {
		return "its output cannot be shaped: " + err.Error()
	}
	for _, want := range x.Keep {
		if !strings.Contains(sum.Text, want) {
			return fmt.Sprintf("its output, shaped, does not keep %q", want)
		}
	}
	return ""
}

// form is the form of what a command prints, as the pack's own map has it.
func form(p *opmap.Pack, x *sample) string {
	for _, s := range p.Sources {
		if s.Tool != x.Tool || s.Node == nil {
			continue
		}
		n := s.Node
		for _, w := range x.Args {
			i := slices.IndexFunc(n.Subcommands, func(sub *opmap.Node) bool { return sub.Name == w })
			if i < 0 {
				break
			}
			n = n.Subcommands[i]
		}
		return n.Output
	}
	return ""
}
