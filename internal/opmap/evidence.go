package opmap

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Record is the evidence that this machine holds for one operation, or for the
// tree of a map: $XDG_STATE_HOME/tmp/evidence/<hash>.json.
type Record struct {
	V         int     `json:"v"`
	Hash      string  `json:"hash"`                // see Source.Hash and Source.TreeHash
	Operation string  `json:"operation,omitempty"` // "" for a tree
	Tool      string  `json:"tool"`
	Items     []Proof `json:"evidence"`
	// Seen are programs whose version was found out, the newest last.
	Seen []Seen `json:"seen,omitempty"`
}

// Proof is one piece of evidence, found or given on this machine.
type Proof struct {
	Kind        string    `json:"kind"`
	Date        time.Time `json:"date"`
	Program     string    `json:"program,omitempty"`      // see ProgramVersion
	ToolVersion string    `json:"tool_version,omitempty"` // as the tool says it, "2.39.5"; "" if it does not
	Hash        string    `json:"hash,omitempty"`         // hex SHA-256 of what was looked at
	By          string    `json:"by,omitempty"`           // who reviewed it
	Note        string    `json:"note,omitempty"`         // how it was looked at, "git clean --dry-run"
}

// Seen is a program and its version.
type Seen struct {
	Program     string `json:"program"`
	ToolVersion string `json:"tool_version"`
}

// maxSeen is how many programs a record remembers.
const maxSeen = 8

// EvidenceStore knows what makes an operation verified on this machine: each
// kind of evidence that its rule asks for (Source.Required), of this very
// content and for this program. Evidence for another build of the program
// counts where the map has a range of versions and both are in it.
type EvidenceStore struct {
	Paths place.Paths
	// Program returns what stands for the program that an operation runs, or
	// with a nil op for the map's tool; see ProgramVersion.
	Program func(s *Source, op *Operation) string
	// Version returns the version of that program, "" if it is not known; nil
	// knows none. It is asked only where the program is another one than that
	// of the evidence.
	Version func(s *Source, op *Operation) string
}

// Standing is Evidence where nothing is missing, else Claimed or Draft as the file
// says.
func (e *EvidenceStore) Standing(s *Source, op *Operation) tcpdb.Standing {
	switch {
	case e.Paths.State != "" && len(e.Missing(s, op)) == 0:
		return tcpdb.Evidence
	case op.Verified:
		return tcpdb.Claimed
	}
	return tcpdb.Draft
}

// judge lets the store say how the operations of a layer stand.
func (e *EvidenceStore) judge(l *Layering) {
	if e != nil {
		l.Standing, l.Program = e.Standing, e.program
	}
}

// Missing lists the kinds of evidence that an operation lacks to be verified, or
// with a nil op the map's tree. An unreadable record is no evidence.
func (e *EvidenceStore) Missing(s *Source, op *Operation) []string {
	required := s.Required(op)
	r, err := e.read(s.hashOf(op))
	if err != nil {
		return required
	}
	var missing []string
	for _, kind := range required {
		if !slices.ContainsFunc(r.Items, func(p Proof) bool { return p.Kind == kind && e.counts(s, op, r, p) }) {
			missing = append(missing, kind)
		}
	}
	return missing
}

// Counting returns the pieces of evidence for an operation or tree that count now.
func (e *EvidenceStore) Counting(s *Source, op *Operation) []Proof {
	r, err := e.read(s.hashOf(op))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Items), func(p Proof) bool { return !e.counts(s, op, r, p) })
}

// counts reports whether a piece of evidence is of the program that is there,
// or of a version in the map's range as that one is.
func (e *EvidenceStore) counts(s *Source, op *Operation, r *Record, p Proof) bool {
	versions, err := ParseRange(s.VersionRange)
	program := e.program(s, op)
	if err != nil || len(versions) == 0 {
		return p.Program == program
	}
	if p.Program == program {
		return p.ToolVersion == "" || versions.Holds(p.ToolVersion)
	}
	if p.ToolVersion == "" || program == "" || !versions.Holds(p.ToolVersion) {
		return false
	}
	for _, seen := range slices.Backward(r.Seen) {
		if seen.Program == program {
			return versions.Holds(seen.ToolVersion)
		}
	}
	version := e.version(s, op)
	return version != "" && versions.Holds(version)
}

func (e *EvidenceStore) program(s *Source, op *Operation) string {
	if e.Program == nil {
		return ""
	}
	return e.Program(s, op)
}

func (e *EvidenceStore) version(s *Source, op *Operation) string {
	if e.Version == nil {
		return ""
	}
	return e.Version(s, op)
}

