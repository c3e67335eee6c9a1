package git

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// cutTreePath cuts REVISION:PATH (gitrevisions(7)); ok is false for other text.
func cutTreePath(text string) (revision, path string, ok bool) {
	revision, path, ok = strings.Cut(text, ":")
	return revision, path, ok && revision != ""
}

// gitTreePaths answers REVISION:PATH with what the directory of the path holds
// in that commit, read from its trees.
func gitTreePaths(ctx context.Context, r resolvers.Request, revision, path string) resolvers.Answer {
	return withRepo(r, func(l *listing, repo *gitRepo) error {
		refs, err := openRefs(ctx, repo)
		if err != nil {
			return err
		}
		objects := openObjects(repo)
		defer objects.close()
		tree := objects.treeOf(refs, revision)
		refs.close()
		dir := path[:strings.LastIndexByte(path, '/')+1]
		for part := range strings.SplitSeq(dir, "/") {
			if part != "" && tree != "" {
				tree = objects.below(tree, part)
			}
		}
		if tree == "" {
			return nil
		}
		entries, err := objects.tree(tree)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := ctx.Err(); err != nil {
				return err
			}
			v := resolvers.Value{Value: revision + ":" + dir + e.Name, Kind: "file"}
			if e.isTree() {
				v.Value += "/"
				v.Kind, v.Partial = "directory", true
			}
			if r.Filter.Keep(v.Value) {
				l.add(v)
			}
		}
		return nil
	})
}

// below is the object of the directory name in a tree, "" if there is none.
func (s *objectStore) below(tree, name string) string {
	entries, err := s.tree(tree)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if e.Name == name && e.isTree() {
			return hexOf(e.ID)
		}
	}
	return ""
}

// maxParents bounds how far back a revision may lead.
const maxParents = 1000

// treeOf returns the tree of a revision: a ref or a whole object name, with ~N,
// ^ and ^N after it; "" if it names none that is known here.
func (s *objectStore) treeOf(refs *refStore, revision string) string {
	name := revision
	if i := strings.IndexAny(revision, "~^"); i >= 0 {
		name = revision[:i]
	}
	id := s.peel(refs.object(name))
	for steps := revision[len(name):]; steps != "" && id != ""; {
		kind := steps[0]
		digits := 1
		for digits < len(steps) && steps[digits] >= '0' && steps[digits] <= '9' {
			digits++
		}
		n := 1
		if digits > 1 {
			n, _ = strconv.Atoi(steps[1:digits])
		}
		steps = steps[digits:]
		switch {
		case kind == '~' && n <= maxParents:
			for ; n > 0 && id != ""; n-- {
				id = s.parent(id, 1)
			}
		case kind == '^' && n > 0:
			id = s.parent(id, n)
		case kind != '^':
			return ""
		}
	}
	if id == "" {
		return ""
	}
	commit, err := s.commit(id)
	if err != nil {
		return ""
	}
	return commit.Tree
}

func (s *objectStore) parent(id string, n int) string {
	commit, err := s.commit(id)
	if err != nil || n > len(commit.Parents) {
		return ""
	}
	return commit.Parents[n-1]
}

// peel follows annotated tags to what they name.
func (s *objectStore) peel(id string) string {
	for range 6 {
		if id == "" {
			return ""
		}
		kind, data, err := s.read(id)
		if err != nil {
			return ""
		}
		if kind != tagObject {
			return id
		}
		line, _, _ := bytes.Cut(data, []byte("\n"))
		object, ok := bytes.CutPrefix(line, []byte("object "))
		if !ok {
			return ""
		}
		id = string(object)
	}
	return ""
}

// object is the object that a short name of a ref stands for, tried in git's
// order (gitrevisions(7)), or the name itself if it is a whole object name.
func (s *refStore) object(name string) string {
	if name == "@" {
		name = "HEAD"
	}
	if len(name) == s.repo.hexLen && strings.Trim(name, "0123456789abcdef") == "" {
		return name
	}
	if !validRefName("refs/heads/" + name) {
		return "" // "../" leads out of the refs
	}
	for _, space := range []string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"} {
		if space == "" && name != "HEAD" && !strings.HasPrefix(name, "refs/") && !strings.HasSuffix(name, "_HEAD") {
			continue
		}
		if id := s.resolve(space + name); id != "" {
			return id
		}
	}
	return s.resolve("refs/remotes/" + name + "/HEAD")
}
