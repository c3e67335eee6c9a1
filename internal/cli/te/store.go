package te

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/envelope"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

// stored is what a handle stands for. It points to the output, which the run log
// holds, or to the files that cat showed.
type stored struct {
	V      int              `json:"v"`
	Call   *envelope.Call   `json:"call"`
	Path   string           `json:"path"` // of the tool
	Meta   envelope.Meta    `json:"meta"`
	Total  int64            `json:"total"`
	Size   int64            `json:"size"`   // of the output, in bytes
	Budget int              `json:"budget"` // characters of the first answer
	Run    string           `json:"run,omitempty"`
	Files  []fingerprint    `json:"files,omitempty"`
	Chunks []envelope.Chunk `json:"chunks"`
}

// fingerprint is a file as it was.
type fingerprint struct {
	Path  string `json:"path"`
	Dev   uint64 `json:"dev"`
	Inode uint64 `json:"ino"`
	Size  int64  `json:"size"`
	Time  int64  `json:"mtime"` // nanoseconds
	Done  int64  `json:"ctime"`
}

func fingerprintOf(path string, st os.FileInfo) fingerprint {
	f := fingerprint{Path: path, Size: st.Size(), Time: st.ModTime().UnixNano()}
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		f.Dev, f.Inode, f.Done = uint64(s.Dev), s.Ino, changeTime(s)
	}
	return f
}

// maxPointer bounds the file of a handle.
const maxPointer = 64 << 20

// save keeps a result under a new handle.
func (c *call) save(s *stored) (string, error) {
	p, ok := c.place()
	if !ok {
		return "", errNotStored
	}
	private()
	s.V = 1
	text, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	handle := newHandle(c.Now())
	if err := p.Put(handle, text); err != nil {
		return "", err
	}
	c.tidy(p, handle)
	return handle, nil
}

// load finds what a handle of this session stands for; code is the error of the
// header if there is none.
func (c *call) load(handle string) (s *stored, code string) {
	if !isHandle(handle) {
		return nil, envelope.InvalidHandle
	}
	p, ok := c.place()
	if !ok {
		return nil, envelope.NoSuchHandle
	}
	text, err := p.Get(handle, maxPointer)
	if err != nil {
		return nil, envelope.NoSuchHandle
	}
	s = &stored{}
	if json.Unmarshal(text, s) != nil || s.V != 1 || s.Call == nil {
		return nil, envelope.DamagedHandle
	}
	if age, ok := handleAge(handle, c.Now()); ok && age > c.settings.Handles.MaxAge {
		return nil, envelope.NoSuchHandle
	}
	return s, ""
}

// handleAge is how long ago a handle was made.
func handleAge(handle string, now time.Time) (time.Duration, bool) {
	ms := int64(0)
	for i := 4; i < 14 && i < len(handle); i++ {
		d := strings.IndexByte(crockford, handle[i])
		if d < 0 {
			return 0, false
		}
		ms = ms<<5 | int64(d)
	}
	return now.Sub(time.UnixMilli(ms)), true
}

// source opens the output of a handle.
func (c *call) source(s *stored) (src io.ReaderAt, closer func(), code string) {
	if s.Run == "" {
		return openFiles(s.Files)
	}
	p, _ := c.place()
	k, err := runlog.Find(s.Run, p)
	if err != nil {
		return nil, nil, envelope.NoSuchHandle
	}
	f, err := k.OpenRaw()
	if err != nil {
		return nil, nil, envelope.NoSuchHandle
	}
	if st, err := f.Stat(); err != nil || st.Size() != s.Size {
		f.Close()
		return nil, nil, envelope.DamagedHandle
	}
	return f, func() { f.Close() }, ""
}

// openFiles opens files that must be as they were.
func openFiles(files []fingerprint) (io.ReaderAt, func(), string) {
	p := &parts{}
	for _, want := range files {
		f, err := os.OpenFile(want.Path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			p.Close()
			if errors.Is(err, fs.ErrPermission) {
				return nil, nil, envelope.PermissionDenied
			}
			return nil, nil, envelope.StaleHandle
		}
		p.files, p.sizes = append(p.files, f), append(p.sizes, want.Size)
		st, err := f.Stat()
		if err != nil || fingerprintOf(want.Path, st) != want {
			p.Close()
			return nil, nil, envelope.StaleHandle
		}
	}
	return p, p.Close, ""
}

// tidy lets go of what is too old or too much: handles first, then what they point to.
func (c *call) tidy(p runlog.Place, newest string) {
	r := c.settings.Handles
	names, err := p.Beside()
	if err != nil {
		return
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !isHandle(n) })
	slices.Sort(names)
	now := c.Now()
	for i, n := range names {
		age, _ := handleAge(n, now)
		if n != newest && (age > r.MaxAge || len(names)-i > r.Keep) {
			c.forget(p, n)
		}
	}
	if gone, err := runlog.Prune(p, r, now, false); err == nil && len(gone) > 0 {
		c.dropDangling(p, names, gone)
	}
	c.tidyOthers(p)
}

// forget removes a handle, then its run.
func (c *call) forget(p runlog.Place, handle string) {
	text, err := p.Get(handle, maxPointer)
	if p.Remove(handle) != nil || err != nil {
		return
	}
	var s struct {
		Run string `json:"run"`
	}
	if json.Unmarshal(text, &s) == nil && s.Run != "" {
		_ = p.Remove(s.Run)
	}
}

func (c *call) dropDangling(p runlog.Place, names []string, gone []runlog.Kept) {
	runs := map[string]bool{}
	for _, k := range gone {
		runs[k.ID] = true
	}
	for _, n := range names {
		var s struct {
			Run string `json:"run"`
		}
		if text, err := p.Get(n, maxPointer); err == nil && json.Unmarshal(text, &s) == nil && runs[s.Run] {
			_ = p.Remove(n)
		}
	}
}

// tidyOthers removes what sessions that are over have left.
func (c *call) tidyOthers(own runlog.Place) {
	root := filepath.Join(own.Dir, "te", "sessions")
	list, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, d := range list {
		info, err := d.Info()
		if err != nil || !d.IsDir() || c.Now().Sub(info.ModTime()) <= c.settings.Handles.MaxAge {
			continue
		}
		c.purge(runlog.Place{Dir: own.Dir, Sub: "te/sessions/" + d.Name(), Shown: own.Shown})
	}
}

// purge removes everything of a session and returns how many handles that were.
func (c *call) purge(p runlog.Place) int {
	n := 0
	names, _ := p.Beside()
	for _, name := range names {
		if isHandle(name) {
			c.forget(p, name)
			n++
		}
	}
	kept, _ := runlog.List(p)
	for _, k := range kept {
		_ = p.Remove(k.ID)
	}
	_ = p.Drop()
	return n
}
