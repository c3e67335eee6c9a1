package gitloss

import (
	"bytes"
	"container/heap"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Bounds of what is read.
const (
	maxCommit = 1 << 20 // bytes of one commit or tag
	maxWalk   = 100_000 // commits
	maxChain  = 10      // tags of tags
)

// commit is what is read of one.
type commit struct {
	hash    plumbing.Hash
	parents []plumbing.Hash
	when    int64 // of the committer, in seconds
	subject string
	held    bool
	done    bool // taken from the queue
}

// lost counts the commits that can be reached from the first and not from the
// second. Both are walked together, the newest commit first, until only held ones
// are left. A clock that went backwards can hide that one is held, so that is
// passed on to commits that were counted before (git's own walk does the same).
func (r *Repo) lost(from, held []plumbing.Hash) (Loss, error) {
	w := walk{repo: r, seen: map[plumbing.Hash]*commit{}}
	tips := map[plumbing.Hash]bool{}
	for _, set := range []struct {
		hashes []plumbing.Hash
		held   bool
	}{{held, true}, {from, false}} {
		for _, h := range set.hashes {
			h, isCommit, err := r.peel(h)
			if err != nil {
				return Loss{}, err
			}
			if isCommit {
				tips[h] = tips[h] || !set.held
				if err := w.reach(h, set.held); err != nil {
					return Loss{}, err
				}
			}
		}
	}
	if err := w.run(); err != nil {
		return Loss{}, err
	}
	var l Loss
	var newest *commit
	for _, c := range w.seen {
		if c.held {
			continue
		}
		l.Commits++
		// Of one second the earlier one is not the tip.
		if newest == nil || c.when > newest.when || c.when == newest.when && tips[c.hash] {
			newest = c
		}
	}
	if newest != nil {
		l.Newest = Commit{Hash: newest.hash.String(), Subject: newest.subject, When: time.Unix(newest.when, 0)}
	}
	return l, nil
}

// walk is a queue of commits, the newest first.
type walk struct {
	repo  *Repo
	seen  map[plumbing.Hash]*commit
	queue []*commit
	open  int // commits in the queue that are not held
}

func (w *walk) Len() int           { return len(w.queue) }
func (w *walk) Less(i, j int) bool { return w.queue[i].when > w.queue[j].when }
func (w *walk) Swap(i, j int)      { w.queue[i], w.queue[j] = w.queue[j], w.queue[i] }
func (w *walk) Push(x any)         { w.queue = append(w.queue, x.(*commit)) }
func (w *walk) Pop() any {
	last := w.queue[len(w.queue)-1]
	w.queue = w.queue[:len(w.queue)-1]
	return last
}

// slop is how many held commits are looked at after the last open one.
const slop = 64

func (w *walk) run() error {
	for left := slop; len(w.queue) > 0 && left > 0; {
		if left--; w.open > 0 {
			left = slop
		}
		c := heap.Pop(w).(*commit)
		c.done = true
		if !c.held {
			w.open--
		}
		if w.repo.shallow[c.hash] {
			continue
		}
		for _, p := range c.parents {
			if err := w.reach(p, c.held); err != nil {
				return err
			}
		}
	}
	return nil
}

// reach comes to a commit from one that is held or not.
func (w *walk) reach(h plumbing.Hash, held bool) error {
	c := w.seen[h]
	if c == nil {
		if len(w.seen) >= maxWalk || time.Now().After(w.repo.cut) {
			return ErrUnknown
		}
		var err error
		if c, err = w.repo.commit(h); err != nil {
			return err
		}
		c.held = held
		w.seen[h] = c
		heap.Push(w, c)
		if !held {
			w.open++
		}
		return nil
	}
	if held {
		w.hold(c)
	}
	return nil
}

// hold marks a commit, and what was reached from it before, as held.
func (w *walk) hold(c *commit) {
	for list := []*commit{c}; len(list) > 0; {
		c, list = list[len(list)-1], list[:len(list)-1]
		if c == nil || c.held {
			continue
		}
		c.held = true
		if !c.done {
			w.open-- // its parents are still to come
			continue
		}
		for _, p := range c.parents {
			list = append(list, w.seen[p])
		}
	}
}

// peel follows tags. What they name need not be a commit.
func (r *Repo) peel(h plumbing.Hash) (at plumbing.Hash, isCommit bool, err error) {
	for range maxChain {
		o, err := r.store.EncodedObject(plumbing.AnyObject, h)
		if err != nil {
			return h, false, err
		}
		switch o.Type() {
		case plumbing.CommitObject:
			return h, true, nil
		case plumbing.TagObject:
			text, err := textOf(o)
			if err != nil {
				return h, false, err
			}
			name, _, _ := strings.Cut(strings.TrimPrefix(text, "object "), "\n")
			h = plumbing.NewHash(name)
		default:
			return h, false, nil
		}
	}
	return h, false, ErrUnknown
}

// commit reads one (gitformat-commit: "parent HASH", "committer NAME <MAIL> TIME ZONE").
func (r *Repo) commit(h plumbing.Hash) (*commit, error) {
	o, err := r.store.EncodedObject(plumbing.CommitObject, h)
	if err != nil {
		return nil, err
	}
	text, err := textOf(o)
	if err != nil {
		return nil, err
	}
	head, message, _ := strings.Cut(text, "\n\n")
	c := &commit{hash: h}
	c.subject, _, _ = strings.Cut(strings.TrimLeft(message, "\n"), "\n")
	for line := range strings.Lines(head) {
		line = strings.TrimSuffix(line, "\n")
		if id, ok := strings.CutPrefix(line, "parent "); ok {
			c.parents = append(c.parents, plumbing.NewHash(id))
		}
		if who, ok := strings.CutPrefix(line, "committer "); ok {
			words := strings.Fields(who[strings.LastIndexByte(who, '>')+1:])
			if len(words) > 0 {
				c.when, _ = strconv.ParseInt(words[0], 10, 64)
			}
		}
	}
	return c, nil
}

func textOf(o plumbing.EncodedObject) (string, error) {
	if o.Size() > maxCommit {
		return "", ErrUnknown
	}
	in, err := o.Reader()
	if err != nil {
		return "", err
	}
	defer in.Close()
	var b bytes.Buffer
	_, err = io.Copy(&b, io.LimitReader(in, maxCommit))
	return b.String(), err
}

// resolve finds the commit of a revision (gitrevisions(7)), as far as Reset says.
func (r *Repo) resolve(revision string) (plumbing.Hash, error) {
	base, steps := revision, ""
	if i := strings.IndexAny(revision, "~^"); i >= 0 {
		base, steps = revision[:i], revision[i:]
	}
	at, err := r.named(base)
	for err == nil && steps != "" {
		op, end := steps[0], 1
		for end < len(steps) && steps[end] >= '0' && steps[end] <= '9' {
			end++
		}
		n := 1
		if end > 1 {
			if n, err = strconv.Atoi(steps[1:end]); err != nil || n > maxWalk {
				return at, ErrUnknown
			}
		}
		if op != '~' && op != '^' {
			return at, ErrUnknown
		}
		steps = steps[end:]
		at, err = r.step(at, op, n)
	}
	return at, err
}

// step goes n first parents back for '~', to the n-th parent for '^'.
func (r *Repo) step(at plumbing.Hash, op byte, n int) (plumbing.Hash, error) {
	times, parent := n, 1
	if op == '^' {
		times, parent = min(n, 1), n
	}
	for range times {
		c, err := r.commit(at)
		if err != nil || len(c.parents) < parent || r.shallow[at] {
			return at, ErrUnknown
		}
		at = c.parents[parent-1]
	}
	return at, nil
}

// named finds the commit of a name without steps.
func (r *Repo) named(name string) (plumbing.Hash, error) {
	at, ok := r.head, name == "HEAD" || name == "@"
	if !ok && plumbing.IsHash(name) {
		at, ok = plumbing.NewHash(name), true
	}
	for _, rule := range [...]string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"} {
		if hash, found := r.refs[plumbing.ReferenceName(rule+name)]; found && !ok {
			at, ok = hash, true
		}
	}
	if !ok || at.IsZero() {
		return at, ErrUnknown
	}
	at, isCommit, err := r.peel(at)
	if err == nil && !isCommit {
		err = ErrUnknown
	}
	return at, err
}
