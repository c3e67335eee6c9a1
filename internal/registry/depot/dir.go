package depot

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content/oci"
	"oras.land/oras-go/v2/errdef"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// dir is an OCI image layout. Its content is oras's; index.json, which says what
// there is, is replaced in one step and under a lock, so that a publisher that is
// killed leaves the old one.
type dir struct {
	path string
	load func() (*ocispec.Index, error)
}

func newDir(path string) *dir {
	d := &dir{path: path}
	d.forget()
	return d
}

// forget lets index.json be read again.
func (d *dir) forget() {
	var index *ocispec.Index
	d.load = func() (*ocispec.Index, error) {
		if index != nil {
			return index, nil
		}
		i, err := d.readIndex()
		if err == nil {
			index = i
		}
		return i, err
	}
}

func (d *dir) Name() string { return "dir:" + d.path }

// maxIndex bounds index.json.
const maxIndex = 256 << 20

func (d *dir) readIndex() (*ocispec.Index, error) {
	name := filepath.Join(d.path, ocispec.ImageIndexFile)
	data, err := readPlain(name, maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "%s: there is no registry yet: nothing was published there", d.Name())
	}
	if err != nil {
		return nil, err
	}
	index := &ocispec.Index{}
	if err := json.Unmarshal(data, index); err != nil {
		return nil, fault.In(fault.Altered, name, "cannot be read").Because(err)
	}
	return index, nil
}

func readPlain(name string, max int64) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fault.In(fault.Altered, name, "is no plain file")
	}
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err == nil && int64(len(data)) > max {
		return nil, fault.In(fault.Altered, name, "has more than %d bytes", max)
	}
	return data, err
}

func (d *dir) Resolve(_ context.Context, tag string) (Descriptor, error) {
	index, err := d.load()
	if err != nil {
		return Descriptor{}, err
	}
	i := slices.IndexFunc(index.Manifests, func(m Descriptor) bool { return m.Annotations[ocispec.AnnotationRefName] == tag })
	if i < 0 {
		return Descriptor{}, fault.New(fault.NotFound, "%s has no %q", d.Name(), tag)
	}
	return index.Manifests[i], nil
}

func (d *dir) Fetch(ctx context.Context, desc Descriptor, max int64) ([]byte, error) {
	if err := desc.Digest.Validate(); err != nil {
		return nil, fault.New(fault.Altered, "%s: %q is no digest", d.Name(), desc.Digest)
	}
	if desc.Size > max || desc.Size < 0 {
		return nil, fault.New(fault.Altered, "%s: %s is to have %d bytes: more than %d", d.Name(), short(desc), desc.Size, max)
	}
	file := filepath.Join(d.path, ocispec.ImageBlobsDir, desc.Digest.Algorithm().String(), desc.Digest.Encoded())
	if st, err := os.Stat(file); err == nil && !st.Mode().IsRegular() {
		return nil, fault.In(fault.Altered, file, "is no plain file")
	}
	s, err := oci.NewStorage(d.path)
	if err != nil {
		return nil, err
	}
	r, err := s.Fetch(ctx, desc)
	if err != nil {
		if errors.Is(err, errdef.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			return nil, fault.New(fault.NotFound, "%s: %s is missing", d.Name(), short(desc))
		}
		return nil, err
	}
	defer r.Close()
	data, err := read(r, desc)
	if err != nil && isMismatch(err) {
		return nil, altered(d.Name(), desc, err)
	}
	return data, err
}

// referrersTag is the tag of the list of what refers to a manifest, where a registry
// has no way to ask (OCI distribution spec, "Referrers Tag Schema").
func referrersTag(d Descriptor) string {
	return d.Digest.Algorithm().String() + "-" + d.Digest.Encoded()
}

func (d *dir) Referrers(ctx context.Context, of Descriptor, artifactType string) ([]Descriptor, error) {
	list, err := d.referrers(ctx, of)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(r Descriptor) bool { return r.ArtifactType != artifactType }), nil
}

func (d *dir) referrers(ctx context.Context, of Descriptor) ([]Descriptor, error) {
	at, err := d.Resolve(ctx, referrersTag(of))
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := d.Fetch(ctx, at, maxManifest)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := &ocispec.Index{}
	if err := json.Unmarshal(data, list); err != nil {
		return nil, fault.New(fault.Altered, "%s: the list of notes cannot be read", d.Name()).Because(err)
	}
	return list.Manifests, nil
}

// lockWait is how long a publisher waits for another one.
const lockWait = time.Minute

