package opmap

import (
	"bytes"
	"io/fs"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap/core"
)

// CoreRiskFile returns the file of the shipped risk tables that describes a
// command, below package core, and the line that names it; "" if none does. It reads the tables'
// text and compiles nothing.
func CoreRiskFile(key string) (file string, line int) {
	tool, _, _ := strings.Cut(key, " ")
	names, _ := fs.Glob(core.Files, "families/*.toml") // the pattern is well formed
	names = append([]string{"tools/" + tool + "/risk.toml"}, names...)
	quoted := []byte(strconv.Quote(key))
	for _, name := range names {
		data, err := fs.ReadFile(core.Files, name)
		if err != nil {
			continue
		}
		if n := keyLine(data, quoted); n > 0 {
			return name, n
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
