//go:build !unix

package tcpdb

import (
	"io/fs"
	"os"
)

// Map reads the file at path; see the version for unix.
func Map(path string) (*Image, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	im, err := Parse(data)
	if err != nil {
		return nil, &fs.PathError{Op: "map", Path: path, Err: err}
	}
	return im, nil
}
