package git

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Stashes answers git:stashes from the reflog of the stash: "stash@{0}",
// described by message and age.
func Stashes(_ context.Context, r resolvers.Request) resolvers.Answer {
	return withRepo(r, func(l *listing, repo *gitRepo) error {
		number, time := 0, now()
		reflogFromEnd(repo.commonDir+"/logs/refs/stash", 1<<20, func(line []byte) bool {
			e, ok := parseReflogLine(line, repo.hexLen)
			if !ok {
				return true
			}
			v := resolvers.Value{Value: "stash@{" + strconv.Itoa(number) + "}", Description: e.Message, Kind: "stash", Weight: 1000 - number}
			if ago := age(e.When, time); ago != "" {
				v.Description += ", " + ago
			}
			l.keep(v)
			number++
			return number < 1000
		})
		return nil
	})
}

// Worktrees answers git:worktrees: every work tree of the repository,
// described by its branch. Near ones are given relative to the directory, the
// others, or all where the text begins with a slash, by their whole path.
func Worktrees(_ context.Context, r resolvers.Request) resolvers.Answer { return worktrees(r, true) }

// LinkedWorktrees answers git:linked-worktrees: the same without the main
// one, which git neither removes, moves nor locks.
func LinkedWorktrees(_ context.Context, r resolvers.Request) resolvers.Answer {
	return worktrees(r, false)
}

func worktrees(r resolvers.Request, main bool) resolvers.Answer {
	return withRepo(r, func(l *listing, repo *gitRepo) error {
		absolutely := strings.HasPrefix(r.Filter.Text, "/")
		add := func(path, gitDir, note string) {
			v := resolvers.Value{Value: path, Description: headOf(repo, gitDir), Kind: "worktree"}
			if rel, err := filepath.Rel(repo.dir, path); err == nil && !absolutely && !strings.HasPrefix(rel, "../../../") {
				v.Value = rel
			}
			if path == repo.workTree {
				v.Weight = -1
				note = "current"
			}
			if note != "" {
				v.Description = strings.TrimPrefix(v.Description+", "+note, ", ")
			}
			l.keep(v)
		}
		if main && filepath.Base(repo.commonDir) == ".git" {
			add(filepath.Dir(repo.commonDir), repo.commonDir, "main work tree")
		}
		var names []string
		if err := disk.ReadDir(repo.commonDir+"/worktrees", func(name []byte, typ disk.Type) bool {
			if typ == disk.Directory {
				names = append(names, string(name))
			}
			return true
		}); err != nil {
			return nil // there are no linked work trees
		}
		slices.Sort(names)
		for _, name := range names {
			gitDir := repo.commonDir + "/worktrees/" + name
			data, err := disk.ReadRegular(gitDir+"/gitdir", 64<<10)
			if err != nil {
				continue
			}
			path := absolute(gitDir, strings.TrimRight(string(data), "\r\n"))
			path = strings.TrimSuffix(path, "/.git")
			note := ""
			if _, ok := disk.Stat(gitDir + "/locked"); ok {
				note = "locked"
			} else if _, ok := disk.Stat(path); !ok {
				note = "gone"
			}
			add(path, gitDir, note)
		}
		return nil
	})
}

// headOf describes the HEAD of a work tree: a branch or a short object name.
func headOf(repo *gitRepo, gitDir string) string {
	_, target, object := repo.readLoose(gitDir + "/HEAD")
	if target != "" {
		return shortRef(target)
	}
	if len(object) > shortHash {
		return "detached at " + object[:shortHash]
	}
	return ""
}

// shortHash is how much of an object name is shown: 12 hexadecimal digits stay
// unique in the largest repositories there are.
const shortHash = 12

// reflogSubject gives the subject of the commit that a message of HEAD's
// reflog tells of, "" where it tells of none.
func reflogSubject(message string) string {
	kind, subject, ok := strings.Cut(message, ": ")
	if !ok {
		return ""
	}
	word, _, _ := strings.Cut(kind, " ")
	switch word {
	case "commit", "cherry-pick", "revert", "am":
		return subject
	case "rebase":
		if strings.Contains(kind, "(start)") || strings.Contains(kind, "(finish)") || strings.Contains(kind, "(abort)") {
			return ""
		}
		return subject
	}
	return ""
}
