// Package ledger is what a registry says it has: the catalogue, and the log that it is
// held against, whose leaves are the catalogue's entries. A client keeps the last head
// of each log that it saw and takes no other past (client.go); a publisher adds to it
// (append.go).
package ledger

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
)

// Media types of a registry's artifacts.
const (
	PackType      = "application/vnd.tmp.pack.v1+json"
	PackConfig    = "application/vnd.tmp.pack.config.v1+json"
	PackLayer     = "application/vnd.tmp.pack.layer.v1.tar+gzip"
	NoteType      = "application/vnd.tmp.note.v1"
	IndexType     = "application/vnd.tmp.index.v1+json"
	HeadType      = "application/vnd.tmp.head.v1"
	TileType      = "application/vnd.tmp.tile.v1"
	IndexTag      = "index"
	tileHeight    = 8
	maxCatalogue  = 128 << 20
	maxSignedHead = 4 << 10
)

// Kind says what an entry is about.
type Kind string

// The kinds of entries. Where kinds are added, old clients pass over them.
const (
	Published Kind = "pack"
	YankedOne Kind = "yank"
	Rotated   Kind = "key"
)

// Entry is one leaf of the log: its JSON is what is hashed.
type Entry struct {
	Kind    Kind   `json:"kind"`
	Name    string `json:"name"` // of the pack; of a key its publisher
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"` // h1: of the files
	// Manifest is the digest of the artifact, and Size that of its manifest.
	Manifest string `json:"manifest,omitempty"`
	Size     int64  `json:"size,omitempty"`
	// Key is the whole key that signed, "" where nothing is signed.
	Key string `json:"key,omitempty"`
	// Note is the signed note of a yank or of a key.
	Note        string    `json:"note,omitempty"`
	Description string    `json:"description,omitempty"`
	License     string    `json:"license,omitempty"`
	Tools       []Tool    `json:"tools,omitempty"`
	Platforms   []string  `json:"platforms,omitempty"`
	Requires    []string  `json:"requires,omitempty"`
	Level       string    `json:"level,omitempty"`
	Flags       []string  `json:"flags,omitempty"`
	Review      string    `json:"review,omitempty"`
	Date        time.Time `json:"date"`
}

// Tool is a tool that a pack maps.
type Tool struct {
	Tool         string `json:"tool"`
	VersionRange string `json:"version_range,omitempty"`
}

// Tag is the tag of a pack's artifact.
func Tag(name, version string) string {
	return strings.Replace(name, "/", ".", 1) + "." + strings.Replace(version, "+", "_", 1)
}

// Encode is the leaf of an entry.
func (e *Entry) Encode() json.RawMessage {
	data, _ := json.Marshal(e) // of strings and numbers alone
	return data
}

// decode reads a leaf. Of an entry about a pack the names are held to their grammar:
// they are shown, and become parts of paths.
func decode(raw json.RawMessage) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(raw, &e); err != nil {
		return e, fault.New(fault.BadAnswer, "an entry of the catalogue cannot be read").Because(err)
	}
	switch e.Kind {
	case Published, YankedOne:
		if err := statement.CheckName(e.Name); err != nil {
			return e, err
		}
		if err := statement.CheckVersion(e.Version); err != nil {
			return e, err
		}
	case Rotated:
		return e, statement.CheckPublisher(e.Name)
	}
	if e.Kind == Published {
		return e, statement.CheckDigest(e.Digest)
	}
	return e, nil
}

// catalogue is the file of that name.
type catalogue struct {
	V       int               `json:"v"`
	Key     string            `json:"key"` // the log's
	Entries []json.RawMessage `json:"entries"`
}
