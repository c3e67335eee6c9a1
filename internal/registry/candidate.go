package registry

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/registry/depot"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/ledger"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Candidate is a pack that was fetched and checked, and not installed.
type Candidate struct {
	Entry    *ledger.Entry
	Registry string
	Files    archive.Files
	Pack     *opmap.Pack
	Key      string     // that signed it, "" for none
	Note     []byte     // by which it signed
	State    keys.State // of that key
	Level    tcpdb.Level
	Flags    []string
	Yank     *ledger.Entry // that takes it back, or nil
}

// Verified reports whether its operations will run.
func (c *Candidate) Verified() bool { return c.State == keys.Verified || c.State == keys.Shipped }

const maxConfig = 4 << 20

// Fetch gets a version of a pack and checks it: that it is in the log, that every
// byte is what the log says, and who signed it.
func (h *Home) Fetch(ctx context.Context, s Source, e *ledger.Entry) (*Candidate, error) {
	if err := s.Log.Include(e); err != nil {
		return nil, err
	}
	at, err := h.artifact(ctx, s, e)
	if err != nil {
		return nil, err
	}
	files, err := unpack(ctx, s.Depot, at)
	if err != nil {
		return nil, about(e, err)
	}
	if got := files.Digest(); got != e.Digest {
		return nil, fault.New(fault.Altered, "%s@%s: its files are %s, the log says %s", e.Name, e.Version, got, e.Digest)
	}
	c := &Candidate{Entry: e, Registry: s.Depot.Name(), Files: files, Yank: s.Log.Yank(e.Name, e.Version)}
	if c.Pack, _, err = parse(files); err != nil {
		return nil, about(e, err)
	}
	if c.Pack.Name != e.Name || c.Pack.Version != e.Version {
		return nil, fault.In(fault.OtherPack, "pack.json", "it is %s@%s, the catalogue says %s@%s", c.Pack.Name, c.Pack.Version, e.Name, e.Version)
	}
	c.Level, c.Flags = measure(c.Pack)
	if err := h.signed(ctx, s, at, c); err != nil {
		return nil, err
	}
	if err := compatible(c.Pack); err != nil {
		return nil, about(e, err)
	}
	return c, nil
}

// about names the pack in a refusal of one of its files.
func about(e *ledger.Entry, err error) error {
	var f *fault.Fault
	if errors.As(err, &f) && f.Code != fault.Network {
		named := *f
		named.Reason = f.Reason + " (" + e.Name + "@" + e.Version + ")"
		return &named
	}
	return err
}

// artifact is where the log says that a pack lies. Its tag has to say the same.
func (h *Home) artifact(ctx context.Context, s Source, e *ledger.Entry) (depot.Descriptor, error) {
	want := digest.Digest(e.Manifest)
	if err := want.Validate(); err != nil {
		return depot.Descriptor{}, fault.New(fault.BadAnswer, "%s@%s: %q is no digest", e.Name, e.Version, e.Manifest)
	}
	at, err := s.Depot.Resolve(ctx, ledger.Tag(e.Name, e.Version))
	if err != nil && !fault.Is(err, fault.NotFound) {
		return depot.Descriptor{}, err
	}
	if err == nil && at.Digest != want {
		return depot.Descriptor{}, fault.New(fault.MovedVersion, "%s@%s was moved: its tag is at %s, the log says %s", e.Name, e.Version, at.Digest, want)
	}
	return depot.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: want, Size: e.Size}, nil
}

// unpack reads the archive of an artifact.
func unpack(ctx context.Context, from depot.Depot, at depot.Descriptor) (archive.Files, error) {
	m, err := depot.Manifest(ctx, from, at, ledger.PackType)
	if err != nil {
		return nil, err
	}
	if len(m.Layers) != 1 || m.Layers[0].MediaType != ledger.PackLayer {
		return nil, fault.New(fault.BadAnswer, "it is to have one archive and has %d layers", len(m.Layers))
	}
	config, err := from.Fetch(ctx, m.Config, maxConfig)
	if err != nil {
		return nil, err
	}
	packed, err := from.Fetch(ctx, m.Layers[0], archive.MaxPacked)
	if err != nil {
		return nil, err
	}
	files, err := archive.Open(packed)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(config, files[opmap.PackFile]) {
		return nil, fault.In(fault.Altered, opmap.PackFile, "is not the one that the artifact shows")
	}
	return files, nil
}

