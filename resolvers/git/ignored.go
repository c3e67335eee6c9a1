package git

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Ignored says what git ignores in one work tree, as git check-ignore does: what is
// tracked is not ignored, whatever a pattern says. It reads the repository's files and
// runs nothing.
type Ignored struct {
	repo  *gitRepo
	rules *ignores
	dirs  map[string]*ignoredDir
	index *gitIndex
	read  bool // the index was looked for
}

// ignoredDir is what is known of a directory ("" or "a/b/").
type ignoredDir struct {
	chain  []ignoreFile // from the root to it
	hidden bool         // it is ignored, and so is what is in it
}

// OpenIgnored finds the work tree that a directory is in. getenv nil means the
// process's environment.
func OpenIgnored(dir string, getenv func(string) string) (*Ignored, error) {
	repo, err := openGit(resolvers.Request{Dir: dir, Getenv: getenv})
	if err != nil {
		return nil, err
	}
	if repo.workTree == "" {
		return nil, errNoRepo
	}
	return &Ignored{repo: repo, rules: openIgnores(repo), dirs: map[string]*ignoredDir{}}, nil
}

// Root is the absolute path of the work tree, without symbolic links.
func (g *Ignored) Root() string { return g.repo.workTree }

// Path reports whether a path relative to the work tree is ignored.
func (g *Ignored) Path(path string, dir bool) bool {
	slash := strings.LastIndexByte(path, '/') + 1
	d := g.dir(path[:slash])
	if !d.hidden {
		g.rules.tree = d.chain
		if !g.rules.ignored(path, dir) {
			return false
		}
	}
	return !g.tracked(path)
}

// dir reads the rules that hold in a directory.
func (g *Ignored) dir(dir string) *ignoredDir {
	if d := g.dirs[dir]; d != nil {
		return d
	}
	if len(g.dirs) > 100_000 {
		clear(g.dirs)
	}
	d := &ignoredDir{}
	if dir != "" {
		plain := dir[:len(dir)-1]
		above := g.dir(plain[:strings.LastIndexByte(plain, '/')+1])
		d.chain, d.hidden = above.chain[:len(above.chain):len(above.chain)], above.hidden
		if !d.hidden {
			g.rules.tree = above.chain
			d.hidden = g.rules.ignored(plain, true)
		}
	}
	if !d.hidden {
		// Most directories have no rules of their own.
		if _, err := disk.Lstat(g.repo.workTree + "/" + dir + ".gitignore"); err == nil {
			g.rules.tree = d.chain
			g.rules.enter(g.repo.workTree, dir)
			d.chain = g.rules.tree
		}
	}
	g.dirs[dir] = d
	return d
}

func (g *Ignored) tracked(path string) bool {
	if !g.read {
		g.read = true
		g.index, _ = openIndex(g.repo)
	}
	if g.index == nil {
		return false
	}
	if g.index.tracked(path) {
		return true
	}
	from, to := g.index.under(path + "/")
	return to > from
}
