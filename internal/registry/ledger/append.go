package ledger

import (
	"context"
	"encoding/json"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/tool-mapping-protocol/tmp/internal/registry/depot"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
)

// stored are the hashes of a log as tlog stores them.
type stored []tlog.Hash

// ReadHashes is of tlog.HashReader.
func (s stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		out[i] = s[x]
	}
	return out, nil
}

func hashesOf(leaves []json.RawMessage) stored {
	s := make(stored, 0, 2*len(leaves))
	for i, leaf := range leaves {
		more, _ := tlog.StoredHashes(int64(i), leaf, s) // those before are there
		s = append(s, more...)
	}
	return s
}

// Append makes the index artifact of a log with more entries, and puts its parts into
// the depot. Who commits it under the tag makes it the registry's.
func Append(ctx context.Context, w depot.Writer, l *Log, more []Entry, signer note.Signer, now time.Time) (depot.Artifact, error) {
	leaves := l.leaves
	for i := range more {
		leaves = append(leaves, more[i].Encode())
	}
	hashes := hashesOf(leaves)
	n := int64(len(leaves))
	root, err := tlog.TreeHash(n, hashes)
	if err != nil {
		return depot.Artifact{}, err
	}
	head := statement.Head{Origin: signer.Name(), Tree: tlog.Tree{N: n, Hash: root}, Date: now}
	signed, err := statement.Sign(head.Text(), signer)
	if err != nil {
		return depot.Artifact{}, err
	}
	list, err := json.Marshal(catalogue{1, l.Key, leaves})
	if err != nil {
		return depot.Artifact{}, err
	}
	var layers []depot.Descriptor
	put := func(mediaType, title string, data []byte) error {
		d := depot.Blob(mediaType, data)
		if err := w.Push(ctx, d, data); err != nil {
			return err
		}
		if title != "" {
			d.Annotations = map[string]string{ocispec.AnnotationTitle: title}
		}
		layers = append(layers, d)
		return nil
	}
	if err := put(IndexType, "", list); err != nil {
		return depot.Artifact{}, err
	}
	if err := put(HeadType, "", signed); err != nil {
		return depot.Artifact{}, err
	}
	for _, t := range tlog.NewTiles(tileHeight, 0, n) {
		data, err := tlog.ReadTileData(t, hashes)
		if err != nil {
			return depot.Artifact{}, err
		}
		if err := put(TileType, t.Path(), data); err != nil {
			return depot.Artifact{}, err
		}
	}
	if err := w.Push(ctx, depot.Empty.Descriptor, depot.Empty.Data); err != nil {
		return depot.Artifact{}, err
	}
	return depot.Pack(IndexType, depot.Empty.Descriptor, layers, nil), nil
}
