package git

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// listing collects the values of one answer and keeps to its limit.
type listing struct {
	r      resolvers.Request
	answer resolvers.Answer
	names  []byte // room that the names of values are cut from
	lead   string // stands before every value: "main.." of "main..fea"
}

// room reports whether one more value is wanted.
func (l *listing) room() bool { return l.r.Limit <= 0 || len(l.answer.Values) < l.r.Limit }

// text copies a name. Names share few large pieces of memory.
func (l *listing) text(name []byte) string {
	if cap(l.names)-len(l.names) < len(l.lead)+len(name) {
		l.names = make([]byte, 0, max(4<<10, len(l.lead)+len(name)))
	}
	start := len(l.names)
	l.names = append(append(l.names, l.lead...), name...)
	return disk.View(l.names[start:])
}

func (l *listing) add(v resolvers.Value) {
	if !l.room() {
		l.answer.Omitted++
		return
	}
	l.answer.Values = append(l.answer.Values, v)
}

// refuse ends the answer with what went wrong.
func (l *listing) refuse(err error) resolvers.Answer {
	if err == context.DeadlineExceeded || err == context.Canceled {
		l.answer.State, l.answer.Message = resolvers.Timeout, "git refs: out of time"
		return l.answer
	}
	return gitFailure(err)
}

// withRefs opens the repository and its refs, and lets list fill the answer.
// Where only git can read the refs, git is asked for those of spaces.
func withRefs(ctx context.Context, r resolvers.Request, spaces []string, list func(*listing, *refStore) error) resolvers.Answer {
	repo, err := openGit(r)
	if err != nil {
		return gitFailure(err)
	}
	if repo.foreign != "" {
		return askGit(ctx, r, repo, spaces)
	}
	refs, err := openRefs(ctx, repo)
	if err != nil {
		return gitFailure(err)
	}
	defer refs.close()
	l := &listing{r: r, answer: resolvers.Answer{State: resolvers.Fresh}}
	if err := list(l, refs); err != nil {
		return l.refuse(err)
	}
	return l.answer
}

// Branches answers git:branches: local branches, those last checked out
// first, the current one last.
func Branches(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return withRefs(ctx, r, []string{"refs/heads/"}, func(l *listing, refs *refStore) error {
		return l.branches(refs, currentLast)
	})
}

// Weights of what is not recent. Nobody checks out or merges the branch they
// are on, so it comes after all else there.
const (
	headWeight    = 100
	remoteWeight  = -1
	tagWeight     = -2
	currentLast   = -3
	specialWeight = -4
)

// branches adds local branches: recent ones with positive weights, the current
// one with the weight given, the others with none.
func (l *listing) branches(refs *refStore, currentWeight int) error {
	const space = "refs/heads/"
	current := refs.repo.currentBranch()
	recent := refs.repo.recentBranches(func(name string) bool {
		return name != current && l.r.Filter.Keep(name) && refs.has(space+name)
	})
	time := int64(0)
	if len(recent) > 0 {
		time = now()
	}
	var first []string
	for i, b := range recent {
		first = append(first, b.Name)
		v := resolvers.Value{Value: l.lead + b.Name, Kind: "branch", Weight: len(recent) - i}
		if ago := age(b.When, time); ago != "" {
			v.Description = "used " + ago
		}
		l.add(v)
	}
	if current != "" && l.r.Filter.Keep(current) && refs.has(space+current) {
		first = append(first, current)
		l.add(resolvers.Value{Value: l.lead + current, Description: "current", Kind: "branch", Weight: currentWeight})
	}
	slices.Sort(first)
	return l.space(refs, space, resolvers.Value{Kind: "branch"}, first)
}

// minRefLine is what a line of packed-refs holds at least beside the space.
const minRefLine = 43

// space adds the refs of one space under their short names, like "like", but
// those of except, which are sorted and were met before.
func (l *listing) space(refs *refStore, space string, like resolvers.Value, except []string) error {
	c := refs.cursor(space, l.r.Filter)
	if l.r.Limit <= 0 {
		l.reserve(c)
	} else if n := int(c.to-c.at) / (minRefLine + len(space)); n > 0 {
		l.answer.Values = slices.Grow(l.answer.Values, min(n, l.r.Limit-len(l.answer.Values)))
	}
	for l.room() {
		name, target, ok := c.next()
		if !ok {
			return c.err
		}
		if len(except) > 0 {
			if i, met := slices.BinarySearch(except, disk.View(name)); met {
				except = slices.Delete(except, i, i+1)
				continue
			}
		}
		v := like
		v.Value = l.text(name)
		if target != "" {
			v.Description = "→ " + shortRef(target)
		}
		l.answer.Values = append(l.answer.Values, v)
	}
	l.answer.Omitted += max(0, c.rest()-len(except))
	return c.err
}

// reserve makes room for every name of a walk at once, so that a long list is
// not copied while it grows.
func (l *listing) reserve(c *refCursor) {
	if c.err != nil || c.filter.Text != "" && c.filter.Mode != resolvers.Prefix || c.to <= c.at {
		return
	}
	n, err := c.packed.count(c.at, c.to)
	if err != nil {
		return
	}
	c.chunk = chunkFor(c.to - c.at)
	l.answer.Values = slices.Grow(l.answer.Values, n+len(c.loose))
	// What a line holds beside the name: object, blank, space, line end.
	beside := int64(n) * int64(c.packed.hexLen+2+len(c.space))
	if size := c.to - c.at - beside; size > 0 && size < 1<<30 {
		l.names = make([]byte, 0, size)
	}
}

// shortRef drops the space that every ref of its kind shares.
func shortRef(ref string) string {
	for _, space := range [...]string{"refs/heads/", "refs/tags/", "refs/remotes/", "refs/"} {
		if rest, ok := strings.CutPrefix(ref, space); ok {
			return rest
		}
	}
	return ref
}

// RemoteBranches answers git:remote-branches: "origin/main".
func RemoteBranches(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return withRefs(ctx, r, []string{"refs/remotes/"}, func(l *listing, refs *refStore) error {
		return l.space(refs, "refs/remotes/", resolvers.Value{Kind: "remote branch"}, nil)
	})
}

// Tags answers git:tags.
func Tags(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return withRefs(ctx, r, []string{"refs/tags/"}, func(l *listing, refs *refStore) error {
		return l.space(refs, "refs/tags/", resolvers.Value{Kind: "tag"}, nil)
	})
}

// GitCurrentBranch answers git:current_branch: the branch that HEAD names,
// which may have no commit yet.
func GitCurrentBranch(_ context.Context, r resolvers.Request) resolvers.Answer {
	repo, err := openGit(r)
	if err != nil {
		return gitFailure(err)
	}
	answer := resolvers.Answer{State: resolvers.Fresh}
	switch branch := repo.currentBranch(); {
	case branch == ".invalid":
		// What HEAD says in a repository whose refs are in a reftable.
		return askGit(context.Background(), r, repo, nil)
	case branch == "":
		answer.Message = "HEAD is detached"
	case r.Filter.Keep(branch):
		answer.Values = []resolvers.Value{{Value: branch, Description: "current", Kind: "branch"}}
	}
	return answer
}
