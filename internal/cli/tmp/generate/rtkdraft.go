package generate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/runs"
	"github.com/tool-mapping-protocol/tmp/internal/printed"
	"github.com/tool-mapping-protocol/tmp/internal/rtk"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

const (
	maxSample  = 4 << 20 // bytes of an output that a draft is made of
	maxSamples = 20      // runs that are looked at without --sample
)

type rtkDraftOptions struct {
	samples, runs       []string
	dryRun, force, json bool
}

// NewRTKDraft is tmp rtk draft.
func NewRTKDraft(env *term.Env, f *command.Flags) command.Run {
	var o rtkDraftOptions
	f.Strings("sample", &o.samples)
	f.Strings("run", &o.runs)
	f.Bool("dry-run", &o.dryRun)
	f.Bool("force", &o.force)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

// NewRTK is tmp rtk draft under the name that seed 000 gives it.
// Without an operation it drafts the map of the program rtk.
func NewRTK(env *term.Env, f *command.Flags) command.Run {
	draft := NewRTKDraft(env, f)
	return func(in command.Input) error {
		if len(in.Args) == 0 {
			return (&options{}).run(env, []string{"rtk"})
		}
		return draft(in)
	}
}

// rtkDrafted is the JSON of tmp rtk draft.
type rtkDrafted struct {
	V           int               `json:"v"`
	OperationID string            `json:"operation_id"`
	Path        rtk.Path          `json:"path"` // "draft", "native", "rtk", "raw"
	Reason      string            `json:"reason,omitempty"`
	Filter      string            `json:"filter,omitempty"`
	TOML        string            `json:"toml,omitempty"`
	File        string            `json:"file,omitempty"`
	Written     bool              `json:"written"`
	Policy      map[string]string `json:"output_policy,omitempty"` // for the operation's record
	Samples     []rtkSample       `json:"samples"`
	Notes       []string          `json:"notes"`
}

type rtkSample struct {
	Name         string `json:"name"`
	ExitStatus   *int   `json:"exit_status"`
	Lines        int    `json:"lines"`
	SignalLines  int    `json:"signal_lines"`
	LinesLeft    int    `json:"lines_left"`
	Tokens       int    `json:"tokens"`
	FilterTokens int    `json:"filter_tokens"`
	NativeTokens int    `json:"native_tokens"`
}

func (o *rtkDraftOptions) run(env *term.Env, args []string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	op, ok := w.View.Operation(args[0])
	switch {
	case !ok:
		return term.Failf("there is no operation %s", term.OneLine(args[0])).Hint("tmp list shows the operations that are mapped here")
	case len(op.Template) == 0:
		return term.Failf("%s runs no command: there is no output of a program to filter", op.ID)
	}
	samples, err := o.gather(env, w, &op)
	if err != nil {
		return err
	}
	d := rtk.NewDraft(rtkOperation(w.View, &op), samples)
	file := filepath.Join(cmp.Or(w.Project, env.Dir), rtk.FilterFile)
	result := rtkDrafted{V: 1, OperationID: op.ID, Path: d.Path, Reason: d.Reason, Samples: []rtkSample{}, Notes: d.Notes}
	for _, m := range d.Samples {
		row := rtkSample{m.Name, nil, m.Lines, m.Signals, m.Left, m.Tokens, m.FilterTokens, m.Native}
		if m.Ended {
			row.ExitStatus = &m.Status
		}
		result.Samples = append(result.Samples, row)
	}
	switch d.Path {
	case rtk.PathDraft:
		result.Filter, result.TOML, result.File = d.Filter.Name, d.Text, file
		if !o.dryRun {
			if err := o.write(file, d); err != nil {
				return err
			}
			result.Written = true
		}
	case rtk.PathNative:
		result.Policy = map[string]string{"mode": d.Policy, "raw_retention": cmp.Or(op.Retention, "local_file")}
	}
	if o.json {
		err = env.PrintJSON(result)
	} else {
		o.print(env, &op, d, &result)
	}
	if err == nil && (d.Path == rtk.PathRTK || d.Path == rtk.PathRaw) {
		return term.ExitStatus(1)
	}
	return err
}

// gather reads the outputs that the draft is made of: the files and runs that
// are named, else the newest runs of the operation.
func (o *rtkDraftOptions) gather(env *term.Env, w *session.Session, op *tcpdb.Operation) ([]rtk.Sample, error) {
	var out []rtk.Sample
	for _, s := range o.samples {
		sample, err := readSample(env, s)
		if err != nil {
			return nil, err
		}
		out = append(out, sample)
	}
	_, places, err := w.Runs()
	if err != nil && len(o.runs) > 0 {
		return nil, err
	}
	for _, id := range o.runs {
		k, err := runlog.Find(id, places...)
		if err != nil {
			return nil, term.Failf("%s", err)
		}
		sample, err := runSample(k)
		if err != nil {
			return nil, term.Failf("%s", err)
		}
		out = append(out, sample)
	}
	if len(o.samples)+len(o.runs) > 0 {
		return out, nil
	}
	kept, err := runlog.List(places...)
	if err != nil {
		env.Notice("%s", err)
	}
	for _, k := range kept {
		r := runs.RowOf(k)
		if r.OperationID == nil || *r.OperationID != op.ID || r.ExitStatus == nil || len(out) == maxSamples {
			continue
		}
		if s, err := runSample(k); err != nil {
			env.Notice("%s is not looked at: %s", k.ID, err)
		} else {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, term.Failf("no run of %s is kept here, and a draft is made of outputs", op.ID).
			Hint("run it (tmp run), or give outputs: --sample FILE:STATUS, one that worked and one that failed")
	}
	return out, nil
}

// readSample reads FILE or FILE:STATUS.
func readSample(env *term.Env, word string) (s rtk.Sample, err error) {
	s.Name = word
	if i := strings.LastIndexByte(word, ':'); i > 0 {
		if n, err := strconv.Atoi(word[i+1:]); err == nil {
			if n < 0 || n > 255 {
				return s, term.Usagef("--sample %s: a status is 0 to 255", word)
			}
			s.Name, s.Status, s.Ended = word[:i], n, true
		}
	}
	path, err := env.Path(s.Name)
	if err != nil {
		return s, err
	}
	f, err := os.Open(path)
	if err != nil {
		return s, term.Failf("%s", err)
	}
	defer f.Close()
	s.Output, err = readAll(f, s.Name)
	return s, err
}

func runSample(k runlog.Kept) (s rtk.Sample, err error) {
	var e session.Envelope
	if k.Summary == nil || json.Unmarshal(k.Summary, &e) != nil {
		return s, errors.New("run " + k.ID + " has no summary")
	}
	s = rtk.Sample{Name: k.ID, Status: e.ExitStatus, Ended: true}
	raw, err := k.OpenRaw()
	if err != nil {
		return s, err
	}
	defer raw.Close()
	s.Output, err = readAll(raw, "its output")
	return s, err
}

func readAll(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSample+1))
	if err == nil && len(data) > maxSample {
		return nil, term.Failf("%s is larger than %s: give a shorter one", name, screen.Size(maxSample))
	}
	if err == nil && len(data) == 0 {
		return nil, term.Failf("%s is empty", name)
	}
	return data, err
}

