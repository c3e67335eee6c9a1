package session

import (
	"fmt"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// Code says in a word why nothing ran. The list is closed: beside these there are
// the reasons of an intent (intent.Reason), which are codes too.
type Code string

const (
	NotMapped        Code = "not_mapped"        // there is no such operation
	Ambiguous        Code = "ambiguous"         // there are several
	Draft            Code = "draft"             // nobody has verified it, or it is not what was verified
	MissingParameter Code = "missing_parameter" // a value is missing or not usable
	ResolverFailed   Code = "resolver_failed"   // the values cannot be found out
	NotApplicable    Code = "not_applicable"    // it does not apply in this directory
	Conflict         Code = "conflict"          // what is here does not go together
	ToolMissing      Code = "tool_missing"      // the program is not there, or is none that may be run
	ApprovalRequired Code = "approval_required" // a person has to say yes
	ApprovalStale    Code = "approval_stale"    // it is not what a person said yes to
	NotAFile         Code = "not_a_file"        // what would be read is a FIFO or its like
	Denied           Code = "refused"           // nobody may, or the person said no
	Usage            Code = "usage"             // it was asked for wrongly
	Timeout          Code = "timeout"           // its time was over
	Failed           Code = "internal"          // something around the run went wrong
)

// Words for what happened that fall under one of the codes.
const (
	Declined      = Denied // the person said no
	Stale         = Draft  // a source or the program is not what was verified
	NotFound      = ToolMissing
	NotExecutable = ToolMissing
	MapChanged    = Conflict // a run that is to be taken up was under another map
	CutShort      = Conflict // nobody knows how far a step came
)

// gateCode is the code of a verdict of the gate.
func gateCode(v gate.Verdict) Code {
	switch v.Code {
	case "draft":
		return Draft
	case "approval_required":
		return ApprovalRequired
	}
	return Denied
}

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
	Changes     []string            `json:"changes,omitempty"` // what is not as it was approved, a line each
	Diff        []string            `json:"diff,omitempty"`    // how texts differ, in 20 lines at most
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
