package verify

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/evidence"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
	"github.com/tool-mapping-protocol/tmp/internal/when"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// trials tries an operation in a form that changes nothing, and on samples;
// texts are those of its tool, nil for a script.
func (v *verifier) trials(ctx context.Context, t *target, op *opmap.Operation, texts *evidence.Texts) []evidence.Result {
	samples, err := v.samplesOf(t)
	if err != nil {
		return []evidence.Result{{Check: evidence.KindSample, Status: evidence.Failed, Why: err.Error()}}
	}
	run, why := v.tryer(ctx, t, op)
	var out []evidence.Result
	if op.Surface == "cli" || op.Surface == "script" {
		if run == nil {
			out = append(out, evidence.Result{Check: evidence.KindDry, Status: evidence.Skipped, Why: why})
		} else {
			trial := &evidence.Trial{
				Run: run, Texts: texts, Values: samples.Values(op.ID), Dir: v.placeOf(t, op),
				Command: func(words []string) []*tcpdb.Node { return v.chain(t.source, words) },
			}
			out = append(out, trial.DryRun(ctx, t.source, op))
		}
	}
	if len(samples.Of(op.ID)) > 0 || slices.Contains(t.source.Required(op), evidence.KindSample) {
		out = append(out, evidence.SampleTest(ctx, t.source, op, samples, run, why))
	}
	return out
}

// samplesOf reads the samples of a map, once.
func (v *verifier) samplesOf(t *target) (*evidence.Samples, error) {
	if t.file == "" {
		return nil, nil
	}
	if !t.sampled {
		t.samples, t.sampleErr = evidence.ReadSamples(t.file)
		t.sampled = true
		for _, id := range t.samples.Unknown(t.source) {
			v.Env.Notice("%s: the map has no operation %q", t.samples.File, id)
		}
	}
	return t.samples, t.sampleErr
}

// tryer runs the program of an operation in a jail; nil and the reason where it
// is not to be run.
func (v *verifier) tryer(ctx context.Context, t *target, op *opmap.Operation) (run evidence.Tryer, why string) {
	if !t.trusted {
		return nil, "the project is not trusted: tmp trust"
	}
	name := t.source.ProgramOf(op)
	p, err := v.tool(ctx, name).program, v.tool(ctx, name).err
	if strings.Contains(name, "/") {
		file := name
		if !filepath.IsAbs(file) {
			file = filepath.Join(t.dir, file)
		}
		p, err = machine.At(file)
	}
	if err != nil {
		return nil, err.Error()
	}
	return func(ctx context.Context, trial machine.Trial) (sandbox.Result, error) {
		return v.machine.Try(ctx, p, trial)
	}, ""
}

// placeOf is where an operation is tried: where it applies, if that is here; for
// a script its project; else an empty home.
func (v *verifier) placeOf(t *target, op *opmap.Operation) string {
	switch {
	case op.Surface == "script" && t.dir != "":
		return t.dir
	case op.When == nil || len(op.When.Files) == 0 || v.Env.Dir == "" || !(&when.Place{Dir: v.Env.Dir, Getenv: v.Env.Getenv, Values: all.Table().Resolve}).Applies(t.source.Compiled(op)):
		return ""
	}
	return v.Env.Dir
}

// chain are the nodes that the words of a template lead through, in the map
// itself or else in those of this machine. An option of a node that is on the
// way holds below it.
func (v *verifier) chain(s *opmap.Source, words []string) []*tcpdb.Node {
	if len(words) == 0 {
		return nil
	}
	var n *tcpdb.Node
	if s.Node != nil && s.Tool == words[0] {
		n = opmap.DraftTree(s)
	} else {
		if v.view == nil {
			v.view = mapset.OpenView(v.Paths, "")
		}
		n = v.view.Root(words[0])
	}
	var out []*tcpdb.Node
	for i := 1; n != nil; i++ {
		out = append(out, n)
		if i == len(words) {
			break
		}
		if n = n.Sub(words[i]); v.view != nil {
			n = v.view.Open(n)
		}
	}
	return out
}
