package resolvers

import (
	"context"
	"slices"
	"strings"
)

// gitDeletable answers git:deletable: the branches that "git branch -d" would
// delete, which leaves out those that a work tree has checked out; with -r the
// remote branches.
func gitDeletable(ctx context.Context, r Request) Answer {
	if slices.ContainsFunc(r.Words, func(w string) bool {
		return w == "--remotes" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "r")
	}) {
		return gitRemoteBranches(ctx, r)
	}
	return withRefs(ctx, r, []string{"refs/heads/"}, func(l *listing, refs *refStore) error {
		err := l.branches(refs, currentLast)
		l.leaveOut(checkedOut(refs.repo))
		return err
	})
}

// gitMergeable answers git:mergeable: what can be merged into the current
// branch, or be what it is rebased onto: any branch but itself, remote
// branches, tags, special names.
func gitMergeable(ctx context.Context, r Request) Answer {
	return revisionsBut(ctx, r, true)
}

// gitStarts answers git:starts: where a new branch may start. It starts at
// HEAD unless something else is named, so HEAD and the current branch are last.
func gitStarts(ctx context.Context, r Request) Answer {
	return revisionsBut(ctx, r, false)
}

// revisionsBut is git:refs with HEAD and the current branch last, or without
// the current branch.
func revisionsBut(ctx context.Context, r Request, without bool) Answer {
	a := gitRefs(ctx, r)
	lead, _ := revisionLead(r.Filter.Text)
	if lead != "" || a.State != Fresh {
		return a
	}
	last := a.Values[:0:0]
	a.Values = slices.DeleteFunc(a.Values, func(v Value) bool {
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

// gitPushable answers git:pushable: what "git push" takes as the source of a
// refspec. The current branch first, which is what most pushes are about; a
// plus sign before it stays.
func gitPushable(ctx context.Context, r Request) Answer {
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
			l.add(Value{Value: lead + "HEAD", Kind: "ref", Weight: remoteWeight})
		}
		return l.space(refs, "refs/tags/", Value{Kind: "tag", Weight: tagWeight}, nil)
	})
}

// gitRemoteHeads answers git:remote-heads: the branches of the remote that the
// words name, or of all, by the names that they have there.
func gitRemoteHeads(ctx context.Context, r Request) Answer {
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
		err := l.merge(sources, none, func(i int) Value {
			return Value{Description: "on " + remotes[i].Name, Kind: "remote branch"}
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
	l.answer.Values = slices.DeleteFunc(l.answer.Values, func(v Value) bool { return slices.Contains(names, v.Value) })
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
	_ = readDir(repo.commonDir+"/worktrees", func(name []byte, typ entryType) bool {
		if typ == entryDir {
			trees = append(trees, string(name))
		}
		return true
	})
	for _, tree := range trees {
		head(repo.commonDir + "/worktrees/" + tree)
	}
	return names
}
