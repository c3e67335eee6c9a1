package registry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/depot"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/ledger"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// LevelOf is the level of an operation by itself: what it says, and what its effect
// calls for.
func LevelOf(op *opmap.Operation) tcpdb.Level {
	return max(op.Level(), gate.EffectLevel(op.Effect))
}

// Found is the answer of a search.
type Found struct {
	V       int      `json:"v"`
	Packs   []Hit    `json:"packs"`
	Notices []string `json:"notices"`
	Total   int      `json:"total"`
}

// Find searches the catalogues. Where a registry does not answer, the catalogue that
// was checked last is searched, and its age is said. limit bounds how many are told, 0
// tells all.
func (h *Home) Find(ctx context.Context, words []string, limit int) (*Found, error) {
	f := &Found{V: 1, Packs: []Hit{}, Notices: []string{}}
	var from []*ledger.Lines
	for _, name := range h.Registries {
		l, notice, err := h.lines(ctx, name)
		if err != nil {
			return nil, err
		}
		if notice != "" {
			f.Notices = append(f.Notices, notice)
		}
		if l != nil {
			from = append(from, l)
		}
	}
	if !h.Only {
		from = append(from, shippedLines(h.Now()))
	}
	hits, total, err := h.Search(from, words, limit)
	f.Packs, f.Total = append(f.Packs, hits...), total
	return f, err
}

// freshFor is how long a catalogue of a distant registry is searched without asking
// for a newer one.
const freshFor = 24 * time.Hour

// lines are what is searched of one registry: of a directory as it is, of any other the
// catalogue that was checked last.
func (h *Home) lines(ctx context.Context, name string) (*ledger.Lines, string, error) {
	d, err := depot.Open(name)
	if err != nil {
		return nil, "", err
	}
	c := h.Client()
	old := c.Lines(name)
	if old != nil && (strings.HasPrefix(name, "dir:") || h.Now().Sub(old.Seen) < freshFor) {
		return old, h.aged(old), nil
	}
	log, err := c.Load(ctx, d)
	switch {
	case err == nil:
		l := log.Lines(h.Now())
		return l, h.aged(l), nil
	case fault.Is(err, fault.NotFound) && name == Default(h.Paths):
		return nil, "", nil
	case fault.Is(err, fault.Network) && old != nil:
		return old, fmt.Sprintf("%s: %s", h.aged(old), err), nil
	}
	return nil, "", err
}

// aged says how old a catalogue is that is searched, "" of a directory that is fresh.
func (h *Home) aged(l *ledger.Lines) string {
	if err := h.Client().Old(l.Registry, l.Head); err != nil {
		return err.Error()
	}
	if strings.HasPrefix(l.Registry, "dir:") {
		return ""
	}
	return fmt.Sprintf("the catalogue of %s is that of %s ago; tmp registry update asks again", l.Registry, age(h.Now().Sub(l.Seen)))
}

// old says that a log has grown old, "" if it has not.
func (h *Home) old(l *ledger.Log) string {
	if err := h.Client().Stale(l); err != nil {
		return err.Error()
	}
	return ""
}

func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// Look fetches and checks a pack, to show it.
func (h *Home) Look(ctx context.Context, w Wanted) (*Candidate, error) {
	sources, err := h.Sources(ctx)
	if err != nil {
		return nil, err
	}
	s, e, err := find(sources, w.Name, w.Version)
	if c, own := h.comesAlong(w, err); c != nil || own != nil {
		return c, own
	}
	if err != nil {
		return nil, err
	}
	if why := h.old(s.Log); why != "" {
		h.Notice("%s", why)
	}
	return h.Fetch(ctx, s, e)
}

// comesAlong is the pack that comes with the programs, where no registry has one of
// that name.
func (h *Home) comesAlong(w Wanted, found error) (*Candidate, error) {
	if h.Only || !fault.Is(found, fault.NotFound) {
		return nil, nil
	}
	return shipped(w)
}

// Shown is what is shown of a pack before it is installed.
type Shown struct {
	Name        string           `json:"name"`
	Version     string           `json:"version"`
	Digest      string           `json:"digest"`
	Description string           `json:"description"`
	License     string           `json:"license"`
	Homepage    string           `json:"homepage"`
	Tools       []opmap.PackTool `json:"tools"`
	Platforms   []string         `json:"platforms"`
	Requires    []string         `json:"requires"`
	Review      string           `json:"review"`
	Level       string           `json:"level"`
	Flags       []string         `json:"flags"`
	Publisher   string           `json:"publisher"`
	Key         string           `json:"key"`
	KeyState    keys.State       `json:"key_state"`
	TrustedFor  string           `json:"trusted_for,omitempty"`
	Fingerprint string           `json:"fingerprint,omitempty"`
	Standing    string           `json:"standing"` // "verified" or "draft"
	Date        time.Time        `json:"date,omitzero"`
	Registry    string           `json:"registry"`
	Yanked      string           `json:"yanked,omitempty"`
	Warnings    []string         `json:"warnings"`
	Files       []string         `json:"files"`
}

