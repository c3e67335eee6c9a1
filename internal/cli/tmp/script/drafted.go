package script

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Drafted is a source map that a command writes: in a file of its own, in the
// project's schemas or the user's.
type Drafted struct {
	User, JSON bool
	Name       string // of the file, without its ending
	again      bool   // one that is there was made by the same command: what people edited in it stays
	notes      []string
}

// draftsJSON is the answer of a command that drafts operations.
type draftsJSON struct {
	V          int                 `json:"v"`
	File       string              `json:"file"`
	State      string              `json:"state"` // "written", "unchanged"
	Operations []session.Operation `json:"operations"`
	Notes      []string            `json:"notes"`
	Next       []string            `json:"next"`
}

// Write puts the source in its place and tells of it.
func (d *Drafted) Write(env *term.Env, w *session.Session, s *opmap.Source) error {
	answer, err := d.put(w, s)
	if err != nil {
		return err
	}
	if d.JSON {
		return env.PrintJSON(answer)
	}
	d.tell(env, answer)
	return nil
}

func (d *Drafted) put(w *session.Session, s *opmap.Source) (*draftsJSON, error) {
	dir, next := w.Paths.Schemas(), []string{"tmp trust --review --user"}
	if !d.User {
		if w.Project == "" {
			return nil, term.Failf("there is no .tmp here or above: this is no project of tmp's yet").Hint("tmp init makes one; tmp script add and tmp workflow add take --user for your own maps instead")
		}
		dir, next = filepath.Join(w.Project, ".tmp", "schemas"), []string{"tmp trust --review"}
	}
	if dir == "" {
		return nil, term.Failf("there is no place for your own maps").Hint("set HOME or TMP_CONFIG_DIR")
	}
	file := filepath.Join(dir, d.Name+".json")
	if old, err := os.ReadFile(file); err == nil {
		if !d.again {
			return nil, term.Failf("%s is there already", file)
		}
		was, problems := opmap.Parse(file, old, opmap.KnownResolvers())
		if problems.Err() != nil {
			return nil, term.Failf("%s has faults, and is left as it is: %s", file, problems.Err())
		}
		keepEdits(s, was)
	}
	data := s.Encode()
	parsed, problems := opmap.Parse(file, data, opmap.KnownResolvers())
	if problems.Err() != nil {
		return nil, term.Failf("%s", problems.Err())
	}
	if !d.User {
		if err := noLinks(w.Project, dir); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	changed, err := opmap.Install(file, data)
	if err != nil {
		return nil, term.Busy(err)
	}
	answer := &draftsJSON{V: 1, File: file, State: layers.Unchanged, Operations: []session.Operation{}, Notes: append([]string{}, d.notes...), Next: next}
	if changed {
		answer.State = layers.Written
	}
	layer, details := tcpdb.ProjectLayer, map[string][]workflow.Source{}
	if d.User {
		layer = tcpdb.UserLayer
	}
	for _, op := range parsed.Operations {
		details[op.ID] = op.Sources
	}
	for _, op := range opmap.Compiled(parsed, layer) {
		shown := w.Describe(&op)
		shown.Sources, shown.Stale = details[op.ID], ""
		answer.Operations = append(answer.Operations, shown)
	}
	return answer, nil
}

// noLinks refuses a .tmp or schemas that lead elsewhere: a repository must not
// choose where we write.
func noLinks(project, dir string) error {
	for _, d := range []string{filepath.Join(project, ".tmp"), dir} {
		if st, err := os.Lstat(d); err == nil && st.Mode()&os.ModeSymlink != 0 {
			return term.Failf("%s is a symbolic link: nothing is written through it", d)
		}
	}
	return nil
}

func (d *Drafted) tell(env *term.Env, a *draftsJSON) {
	fmt.Fprintln(env.Stdout, a.File)
	st := env.StyleOf(1)
	for i := range a.Operations {
		op := &a.Operations[i]
		level, _ := tcpdb.ParseLevel(op.Risk)
		fmt.Fprintf(env.Stdout, "  %s  %s, %s  %s\n", st.Bold(op.ID), st.Level(level), op.Effect, term.OneLine(op.Template))
		for _, in := range op.Intent {
			fmt.Fprintf(env.Stdout, "      %q\n", in)
		}
	}
	for _, n := range a.Notes {
		env.Notice("%s", n)
	}
	if len(a.Operations) == 0 {
		return
	}
	ids := []string{}
	for i := range a.Operations {
		ids = append(ids, a.Operations[i].ID)
	}
	what := screen.Count(len(ids), "operation")
	if len(ids) <= 3 {
		what = strings.Join(ids, ", ")
	}
	env.Notice("drafted %s; nothing of it runs until a person has reviewed it: %s", what, strings.Join(a.Next, ", then "))
}

// asks reports whether every slot of an intent is a parameter of the operation.
func asks(op *opmap.Operation, intent string) bool {
	for word := range strings.FieldsSeq(intent) {
		if phrase.IsSlot(word) && op.Param(word[1:len(word)-1]) == nil {
			return false
		}
	}
	return true
}

// keepEdits takes over what people have written into an earlier draft: words,
// limits and approval of each operation. What follows from the text that it was
// made from is new, but neither risk nor effect becomes less.
func keepEdits(s, was *opmap.Source) {
	old := map[string]*opmap.Operation{}
	for _, op := range was.Operations {
		old[op.ID] = op
	}
	for _, op := range s.Operations {
		o := old[op.ID]
		if o == nil {
			continue
		}
		if kept := slices.DeleteFunc(slices.Clone(o.Intents), func(in string) bool { return !asks(op, in) }); len(kept) > 0 {
			op.Intents = kept
		}
		op.Description, op.OutputPolicy = cmp.Or(o.Description, op.Description), o.OutputPolicy
		op.Env, op.EnvGiven, op.Timeout, op.Idempotent = o.Env, o.EnvGiven, o.Timeout, o.Idempotent
		op.Outputs, op.Inputs = o.Outputs, o.Inputs
		if o.Approval != "" {
			op.Approval = o.Approval
		}
		if o.Level() > op.Level() {
			op.Risk = o.Risk
		}
		for kind := range strings.SplitSeq(o.Effect, "+") {
			if kind = strings.TrimSpace(kind); kind != "read-only" && !strings.Contains(op.Effect, kind) {
				op.Effect = strings.TrimPrefix(op.Effect+" + "+kind, "read-only + ")
			}
		}
	}
}
