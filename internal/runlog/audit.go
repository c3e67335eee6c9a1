package runlog

import (
	"encoding/json"
	"os"
	"time"
)

// Event is a line of the audit log.
type Event struct {
	V           int       `json:"v"`
	Time        time.Time `json:"time"`
	Action      string    `json:"action"` // "run", "refused", "approved"
	OperationID string    `json:"operation_id,omitempty"`
	Command     string    `json:"command"`
	Dir         string    `json:"cwd,omitempty"`
	Level       string    `json:"level"`
	PlanDigest  string    `json:"plan_digest"`
	RunID       string    `json:"run_id,omitempty"`
	Agent       string    `json:"agent,omitempty"`
	Reason      string    `json:"reason,omitempty"`
}

// Audit appends to audit.log in the state directory. One write of one line:
// lines of several processes do not mix.
func Audit(state string, e Event) error {
	d, err := stateDir(state, ".", true)
	if err != nil {
		return err
	}
	defer d.Close()
	e.V = 1
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f, err := d.open("audit.log", os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
