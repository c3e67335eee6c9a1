package runlog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"time"
)

// Picks is the list that a refusal showed, so that one of it can be run by its
// number from the same terminal.
type Picks struct {
	V         int       `json:"v"`
	Dir       string    `json:"cwd"`
	MapDigest string    `json:"map_digest"`
	Time      time.Time `json:"time"`
	Text      string    `json:"text"` // the words that were refused
	List      []Pick    `json:"list"`
}

// Pick is a line of the list.
type Pick struct {
	OperationID string   `json:"operation_id"`
	Intent      string   `json:"intent"`
	Argv        []string `json:"argv,omitempty"` // what was shown of the project's own
	Dir         string   `json:"dir,omitempty"`
}

// picksName is the file of a terminal; terminal is whatever tells it from others.
func picksName(terminal string) string {
	sum := sha256.Sum256([]byte(terminal))
	return hex.EncodeToString(sum[:12]) + ".json"
}

// SavePicks keeps the list of a terminal, in the place of the one before.
func SavePicks(state, terminal string, p Picks) error {
	d, err := stateDir(state, "picks", true)
	if err != nil {
		return err
	}
	defer d.Close()
	p.V = 1
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return d.write(picksName(terminal), append(data, '\n'))
}

// LoadPicks reads the list of a terminal; the error is fs.ErrNotExist if there is
// none.
func LoadPicks(state, terminal string) (Picks, error) {
	var p Picks
	d, err := stateDir(state, "picks", false)
	if err != nil {
		return p, err
	}
	defer d.Close()
	data, err := d.read(picksName(terminal), maxResolved)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(data, &p)
}

// ForgetPicks takes the list of a terminal back; that there is none is no error.
func ForgetPicks(state, terminal string) error {
	d, err := stateDir(state, "picks", false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.remove(picksName(terminal), false); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
