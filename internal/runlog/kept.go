package runlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Kept is a run of the past.
type Kept struct {
	ID         string
	RawPath    string
	Bytes      int64  // of the raw output
	Summary    []byte // the JSON of its result; nil if it was cut short
	InProgress bool
	place      Place
}

// Began is when the run began, to the second.
func (k Kept) Began() time.Time {
	stamp, _, _ := cutLast(k.ID)
	t, _ := time.Parse(stampLayout, stamp)
	return t
}

// dirName is the file of a run that names the directory in which it ran, where
// runs of several lie side by side.
const dirName = "dir"

// SetDir notes in which directory the run's command runs.
func (r *Run) SetDir(dir string) error { return r.dir.write(dirName, []byte(dir)) }

// In reports whether the run is one of the tree below root: it is kept there, or
// its command ran there. Of a run that was cut short before that was noted nobody
// knows, and it is in none.
func (k Kept) In(root string) bool {
	if k.place.Shown == "" {
		return true // of a project, which keeps its own
	}
	dir := ""
	if text, err := k.Read(dirName); err == nil {
		dir = string(text)
	} else {
		summary := k.Summary
		if summary == nil {
			summary, _ = k.Read(summaryName)
		}
		var e struct {
			Dir string `json:"cwd"`
		}
		if json.Unmarshal(summary, &e) == nil {
			dir = e.Dir
		}
	}
	rel, err := filepath.Rel(root, dir)
	return dir != "" && err == nil && filepath.IsLocal(rel)
}

// List returns the runs of several places, the newest first. What cannot be
// read of one place is in the error; the runs of the others are there.
func List(places ...Place) ([]Kept, error) {
	var all []Kept
	var problems []error
	for _, p := range places {
		kept, err := listPlace(p)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, err)
		}
		all = append(all, kept...)
	}
	slices.SortStableFunc(all, func(a, b Kept) int { return strings.Compare(b.ID, a.ID) })
	return all, errors.Join(problems...)
}

func listPlace(p Place) ([]Kept, error) {
	runs, err := p.open(false)
	if err != nil {
		return nil, err
	}
	defer runs.Close()
	ids, err := sortedRuns(runs)
	if err != nil {
		return nil, err
	}
	var all []Kept
	for _, id := range ids {
		if k, err := find(runs, p, id); err == nil {
			all = append(all, k)
		}
	}
	return all, nil
}

// Last returns the run that began last, over several places. The error is
// fs.ErrNotExist if there is none.
func Last(places ...Place) (Kept, error) {
	var last Kept
	var failed error
	for _, p := range places {
		runs, err := p.open(false)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				failed = err
			}
			continue
		}
		ids, err := sortedRuns(runs)
		runs.Close()
		if err != nil {
			failed = err
		} else if len(ids) > 0 && ids[len(ids)-1] > last.ID {
			last = Kept{ID: ids[len(ids)-1], place: p}
		}
	}
	switch {
	case last.ID != "":
		return Find(last.ID, last.place)
	case failed != nil:
		return Kept{}, failed
	}
	return Kept{}, Absent("no run is kept here")
}

// Absent is fs.ErrNotExist in words for a person.
type Absent string

func (e Absent) Error() string      { return string(e) }
func (Absent) Is(target error) bool { return target == fs.ErrNotExist }

// Find returns the run of that ID.
func Find(id string, places ...Place) (Kept, error) {
	if !isRun(id) {
		return Kept{}, fmt.Errorf("%q is not the ID of a run", id)
	}
	for _, p := range places {
		runs, err := p.open(false)
		if err != nil {
			continue
		}
		k, err := find(runs, p, id)
		runs.Close()
		if errors.Is(err, errNoRun) {
			continue
		}
		return k, err
	}
	return Kept{}, Absent("no run " + id + " is kept here")
}

var errNoRun = errors.New("no such run")

func find(runs *dir, p Place, id string) (Kept, error) {
	d, err := runs.sub(id, false)
	if err != nil {
		return Kept{}, errNoRun
	}
	defer d.Close()
	k := Kept{ID: id, RawPath: filepath.Join(d.path, rawName), InProgress: inProgress(d), Bytes: rawSize(runs, id), place: p}
	if k.Summary, err = d.read(summaryName, maxSummary); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return k, err
}

// OpenRaw opens the raw output for reading.
func (k Kept) OpenRaw() (*os.File, error) {
	d, err := k.open()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.open(rawName, os.O_RDONLY|unix.O_NONBLOCK)
}

func (k Kept) open() (*dir, error) {
	runs, err := k.place.open(false)
	if err != nil {
		return nil, err
	}
	defer runs.Close()
	return runs.sub(k.ID, false)
}

// Read returns a file of the run of at most 16 MiB.
func (k Kept) Read(name string) ([]byte, error) {
	d, err := k.open()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.read(name, maxSummary)
}

// Range is a part of the raw output, in bytes.
type Range struct{ Start, Len int64 }

// StderrIndex makes stderr.idx of a run: a line "START LENGTH" for each part of
// raw.log that came from standard error.
func (r *Run) StderrIndex() (*os.File, error) {
	return r.dir.open(stderrName, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND)
}

// ErrOneStream: the run kept both streams as one.
var ErrOneStream = errors.New("both streams were kept as one")

// Stderr returns the parts of the raw output that came from standard error, in
// their order. The error is ErrOneStream if nobody wrote down which they are.
func (k Kept) Stderr() ([]Range, error) {
	d, err := k.open()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	f, err := d.open(stderrName, os.O_RDONLY|unix.O_NONBLOCK)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrOneStream
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxIndex))
	if err != nil {
		return nil, err
	}
	return parseIndex(string(data), k.Bytes)
}

// maxIndex bounds the index: a gigabyte of output in parts of a line each.
const maxIndex = 1 << 28

// parseIndex reads the lines of an index; parts that meet become one. A last
// line without its end was cut short with the run, and does not count.
func parseIndex(text string, size int64) ([]Range, error) {
	var out []Range
	var end int64
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		var r Range
		if n, err := fmt.Sscanf(line, "%d %d\n", &r.Start, &r.Len); n != 2 || err != nil || r.Start < end || r.Len < 0 || r.Len > size-r.Start {
			return nil, fmt.Errorf("%s is damaged at %q", stderrName, strings.TrimSpace(line))
		}
		if len(out) > 0 && r.Start == end {
			out[len(out)-1].Len += r.Len
		} else if r.Len > 0 {
			out = append(out, r)
		}
		end = r.Start + r.Len
	}
	return out, nil
}
