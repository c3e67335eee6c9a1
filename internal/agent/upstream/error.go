// Package upstream talks to the MCP servers of the user: it starts one when it is
// first needed, holds it to its bounds, and starts it again when it has died.
package upstream

// Code says what went wrong with a server (agent contract, "Tools").
type Code string

// The codes.
const (
	Timeout   Code = "timeout"
	Arguments Code = "invalid_arguments" // the server says so
	Cancelled Code = "cancelled"
	Crashed   Code = "upstream_crashed"
	Invalid   Code = "upstream_invalid"
	Down      Code = "upstream_down"
	TooLarge  Code = "too_large"
)

// Error is what went wrong with a server.
type Error struct {
	Code    Code
	Message string
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }
