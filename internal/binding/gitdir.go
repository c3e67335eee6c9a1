package binding

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
)

// gitDirs finds the git directory of a ".git", and the one that it shares with
// other work trees; "" where it is none.
func gitDirs(dot string) (dir, common string) {
	switch e := stat(dot); e.Kind {
	case Directory:
		dir = dot
	case File:
		text, err := disk.ReadRegular(dot, maxConfig)
		to, ok := strings.CutPrefix(string(text), "gitdir:")
		if err != nil || !ok {
			return "", ""
		}
		dir = against(filepath.Dir(dot), strings.TrimSpace(to))
	default:
		return "", ""
	}
	common = dir
	if text, err := disk.ReadRegular(filepath.Join(dir, "commondir"), maxConfig); err == nil {
		common = against(dir, strings.TrimSpace(string(text)))
	}
	return dir, common
}

// against is a path as one relative to dir means it.
func against(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// git binds what git would use of every repository here: settings, hooks, refs and
// what is staged; of its objects only where others are borrowed from.
func (t *taking) git() {
	for _, name := range [...]string{"GIT_DIR", "GIT_COMMON_DIR"} {
		if dir := getenv(t.Env, name); dir != "" {
			t.repository(against(t.Dir, dir))
		}
	}
	for _, dot := range t.known.gits {
		dir, common := gitDirs(dot)
		t.repository(dir)
		t.repository(common)
	}
}

// repository binds a git directory.
func (t *taking) repository(dir string) {
	if dir == "" || t.seen("git\x00"+dir) {
		return
	}
	t.gitFolder(dir, true)
	for _, name := range [...]string{"config", "config.worktree"} {
		t.gitConfig(filepath.Join(dir, name))
	}
}

// gitFolder binds a folder of a git directory.
func (t *taking) gitFolder(dir string, top bool) {
	_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
		n := string(name)
		path := dir + "/" + n
		if rel, in := t.within(path); in && t.ignore.match(rel, typ == disk.Directory) {
			return true
		}
		switch {
		case strings.HasSuffix(n, ".lock"):
		case top && n == "index":
			t.index(path, dir)
		case top && n == "objects":
			for _, borrowed := range [...]string{"alternates", "http-alternates"} {
				t.entry(path + "/info/" + borrowed)
			}
		case top && (n == "modules" || n == "worktrees"):
			t.gitModules(path, 0)
		case top && gitOwn(n):
		case typ == disk.Directory:
			t.gitFolder(path, false)
		default:
			t.entry(path)
			if typ == disk.Link {
				t.file(path)
			}
		}
		return int64(len(t.other)) < maxFiles
	})
}

// gitOwn reports whether a name in a git directory is git's own record, which
// decides nothing.
func gitOwn(name string) bool {
	switch name {
	case "logs", "FETCH_HEAD", "gc.log", "gc.pid", "lfs", "annex", "fsmonitor--daemon", "fsmonitor--daemon.ipc", "rr-cache":
		return true
	}
	return strings.HasPrefix(name, "sharedindex.")
}

// gitModules binds the git directories of submodules and of other work trees.
func (t *taking) gitModules(dir string, depth int) {
	_ = disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
		path := dir + "/" + string(name)
		switch {
		case typ != disk.Directory || depth > 8:
		case stat(path+"/HEAD").Kind == File:
			t.repository(path)
		default:
			t.gitModules(path, depth+1)
		}
		return true
	})
}

