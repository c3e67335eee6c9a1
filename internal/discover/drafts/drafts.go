// Package drafts keeps the drafts of source maps: DIR/TOOL.json, which a person
// may edit, and beside it in DIR/.base what was generated, with the identity of
// the program that it was generated from.
package drafts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maxFile bounds what is read of one draft, in bytes.
const maxFile = 32 << 20

// Dir is a directory of drafts.
type Dir string

// Base is what was generated for a tool.
type Base struct {
	V        int            `json:"v"`
	Tool     string         `json:"tool"`
	Identity string         `json:"identity"`          // of the program and the texts about it
	Program  string         `json:"program,omitempty"` // its file, absolute, no link
	Version  string         `json:"version,omitempty"`
	From     map[string]int `json:"from"` // texts that were read, by kind
	Gaps     int            `json:"gaps"`
	Flags    int            `json:"flags"`
	Commands int            `json:"commands"`
	// Described says where the tool's description was read.
	Described string `json:"described,omitempty"`
	// Words are all that look like an option in the texts.
	Words []string `json:"words,omitempty"`
	// Source is the generated map; none if nothing is written about the tool.
	Source json.RawMessage `json:"source,omitempty"`
	// Import is the map that a person imported for the tool.
	Import json.RawMessage `json:"import,omitempty"`
	// Why there is no draft.
	Why string `json:"why,omitempty"`
}

// File is the draft of a tool.
func (d Dir) File(tool string) string { return filepath.Join(string(d), tool+".json") }

func (d Dir) baseFile(tool string) string { return filepath.Join(string(d), ".base", tool+".json") }

// Base reads what was generated for a tool before; nil if that is not known.
func (d Dir) Base(tool string) *Base {
	data, err := read(d.baseFile(tool))
	if err != nil {
		return nil
	}
	b := &Base{}
	if json.Unmarshal(data, b) != nil || b.V != 1 || b.Tool != tool {
		return nil
	}
	return b
}

func read(file string) ([]byte, error) {
	st, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxFile {
		return nil, &fs.PathError{Op: "read", Path: file, Err: errors.New("is not a regular file of a draft's size")}
	}
	return os.ReadFile(file)
}

// Tools lists the tools that have a draft, sorted.
func (d Dir) Tools() []string {
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if tool, ok := strings.CutSuffix(e.Name(), ".json"); ok && e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			out = append(out, tool)
		}
	}
	slices.Sort(out)
	return out
}

// Read reads the draft of a tool as it stands, with a person's edits.
func (d Dir) Read(tool string) (*opmap.Source, error) {
	data, err := read(d.File(tool))
	if err != nil {
		return nil, err
	}
	s, problems := opmap.Parse(d.File(tool), data, opmap.ParseOptions{})
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if s.Tool != tool {
		return nil, fmt.Errorf("%s: is the map of %q", d.File(tool), s.Tool)
	}
	return s, nil
}

// Outcome is what putting a draft did.
type Outcome struct {
	Edited    bool // a person's edits were carried over
	Conflicts []Conflict
}

// Put writes a newly generated draft, joined with what was imported for the
// tool. What a person edited in the one before is kept.
func (d Dir) Put(b Base, generated *opmap.Source) (Outcome, error) {
	before := d.Base(b.Tool)
	if before != nil {
		b.Import = before.Import
	}
	b.Source = compact(generated.Encode())
	return d.store(before, b)
}

// Import writes what a person imported for a tool, joined with what was
// generated for it. An earlier import goes; edits are kept.
func (d Dir) Import(imported *opmap.Source) (Outcome, error) {
	before := d.Base(imported.Tool)
	b := Base{Tool: imported.Tool, From: map[string]int{}}
	if before != nil {
		b = *before
	}
	b.Import = compact(imported.Encode())
	return d.store(before, b)
}

// whole is the map that generated and imported make together, indented; nil if
// there is neither.
func (d Dir) whole(b *Base) ([]byte, error) {
	var made [2]*opmap.Source
	for i, data := range []json.RawMessage{b.Source, b.Import} {
		if len(data) == 0 {
			continue
		}
		s, problems := opmap.Parse(d.baseFile(b.Tool), data, opmap.ParseOptions{})
		if err := problems.Err(); err != nil {
			return nil, err
		}
		made[i] = s
	}
	switch {
	case made[0] == nil && made[1] == nil:
		return nil, nil
	case made[0] == nil:
		return made[1].Encode(), nil
	case made[1] == nil:
		return made[0].Encode(), nil
	}
	return Join(made[0], made[1]).Encode(), nil
}

