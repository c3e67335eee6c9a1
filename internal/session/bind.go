package session

import (
	_ "embed" // the table of files
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// An approval is for what would run, and the words of a plan say only half of
// that: "./deploy.sh" is whatever the file holds when it starts. A plan that
// needs an approval therefore holds the files that it runs or reads by name, and
// their content; who changes one of them changes the digest.

// bind puts the files of a plan into it, if somebody would have to approve it.
func (s *Session) bind(p *invoke.Plan, j Judgement) {
	if gate.Decide(s.gate(p, j)).Decision != gate.Ask {
		return
	}
	p.Files = s.files(p)
	for _, step := range p.Steps {
		if step.Plan != nil {
			step.Plan.Files = s.files(step.Plan)
		}
	}
}

// files are the program of a plan, the files that its words name, those that the
// program looks for by itself, and the sources of the operation.
func (s *Session) files(p *invoke.Plan) []invoke.File {
	if len(p.Steps) > 0 {
		return nil // each step has its own
	}
	var paths []string
	add := func(path string) {
		if path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	if path, _, err := invoke.Look(p.Argv[0], p.Dir, p.Env); err == nil {
		add(path)
	}
	for _, word := range p.Argv[1:] {
		add(named(word, p.Dir))
		if _, value, ok := strings.Cut(word, "="); ok {
			add(named(value, p.Dir))
		}
	}
	for _, name := range implied(filepath.Base(p.Argv[0])) {
		add(intent.Upwards(p.Dir, name))
	}
	if p.Operation != nil {
		for _, src := range s.sources(p.Operation.ID) {
			add(s.source(src))
		}
	}
	out := make([]invoke.File, len(paths))
	for i, path := range paths {
		out[i] = invoke.File{Path: path, State: state(path)}
	}
	return out
}

// named is the regular file that a word names, or "".
func named(word, dir string) string {
	if word == "" || len(word) > 4096 {
		return ""
	}
	if !filepath.IsAbs(word) {
		word = filepath.Join(dir, word)
	}
	if st, err := os.Stat(word); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	return word
}

//go:embed implied.tsv
var impliedFiles string

// implied are the files that a program takes its orders from without being told.
func implied(program string) []string {
	for row := range strings.Lines(impliedFiles) {
		if files, ok := strings.CutPrefix(row, program+"\t"); ok {
			return strings.Fields(files)
		}
	}
	return nil
}

// state is what stands for the content of a file: its hash, of a large one what
// changes with it.
func state(path string) string {
	if sum, err := opmap.HashFile(path); err == nil {
		return "sha256:" + sum
	}
	st, err := os.Stat(path)
	if err != nil {
		return "none"
	}
	return fmt.Sprintf("file:%d-%d", st.Size(), st.ModTime().UnixNano())
}

// swapped names the first file that is not what the plan holds, "" if all are.
func swapped(files []invoke.File) string {
	for _, f := range files {
		if state(f.Path) != f.State {
			return f.Path
		}
	}
	return ""
}

// unchanged is the last look before a plan that was approved begins.
func (e *execution) unchanged() error {
	plans := []*invoke.Plan{e.Plan}
	for _, step := range e.Plan.Steps {
		if step.Plan != nil {
			plans = append(plans, step.Plan)
		}
	}
	for _, p := range plans {
		if path := swapped(p.Files); path != "" {
			return Refuse(Changed, "%s has changed since %s was approved", path, *e.result.Invocation).
				Hint("run it again: it needs a new approval")
		}
	}
	return nil
}
