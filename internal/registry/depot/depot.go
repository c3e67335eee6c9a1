// Package depot is where artifacts lie: an OCI image layout in a directory (dir.go) or
// a registry that speaks OCI's protocol (oci.go). It moves bytes and knows digests;
// what the artifacts mean is for others.
package depot

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
)

// Descriptor names content by digest, size and media type.
type Descriptor = ocispec.Descriptor

// Depot is a place of artifacts, for reading.
type Depot interface {
	// Name is "dir:PATH" or "oci:HOST/PATH".
	Name() string
	// Resolve finds the manifest of a tag. Without it: fault.NotFound.
	Resolve(ctx context.Context, tag string) (Descriptor, error)
	// Fetch reads content, of max bytes at most, and holds it against its digest.
	Fetch(ctx context.Context, d Descriptor, max int64) ([]byte, error)
	// Referrers lists the artifacts of a type that are about a manifest.
	Referrers(ctx context.Context, of Descriptor, artifactType string) ([]Descriptor, error)
	// Publish lets fn add to the depot, beside no other publisher. What fn adds is
	// there after Commit alone.
	Publish(ctx context.Context, fn func(w Writer) error) error
}

// Writer adds to a depot. Push puts content there, which nobody finds before Commit.
type Writer interface {
	Push(ctx context.Context, d Descriptor, data []byte) error
	// Commit makes manifests found by their tags, in their order: the last one last.
	Commit(ctx context.Context, tagged []Tagged) error
}

// Tagged is a manifest and the tag by which it is found; without a tag it is one that
// refers to another.
type Tagged struct {
	Tag      string
	Manifest Artifact
}

// Artifact is a manifest that is packed.
type Artifact struct {
	Descriptor Descriptor
	Data       []byte
}

// Blob describes bytes.
func Blob(mediaType string, data []byte) Descriptor {
	return Descriptor{MediaType: mediaType, Digest: digest.FromBytes(data), Size: int64(len(data))}
}

// Empty is the content of artifacts that have no configuration.
var Empty = Artifact{ocispec.DescriptorEmptyJSON, []byte("{}")}

// Pack makes the manifest of an artifact; subject may be nil.
func Pack(artifactType string, config Descriptor, layers []Descriptor, subject *Descriptor) Artifact {
	m := ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
		ArtifactType: artifactType, Config: config, Layers: layers, Subject: subject,
	}
	data, _ := json.Marshal(m) // of strings and numbers alone
	d := Blob(ocispec.MediaTypeImageManifest, data)
	d.ArtifactType = artifactType
	return Artifact{d, data}
}

// maxManifest bounds a manifest and an index of referrers.
const maxManifest = 4 << 20

// Manifest reads a manifest of an artifact type.
func Manifest(ctx context.Context, from Depot, d Descriptor, artifactType string) (*ocispec.Manifest, error) {
	data, err := from.Fetch(ctx, d, maxManifest)
	if err != nil {
		return nil, err
	}
	m := &ocispec.Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fault.New(fault.BadAnswer, "%s: %s is no manifest", from.Name(), short(d)).Because(err)
	}
	if m.ArtifactType != artifactType {
		return nil, fault.New(fault.BadAnswer, "%s: %s is a %q, not %s", from.Name(), short(d), m.ArtifactType, artifactType)
	}
	return m, nil
}

func short(d Descriptor) string {
	s := d.Digest.String()
	return s[:min(len(s), 19)]
}

// Open returns the depot of a name: "dir:PATH" or "oci:HOST/PATH".
func Open(name string) (Depot, error) {
	kind, where, _ := strings.Cut(name, ":")
	switch {
	case kind == "dir" && filepath.IsAbs(where):
		return newDir(filepath.Clean(where)), nil
	case kind == "dir":
		return nil, fault.New(fault.BadName, "%q: want an absolute path, dir:/srv/packs", name)
	case kind == "oci" && where != "":
		return newOCI(where)
	}
	return nil, fault.New(fault.BadName, "%q is no registry: want dir:PATH or oci:HOST/PATH", name)
}

// read takes what a fetcher gives and holds it against the descriptor.
func read(r io.Reader, d Descriptor) ([]byte, error) { return content.ReadAll(r, d) }

// altered says that content is not what its digest says.
func altered(name string, d Descriptor, err error) error {
	return fault.New(fault.Altered, "%s: %s is not what its digest says", name, short(d)).Because(err)
}

func isMismatch(err error) bool {
	return errors.Is(err, content.ErrMismatchedDigest) || errors.Is(err, content.ErrTrailingData) || errors.Is(err, content.ErrInvalidDescriptorSize) || errors.Is(err, io.ErrUnexpectedEOF)
}
