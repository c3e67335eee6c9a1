package session

import (
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/project"
)

// What was found in a large project is kept, and holds as long as every file and
// directory that it was read from has the stamp that it had: device, inode, size and
// times. A file of the cache is a header, the stamps, and what was found; one that is
// torn, foreign or of another version is none.

// cacheVersion changes with what is kept and how.
const cacheVersion = "tmp project 1\n"

// maxCached bounds a file of the cache, in bytes.
const maxCached = 64 << 20

// cacheFile is where what was found of a kind is kept; "" for nowhere.
func (s *Session) cacheFile(kind string) string {
	dir := s.Paths.Resolvers()
	if dir == "" || s.profile == nil {
		return ""
	}
	key := strings.Join([]string{s.profile.Root, s.profile.Package, s.View.Digest(), executable()}, "\x00")
	var sum [8]byte
	binary.BigEndian.PutUint64(sum[:], xxhash.Sum64String(key))
	return filepath.Join(dir, "project-"+kind+"-"+hex.EncodeToString(sum[:]))
}

// executable tells this build of the program from others.
func executable() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	st, ok := disk.Stat(path)
	if !ok {
		return ""
	}
	mtime, _ := disk.Times(&st)
	return path + strconv.FormatInt(st.Size, 10) + strconv.FormatInt(mtime[0], 10) + strconv.FormatInt(mtime[1], 10)
}

// recall gives what was kept of a kind, if all that it was read from is as it was.
func (s *Session) recall(kind string) ([]byte, bool) {
	file := s.cacheFile(kind)
	if file == "" {
		return nil, false
	}
	if st, err := disk.Lstat(file); err != nil || st.Uid != uint32(os.Getuid()) || st.Mode&0o022 != 0 {
		return nil, false
	}
	data, err := disk.ReadRegular(file, maxCached)
	if err != nil {
		return nil, false
	}
	rest, ok := strings.CutPrefix(disk.View(data), cacheVersion)
	if !ok {
		return nil, false
	}
	r := &cacheReader{rest: []byte(rest)}
	n := r.uint()
	files := project.Disk{}
	for range min(n, 1<<20) {
		path := r.text()
		want := project.Stamp{Dev: r.uint(), Ino: r.uint(), Size: int64(r.uint()), Mtime: int64(r.uint()), Ctime: int64(r.uint())}
		if r.bad {
			return nil, false
		}
		if in, ok := files.Stat(path); ok && in.Stamp != want || !ok && want != (project.Stamp{}) {
			return nil, false
		}
	}
	sum := r.uint()
	if r.bad || sum != xxhash.Sum64(r.rest) {
		return nil, false
	}
	return r.rest, true
}

// keep keeps what was found of a kind. That it cannot be kept is no fault.
func (s *Session) keep(kind string, seen []project.Seen, found []byte) {
	file := s.cacheFile(kind)
	if file == "" {
		return
	}
	b := []byte(cacheVersion)
	b = binary.AppendUvarint(b, uint64(len(seen)))
	for _, e := range seen {
		b = binary.AppendUvarint(b, uint64(len(e.Path)))
		b = append(b, e.Path...)
		for _, v := range [...]uint64{e.Stamp.Dev, e.Stamp.Ino, uint64(e.Stamp.Size), uint64(e.Stamp.Mtime), uint64(e.Stamp.Ctime)} {
			b = binary.AppendUvarint(b, v)
		}
	}
	b = binary.AppendUvarint(b, xxhash.Sum64(found))
	b = append(b, found...)
	if len(b) <= maxCached {
		_ = writePrivate(file, b)
	}
}

// recallMembers and keepMembers are the packages of a workspace.
func (s *Session) recallMembers() ([]project.Member, bool) {
	data, ok := s.recall("members")
	if !ok {
		return nil, false
	}
	r := &cacheReader{rest: data}
	n := r.uint()
	list := make([]project.Member, 0, min(n, 1<<16))
	for range n {
		m := project.Member{Name: r.text(), Dir: r.text(), Kind: r.text()}
		if r.bad {
			return nil, false
		}
		list = append(list, m)
	}
	return list, true
}

func (s *Session) keepMembers(list []project.Member, seen []project.Seen) {
	b := binary.AppendUvarint(nil, uint64(len(list)))
	for _, m := range list {
		for _, text := range [...]string{m.Name, m.Dir, m.Kind} {
			b = binary.AppendUvarint(b, uint64(len(text)))
			b = append(b, text...)
		}
	}
	s.keep("members", seen, b)
}

// cacheReader reads what keep wrote; bad says that it is not that.
type cacheReader struct {
	rest []byte
	bad  bool
}

func (r *cacheReader) uint() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *cacheReader) text() string {
	n := r.uint()
	if r.bad || n > uint64(len(r.rest)) {
		r.bad = true
		return ""
	}
	s := disk.View(r.rest[:n])
	r.rest = r.rest[n:]
	return s
}
