// Package systemmap puts into the system map what was found out about the
// programs of this machine: the trees of drafts, fitted to what the core says,
// and a descriptor for every program that the core has none of.
package systemmap

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/tool-mapping-protocol/tmp/internal/discover/assess"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Options say where drafts and programs are.
type Options struct {
	Paths   place.Paths
	Machine *machine.Machine
	// Programs are those of PATH.
	Programs []machine.Program
	// Skip are tools that the system map has already.
	Skip []string
	// Drafted: only programs that have a draft are rated.
	Drafted bool
	// Progress is told how many programs are done; nil tells nobody.
	Progress func(done int)
}

// Report counts what was put in.
type Report struct {
	Programs int            `json:"programs"`
	Core     int            `json:"core"`   // described by people
	Rated    map[string]int `json:"rated"`  // the others, by where their description was read
	Levels   map[string]int `json:"levels"` // of the others
	Drafts   int            `json:"drafts"` // trees
	Problems []error        `json:"-"`      // drafts that were left out
}

// Add puts trees and descriptors into a system map.
func Add(ctx context.Context, b *tcpdb.Builder, o Options) (*Report, error) {
	core := tcpdb.NewView(tcpdb.Core())
	mapset.AddPacks(core, o.Paths)
	r := &Report{Programs: len(o.Programs), Rated: map[string]int{}, Levels: map[string]int{}}
	sources := readDrafts(drafts.Dir(o.Paths.Drafts()), r)
	byName := make(map[string]*read, len(sources))
	for _, s := range sources {
		byName[s.source.Tool] = s
		if slices.Contains(o.Skip, s.source.Tool) {
			continue
		}
		if fit(core, s) {
			b.Tool(s.tree)
			r.Drafts++
		}
	}
	kept := readRatings(ratingsFile(o.Paths))
	rate(ctx, o, core, byName, kept, r, b)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	kept.write()
	return r, nil
}

// read is a draft on its way into the map.
type read struct {
	source *opmap.Source
	tree   *tcpdb.Node
	words  []string // all that its texts have of options; nil if that is not known
	from   string   // where its description was read
	// imported says that a part of it came from somewhere else. Then own is what
	// the installed tool says of itself, nil if nothing is known.
	imported bool
	own      *opmap.Source
}

// readDrafts reads and compiles every draft, one for each processor at a time.
func readDrafts(dir drafts.Dir, r *Report) []*read {
	if dir == "" {
		return nil
	}
	tools := dir.Tools()
	out := make([]*read, len(tools))
	errs := make([]error, len(tools))
	eachOf(len(tools), func(i int) {
		s, err := dir.Read(tools[i])
		if err != nil || s.Node == nil {
			errs[i] = err
			return
		}
		out[i] = &read{source: s, tree: opmap.DraftTree(s), from: s.Provenance}
		base := dir.Base(tools[i])
		if base == nil {
			return
		}
		if len(base.Import) > 0 {
			out[i].imported = true
			out[i].own = dir.Generated(base)
		}
		if base.Described != "" {
			out[i].from = base.Described
		}
		if base.From["man"]+base.From["help"] > 0 {
			out[i].words = base.Words
		}
	})
	for _, err := range errs {
		if err != nil {
			r.Problems = append(r.Problems, err)
		}
	}
	return slices.DeleteFunc(out, func(d *read) bool { return d == nil })
}

