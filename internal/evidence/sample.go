package evidence

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Samples say what the operations of a map are to do: MAP.samples.toml beside
// MAP.json.
type Samples struct {
	File string
	List []*Sample
	hash string
}

// Sample is one of them. What is asked is an intent, or else parameters; what is
// expected is one thing at least.
type Sample struct {
	Operation string            `toml:"operation"`
	Intent    string            `toml:"intent"` // "run parser tests"
	With      map[string]string `toml:"with"`   // parameters: given, or with an intent expected
	// Values are what resolvers answer: {"cargo:tests" = ["parser::one"]}. One that
	// is not named here fails.
	Values map[string][]string `toml:"values"`
	Argv   []string            `toml:"argv"`    // expected words
	Refuse string              `toml:"refused"` // expected reason, "missing_parameter"

	// What the command is expected to do, run in a jail with Files in its working
	// directory, which it cannot write.
	Files    map[string]string `toml:"files"`
	Stdin    string            `toml:"stdin"`
	Status   *int              `toml:"status"` // 0 if anything else is expected of it
	Stdout   *string           `toml:"stdout"`
	Contains []string          `toml:"contains"` // in its output, errors too

	no int // from 1
}

// SamplesFile is where the samples of a map are.
func SamplesFile(file string) string { return strings.TrimSuffix(file, ".json") + ".samples.toml" }

// maxSamples bounds a file of samples, in bytes.
const maxSamples = 4 << 20

// ReadSamples reads the samples beside a map; nil if there are none.
func ReadSamples(file string) (*Samples, error) {
	file = SamplesFile(file)
	st, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular() || st.Size() > maxSamples:
		return nil, fmt.Errorf("%s: is not a regular file of at most %d MiB", file, maxSamples>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ParseSamples(file, data)
}

// ParseSamples reads a file of samples.
func ParseSamples(file string, data []byte) (*Samples, error) {
	var in struct {
		Sample []*Sample `toml:"sample"`
	}
	meta, err := toml.Decode(string(data), &in)
	if err != nil {
		if at := (toml.ParseError{}); errors.As(err, &at) {
			return nil, fmt.Errorf("%s:%d: %s", file, at.Position.Line, at.Message)
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: there is no field %q", file, unknown[0].String())
	}
	s := &Samples{File: file, List: in.Sample, hash: hashOf(string(data))}
	for i, x := range s.List {
		x.no = i + 1
		if why := x.fault(); why != "" {
			return nil, fmt.Errorf("%s: sample %d: %s", file, x.no, why)
		}
	}
	return s, nil
}

func (x *Sample) fault() string {
	switch {
	case x.Operation == "":
		return "names no operation"
	case x.Refuse != "" && x.Intent == "":
		return `"refused" is about an intent, and there is none`
	case x.Refuse != "" && (x.Argv != nil || x.runs()):
		return "what is refused runs nothing"
	case x.Refuse == "" && x.Intent == "" && x.Argv == nil && !x.runs():
		return `expects nothing: give it "argv", "stdout", "contains", "status", or an "intent"`
	}
	for name := range x.Files {
		if !filepath.IsLocal(name) {
			return fmt.Sprintf("%q is no name of a file below its directory", name)
		}
	}
	return ""
}

// runs reports whether something is expected of the running command.
func (x *Sample) runs() bool { return x.Status != nil || x.Stdout != nil || len(x.Contains) > 0 }

// Of are the samples of an operation.
func (s *Samples) Of(id string) []*Sample {
	if s == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.List), func(x *Sample) bool { return x.Operation != id })
}

// Values are the parameters that the samples of an operation give first.
func (s *Samples) Values(id string) map[string]string {
	for _, x := range s.Of(id) {
		if len(x.With) > 0 && x.Refuse == "" {
			return x.With
		}
	}
	return nil
}

// Unknown are the operations that samples are of and that are not in the map.
func (s *Samples) Unknown(m *opmap.Source) []string {
	var out []string
	if s == nil {
		return out
	}
	for _, x := range s.List {
		if !slices.ContainsFunc(m.Operations, func(op *opmap.Operation) bool { return op.ID == x.Operation }) && !slices.Contains(out, x.Operation) {
			out = append(out, x.Operation)
		}
	}
	return out
}

