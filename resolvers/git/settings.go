package git

import (
	"path/filepath"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Bounds of what is read for one question about a repository's settings: bytes
// of a file, files, variables, and bytes of a hook.
const (
	maxSettingsFile = 1 << 20
	maxSettingFiles = 32
	maxSettings     = 4096
	maxHook         = 64 << 10
)

// Setting is one variable of a repository's own configuration. Key is as git
// writes it, "diff.pdf.textconv": section and last part in lower case, what
// stands between them as it is. File is where it stands, as a path from the top
// of the work tree where it lies in that, else absolute.
type Setting struct{ Key, Value, File string }

// Hook is a program that git runs by itself at a certain point, by the name of
// that point. Text is what it holds, "" if it is too long or cannot be read.
type Hook struct{ Name, Text, File string }

// GitProject reads what a repository says about the programs that git runs. It
// reads files, and runs nothing.
type GitProject struct {
	repo     *gitRepo
	request  resolvers.Request
	settings []Setting
	read     bool
}

// OpenProject finds the repository in which a git command works that is given
// in dir, its words with or without the first: -C, --git-dir and --work-tree count,
// and the environment. ok is false where git would find none, or would refuse
// to use it. getenv nil means the process's environment.
func OpenProject(dir string, words []string, getenv func(string) string) (p *GitProject, ok bool) {
	for i := 1; i < len(words) && strings.HasPrefix(words[i], "-"); i++ {
		switch words[i] {
		case "-C":
			if i+1 < len(words) {
				dir = absolute(dir, words[i+1])
			}
			i++
		case "-c", "--namespace", "--super-prefix", "--config-env", "--attr-source", "--git-dir", "--work-tree":
			i++
		}
	}
	r := resolvers.Request{Dir: dir, Words: words, Getenv: getenv}
	repo, _, err := findGit(r)
	return &GitProject{repo: repo, request: r}, err == nil
}

// Settings returns the variables of the repository's own files in git's order,
// where a later one wins: config, what it includes whatever the condition,
// config.worktree, and those of the submodules that it names.
func (p *GitProject) Settings() []Setting {
	if p.read {
		return p.settings
	}
	s := settingsReader{repo: p.repo, found: make([]Setting, 0, 32)}
	common := p.repo.commonDir + "/config"
	s.file(common, 0)
	if s.perTree {
		s.file(p.repo.gitDir+"/config.worktree", 0)
	}
	for _, name := range s.modules {
		if !strings.Contains("/"+name+"/", "/../") {
			s.file(p.repo.commonDir+"/modules/"+name+"/config", 0)
		}
	}
	p.settings, p.read = s.found, true
	return s.found
}

type settingsReader struct {
	repo    *gitRepo
	found   []Setting
	modules []string
	perTree bool
	files   int
}

func (s *settingsReader) file(path string, depth int) {
	if s.files++; s.files > maxSettingFiles {
		return
	}
	data, err := disk.ReadRegular(path, maxSettingsFile)
	if err != nil {
		return
	}
	shown := s.repo.shown(path)
	// What git cannot read either sets nothing.
	_ = parseConfig(disk.View(data), func(e configEntry) {
		if len(s.found) >= maxSettings {
			return
		}
		key := e.Section + "." + e.Key
		if e.Sub != "" {
			key = e.Section + "." + e.Sub + "." + e.Key
		}
		s.found = append(s.found, Setting{Key: key, Value: e.Value, File: shown})
		switch {
		case e.Section == "submodule" && e.Sub != "" && e.Key == "url":
			s.modules = append(s.modules, e.Sub)
		case key == "extensions.worktreeconfig":
			s.perTree = e.isTrue()
		case (e.Section == "include" || e.Section == "includeif") && e.Key == "path" && depth < maxIncludes:
			s.file(absolute(filepath.Dir(path), s.repo.expandPath(e.Value)), depth+1)
		}
	})
}

// shown is a path as Settings and Hooks give it.
func (repo *gitRepo) shown(path string) string {
	if rest, ok := strings.CutPrefix(path, repo.workTree+"/"); ok && repo.workTree != "" {
		return rest
	}
	return path
}

// Hooks returns the hooks of those names that are there and may run: in
// core.hooksPath if the repository sets it, else in its own directory. There are
// none if the user's settings have git take hooks from elsewhere.
func (p *GitProject) Hooks(names []string) []Hook {
	dir := ""
	for _, s := range p.Settings() {
		if s.Key == "core.hookspath" {
			dir = s.Value
		}
	}
	own := dir == ""
	if own {
		dir = p.repo.commonDir + "/hooks"
	} else {
		top := p.repo.workTree
		if top == "" {
			top = p.repo.gitDir
		}
		dir = absolute(top, p.repo.expandPath(dir))
	}
	var found []Hook
	for _, name := range names {
		file := dir + "/" + name
		st, ok := disk.Stat(file)
		if !ok || st.Mode&syscall.S_IFMT != syscall.S_IFREG || st.Mode&0o111 == 0 {
			continue
		}
		found = append(found, p.hook(name, file))
		// husky's own directory holds programs that run those beside it.
		if beside := filepath.Dir(dir) + "/" + name; filepath.Base(dir) == "_" && disk.IsFile(beside) {
			found = append(found, p.hook(name, beside))
		}
	}
	if len(found) > 0 && own && p.hooksElsewhere() {
		return nil
	}
	return found
}

func (p *GitProject) hook(name, file string) Hook {
	h := Hook{Name: name, File: p.repo.shown(file)}
	if data, err := disk.ReadRegular(file, maxHook); err == nil {
		h.Text = string(data)
	}
	return h
}

// hooksElsewhere reports whether the user's or the system's settings name a
// directory of hooks.
func (p *GitProject) hooksElsewhere() bool {
	set := false
	p.repo.protectedConfig(func(e configEntry) {
		if e.Section == "core" && e.Sub == "" && e.Key == "hookspath" {
			set = e.Value != ""
		}
	})
	return set
}

// TakesForFile reports whether git takes a word that may be a revision or a file
// for a file: there is one of that name, and no ref.
func (p *GitProject) TakesForFile(name string) bool {
	if name == "" || strings.ContainsAny(name, "\x00\n") {
		return false
	}
	if _, err := disk.Lstat(absolute(p.request.Dir, name)); err != nil {
		return false
	}
	repo, err := openGit(p.request)
	if err != nil || repo.foreign != "" {
		return err == nil // there is the file, and refs that only git can read
	}
	packed, err := openPacked(repo.commonDir+"/packed-refs", repo.hexLen)
	if err != nil {
		return true
	}
	if packed != nil {
		defer packed.close()
	}
	// The places of gitrevisions(7), "<refname>".
	for _, ref := range [...]string{name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/" + name, "refs/remotes/" + name + "/HEAD"} {
		if state, _, _ := repo.readLoose(repo.commonDir + "/" + ref); state != looseBroken && state != looseMissing || packed != nil && packed.has(ref) {
			return false
		}
	}
	return true
}
