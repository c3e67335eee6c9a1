package audit

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// Entry is a line of the log as read, and as tmp audit --json gives it.
type Entry struct {
	V         int       `json:"v"`
	Time      time.Time `json:"time"`
	Via       string    `json:"via,omitempty"`
	Answer    Answer    `json:"answer"`
	Reason    string    `json:"reason,omitempty"`
	Level     string    `json:"level"`
	Flags     []string  `json:"flags,omitempty"`
	Rules     []string  `json:"rules,omitempty"`
	Loss      string    `json:"loss,omitempty"`
	Reach     string    `json:"reach,omitempty"`
	Shell     string    `json:"shell,omitempty"`
	Dir       string    `json:"cwd,omitempty"`
	Line      string    `json:"line"`
	Agent     string    `json:"agent,omitempty"`
	Session   string    `json:"session,omitempty"`
	Operation string    `json:"operation_id,omitempty"`
	Plan      string    `json:"plan_digest,omitempty"`
	Run       string    `json:"run_id,omitempty"`
	Bound     int       `json:"bound,omitempty"` // files that the answer was for
	Unbound   []string  `json:"unbound,omitempty"`
}

// Read calls visit for each entry, the oldest first, and returns how many lines
// could not be read: torn by a full disk, or of a newer version.
func Read(state string, visit func(Entry)) (bad int, err error) {
	for n := maxKept; n >= 0; n-- {
		name := File(state)
		if n > 0 {
			name = older(state, n)
		}
		k, e := readFile(name, visit)
		bad += k
		if e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return bad, err
}

func readFile(name string, visit func(Entry)) (bad int, err error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := r.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) { // no line of ours
			_, err = r.ReadSlice('\n')
		}
		if len(line) > 1 {
			var e Entry
			if long || json.Unmarshal(line, &e) != nil || e.V != 1 || e.Time.IsZero() {
				bad++
			} else {
				visit(e)
			}
		}
		if errors.Is(err, io.EOF) {
			return bad, nil
		}
		if err != nil {
			return bad, err
		}
	}
}
