package discover

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// MaxFile is how much of one text is read, in bytes.
const MaxFile = 8 << 20

// ReadDir reads the texts of a tool from a directory that has a folder for each
// command, named by the words of its path joined with "__" ("_root" for the tool
// itself), with help.txt, man.roff or both in it. Completion scripts of the tool
// lie beside the folders as completion.fish, completion.zsh and completion.bash.
// A manual page may be compressed, and be named so (man.roff.gz). Unpack gives
// what is in one whose compression is not read here, "xz" or "zstd"; where it is
// nil such a page is an error.
func ReadDir(dir fs.FS, tool string, unpack func(program string, data []byte) ([]byte, error)) (Texts, error) {
	t := Texts{Tool: tool}
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return t, err
	}
	for name, into := range map[string]*string{"completion.fish": &t.Fish, "completion.zsh": &t.Zsh, "completion.bash": &t.Bash} {
		data, err := readSome(dir, name)
		if err != nil {
			return t, err
		}
		*into = string(data)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		text := Text{Path: FolderPath(e.Name())}
		help, err := readSome(dir, path.Join(e.Name(), "help.txt"))
		if err != nil {
			return t, err
		}
		man, err := readPage(dir, e.Name(), unpack)
		if err != nil {
			return t, err
		}
		text.Help, text.Man = string(help), man
		if len(help) > 0 || len(man) > 0 {
			t.Nodes = append(t.Nodes, text)
		}
	}
	return t, nil
}

// readPage reads the manual page in a folder, nothing if there is none.
func readPage(dir fs.FS, folder string, unpack func(program string, data []byte) ([]byte, error)) ([]byte, error) {
	for _, ending := range []string{"", ".gz", ".bz2", ".xz", ".zst"} {
		name := path.Join(folder, "man.roff"+ending)
		packed, err := readSome(dir, name)
		if err != nil {
			return nil, err
		}
		if len(packed) == 0 {
			continue
		}
		page, err := Decompress(packed)
		var other *ErrCompression
		if errors.As(err, &other) && unpack != nil {
			page, err = unpack(other.Name, packed)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return page, nil
	}
	return nil, nil
}

// FolderPath is the command that a folder's name stands for.
func FolderPath(name string) []string {
	if name == "_root" {
		return nil
	}
	return slices.DeleteFunc(strings.Split(name, "__"), func(s string) bool { return s == "" })
}

// readSome reads the beginning of a file, nothing if it is not there.
func readSome(dir fs.FS, name string) ([]byte, error) {
	f, err := dir.Open(name)
	if err != nil {
		if _, stat := fs.Stat(dir, name); stat != nil {
			return nil, nil
		}
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxFile))
}