// store writes a draft and its base. The draft is written first: whenever the
// writing ends in between, it is done again, and nothing is taken for an edit
// that is none.
func (d Dir) store(before *Base, b Base) (Outcome, error) {
	var out Outcome
	b.V = 1
	data, err := d.whole(&b)
	if err != nil {
		return out, err
	}
	old, err := read(d.File(b.Tool))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return out, err
	case before == nil || len(before.Source) == 0 && len(before.Import) == 0:
		if !bytes.Equal(old, data) {
			return out, fmt.Errorf("%s: was not generated here: remove it to have it drafted", d.File(b.Tool))
		}
	default:
		merged, conflicts, err := d.carry(before, old, data)
		if err != nil {
			return out, fmt.Errorf("%s: its edits cannot be carried over, mend it or remove it: %w", d.File(b.Tool), err)
		}
		out.Edited, out.Conflicts = !bytes.Equal(merged, data), conflicts
		data = merged
	}
	if !bytes.Equal(old, data) {
		if err := write(d.File(b.Tool), data); err != nil {
			return out, err
		}
	}
	return out, d.putBase(b)
}

// carry merges edits into a newly made draft.
func (d Dir) carry(before *Base, edited, made []byte) ([]byte, []Conflict, error) {
	base, err := d.whole(before)
	if err != nil {
		return nil, nil, err
	}
	if bytes.Equal(compact(edited), compact(base)) {
		return made, nil, nil
	}
	merged, conflicts, err := Merge(base, edited, made)
	if err != nil {
		return nil, nil, err
	}
	s, problems := opmap.Parse(d.File(before.Tool), merged, opmap.ParseOptions{})
	if err := problems.Err(); err != nil {
		return nil, nil, err
	}
	return s.Encode(), conflicts, nil
}

// Generated is the map that was generated for a tool, without edits and imports;
// nil if there is none.
func (d Dir) Generated(b *Base) *opmap.Source {
	if len(b.Source) == 0 {
		return nil
	}
	s, problems := opmap.Parse(d.baseFile(b.Tool), b.Source, opmap.ParseOptions{})
	if problems.Err() != nil {
		return nil
	}
	return s
}

// Remove takes away the draft of a tool and what is known of how it was made.
func (d Dir) Remove(tool string) error {
	err := os.Remove(d.File(tool))
	if other := os.Remove(d.baseFile(tool)); other != nil && !errors.Is(other, fs.ErrNotExist) {
		err = errors.Join(err, other)
	}
	return err
}

// PutNone notes that nothing is written about a tool, so that it is not asked
// again. A draft of it that was never edited goes.
func (d Dir) PutNone(b Base) error {
	b.V, b.Source = 1, nil
	before := d.Base(b.Tool)
	if before != nil && len(before.Import) > 0 {
		b.Import = before.Import
		_, err := d.store(before, b)
		return err
	}
	if before != nil && len(before.Source) > 0 {
		if old, err := read(d.File(b.Tool)); err == nil && bytes.Equal(compact(old), before.Source) {
			if err := os.Remove(d.File(b.Tool)); err != nil {
				return err
			}
		} else if err == nil {
			b.Source = before.Source // a person's: it stays
		}
	}
	return d.putBase(b)
}

func (d Dir) putBase(b Base) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // the map is to be the bytes that it was
	if err := enc.Encode(b); err != nil {
		return err
	}
	return write(d.baseFile(b.Tool), out.Bytes())
}

// Lock takes the right to write drafts; it makes the directory.
func (d Dir) Lock() (*tcpdb.FileLock, error) {
	if err := os.MkdirAll(filepath.Join(string(d), ".base"), 0o755); err != nil {
		return nil, err
	}
	return tcpdb.Lock(filepath.Join(string(d), ".base", ".drafts"))
}

// write puts data in the place of a file; whoever calls it holds the lock.
// After it, and after a crash at any moment of it, the file is the old one or
// the new one.
func write(file string, data []byte) error {
	dir, name := filepath.Split(file)
	temp := dir + "." + name + ".new"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NOFOLLOW, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	if at, err := os.Open(dir); err == nil {
		_ = at.Sync() // not every file system can
		at.Close()
	}
	return nil
}

func compact(data []byte) json.RawMessage {
	var out bytes.Buffer
	if json.Compact(&out, data) != nil {
		return nil
	}
	return out.Bytes()
}
