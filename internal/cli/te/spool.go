package te

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

const (
	spoolMemory = 2 << 20  // bytes of an output that are held before they go to disk
	spoolStuck  = 24 << 20 // bytes that are held where the disk takes none
)

// spool holds the output of a tool: the first of it in memory, all of it in a run if
// there is more. A disk that is full or cannot be written ends the run, not the call.
type spool struct {
	open  func() (*runlog.Run, error)
	limit int64 // bytes that may be stored

	mem  []byte
	run  *runlog.Run
	size int64
	over bool // mem is not all of it
	bad  bool // there is no run, and will be none
	kept *os.File
}

func (s *spool) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	room := spoolMemory
	if s.bad {
		room = spoolStuck
	}
	if !s.over && s.run == nil && len(s.mem)+len(p) <= room {
		s.mem = append(s.mem, p...)
		return len(p), nil
	}
	if s.run == nil && !s.bad && s.size <= s.limit {
		s.start()
	}
	switch {
	case s.run != nil:
		if s.size > s.limit {
			s.discard()
		} else if _, err := s.run.Raw.Write(p); err != nil {
			s.discard()
		}
		s.mem, s.over = nil, true
	case !s.over && len(s.mem)+len(p) <= spoolStuck:
		s.mem = append(s.mem, p...)
	default:
		s.mem, s.over, s.bad = nil, true, true
	}
	return len(p), nil
}

// start makes the run and puts into it what there is.
func (s *spool) start() {
	run, err := s.open()
	if err != nil {
		s.bad = true
		return
	}
	s.run = run
	if _, err := run.Raw.Write(s.mem); err != nil {
		s.discard()
	}
}

func (s *spool) close() {
	s.discard()
	if s.kept != nil {
		s.kept.Close()
	}
}

func (s *spool) discard() {
	if s.run != nil {
		s.run.Discard()
		s.run = nil
	}
	s.bad = true
}

// reader gives the output back; nil if it is gone.
func (s *spool) reader() io.ReaderAt {
	switch {
	case s.run != nil:
		return s.run.Raw
	case !s.over:
		return bytes.NewReader(s.mem)
	case s.kept != nil:
		return s.kept
	}
	return nil
}

var errNotStored = errors.New("not stored")

// keep makes the run that holds the output, for good, and returns its ID.
func (s *spool) keep(retention runlog.Retention) (id string, err error) {
	if s.size > s.limit {
		s.discard()
		return "", errNotStored
	}
	if s.run == nil && !s.bad {
		s.start()
	}
	if s.run == nil {
		return "", errNotStored
	}
	run := s.run
	s.run, s.bad = nil, true
	if s.over { // it is read again
		s.kept, _ = os.Open(run.Raw.Name())
	}
	if err := run.Finish([]byte("{}\n"), retention); err != nil {
		return "", err
	}
	return run.ID, nil
}

// private makes what is made from here on readable by its owner alone, and no less.
func private() { syscall.Umask(0o077) }

// newSpool returns a spool whose run is made in the session's place.
func (c *call) newSpool() *spool {
	return &spool{limit: c.settings.Handles.MaxSize, open: func() (*runlog.Run, error) {
		p, ok := c.place()
		if !ok {
			return nil, errNotStored
		}
		private()
		return runlog.New(p, time.Now())
	}}
}

// place is where the results of this session are kept.
func (c *call) place() (runlog.Place, bool) {
	if c.paths.State == "" {
		return runlog.Place{}, false
	}
	return runlog.Place{Dir: c.paths.State, Sub: "te/sessions/" + c.session(), Shown: c.paths.State}, true
}

// parts reads several files as one.
type parts struct {
	files []*os.File
	sizes []int64
}

func (p *parts) ReadAt(b []byte, off int64) (int, error) {
	read := 0
	for i, f := range p.files {
		if off >= p.sizes[i] {
			off -= p.sizes[i]
			continue
		}
		n := min(int64(len(b)-read), p.sizes[i]-off)
		got, err := f.ReadAt(b[read:read+int(n)], off)
		read += got
		if err != nil && (err != io.EOF || int64(got) < n) {
			return read, err
		}
		if read == len(b) {
			return read, nil
		}
		off = 0
	}
	return read, io.EOF
}

func (p *parts) Close() {
	for _, f := range p.files {
		f.Close()
	}
}
