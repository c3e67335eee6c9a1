package opmap

import (
	"bytes"
	"io/fs"
	"path"
	"strconv"
)

// CoreRiskFile returns the file of the shipped risk tables that describes a
// command, and the line that names it; "" if none does. It reads the tables'
// text and compiles nothing.
func CoreRiskFile(key string) (file string, line int) {
	names, _ := fs.Glob(coreFiles, "core/risk/*.toml") // the pattern is well formed
	quoted := []byte(strconv.Quote(key))
	for _, name := range names {
		data, err := fs.ReadFile(coreFiles, name)
		if err != nil {
			continue
		}
		if n := keyLine(data, quoted); n > 0 {
			return path.Base(name), n
		}
	}
	return "", 0
}

// keyLine is the line of a risk table on which a quoted key stands as key or
// among keys, 0 if none.
func keyLine(data, quoted []byte) int {
	if !bytes.Contains(data, quoted) {
		return 0
	}
	n, list := 0, false
	for line := range bytes.Lines(data) {
		n++
		switch {
		case bytes.HasPrefix(line, []byte("key = ")), bytes.HasPrefix(line, []byte("keys = ")):
			list = bytes.HasSuffix(bytes.TrimSpace(line), []byte("["))
		case list && bytes.HasPrefix(line, []byte("]")):
			list = false
			continue
		case !list:
			continue
		}
		if bytes.Contains(line, quoted) {
			return n
		}
	}
	return 0
}
