// Package tab is the program behind the Tab key: it reads what a shell's hook
// sends, asks the engine, and answers in the form that the shell inserts.
package tab

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/shells"
)

// Engine answers one Tab.
type Engine func(context.Context, completion.Request) completion.Answer

// Exit statuses.
const (
	statusOK    = 0
	statusUsage = 2
)

// Main runs tmp-tab with its arguments (without the program's name).
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	return Run(engine, args, stdin, stdout, stderr, getenv)
}

// Run is Main with another engine.
func Run(e Engine, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	call, err := shells.ParseCall(args, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "tmp-tab: %v\n", err)
		return statusUsage
	}
	call.ASCII = !utf8Locale(getenv)
	answer := e(context.Background(), call.Request(getenv))
	_, _ = io.WriteString(stdout, call.Reply(answer))
	return statusOK
}

// utf8Locale reports whether the locale's characters are UTF-8 (POSIX, 8.2:
// the first of the three that is set and not empty counts).
func utf8Locale(getenv func(string) string) bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}
