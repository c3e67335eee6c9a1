package registry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/registry/depot"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/keys"
	"github.com/tool-mapping-protocol/tmp/internal/registry/ledger"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Built is a pack that was read, linted and can be published.
type Built struct {
	Dir      string
	Files    archive.Files
	Pack     *opmap.Pack
	Digest   string
	Level    tcpdb.Level
	Flags    []string
	Problems opmap.Problems
}

// Build reads and lints the pack in a directory. The problems are there with an error
// too.
func Build(dir string) (*Built, error) {
	files, err := archive.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	b := &Built{Dir: dir, Files: files}
	if b.Pack, b.Problems, err = Lint(files); err != nil {
		return b, err
	}
	b.Digest = files.Digest()
	b.Level, b.Flags = measure(b.Pack)
	return b, nil
}

// tools are the names of the tools of a pack.
func (b *Built) tools() []string {
	var out []string
	for _, t := range b.Pack.Tools {
		out = append(out, t.Tool)
	}
	return out
}

// entry is what the log says of the pack.
func (b *Built) entry(key string, at depot.Descriptor, now time.Time) ledger.Entry {
	e := ledger.Entry{
		Kind: ledger.Published, Name: b.Pack.Name, Version: b.Pack.Version, Digest: b.Digest,
		Manifest: at.Digest.String(), Size: at.Size, Key: key,
		Description: b.Pack.Description, License: b.Pack.License, Platforms: b.Pack.Platforms, Requires: b.Pack.Requires,
		Level: b.Level.String(), Flags: b.Flags, Review: b.Pack.Review, Date: now.UTC().Truncate(time.Second),
	}
	for _, t := range b.Pack.Tools {
		e.Tools = append(e.Tools, ledger.Tool(t))
	}
	return e
}

// Outcome is what became of one pack.
type Outcome struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Digest  string `json:"digest"`
	Level   string `json:"level"`
	Key     string `json:"key,omitempty"`
	// State is "published", or "unchanged" where the same content was there.
	State string `json:"state"`
}

// Signers gives the key that signs for a publisher, and the whole key; a nil signer
// signs nothing.
type Signers func(publisher string) (note.Signer, string, error)

// Publish signs packs, and adds them to a registry and its log in one step. The same
// content twice is none; another content for a version that is there is refused.
func (h *Home) Publish(ctx context.Context, to string, packs []*Built, signers Signers) ([]Outcome, error) {
	d, err := depot.Open(to)
	if err != nil {
		return nil, err
	}
	signed, err := h.sign(packs, signers)
	if err != nil {
		return nil, err
	}
	var out []Outcome
	err = d.Publish(ctx, func(w depot.Writer) error {
		l, err := h.log(ctx, d)
		if err != nil {
			return err
		}
		logKey, err := h.logKey(d, l)
		if err != nil {
			return err
		}
		p := &publication{home: h, to: w, log: l}
		for i, b := range packs {
			o, err := p.add(ctx, b, signed[i])
			if err != nil {
				return err
			}
			out = append(out, o)
		}
		return p.commit(ctx, logKey)
	})
	if err != nil {
		return out, err
	}
	// What was published is what is remembered: this machine takes no older log either.
	_, err = h.Client().Load(ctx, d)
	return out, err
}

// signedPack is a pack with its note.
type signedPack struct {
	key  string
	note []byte // nil for none
}

// sign signs before anything is locked: a person may have to type a passphrase.
func (h *Home) sign(packs []*Built, signers Signers) ([]signedPack, error) {
	out := make([]signedPack, len(packs))
	for i, b := range packs {
		s, key, err := signers(statement.Publisher(b.Pack.Name))
		if err != nil {
			return nil, err
		}
		if s == nil {
			continue
		}
		if s.Name() != statement.Publisher(b.Pack.Name) {
			return nil, fault.New(fault.BadName, "%s is of the publisher %s, the key is %s's", b.Pack.Name, statement.Publisher(b.Pack.Name), s.Name())
		}
		said := statement.Pack{Name: b.Pack.Name, Version: b.Pack.Version, Digest: b.Digest, Level: b.Level, Flags: b.Flags, Tools: b.tools(), Date: h.Now()}
		signed, err := statement.Sign(said.Text(), s)
		if err != nil {
			return nil, err
		}
		out[i] = signedPack{key, signed}
	}
	return out, nil
}

// log is the registry's log as it is, an empty one of a registry that has none yet.
func (h *Home) log(ctx context.Context, d depot.Depot) (*ledger.Log, error) {
	l, err := h.Client().Load(ctx, d)
	if fault.Is(err, fault.NotFound) {
		return &ledger.Log{Registry: d.Name()}, nil
	}
	return l, err
}

