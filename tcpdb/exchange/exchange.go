// Package exchange writes and reads descriptors for other programs: as JSON, an
// object a line, and as bytes, each 24-byte record of seed 001 followed by its
// key, whose length the record states.
//
// What is read is checked: a record whose checksum, hash or length is not that
// of its bytes and key is refused, so that a damaged record lowers no risk.
package exchange

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

const (
	recordSize = 24
	maxLine    = 1 << 20
)

// Error is a descriptor that was refused.
type Error struct {
	Line   int   // of JSON input, from 1; 0 for bytes
	Offset int64 // of byte input
	Key    string
	Err    error
}

func (e *Error) Error() string {
	where := fmt.Sprintf("line %d", e.Line)
	if e.Line == 0 {
		where = fmt.Sprintf("byte %d", e.Offset)
	}
	if e.Key != "" {
		where += fmt.Sprintf(", %q", e.Key)
	}
	return where + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// Row is the JSON form of an entry. Record, in hex, counts; the figures beside
// it are for people and must agree where both are given. Without Record they
// make it up.
type Row struct {
	Key        string   `json:"key"`
	Record     string   `json:"record,omitempty"`
	Level      string   `json:"level"`
	Flags      []string `json:"flags"`
	TimeMS     int      `json:"time_ms"`
	MemoryMB   int      `json:"memory_mb"`
	OutputKB   int      `json:"output_kb"`
	Rule       string   `json:"rule,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Safer      string   `json:"safer,omitempty"`
	Scope      string   `json:"scope,omitempty"`
	Provenance string   `json:"provenance,omitempty"`
}

// RowOf returns the JSON form of an entry.
func RowOf(e tcpdb.Entry) Row {
	record := e.Descriptor.Encode()
	r := Row{
		Key: e.Key, Record: hex.EncodeToString(record[:]),
		Level: e.Descriptor.Level().String(), Flags: e.Descriptor.Flags.Names(),
		TimeMS: int(e.Descriptor.ExecMS), MemoryMB: int(e.Descriptor.MemoryMB), OutputKB: int(e.Descriptor.OutputKB),
		Rule: e.Rule, Reason: e.Reason, Safer: e.Safer, Provenance: e.Provenance,
	}
	if e.Scope != tcpdb.NoScope {
		r.Scope = e.Scope.String()
	}
	return r
}

// Entry is the entry that a row stands for.
func (r Row) Entry() (tcpdb.Entry, error) {
	e := tcpdb.Entry{Key: r.Key, Rule: r.Rule, Reason: r.Reason, Safer: r.Safer, Provenance: r.Provenance}
	if r.Key == "" {
		return e, errors.New("no key")
	}
	level, err := tcpdb.ParseLevel(r.Level)
	if err != nil {
		return e, err
	}
	var flags tcpdb.Flags
	for _, name := range r.Flags {
		f, err := tcpdb.ParseFlag(name)
		if err != nil {
			return e, err
		}
		flags |= f
	}
	if e.Scope, err = tcpdb.ParseScope(r.Scope); err != nil {
		return e, err
	}
	e.Descriptor = tcpdb.NewDescriptor(r.Key, level, flags, r.TimeMS, r.MemoryMB, r.OutputKB)
	if r.Record == "" {
		return e, nil
	}
	b, err := hex.DecodeString(r.Record)
	if err != nil {
		return e, fmt.Errorf("record: %w", err)
	}
	d, err := decode(b, r.Key)
	if err != nil {
		return e, err
	}
	if d.Level() != level || d.Flags.Capabilities() != flags {
		return e, fmt.Errorf("the record says %s %v, the row %s %v", d.Level(), d.Flags.Names(), level, r.Flags)
	}
	e.Descriptor = d
	return e, nil
}

// decode reads a record that must be that of key.
func decode(b []byte, key string) (tcpdb.Descriptor, error) {
	d, err := tcpdb.DecodeDescriptor(b)
	if err != nil {
		return d, err
	}
	if want := tcpdb.NewDescriptor(key, tcpdb.Unknown, 0, 0, 0, 0); d.Hash != want.Hash || d.KeyLen != want.KeyLen {
		return d, errors.New("the record is that of another command")
	}
	return d, nil
}

// WriteJSON writes an object a line.
func WriteJSON(w io.Writer, entries []tcpdb.Entry) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, e := range entries {
		if err := enc.Encode(RowOf(e)); err != nil {
			return err
		}
	}
	return nil
}

// WriteBytes writes records and keys. Words beside them (reason, safer way) are
// not part of it.
func WriteBytes(w io.Writer, entries []tcpdb.Entry) error {
	buf := bufio.NewWriter(w)
	for _, e := range entries {
		record := e.Descriptor.Encode()
		buf.Write(record[:])
		buf.WriteString(e.Key)
	}
	return buf.Flush()
}

// Read reads either form, told apart by the first bytes. The first descriptor
// that is refused ends it with *Error and nothing is returned.
func Read(r io.Reader) ([]tcpdb.Entry, error) {
	buf := bufio.NewReader(r)
	if first, _ := buf.Peek(4); bytes.Equal(first, []byte("TCP\x02")) {
		return readBytes(buf)
	}
	return readJSON(buf)
}

func readJSON(r io.Reader) ([]tcpdb.Entry, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	var entries []tcpdb.Entry
	n := 0
	for lines.Scan() {
		n++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var row Row
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&row); err != nil {
			return nil, &Error{Line: n, Err: err}
		}
		if dec.More() {
			return nil, &Error{Line: n, Key: row.Key, Err: errors.New("more than one object")}
		}
		e, err := row.Entry()
		if err != nil {
			return nil, &Error{Line: n, Key: row.Key, Err: err}
		}
		entries = append(entries, e)
	}
	if err := lines.Err(); err != nil {
		return nil, &Error{Line: n + 1, Err: err}
	}
	return entries, nil
}

func readBytes(r io.Reader) ([]tcpdb.Entry, error) {
	var entries []tcpdb.Entry
	offset := int64(0)
	record := make([]byte, recordSize)
	for {
		_, err := io.ReadFull(r, record)
		if err == io.EOF {
			return entries, nil
		}
		if err != nil {
			return nil, &Error{Offset: offset, Err: err}
		}
		d, err := tcpdb.DecodeDescriptor(record)
		if err != nil {
			return nil, &Error{Offset: offset, Err: err}
		}
		key := make([]byte, d.KeyLen)
		if _, err := io.ReadFull(r, key); err != nil {
			return nil, &Error{Offset: offset + recordSize, Err: err}
		}
		if _, err = decode(record, string(key)); err == nil && len(key) == 0 {
			err = errors.New("no key")
		}
		if err != nil {
			return nil, &Error{Offset: offset, Key: string(key), Err: err}
		}
		entries = append(entries, tcpdb.Entry{Key: string(key), Descriptor: d})
		offset += int64(recordSize + len(key))
	}
}
