package binding

import (
	"path/filepath"
	"slices"
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
	queue = append(queue, t.lists()...)
	queue = append(queue, t.scripts...)
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
		queue = append(queue, t.takenIn(path, places.Replace(string(data)))...)
		queue = append(queue, t.scripts...)
		t.scripts = nil
	}
}

// places are folders by the names that texts have for them.
var places = strings.NewReplacer("$(HOME)", "~", "${HOME}", "~", "$HOME/", "~/", "$(PWD)/", "./", "${PWD}/", "./", "$PWD/", "./", "$(CURDIR)/", "./", "$(pwd)/", "./")

// maxNames bounds how many words of texts are looked up as programs.
const maxNames = 300

// starts binds the program that a word of a text may start.
func (t *taking) starts(word string) {
	if len(word) < 2 || len(word) > 40 || t.names >= maxNames || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-_.+") != "" || t.done["carried\x00"+word] {
		return
	}
	t.names++
	t.carried(word)
}

// lists are the files of python that name further folders of code, each in a line.
func (t *taking) lists() []string {
	var out []string
	for _, e := range t.state.Project {
		if strings.HasSuffix(e.Path, ".pth") && len(out) < maxIncludes/4 {
			out = append(out, t.state.Root+"/"+e.Path)
		}
	}
	for path := range t.other {
		if strings.HasSuffix(path, ".pth") && len(out) < maxIncludes/2 {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
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
	from := []string{t.Dir, filepath.Dir(path)}
	before := ""
	_, ours := t.within(path)
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") {
			continue
		}
		searches := t.searches(path, line)
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n;|&()'\"`,{}[]", r) || r == '<' }) {
			if redirects(before) || redirects(word) && !strings.HasSuffix(word, ">") {
				before = "" // what is written to
				continue
			}
			takes := searches || habit("takes", before)
			if key, value, ok := strings.Cut(word, "="); ok && key != "" && value != "" {
				word = value
			}
			enters := before == "cd" || before == "pushd"
			before = word
			if !takes && !strings.Contains(word, "/") {
				if ours {
					t.starts(word)
				}
				continue
			}
			if dir := t.expand(word, from[0]); enters && len(from) < 8 && stat(dir).Kind == Directory {
				from = append(from, dir) // what comes after may be named from there
			}
			for _, part := range strings.Split(word, ":") {
				out = append(out, t.included(part, path, from, takes)...)
			}
		}
	}
	return out
}

// searches reports whether a line of a text names folders of code: one that sets a
// path for searching, or a line of a list of such.
func (t *taking) searches(path, line string) bool {
	if strings.HasSuffix(path, ".pth") {
		return true
	}
	for _, one := range rows("searches") {
		if strings.Contains(line, one) {
			return true
		}
	}
	return false
}

// redirects reports whether a word of a shell sends output somewhere: ">", "2>>",
// ">file".
func redirects(word string) bool {
	return strings.HasPrefix(strings.TrimLeft(word, "0123456789&"), ">")
}

// maxMatches bounds how many files a pattern in a text stands for.
const maxMatches = 200

// included binds what a text names from one of the folders; the files are returned.
func (t *taking) included(word, by string, from []string, takes bool) []string {
	for _, scheme := range [...]string{"file:", "link:", "portal:", "path:", "workspace:"} {
		word = strings.TrimPrefix(word, scheme)
	}
	if word == "" || word == "/" {
		return nil
	}
	folders := takes || habit("manifests", filepath.Base(by)) || habit("manifests", "*"+filepath.Ext(by))
	for _, dir := range from {
		path := t.expand(word, dir)
		if strings.ContainsAny(path, "$") || standard(path) || kernels(path) {
			return nil
		}
		if strings.ContainsAny(word, "*?") {
			if found := t.matches(path, folders); found != nil {
				return found
			}
			continue
		}
		e := stat(path)
		if e.Kind == Absent && leadsOut(word) {
			path, e = t.unnamedEnd(path)
		}
		switch {
		case e.Kind == File:
			if _, in := t.within(path); e.Mode&0o111 != 0 && !in && e.Size > maxText {
				t.program(path, 0)
				return nil
			}
			t.file(path)
			if real, err := filepath.EvalSymlinks(path); err == nil {
				return []string{real}
			}
			return nil
		case e.Kind == Directory && folders:
			if real, err := filepath.EvalSymlinks(path); err == nil && !t.above(real) && !systems(real) {
				t.directory(path) // a package beside the project
			}
			return nil
		case e.Kind == Special && takes, e.Kind == Absent && takes && (filepath.IsAbs(word) || strings.HasPrefix(word, "~/")):
			t.file(path)
			return nil
		}
	}
	return nil
}

// kernels reports whether a path is one of those that hold no files.
func kernels(path string) bool {
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/sys/") || strings.HasPrefix(path, "/dev/")
}

// systems reports whether a folder is one of the system's own, which only its
// packages write.
func systems(path string) bool {
	top, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return habit("system", "/"+top) && !strings.HasPrefix(rest, "local/")
}

// leadsOut reports whether a word may name something that is not below where it is
// named from.
func leadsOut(word string) bool {
	return filepath.IsAbs(word) || strings.HasPrefix(word, "../") || strings.HasPrefix(word, "~/")
}

// unnamedEnd finds a file of code whose name is given without its end.
func (t *taking) unnamedEnd(path string) (string, Entry) {
	for _, end := range rows("ends") {
		if e := stat(path + end); e.Kind == File {
			return path + end, e
		}
	}
	return path, Entry{Kind: Absent}
}

// matches binds the files that a pattern elsewhere stands for, and which there are;
// those in the project the walk has.
func (t *taking) matches(pattern string, folders bool) []string {
	fixed := filepath.Dir(pattern[:strings.IndexAny(pattern, "*?")] + "x")
	if real, err := filepath.EvalSymlinks(fixed); err != nil || t.above(real) || systems(real) || strings.Count(real, "/") < 2 || strings.Contains(pattern, "**") {
		return nil
	} else if _, in := t.within(real); in {
		return nil
	}
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) > maxMatches {
		t.unbound(pattern, "which files that stands for")
		return nil
	}
	t.value("which there are: "+pattern, strings.Join(found, "\x00"))
	out := []string{}
	for _, path := range found {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			continue
		}
		switch stat(real).Kind {
		case File:
			t.file(path)
			out = append(out, real)
		case Directory:
			if folders && !t.above(real) && !systems(real) {
				t.directory(path)
			}
		}
	}
	return out
}
