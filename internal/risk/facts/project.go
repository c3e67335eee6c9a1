package facts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
	"github.com/tool-mapping-protocol/tmp/resolvers/settings"
)

// Project reads what files of a project say about the programs that commands
// start, for one line. Each file is read once, and only for a command that
// would read it too; nothing is run.
type Project struct {
	Dir    string // the working directory, absolute; "" if it cannot be read
	Getenv func(string) string

	git   map[string]*git.GitProject // by place; nil where there is none
	found map[string][]risk.Setting  // by source
}

// Settings answers for risk.Facts.
func (p *Project) Settings(s risk.Source) []risk.Setting {
	dir := p.place(s.In)
	if dir == "" {
		return nil
	}
	key := strings.Join([]string{s.File, dir, strings.Join(s.Hooks, " ")}, "\x00")
	if s.File == "git" || s.File == "hooks" {
		key += "\x00" + strings.Join(gitOptions(s.Words), "\x00")
	}
	found, ok := p.found[key]
	if !ok {
		if p.found == nil {
			p.found = map[string][]risk.Setting{}
		}
		found = p.read(s, dir)
		p.found[key] = found
	}
	return found
}

func (p *Project) read(s risk.Source, dir string) (found []risk.Setting) {
	if s.File != "git" && s.File != "hooks" {
		for _, f := range settings.Find(dir, p.Getenv("HOME"), s.File) {
			found = append(found, risk.Setting{Key: f.Key, Value: f.Value, File: p.shown(f.File)})
		}
		return found
	}
	repo := p.repository(dir, s.Words)
	switch {
	case repo == nil:
	case s.File == "git":
		for _, f := range repo.Settings() {
			found = append(found, risk.Setting(f))
		}
	default:
		for _, h := range repo.Hooks(s.Hooks) {
			found = append(found, risk.Setting{Key: h.Name, Value: h.Text, File: h.File})
		}
	}
	return found
}

// shown is a path as seen from here, where it is not far.
func (p *Project) shown(path string) string {
	if rel, err := filepath.Rel(p.Dir, path); err == nil && !strings.HasPrefix(rel, "../../..") {
		return rel
	}
	return path
}

// repository is that of a git command, or nil.
func (p *Project) repository(dir string, words []string) *git.GitProject {
	options := gitOptions(words)
	key := dir + "\x00" + strings.Join(options, "\x00")
	repo, ok := p.git[key]
	if !ok {
		if repo, ok = git.OpenProject(dir, append([]string{"git"}, options...), p.Getenv); !ok {
			repo = nil
		}
		if p.git == nil {
			p.git = map[string]*git.GitProject{}
		}
		p.git[key] = repo
	}
	return repo
}

// TakesForFile answers for risk.Facts.
func (p *Project) TakesForFile(s risk.Source, word string) bool {
	dir := p.place(s.In)
	if dir == "" {
		return false
	}
	repo := p.repository(dir, s.Words)
	return repo != nil && repo.TakesForFile(word)
}

// gitOptions are the words before git's sub-command.
func gitOptions(words []string) []string {
	for i := 1; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-C" || w == "-c" || w == "--git-dir" || w == "--work-tree" || w == "--namespace" || w == "--super-prefix" || w == "--config-env" || w == "--attr-source":
			i++
		case !strings.HasPrefix(w, "-"):
			return words[1:i]
		}
	}
	return words[min(1, len(words)):]
}

// place returns a directory that a line names, absolute.
func (p *Project) place(in string) string {
	switch rest, home := strings.CutPrefix(in, "~"); {
	case in == "":
		return p.Dir
	case home && (rest == "" || rest[0] == '/'):
		return filepath.Clean(p.Getenv("HOME") + rest)
	case filepath.IsAbs(in):
		return filepath.Clean(in)
	case p.Dir == "":
		return ""
	}
	return filepath.Join(p.Dir, in)
}

// maxText bounds a file that a line names and that is looked into, in bytes.
const maxText = 256 << 10

// Text answers for risk.Facts: what a regular file holds, named as from here.
func (p *Project) Text(name string) (string, bool) {
	file := p.place(name)
	if file == "" {
		return "", false
	}
	st, err := os.Stat(file)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxText {
		return "", false
	}
	data, err := os.ReadFile(file)
	if err != nil || slices.Contains(data, 0) {
		return "", false
	}
	return string(data), true
}
