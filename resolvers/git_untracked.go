package resolvers

import (
	"context"
	"strings"
)

// gitUntracked answers git:untracked: files below the request's directory, or
// below the one that the text names, that are neither tracked nor ignored. A
// repository within is one entry, "dir/".
func gitUntracked(ctx context.Context, r Request) Answer {
	return walkWorkTree(ctx, r, workWalk{untracked: true})
}

// gitAddable answers git:addable: what git add would add, as its options have
// it, and the directories that hold such. With --force that is any file.
func gitAddable(ctx context.Context, r Request) Answer {
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
			return listFiles(ctx, r)
		case word == "--renormalize" || word == "--refresh" || strings.HasPrefix(word, "--chmod="):
			return gitFiles(ctx, r)
		case word == "--intent-to-add" || strings.Contains(flags, "N"):
			w.changed = false
		case word == "--update" || word == "--patch" || word == "--edit" || strings.ContainsAny(flags, "upe"):
			w.untracked = false
		}
	}
	if strings.HasPrefix(r.Filter.Text, "/") {
		return listFiles(ctx, r)
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
	st, ok := statFile(path)
	if !ok {
		return false
	}
	sub := &gitRepo{dir: repo.workTree, gitDir: path, getenv: func(string) string { return "" }, hexLen: 40}
	if typeOfMode(uint32(st.Mode)) == entryFile {
		target, err := readGitFile(path)
		if err != nil {
			return false
		}
		sub.gitDir = target
	}
	return sub.isGitDir("")
}
