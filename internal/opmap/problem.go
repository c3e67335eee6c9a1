package opmap

import (
	"fmt"
	"strings"
)

// Severity says what a Problem does to the file that has it.
type Severity uint8

const (
	// Warning: the file is used as it is.
	Warning Severity = iota
	// Error: the file is not used.
	Error
)

// Problem is one thing wrong with a source file, and where.
type Problem struct {
	File     string
	Line     int    // 1-based; 0 when it concerns the whole file
	Field    string // path of the field, "operations[0].parameters[1].name"; "" for the file itself
	Reason   string
	Severity Severity
	Unknown  bool // the field is not known; it is kept
}

// Error returns "file:line: field: reason".
func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Field != "" {
		b.WriteString(p.Field + ": ")
	}
	b.WriteString(p.Reason)
	return b.String()
}

// Problems are the findings of one load, in the order of the file.
type Problems []*Problem

// Err returns an error that holds those of severity Error, or nil.
func (ps Problems) Err() error { return ps.atLeast(Error) }

// Strict returns an error that holds all of them, warnings too, or nil: the
// measure for maps that are shipped or published.
func (ps Problems) Strict() error { return ps.atLeast(Warning) }

func (ps Problems) atLeast(s Severity) error {
	var kept Problems
	for _, p := range ps {
		if p.Severity >= s {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return &InvalidError{Problems: kept}
}

// InvalidError is a source that cannot be used. errors.As reaches each Problem.
type InvalidError struct{ Problems Problems }

func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the single problems.
func (e *InvalidError) Unwrap() []error {
	errs := make([]error, len(e.Problems))
	for i, p := range e.Problems {
		errs[i] = p
	}
	return errs
}
