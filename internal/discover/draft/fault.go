package draft

import "fmt"

// Fault says why a text cannot be read, and where.
type Fault struct {
	Line   int // from 1; 0 when it concerns the whole text
	Reason string
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Reason
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Reason)
}

// Faultf makes a fault.
func Faultf(line int, format string, args ...any) *Fault {
	return &Fault{Line: line, Reason: fmt.Sprintf(format, args...)}
}
