package envelope

import (
	"bytes"
	"encoding/base64"
)

// The errors that a header may name.
const (
	InvalidPattern   = "invalid_pattern"
	Usage            = "usage"
	NotFound         = "not_found"
	PermissionDenied = "permission_denied"
	IsDirectory      = "is_directory"
	Timeout          = "timeout"
	NoSuchHandle     = "no_such_handle"
	InvalidHandle    = "invalid_handle"
	NoSuchChunk      = "no_such_chunk"
	StaleHandle      = "stale_handle"
	DamagedHandle    = "damaged_handle"
	ToolMissing      = "tool_missing"
	ToolError        = "tool_error"
	OutsideRoot      = "outside_root"
	NoIndex          = "no_index"
	Internal         = "internal"
)

// messages are what is said under an error where nothing more is known.
var messages = map[string]string{
	InvalidPattern:   "invalid regex pattern",
	Usage:            "invalid arguments",
	NotFound:         "no such file or directory",
	PermissionDenied: "permission denied",
	IsDirectory:      "is a directory",
	Timeout:          "timed out",
	NoSuchHandle:     "no such handle",
	InvalidHandle:    "not a handle",
	NoSuchChunk:      "no such chunk",
	StaleHandle:      "the file has changed",
	DamagedHandle:    "the stored result is damaged",
	ToolMissing:      "not installed",
	ToolError:        "the tool failed",
	OutsideRoot:      "outside of the root",
	NoIndex:          "no index",
	Internal:         "internal error, operator intervention required",
}

// Message is the sentence for an error of the header.
func Message(code string) string { return messages[code] }

// complaints are parts of what GNU and BSD tools print, in the order in which they
// are looked for.
var complaints = []struct{ part, code string }{
	{"No such file or directory", NotFound},
	{"Permission denied", PermissionDenied},
	{"Is a directory", IsDirectory},
	{"Not a directory", NotFound},
	{"Operation not permitted", PermissionDenied},
}

// patternComplaints are those of a regular expression; for rg, a line of its own.
var patternComplaints = []string{
	"Unmatched ", "Invalid regular expression", "Invalid back reference", "Invalid range end", "Invalid content of", "Invalid preceding",
	"Invalid character class", "Invalid collation", "Trailing backslash", "Regular expression too big", "stray \\ before", "missing closing", "missing terminating", "quantifier does not follow",
	"unmatched ", "unrecognized character", "nothing to repeat", "reference to non-existent", "lookbehind assertion", "range out of order",
	"unbalanced", "brackets ([ ]) not balanced", "parentheses not balanced", "braces not balanced", "repetition-operator operand invalid", "invalid repetition", "invalid backreference number", "trailing backslash",
	"character class syntax is", "regex parse error", "the given regex", "Unknown regular expression type", "syntax error", "unknown property", "\\ at end of pattern", "POSIX named classes", "the literal", "exceeds", "failed to compile",
}

// Complaint says which error a tool's complaint is, or "".
func Complaint(line []byte) string {
	for _, c := range complaints {
		if bytes.Contains(line, []byte(c.part)) {
			return c.code
		}
	}
	return ""
}

// PatternComplaint reports whether a tool complains of a regular expression.
func PatternComplaint(text []byte) bool {
	for _, p := range patternComplaints {
		if bytes.Contains(text, []byte(p)) {
			return true
		}
	}
	return false
}

func appendBase64(b, s []byte) []byte {
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, s)
	return append(b, '"')
}
