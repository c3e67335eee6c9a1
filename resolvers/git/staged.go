package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

func hexOf(id []byte) string { return hex.EncodeToString(id) }

// Staged answers git:staged: paths whose index entry differs from the
// commit that HEAD names, over the whole work tree. Trees that the index still
// knows to be unchanged are not read.
func Staged(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return withIndex(ctx, r, func(l *pathListing) error {
		refs, err := openRefs(ctx, l.repo)
		if err != nil {
			return err
		}
		head := refs.resolve("HEAD")
		refs.close()
		d := stagedDiff{l: l, objects: openObjects(l.repo)}
		defer d.objects.close()
		if head == "" {
			// No commit yet: all that is tracked is new.
			return d.added(0, len(l.index.entries))
		}
		commit, err := d.objects.commit(head)
		if err != nil {
			return err
		}
		return d.tree(commit.Tree, "", 0, len(l.index.entries), 0)
	})
}

// stagedDiff compares trees with the index.
type stagedDiff struct {
	l       *pathListing
	objects *objectStore
}

func (d *stagedDiff) report(path, description string) {
	if path == d.l.last {
		return
	}
	d.l.last = path
	if rel, ok := d.l.wanted(path); ok {
		d.l.addPath(rel, description)
	}
}

// added reports the entries [from, to) as new.
func (d *stagedDiff) added(from, to int) error {
	for i := from; i < to; i++ {
		if err := d.l.tick(); err != nil {
			return err
		}
		e := &d.l.index.entries[i]
		switch {
		case e.stage() != 0:
			d.report(e.path, "unmerged")
		case e.extra&extraIntent == 0:
			d.report(e.path, "new")
		}
	}
	return nil
}

// resolvertest.Tree compares the tree of directory prefix ("" or "a/b/") with the entries
// [from, to), which are those under it.
func (d *stagedDiff) tree(id, prefix string, from, to, depth int) error {
	if cached := d.l.index.cachedID(prefix); cached != nil && hexOf(cached) == id {
		return nil
	}
	if depth > 4096 {
		return &objectError{id, errBadObject}
	}
	entries, err := d.objects.tree(id)
	if err != nil {
		return err
	}
	for _, t := range entries {
		if err := d.l.tick(); err != nil {
			return err
		}
		path := prefix + t.Name
		if t.isTree() {
			path += "/"
		}
		start := from
		for from < to && d.l.index.entries[from].path < path {
			from++
		}
		if err := d.added(start, from); err != nil {
			return err
		}
		if t.isTree() {
			from, err = d.subtree(t, path, from, to, depth)
		} else {
			from = d.file(t, path, from, to)
		}
		if err != nil {
			return err
		}
	}
	return d.added(from, to)
}

// subtree compares one directory and gives the entry after it.
func (d *stagedDiff) subtree(t treeEntry, path string, from, to, depth int) (int, error) {
	end := from
	for end < to && strings.HasPrefix(d.l.index.entries[end].path, path) {
		end++
	}
	if end > from && d.l.index.entries[from].path == path {
		// A sparse index keeps a whole directory as one entry.
		if !bytes.Equal(d.l.index.entries[from].id(), t.ID) {
			d.report(path, "modified")
		}
		return end, nil
	}
	return end, d.tree(hexOf(t.ID), path, from, end, depth+1)
}

// file compares one file and gives the entry after it.
func (d *stagedDiff) file(t treeEntry, path string, from, to int) int {
	if from >= to || d.l.index.entries[from].path != path {
		d.report(path, "deleted")
		return from
	}
	e := &d.l.index.entries[from]
	switch {
	case e.stage() != 0:
		d.report(path, "unmerged")
	case e.extra&extraIntent != 0:
		d.report(path, "deleted")
	case !bytes.Equal(e.id(), t.ID):
		d.report(path, "modified")
	case e.mode != canonicalMode(t.Mode):
		d.report(path, "mode changed")
	}
	for from < to && d.l.index.entries[from].path == path {
		from++
	}
	return from
}

// canonicalMode gives the mode that the index has for one of a tree, where old
// commits also hold 100664.
func canonicalMode(mode uint32) uint32 {
	if mode&0o170000 == 0o100000 {
		if mode&0o100 != 0 {
			return 0o100755
		}
		return 0o100644
	}
	return mode
}
