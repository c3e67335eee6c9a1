package git

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// withIndex opens the index of the work tree and lets list fill the answer.
// A text that begins with "./" is matched without it.
func withIndex(ctx context.Context, r resolvers.Request, list func(*pathListing) error) resolvers.Answer {
	repo, err := openGit(r)
	if err != nil {
		return gitFailure(err)
	}
	if repo.workTree == "" {
		return resolvers.Answer{State: resolvers.Fresh, Message: "bare repository: no work tree"}
	}
	index, err := openIndex(repo)
	if err != nil {
		return gitFailure(err)
	}
	l := &pathListing{listing: listing{r: r, answer: resolvers.Answer{State: resolvers.Fresh}}, ctx: ctx, repo: repo, index: index}
	if rest, ok := strings.CutPrefix(r.Filter.Text, "./"); ok {
		l.lead, l.r.Filter.Text = "./", rest
	}
	if err := list(l); err != nil {
		return l.refuse(err)
	}
	return l.answer
}

// pathListing collects paths of the work tree, relative to the request's
// directory.
type pathListing struct {
	listing
	ctx   context.Context
	repo  *gitRepo
	index *gitIndex
	steps int
	last  string // path that was added last: unmerged files have several entries
}

// tick looks at the deadline now and then.
func (l *pathListing) tick() error {
	if l.steps++; l.steps%128 == 0 {
		if resolvers.Expired(l.ctx) {
			return context.DeadlineExceeded
		}
	}
	return nil
}

// wanted gives the path as typed from the request's directory, and whether it
// passes the filter.
func (l *pathListing) wanted(path string) (string, bool) {
	rel := l.repo.relative(path)
	return rel, l.r.Filter.Keep(rel)
}

func (l *pathListing) addPath(rel, description string) {
	v := resolvers.Value{Value: l.lead + rel, Description: description, Kind: "file"}
	if strings.HasSuffix(rel, "/") {
		v.Kind = "directory"
	}
	if strings.HasPrefix(rel, "../") {
		v.Weight = -1 // what lies elsewhere comes after what is here
	}
	l.add(v)
}

// Files answers git:files: tracked files, one directory at a time as a
// shell completes paths; for looser matching whole paths.
func Files(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return withIndex(ctx, r, func(l *pathListing) error {
		whole := l.r.Filter.Mode != resolvers.Prefix
		for i := range l.index.entries {
			if err := l.tick(); err != nil {
				return err
			}
			e := &l.index.entries[i]
			if whole && !strings.HasPrefix(e.path, l.repo.prefix) {
				continue
			}
			rel, ok := l.wanted(e.path)
			if !ok {
				continue
			}
			v := resolvers.Value{Value: rel, Kind: "file"}
			if !whole {
				// Up to the first slash behind the text and any "../".
				after := max(len(l.r.Filter.Text), 3*strings.Count(rel, "../"))
				if slash := strings.IndexByte(rel[min(after, len(rel)):], '/'); slash >= 0 {
					v.Value = rel[:after+slash+1]
				}
			}
			if strings.HasSuffix(v.Value, "/") {
				v.Kind, v.Partial = "directory", true
			}
			if strings.HasPrefix(v.Value, "../") {
				if !strings.HasPrefix(l.r.Filter.Text, "..") {
					continue
				}
				v.Weight = -1
			}
			if v.Value != l.last {
				l.last = v.Value
				v.Value = l.lead + v.Value
				l.add(v)
			}
		}
		return nil
	})
}

// Modified answers git:modified: tracked files that differ from the index,
// deleted and unmerged ones too, over the whole work tree. They are compared
// by lstat as git does; where that leaves doubt, by their raw content: what a
// filter would make of it is not asked.
func Modified(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return walkWorkTree(ctx, r, workWalk{changed: true})
}

// comparer decides whether files differ from their index entries.
type comparer struct {
	repo     *gitRepo
	index    *gitIndex
	modes    bool // core.fileMode: the executable bit means something
	symlinks bool // core.symlinks
	filters  bool // content may be converted on the way in
	strict   bool // what could not be seen to be equal counts as changed
	budget   int64
	path     []byte
}

func (c *comparer) readSettings() {
	c.modes, c.symlinks = true, true
	c.repo.allConfig(func(e configEntry) {
		if e.Section != "core" || e.Sub != "" {
			return
		}
		switch e.Key {
		case "filemode":
			c.modes = e.isTrue()
		case "symlinks":
			c.symlinks = e.isTrue()
		case "autocrlf":
			c.filters = c.filters || e.Value == "input" || e.isTrue()
		}
	})
	for _, path := range [...]string{c.repo.workTree + "/.gitattributes", c.repo.commonDir + "/info/attributes"} {
		if _, ok := disk.Stat(path); ok {
			c.filters = true
		}
	}
}