// hashOf is the hash of an operation, or of the tree for a nil op.
func (s *Source) hashOf(op *Operation) string {
	if op == nil {
		return s.TreeHash()
	}
	return s.Hash(op)
}

func (e *EvidenceStore) read(hash string) (*Record, error) {
	if hash == "" || e.Paths.State == "" {
		return nil, fs.ErrNotExist
	}
	data, err := readRegular(e.Paths.Evidence(hash))
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", e.Paths.Evidence(hash), err)
	}
	if r.Hash != hash {
		return nil, fmt.Errorf("%s: is of another operation", e.Paths.Evidence(hash))
	}
	for i := range r.Items { // records used to hold the program as the version
		if p := &r.Items[i]; p.Program == "" && strings.HasPrefix(p.ToolVersion, "file:") {
			p.Program, p.ToolVersion = p.ToolVersion, ""
		}
	}
	return r, nil
}

// Add records pieces of evidence for an operation, or with a nil op for the
// map's tree, beside what is there: those of one kind and program replace each
// other. Program and, where it is not given, the version are filled in. A record
// that cannot be read is replaced.
func (e *EvidenceStore) Add(s *Source, op *Operation, proofs ...Proof) error {
	if e.Paths.State == "" {
		return ErrNoState
	}
	hash := s.hashOf(op)
	if hash == "" {
		return fmt.Errorf("%s: has no tree to verify", s.File)
	}
	r, err := e.read(hash)
	if err != nil {
		r = &Record{V: 1, Hash: hash, Tool: s.Tool}
		if op != nil {
			r.Operation, r.Tool = op.ID, s.ToolOf(op)
		}
	}
	program := e.program(s, op)
	for _, p := range proofs {
		p.Program, p.Date = program, p.Date.UTC().Truncate(time.Second)
		if p.ToolVersion == "" {
			p.ToolVersion = e.version(s, op)
		}
		r.Items = slices.DeleteFunc(r.Items, func(old Proof) bool { return old.Kind == p.Kind && old.Program == program })
		r.Items = append(r.Items, p)
		r.saw(program, p.ToolVersion)
	}
	return writeState(e.Paths.Evidence(hash), r)
}

// Withdraw takes back all evidence of a kind: what was looked at again and does
// not hold any more.
func (e *EvidenceStore) Withdraw(s *Source, op *Operation, kind string) error {
	r, err := e.read(s.hashOf(op))
	if err != nil {
		return nil // there is none
	}
	kept := slices.DeleteFunc(slices.Clone(r.Items), func(p Proof) bool { return p.Kind == kind })
	if len(kept) == len(r.Items) {
		return nil
	}
	r.Items = kept
	return writeState(e.Paths.Evidence(r.Hash), r)
}

// See notes the version of the program that is there, so that evidence for
// another version of the map's range counts for it. Without a record it does
// nothing.
func (e *EvidenceStore) See(s *Source, op *Operation, version string) error {
	r, err := e.read(s.hashOf(op))
	if err != nil || version == "" || !r.saw(e.program(s, op), version) {
		return nil
	}
	return writeState(e.Paths.Evidence(r.Hash), r)
}

// saw reports whether the version of the program is new to the record.
func (r *Record) saw(program, version string) bool {
	s := Seen{program, version}
	if program == "" || version == "" || len(r.Seen) > 0 && r.Seen[len(r.Seen)-1] == s {
		return false
	}
	r.Seen = append(slices.DeleteFunc(r.Seen, func(old Seen) bool { return old.Program == program }), s)
	r.Seen = r.Seen[max(0, len(r.Seen)-maxSeen):]
	return true
}

// ErrNoState: the environment does not say where trust and evidence are kept.
var ErrNoState = errors.New("HOME is not set: there is no place to keep trust and evidence")

// writeState writes a file of the state directory, readable by its owner only.
func writeState(name string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return tcpdb.WritePrivateFile(name, append(data, '\n'))
}

// ToolVersion stands for the program of the map's tool, looked for in path (a PATH).
func ToolVersion(path string, s *Source) string {
	if s.Tool == "" {
		return ""
	}
	return FileVersion(program(path, "", s.Tool))
}

// FileVersion stands for the content of a program's file; "" if it is none.
func FileVersion(file string) string {
	st, err := os.Stat(file)
	if err != nil || !st.Mode().IsRegular() {
		return ""
	}
	return fmt.Sprintf("file:%d-%d", st.Size(), st.ModTime().UnixNano())
}