func (d *dir) Publish(ctx context.Context, fn func(w Writer) error) error {
	if err := os.MkdirAll(d.path, 0o755); err != nil {
		return err
	}
	lock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	d.forget()
	d.sweep()
	if err := d.layout(); err != nil {
		return err
	}
	s, err := oci.NewStorage(d.path)
	if err != nil {
		return err
	}
	return fn(&dirWriter{d, s, lock})
}

func (d *dir) lock(ctx context.Context) (*tcpdb.FileLock, error) {
	until := time.Now().Add(lockWait)
	for {
		lock, err := tcpdb.Lock(filepath.Join(d.path, ocispec.ImageIndexFile))
		var busy *tcpdb.BusyError
		if err == nil || !errors.As(err, &busy) {
			return lock, err
		}
		if ctx.Err() != nil || time.Now().After(until) {
			return nil, fault.New(fault.Network, "%s", err)
		}
	}
}

// sweep takes away what killed publishers left half written. Those under the lock are
// no more.
func (d *dir) sweep() {
	old, _ := filepath.Glob(filepath.Join(strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`).Replace(d.path), "ingest", "*")) // no more than untidy
	for _, file := range old {
		_ = os.Remove(file)
	}
}

// layout makes the directory one of the layout.
func (d *dir) layout() error {
	name := filepath.Join(d.path, ocispec.ImageLayoutFile)
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	return tcpdb.WriteFile(name, []byte(`{"imageLayoutVersion":"1.0.0"}`+"\n"))
}

type dirWriter struct {
	*dir
	store *oci.Storage
	lock  *tcpdb.FileLock
}

func (w *dirWriter) Push(ctx context.Context, d Descriptor, data []byte) error {
	// What is there may have been damaged since: it is put right.
	if _, err := w.Fetch(ctx, d, d.Size); err == nil {
		return nil
	} else if fault.Is(err, fault.Altered) {
		file := filepath.Join(w.path, ocispec.ImageBlobsDir, d.Digest.Algorithm().String(), d.Digest.Encoded())
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	err := w.store.Push(ctx, d, strings.NewReader(string(data)))
	if errors.Is(err, errdef.ErrAlreadyExists) {
		return nil
	}
	return err
}

func (w *dirWriter) Commit(ctx context.Context, tagged []Tagged) error {
	index, err := w.load()
	if fault.Is(err, fault.NotFound) {
		index, err = &ocispec.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex}, nil
	}
	if err != nil {
		return err
	}
	places := map[string]int{}
	for i, m := range index.Manifests {
		places[m.Annotations[ocispec.AnnotationRefName]+"\x00"+untagged(m)] = i
	}
	put := func(tag string, d Descriptor) {
		if tag != "" {
			d.Annotations = map[string]string{ocispec.AnnotationRefName: tag}
		}
		key := tag + "\x00" + untagged(d)
		if i, there := places[key]; there {
			index.Manifests[i] = d
			return
		}
		places[key] = len(index.Manifests)
		index.Manifests = append(index.Manifests, d)
	}
	for _, t := range tagged {
		if err := w.Push(ctx, t.Manifest.Descriptor, t.Manifest.Data); err != nil {
			return err
		}
		put(t.Tag, t.Manifest.Descriptor)
		var m ocispec.Manifest
		if json.Unmarshal(t.Manifest.Data, &m) == nil && m.Subject != nil {
			list, err := w.addReferrer(ctx, *m.Subject, t.Manifest.Descriptor)
			if err != nil {
				return err
			}
			put(referrersTag(*m.Subject), list)
		}
	}
	data, err := json.Marshal(index)
	if err != nil {
		return err
	}
	if err := w.lock.Write(append(data, '\n'), 0o644); err != nil {
		return err
	}
	w.forget()
	return nil
}

// untagged tells manifests without a tag apart.
func untagged(d Descriptor) string {
	if d.Annotations[ocispec.AnnotationRefName] != "" {
		return ""
	}
	return d.Digest.String()
}

// addReferrer writes the list of what refers to a manifest, with one more.
func (w *dirWriter) addReferrer(ctx context.Context, subject, d Descriptor) (Descriptor, error) {
	list, err := w.referrers(ctx, subject)
	if err != nil {
		list = nil // the old one is damaged
	}
	if !slices.ContainsFunc(list, func(o Descriptor) bool { return o.Digest == d.Digest }) {
		list = append(list, d)
	}
	data, err := json.Marshal(ocispec.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex, Manifests: list})
	if err != nil {
		return Descriptor{}, err
	}
	out := Blob(ocispec.MediaTypeImageIndex, data)
	return out, w.Push(ctx, out, data)
}
