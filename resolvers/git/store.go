package git

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// refStore reads the refs of a repository: files under refs/, and packed-refs
// behind them.
type refStore struct {
	repo   *gitRepo
	ctx    context.Context
	packed *packedRefs // nil: there is none
	all    []string    // sorted names of a packed-refs that is not sorted
}

// openRefs opens the refs. The caller closes them.
func openRefs(ctx context.Context, repo *gitRepo) (*refStore, error) {
	packed, err := openPacked(repo.commonDir+"/packed-refs", repo.hexLen)
	if err != nil {
		return nil, err
	}
	s := &refStore{repo: repo, ctx: ctx, packed: packed}
	if packed != nil && !packed.sorted {
		if err := s.loadUnsorted(); err != nil {
			packed.close()
			return nil, err
		}
	}
	return s, nil
}

func (s *refStore) close() { s.packed.close() }

// loadUnsorted reads every name, as git does for a file without the trait.
func (s *refStore) loadUnsorted() error {
	for at := s.packed.start; at < s.packed.size; {
		name, next, err := s.packed.refAt(at, packedChunk)
		if err != nil {
			return err
		}
		if name == nil {
			break
		}
		if len(s.all)%4096 == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		s.all = append(s.all, string(name))
		at = next
	}
	slices.Sort(s.all)
	s.all = slices.Compact(s.all)
	return nil
}

// has reports whether git would list the full ref name: its file is sound, or
// there is none and packed-refs names it.
func (s *refStore) has(ref string) bool { return s.hasDepth(ref, 0) }

func (s *refStore) hasDepth(ref string, depth int) bool {
	if !validRefName(ref) {
		return false
	}
	switch state, target, _ := s.repo.readLoose(s.base(ref) + "/" + ref); state {
	case looseObject:
		return true
	case looseSymbolic:
		// git follows five links.
		return depth < 5 && s.hasDepth(target, depth+1)
	case looseBroken:
		return false
	}
	return s.hasPacked(ref)
}

func (s *refStore) hasPacked(ref string) bool {
	switch {
	case s.packed == nil:
		return false
	case s.packed.sorted:
		return s.packed.has(ref)
	}
	_, ok := slices.BinarySearch(s.all, ref)
	return ok
}

// base gives the directory of a ref: HEAD and its like, and a few spaces,
// belong to each work tree (gitrepository-layout(5)).
func (s *refStore) base(ref string) string {
	if !strings.HasPrefix(ref, "refs/") || strings.HasPrefix(ref, "refs/bisect/") ||
		strings.HasPrefix(ref, "refs/worktree/") || strings.HasPrefix(ref, "refs/rewritten/") {
		return s.repo.gitDir
	}
	return s.repo.commonDir
}

// refCursor walks one space of refs ("refs/heads/") in the order of the names,
// files and packed lines merged. Names are without the space. With a filter in
// Prefix mode it begins and ends at the text.
type refCursor struct {
	s      *refStore
	space  string
	filter resolvers.Filter

	loose  []string // from files, sorted, not yet met
	list   []string // from an unsorted packed-refs, with the space
	packed *packedRefs
	at, to int64 // rest of a sorted packed-refs
	chunk  int64 // bytes to read at a time

	ahead   int64 // where the packed line after the one at "at" begins
	checked int64 // offset of the line last found to be a ref, plus one
	blind   bool  // believe in files without reading them
	steps   int
	err     error
}

// apart gives a walk its own window of packed-refs, for walks side by side.
func (c *refCursor) apart() *refCursor {
	if c.packed != nil {
		own := *c.packed
		own.buf, own.fences = nil, nil
		c.packed = &own
	}
	return c
}

// cursor opens a walk. An impossible prefix gives an empty one.
func (s *refStore) cursor(space string, filter resolvers.Filter) *refCursor {
	c := &refCursor{s: s, space: space, filter: filter, packed: s.packed, chunk: packedChunk}
	prefix := ""
	if filter.Mode == resolvers.Prefix {
		prefix = filter.Text
	}
	if !refPrefixPossible(prefix) {
		return c
	}
	if c.loose, c.err = looseNames(s.ctx, s.repo.commonDir, space, prefix); c.err != nil {
		return c
	}
	switch {
	case s.packed == nil:
	case s.packed.sorted:
		c.at, c.to, c.err = c.packed.span(space + prefix)
	default:
		from, _ := slices.BinarySearch(s.all, space+prefix)
		to, _ := slices.BinarySearch(s.all, successor(space+prefix))
		c.list = s.all[from:max(from, to)]
	}
	return c
}