// maxNote bounds a signed note.
const maxNote = 64 << 10

// signed looks for a note of the pack and checks it. A pack without one is a draft;
// one whose notes are all wrong is refused.
func (h *Home) signed(ctx context.Context, s Source, at depot.Descriptor, c *Candidate) error {
	c.State = keys.Unsigned
	list, err := s.Depot.Referrers(ctx, at, ledger.NoteType)
	if err != nil {
		return err
	}
	if len(list) > maxNotes {
		list = list[:maxNotes]
	}
	var wrong error
	for _, d := range list {
		err := h.note(ctx, s, d, c)
		switch {
		case fault.Is(err, fault.Network):
			return err
		case err != nil && wrong == nil:
			wrong = err
		}
	}
	if c.State == keys.Unsigned && wrong != nil {
		return wrong
	}
	if c.State == keys.Revoked {
		return fault.New(fault.RevokedKey, "%s@%s is signed by %s, which was revoked here", c.Entry.Name, c.Entry.Version, statement.Short(c.Key))
	}
	return nil
}

const maxNotes = 32

// note checks one note; the one whose key is trusted most counts.
func (h *Home) note(ctx context.Context, s Source, d depot.Descriptor, c *Candidate) error {
	m, err := depot.Manifest(ctx, s.Depot, d, ledger.NoteType)
	if err != nil {
		return about(c.Entry, err)
	}
	if len(m.Layers) != 1 {
		return fault.New(fault.BadNote, "%s@%s: its note has %d layers", c.Entry.Name, c.Entry.Version, len(m.Layers))
	}
	signed, err := s.Depot.Fetch(ctx, m.Layers[0], maxNote)
	if err != nil {
		return about(c.Entry, err)
	}
	key, err := h.signer(s.Log, c.Entry)
	if err != nil {
		return err
	}
	text, err := statement.Open(signed, key)
	if err != nil {
		return about(c.Entry, err)
	}
	if err := c.says(text); err != nil {
		return err
	}
	state, err := h.State(s.Log, key)
	if err != nil {
		return err
	}
	c.Key, c.State, c.Note = key, state, signed
	return nil
}

// signer is the key that the log names for an entry. It has the publisher's name.
func (h *Home) signer(l *ledger.Log, e *ledger.Entry) (string, error) {
	if e.Key == "" {
		return "", fault.New(fault.BadNote, "%s@%s: there is a note, and the log names no key", e.Name, e.Version)
	}
	if err := keys.Check(e.Key); err != nil {
		return "", about(e, err)
	}
	if statement.KeyName(e.Key) != statement.Publisher(e.Name) {
		return "", fault.New(fault.BadNote, "%s@%s: its key is %s, of another publisher", e.Name, e.Version, statement.Short(e.Key))
	}
	return e.Key, nil
}

// says holds a statement against the files that are at hand.
func (c *Candidate) says(text string) error {
	said, err := statement.ParsePack(text)
	if err != nil {
		return about(c.Entry, err)
	}
	if said.Name != c.Pack.Name || said.Version != c.Pack.Version || said.Digest != c.Entry.Digest {
		return fault.New(fault.OtherPack, "the note of %s@%s is of %s@%s %s", c.Pack.Name, c.Pack.Version, said.Name, said.Version, said.Digest)
	}
	if less := said.Covers(c.Level, c.Flags); less != "" {
		return fault.New(fault.LowNote, "the note of %s@%s says less than its files: %s", c.Pack.Name, c.Pack.Version, less)
	}
	for _, t := range c.Pack.Tools {
		if !slices.Contains(said.Tools, t.Tool) {
			return fault.New(fault.LowNote, "the note of %s@%s does not name the tool %s", c.Pack.Name, c.Pack.Version, t.Tool)
		}
	}
	return nil
}