// LogKeyFile is where the private key of a registry's log lies: of a directory beside
// it, where those who carry the directory away do not take it along, of any other
// registry in the state directory.
func (h *Home) LogKeyFile(registry string) string {
	if h.LogKey != "" {
		return h.LogKey
	}
	if dir, ok := strings.CutPrefix(registry, "dir:"); ok {
		return filepath.Clean(dir) + ".key"
	}
	return filepath.Join(h.Paths.State, "registries", strings.NewReplacer("/", "_", ":", "_").Replace(strings.TrimPrefix(registry, "oci:"))+".key")
}

// logKey opens the key that signs the log's heads, or makes it for the first
// publication.
func (h *Home) logKey(d depot.Depot, l *ledger.Log) (note.Signer, error) {
	file := h.LogKeyFile(d.Name())
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if l.Key != "" {
			return nil, fault.In(fault.Denied, file, "the log's key is not here: who published to %s first has it", d.Name())
		}
		if data, err = newLogKey(file); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	secret, key, _ := strings.Cut(strings.TrimSpace(string(data)), "\n")
	s, err := note.NewSigner(secret)
	if err != nil {
		return nil, fault.In(fault.BadName, file, "is no key of a log").Because(err)
	}
	switch {
	case l.Key == "":
		l.Key = key
	case l.Key != key:
		return nil, fault.In(fault.Denied, file, "is the key %s, the log is signed by %s", statement.Short(key), statement.Short(l.Key))
	}
	return s, nil
}

func newLogKey(file string) ([]byte, error) {
	secret, _, err := note.GenerateKey(nil, "log")
	if err != nil {
		return nil, err
	}
	// The log's name is its key's hash, so that no two logs have one name.
	s, err := note.NewSigner(secret)
	if err != nil {
		return nil, err
	}
	secret, key, err := note.GenerateKey(nil, fmt.Sprintf("log-%08x", s.KeyHash()))
	if err != nil {
		return nil, err
	}
	data := []byte(secret + "\n" + key + "\n")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	return data, tcpdb.WritePrivateFile(file, data)
}

// publication collects what is to be added to a registry.
type publication struct {
	home   *Home
	to     depot.Writer
	log    *ledger.Log
	more   []ledger.Entry
	tagged []depot.Tagged
}

// add puts the parts of one pack into the registry, where nobody finds them yet.
func (p *publication) add(ctx context.Context, b *Built, s signedPack) (Outcome, error) {
	o := Outcome{Name: b.Pack.Name, Version: b.Pack.Version, Digest: b.Digest, Level: b.Level.String(), Key: statement.Short(s.key), State: "published"}
	for _, e := range p.more {
		if e.Name == b.Pack.Name && e.Version == b.Pack.Version {
			return o, fault.In(fault.Exists, b.Dir, "%s@%s is given twice", e.Name, e.Version)
		}
	}
	if old := p.log.Find(b.Pack.Name, b.Pack.Version); old != nil {
		if old.Digest != b.Digest {
			return o, fault.New(fault.Exists, "%s@%s is published with other content: it is %s there and %s here", old.Name, old.Version, old.Digest, b.Digest).
				Hint("a version is never replaced: publish the next one").Hint("tmp registry yank %s@%s takes the one that is there back", old.Name, old.Version)
		}
		o.State, o.Key = "unchanged", statement.Short(old.Key)
		return o, nil
	}
	if err := p.sameKey(b, s); err != nil {
		return o, err
	}
	config, packed := b.Files[opmap.PackFile], b.Files.Archive()
	configAt, packedAt := depot.Blob(ledger.PackConfig, config), depot.Blob(ledger.PackLayer, packed)
	if err := p.to.Push(ctx, configAt, config); err != nil {
		return o, err
	}
	if err := p.to.Push(ctx, packedAt, packed); err != nil {
		return o, err
	}
	artifact := depot.Pack(ledger.PackType, configAt, []depot.Descriptor{packedAt}, nil)
	p.tagged = append(p.tagged, depot.Tagged{Tag: ledger.Tag(b.Pack.Name, b.Pack.Version), Manifest: artifact})
	p.more = append(p.more, b.entry(s.key, artifact.Descriptor, p.home.Now()))
	if s.note == nil {
		return o, nil
	}
	return o, p.note(ctx, artifact.Descriptor, s.note)
}

// note adds the note of a pack as what refers to it.
func (p *publication) note(ctx context.Context, of depot.Descriptor, signed []byte) error {
	at := depot.Blob(ledger.NoteType, signed)
	if err := p.to.Push(ctx, at, signed); err != nil {
		return err
	}
	if err := p.to.Push(ctx, depot.Empty.Descriptor, depot.Empty.Data); err != nil {
		return err
	}
	subject := depot.Descriptor{MediaType: of.MediaType, Digest: of.Digest, Size: of.Size}
	p.tagged = append(p.tagged, depot.Tagged{Manifest: depot.Pack(ledger.NoteType, depot.Empty.Descriptor, []depot.Descriptor{at}, &subject)})
	return nil
}

