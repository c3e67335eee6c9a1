package opmap

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
)

// Created is one file or directory that InitProject made or found.
type Created struct {
	Path    string // relative to the project, with slashes; directories end in one
	Existed bool
}

const (
	initialConfig = "{\n  \"v\": 1,\n  \"registries\": []\n}\n"
	// What is written here by runs and compiles is not for the repository.
	initialIgnore = "# Written by tmp, not for the repository.\n/runs/\n/context.json\n/context.md\n/last-resolve.json\n*.lock\n.*.new\n"
)

// InitProject makes .tmp with a configuration, a place for schemas and a
// .gitignore in dir. What exists stays as it is. A .tmp or a part of it that is
// a symbolic link is refused: it would let a repository choose where we write.
func InitProject(dir string) ([]Created, error) {
	var done []Created
	for _, step := range []struct {
		name, content string
	}{
		{".tmp/", ""},
		{".tmp/schemas/", ""},
		{".tmp/config.json", initialConfig},
		{".tmp/.gitignore", initialIgnore},
	} {
		existed, err := create(filepath.Join(dir, step.name), step.content)
		if err != nil {
			return done, err
		}
		done = append(done, Created{step.name, existed})
	}
	return done, nil
}

// create makes a directory (no content) or a file, unless it is there.
func create(name, content string) (existed bool, err error) {
	if content == "" {
		err = os.Mkdir(name, 0o755)
	} else {
		var f *os.File
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o644)
		if err == nil {
			_, err = f.WriteString(content)
			if err = cmp.Or(err, f.Close()); err != nil {
				_ = os.Remove(name) // half a file would be taken for one that is there
			}
		}
	}
	if !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	st, err := os.Lstat(name)
	switch {
	case err != nil:
		return false, err
	case st.Mode()&fs.ModeSymlink != 0:
		return false, &fs.PathError{Op: "create", Path: name, Err: mapset.ErrSymlink}
	case content == "" && !st.IsDir():
		return false, &fs.PathError{Op: "create", Path: name, Err: syscall.ENOTDIR}
	case content != "" && !st.Mode().IsRegular():
		return false, &fs.PathError{Op: "create", Path: name, Err: errors.New("is not a regular file")}
	}
	return true, nil
}
