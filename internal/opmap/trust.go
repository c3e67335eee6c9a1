package opmap

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/place"
)

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