// write adds the draft to the file of the project.
func (o *rtkDraftOptions) write(file string, d *rtk.Draft) error {
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return term.Failf("%s", err)
	}
	merged, err := rtk.Merge(file, old, d, o.force)
	if errors.Is(err, rtk.ErrExists) {
		return term.Failf("%s", err).Hint("--force replaces it with the new draft; --dry-run only shows that")
	}
	if err != nil {
		return term.Failf("%s", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return term.Failf("%s", err)
	}
	if err := tcpdb.WriteFile(file, merged); err != nil {
		return term.Locked(err)
	}
	return nil
}

func (o *rtkDraftOptions) print(env *term.Env, op *tcpdb.Operation, d *rtk.Draft, r *rtkDrafted) {
	for _, m := range d.Samples {
		env.Notice("%s: %s, %d of them must stay; %d tokens, with a filter %d, with the policy %s %d",
			m.Name, screen.Count(m.Lines, "line"), m.Signals, m.Tokens, m.FilterTokens, d.Policy, m.Native)
	}
	switch d.Path {
	case rtk.PathDraft:
		_, _ = io.WriteString(env.Stdout, d.Text)
		if r.Written {
			env.Notice("filters.%s is in %s, as a draft: read it, run tmp rtk verify, then rtk trust", r.Filter, r.File)
		}
		for _, n := range d.Notes {
			env.Notice("%s", n)
		}
	case rtk.PathNative:
		env.Notice("no filter: %s", d.Reason)
		if d.Policy == op.OutputMode {
			env.Notice("%s has the policy %s already: there is nothing to do", op.ID, d.Policy)
			return
		}
		env.Notice("a draft of an output policy of tmp for the record of %s:", op.ID)
		data, err := json.MarshalIndent(map[string]any{"output_policy": r.Policy}, "", "  ")
		if err == nil {
			fmt.Fprintf(env.Stdout, "%s\n", data)
		}
	case rtk.PathRTK:
		env.Notice("no filter: %s", d.Reason)
	default:
		env.Notice("no filter: %s", d.Reason)
		env.Notice("no policy of tmp shortens it either: show it as it is (raw)")
	}
}

// rtkOperation is what a filter is drafted for. Parameters are no words of which
// one could tell what is printed.
func rtkOperation(v *tcpdb.View, op *tcpdb.Operation) rtk.Operation {
	words := slices.DeleteFunc(slices.Clone(op.Template), func(w string) bool { return strings.Contains(w, "<") })
	return rtk.Operation{ID: op.ID, Template: op.Template, Policy: op.OutputMode, Command: printed.Of(v, words).Command}
}
