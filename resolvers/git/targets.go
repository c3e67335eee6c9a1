package git

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Deletable answers git:deletable: the branches that "git branch -d" would
// delete, which leaves out those that a work tree has checked out; with -r the
// remote branches.
func Deletable(ctx context.Context, r resolvers.Request) resolvers.Answer {
	if slices.ContainsFunc(r.Words, func(w string) bool {
		return w == "--remotes" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "r")
	}) {
		return RemoteBranches(ctx, r)
	}
	return withRefs(ctx, r, []string{"refs/heads/"}, func(l *listing, refs *refStore) error {
		err := l.branches(refs, currentLast)
		l.leaveOut(checkedOut(refs.repo))
		return err
	})
}

// Mergeable answers git:mergeable: what can be merged into the current
// branch, or be what it is rebased onto: any branch but itself, remote
// branches, tags, special names.
func Mergeable(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return revisionsBut(ctx, r, true)
}

// Starts answers git:starts: where a new branch may start. It starts at
// HEAD unless something else is named, so HEAD and the current branch are last.
func Starts(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return revisionsBut(ctx, r, false)
}

// revisionsBut is git:refs with HEAD and the current branch last, or without
// the current branch.
func revisionsBut(ctx context.Context, r resolvers.Request, without bool) resolvers.Answer {
	a := Refs(ctx, r)
	lead, _ := revisionLead(r.Filter.Text)
	if lead != "" || a.State != resolvers.Fresh {
		return a
	}
	last := a.Values[:0:0]
	a.Values = slices.DeleteFunc(a.Values, func(v resolvers.Value) bool {
		current := v.Kind == "branch" && v.Description == "current"
		if current && without {
			return true
		}
		if current || v.Value == "HEAD" {
			v.Weight = currentLast
			last = append(last, v)
			return true
		}
		return false
	})
	a.Values = append(a.Values, last...)
	return a
}

// Pushable answers git:pushable: what "git push" takes as the source of a
// refspec. The current branch first, which is what most pushes are about; a
// plus sign before it stays.
func Pushable(ctx context.Context, r resolvers.Request) resolvers.Answer {
	lead := ""
	if strings.HasPrefix(r.Filter.Text, "+") {
		lead, r.Filter.Text = "+", r.Filter.Text[1:]
	}
	return withRefs(ctx, r, []string{"refs/heads/", "refs/tags/"}, func(l *listing, refs *refStore) error {
		l.lead = lead
		if err := l.branches(refs, headWeight); err != nil {
			return err
		}
		if l.r.Filter.Keep("HEAD") {
			l.add(resolvers.Value{Value: lead + "HEAD", Kind: "ref", Weight: remoteWeight})
		}
		return l.space(refs, "refs/tags/", resolvers.Value{Kind: "tag", Weight: tagWeight}, nil)
	})
}

// RemoteHeads answers git:remote-heads: the branches of the remote that the
// words name, or of all, by the names that they have there.
func RemoteHeads(ctx context.Context, r resolvers.Request) resolvers.Answer {
	lead := ""
	if strings.HasPrefix(r.Filter.Text, "+") {
		lead, r.Filter.Text = "+", r.Filter.Text[1:]
	}
	return withRefs(ctx, r, []string{"refs/remotes/"}, func(l *listing, refs *refStore) error {
		l.lead = lead
		remotes := refs.repo.remotes()
		if i := slices.IndexFunc(remotes, func(m gitRemote) bool { return slices.Contains(r.Words, m.Name) }); i >= 0 {
			remotes = remotes[i : i+1]
		}
		sources := make([]*refCursor, len(remotes))
		for i, m := range remotes {
			sources[i] = refs.cursor("refs/remotes/"+m.Name+"/", l.r.Filter).apart()
		}
		current := refs.repo.currentBranch()
		none := func() []*refCursor { return nil }
		err := l.merge(sources, none, func(i int) resolvers.Value {
			return resolvers.Value{Description: "on " + remotes[i].Name, Kind: "remote branch"}
		}, func(name []byte, have []int) int {
			if string(name) == "HEAD" {
				return -1
			}
			return have[0]
		})
		for i := range l.answer.Values {
			if v := &l.answer.Values[i]; v.Value == lead+current {
				v.Weight = headWeight
			}
		}
		return err
	})
}

// leaveOut takes values out of an answer.
func (l *listing) leaveOut(names []string) {
	l.answer.Values = slices.DeleteFunc(l.answer.Values, func(v resolvers.Value) bool { return slices.Contains(names, v.Value) })
}

// checkedOut lists the branches that the work trees of a repository are on.
func checkedOut(repo *gitRepo) []string {
	var names []string
	head := func(gitDir string) {
		if _, target, _ := repo.readLoose(gitDir + "/HEAD"); target != "" {
			if name, ok := strings.CutPrefix(target, "refs/heads/"); ok {
				names = append(names, strings.Clone(name))
			}
		}
	}
	head(repo.commonDir)
	var trees []string
	// Without the directory there are no linked work trees.
	_ = disk.ReadDir(repo.commonDir+"/worktrees", func(name []byte, typ disk.Type) bool {
		if typ == disk.Directory {
			trees = append(trees, string(name))
		}
		return true
	})
	for _, tree := range trees {
		head(repo.commonDir + "/worktrees/" + tree)
	}
	return names
}
