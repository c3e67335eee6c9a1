package opmap

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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

// ReadUser reads the user's schemas, each a file NAME.json or a directory NAME with
// map.json and risk.toml, and the user's risk.toml. Without a place for them the
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
		// A directory holds what internal/opmap/core/tools/NAME does.
		maps, risks := filepath.Join(name, "map.json"), filepath.Join(name, "risk.toml")
		switch st, err := os.Stat(name); {
		case mapset.IsSource(name):
			maps, risks = name, ""
		case err != nil || !st.IsDir():
			continue
		default:
			u.stamps = append(u.stamps, mapset.UserStamp(maps), mapset.UserStamp(risks))
		}
		if len(u.Sources) >= maxFiles {
			return nil, nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("more than %d source files", maxFiles)}
		}
		if risks == "" {
			u.stamps = append(u.stamps, mapset.UserStamp(name))
		}
		ps, err := u.source(maps, risks != "", opts)
		if err != nil {
			return nil, nil, err
		}
		problems = append(problems, ps...)
		if risks == "" {
			continue
		}
		if ps, err = u.risks(risks); err != nil {
			return nil, nil, err
		}
		problems = append(problems, ps...)
	}
	ps, err := u.risks(paths.Risks())
	if err != nil {
		return nil, nil, err
	}
	problems = append(problems, ps...)
	return u, append(problems, append(sharedIDs(u.Sources), sharedKeys(u.Risks)...)...), nil
}

// source reads a source map; one that may be absent is none then.
func (u *User) source(name string, absent bool, opts ParseOptions) (Problems, error) {
	data, err := u.read(name)
	if absent && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s, problems := Parse(name, data, opts)
	if s != nil {
		u.Sources = append(u.Sources, s)
	}
	return problems, nil
}

// risks reads a risk file, if it is there.
func (u *User) risks(name string) (Problems, error) {
	data, err := u.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, problems := ParseRisks(name, data)
	if r != nil {
		u.Risks = append(u.Risks, r)
	}
	return problems, nil
}

// sharedKeys names the commands that two risk files rate.
func sharedKeys(all []*Risks) Problems {
	var problems Problems
	first := map[string]string{}
	for _, r := range all {
		for _, c := range r.Commands {
			if file, twice := first[c.Key]; twice {
				problems = append(problems, &Problem{File: r.File, Line: c.line, Field: "key", Reason: fmt.Sprintf("%q is rated by %s too", c.Key, file), Severity: Error})
			}
			first[c.Key] = r.File
		}
	}
	return problems
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
