package binding

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/cespare/xxhash/v2"
	"github.com/pjbgf/sha1cd"
	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
)

// known is what somebody knows of the contents of files.
type known struct {
	index   *git.Index      // of the project's repository; nil without one
	written int64           // when the index was written
	folders map[string]bool // with tracked files, from the root with a slash; nil without an index
	alg     Alg             // by which git names blobs
	gits    []string        // every .git of the project, absolute

	base   *State // Base, or what the cache holds
	at     int    // in base.Project, of the entry that was asked for last
	others map[string]*Entry
}

// fine is how exact times of files are: what changed so shortly before it was
// looked at may have changed after it, with the same times.
const (
	fine   = 50_000_000    // nanoseconds
	coarse = 2_000_000_000 // where the file system keeps whole seconds
)

// openKnown reads what is known before the first file is looked at.
func (t *taking) openKnown() {
	k := &t.known
	k.base = t.Base
	if k.base == nil {
		k.base = t.readCache()
		t.readIndex()
	}
	if k.base != nil {
		k.others = map[string]*Entry{}
		for i := range k.base.Other {
			k.others[k.base.Other[i].Path] = k.base.Other[i]
		}
	}
}

// readIndex reads git's index of the project.
func (t *taking) readIndex() {
	dir, common := gitDirs(filepath.Join(t.state.Root, ".git"))
	if dir == "" {
		return
	}
	k := &t.known
	k.alg = Git1
	if strings.EqualFold(configValue(filepath.Join(common, "config"), "extensions", "objectformat"), "sha256") {
		k.alg = Git2
	}
	st, ok := disk.Stat(filepath.Join(dir, "index"))
	if !ok {
		k.folders = map[string]bool{"": true}
		return
	}
	index, err := git.ReadIndex(filepath.Join(dir, "index"), dir, k.idLen())
	if err != nil {
		return // then git's names are not known, and everything is read
	}
	mtime, _ := disk.Times(&st)
	k.index, k.written = index, mtime[0]*1e9+mtime[1]
	k.folders = map[string]bool{"": true}
	last := ""
	for i := range index.Len() {
		path := index.Path(i)
		at := strings.LastIndexByte(path, '/') + 1
		for ; at > 0 && path[:at] != last && !k.folders[path[:at]]; at = strings.LastIndexByte(path[:at-1], '/') + 1 {
			k.folders[strings.Clone(path[:at])] = true
		}
		if i := strings.LastIndexByte(path, '/') + 1; i > 0 {
			last = path[:i]
		}
	}
}

func (k *known) idLen() int {
	if k.alg == Git2 {
		return sha256.Size
	}
	return sha1cd.Size
}

// contents finds out what the files hold.
func (t *taking) contents() {
	first := map[string]bool{}
	for _, path := range t.state.first {
		if rel, in := t.within(path); in {
			first[rel] = true
		}
	}
	index := 0
	var one git.IndexEntry
	var unread []*Entry
	for i := range t.state.Project {
		e := t.state.Project[i]
		var tracked *git.IndexEntry
		if ix := t.known.index; ix != nil {
			for index < ix.Len() && ix.Path(index) < e.Path {
				index++
			}
			if index < ix.Len() && ix.Path(index) == e.Path {
				one = ix.At(index)
				// What the words name is read: git may have it in another form.
				one.Assumed = one.Assumed || first[e.Path]
				tracked = &one
			}
		}
		if t.content(e, t.state.Root+"/", t.known.project(e.Path), tracked) {
			unread = append(unread, e)
		}
	}
	// What the words name comes first.
	slices.SortStableFunc(unread, func(a, b *Entry) int { return rank(first, a) - rank(first, b) })
	named := 0
	for named < len(unread) && first[unread[named].Path] {
		t.read(unread[named], t.state.Root+"/"+unread[named].Path)
		named++
	}
	others := make([]string, 0, len(t.other))
	for path := range t.other {
		others = append(others, path)
	}
	slices.Sort(others)
	for _, path := range others {
		if e := t.other[path]; t.content(e, "", t.known.others[path], nil) {
			t.read(e, path)
		}
	}
	for _, e := range unread[named:] {
		t.read(e, t.state.Root+"/"+e.Path)
	}
	t.keepTexts()
	if t.Base == nil && t.anew {
		t.writeCache()
	}
}

func rank(first map[string]bool, e *Entry) int {
	if first[e.Path] {
		return 0
	}
	return 1
}

// project is what an earlier state has of a path; paths are asked for in their order.
func (k *known) project(path string) *Entry {
	if k.base == nil {
		return nil
	}
	list := k.base.Project
	for k.at < len(list) && list[k.at].Path < path {
		k.at++
	}
	if k.at < len(list) && list[k.at].Path == path {
		return list[k.at]
	}
	return nil
}

// content takes over what is known of a file in a root; true: it is to be read.
func (t *taking) content(e *Entry, root string, old *Entry, tracked *git.IndexEntry) bool {
	switch e.Kind {
	case Link:
		target, err := os.Readlink(root + e.Path)
		if err != nil {
			e.Kind = Absent
		}
		e.Sum = sha256.Sum256([]byte(target))
		return false
	case File:
	default:
		return false
	}
	moved := old == nil || !old.sameStat(e) || racing(old, t.known.base.Taken)
	if t.Base != nil {
		switch {
		case !moved, old != nil && old.Alg == Unknown:
			e.Alg, e.Sum = old.Alg, old.Sum
			return false
		case old == nil:
			e.Alg = SHA256 // it is new, and different whatever it holds
		default:
			e.Alg = old.Alg
		}
		return true
	}
	if e.byStat {
		return false
	}
	if tracked != nil {
		e.Alg = t.known.alg
		if t.unmoved(e, tracked) && !racing(e, t.state.Taken) {
			copy(e.Sum[:], tracked.ID)
			return false
		}
	} else {
		e.Alg = SHA256
	}
	if !moved && old.Alg == e.Alg {
		if t.hashed+e.Size > maxHashed {
			e.Alg = Unknown
			return false
		}
		t.hashed += e.Size
		e.Sum, e.cached = old.Sum, true
		return false
	}
	return true
}

