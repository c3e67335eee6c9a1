package session

import (
	"fmt"

	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// Code says in a word why nothing ran. Beside these the reasons of an intent
// (intent.Reason) and those of the gate ("approval_required", "critical",
// "draft") are codes too.
type Code string

const (
	Usage         Code = "usage"          // it was asked for wrongly
	Failed        Code = "failed"         // something around the run went wrong
	Declined      Code = "declined"       // the person said no
	Changed       Code = "changed"        // a file is not what was approved
	Stale         Code = "stale"          // a source or the program is not what was verified
	Draft         Code = "draft"          // nobody has verified it
	NotMapped     Code = "not_mapped"     // there is no such operation
	NotApplicable Code = "not_applicable" // it does not apply in this directory
	NotFound      Code = "not_found"      // there is no such program
	NotExecutable Code = "not_executable" // it is no program that may be run
	MapChanged    Code = "map_changed"    // a run that is to be taken up was under another map
	CutShort      Code = "cut_short"      // nobody knows how far a step came
)

// Refusal is why nothing ran, or what could not be answered.
type Refusal struct {
	Fault
	Status int      // to exit with in the place of the program that did not run
	Hints  []string // what the person can do
}

// Fault is a refusal as it stands in an envelope.
type Fault struct {
	Code        Code                `json:"code"`
	Message     string              `json:"message"`
	Approve     string              `json:"approve,omitempty"` // the command for the person
	Suggestions []intent.Suggestion `json:"suggestions,omitempty"`
}

func (r *Refusal) Error() string { return r.Message }

// Hint adds a line that says what to do.
func (r *Refusal) Hint(format string, args ...any) *Refusal {
	r.Hints = append(r.Hints, fmt.Sprintf(format, args...))
	return r
}

// Refuse is a refusal of a code.
func Refuse(code Code, format string, args ...any) *Refusal {
	return &Refusal{Fault: Fault{Code: code, Message: fmt.Sprintf(format, screen.PlainArgs(args)...)}, Status: invoke.StatusRefused}
}

// Fail is a refusal because something went wrong.
func Fail(format string, args ...any) *Refusal { return Refuse(Failed, format, args...) }

// Unresolved is an intent's refusal with its suggestions.
func Unresolved(r intent.Resolution) *Refusal {
	f := Refuse(Code(r.Reason), "not resolved (%s): %s", r.Reason, r.Message)
	f.Suggestions = r.Suggestions
	for i, s := range r.Suggestions {
		f.Hint("%s", SuggestionLine(i, s))
	}
	if len(r.Suggestions) > 0 {
		f.Hint("tmp run --pick N runs one of them")
	}
	return f
}

// SuggestionLine is a suggestion with the number by which it can be run, from 1.
func SuggestionLine(i int, s intent.Suggestion) string {
	if s.Argv == nil {
		return fmt.Sprintf("%d  %q is %s", i+1, s.Intent, s.OperationID)
	}
	line := screen.Printable(invoke.Display(s.Argv))
	if s.Intent == "" || s.Intent == line {
		return fmt.Sprintf("%d  %s", i+1, line)
	}
	return fmt.Sprintf("%d  %s  (%s)", i+1, line, screen.Printable(s.Intent))
}
