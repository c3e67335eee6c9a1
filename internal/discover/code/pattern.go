package code

import (
	"regexp"
	"sync"
)

// pattern compiles an expression when it is first used: all of them together would
// cost every command of tmp a third of a millisecond at its start.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
