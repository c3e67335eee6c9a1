// Package toolid holds the grammar of operation IDs and the names that the
// public tool taxonomy reserves (seed 002, "Naming rules").
package toolid

import (
	"fmt"
	"strings"
)

// maxLength bounds an ID in bytes; longer ones are no names a person types.
const maxLength = 128

// IDError says why a text is not an operation ID.
type IDError struct {
	ID     string
	Reason string
}

func (e *IDError) Error() string { return fmt.Sprintf("operation ID %q: %s", e.ID, e.Reason) }

// Check reports whether id is a local operation ID: segments of lower-case
// ASCII letters, digits, "_" and "-" that begin with a letter, joined by dots
// ("cargo.run_bin", "release_candidate"). A bad one is an *IDError.
func Check(id string) error {
	if id == "" {
		return &IDError{id, "is empty"}
	}
	if len(id) > maxLength {
		return &IDError{id, fmt.Sprintf("is longer than %d bytes", maxLength)}
	}
	for segment := range strings.SplitSeq(id, ".") {
		if reason := checkSegment(segment); reason != "" {
			return &IDError{id, reason}
		}
	}
	return nil
}

func checkSegment(s string) string {
	if s == "" {
		return "has an empty segment"
	}
	if s[0] < 'a' || s[0] > 'z' {
		return fmt.Sprintf("segment %q does not begin with a lower-case letter", s)
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return fmt.Sprintf("segment %q holds %q: want a-z, 0-9, _ and -", s, c)
		}
	}
	return ""
}

// Reserved returns the prefix or the exact name of the public taxonomy that id
// uses ("artifact.", "read"), or "". Such an ID works as a local operation ID
// but cannot be published as a tool of its own.
func Reserved(id string) string {
	for _, prefix := range [...]string{"artifact.", "mcp.", "memory.", "sandbox.", "subagent.", "tgp.", "tmp.", "tool.", "workboard."} {
		if strings.HasPrefix(id, prefix) {
			return prefix
		}
	}
	if _, ok := standalone[id]; ok {
		return id
	}
	return ""
}

// Public returns the ID under which an operation appears in the public
// taxonomy, where "_" is not a letter of a segment: "cargo.run-bin".
func Public(id string) string { return strings.ReplaceAll(id, "_", "-") }