// SampleTest checks that each sample of an operation gives what it expects. run
// is nil where commands are not to be run: why says why.
func SampleTest(ctx context.Context, s *opmap.Source, op *opmap.Operation, samples *Samples, run Tryer, why string) Result {
	list := samples.Of(op.ID)
	if len(list) == 0 {
		return skipped(KindSample, "there are no samples of it")
	}
	compiled := s.Compiled(op)
	compiled.Standing = tcpdb.Shipped // a trial: it is asked what would be, were it verified
	r := Result{Check: KindSample, Status: Passed, Hash: hashOf(samples.hash, s.Hash(op))}
	for _, x := range list {
		if x.runs() && run == nil {
			return skipped(KindSample, fmt.Sprintf("sample %d is not run: %s", x.no, why))
		}
		fault, err := x.check(ctx, &compiled, run)
		if err != nil {
			return skipped(KindSample, fmt.Sprintf("sample %d: %v", x.no, err))
		}
		if fault != "" {
			r.Faults = append(r.Faults, fmt.Sprintf("%s: sample %d: %s", samples.File, x.no, fault))
		}
	}
	if len(r.Faults) > 0 {
		r.Status, r.Why = Failed, fmt.Sprintf("%d of %s do not give what they expect", len(r.Faults), plural(len(list), "sample", "samples"))
		return r
	}
	r.Why = plural(len(list), "sample gives what it expects", "samples give what they expect")
	return r
}

// check returns what is not as it is expected, "" if all is. The error says why
// the sample could not be tried.
func (x *Sample) check(ctx context.Context, op *tcpdb.Operation, run Tryer) (fault string, err error) {
	params := x.With
	if x.Intent != "" {
		res := intent.Resolve(ctx, x.request(op))
		switch {
		case x.Refuse != "" && res.Resolved():
			return fmt.Sprintf("%q is resolved, and is to be refused", x.Intent), nil
		case x.Refuse != "" && string(res.Reason) != x.Refuse:
			return fmt.Sprintf("%q is refused as %s, not as %s", x.Intent, res.Reason, x.Refuse), nil
		case x.Refuse != "":
			return "", nil
		case !res.Resolved():
			return fmt.Sprintf("%q is refused: %s", x.Intent, res.Message), nil
		case x.With != nil && !maps.Equal(res.Parameters, x.With):
			return fmt.Sprintf("%q gives the parameters %s, not %s", x.Intent, shown(res.Parameters), shown(x.With)), nil
		}
		params = res.Parameters
	}
	argv, err := invoke.Expand(op, params)
	if err != nil {
		return err.Error(), nil
	}
	if x.Argv != nil && !slices.Equal(argv, x.Argv) {
		return fmt.Sprintf("gives %s, not %s", invoke.Display(argv), invoke.Display(x.Argv)), nil
	}
	if !x.runs() {
		return "", nil
	}
	return x.try(ctx, argv, run)
}

func (x *Sample) request(op *tcpdb.Operation) intent.Request {
	return intent.Request{
		Text: x.Intent, Operations: []tcpdb.Operation{*op}, Dir: "/",
		Getenv: func(string) string { return "" },
		Exists: func(string) bool { return true },
		Values: func(_ context.Context, r resolvers.Request) resolvers.Answer {
			list, ok := x.Values[r.Name]
			if !ok {
				return resolvers.Answer{State: resolvers.Failed, Message: "the sample gives no values for " + r.Name}
			}
			a := resolvers.Answer{State: resolvers.Fresh}
			for _, v := range list {
				a.Values = append(a.Values, resolvers.Value{Value: v})
			}
			return a
		},
	}
}

// try runs a command in a jail and compares what it does.
func (x *Sample) try(ctx context.Context, argv []string, run Tryer) (fault string, err error) {
	dir, err := os.MkdirTemp("", "tmp-sample-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for name, text := range x.Files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	r, err := run(ctx, machine.Trial{Args: argv[1:], Dir: dir, Stdin: []byte(x.Stdin)})
	if err != nil {
		return "", err
	}
	want := 0
	if x.Status != nil {
		want = *x.Status
	}
	all := string(r.Stdout) + string(r.Stderr)
	a := attempt{argv: argv, result: r}
	switch {
	case r.TimedOut || r.Cut:
		return a.failed().Why, nil
	case r.Status != want:
		return fmt.Sprintf("%s ends with status %d, not %d: %s", invoke.Display(argv), r.Status, want, a.lastLine()), nil
	case x.Stdout != nil && string(r.Stdout) != *x.Stdout:
		return fmt.Sprintf("%s prints %q, not %q", invoke.Display(argv), clip(string(r.Stdout)), clip(*x.Stdout)), nil
	}
	for _, part := range x.Contains {
		if !strings.Contains(all, part) {
			return fmt.Sprintf("%s does not print %q but %q", invoke.Display(argv), clip(part), clip(all)), nil
		}
	}
	return "", nil
}

func shown(params map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		out = append(out, fmt.Sprintf("%s=%q", name, params[name]))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, " ")
}