// index binds what is staged: modes, objects and paths, not the times beside them.
func (t *taking) index(path, dir string) {
	e := lstat(path)
	if e.Kind != File {
		t.add(e)
		return
	}
	e.Kind, e.Mode = Value, 0
	if old := t.known.others[path]; t.Base != nil && old != nil && old.Kind == Value {
		was := *old
		if was.sameStat(&e) && !racing(&was, t.known.base.Taken) {
			e.Sum = was.Sum
			t.add(e)
			return
		}
	}
	list := t.known.index
	if list == nil || dir != t.indexOf() {
		alg := sha1Len
		if strings.EqualFold(configValue(filepath.Join(dir, "config"), "extensions", "objectformat"), "sha256") {
			alg = sha256.Size
		}
		var err error
		if list, err = git.ReadIndex(path, dir, alg); err != nil {
			e.Kind = File // one that we cannot read counts as it is
			t.add(e)
			return
		}
	}
	h := sha256.New()
	var b []byte
	for i := range list.Len() {
		one := list.At(i)
		b = binary.BigEndian.AppendUint32(b[:0], one.Mode)
		b = append(b, byte(one.Stage))
		b = append(append(append(b, one.ID...), one.Path...), 0)
		h.Write(b)
	}
	h.Sum(e.Sum[:0])
	t.add(e)
}

const sha1Len = 20

// indexOf is the git directory whose index is known.
func (t *taking) indexOf() string {
	dir, _ := gitDirs(filepath.Join(t.state.Root, ".git"))
	return dir
}

// maxConfig bounds a file of settings, in bytes.
const maxConfig = 1 << 20

// gitConfig binds a file of git's settings, what it includes, and the files that
// its values name.
func (t *taking) gitConfig(file string) {
	if t.seen("config\x00" + file) {
		return
	}
	data, err := disk.ReadRegular(file, maxConfig)
	if err != nil {
		return
	}
	eachSetting(string(data), func(section, key, value string) {
		switch {
		case key == "path" && strings.HasPrefix(section, "include"):
			path := t.expand(value, filepath.Dir(file))
			t.file(path)
			t.gitConfig(path)
		case key == "hookspath" || key == "templatedir":
			t.directory(t.expand(value, t.state.Root))
		case key == "url" || key == "pushurl":
			// What is pushed to on this machine runs hooks, too.
			at := t.expand(strings.TrimPrefix(value, "file://"), t.state.Root)
			for _, dir := range [...]string{at, at + "/.git"} {
				if stat(dir+"/HEAD").Kind == File && stat(dir+"/hooks").Kind == Directory {
					t.directory(dir + "/hooks")
					t.file(dir + "/config")
				}
			}
		default:
			for _, word := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t\"'!;|&()=", r) }) {
				if strings.Contains(word, "/") {
					t.fileIfThere(t.expand(word, t.state.Root))
				}
			}
		}
	})
}

// eachSetting calls f for every setting of a file in git's form, with the section's
// name and the key in lower case.
func eachSetting(text string, f func(section, key, value string)) {
	section := ""
	text = strings.ReplaceAll(text, "\\\n", "")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "["); ok {
			name, after, ok := strings.Cut(rest, "]")
			if !ok {
				continue
			}
			section, line = strings.ToLower(name), strings.TrimSpace(after)
			if base, _, ok := strings.Cut(section, " "); ok {
				section = base
			}
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			value = "true"
		}
		value = strings.Trim(strings.TrimSpace(value), `"`)
		f(section, strings.ToLower(strings.TrimSpace(key)), value)
	}
}

// configValue is the last value of a key in a file of git's settings.
func configValue(file, section, key string) string {
	data, err := disk.ReadRegular(file, maxConfig)
	if err != nil {
		return ""
	}
	out := ""
	eachSetting(string(data), func(s, k, v string) {
		if s == section && k == key {
			out = v
		}
	})
	return out
}

// expand makes a path of a file of settings absolute.
func (t *taking) expand(path, dir string) string {
	for _, home := range [...]string{"~/", "$HOME/", "${HOME}/", "$(HOME)/"} {
		if rest, ok := strings.CutPrefix(path, home); ok {
			return t.home() + "/" + rest
		}
	}
	if !filepath.IsAbs(path) {
		path = dir + "/" + path
	}
	return path
}

// home is where the programs look for their user's files.
func (t *taking) home() string {
	if h := getenv(t.Env, "HOME"); h != "" {
		return h
	}
	return t.Home
}

func getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if n, v, _ := strings.Cut(env[i], "="); n == name {
			return v
		}
	}
	return ""
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
