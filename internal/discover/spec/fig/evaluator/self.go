package evaluator

import "os"

// selfArgument is the only argument of a process that evaluates though it is
// another program. It is none that anybody types.
const selfArgument = "\x01evaluate"

// Self is the evaluator that a test has: its own program, where TestMain calls Child.
func Self() []string { return []string{"/proc/self/exe", selfArgument} }

// Child evaluates, and does not return, in a process that was started as Self
// says. In every other process it does nothing.
func Child() {
	if len(os.Args) == 2 && os.Args[1] == selfArgument {
		os.Exit(Main(os.Stdin, os.Stdout))
	}
}
