package git

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Refs answers git:refs: whatever names a commit. HEAD, branches with the
// recent ones first, remote branches, tags, and special names such as
// FETCH_HEAD and stash. The text may be the end of a range ("main..fea",
// "^fea") or a longer form of a name ("heads/fea", "refs/notes/c").
func Refs(ctx context.Context, r resolvers.Request) resolvers.Answer {
	revision, path, colon := cutTreePath(r.Filter.Text)
	if colon && !takesRefspecs(r.Words) {
		return gitTreePaths(ctx, r, revision, path)
	}
	lead, text := revisionLead(r.Filter.Text)
	if colon {
		lead, text = revision+":", path
	}
	r.Filter.Text = text
	spaces := []string{"refs/heads/", "refs/remotes/", "refs/tags/"}
	for _, long := range [...]struct{ form, space string }{
		{"refs/", "refs/"}, {"heads/", "refs/heads/"}, {"tags/", "refs/tags/"}, {"remotes/", "refs/remotes/"},
	} {
		if rest, ok := strings.CutPrefix(text, long.form); ok {
			longer := r
			longer.Filter.Text = rest
			answer := withRefs(ctx, longer, []string{long.space}, func(l *listing, refs *refStore) error {
				l.lead = lead + long.form
				return l.space(refs, long.space, resolvers.Value{Kind: kindOfSpace(long.space)}, nil)
			})
			// A branch may be called "heads/x": then the short form is meant.
			if len(answer.Values) > 0 || answer.State != resolvers.Fresh {
				return answer
			}
		}
	}
	a := withRefs(ctx, r, spaces, func(l *listing, refs *refStore) error {
		l.lead = lead
		return l.revisions(refs)
	})
	if len(a.Values) == 0 && a.State == resolvers.Fresh && r.Filter.Mode == resolvers.Prefix {
		if more := unnamedRevisions(ctx, r, lead, text); len(more.Values) > 0 {
			return more
		}
	}
	return a
}

// takesRefspecs reports whether the words are of a git command whose arguments
// are refspecs: what follows their colon is a ref.
func takesRefspecs(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return w == "push" || w == "fetch" || w == "pull" })
}

// revisionLead splits what stands before the last name of a revision range:
// "main..", "a...", "^".
func revisionLead(text string) (lead, rest string) {
	if i := strings.LastIndex(text, ".."); i >= 0 {
		return text[:i+2], text[i+2:]
	}
	if strings.HasPrefix(text, "^") {
		return "^", text[1:]
	}
	return "", text
}

func (l *listing) revisions(refs *refStore) error {
	if l.r.Filter.Keep("HEAD") {
		v := resolvers.Value{Value: l.lead + "HEAD", Kind: "ref", Weight: headWeight}
		if branch := refs.repo.currentBranch(); branch != "" {
			v.Description = "→ " + branch
		}
		l.add(v)
	}
	if err := l.branches(refs, recentCount+1); err != nil {
		return err
	}
	heads := func() []*refCursor { return []*refCursor{l.blind(refs, "refs/heads/")} }
	remotes := refs.cursor("refs/remotes/", l.r.Filter).apart()
	if err := l.merge([]*refCursor{remotes}, heads, func(int) resolvers.Value {
		return resolvers.Value{Kind: "remote branch", Weight: remoteWeight}
	}, nil); err != nil {
		return err
	}
	tags := refs.cursor("refs/tags/", l.r.Filter).apart()
	if err := l.merge([]*refCursor{tags}, heads, func(int) resolvers.Value {
		return resolvers.Value{Kind: "tag", Weight: tagWeight}
	}, nil); err != nil {
		return err
	}
	return l.special(refs)
}

// special adds FETCH_HEAD, ORIG_HEAD and their like, and the stash.
func (l *listing) special(refs *refStore) error {
	var found []string
	err := disk.ReadDir(refs.repo.gitDir, func(name []byte, typ disk.Type) bool {
		if typ == disk.File && bytes.HasSuffix(name, []byte("_HEAD")) && l.r.Filter.Keep(disk.View(name)) {
			found = append(found, string(name))
		}
		return true
	})
	if err != nil {
		return err
	}
	slices.Sort(found)
	for _, name := range found {
		l.add(resolvers.Value{Value: l.lead + name, Kind: "ref", Weight: specialWeight})
	}
	if l.r.Filter.Keep("stash") && refs.has("refs/stash") {
		l.add(resolvers.Value{Value: l.lead + "stash", Kind: "ref", Weight: specialWeight})
	}
	return nil
}

// exactMerge is up to how many names a merge beyond the limit goes on to count
// exactly; beyond, names that two sources share count twice.
const exactMerge = 4096

// mergeHead is one source of a merge with the name at its head.
type mergeHead struct {
	c      *refCursor
	name   []byte
	target string
	ok     bool
}

func (h *mergeHead) advance() {
	name, target, ok := h.c.next()
	h.name, h.target, h.ok = append(h.name[:0], name...), target, ok
}

