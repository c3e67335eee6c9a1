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

// includes follows what the named files and the task files take in.
func (t *taking) includes() {
	queue := append([]string{}, t.state.first...)
	for dir := t.Dir; ; dir = filepath.Dir(dir) {
		_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
			if n := string(name); typ != disk.Directory && (habit("tasks", n) || habit("tasks", "*"+filepath.Ext(n)) || habit("tasks", strings.ToLower(n))) {
				t.file(dir + "/" + n)
				queue = append(queue, dir+"/"+n)
			}
			return true
		})
		if _, in := t.within(dir); !in || dir == t.state.Root || dir == "/" {
			break
		}
	}
	queue = append(queue, t.hooks()...)
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

// hooks are the hooks of the project's repository that git would start.
func (t *taking) hooks() []string {
	var out []string
	dir, common := gitDirs(filepath.Join(t.state.Root, ".git"))
	if dir == "" {
		return nil
	}
	folders := []string{common + "/hooks", t.state.Root + "/.husky"}
	if path := configValue(common+"/config", "core", "hookspath"); path != "" {
		folders = append(folders, t.expand(path, t.state.Root))
	}
	for _, folder := range folders {
		_ = disk.ReadDir(folder, func(name []byte, typ disk.Type) bool {
			if typ != disk.Directory && !strings.HasSuffix(string(name), ".sample") {
				out = append(out, folder+"/"+string(name))
			}
			return len(out) < maxIncludes/4
		})
	}
	return out
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
			if redirects(before) || redirects(word) && !strings.HasSuffix(word, ">") {
				before = "" // what is written to
				continue
			}
			takes := habit("takes", before)
			if key, value, ok := strings.Cut(word, "="); ok && key != "" && value != "" {
				word = value
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

// redirects reports whether a word of a shell sends output somewhere: ">", "2>>",
// ">file".
func redirects(word string) bool {
	return strings.HasPrefix(strings.TrimLeft(word, "0123456789&"), ">")
}

// included binds a file that a text names; "" if it names none.
func (t *taking) included(word, by string, takes bool) string {
	for _, scheme := range [...]string{"file:", "link:", "portal:", "path:", "workspace:"} {
		word = strings.TrimPrefix(word, scheme)
	}
	manifest := habit("manifests", filepath.Base(by))
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
		case e.Kind == Directory && (takes || manifest):
			if real, err := filepath.EvalSymlinks(path); err == nil && !t.above(real) {
				t.directory(path) // a package beside the project
			}
			return ""
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
