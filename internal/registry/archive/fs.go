package archive

import (
	"io/fs"
	"path"
	"syscall"
)

// noFollow: a symbolic link is not opened.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// FS shows the files as a file system, as far as reading whole files and finding them
// by a pattern goes.
func (f Files) FS() fs.FS { return files(f) }

type files Files

func (f files) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
}

func (f files) ReadFile(name string) ([]byte, error) {
	data, ok := f[path.Clean(name)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return data, nil
}

func (f files) Glob(pattern string) ([]string, error) {
	var out []string
	for _, name := range Files(f).Names() {
		ok, err := path.Match(pattern, name)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, name)
		}
	}
	return out, nil
}
