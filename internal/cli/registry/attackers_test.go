package registry

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/opencontainers/go-digest"
	"golang.org/x/mod/sumdb/note"

	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/registry"
	"github.com/tool-mapping-protocol/tmp/internal/registry/archive"
	"github.com/tool-mapping-protocol/tmp/internal/registry/depot"
	"github.com/tool-mapping-protocol/tmp/internal/registry/ledger"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
)

// What only an attacker does is done here with the parts that the commands are made of.

// paths are where a world's files are.
func (w *world) paths() place.Paths {
	return place.Find(func(name string) string {
		if name == "HOME" {
			return w.home
		}
		return ""
	})
}

func (w *world) dirOf(reg string) string { return strings.TrimPrefix(reg, "dir:") }

// copyLogKey gives a thief what signs the log.
func copyLogKey(t *testing.T, from, to *world) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(from.dir, "reg.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to.dir, "reg.key"), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// logSigner opens the key of a log.
func logSigner(t *testing.T, file string) note.Signer {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	secret, _, _ := strings.Cut(string(data), "\n")
	s, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// forgery is a pack as an attacker publishes it: with files, an entry and a note of
// their own making.
type forgery struct {
	files  archive.Files
	packed []byte // in the place of the archive of the files
	entry  ledger.Entry
	note   []byte
	tag    string // in the place of the pack's
	// entries are leaves beside the pack's.
	entries []ledger.Entry
}

// forge makes what publishing the pack in a directory would add, to be changed.
func (w *world) forge(dir string, key string, sign func(text string) []byte) *forgery {
	w.t.Helper()
	files, err := archive.ReadDir(dir)
	if err != nil {
		w.t.Fatal(err)
	}
	b, err := registry.Build(dir)
	if err != nil {
		w.t.Fatal(err)
	}
	f := &forgery{files: files, entry: ledger.Entry{
		Kind: ledger.Published, Name: b.Pack.Name, Version: b.Pack.Version, Digest: b.Digest, Key: key,
		Level: b.Level.String(), Review: b.Pack.Review, Date: w.now,
	}}
	if sign != nil {
		said := statement.Pack{Name: b.Pack.Name, Version: b.Pack.Version, Digest: b.Digest, Level: b.Level, Flags: b.Flags, Tools: []string{b.Pack.Tools[0].Tool}, Date: w.now}
		f.note = sign(said.Text())
	}
	return f
}

// signer signs with a world's key of a name.
func (w *world) signer(name string) func(text string) []byte {
	h := &registry.Home{Paths: w.paths()}
	own, err := h.Ring().Find("", name)
	if err != nil {
		w.t.Fatal(err)
	}
	s, err := own.Signer(nil, w.socket)
	if err != nil {
		w.t.Fatal(err)
	}
	return func(text string) []byte {
		signed, err := statement.Sign(text, s)
		if err != nil {
			w.t.Fatal(err)
		}
		return signed
	}
}

// publishForged adds a forgery to a registry and its log, without any check.
func publishForged(t *testing.T, w *world, reg string, f *forgery) {
	t.Helper()
	d, err := depot.Open(reg)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	client := &ledger.Client{Memory: t.TempDir(), Now: func() time.Time { return w.now }, MaxAge: registry.DefaultMaxAge}
	err = d.Publish(ctx, func(out depot.Writer) error {
		l, err := client.Load(ctx, d)
		if err != nil {
			return err
		}
		packed := f.packed
		if packed == nil {
			packed = f.files.Archive()
		}
		config := f.files["pack.json"]
		configAt, packedAt := depot.Blob(ledger.PackConfig, config), depot.Blob(ledger.PackLayer, packed)
		for _, x := range []struct {
			d    depot.Descriptor
			data []byte
		}{{configAt, config}, {packedAt, packed}, {depot.Empty.Descriptor, depot.Empty.Data}} {
			if err := out.Push(ctx, x.d, x.data); err != nil {
				return err
			}
		}
		artifact := depot.Pack(ledger.PackType, configAt, []depot.Descriptor{packedAt}, nil)
		e := f.entry
		if e.Manifest == "" {
			e.Manifest, e.Size = artifact.Descriptor.Digest.String(), artifact.Descriptor.Size
		}
		tag := f.tag
		if tag == "" {
			tag = ledger.Tag(e.Name, e.Version)
		}
		tagged := []depot.Tagged{{Tag: tag, Manifest: artifact}}
		if f.note != nil {
			at := depot.Blob(ledger.NoteType, f.note)
			if err := out.Push(ctx, at, f.note); err != nil {
				return err
			}
			tagged = append(tagged, depot.Tagged{Manifest: depot.Pack(ledger.NoteType, depot.Empty.Descriptor, []depot.Descriptor{at}, &artifact.Descriptor)})
		}
		index, err := ledger.Append(ctx, out, l, append(f.entries, e), logSigner(t, w.dirOf(reg)+".key"), w.now)
		if err != nil {
			return err
		}
		return out.Commit(ctx, append(tagged, depot.Tagged{Tag: ledger.IndexTag, Manifest: index}))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// publishUnchecked is what a stolen log key and a key of the same name can publish.
func publishUnchecked(t *testing.T, w *world, dir, reg string) {
	t.Helper()
	h := &registry.Home{Paths: w.paths()}
	own, err := h.Ring().Find("", "acme")
	if err != nil {
		t.Fatal(err)
	}
	publishForged(t, w, reg, w.forge(dir, own.Key, w.signer("acme")))
}

func digestOf(data []byte) digest.Digest { return digest.FromBytes(data) }
