package opmap

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"time"
)

// itemRecord remembers which single items of a tool's map a person has accepted:
// $XDG_STATE_HOME/tmp/reviews/TOOL.json. It helps the next review, and verifies
// nothing by itself.
type itemRecord struct {
	V        int       `json:"v"`
	Tool     string    `json:"tool"`
	Date     time.Time `json:"date"`
	Accepted []string  `json:"accepted"` // hashes of items
}

// AcceptedItems are the items of a tool's map that were accepted in a review. A
// record that cannot be read is none.
func (e *EvidenceStore) AcceptedItems(tool string) map[string]bool {
	out := map[string]bool{}
	if e.Paths.State == "" {
		return out
	}
	data, err := readRegular(e.Paths.Reviews(tool))
	if err != nil {
		return out
	}
	r := &itemRecord{}
	if json.Unmarshal(data, r) == nil && r.Tool == tool {
		for _, hash := range r.Accepted {
			out[hash] = true
		}
	}
	return out
}

// SetAcceptedItems remembers them.
func (e *EvidenceStore) SetAcceptedItems(tool string, hashes []string, now time.Time) error {
	if e.Paths.State == "" {
		return ErrNoState
	}
	sorted := slices.Sorted(slices.Values(hashes))
	if _, err := readRegular(e.Paths.Reviews(tool)); len(sorted) == 0 && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return writeState(e.Paths.Reviews(tool), &itemRecord{1, tool, now.UTC().Truncate(time.Second), slices.Compact(sorted)})
}