// merge walks sources side by side in the order of names and adds those that
// none of the walks that exclude opens has. accept, where given, decides from the sources that have
// the name which one counts, -1 for none. like makes the value of a source.
func (l *listing) merge(sources []*refCursor, exclude func() []*refCursor, like func(source int) resolvers.Value, accept func(name []byte, have []int) int) error {
	heads := make([]mergeHead, 0, len(sources)+2)
	any := false
	open := func(cursors []*refCursor) {
		for _, c := range cursors {
			heads = append(heads, mergeHead{c: c})
			heads[len(heads)-1].advance()
			any = any || heads[len(heads)-1].ok
		}
	}
	if open(sources); !any { // no remotes, no tags: nothing to leave out of them
		return l.restOfMerge(heads, sources)
	}
	open(exclude())
	have := make([]int, 0, len(sources))
	for steps := 0; ; steps++ {
		var least []byte
		have = have[:0]
		for i := range heads[:len(sources)] {
			if !heads[i].ok {
				continue
			}
			switch order := bytes.Compare(heads[i].name, least); {
			case len(have) == 0 || order < 0:
				least, have = heads[i].name, append(have[:0], i)
			case order == 0:
				have = append(have, i)
			}
		}
		if len(have) == 0 {
			break
		}
		source := have[0]
		if accept != nil {
			source = accept(least, have)
		}
		if excluded(heads[len(sources):], least) {
			source = -1
		}
		if source >= 0 {
			l.addMerged(&heads[source], like(source))
		}
		if !l.room() {
			if steps > exactMerge {
				break
			}
			for _, c := range sources {
				c.blind = true
			}
		}
		for _, i := range have {
			heads[i].advance()
		}
	}
	return l.restOfMerge(heads, sources)
}

// restOfMerge counts what a merge that was broken off did not look at.
func (l *listing) restOfMerge(heads []mergeHead, sources []*refCursor) error {
	for i, c := range sources {
		if heads[i].ok {
			l.answer.Omitted += c.rest()
		}
	}
	for i := range heads {
		if err := heads[i].c.err; err != nil {
			return err
		}
	}
	return nil
}

func (l *listing) addMerged(h *mergeHead, v resolvers.Value) {
	if !l.room() {
		l.answer.Omitted++
		return
	}
	v.Value = l.text(h.name)
	if h.target != "" {
		v.Description = "→ " + shortRef(h.target)
	}
	l.answer.Values = append(l.answer.Values, v)
}

// excluded moves the excluding walks up to the name and reports whether one
// has it.
func excluded(heads []mergeHead, name []byte) bool {
	met := false
	for i := range heads {
		for heads[i].ok && bytes.Compare(heads[i].name, name) < 0 {
			heads[i].advance()
		}
		met = met || heads[i].ok && bytes.Equal(heads[i].name, name)
	}
	return met
}

// Checkout answers git:checkout: what "git checkout" takes as its first
// word. Local branches; branches of a remote without the remote's name, where
// git would make a local one of it because exactly one remote has it
// (git-checkout(1), "--guess"); and tags. What else names a commit detaches HEAD:
// it is there for who begins to type it.
func Checkout(ctx context.Context, r resolvers.Request) resolvers.Answer {
	a := withRefs(ctx, r, []string{"refs/heads/", "refs/tags/"}, func(l *listing, refs *refStore) error {
		return l.switchable(refs, true)
	})
	text := r.Filter.Text
	if text == "" || r.Filter.Mode != resolvers.Prefix || a.State != resolvers.Fresh || len(a.Values) > 0 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
		return a
	}
	have := make(map[string]bool, len(a.Values))
	for i := range a.Values {
		have[a.Values[i].Value] = true
	}
	for _, v := range Refs(ctx, r).Values {
		if !have[v.Value] {
			a.Values = append(a.Values, v)
		}
	}
	return a
}

// Switch answers git:switch: the same without tags, which "git switch"
// takes only with --detach.
func Switch(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return withRefs(ctx, r, []string{"refs/heads/"}, func(l *listing, refs *refStore) error {
		return l.switchable(refs, false)
	})
}

func (l *listing) switchable(refs *refStore, withTags bool) error {
	if err := l.branches(refs, currentLast); err != nil {
		return err
	}
	heads := func() []*refCursor { return []*refCursor{l.blind(refs, "refs/heads/")} }
	exclude := heads
	if withTags {
		exclude = func() []*refCursor { return append(heads(), l.blind(refs, "refs/tags/")) }
	}
	if err := l.guessed(refs, exclude); err != nil || !withTags {
		return err
	}
	tags := refs.cursor("refs/tags/", l.r.Filter).apart()
	return l.merge([]*refCursor{tags}, heads, func(int) resolvers.Value {
		return resolvers.Value{Kind: "tag", Weight: tagWeight}
	}, nil)
}

// blind opens a walk of names alone beside others.
func (l *listing) blind(refs *refStore, space string) *refCursor {
	c := refs.cursor(space, l.r.Filter).apart()
	c.blind = true
	return c
}

// guessed adds the branches that git would make from a remote's.
func (l *listing) guessed(refs *refStore, exclude func() []*refCursor) error {
	remotes := refs.repo.remotes()
	favourite := -1
	if len(remotes) > 1 {
		refs.repo.allConfig(func(e configEntry) {
			if e.Section == "checkout" && e.Sub == "" && e.Key == "defaultremote" {
				favourite = slices.IndexFunc(remotes, func(m gitRemote) bool { return m.Name == e.Value })
			}
		})
	}
	sources := make([]*refCursor, len(remotes))
	for i, m := range remotes {
		sources[i] = refs.cursor("refs/remotes/"+m.Name+"/", l.r.Filter).apart()
	}
	return l.merge(sources, exclude, func(source int) resolvers.Value {
		return resolvers.Value{Description: "from " + remotes[source].Name, Kind: "remote branch", Weight: remoteWeight}
	}, func(name []byte, have []int) int {
		switch {
		case string(name) == "HEAD":
			return -1
		case len(have) == 1:
			return have[0]
		case slices.Contains(have, favourite):
			return favourite
		}
		return -1
	})
}