// eachOf calls do for 0 … n-1, one call for each processor at a time.
func eachOf(n int, do func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// rate rates every program that the core has no entry of.
func rate(ctx context.Context, o Options, core *tcpdb.View, byName map[string]*read, kept *ratings, r *Report, b *tcpdb.Builder) {
	var mine []machine.Program
	for _, p := range o.Programs {
		if known(core, p.Name) {
			r.Core++
			continue
		}
		if o.Drafted && byName[p.Name] == nil {
			continue
		}
		mine = append(mine, p)
	}
	found := make([]assess.Rating, len(mine))
	var mu sync.Mutex
	done := r.Core
	eachOf(len(mine), func(i int) {
		if ctx.Err() != nil {
			return
		}
		found[i] = rateOne(ctx, o.Machine, mine[i], byName[mine[i].Name], kept)
		mu.Lock()
		defer mu.Unlock()
		if done++; o.Progress != nil {
			o.Progress(done)
		}
	})
	for i, p := range mine {
		d := byName[p.Name]
		enter(b, p.Name, &found[i], d != nil)
		if d != nil {
			from := d.from
			if d.imported {
				from = "import"
			}
			enterSubs(b, d.source.Node, p.Name, from, found[i])
		}
		r.Rated[found[i].Provenance]++
		r.Levels[found[i].Level.String()]++
	}
}

// known reports whether the core rates a command.
func known(core *tcpdb.View, name string) bool {
	if core.Risk(name) != nil {
		return true
	}
	root := core.Root(name)
	return root != nil && (core.Risk(root.Path) != nil || root.Wrapper.Mode != tcpdb.NoWrap)
}

// rateOne rates a program by its draft, else by its manual, which is remembered.
// What was imported may raise that and lowers nothing.
func rateOne(ctx context.Context, m *machine.Machine, p machine.Program, d *read, kept *ratings) assess.Rating {
	switch {
	case d == nil:
	case !d.imported:
		return assess.Rate(factsOf(m, p, d.source, d.from))
	case d.own != nil && d.own.Node != nil:
		return raised(assess.Rate(factsOf(m, p, d.own, d.from)), assess.Rate(factsOf(m, p, d.source, "import")))
	default:
		return raised(rateOne(ctx, m, p, nil, kept), assess.Rate(factsOf(m, p, d.source, "import")))
	}
	id := m.Identity(p)
	if r, ok := kept.get(p.Name, id); ok {
		return r
	}
	written, err := m.Written(ctx, p)
	if err != nil {
		return assess.Rate(assess.Facts{Name: p.Name})
	}
	r := assess.Rate(factsOf(m, p, written.Source, written.Described))
	kept.put(p.Name, id, r)
	return r
}

// raised is a rating with what another one has more.
func raised(r, more assess.Rating) assess.Rating {
	if more.Level > r.Level {
		r.Level, r.Reason, r.Scope, r.Provenance = more.Level, more.Reason, more.Scope, more.Provenance
	}
	r.Flags |= more.Flags
	for _, x := range more.Raises {
		if !slices.ContainsFunc(r.Raises, func(have assess.Raise) bool { return have.Flag == x.Flag }) {
			r.Raises = append(r.Raises, x)
		}
	}
	return r
}

func factsOf(m *machine.Machine, p machine.Program, s *opmap.Source, from string) assess.Facts {
	f := assess.Facts{
		Name: p.Name, Description: s.Node.Description, From: from, Section: m.Section(p),
		Admin: strings.HasSuffix(filepath.Dir(p.Path), "sbin") || strings.HasSuffix(filepath.Dir(p.Real), "sbin"),
	}
	if f.Description == "" {
		f.From = "name"
	}
	for _, flag := range s.Node.Flags {
		id := flag.ID
		if id == "" {
			id = opmap.FlagID(flag.Names)
		}
		f.Flags = append(f.Flags, assess.Flag{ID: id, Names: flag.Names, Description: flag.Description, Valued: flag.Value == "required"})
	}
	return f
}

// enter puts the rating of a command into the map. What options raise can only
// be told where there is a tree that knows them.
func enter(b *tcpdb.Builder, name string, r *assess.Rating, tree bool) {
	entry := func(level tcpdb.Level, flags tcpdb.Flags, rule, reason string) tcpdb.Entry {
		return tcpdb.Entry{
			Key: name, Descriptor: tcpdb.NewDescriptor(name, level, flags, 100, 10, 1),
			Rule: rule, Reason: clause(reason), Scope: r.Scope, Provenance: r.Provenance,
		}
	}
	b.Raise(entry(r.Level, r.Flags, name, r.Reason))
	if !tree {
		return
	}
	for _, raise := range r.Raises {
		b.Variant(tcpdb.Variant{
			Entry: entry(raise.Level, raise.Flags, name+"."+raise.Flag, raise.Reason),
			All:   []string{raise.Flag}, Effect: tcpdb.RaiseEffect,
		})
	}
}

// enterSubs puts the ratings of the commands below one into the map, those that
// say more than the one above.
func enterSubs(b *tcpdb.Builder, n *opmap.Node, key, from string, above assess.Rating) {
	for _, s := range n.Subcommands {
		path := key + " " + s.Name
		r, more := assess.RateSub(s.Name, s.Description, from, above)
		if more {
			enter(b, path, &r, false)
		}
		enterSubs(b, s, path, from, r)
	}
}

// clause is a reason as a map holds it: no full stop at the end.
func clause(s string) string { return strings.TrimRight(fmt.Sprint(s), ".") }
