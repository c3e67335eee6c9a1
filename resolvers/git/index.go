package git

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// maxIndex bounds the index file, in bytes: some million entries.
const maxIndex = 512 << 20

// indexEntry is one entry of the index (gitformat-index(5)).
type indexEntry struct {
	path  string
	stat  []byte // the stat data and the object name, as in the file
	mode  uint32
	flags uint16
	extra uint16 // extended flags, version 3 and later
}

const (
	indexStat    = 40 // bytes of stat data before the object name
	flagAssume   = 0x8000
	flagExtended = 0x4000
	flagStage    = 0x3000
	extraSkip    = 0x4000 // skip-worktree
	extraIntent  = 0x2000 // git add --intent-to-add

	modeTree    = 0o40000
	modeLink    = 0o120000
	modeGitlink = 0o160000
)

func (e *indexEntry) stage() int         { return int(e.flags&flagStage) >> 12 }
func (e *indexEntry) field(i int) uint32 { return binary.BigEndian.Uint32(e.stat[4*i:]) }
func (e *indexEntry) id() []byte         { return e.stat[indexStat:] }

// Fields of the stat data, each 32 bits.
const (
	statCTime = iota
	statCNano
	statMTime
	statMNano
	statDev
	statIno
	statMode
	statUID
	statGID
	statSize
)

// gitIndex is the list of tracked files, sorted by path and stage.
type gitIndex struct {
	entries []indexEntry
	cache   []cachedTree // trees as the last commit or checkout knew them
	written [2]int64     // mtime of the file
	idLen   int
	link    *splitLink // of a split index
}

// indexError is an index that we cannot read.
type indexError struct {
	Path   string
	Reason string
}

func (e *indexError) Error() string { return "index " + e.Path + ": " + e.Reason }

// openIndex reads the index of the work tree. No file is an empty index.
func openIndex(repo *gitRepo) (*gitIndex, error) {
	path := indexPath(repo)
	ix, err := readIndex(path, repo.hexLen/2)
	if errors.Is(err, fs.ErrNotExist) {
		return &gitIndex{idLen: repo.hexLen / 2}, nil
	}
	if err != nil || ix.link == nil {
		return ix, err
	}
	// The shared part lies beside the index, or in the git directory.
	name := "sharedindex." + hex.EncodeToString(ix.link.base)
	base, err := readIndex(repo.gitDir+"/"+name, ix.idLen)
	if err != nil {
		return nil, &indexError{path, "split index: " + err.Error()}
	}
	if err := ix.join(base); err != nil {
		return nil, &indexError{path, "split index: " + err.Error()}
	}
	return ix, nil
}

func indexPath(repo *gitRepo) string {
	path := repo.getenv("GIT_INDEX_FILE")
	if path == "" {
		path = repo.gitDir + "/index"
	}
	return absolute(repo.dir, path)
}

func readIndex(path string, idLen int) (*gitIndex, error) {
	data, err := disk.ReadRegular(path, maxIndex)
	if err != nil {
		return nil, err
	}
	ix, err := parseIndex(data, idLen)
	if err != nil {
		return nil, &indexError{path, err.Error()}
	}
	if st, ok := disk.Stat(path); ok {
		ix.written, _ = disk.Times(&st)
	}
	return ix, nil
}

// errShortIndex says that the file ends within an entry or extension.
var errShortIndex = errors.New("ends too early")

// parseIndex reads versions 2, 3 and 4. The entries refer to data.
func parseIndex(data []byte, idLen int) (*gitIndex, error) {
	end := len(data) - idLen
	version, count, err := parseIndexHead(data, end, idLen)
	if err != nil {
		return nil, err
	}
	ix := &gitIndex{entries: make([]indexEntry, 0, count), idLen: idLen}
	body := data[:end]
	at := 12
	previous := ""
	for range count {
		next, err := ix.parseEntry(body, at, version, previous)
		if err != nil {
			return nil, err
		}
		at = next
		previous = ix.entries[len(ix.entries)-1].path
	}
	return ix, ix.parseExtensions(body, at)
}

// parseIndexHead reads the first 12 bytes of an index whose entries and extensions
// end at end.
func parseIndexHead(data []byte, end, idLen int) (version uint32, count int, err error) {
	if len(data) < 12 || end < 12 || string(data[:4]) != "DIRC" {
		return 0, 0, errors.New("not an index")
	}
	version, count = binary.BigEndian.Uint32(data[4:]), int(binary.BigEndian.Uint32(data[8:]))
	if version < 2 || version > 4 {
		return 0, 0, fmt.Errorf("version %d", version)
	}
	if count > (end-12)/(indexStat+idLen+2) {
		return 0, 0, errShortIndex
	}
	return version, count, nil
}

// parseEntry appends the entry at an offset and gives where the next begins.
func (ix *gitIndex) parseEntry(body []byte, at int, version uint32, previous string) (int, error) {
	var e indexEntry
	kept, name, next, err := e.read(body, at, version, len(previous), ix.idLen)
	if err != nil {
		return 0, err
	}
	if e.path = disk.View(name); version == 4 {
		e.path = previous[:kept] + string(name)
	}
	ix.entries = append(ix.entries, e)
	return next, nil
}

