package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/tool-mapping-protocol/tmp/internal/registry/depot"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Client remembers the registries that it has seen.
type Client struct {
	Memory string // the directory of what is never forgotten: heads and keys of logs
	Cache  string // the directory of catalogues that were checked
	Now    func() time.Time
	MaxAge time.Duration
	// AcceptStale: a person has said that an old head will do.
	AcceptStale bool
}

// memory is what is kept of one registry: the last head, whatever its age.
type memory struct {
	V        int    `json:"v"`
	Registry string `json:"registry"`
	Key      string `json:"key"`
	Head     string `json:"head"` // as it was signed
	// Catalogue is the digest of the catalogue of that head.
	Catalogue string    `json:"catalogue"`
	Seen      time.Time `json:"seen"`
}

func id(registry string) string {
	sum := sha256.Sum256([]byte(registry))
	return hex.EncodeToString(sum[:8])
}

func (c *Client) file(registry string) string {
	return filepath.Join(c.Memory, id(registry)+".json")
}

// remembered returns what is kept of a registry, nil for one that was never seen. What
// cannot be read is an error: without it an older log would pass.
func (c *Client) remembered(registry string) (*memory, *statement.Head, error) {
	data, err := os.ReadFile(c.file(registry))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	m := &memory{}
	if err := json.Unmarshal(data, m); err != nil || m.Registry != registry {
		return nil, nil, fault.In(fault.BadHead, c.file(registry), "what is kept of %s cannot be read", registry)
	}
	text, err := statement.Open([]byte(m.Head), m.Key)
	if err != nil {
		return nil, nil, fault.In(fault.BadHead, c.file(registry), "what is kept of %s cannot be read", registry).Because(err)
	}
	h, err := statement.ParseHead(text)
	return m, h, err
}

// Load reads a registry's catalogue as it is now and holds it against the log that was
// seen before. A registry that is refused changes nothing that is kept.
func (c *Client) Load(ctx context.Context, from depot.Depot) (*Log, error) {
	old, seen, err := c.remembered(from.Name())
	if err != nil {
		return nil, err
	}
	stamp := stampOf(from.Name())
	s, err := fetchSource(ctx, from)
	if err != nil {
		if old != nil && fault.Is(err, fault.NotFound) {
			return nil, fault.New(fault.Rollback, "%s had a log of %d entries and has none now", from.Name(), seen.Tree.N).
				Because(err).Hint("%s holds what was seen; without it the registry is a new one", c.file(from.Name()))
		}
		return nil, err
	}
	if old != nil {
		return c.goOn(ctx, s, old, seen, stamp)
	}
	list, raw, err := s.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	l, err := c.open(s, list.Key)
	if err != nil {
		return nil, err
	}
	return l, c.take(l, s, list, raw, stamp)
}

// open checks the head of an index: that the log's key signs it, and its age.
func (c *Client) open(s *source, key string) (*Log, error) {
	name := s.from.Name()
	if _, err := note.NewVerifier(key); err != nil {
		return nil, fault.New(fault.BadHead, "%s: %q is no key of a log", name, key)
	}
	text, err := statement.Open(s.head, key)
	if err != nil {
		return nil, fault.New(fault.BadHead, "%s: its head is not signed by the log's key %s", name, statement.Short(key)).Because(err)
	}
	h, err := statement.ParseHead(text)
	if err != nil {
		return nil, fault.New(fault.BadHead, "%s: its head cannot be read", name).Because(err)
	}
	now := c.Now()
	if h.Date.After(now.Add(24 * time.Hour)) {
		return nil, fault.New(fault.FutureHead, "%s: its head is of %s, which is to come", name, h.Date.Format(time.DateOnly))
	}
	return &Log{Registry: name, Key: key, Head: *h, Signed: s.head}, nil
}

// Stale refuses a log whose head is too old to say that nothing came after it.
func (c *Client) Stale(l *Log) error { return c.Old(l.Registry, l.Head.Date) }

