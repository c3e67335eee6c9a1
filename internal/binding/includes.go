package binding

import (
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// Files of the project are bound wherever they are named. What a script or a task
// file takes in from elsewhere is bound where it says so in plain words.

// Limits of following includes.
const (
	maxIncludes = 400
	maxInclude  = 1 << 20 // bytes of a file
)

// taskFiles are the files in a directory that a runner reads without being told.
var taskFiles = []string{
	"Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile", "Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml",
	"Taskfile.dist.yml", "Taskfile.dist.yaml", "compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml", "package.json", "mise.toml", ".mise.toml",
	"Rakefile", "noxfile.py", "tox.ini", "setup.py", "conftest.py", ".envrc",
}

// includes follows what the named files and the task files take in.
func (t *taking) includes() {
	queue := append([]string{}, t.state.first...)
	for dir := t.Dir; ; dir = filepath.Dir(dir) {
		for _, name := range taskFiles {
			if path := dir + "/" + name; stat(path).Kind != Absent {
				t.file(path)
				queue = append(queue, path)
			}
		}
		if _, in := t.within(dir); !in || dir == t.state.Root || dir == "/" {
			break
		}
	}
	for n := 0; len(queue) > 0 && n < maxIncludes; n++ {
		path := queue[0]
		queue = queue[1:]
		if t.seen("includes\x00" + path) {
			continue
		}
		data, err := disk.ReadRegular(path, maxInclude)
		if err != nil || strings.IndexByte(string(data[:min(len(data), 512)]), 0) >= 0 {
			continue
		}
		queue = append(queue, t.takenIn(path, string(data))...)
	}
}

// takenIn binds what a text takes in, and returns the files.
func (t *taking) takenIn(path, text string) []string {
	var out []string
	before := ""
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") {
			continue
		}
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n;|&()'\"`,{}[]", r) || r == '<' }) {
			if strings.HasPrefix(word, ">") || strings.HasPrefix(before, ">") || strings.HasSuffix(before, ">") {
				before = ""
				continue
			}
			takes := habit("takes", before)
			if key, value, ok := strings.Cut(word, "="); ok && value != "" {
				before, word = key+"=", value
			}
			before = word
			if !takes && !strings.Contains(word, "/") || strings.ContainsAny(word, "*?") {
				continue
			}
			if file := t.included(word, path, takes); file != "" {
				out = append(out, file)
			}
		}
	}
	return out
}

// included binds a file that a text names; "" if it names none.
func (t *taking) included(word, by string, takes bool) string {
	for _, dir := range [...]string{t.Dir, filepath.Dir(by)} {
		path := t.expand(word, dir)
		if strings.ContainsAny(path, "$") || standard(path) {
			return ""
		}
		e := stat(path)
		switch {
		case e.Kind == File && (takes || e.Mode&0o111 != 0 || habit("suffixes", filepath.Ext(path))):
			t.file(path)
			real, err := filepath.EvalSymlinks(path)
			if err != nil {
				return ""
			}
			return real
		case e.Kind == Special && takes:
			t.file(path)
			return ""
		case e.Kind == Absent && takes && (filepath.IsAbs(word) || strings.HasPrefix(word, "~/")):
			t.file(path)
			return ""
		}
	}
	return ""
}