// compare gives "" for a file that is as in the index, else what it is.
func (c *comparer) compare(e *indexEntry) string {
	if e.unlooked() {
		return ""
	}
	st, err := disk.Lstat(c.pathOf(e))
	return c.judge(e, &st, err)
}

// unlooked reports whether git does not look at the entry's file.
func (e *indexEntry) unlooked() bool {
	return e.flags&flagAssume != 0 || e.extra&extraSkip != 0 || e.mode == modeTree
}

// pathOf is the absolute path of an entry's file, valid until the next call.
func (c *comparer) pathOf(e *indexEntry) string {
	c.path = append(append(append(c.path[:0], c.repo.workTree...), '/'), e.path...)
	return disk.View(c.path)
}

// judge is compare of a file that lstat says this of.
func (c *comparer) judge(e *indexEntry, st *syscall.Stat_t, err error) string {
	switch {
	case err == syscall.ENOENT || err == syscall.ENOTDIR:
		return "deleted"
	case err != nil:
		return "unreadable"
	}
	if c.typeChanged(e, uint32(st.Mode)) {
		return "type changed"
	}
	if e.mode == modeGitlink {
		if c.gitlinkMoved(e, c.pathOf(e)) {
			return "new commits"
		}
		return ""
	}
	if e.extra&extraIntent != 0 {
		return "new"
	}
	if c.modes && e.mode&modeLink != modeLink && (e.mode^uint32(st.Mode))&0o100 != 0 {
		return "mode changed"
	}
	if c.differs(e, st) {
		return "modified"
	}
	return ""
}

func (c *comparer) typeChanged(e *indexEntry, mode uint32) bool {
	switch disk.TypeOf(mode) {
	case disk.Directory:
		return e.mode != modeGitlink
	case disk.Link:
		return e.mode != modeLink
	case disk.File:
		return e.mode == modeGitlink || e.mode == modeLink && c.symlinks
	}
	return true
}

// differs compares times and size, and the content where these leave doubt: a
// file that was touched, or written in the moment the index was.
func (c *comparer) differs(e *indexEntry, st *syscall.Stat_t) bool {
	size, recorded := uint32(st.Size), e.field(statSize)
	if size != recorded && recorded != 0 {
		return true
	}
	mtime, ctime := disk.Times(st)
	same := size == recorded && uint32(mtime[0]) == e.field(statMTime) && nanoSame(mtime[1], e.field(statMNano))
	racy := mtime[0] > c.index.written[0] || mtime[0] == c.index.written[0] && mtime[1] >= c.index.written[1]
	if same && !racy && (uint32(ctime[0]) == e.field(statCTime) && nanoSame(ctime[1], e.field(statCNano)) || e.field(statCTime) == 0) {
		return false
	}
	equal, known := c.sameContent(e, c.pathOf(e), st)
	switch {
	case equal:
		return false
	case same && !c.strict && (!known || c.filters):
		return false // no sign of a change but that it could not be seen
	}
	return true
}

// nanoSame compares nanoseconds; an index written without them has 0.
func nanoSame(have int64, recorded uint32) bool {
	return recorded == 0 || uint32(have) == recorded
}

// sameContent hashes the file as a blob. known is false when it is too large
// for what may still be read.
func (c *comparer) sameContent(e *indexEntry, path string, st *syscall.Stat_t) (equal, known bool) {
	if st.Size > c.budget || c.index.idLen != len(e.id()) || c.index.idLen != 20 {
		return false, false // or names are not SHA-1
	}
	c.budget -= st.Size
	var data []byte
	var err error
	if disk.TypeOf(uint32(st.Mode)) == disk.Link {
		var target string
		target, err = os.Readlink(path)
		data = []byte(target)
	} else {
		data, err = disk.ReadRegular(path, st.Size+1)
	}
	if err != nil {
		return false, false
	}
	return bytes.Equal(blobID(data), e.id()), true
}

// blobID gives the object name of a blob with that content.
func blobID(data []byte) []byte {
	sum := sha1Sum("blob "+strconv.Itoa(len(data))+"\x00", data)
	return sum[:]
}

// gitlinkMoved reports whether a submodule that is checked out has another
// commit than the index says.
func (c *comparer) gitlinkMoved(e *indexEntry, path string) bool {
	place := strings.Clone(path)
	sub := &gitRepo{dir: place, gitDir: place + "/.git", hexLen: c.repo.hexLen, getenv: func(string) string { return "" }}
	if st, ok := disk.Stat(sub.gitDir); ok && st.Mode&syscall.S_IFMT == syscall.S_IFREG {
		target, err := readGitFile(sub.gitDir)
		if err != nil {
			return false
		}
		sub.gitDir = target
	}
	if !sub.isGitDir("") {
		return false // not checked out
	}
	refs, err := openRefs(context.Background(), sub)
	if err != nil {
		return false
	}
	defer refs.close()
	id := refs.resolve("HEAD")
	return id != "" && id != hexOf(e.id())
}
