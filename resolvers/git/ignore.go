package git

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// ignoreRule is one pattern of gitignore(5).
type ignoreRule struct {
	pattern string
	negated bool
	dirOnly bool
	byName  bool // no slash within: matches the last component
	literal bool // no wildcard
}

// ignoreFile holds the rules of one file; base is the directory that they are
// relative to: "" or "a/b/".
type ignoreFile struct {
	base  string
	rules []ignoreRule
}

// maxIgnoreFile bounds an ignore file, in bytes.
const maxIgnoreFile = 4 << 20

// parseIgnore reads the rules of an ignore file.
func parseIgnore(text, base string) ignoreFile {
	f := ignoreFile{base: base}
	text = strings.TrimPrefix(text, "\xef\xbb\xbf")
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimSuffix(line, "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		if rule, ok := parseIgnoreRule(trimBlanks(line)); ok {
			f.rules = append(f.rules, rule)
		}
	}
	return f
}

// trimBlanks drops blanks at the end but those behind a backslash.
func trimBlanks(line string) string {
	end := -1 // start of the blanks that run to the end
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if end < 0 {
				end = i
			}
		case '\\':
			i++
			end = -1
		default:
			end = -1
		}
	}
	if end >= 0 {
		return line[:end]
	}
	return line
}

func parseIgnoreRule(p string) (r ignoreRule, ok bool) {
	p, r.negated = strings.CutPrefix(p, "!")
	p, r.dirOnly = strings.CutSuffix(p, "/")
	r.byName = !strings.Contains(p, "/")
	p = strings.TrimPrefix(p, "/")
	r.pattern = p
	r.literal = !strings.ContainsAny(p, `*?[\`)
	return r, p != ""
}

// match decides about a path relative to the work tree. The last rule that
// matches wins. known is false when none does.
func (f *ignoreFile) match(path string, dir bool) (ignored, known bool) {
	rel, ok := strings.CutPrefix(path, f.base)
	if !ok {
		return false, false
	}
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	for i := len(f.rules) - 1; i >= 0; i-- {
		r := &f.rules[i]
		if r.dirOnly && !dir {
			continue
		}
		subject := rel
		if r.byName {
			subject = name
		}
		if r.literal && r.pattern == subject || !r.literal && wildMatch(r.pattern, subject) {
			return !r.negated, true
		}
	}
	return false, false
}

// ignores is what git ignores in a work tree: the files of directories from
// the root to the current one, then info/exclude, then the user's.
type ignores struct {
	tree []ignoreFile // by depth
	rest []ignoreFile // info/exclude, core.excludesFile
}

// openIgnores reads the files that hold for the whole work tree.
func openIgnores(repo *gitRepo) *ignores {
	excludes := ""
	repo.allConfig(func(e configEntry) {
		if e.Section == "core" && e.Sub == "" && e.Key == "excludesfile" {
			excludes = repo.expandPath(e.Value)
		}
	})
	if excludes == "" {
		if xdg := repo.getenv("XDG_CONFIG_HOME"); xdg != "" {
			excludes = xdg + "/git/ignore"
		} else if home := repo.getenv("HOME"); home != "" {
			excludes = home + "/.config/git/ignore"
		}
	}
	ig := &ignores{}
	for _, path := range [...]string{repo.commonDir + "/info/exclude", excludes} {
		if path == "" {
			continue
		}
		if data, err := disk.ReadRegular(absolute(repo.workTree, path), maxIgnoreFile); err == nil {
			ig.rest = append(ig.rest, parseIgnore(disk.View(data), ""))
		}
	}
	return ig
}

// enter reads the ignore file of a directory ("" or "a/b/"); leave drops it.
// git does not follow a symbolic link here.
func (ig *ignores) enter(root, dir string) {
	path := root + "/" + dir + ".gitignore"
	f := ignoreFile{base: dir}
	if st, err := disk.Lstat(path); err == nil && disk.TypeOf(uint32(st.Mode)) == disk.File {
		if data, err := disk.ReadRegular(path, maxIgnoreFile); err == nil {
			f = parseIgnore(disk.View(data), dir)
		}
	}
	ig.tree = append(ig.tree, f)
}

func (ig *ignores) leave() { ig.tree = ig.tree[:len(ig.tree)-1] }

// ignored decides about a path whose directory is not itself ignored.
func (ig *ignores) ignored(path string, dir bool) bool {
	for i := len(ig.tree) - 1; i >= 0; i-- {
		if ignored, known := ig.tree[i].match(path, dir); known {
			return ignored
		}
	}
	for i := range ig.rest {
		if ignored, known := ig.rest[i].match(path, dir); known {
			return ignored
		}
	}
	return false
}