// Old is Stale of a registry by the date of its head.
func (c *Client) Old(registry string, head time.Time) error {
	if age := c.Now().Sub(head); !c.AcceptStale && age > c.MaxAge {
		return fault.New(fault.StaleHead, "%s: its head is %d days old: what came after it may be held back", registry, int(age/(24*time.Hour))).
			Hint("whoever publishes there renews it: tmp registry publish, of the same content too").
			Hint("--accept-stale, typed at a terminal, takes it as it is")
	}
	return nil
}

// goOn holds an index against the head that was seen last.
func (c *Client) goOn(ctx context.Context, s *source, old *memory, seen *statement.Head, stamp string) (*Log, error) {
	name := s.from.Name()
	l, err := c.open(s, old.Key)
	if err != nil {
		if list, _, e := s.catalogue(ctx); e == nil && list.Key != old.Key {
			return nil, fault.New(fault.LogKeyChanged, "%s: its log was signed by %s and is signed by %s now", name, statement.Short(old.Key), statement.Short(list.Key)).
				Hint("%s holds what was seen; without it the registry is a new one", c.file(name))
		}
		return nil, err
	}
	switch tree := l.Head.Tree; {
	case tree.N < seen.Tree.N:
		return nil, fault.New(fault.Rollback, "%s: its log has %d entries and had %d before", name, tree.N, seen.Tree.N)
	case tree.N == seen.Tree.N && tree.Hash != seen.Tree.Hash:
		return nil, fault.New(fault.SplitView, "%s: there are two logs of %d entries", name, tree.N)
	case tree.N == seen.Tree.N:
		if l.Head.Date.Before(seen.Date) { // renewed since, and shown as it was
			l.Head, l.Signed = *seen, []byte(old.Head)
			s.head = l.Signed
		}
		if cached := c.cached(name, old.Catalogue); cached != nil && s.list.Digest.String() == old.Catalogue {
			l.leaves = cached.Entries
			if err := l.decode(); err != nil {
				return nil, err
			}
			if err := c.remember(l, old.Catalogue); err != nil {
				return l, err
			}
			if c.Lines(name) != nil {
				return l, nil
			}
			return l, c.keepLines(l, old.Catalogue, stamp)
		}
	default:
		if err := consistent(s, l.Head.Tree, seen.Tree); err != nil {
			return nil, err
		}
	}
	list, raw, err := s.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	return l, c.take(l, s, list, raw, stamp)
}

// consistent asks for the proof that a log goes on from an older state of it.
func consistent(s *source, now, before tlog.Tree) error {
	proof, err := tlog.ProveTree(now.N, before.N, tlog.TileHashReader(now, s))
	if err == nil {
		err = tlog.CheckTree(proof, now.N, now.Hash, before.N, before.Hash)
	}
	if err != nil {
		return unproven(s, err, "its log does not go on from the one of %d entries that was seen", before.N)
	}
	return nil
}

// unproven is the refusal of a log that lacks a proof, or that the network took away.
func unproven(s *source, err error, format string, args ...any) error {
	var f *fault.Fault
	if errors.As(err, &f) && (f.Code == fault.Network || f.Code == fault.Denied || f.Code == fault.Altered) {
		return f
	}
	return fault.New(fault.RewrittenLog, "%s: "+format, append([]any{s.from.Name()}, args...)...).Because(err)
}

// take holds every entry against the log, and keeps what was learned.
func (c *Client) take(l *Log, s *source, list *catalogue, raw []byte, stamp string) error {
	if list.Key != l.Key {
		return fault.New(fault.LogKeyChanged, "%s: its catalogue names the log's key %s, its head is signed by %s", l.Registry, statement.Short(list.Key), statement.Short(l.Key))
	}
	l.leaves = list.Entries
	if err := l.included(s); err != nil {
		return err
	}
	if err := l.decode(); err != nil {
		return err
	}
	sum := "sha256:" + hex.EncodeToString(sumOf(raw))
	if err := c.keep(l.Registry, raw); err != nil {
		return err
	}
	if err := c.keepLines(l, sum, stamp); err != nil {
		return err
	}
	return c.remember(l, sum)
}

