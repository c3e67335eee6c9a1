package runlog

import (
	"errors"
	"os"
	"strings"
	"time"
)

// journalDir holds the journals of workflows, one for each run: what counts when
// a run is taken up. The copies beside the output of a run are for people, for
// whoever writes in a project could write there that a step is done.
const (
	journalDir  = "journals"
	journalTime = 90 * 24 * time.Hour
)

// Journal is an open journal.
type Journal struct{ f *os.File }

// NewJournal makes the journal of a run and lets those go that are too old.
func NewJournal(state, run string, now time.Time) (*Journal, error) {
	d, err := stateDir(state, journalDir, true)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, _ := d.names()
	for _, n := range names {
		id := strings.TrimSuffix(n, ".jsonl")
		if isRun(id) && now.Sub(Kept{ID: id}.Began()) > journalTime {
			_ = d.remove(n, false)
		}
	}
	f, err := d.open(run+".jsonl", os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	return &Journal{f}, d.f.Sync()
}

// Append adds a line and waits until it is on disk.
func (j *Journal) Append(line []byte) error {
	_, err := j.f.Write(line)
	return errors.Join(err, j.f.Sync())
}

// Close ends writing.
func (j *Journal) Close() error { return j.f.Close() }

// ReadJournal returns the journal of a run. The error is fs.ErrNotExist if this
// user has none of it.
func ReadJournal(state, run string) ([]byte, error) {
	d, err := stateDir(state, journalDir, false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.read(run+".jsonl", maxSummary)
}
