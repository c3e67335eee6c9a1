// Package registry publishes packs, finds, checks and installs them. It stands on its
// parts: archive (the files of a pack), statement (what is signed), keys, depot (where
// artifacts lie) and ledger (the catalogue and its log).
package registry

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/registry/depot"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/ledger"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
)

// Home is what a person has of the registry on this machine.
type Home struct {
	Paths      place.Paths
	Now        func() time.Time
	Registries []string // where packs are looked for, the first that has one counts
	Only       bool     // nowhere else: not among what comes with the programs
	MaxAge     time.Duration
	// AcceptStale: a person at the terminal takes an old head as it is.
	AcceptStale bool
	// LogKey is the file of the private key of a registry's log, "" for the usual one.
	LogKey string
	// Notice says something that the answer goes on without.
	Notice func(format string, args ...any)

	book keys.Book
	logs map[string]*ledger.Log // the cached ones that were read
}

// DefaultMaxAge is how old the head of a log may be.
const DefaultMaxAge = 30 * 24 * time.Hour

// Default is the registry that is there without any: a directory of the user's.
func Default(paths place.Paths) string {
	if paths.Data == "" {
		return ""
	}
	return "dir:" + filepath.Join(paths.Data, "registry")
}

// Ring are the keys of this person.
func (h *Home) Ring() keys.Ring { return keys.Ring{Dir: filepath.Join(h.Paths.State, "keys")} }

// Book is what is noted of the keys of others.
func (h *Home) Book() (keys.Book, error) {
	if h.book == nil {
		all, err := h.Ring().Trusts()
		if err != nil {
			return nil, err
		}
		h.book = append(keys.Book{}, all...)
	}
	return h.book, nil
}

// Client remembers the logs that were seen.
func (h *Home) Client() *ledger.Client {
	c := &ledger.Client{
		Memory: filepath.Join(h.Paths.State, "registries"), Now: h.Now,
		MaxAge: cmp.Or(h.MaxAge, DefaultMaxAge), AcceptStale: h.AcceptStale,
	}
	if h.Paths.Cache != "" {
		c.Cache = filepath.Join(h.Paths.Cache, "registries")
	}
	return c
}

// State is what this person thinks of the key that signed an entry.
func (h *Home) State(l *ledger.Log, key string) (keys.State, error) {
	if key == "" {
		return keys.Unsigned, nil
	}
	book, err := h.Book()
	if err != nil {
		return keys.Unknown, err
	}
	return book.Of(key, l.Rotations(statement.KeyName(key))), nil
}

// cached is a registry's log as it was checked last, nil if there is none.
func (h *Home) cached(registry string) *ledger.Log {
	if l, ok := h.logs[registry]; ok {
		return l
	}
	if h.logs == nil {
		h.logs = map[string]*ledger.Log{}
	}
	l, _ := h.Client().Cached(registry)
	h.logs[registry] = l
	return l
}

// Source is a registry that was read, with where it lies.
type Source struct {
	Depot depot.Depot
	Log   *ledger.Log
}

// Sources reads the registries. One that nothing was published to is left out, if it
// is the default.
func (h *Home) Sources(ctx context.Context) ([]Source, error) {
	var out []Source
	for _, name := range h.Registries {
		d, err := depot.Open(name)
		if err != nil {
			return nil, err
		}
		l, err := h.Client().Load(ctx, d)
		if fault.Is(err, fault.NotFound) && name == Default(h.Paths) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Source{d, l})
	}
	return out, nil
}

// SourcesOfInstalled reads the registries, and those that what is installed came from.
func (h *Home) SourcesOfInstalled(ctx context.Context) ([]Source, error) {
	all := *h
	all.Registries = slices.Clone(h.Registries)
	list, err := h.Installed()
	if err != nil {
		return nil, err
	}
	for _, i := range list {
		if !h.Only && i.Registry != shippedFrom && !slices.Contains(all.Registries, i.Registry) {
			all.Registries = append(all.Registries, i.Registry)
		}
	}
	return all.Sources(ctx)
}

// find is the version of a pack that is meant, in the first registry that has it.
func find(sources []Source, name, version string) (Source, *ledger.Entry, error) {
	if err := statement.CheckName(name); err != nil {
		return Source{}, nil, err
	}
	for _, s := range sources {
		if e := s.Log.Find(name, version); e != nil {
			return s, e, nil
		}
	}
	what := name
	if version != "" {
		what += "@" + version
	}
	return Source{}, nil, fault.New(fault.NotFound, "no registry has %s", what).Hint("tmp registry search shows what there is; tmp registry update asks again")
}