// peekPacked gives the next packed name; nil at the end. It is read anew from
// the window at each call, so that a search in between does no harm, and is
// good until the window moves.
func (c *refCursor) peekPacked() []byte {
	for c.err == nil && len(c.list) > 0 {
		if name := c.list[0]; validRefName(name) {
			return []byte(name[len(c.space):])
		}
		c.list = c.list[1:]
	}
	for c.err == nil && c.at < c.to {
		name, next, err := c.packed.refAt(c.at, c.chunk)
		if err != nil || name == nil || next > c.to {
			c.err, c.at = err, c.to
			break
		}
		if c.checked == c.at+1 || len(name) > len(c.space) && validRefName(disk.View(name)) {
			c.checked, c.ahead = c.at+1, next
			return name[len(c.space):]
		}
		c.at = next
	}
	return nil
}

func (c *refCursor) dropPacked() {
	if len(c.list) > 0 {
		c.list = c.list[1:]
		return
	}
	c.at = c.ahead
}

// next gives the next name that passes the filter and is a sound ref. The name
// is a view that is good until the following call; target is what a symbolic
// ref points to.
func (c *refCursor) next() (name []byte, target string, ok bool) {
	for c.err == nil {
		if c.steps++; c.steps%1024 == 0 {
			if c.err = c.s.ctx.Err(); c.err != nil {
				break
			}
		}
		packed := c.peekPacked()
		if packed == nil && len(c.loose) == 0 {
			break
		}
		if len(c.loose) == 0 || packed != nil && disk.View(packed) < c.loose[0] {
			c.dropPacked()
			if c.filter.Keep(disk.View(packed)) {
				return packed, "", true
			}
			continue
		}
		loose := c.loose[0]
		c.loose = c.loose[1:]
		if packed != nil && disk.View(packed) == loose {
			c.dropPacked()
		}
		if !c.filter.Keep(loose) {
			continue
		}
		if c.blind {
			return []byte(loose), "", true
		}
		if target, ok := c.sound(loose); ok {
			return []byte(loose), target, true
		}
	}
	return nil, "", false
}

// sound reads the file of a ref.
func (c *refCursor) sound(name string) (target string, ok bool) {
	state, target, _ := c.s.repo.readLoose(c.s.repo.commonDir + "/" + c.space + name)
	switch state {
	case looseObject:
		return "", true
	case looseSymbolic:
		return target, c.s.hasDepth(target, 1)
	case looseMissing:
		// Packed and removed a moment ago, or a link that leads nowhere.
		return "", c.s.hasPacked(c.space + name)
	}
	return "", false
}

// rest counts what next would still give. Files are counted without being
// read, so broken ones count too.
func (c *refCursor) rest() int {
	if c.filter.Mode != resolvers.Prefix && c.filter.Text != "" {
		return c.restByWalk()
	}
	n := len(c.list)
	if c.at < c.to {
		counted, err := c.packed.count(c.at, c.to)
		if err != nil {
			c.err = err
		}
		n = counted
	}
	if n == 0 {
		return len(c.loose)
	}
	if len(c.loose) > 64 {
		return c.restByWalk()
	}
	for _, name := range c.loose {
		if !c.s.hasPacked(c.space + name) {
			n++
		}
	}
	return n
}

// restByWalk counts one by one, without reading files.
func (c *refCursor) restByWalk() int {
	n := 0
	for c.err == nil {
		if c.steps++; c.steps%1024 == 0 {
			if c.err = c.s.ctx.Err(); c.err != nil {
				break
			}
		}
		packed := c.peekPacked()
		switch {
		case packed == nil && len(c.loose) == 0:
			return n
		case len(c.loose) == 0 || packed != nil && disk.View(packed) < c.loose[0]:
			if c.filter.Keep(disk.View(packed)) {
				n++
			}
			c.dropPacked()
		default:
			if c.filter.Keep(c.loose[0]) {
				n++
			}
			if packed != nil && disk.View(packed) == c.loose[0] {
				c.dropPacked()
			}
			c.loose = c.loose[1:]
		}
	}
	return n
}

// resolve gives the object name that a ref leads to, "" when it leads nowhere.
func (s *refStore) resolve(ref string) string {
	for range 6 {
		state, target, object := s.repo.readLoose(s.base(ref) + "/" + ref)
		switch state {
		case looseObject:
			return object
		case looseSymbolic:
			ref = target
			continue
		case looseBroken:
			return ""
		}
		return s.packedObject(ref)
	}
	return ""
}

// packedObject gives the object name of a packed ref, "" when it is not there.
func (s *refStore) packedObject(ref string) string {
	if s.packed == nil {
		return ""
	}
	at := s.packed.start
	if s.packed.sorted {
		var err error
		if at, err = s.packed.search(ref); err != nil {
			return ""
		}
	}
	for at < s.packed.size {
		line, next, err := s.packed.line(at, packedChunk)
		if err != nil {
			return ""
		}
		if len(line) > s.packed.hexLen && string(line[min(len(line), s.packed.hexLen+1):]) == ref && line[s.packed.hexLen] == ' ' {
			return string(line[:s.packed.hexLen])
		}
		if s.packed.sorted {
			break
		}
		at = next
	}
	return ""
}