// Show is what is shown of a candidate.
func (h *Home) Show(c *Candidate) Shown {
	s := Shown{
		Name: c.Pack.Name, Version: c.Pack.Version, Digest: c.Entry.Digest, Description: c.Pack.Description, License: c.Pack.License, Homepage: c.Pack.Homepage,
		Tools: c.Pack.Tools, Platforms: c.Pack.Platforms, Requires: c.Pack.Requires, Review: c.Pack.Review, Level: c.Level.String(), Flags: append([]string{}, c.Flags...),
		Publisher: publisherOf(c.Pack.Name), Key: c.Key, KeyState: c.State.Word(), TrustedFor: c.State.For(), Fingerprint: keys.Fingerprint(c.Key), Standing: c.Standing(), Date: c.Entry.Date, Registry: c.Registry,
		Warnings: append([]string{}, h.Warnings(c)...), Files: c.Files.Names(),
	}
	if c.Yank != nil {
		s.Yanked = cmp.Or(c.Yank.Reason(), "no reason was given")
	}
	return s
}

// Standing is how the operations of a candidate would stand.
func (c *Candidate) Standing() string {
	if c.Verified() && c.Pack.Review == "reviewed" {
		return "verified"
	}
	return "draft"
}

// Warnings are what a person is to know of a candidate before anything else.
func (h *Home) Warnings(c *Candidate) []string {
	var out []string
	if c.Yank != nil {
		out = append(out, c.Pack.Name+"@"+c.Pack.Version+" was taken back: "+cmp.Or(c.Yank.Reason(), "no reason was given"))
	}
	installed, _ := h.Installed()
	if was := named(installed, c.Pack.Name); was != nil && was.Key != c.Key {
		out = append(out, fmt.Sprintf("%s signs it, and %s signed the version %s that is installed", cmp.Or(statement.Short(c.Key), "nobody"), cmp.Or(statement.Short(was.Key), "nobody"), was.Version))
	}
	publisher := publisherOf(c.Pack.Name)
	book, err := h.Book()
	if err != nil {
		return append(out, err.Error())
	}
	for _, t := range book {
		name := statement.KeyName(t.Key)
		trusted := t.State == keys.Trusted || t.State == keys.Verified
		switch {
		case !trusted || t.Key == c.Key:
		case name == publisher && c.State != keys.Trusted && c.State != keys.Verified:
			out = append(out, fmt.Sprintf("the key of %s that is trusted here is %s, and it did not sign this", publisher, statement.Short(t.Key)))
		case Near(name, publisher):
			out = append(out, fmt.Sprintf("the publisher %s is not %s, which is trusted here", publisher, name))
		}
	}
	for _, tool := range unasked(c.Pack) {
		out = append(out, fmt.Sprintf("the core maps %s: of this pack its operations count alone", tool))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Yanked is why an installed pack was taken back, as far as is known without asking.
func (h *Home) Yanked(i *opmap.InstalledPack) string {
	l := h.cached(i.Registry)
	if l == nil {
		return ""
	}
	if y := l.Yank(i.Name, i.Version); y != nil {
		return cmp.Or(y.Reason(), "no reason was given")
	}
	return ""
}

// Outdated is an installed pack that is not the newest, or was taken back.
type Outdated struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Newest  string `json:"newest"`
	Yanked  string `json:"yanked,omitempty"`
	KeyNote string `json:"key_note,omitempty"`
}

// Outdated asks the registries what is newer than what is installed; names are those
// that are asked about, none for all.
func (h *Home) Outdated(ctx context.Context, names []string) ([]Outdated, error) {
	sources, err := h.SourcesOfInstalled(ctx)
	if err != nil {
		return nil, err
	}
	list, err := h.Installed()
	if err != nil {
		return nil, err
	}
	var out []Outdated
	for n := range list {
		i := &list[n]
		if len(names) > 0 && !slices.Contains(names, i.Name) {
			continue
		}
		o := Outdated{Name: i.Name, Version: i.Version}
		for _, s := range sources {
			if y := s.Log.Yank(i.Name, i.Version); y != nil {
				o.Yanked = cmp.Or(y.Reason(), "no reason was given")
			}
			e := s.Log.Find(i.Name, "")
			if e == nil || opmap.CompareVersions(e.Version, i.Version) <= 0 {
				continue
			}
			o.Newest = e.Version
			if e.Key != i.Key && !s.Log.Follows(i.Key, e.Key) {
				o.KeyNote = fmt.Sprintf("another key signs it: %s", cmp.Or(statement.Short(e.Key), "none"))
			}
			break
		}
		if i.State == string(keys.Shipped) && o.Newest == "" {
			if c, err := shipped(Wanted{Name: i.Name}); err == nil && c != nil && c.Entry.Digest != i.Digest {
				o.Newest = c.Entry.Version
			}
		}
		if o.Newest != "" || o.Yanked != "" {
			out = append(out, o)
		}
	}
	return out, nil
}