// read takes the entry at an offset but for its path, which is what is kept of
// the path before, whose length is given, and name. next is where the following
// entry begins.
func (e *indexEntry) read(body []byte, at int, version uint32, previous, idLen int) (kept int, name []byte, next int, err error) {
	fixed := indexStat + idLen + 2
	if at+fixed > len(body) {
		return 0, nil, 0, errShortIndex
	}
	e.stat = body[at : at+indexStat+idLen]
	e.mode, e.extra = e.field(statMode), 0
	e.flags = binary.BigEndian.Uint16(body[at+indexStat+idLen:])
	start := at + fixed
	if e.flags&flagExtended != 0 {
		if version < 3 {
			return 0, nil, 0, errors.New("extended flags where none may be")
		}
		if start+2 > len(body) {
			return 0, nil, 0, errShortIndex
		}
		e.extra = binary.BigEndian.Uint16(body[start:])
		start += 2
	}
	if version == 4 {
		strip, n := offsetVarint(body[start:])
		if n == 0 {
			return 0, nil, 0, errShortIndex
		}
		if strip > previous {
			return 0, nil, 0, errors.New("bad path compression")
		}
		start += n
		kept = previous - strip
	}
	length := bytes.IndexByte(body[start:], 0)
	if length < 0 {
		return 0, nil, 0, errShortIndex
	}
	next = start + length + 1
	if version != 4 {
		next = at + (start+length-at+8)&^7
	}
	if next > len(body) {
		return 0, nil, 0, errShortIndex
	}
	return kept, body[start : start+length], next, nil
}

// offsetVarint reads git's variable width number; n is 0 when it is cut off.
func offsetVarint(b []byte) (value, n int) {
	for i := 0; i < len(b) && i < 8; i++ {
		value = value<<7 | int(b[i]&0x7f)
		if b[i]&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}

// parseExtensions reads what follows the entries. An unknown extension whose
// name begins with a capital may be ignored; any other means that we would
// read the entries wrongly.
func (ix *gitIndex) parseExtensions(body []byte, at int) error {
	for at+8 <= len(body) {
		name, size := string(body[at:at+4]), int(binary.BigEndian.Uint32(body[at+4:]))
		at += 8
		if size > len(body)-at {
			return errShortIndex
		}
		data := body[at : at+size]
		at += size
		switch name {
		case "TREE":
			// A cache that does not parse is no cache.
			ix.cache = parseCacheTree(data, ix.idLen)
		case "link":
			link, err := parseSplitLink(data, ix.idLen)
			if err != nil {
				return err
			}
			ix.link = link
		case "sdir": // entries may be whole directories
		default:
			if name[0] < 'A' || name[0] > 'Z' {
				return fmt.Errorf("unknown extension %q", name)
			}
		}
	}
	return nil
}

// cachedTree is a directory of the cache tree: the tree object that its
// entries make, where nothing under it was changed since that was written.
type cachedTree struct {
	path string // "" or "a/b/"
	id   []byte
}

// parseCacheTree reads the extension TREE: "<name>\0<entries> <subtrees>\n<id>",
// depth first. Invalid directories have -1 entries and no id.
func parseCacheTree(data []byte, idLen int) []cachedTree {
	var found []cachedTree
	var walk func(parent string, depth int) bool
	walk = func(parent string, depth int) bool {
		name, rest, ok := bytes.Cut(data, []byte{0})
		line, rest, ok2 := bytes.Cut(rest, []byte("\n"))
		if !ok || !ok2 || depth > 4096 {
			return false
		}
		data = rest
		path := parent
		if depth > 0 {
			path += string(name) + "/"
		}
		first, second, _ := bytes.Cut(line, []byte(" "))
		entries, err1 := strconv.Atoi(string(first))
		subtrees, err2 := strconv.Atoi(string(second))
		if err1 != nil || err2 != nil || subtrees < 0 {
			return false
		}
		if entries >= 0 {
			if len(data) < idLen {
				return false
			}
			found = append(found, cachedTree{path, data[:idLen]})
			data = data[idLen:]
		}
		for range subtrees {
			if !walk(path, depth+1) {
				return false
			}
		}
		return true
	}
	if !walk("", 0) {
		return nil
	}
	slices.SortFunc(found, func(a, b cachedTree) int { return strings.Compare(a.path, b.path) })
	return found
}

// cachedID gives the tree object of a directory ("" or "a/b/"), nil if unknown.
func (ix *gitIndex) cachedID(path string) []byte {
	i, ok := slices.BinarySearchFunc(ix.cache, path, func(c cachedTree, p string) int { return strings.Compare(c.path, p) })
	if !ok {
		return nil
	}
	return ix.cache[i].id
}

// under gives the range of entries whose paths begin with prefix.
func (ix *gitIndex) under(prefix string) (from, to int) {
	compare := func(e indexEntry, p string) int { return strings.Compare(e.path, p) }
	from, _ = slices.BinarySearchFunc(ix.entries, prefix, compare)
	if prefix == "" {
		return 0, len(ix.entries)
	}
	to, _ = slices.BinarySearchFunc(ix.entries, successor(prefix), compare)
	return from, max(from, to)
}

// tracked reports whether a path has an entry.
func (ix *gitIndex) tracked(path string) bool {
	_, ok := slices.BinarySearchFunc(ix.entries, path, func(e indexEntry, p string) int { return strings.Compare(e.path, p) })
	return ok
}
