// Package fault is how the registry says no: each refusal has a name that a program
// can branch on, and the place that it is about.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Code names a kind of refusal.
type Code string

// The kinds. Those of the log say what a registry did; those of a pack what is wrong
// with it.
const (
	Rollback       Code = "rollback"        // the log is shorter than it was
	StaleHead      Code = "stale_head"      // the log's head is older than max_age
	FutureHead     Code = "future_head"     // the log's head is of a day to come
	RewrittenLog   Code = "rewritten_log"   // the log does not go on from the one that was seen
	SplitView      Code = "split_view"      // two logs of one length
	NotInLog       Code = "not_in_log"      // the catalogue has what the log has not
	DoubledVersion Code = "doubled_version" // one version, two contents
	MovedVersion   Code = "moved_version"   // a version's tag is at another content
	LogKeyChanged  Code = "log_key_changed" // another key signs the log
	BadHead        Code = "bad_head"        // the head is not signed by the log's key

	Altered    Code = "altered"     // bytes are not those of their digest
	BadNote    Code = "bad_note"    // no valid signature
	OtherPack  Code = "other_pack"  // the note is of another pack
	LowNote    Code = "low_note"    // the note says less than the files
	RevokedKey Code = "revoked_key" // the key that signed was revoked here
	BadArchive Code = "bad_archive" // the archive is none that a pack may have
	BadPack    Code = "bad_pack"    // the files are no pack
	BadName    Code = "bad_name"    // no name of a pack
	Conflict   Code = "conflict"    // with another pack, or with the core
	Yanked     Code = "yanked"      // taken back by its publisher
	Lint       Code = "lint"        // not fit to be published
	Exists     Code = "version_exists"
	NotFound   Code = "not_found"
	Denied     Code = "denied"  // 401, 403
	Network    Code = "network" // silence, 429, 5xx, half a body
	BadAnswer  Code = "bad_answer"
	NotPerson  Code = "needs_a_person"
	Differs    Code = "differs" // what is installed or locked is not what it was
)

// Fault is a refusal.
type Fault struct {
	Code   Code
	File   string // "" for none
	Line   int    // 0 for none
	Reason string
	Hints  []string
	Err    error // the cause, or nil
}

// New is a fault without a place.
func New(code Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Reason: fmt.Sprintf(format, args...)}
}

// In is a fault about a file.
func In(code Code, file, format string, args ...any) *Fault {
	return &Fault{Code: code, File: file, Reason: fmt.Sprintf(format, args...)}
}

// Hint adds a line that says what to do.
func (f *Fault) Hint(format string, args ...any) *Fault {
	f.Hints = append(f.Hints, fmt.Sprintf(format, args...))
	return f
}

// Because adds the cause.
func (f *Fault) Because(err error) *Fault {
	f.Err = err
	return f
}

func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(string(f.Code) + ": ")
	if f.File != "" {
		b.WriteString(f.File + ":")
		if f.Line > 0 {
			fmt.Fprintf(&b, "%d:", f.Line)
		}
		b.WriteByte(' ')
	}
	b.WriteString(f.Reason)
	if f.Err != nil {
		b.WriteString(": " + f.Err.Error())
	}
	return b.String()
}

func (f *Fault) Unwrap() error { return f.Err }

// Is reports whether an error is a fault of a kind.
func Is(err error, code Code) bool {
	var f *Fault
	return errors.As(err, &f) && f.Code == code
}

// Status is the exit status of a fault: 75 where trying again later may help, 125
// where a person has to decide, else 1.
func (f *Fault) Status() int {
	switch f.Code {
	case Network:
		return 75
	case NotPerson:
		return 125
	}
	return 1
}