// racing reports whether a file may have changed after it was looked at without its
// times telling.
func racing(e *Entry, looked int64) bool {
	last, window := max(e.Mtime, e.Ctime), int64(fine)
	if last%1e9 == 0 {
		window = coarse
	}
	return last > looked-window
}

// unmoved reports whether the index knows the file as it is.
func (t *taking) unmoved(e *Entry, i *git.IndexEntry) bool {
	return i.Stage == 0 && !i.Assumed && i.Mode&0o170000 == 0o100000 &&
		uint32(e.Size) == i.Size && uint32(e.Ino) == i.Ino && //nolint:gosec // git keeps 32 bits
		uint32(e.Mtime/1e9) == i.MTime[0] && uint32(e.Mtime%1e9) == i.MTime[1] && //nolint:gosec // as above
		uint32(e.Ctime/1e9) == i.CTime[0] && uint32(e.Ctime%1e9) == i.CTime[1] && //nolint:gosec // as above
		e.Mtime < t.known.written
}

// read reads a file for its content.
func (t *taking) read(e *Entry, path string) {
	if t.Base == nil {
		if t.hashed+e.Size > maxHashed {
			e.Alg = Unknown
			return
		}
		t.hashed += e.Size
		e.cached, t.anew = true, true
	}
	for range 3 {
		done, err := hashFile(e, path)
		if err != nil {
			e.Alg, e.Kind = Unknown, Absent
			if os.IsPermission(err) { // then the programs cannot read it either
				e.Kind = File
			}
			return
		}
		if done {
			return
		}
	}
}

// hashFile reads a file as e.Alg says; false if it was written meanwhile.
func hashFile(e *Entry, path string) (done bool, err error) {
	f, err := openFile(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	was := *e
	if err := restat(f, e); err != nil {
		return false, err
	}
	if e.Kind != File {
		return false, syscall.EINVAL
	}
	h := newHash(e.Alg, e.Size)
	if _, err := io.Copy(h, f); err != nil {
		return false, err
	}
	e.Sum = [32]byte{}
	h.Sum(e.Sum[:0])
	was = *e
	return restat(f, e) == nil && was.sameStat(e), nil
}

func openFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

// restat takes over what an open file is; its path, content and marks stay.
func restat(f *os.File, e *Entry) error {
	st, err := f.Stat()
	if err != nil {
		return err
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		e.set(sys)
	}
	return nil
}

func newHash(a Alg, size int64) hash.Hash {
	var h hash.Hash
	switch a {
	case Git1:
		h = sha1cd.New()
	default:
		h = sha256.New()
	}
	if a == Git1 || a == Git2 {
		h.Write(append(strconv.AppendInt([]byte("blob "), size, 10), 0))
	}
	return h
}

// Limits of the texts that are kept to show what changed, in bytes.
const (
	maxText  = 32 << 10
	maxTexts = 1 << 20
)

// keepTexts keeps what the words name, what that includes, and the files at the
// top of the project, so that a change can be shown.
func (t *taking) keepTexts() {
	total := 0
	keep := func(path string, size int64) {
		name := filepath.Base(path)
		if size > maxText || total > maxTexts || strings.HasPrefix(name, ".env") || strings.Contains(name, "key") || strings.HasSuffix(name, ".pem") {
			return
		}
		if t.state.texts[path] != "" {
			return
		}
		if data, err := disk.ReadRegular(path, maxText); err == nil && !bytes.ContainsRune(data, 0) {
			t.state.texts[path], total = string(data), total+len(data)
		}
	}
	for _, path := range t.state.first {
		if e := stat(path); e.Kind == File {
			keep(path, e.Size)
		}
	}
	for i := range t.state.Project {
		if e := t.state.Project[i]; e.Kind == File && !strings.Contains(e.Path, "/") {
			keep(t.state.Root+"/"+e.Path, e.Size)
		}
	}
}

// cacheFile is where the last state of a place is kept for what files held.
func (t *taking) cacheFile() string {
	if t.Cache == "" {
		return ""
	}
	return filepath.Join(t.Cache, "contents", strconv.FormatUint(xxhash.Sum64String(t.state.Root+"\x00"+t.Dir), 16))
}

func (t *taking) readCache() *State {
	file := t.cacheFile()
	if file == "" {
		return nil
	}
	data, err := disk.ReadRegular(file, maxState)
	if err != nil {
		return nil
	}
	s, err := Decode(data)
	if err != nil || s.Root != t.state.Root {
		return nil
	}
	return s
}

// writeCache keeps what was read, and not what git's index knows; that it cannot
// costs time and nothing else.
func (t *taking) writeCache() {
	file := t.cacheFile()
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	small := State{Subject: Subject{Dir: t.Dir}, Root: t.state.Root, Taken: t.state.Taken}
	for _, e := range t.state.Project {
		if e.cached {
			small.Project = append(small.Project, e)
		}
	}
	for _, e := range t.other {
		if e.cached {
			small.Other = append(small.Other, e)
		}
	}
	slices.SortFunc(small.Other, func(a, b *Entry) int { return strings.Compare(a.Path, b.Path) })
	f, err := os.CreateTemp(filepath.Dir(file), ".tmp-*")
	if err != nil {
		return
	}
	_, err = f.Write(small.Encode())
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

// Hex is a digest as people and records have it.
func Hex(sum [32]byte) string { return hex.EncodeToString(sum[:]) }
