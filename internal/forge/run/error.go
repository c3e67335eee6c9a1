package run

import "fmt"

// Codes of errors.
const (
	Usage             = "USAGE"
	NotFound          = "NOT_FOUND"
	LintFailed        = "LINT_FAILED"
	NotApproved       = "NOT_APPROVED"
	ApprovalRequired  = "APPROVAL_REQUIRED"
	AgentRefused      = "AGENT_REFUSED"
	Exists            = "EXISTS"
	ConfigInvalid     = "CONFIG_INVALID"
	ConfigUntrusted   = "CONFIG_UNTRUSTED"
	UpstreamRewound   = "UPSTREAM_REWOUND"
	SecurityViolation = "SECURITY_VIOLATION"
	TimeoutExceeded   = "TIMEOUT_EXCEEDED"
	OOM               = "OOM"
	EPerm             = "EPERM"
	QuotaExceeded     = "QUOTA_EXCEEDED"
	OutputInvalid     = "OUTPUT_INVALID"
	Busy              = "BUSY"
	Network           = "NETWORK"
	Failed            = "FAILED"
	Internal          = "INTERNAL"
	Conflict          = "CONFLICT"
	FindingsCode      = "FINDINGS"
	NothingFound      = "NO_HIT"
	SchemaUnknown     = "schema/unknown"
)

// Error is why something was refused or failed.
type Error struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	File    string   `json:"file,omitempty"`
	Line    int      `json:"line,omitempty"`
	Col     int      `json:"col,omitempty"`
	Hints   []string `json:"-"`
	Running bool     `json:"-"` // it had started
	Status  int      `json:"-"` // of process.exit, 0 if the code says it
}

func (e *Error) Error() string {
	where := ""
	if e.File != "" && e.Line > 0 {
		where = fmt.Sprintf(" (%s:%d)", e.File, e.Line)
	}
	return e.Message + where
}

// Fail is an error of that code.
func Fail(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Hint adds what can be done.
func (e *Error) Hint(format string, args ...any) *Error {
	e.Hints = append(e.Hints, fmt.Sprintf(format, args...))
	return e
}

// ExitStatus is the status of a program that ends with the error.
func (e *Error) ExitStatus() int {
	switch e.Code {
	case Usage:
		return 2
	case Busy, Network:
		return 75
	case TimeoutExceeded:
		return 124
	case OOM:
		return 134
	case QuotaExceeded:
		return 126
	case SecurityViolation, EPerm:
		if e.Running {
			return 126
		}
		return 125
	case NotFound, LintFailed, NotApproved, ApprovalRequired, AgentRefused, Exists, ConfigInvalid, ConfigUntrusted, UpstreamRewound:
		return 125
	}
	if e.Status > 0 {
		return e.Status
	}
	return 1
}
