package surface

import (
	"encoding/json"
	"errors"
	"io"
)

// World is what a surface has of the process: nothing else is read or written.
type World struct {
	Stdin  io.Reader
	Stdout io.Writer
	// Notice tells the person something while it goes on, such as a wait.
	Notice  func(text string)
	Getenv  func(string) string
	Environ []string
	// Config are the sections of config.toml, Table the one that the call uses; nil if it
	// uses none.
	Config map[string]any
	Table  map[string]any
}

// Exit statuses of a Report (seed 000, "Invoke", and those of curl for the network).
const (
	StatusDatabase  = 1 // what the database answered
	StatusTimeout   = 124
	StatusRefused   = 125
	StatusInterrupt = 130
)

// Causes of a context that has ended.
var (
	ErrTimeout     = errors.New("its time was over")
	ErrInterrupted = errors.New("interrupted")
)

// Refuse is the report of a call that is not carried out.
func Refuse(message string, hints ...string) *Report {
	return &Report{V: 1, Status: StatusRefused, Code: "refused", Message: message, Hints: hints}
}

// Fail is the report of a call that failed with a status.
func Fail(status int, message string) *Report {
	return &Report{V: 1, Started: true, Status: status, Message: message}
}

// SetFacts puts the facts into the report; what cannot be written as JSON is none.
func (r *Report) SetFacts(facts any) {
	if data, err := json.Marshal(facts); err == nil {
		r.Facts = data
	}
}
