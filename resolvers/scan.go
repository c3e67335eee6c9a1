package resolvers

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// ScanCache keeps what scans of source files found, file by file, between the
// presses of Tab. An entry counts while its file is unchanged, so an answer
// from it is as fresh as a new scan; a scan that the deadline cut short goes on
// from there the next time. Without a cache directory it is empty and keeps nothing.
//
// The file is: 8 bytes magic; 8 bytes xxhash64 of the rest, little-endian; then
// for each source path, stamp and findings, each as a uvarint length and bytes.
// It is replaced as a whole, and a reader takes a torn one for none.
type ScanCache struct {
	path    string
	old     map[string]scanEntry
	now     map[string]scanEntry
	changed bool
	started time.Time
}

type scanEntry struct{ stamp, found string }

const (
	scanMagic    = "tmpscan1"
	maxScanCache = 32 << 20
)

// OpenScanCache reads the cache of one resolver for one directory.
func OpenScanCache(r Request, kind, root string) *ScanCache {
	c := &ScanCache{old: map[string]scanEntry{}, now: map[string]scanEntry{}, started: time.Now()}
	if r.CacheDir == "" {
		return c
	}
	c.path = filepath.Join(r.CacheDir, "scan-"+strconv.FormatUint(xxhash.Sum64String(kind+"\x00"+root), 16))
	data, err := disk.ReadRegular(c.path, maxScanCache)
	if err != nil || len(data) < 16 || string(data[:8]) != scanMagic || binary.LittleEndian.Uint64(data[8:]) != xxhash.Sum64(data[16:]) {
		return c
	}
	rest := disk.View(data[16:])
	next := func() string {
		n, size := binary.Uvarint([]byte(rest[:min(len(rest), binary.MaxVarintLen64)]))
		if size <= 0 || n > uint64(len(rest)-size) {
			rest = ""
			return ""
		}
		field := rest[size : size+int(n)]
		rest = rest[size+int(n):]
		return field
	}
	for rest != "" {
		path, stamp, found := next(), next(), next()
		if path != "" {
			c.old[path] = scanEntry{stamp, found}
		}
	}
	return c
}

// Scan returns what find makes of a source file, from the cache if the file is
// as it was. findings are lines.
func (c *ScanCache) Scan(path string, maxBytes int64, find func(text string) string) (found string, err error) {
	st, ok := disk.Stat(path)
	if !ok {
		_, err := os.Stat(path)
		return "", err
	}
	stamp := StampOf(&st)
	if e, ok := c.old[path]; ok && e.stamp == stamp {
		c.now[path] = e
		return e.found, nil
	}
	data, err := disk.ReadRegular(path, maxBytes)
	if err != nil {
		return "", err
	}
	found = find(string(data))
	// A file changed a moment ago may change again within one tick of its clock.
	if mtime, _ := disk.Times(&st); c.started.Unix()-mtime[0] > 1 {
		c.now[path] = scanEntry{stamp, found}
		c.changed = true
	}
	return found, nil
}

// StampOf is a text that changes when the file does.
func StampOf(st *syscall.Stat_t) string {
	mtime, ctime := disk.Times(st)
	var b []byte
	for _, n := range [...]int64{int64(st.Dev), int64(st.Ino), st.Size, mtime[0], mtime[1], ctime[0], ctime[1]} {
		b = binary.AppendVarint(b, n)
	}
	return string(b)
}

// Save writes the cache if it has something new; entries that were not asked
// for stay while their files may still be there. A failure costs speed only.
func (c *ScanCache) Save() {
	if c.path == "" || !c.changed {
		return
	}
	for path, e := range c.old {
		if _, ok := c.now[path]; !ok && disk.IsFile(path) {
			c.now[path] = e
		}
	}
	data := append([]byte(scanMagic), make([]byte, 8)...)
	field := func(s string) {
		data = binary.AppendUvarint(data, uint64(len(s)))
		data = append(data, s...)
	}
	for path, e := range c.now {
		field(path)
		field(e.stamp)
		field(e.found)
	}
	if len(data) > maxScanCache {
		return
	}
	binary.LittleEndian.PutUint64(data[8:], xxhash.Sum64(data[16:]))
	ReplaceFile(c.path, data)
}

// ReplaceFile writes a file of a cache as a whole, for its owner alone. A failure
// costs speed only.
func ReplaceFile(path string, data []byte) {
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // mode 0600
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}
