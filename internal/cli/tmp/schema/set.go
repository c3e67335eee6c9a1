// Package schema holds the commands about source maps: tmp schema import, list,
// show, diff, share, remove, check and print.
package schema

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// foundMap is a source map of one layer.
type foundMap struct {
	source   *opmap.Source
	layer    string // "core", "packs", "system", "user", "project"; "file"
	file     string // "" in the core
	date     time.Time
	standing string // "shipped", "evidence", "claimed", "draft"; "untrusted" in a project that is not trusted
	ops      []operationRow
}

// mapFinder finds the source maps of this machine.
type mapFinder struct {
	env      *term.Env
	paths    place.Paths
	problems []error // maps that are left out
}

func newMaps(env *term.Env) *mapFinder { return &mapFinder{env: env, paths: env.Places()} }

// layers in rising order.
func layerNames() []string { return []string{"core", "packs", "system", "user", "project"} }

// of returns the maps of a layer, those of some tools or with none of all,
// sorted by tool.
func (m *mapFinder) of(layer string, tools []string) []foundMap {
	var out []foundMap
	switch layer {
	case "core":
		out = m.core(tools)
	case "packs":
		out = m.packs(tools)
	case "system":
		out = m.drafts(tools)
	case "user":
		out = m.user(tools)
	case "project":
		out = m.project(tools)
	}
	slices.SortStableFunc(out, func(a, b foundMap) int { return strings.Compare(a.source.Tool, b.source.Tool) })
	return out
}

func wanted(tools []string, tool string) bool { return len(tools) == 0 || slices.Contains(tools, tool) }

func (m *mapFinder) core(tools []string) []foundMap {
	var out []foundMap
	if len(tools) > 0 {
		for _, tool := range tools {
			data, err := opmap.CoreSource(tool)
			if err != nil {
				continue
			}
			if s, _ := opmap.Parse(tool, data, opmap.ParseOptions{}); s != nil {
				out = append(out, foundMap{source: s, layer: "core", standing: tcpdb.Shipped.String(), ops: operationsOf(s, nil)})
			}
		}
		return out
	}
	l, _ := opmap.Core(opmap.ParseOptions{})
	for _, s := range l.Sources {
		out = append(out, foundMap{source: s, layer: "core", standing: tcpdb.Shipped.String(), ops: operationsOf(s, nil)})
	}
	return out
}

func (m *mapFinder) packs(tools []string) []foundMap {
	packs, problems := opmap.InstalledPacks(m.paths)
	m.faults(problems)
	var out []foundMap
	for _, p := range packs {
		standing := p.Standing()
		for _, s := range p.Sources {
			if wanted(tools, s.Tool) {
				out = append(out, foundMap{source: s, layer: "packs", file: s.File, date: changed(s.File), standing: standing.String(), ops: operationsOf(s, nil)})
			}
		}
	}
	return out
}

func (m *mapFinder) drafts(tools []string) []foundMap {
	dir := drafts.Dir(m.paths.Drafts())
	if dir == "" {
		return nil
	}
	if len(tools) == 0 {
		tools = dir.Tools()
	}
	store := machine.Evidence(m.paths, m.env.Getenv, "")
	var out []foundMap
	for _, tool := range tools {
		if strings.ContainsRune(tool, '/') {
			continue
		}
		s, err := dir.Read(tool)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			m.problems = append(m.problems, err)
		default:
			out = append(out, foundMap{source: s, layer: "system", file: dir.File(tool), date: changed(dir.File(tool)), standing: standingOf(s, store), ops: operationsOf(s, store)})
		}
	}
	return out
}

// changed is when a file was written last.
func changed(file string) time.Time {
	st, err := os.Stat(file)
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}

func (m *mapFinder) user(tools []string) []foundMap {
	u, problems, err := opmap.ReadUser(m.paths, opmap.ParseOptions{})
	if err != nil {
		m.problems = append(m.problems, err)
		return nil
	}
	m.faults(problems)
	store := machine.Evidence(m.paths, m.env.Getenv, "")
	return m.written("user", u.Sources, tools, store, "")
}

func (m *mapFinder) project(tools []string) []foundMap {
	if m.env.Dir == "" {
		return nil
	}
	dir, err := mapset.FindProject(m.paths, m.env.Dir)
	if err != nil || dir == "" {
		return nil
	}
	p, problems, err := opmap.ReadProject(dir, opmap.ParseOptions{})
	if err != nil {
		m.problems = append(m.problems, err)
		return nil
	}
	m.faults(problems)
	for _, s := range p.Sources {
		s.File = filepath.Join(dir, s.File)
	}
	out := m.written("project", p.Sources, tools, machine.Evidence(m.paths, m.env.Getenv, dir), "")
	if !p.Trusted(m.paths) {
		for i := range out {
			out[i].standing = "untrusted"
			for j := range out[i].ops {
				out[i].ops[j].Verified, out[i].ops[j].Standing = false, "untrusted"
			}
		}
	}
	return out
}

// faults keeps what is wrong with sources; those that cannot be used are left
// out by whoever compiles them.
func (m *mapFinder) faults(problems opmap.Problems) {
	for _, p := range problems {
		if p.Severity == opmap.Error {
			m.problems = append(m.problems, p)
		}
	}
}