// sameKey refuses a publisher's pack by another key than that of its packs here, unless
// that key names the other one. The note that does so becomes a leaf.
func (p *publication) sameKey(b *Built, s signedPack) error {
	publisher := statement.Publisher(b.Pack.Name)
	latest := ""
	for i := range p.log.Entries {
		if e := &p.log.Entries[i]; e.Kind == ledger.Published && e.Key != "" && statement.Publisher(e.Name) == publisher {
			latest = e.Key
		}
	}
	if latest == "" || s.key == "" || p.log.Follows(latest, s.key) {
		return nil
	}
	for _, signed := range p.home.Ring().Rotations(publisher) {
		e := ledger.Entry{Kind: ledger.Rotated, Name: publisher, Key: s.key, Note: signed, Date: p.home.Now().UTC().Truncate(time.Second)}
		p.log.Add(e)
		p.more = append(p.more, e)
	}
	if p.log.Follows(latest, s.key) {
		return nil
	}
	return fault.New(fault.Denied, "the packs of %s here are signed by %s, this one by %s", publisher, statement.Short(latest), statement.Short(s.key)).
		Hint("a key that follows another one is made by tmp key generate %s --rotate", publisher)
}

// renewAfter is how old a head may become before a publication of nothing new signs
// it again.
const renewAfter = 24 * time.Hour

// commit makes all of it found, in one step.
func (p *publication) commit(ctx context.Context, logKey note.Signer) error {
	now := p.home.Now()
	if len(p.more) == 0 && now.Sub(p.log.Head.Date) < renewAfter {
		return nil
	}
	index, err := ledger.Append(ctx, p.to, p.log, p.more, logKey, now)
	if err != nil {
		return err
	}
	p.tagged = append(p.tagged, depot.Tagged{Tag: ledger.IndexTag, Manifest: index})
	return p.to.Commit(ctx, p.tagged)
}

// Yank takes a version back: a leaf of its own, signed by the publisher.
func (h *Home) Yank(ctx context.Context, from, name, version, reason string, signers Signers) error {
	d, err := depot.Open(from)
	if err != nil {
		return err
	}
	s, key, err := signers(statement.Publisher(name))
	if err != nil {
		return err
	}
	if s == nil {
		return fault.New(fault.Denied, "a yank is signed: there is no key %s", statement.Publisher(name))
	}
	said := statement.Yank{Name: name, Version: version, Reason: reason, Date: h.Now()}
	signed, err := statement.Sign(said.Text(), s)
	if err != nil {
		return err
	}
	return d.Publish(ctx, func(w depot.Writer) error {
		l, err := h.log(ctx, d)
		if err != nil {
			return err
		}
		e := l.Find(name, version)
		switch {
		case e == nil:
			return fault.New(fault.NotFound, "%s has no %s@%s", d.Name(), name, version)
		case l.Yank(name, version) != nil:
			return nil
		case e.Key != "" && !l.Follows(e.Key, key):
			return fault.New(fault.Denied, "%s@%s is signed by %s, not by %s", name, version, statement.Short(e.Key), statement.Short(key))
		}
		logKey, err := h.logKey(d, l)
		if err != nil {
			return err
		}
		p := &publication{home: h, to: w, log: l, more: []ledger.Entry{{Kind: ledger.YankedOne, Name: name, Version: version, Key: key, Note: string(signed), Date: h.Now().UTC().Truncate(time.Second)}}}
		return p.commit(ctx, logKey)
	})
}

// OwnSigners signs by the keys of this person; file names another file for all.
func (h *Home) OwnSigners(file string, unsigned bool, passphrase func(prompt string) (string, error), socket string) Signers {
	type open struct {
		s   note.Signer
		key string
	}
	opened := map[string]open{}
	return func(publisher string) (note.Signer, string, error) {
		if unsigned {
			return nil, "", nil
		}
		if o, ok := opened[publisher]; ok {
			return o.s, o.key, nil
		}
		own, err := h.Ring().Find(file, publisher)
		if keys.Missing(err) {
			return nil, "", fault.New(fault.NotFound, "there is no key of the publisher %s", publisher).
				Hint("tmp key generate %s makes one", publisher).Hint("--unsigned publishes a draft that nobody vouches for")
		}
		if err != nil {
			return nil, "", err
		}
		s, err := own.Signer(passphrase, socket)
		if err != nil {
			return nil, "", err
		}
		opened[publisher] = open{s, own.Key}
		return s, own.Key, nil
	}
}
