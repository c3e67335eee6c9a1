package disk

import (
	"path/filepath"
	"strings"
	"syscall"
)

// MaxManifest bounds a file that is read whole, in bytes.
const MaxManifest = 64 << 20

// MaxTable bounds a system table that is read whole, in bytes.
const MaxTable = 32 << 20

// IsFile reports whether path is a regular file, through symbolic links.
func IsFile(path string) bool {
	st, ok := Stat(path)
	return ok && st.Mode&syscall.S_IFMT == syscall.S_IFREG
}

// IsExecutable reports whether path is a regular file with an execute bit.
func IsExecutable(path string) bool {
	st, ok := Stat(path)
	return ok && st.Mode&syscall.S_IFMT == syscall.S_IFREG && st.Mode&0o111 != 0
}

// FindUp looks for a file called name in dir and the directories above it.
func FindUp(dir, name string) (path string, ok bool) {
	if !filepath.IsAbs(dir) {
		return "", false
	}
	for {
		path = filepath.Join(dir, name)
		if IsFile(path) {
			return path, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// FindUpDir looks for a file or directory called name in dir and those above it.
func FindUpDir(dir, name string) (string, bool) {
	for filepath.IsAbs(dir) {
		if path := filepath.Join(dir, name); IsDir(path) || IsFile(path) {
			return path, true
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

// Within makes path absolute from dir.
func Within(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// Relative writes path as seen from dir, for descriptions.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return rel
	}
	return path
}

// IsUnder reports whether path is dir or below it.
func IsUnder(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/"))
	return ok && (rest == "" || rest[0] == filepath.Separator)
}

// EachLine calls f for each line of a file, without its end.
func EachLine(path string, f func(line string)) error {
	data, err := ReadRegular(path, MaxTable)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		f(strings.TrimRight(line, "\r\n"))
	}
	return nil
}

// Home returns the home directory of a user in /etc/passwd, or "".
func Home(user string) (dir string) {
	_ = EachLine("/etc/passwd", func(line string) {
		if f := strings.Split(line, ":"); len(f) >= 7 && f[0] == user && dir == "" && filepath.IsAbs(f[5]) {
			dir = f[5]
		}
	})
	return dir
}

// Split cuts a path after its last "/".
func Split(path string) (dir, base string) {
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i], path[i:]
}
