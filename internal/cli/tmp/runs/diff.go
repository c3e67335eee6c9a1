package runs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/textdiff"
)

// diffable is how much of an output is compared line by line, in bytes.
const diffable = 16 << 20

type diffOptions struct{ json bool }

// NewDiff is tmp runs diff.
func NewDiff(env *term.Env, f *command.Flags) command.Run {
	var o diffOptions
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

// diff is the JSON of tmp runs diff.
type diff struct {
	V      int              `json:"v"`
	Runs   [2]string        `json:"runs"`
	Same   bool             `json:"same"` // the outputs and all that is compared of the envelopes
	Fields []fieldDiff      `json:"fields"`
	Output outputComparison `json:"output"`
}

type fieldDiff struct {
	Name string `json:"name"`
	Old  any    `json:"old"`
	New  any    `json:"new"`
}

type outputComparison struct {
	Same     bool     `json:"same"`
	Compared bool     `json:"compared"` // line by line; not where one is larger than 16 MiB
	Bytes    [2]int64 `json:"bytes"`
	Removed  int      `json:"lines_removed"`
	Added    int      `json:"lines_added"`
	Diff     string   `json:"diff"`
}

// run exits with 0 if nothing differs, with 1 if something does.
func (o *diffOptions) run(env *term.Env, args []string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	var kept [2]runlog.Kept
	for i := range kept {
		if kept[i], err = w.Kept(args[i]); err != nil {
			return err
		}
	}
	d := diff{V: 1, Runs: [2]string{kept[0].ID, kept[1].ID}, Fields: diffEnvelopes(kept)}
	if d.Output, err = diffOutputs(kept); err != nil {
		return err
	}
	d.Same = d.Output.Same && len(d.Fields) == 0
	if o.json {
		err = env.PrintJSON(d)
	} else {
		err = d.print(env)
	}
	if err == nil && !d.Same {
		return term.ExitStatus(1)
	}
	return err
}

// diffEnvelopes compares what says what ran and how it ended. Left out are the
// run's name, its time and its place on disk, which differ always, and the
// output, which is compared as a text.
func diffEnvelopes(kept [2]runlog.Kept) []fieldDiff {
	var fields [2]map[string]any
	for i, k := range kept {
		fields[i] = map[string]any{"state": RowOf(k).State}
		var e map[string]any
		if k.Summary != nil && json.Unmarshal(k.Summary, &e) == nil {
			flatten(fields[i], "", e)
		}
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(fields[0])), maps.Keys(fields[1]))
	slices.Sort(names)
	out := []fieldDiff{}
	for _, n := range slices.Compact(names) {
		a, b := fields[0][n], fields[1][n]
		if plainValue(a) != plainValue(b) {
			out = append(out, fieldDiff{n, a, b})
		}
	}
	return out
}

// flatten puts the members of objects beside each other, "summary.failed_tests".
func flatten(out map[string]any, prefix string, object map[string]any) {
	for name, v := range object {
		name = prefix + name
		switch name {
		case "v", "run_id", "elapsed_ms", "raw_output", "output":
			continue
		}
		if inner, ok := v.(map[string]any); ok {
			flatten(out, name+".", inner)
			continue
		}
		out[name] = v
	}
}

func diffOutputs(kept [2]runlog.Kept) (outputComparison, error) {
	c := outputComparison{Bytes: [2]int64{kept[0].Bytes, kept[1].Bytes}}
	var texts [2]string
	if c.Bytes[0] <= diffable && c.Bytes[1] <= diffable {
		for i, k := range kept {
			f, err := k.OpenRaw()
			if err != nil {
				return c, err
			}
			data, err := io.ReadAll(io.LimitReader(f, diffable))
			f.Close()
			if err != nil {
				return c, err
			}
			texts[i] = string(data)
		}
		c.Compared, c.Same = true, texts[0] == texts[1]
		c.Diff = textdiff.Unified(texts[0], texts[1])
		c.Removed, c.Added = textdiff.Count(texts[0], texts[1])
		return c, nil
	}
	if c.Bytes[0] != c.Bytes[1] {
		return c, nil
	}
	same, err := sameBytes(kept)
	c.Same = same
	return c, err
}

func sameBytes(kept [2]runlog.Kept) (bool, error) {
	a, err := kept[0].OpenRaw()
	if err != nil {
		return false, err
	}
	defer a.Close()
	b, err := kept[1].OpenRaw()
	if err != nil {
		return false, err
	}
	defer b.Close()
	x, y := make([]byte, 1<<16), make([]byte, 1<<16)
	for {
		n, errA := io.ReadFull(a, x)
		m, errB := io.ReadFull(b, y)
		if n != m || !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		if errA != nil || errB != nil {
			return errA == errB || errA != nil && errB != nil, nil
		}
	}
}

func (d *diff) print(env *term.Env) error {
	st, w := env.StyleOf(1), env.Stdout
	for _, f := range d.Fields {
		fmt.Fprintf(w, "%s: %s → %s\n", st.Bold(term.OneLine(f.Name)), term.OneLine(plainValue(f.Old)), term.OneLine(plainValue(f.New)))
	}
	switch {
	case d.Same:
		env.Notice("nothing differs")
	case d.Output.Same:
		env.Notice("the outputs are the same")
	case !d.Output.Compared:
		env.Notice("the outputs differ (%s, %s); over %s they are not compared line by line", screen.Size(d.Output.Bytes[0]), screen.Size(d.Output.Bytes[1]), screen.Size(diffable))
	default:
		fmt.Fprintf(w, "--- %s/raw.log\n+++ %s/raw.log\n%s", d.Runs[0], d.Runs[1], d.Output.Diff)
	}
	return nil
}
