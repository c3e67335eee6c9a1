package opmap

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// User is the content of the user's sources at one moment.
type User struct {
	Sources []*Source
	Risks   []*Risks
	stamps  []tcpdb.Source
	below   *tcpdb.View
}

// Empty reports whether there are no sources.
func (u *User) Empty() bool { return len(u.Sources) == 0 && len(u.Risks) == 0 }

// ReadUser reads the user's schemas and risk.toml. Without a place for them the
// user is empty. Files may be symbolic links: people keep them in a repository
// of dot files.
func ReadUser(paths place.Paths, opts ParseOptions) (*User, Problems, error) {
	u := &User{below: belowUser(paths)}
	if paths.Config == "" {
		return u, nil, nil
	}
	var problems Problems
	// Stamps are taken before the reading: what changes meanwhile shows.
	u.stamps = append(u.stamps, mapset.UserStamp(paths.Schemas()), mapset.UserStamp(paths.Risks()))
	entries, err := os.ReadDir(paths.Schemas())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, e := range entries {
		name := filepath.Join(paths.Schemas(), e.Name())
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		if len(u.Sources) >= maxFiles {
			return nil, nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("more than %d source files", maxFiles)}
		}
		u.stamps = append(u.stamps, mapset.UserStamp(name))
		data, err := u.read(name)
		if err != nil {
			return nil, nil, err
		}
		s, ps := Parse(name, data, opts)
		problems = append(problems, ps...)
		if s != nil {
			u.Sources = append(u.Sources, s)
		}
	}
	data, err := u.read(paths.Risks())
	switch {
	case err == nil:
		r, ps := ParseRisks(paths.Risks(), data)
		problems = append(problems, ps...)
		if r != nil {
			u.Risks = append(u.Risks, r)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, nil, err
	}
	return u, append(problems, sharedIDs(u.Sources)...), nil
}

// read follows symbolic links and holds the target to the bounds of a source.
func (u *User) read(name string) ([]byte, error) {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil, err
	}
	data, err := readRegular(target)
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Build compiles the user's layer. Without a store nothing is verified.
func (u *User) Build(e *EvidenceStore) ([]byte, error) {
	b := tcpdb.NewBuilder()
	l := &Layering{Layer: tcpdb.UserLayer, Sources: u.Sources, Risks: u.Risks, Below: u.below}
	e.judge(l)
	if err := l.Compile(b); err != nil {
		return nil, err
	}
	for _, s := range u.stamps {
		b.Source(s)
	}
	return b.Build()
}

// Install puts an image in its place and reports whether the file changed. It
// makes the directory.
func Install(name string, image []byte) (changed bool, err error) {
	if old, err := readImage(name); err == nil && bytes.Equal(old, image) {
		return false, nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return false, err
	}
	return true, tcpdb.WriteFile(name, image)
}

// Installed reports whether the file holds the image.
func Installed(name string, image []byte) bool {
	old, err := readImage(name)
	return err == nil && bytes.Equal(old, image)
}

func readImage(name string) ([]byte, error) { return os.ReadFile(name) }