func sumOf(data []byte) []byte {
	sum := sha256.Sum256(data)
	return sum[:]
}

// included checks that the catalogue is the log: leaf for leaf.
func (l *Log) included(s *source) error {
	n := l.Head.Tree.N
	if int64(len(l.leaves)) != n {
		return fault.New(fault.NotInLog, "%s: its catalogue has %d entries, its log %d", l.Registry, len(l.leaves), n)
	}
	if n == 0 {
		return nil
	}
	at := make([]int64, n)
	for i := range at {
		at[i] = tlog.StoredHashIndex(0, int64(i))
	}
	hashes, err := tlog.TileHashReader(l.Head.Tree, s).ReadHashes(at)
	if err != nil {
		return unproven(s, err, "its log cannot be proven")
	}
	for i, raw := range l.leaves {
		if tlog.RecordHash(raw) == hashes[i] {
			continue
		}
		what := "an entry"
		if e, err := decode(raw); err == nil {
			what = e.Name + "@" + e.Version
		}
		return fault.New(fault.NotInLog, "%s: %s is in the catalogue and not in the log", l.Registry, what)
	}
	return nil
}

// Include proves that an entry is in the log, from the leaves that were checked.
func (l *Log) Include(e *Entry) error {
	for _, i := range l.about(e.Name) {
		if &l.Entries[i] == e {
			if l.hashes == nil {
				l.hashes = hashesOf(l.leaves)
			}
			proof, err := tlog.ProveRecord(l.Head.Tree.N, int64(i), l.hashes)
			if err == nil {
				err = tlog.CheckRecord(proof, l.Head.Tree.N, l.Head.Tree.Hash, int64(i), tlog.RecordHash(l.leaves[i]))
			}
			if err != nil {
				return fault.New(fault.NotInLog, "%s: %s@%s is not in the log", l.Registry, e.Name, e.Version).Because(err)
			}
			return nil
		}
	}
	return fault.New(fault.NotInLog, "%s: %s@%s is not in the log", l.Registry, e.Name, e.Version)
}

func (c *Client) remember(l *Log, catalogue string) error {
	if err := os.MkdirAll(c.Memory, 0o700); err != nil {
		return err
	}
	data, err := json.MarshalIndent(memory{1, l.Registry, l.Key, string(l.Signed), catalogue, c.Now().UTC().Truncate(time.Second)}, "", "  ")
	if err != nil {
		return err
	}
	return tcpdb.WritePrivateFile(c.file(l.Registry), append(data, '\n'))
}

func (c *Client) cacheFile(registry string) string {
	return filepath.Join(c.Cache, id(registry)+".json")
}

// keep puts a catalogue that was checked into the cache.
func (c *Client) keep(registry string, raw []byte) error {
	if c.Cache == "" {
		return nil
	}
	if err := os.MkdirAll(c.Cache, 0o755); err != nil {
		return err
	}
	return tcpdb.WriteFile(c.cacheFile(registry), raw)
}

// cached is the catalogue of that digest in the cache, nil if it is not there.
func (c *Client) cached(registry, digest string) *catalogue {
	data, err := os.ReadFile(c.cacheFile(registry))
	if err != nil || "sha256:"+hex.EncodeToString(sumOf(data)) != digest {
		return nil
	}
	list, err := parseCatalogue(data)
	if err != nil {
		return nil
	}
	return list
}

// Cached is the catalogue as it was checked last, without asking the registry, and
// when that was; nil if there is none.
func (c *Client) Cached(registry string) (*Log, time.Time) {
	m, h, err := c.remembered(registry)
	if err != nil || m == nil {
		return nil, time.Time{}
	}
	list := c.cached(registry, m.Catalogue)
	if list == nil {
		return nil, time.Time{}
	}
	l := &Log{Registry: registry, Key: m.Key, Head: *h, Signed: []byte(m.Head), leaves: list.Entries}
	if l.decode() != nil {
		return nil, time.Time{}
	}
	return l, m.Seen
}
