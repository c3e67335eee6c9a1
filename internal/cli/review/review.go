// Package review is the screen on which a person reviews a map: its tree beside
// the lines of the tool's own texts that it rests on, each item accepted, edited
// or rejected. It opens no file: whoever calls it hands in the map and the texts
// and takes what is decided.
package review

import (
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/tool-mapping-protocol/tmp/internal/evidence"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Request is what is to be reviewed.
type Request struct {
	Source *opmap.Source // it is changed as the person edits
	Title  string        // "jq 1.6", for the first line
	Texts  *evidence.Texts
	// Missing are the names that no text has.
	Missing []evidence.Missing
	// Accepted are the items that were accepted before, by Item.Hash.
	Accepted map[string]bool
	// Reviewer is the name that is offered for the record.
	Reviewer string
	// Save keeps what was decided. Its error is shown, and nothing is lost.
	Save   func(Decision) error
	Colour bool
}

// Decision is what the person decided so far.
type Decision struct {
	Source   *opmap.Source // without what was rejected, with what was edited
	Changed  bool          // it is not what it was
	Accepted []string      // hashes of the accepted items
	// Reviewer is who reviewed the whole; "" while something is open.
	Reviewer string
}

// ErrAborted says that the screen was left by a signal.
var ErrAborted = errors.New("the review was broken off; what was not saved is lost")

// Run shows the screen on a terminal until the person leaves it.
func Run(r Request, tty io.ReadWriter) error {
	m := newModel(r)
	final, err := tea.NewProgram(m, tea.WithInput(tty), tea.WithOutput(tty), tea.WithoutSignalHandler()).Run()
	if err != nil {
		return errors.Join(ErrAborted, err)
	}
	if m, ok := final.(*model); ok && m.aborted {
		return ErrAborted
	}
	return nil
}
