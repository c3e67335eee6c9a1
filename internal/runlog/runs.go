package runlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	rawName     = "raw.log"
	summaryName = "summary.json"
	stderrName  = "stderr.idx"

	maxSummary = 16 << 20

	stampLayout = "2006-01-02T15-04-05Z"

	// tick is what the last digit of a run's name counts: nanoseconds, a little
	// more than a second's 65536th part, so that four digits hold a second.
	tick = 1_000_000_000/0x10000 + 1
)

// Place is where the runs of a directory are kept.
type Place struct {
	// Dir exists, and the runs are below it.
	Dir string
	// Sub is the path below Dir, whose parts are made where they are missing
	// and never followed as links: ".tmp/runs", or "runs".
	Sub string
	// Shown is Dir as it is written in a result: "" for a project, whose runs
	// are named from its root.
	Shown string
}

// ProjectPlace keeps runs in the .tmp of a project.
func ProjectPlace(project string) Place { return Place{project, ".tmp/runs", ""} }

// StatePlace keeps runs in the state directory, which is made if it is missing.
func StatePlace(state string) Place { return Place{state, "runs", state} }

func (p Place) open(create bool) (*dir, error) {
	if create {
		if err := os.MkdirAll(p.Dir, 0o700); err != nil {
			return nil, err
		}
	}
	d, err := openDir(p.Dir)
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Split(p.Sub, "/") {
		next, err := d.sub(name, create)
		d.Close()
		if err != nil {
			return nil, err
		}
		d = next
	}
	return d, nil
}

// Run is a run in progress.
type Run struct {
	ID  string
	Raw *os.File // the output as it comes; also a lock as long as it is open

	place Place
	dir   *dir
	began time.Time
}

// Location is the path of the raw output as a result names it.
func (r *Run) Location() string { return filepath.Join(r.place.Shown, r.place.Sub, r.ID, rawName) }

// New makes the directory of a run, named by its time in UTC, with the fraction
// of the second in four hex digits, and its raw.log. Names sort by time; of
// several runs that begin at once each takes the next free name.
func New(p Place, now time.Time) (*Run, error) {
	began := now
	runs, err := p.open(true)
	if err != nil {
		return nil, err
	}
	defer runs.Close()
	now = now.UTC()
	for range 1000 {
		id := fmt.Sprintf("%s-%04x", now.Format(stampLayout), now.Nanosecond()/tick)
		now = now.Add(tick)
		err := unix.Mkdirat(runs.fd(), id, 0o700)
		if err == unix.EEXIST {
			continue
		}
		if err != nil {
			return nil, &os.PathError{Op: "mkdir", Path: filepath.Join(runs.path, id), Err: err}
		}
		d, err := runs.sub(id, false)
		if err != nil {
			return nil, err
		}
		raw, err := d.open(rawName, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND)
		if err != nil {
			d.Close()
			return nil, err
		}
		// The program inherits the descriptor and so the lock: the run counts as
		// in progress until the last process that can write to it is gone.
		if err := unix.Flock(int(raw.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			d.Close()
			raw.Close()
			return nil, fmt.Errorf("cannot lock %s: %w", raw.Name(), err)
		}
		return &Run{ID: id, Raw: raw, place: p, dir: d, began: began}, nil
	}
	return nil, fmt.Errorf("%s: no free name for a run", runs.path)
}

// Hasten has nothing of the run waited for until it is on the disk: what would be lost
// with the machine is the record of something that changed nothing, and the wait is
// most of the time that a short run takes.
func (r *Run) Hasten() { r.dir.later = true }

// Finish writes the summary, closes the run, and removes the runs that the
// retention lets go. What cannot be removed stays: keeping too much is no
// failure of a run.
func (r *Run) Finish(summary []byte, keep Retention) error {
	err := r.dir.write(summaryName, summary)
	err = errors.Join(err, r.Raw.Close(), r.dir.Close())
	_, _ = Prune(r.place, keep, r.began, false)
	return err
}

// Write puts a file of the run in place whole.
func (r *Run) Write(name string, data []byte) error { return r.dir.write(name, data) }

// Append adds to a file of the run.
func (r *Run) Append(name string, line []byte) error {
	f, err := r.dir.open(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Close())
}

// stepsName is the directory of the outputs of a workflow's steps.
const stepsName = "steps"

// StepLog makes the file of a step's output. Its lock is inherited by the
// program, so that it tells whether something still writes to it.
func (r *Run) StepLog(name string) (*os.File, error) {
	d, err := r.dir.sub(stepsName, true)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	f, err := d.open(name+".log", os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("cannot lock %s: %w", f.Name(), err)
	}
	return f, nil
}

// StepBusy reports whether the program of a step still holds its output.
func (k Kept) StepBusy(name string) bool {
	d, err := k.open()
	if err != nil {
		return false
	}
	defer d.Close()
	s, err := d.sub(stepsName, false)
	if err != nil {
		return false
	}
	defer s.Close()
	f, err := s.open(name+".log", os.O_RDONLY|unix.O_NONBLOCK)
	if err != nil {
		return false
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) == unix.EWOULDBLOCK
}

// scarce is how much room a disk has that may not hold an output.
const scarce = 256 << 20

// Scarce reports whether the disk of the run is nearly full.
func (r *Run) Scarce() bool {
	var st unix.Statfs_t
	return unix.Fstatfs(int(r.Raw.Fd()), &st) == nil && uint64(st.Bavail)*uint64(st.Bsize) < scarce
}

// Discard removes a run that never began.
func (r *Run) Discard() {
	_ = r.dir.remove(rawName, false)
	_ = r.dir.remove(stderrName, false)
	r.Raw.Close()
	r.dir.Close()
	if runs, err := r.place.open(false); err == nil {
		_ = runs.remove(r.ID, true)
		runs.Close()
	}
}

// isRun reports whether a name is that of a run: "2026-06-03T10-30-00Z-1a2b".
// Nothing else in the directory is ever touched.
func isRun(name string) bool {
	stamp, hex, ok := cutLast(name)
	if !ok || len(hex) != 4 || strings.Trim(hex, "0123456789abcdef") != "" {
		return false
	}
	_, err := time.Parse(stampLayout, stamp)
	return err == nil
}

func cutLast(name string) (before, after string, ok bool) {
	i := strings.LastIndexByte(name, '-')
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

func inProgress(d *dir) bool {
	f, err := d.open(rawName, os.O_RDONLY|unix.O_NONBLOCK)
	if err != nil {
		return false
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) == unix.EWOULDBLOCK
}

// sortedRuns lists the runs, oldest first.
func sortedRuns(runs *dir) ([]string, error) {
	names, err := runs.names()
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !isRun(n) })
	slices.Sort(names)
	return names, nil
}
