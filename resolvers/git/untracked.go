package git

import (
	"context"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/files"
)

// Untracked answers git:untracked: files below the request's directory, or
// below the one that the text names, that are neither tracked nor ignored. A
// repository within is one entry, "dir/".
func Untracked(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return walkWorkTree(ctx, r, workWalk{untracked: true})
}

// Addable answers git:addable: what git add would add, as its options have
// it, and the directories that hold such. With --force that is any file.
func Addable(ctx context.Context, r resolvers.Request) resolvers.Answer {
	w := workWalk{changed: true, untracked: true, folders: true}
	for i := 1; i < len(r.Words) && r.Words[i] != "--"; i++ {
		word := r.Words[i]
		flags := ""
		if strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") {
			flags = word[1:]
		}
		switch {
		case word == "-C" || word == "-c": // git's own
			i++
		case word == "--force" || strings.Contains(flags, "f"):
			return files.Files(ctx, r)
		case word == "--renormalize" || word == "--refresh" || strings.HasPrefix(word, "--chmod="):
			return Files(ctx, r)
		case word == "--intent-to-add" || strings.Contains(flags, "N"):
			w.changed = false
		case word == "--update" || word == "--patch" || word == "--edit" || strings.ContainsAny(flags, "upe"):
			w.untracked = false
		}
	}
	if strings.HasPrefix(r.Filter.Text, "/") {
		return files.Files(ctx, r)
	}
	return walkWorkTree(ctx, r, w)
}

// untrackedWalk is what deciding about single files shares.
type untrackedWalk struct {
	l       *pathListing
	ignores *ignores
}

func (w *untrackedWalk) nested(dir string) bool { return nestedRepo(w.l.repo, dir) }

// nestedRepo reports whether a directory of a work tree is a repository of its own.
func nestedRepo(repo *gitRepo, dir string) bool {
	path := repo.workTree + "/" + dir + ".git"
	st, ok := disk.Stat(path)
	if !ok {
		return false
	}
	sub := &gitRepo{dir: repo.workTree, gitDir: path, getenv: func(string) string { return "" }, hexLen: 40}
	if disk.TypeOf(uint32(st.Mode)) == disk.File {
		target, err := readGitFile(path)
		if err != nil {
			return false
		}
		sub.gitDir = target
	}
	return sub.isGitDir("")
}