// written are maps that a person wrote. Those without operations can prove
// nothing and are taken at their word as far as they complete.
func (m *mapFinder) written(layer string, sources []*opmap.Source, tools []string, store *opmap.EvidenceStore, _ string) []foundMap {
	var out []foundMap
	for _, s := range sources {
		if s.Tool == "" || !wanted(tools, s.Tool) {
			continue
		}
		out = append(out, foundMap{source: s, layer: layer, file: s.File, date: changed(s.File), standing: standingOf(s, store), ops: operationsOf(s, store)})
	}
	return out
}

// standingOf is the least that is known of a map's operations here; of one without
// operations what is known of its tree.
func standingOf(s *opmap.Source, store *opmap.EvidenceStore) string {
	least := tcpdb.Draft
	if s.Verified {
		least = tcpdb.Claimed
	}
	if len(s.Operations) == 0 && len(store.Missing(s, nil)) == 0 {
		least = tcpdb.Evidence
	}
	for i, op := range s.Operations {
		if st := store.Standing(s, op); i == 0 || st < least {
			least = st
		}
	}
	return least.String()
}

// operationsOf is how each operation of a map stands here; a nil store is that of
// the maps that ship.
func operationsOf(s *opmap.Source, store *opmap.EvidenceStore) []operationRow {
	out := []operationRow{}
	for _, op := range s.Operations {
		st := tcpdb.Shipped
		if store != nil {
			st = store.Standing(s, op)
		}
		out = append(out, operationRow{op.ID, st == tcpdb.Shipped || st == tcpdb.Evidence, st.String()})
	}
	return out
}

// verified reports whether this machine has found a map to be right.
func (f *foundMap) verified() bool {
	return f.standing == tcpdb.Shipped.String() || f.standing == tcpdb.Evidence.String()
}

// pick finds the map that a word names: TOOL is that of the highest layer that
// has one, LAYER:TOOL that of a layer, and everything with a slash or an ending
// of a spec a file.
func (m *mapFinder) pick(word string) (*foundMap, error) {
	layers := layerNames()
	tool := word
	if layer, rest, ok := strings.Cut(word, ":"); ok && slices.Contains(layers, layer) {
		layers, tool = []string{layer}, rest
	} else if isFile(word) {
		return m.file(word)
	}
	for _, layer := range slices.Backward(layers) {
		if found := m.of(layer, []string{tool}); len(found) > 0 {
			return &found[0], nil
		}
	}
	if len(m.problems) > 0 {
		return nil, m.problems[0]
	}
	where := "no layer has a map"
	if len(layers) == 1 {
		where = "the " + layers[0] + " layer has no map"
	}
	return nil, term.Failf("%s of %q", where, tool).Hint("tmp schema list shows what there is, tmp generate %s drafts one", tool)
}

// isFile reports whether a word is meant as a file's name, not as a tool's.
func isFile(word string) bool {
	if word == "-" || strings.ContainsRune(word, '/') {
		return true
	}
	switch filepath.Ext(word) {
	case ".json", ".yaml", ".yml", ".kdl", ".js", ".mjs", ".cjs", ".ts", ".mts":
		return true
	}
	return false
}

// file reads a map, or a spec as an import would.
func (m *mapFinder) file(name string) (*foundMap, error) {
	data, err := readSpec(m.env, name)
	if err != nil {
		return nil, err
	}
	format, err := spec.Detect(name, data)
	if err != nil {
		return nil, err
	}
	f := &foundMap{layer: "file", file: name, standing: tcpdb.Draft.String()}
	if format == spec.Map {
		s, problems := opmap.Parse(name, data, opmap.ParseOptions{})
		if err := problems.Err(); err != nil {
			return nil, err
		}
		if s.Tool == "" {
			return nil, term.Failf("%s: is no whole source map", name)
		}
		f.source = s
		return f, nil
	}
	f.source, err = spec.Read(m.env.Context, name, data, spec.Options{Format: format, Now: m.env.Now(), KnownResolver: all.Table().Known, Core: m.judging(), Evaluator: figEvaluator(m.env)})
	return f, err
}

// judging is the map by which lines are judged, without what was found out
// about the programs of this machine.
func (m *mapFinder) judging() *tcpdb.View {
	v := tcpdb.NewView(tcpdb.Core())
	mapset.AddPacks(v, m.paths)
	if im, err := tcpdb.Map(m.paths.UserMap()); err == nil {
		v.Add(tcpdb.UserLayer, im)
	}
	return v
}

// readSpec reads a file of bounded size, "-" for standard input.
func readSpec(e *term.Env, name string) ([]byte, error) {
	in := e.Stdin
	if name != "-" {
		path, err := e.Path(name)
		if err != nil {
			return nil, err
		}
		st, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !st.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: is no regular file", name)
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, spec.MaxSize+1))
	if err == nil && len(data) > spec.MaxSize {
		err = fmt.Errorf("%s: is larger than %d MiB", name, spec.MaxSize>>20)
	}
	return data, err
}
