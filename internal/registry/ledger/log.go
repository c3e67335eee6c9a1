package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/depot"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
)

// Log is a registry's catalogue that was held against its log.
type Log struct {
	Registry string
	Key      string // the log's
	Head     statement.Head
	Signed   []byte // the head as it was signed
	Entries  []Entry
	leaves   []json.RawMessage
	byName   map[string][]int // places of entries
	hashes   stored           // of the leaves, for proofs
}

// Packs are the published versions of a pack, the newest last; those that were taken
// back are among them.
func (l *Log) Packs(name string) []*Entry {
	var out []*Entry
	for _, i := range l.about(name) {
		if e := &l.Entries[i]; e.Kind == Published {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b *Entry) int { return opmap.CompareVersions(a.Version, b.Version) })
	return out
}

// about are the entries with a name, by their places.
func (l *Log) about(name string) []int {
	if l.byName == nil {
		l.byName = make(map[string][]int, len(l.Entries))
		for i := range l.Entries {
			l.byName[l.Entries[i].Name] = append(l.byName[l.Entries[i].Name], i)
		}
	}
	return l.byName[name]
}

// Find is a version of a pack, nil if there is none; "" is the newest that was not
// taken back, and no pre-release unless there is nothing else.
func (l *Log) Find(name, version string) *Entry {
	var best *Entry
	for _, e := range l.Packs(name) {
		switch {
		case version != "":
			if e.Version == version {
				return e
			}
		case l.Yank(e.Name, e.Version) != nil:
		case best != nil && strings.Contains(e.Version, "-") && !strings.Contains(best.Version, "-"):
		default:
			best = e
		}
	}
	if version != "" {
		return nil
	}
	return best
}

// Yank is the entry that takes a version back, nil if none does. One counts that is
// signed by the key of the version or by one that follows it.
func (l *Log) Yank(name, version string) *Entry {
	for _, i := range l.about(name) {
		if e := &l.Entries[i]; e.Kind == YankedOne && e.Version == version && l.mayYank(e) {
			return e
		}
	}
	return nil
}

func (l *Log) mayYank(y *Entry) bool {
	if statement.KeyName(y.Key) != statement.Publisher(y.Name) {
		return false
	}
	text, err := statement.Open([]byte(y.Note), y.Key)
	if err != nil {
		return false
	}
	said, err := statement.ParseYank(text)
	if err != nil || said.Name != y.Name || said.Version != y.Version {
		return false
	}
	of := l.Find(y.Name, y.Version)
	return of != nil && (of.Key == "" || l.Follows(of.Key, y.Key))
}

// Reason is what a yank says.
func (y *Entry) Reason() string {
	text, _, _ := strings.Cut(y.Note, "\n\n")
	if said, err := statement.ParseYank(text + "\n"); err == nil {
		return said.Reason
	}
	return ""
}

// Follows reports whether a key is another one, or follows it by notes of keys.
func (l *Log) Follows(old, key string) bool {
	for range len(l.Entries) + 1 {
		if old == key {
			return true
		}
		next := ""
		for _, signed := range l.Rotations(statement.KeyName(old)) {
			text, err := statement.Open([]byte(signed), old)
			if err != nil {
				continue
			}
			if r, err := statement.ParseRotation(text); err == nil && r.Old == old {
				next = r.New
			}
		}
		if next == "" {
			return false
		}
		old = next
	}
	return false
}

// Rotations are the notes by which keys of a publisher follow each other.
func (l *Log) Rotations(publisher string) []string {
	var out []string
	for _, i := range l.about(publisher) {
		if e := &l.Entries[i]; e.Kind == Rotated {
			out = append(out, e.Note)
		}
	}
	return out
}

// Add lets the log have an entry more than it has, to ask what would follow from it.
func (l *Log) Add(e Entry) { l.Entries, l.byName = append(l.Entries, e), nil }

// decode decodes the leaves and refuses a version that is there with two contents.
func (l *Log) decode() error {
	first := map[string]*Entry{}
	l.Entries = make([]Entry, len(l.leaves))
	for i, raw := range l.leaves {
		e, err := decode(raw)
		if err != nil {
			return err
		}
		l.Entries[i] = e
		if e.Kind != Published {
			continue
		}
		id := e.Name + "@" + e.Version
		if other := first[id]; other != nil && other.Digest != e.Digest {
			return fault.New(fault.DoubledVersion, "%s has %s twice: as %s and as %s", l.Registry, id, other.Digest, e.Digest)
		}
		first[id] = &l.Entries[i]
	}
	return nil
}

// source is an index artifact that was not checked yet.
type source struct {
	from     depot.Depot
	manifest *ocispec.Manifest
	head     []byte
	tiles    map[string]depot.Descriptor
	list     depot.Descriptor // the catalogue
	got      map[string][]byte
}

// fetchSource reads the index artifact with its head.
func fetchSource(ctx context.Context, from depot.Depot) (*source, error) {
	at, err := from.Resolve(ctx, IndexTag)
	if err != nil {
		return nil, err
	}
	m, err := depot.Manifest(ctx, from, at, IndexType)
	if err != nil {
		return nil, err
	}
	s := &source{from: from, manifest: m, tiles: map[string]depot.Descriptor{}, got: map[string][]byte{}}
	for _, layer := range m.Layers {
		switch layer.MediaType {
		case IndexType:
			s.list = layer
		case HeadType:
			if s.head, err = from.Fetch(ctx, layer, maxSignedHead); err != nil {
				return nil, err
			}
		case TileType:
			s.tiles[layer.Annotations[ocispec.AnnotationTitle]] = layer
		}
	}
	if s.head == nil || s.list.MediaType == "" {
		return nil, fault.New(fault.BadAnswer, "%s: its index has no catalogue or no head", from.Name())
	}
	return s, nil
}

// catalogue reads the list of entries.
func (s *source) catalogue(ctx context.Context) (*catalogue, []byte, error) {
	data, err := s.from.Fetch(ctx, s.list, maxCatalogue)
	if err != nil {
		return nil, nil, err
	}
	c, err := parseCatalogue(data)
	if err != nil {
		return nil, nil, fault.New(fault.BadAnswer, "%s: its catalogue cannot be read", s.from.Name()).Because(err)
	}
	return c, data, nil
}

func parseCatalogue(data []byte) (*catalogue, error) {
	c := &catalogue{}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, err
	}
	if c.V != 1 {
		return nil, fmt.Errorf("it is of version %d", c.V)
	}
	return c, nil
}

// The source is a reader of tiles, which TileHashReader holds against the head.

func (s *source) Height() int                     { return tileHeight }
func (s *source) SaveTiles([]tlog.Tile, [][]byte) {}
func (s *source) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	out := make([][]byte, len(tiles))
	for i, t := range tiles {
		data, err := s.tile(t)
		if err != nil {
			return nil, err
		}
		out[i] = data
	}
	return out, nil
}

func (s *source) tile(t tlog.Tile) ([]byte, error) {
	path := t.Path()
	if data, ok := s.got[path]; ok {
		return data, nil
	}
	d, ok := s.tiles[path]
	if !ok {
		return nil, fault.New(fault.RewrittenLog, "%s: its log lacks %s", s.from.Name(), path)
	}
	data, err := s.from.Fetch(context.Background(), d, tlog.HashSize<<tileHeight)
	if err != nil {
		return nil, err
	}
	if len(data) != t.W*tlog.HashSize {
		return nil, fault.New(fault.RewrittenLog, "%s: %s of its log has %d bytes, not %d", s.from.Name(), path, len(data), t.W*tlog.HashSize)
	}
	s.got[path] = data
	return data, nil
}
