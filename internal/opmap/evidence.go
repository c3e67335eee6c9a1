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

// StandingFunc finds what this machine knows of an operation's trustworthiness.
type StandingFunc func(s *Source, op *Operation) tcpdb.Standing

// Record is the evidence that this machine holds for one operation:
// $XDG_STATE_HOME/tmp/evidence/<hash>.json.
type Record struct {
	V         int     `json:"v"`
	Hash      string  `json:"hash"` // see Source.Hash
	Operation string  `json:"operation"`
	Tool      string  `json:"tool"`
	Items     []Proof `json:"evidence"`
}

// Proof is one piece of evidence, found or given on this machine.
type Proof struct {
	Kind        string    `json:"kind"`
	Date        time.Time `json:"date"`
	ToolVersion string    `json:"tool_version"` // see ProgramVersion
	By          string    `json:"by,omitempty"`
}

// Evidence knows what makes an operation verified on this machine.
//
// Required is human_review: a person has seen this very record, and the program
// is still the one that it was reviewed for. What a machine can find (the help
// text parsed, a dry run that passed) supports a review and does not stand in
// for it.
type EvidenceStore struct {
	Paths place.Paths
	// Program returns the version of the program that an operation runs; see
	// ProgramVersion.
	Program func(s *Source, op *Operation) string
}

// Standing is a StandingFunc: Evidence with a review of this content for this
// program, else Claimed or Draft as the file says. An unreadable record is no
// evidence.
func (e *EvidenceStore) Standing(s *Source, op *Operation) tcpdb.Standing {
	unproven := tcpdb.Draft
	if op.Verified {
		unproven = tcpdb.Claimed
	}
	if e.Paths.State == "" {
		return unproven
	}
	r, err := e.read(s.Hash(op))
	if err != nil {
		return unproven
	}
	version := e.version(s, op)
	if slices.ContainsFunc(r.Items, func(p Proof) bool { return p.Kind == "human_review" && p.ToolVersion == version }) {
		return tcpdb.Evidence
	}
	return unproven
}

func (e *EvidenceStore) version(s *Source, op *Operation) string {
	if e.Program == nil {
		return ""
	}
	return e.Program(s, op)
}

func (e *EvidenceStore) read(hash string) (*Record, error) {
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
	return r, nil
}

// Add records one piece of evidence for an operation, beside what is there. A
// record that cannot be read is replaced.
func (e *EvidenceStore) Add(s *Source, op *Operation, kind, by string, now time.Time) error {
	if e.Paths.State == "" {
		return ErrNoState
	}
	hash := s.Hash(op)
	r, err := e.read(hash)
	if err != nil {
		r = &Record{V: 1, Hash: hash, Operation: op.ID, Tool: s.operationTool(op)}
	}
	version := e.version(s, op)
	r.Items = slices.DeleteFunc(r.Items, func(p Proof) bool { return p.Kind == kind && p.ToolVersion == version })
	r.Items = append(r.Items, Proof{Kind: kind, Date: now.UTC().Truncate(time.Second), ToolVersion: version, By: by})
	return writeState(e.Paths.Evidence(hash), r)
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

// ProgramVersion returns what stands for the version of the program that an
// operation runs: size and time of change of the file that the first word of
// its template names, looked for in path (a PATH) or, with a slash, in dir.
// Asking the program itself would mean to run it unreviewed, and some do not
// stop at --version. It is "" if there is no such file.
func ProgramVersion(path, dir string, op *Operation) string {
	words := strings.Fields(op.Template)
	if len(words) == 0 {
		return ""
	}
	st, err := os.Stat(program(path, dir, words[0]))
	if err != nil || !st.Mode().IsRegular() {
		return ""
	}
	return fmt.Sprintf("file:%d-%d", st.Size(), st.ModTime().UnixNano())
}

func program(path, dir, word string) string {
	if strings.Contains(word, "/") {
		if filepath.IsAbs(word) || dir == "" {
			return word
		}
		return filepath.Join(dir, word)
	}
	for _, d := range filepath.SplitList(path) {
		if !filepath.IsAbs(d) {
			continue
		}
		name := filepath.Join(d, word)
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return name
		}
	}
	return ""
}

// Trust is the record that a project's sources are trusted as they were.
type Trust struct {
	V       int       `json:"v"`
	Project string    `json:"project"`
	Hash    string    `json:"hash"` // see Project.Hash
	Date    time.Time `json:"date"`
	Files   []string  `json:"files"`
}

// ReadTrust returns the record for the project in dir. It is fs.ErrNotExist if
// the project was never trusted.
func ReadTrust(p place.Paths, dir string) (*Trust, error) {
	if p.State == "" {
		return nil, ErrNoState
	}
	name := p.Trust(dir)
	data, err := readRegular(name)
	if err != nil {
		return nil, err
	}
	t := &Trust{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if t.Project != dir {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return t, nil
}

// Trusted reports whether the project's sources are those of the record.
func (p *Project) Trusted(paths place.Paths) bool {
	t, err := ReadTrust(paths, p.Dir)
	return err == nil && t.Hash == p.Hash
}

// Trust records that the project's sources are trusted as they are.
func (p *Project) Trust(paths place.Paths, now time.Time) error {
	if paths.State == "" {
		return ErrNoState
	}
	t := &Trust{V: 1, Project: p.Dir, Hash: p.Hash, Date: now.UTC().Truncate(time.Second), Files: []string{}}
	for _, f := range p.files {
		t.Files = append(t.Files, f.name)
	}
	return writeState(paths.Trust(p.Dir), t)
}

// Untrust forgets the record and the compiled map of the project in dir. It
// reports whether there was either.
func Untrust(paths place.Paths, dir string) (bool, error) {
	was := false
	var errs []error
	for _, name := range []string{paths.Trust(dir), paths.ProjectMap(dir)} {
		if name == "" {
			continue
		}
		switch err := os.Remove(name); {
		case err == nil:
			was = true
		case !errors.Is(err, fs.ErrNotExist):
			errs = append(errs, err)
		}
	}
	return was, errors.Join(errs...)
}
