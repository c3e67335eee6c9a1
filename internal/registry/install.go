package registry

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/mapdiff"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
)

// Wanted is a pack that is asked for; the version is "" for the newest.
type Wanted struct{ Name, Version, Digest string }

// ParseWanted reads NAME or NAME@VERSION.
func ParseWanted(text string) (Wanted, error) {
	name, version, at := strings.Cut(text, "@")
	if err := statement.CheckName(name); err != nil {
		return Wanted{}, err
	}
	if at {
		if err := statement.CheckVersion(version); err != nil {
			return Wanted{}, err
		}
	}
	return Wanted{Name: name, Version: version}, nil
}

// Step is what an installation would do about one pack.
type Step struct {
	*Candidate
	Was     *opmap.InstalledPack // the version that is replaced, or nil
	WasPack *opmap.Pack
	Changes []mapdiff.Change // of its maps against those that are in use
}

// Same reports whether the very pack is installed as it would be.
func (s *Step) Same() bool {
	return s.Was != nil && s.Was.Digest == s.Entry.Digest && s.Was.State == string(s.State) && s.Was.Key == s.Key
}

// Plan fetches and checks what is asked for, with what it requires.
func (h *Home) Plan(ctx context.Context, wanted []Wanted) ([]*Step, error) {
	sources, err := h.SourcesOfInstalled(ctx)
	if err != nil {
		return nil, err
	}
	installed, err := h.Installed()
	if err != nil {
		return nil, err
	}
	var steps []*Step
	seen := map[string]bool{}
	for len(wanted) > 0 {
		w := wanted[0]
		wanted = wanted[1:]
		if seen[w.Name] {
			continue
		}
		seen[w.Name] = true
		c, err := h.candidate(ctx, sources, w)
		if err != nil {
			return nil, err
		}
		steps = append(steps, h.step(c, installed))
		for _, r := range c.Pack.Requires {
			more, err := ParseWanted(r)
			if err != nil {
				return nil, about(c.Entry, err)
			}
			if named(installed, more.Name) == nil {
				wanted = append(wanted, more)
			}
		}
	}
	return steps, h.fits(steps, installed)
}

// candidate fetches what is wanted.
func (h *Home) candidate(ctx context.Context, sources []Source, w Wanted) (*Candidate, error) {
	s, e, err := find(sources, w.Name, w.Version)
	if c, own := h.comesAlong(w, err); c != nil || own != nil {
		return c, own
	}
	if err != nil {
		return nil, err
	}
	if w.Digest != "" && w.Digest != e.Digest {
		return nil, fault.New(fault.Differs, "%s@%s is locked as %s, %s has it as %s", w.Name, w.Version, w.Digest, s.Depot.Name(), e.Digest)
	}
	if err := h.Client().Stale(s.Log); err != nil {
		return nil, err
	}
	return h.Fetch(ctx, s, e)
}

// step compares a candidate with what is in use.
func (h *Home) step(c *Candidate, installed []opmap.InstalledPack) *Step {
	s := &Step{Candidate: c, Was: named(installed, c.Entry.Name)}
	if s.Was != nil {
		s.WasPack, _ = h.read(s.Was) // what cannot be read is replaced
	}
	for _, source := range c.Pack.Sources {
		old := &opmap.Source{Tool: source.Tool}
		if s.WasPack != nil {
			if i := slices.IndexFunc(s.WasPack.Sources, func(o *opmap.Source) bool { return o.Tool == source.Tool }); i >= 0 {
				old = s.WasPack.Sources[i]
			}
		}
		s.Changes = append(s.Changes, mapdiff.Maps(old, source)...)
	}
	return s
}

// fits refuses a plan after which two packs would not go together.
func (h *Home) fits(steps []*Step, installed []opmap.InstalledPack) error {
	var all []*opmap.Pack
	for n := range installed {
		i := &installed[n]
		if slices.ContainsFunc(steps, func(s *Step) bool { return s.Entry.Name == i.Name }) {
			continue
		}
		if p, err := h.read(i); err == nil {
			all = append(all, p)
		}
	}
	for _, s := range steps {
		all = append(all, s.Pack)
	}
	return together(all)
}

// Install puts the packs of a plan into use, in one step.
func (h *Home) Install(steps []*Step) error {
	return h.Change(func(p *Packs) error {
		if len(p.List) == 0 {
			if err := p.carryOver(steps); err != nil {
				return err
			}
		}
		for _, s := range steps {
			if s.State == keys.Unknown { // met now
				if err := h.Ring().Set(keys.Trust{Key: s.Key, State: keys.Known, Date: h.Now()}); err != nil {
					return err
				}
				s.State = keys.Known
			}
			i := opmap.InstalledPack{Name: s.Entry.Name, Version: s.Entry.Version, Digest: s.Entry.Digest, Key: s.Key, State: string(s.State), Registry: s.Registry}
			if err := p.put(&i, s.Files, s.Note); err != nil {
				return err
			}
			p.List = slices.DeleteFunc(p.List, func(o opmap.InstalledPack) bool { return o.Name == i.Name })
			p.List = append(p.List, i)
		}
		return p.Commit()
	})
}

// Remove takes packs out of use.
func (h *Home) Remove(names []string) error {
	return h.Change(func(p *Packs) error {
		for _, name := range names {
			if p.Find(name) == nil {
				return fault.New(fault.NotFound, "%s is not installed", name)
			}
			for n := range p.List {
				i := &p.List[n]
				if slices.Contains(names, i.Name) {
					continue
				}
				if pack, err := h.read(i); err == nil && slices.ContainsFunc(pack.Requires, func(r string) bool { return strings.SplitN(r, "@", 2)[0] == name }) {
					return fault.New(fault.Conflict, "%s requires %s", i.Name, name)
				}
			}
		}
		p.List = slices.DeleteFunc(p.List, func(i opmap.InstalledPack) bool { return slices.Contains(names, i.Name) })
		return p.Commit()
	})
}
