package shape

import "bytes"

// routine returns why a line is left out that says only that a test passed, a
// step was taken or where more can be read, whatever program writes it; other
// if the line may say more.
func routine(b []byte) kind {
	t := trim(b)
	if len(t) < 3 {
		return other
	}
	if k := verdicts(t); k != other {
		return k
	}
	switch t[0] {
	case '[':
		return bracket(t)
	case '=', '-', '~', '*', '_', '+':
		if len(t) > 8 && len(bytes.Trim(t, "=-~*_+ ")) == 0 {
			return headings
		}
	case 0xe2:
		switch {
		case mark3(t, "✓", "✔", "√"):
			return passing
		case has(t, "─") && len(bytes.Trim(t, "─ ")) == 0, has(t, "━") && len(bytes.Trim(t, "━ ")) == 0, has(t, "⎯") && len(bytes.Trim(t, "⎯ ")) == 0, has(t, "│") && len(bytes.Trim(t, "│ ")) == 0, has(t, "╷"), has(t, "╵"):
			return headings
		}
	case 'T':
		if hasAny(t, "Test Case '", "Test case '") && (contains(t, "' passed (") || ends(t, "' started.")) || has(t, "Test Suite '") && contains(t, "' started at ") || has(t, "Test run for ") {
			return passing
		}
	case 'a':
		if has(t, "asset ") && contains(t, "[emitted]") {
			return progress
		}
	case 'N':
		if has(t, "Node.js v") && len(t) < 24 {
			return hints
		}
	case '.':
		if has(t, "... ") && ends(t, " lines matching cause stack trace ...") {
			return frames
		}
	case 'A', 'C', 'D', 'E', 'I', 'L', 'M', 'P', 'R', 'S', 'Y':
		if k := spoken(t); k != other {
			return k
		}
	case '/':
		if ends(t, "PASSED in 0.0s") || has(t, "//") && contains(t, " PASSED in ") {
			return passing
		}
	}
	if b[0] == ' ' && hasAny(b, "    cd /", "    /Applications/Xcode", "    builtin-", "    export ", "    setenv ") { // commands that xcodebuild runs
		return progress
	}
	switch t[len(t)-1] {
	case '.', ']':
		if ends(t, ": Refreshing state...") || ends(t, "]") && (contains(t, ": Refreshing state... [id=") || ends(t, " elapsed]") && contains(t, ": Still ")) {
			return progress
		}
	}
	if digit(t[0]) && contains(t, " actionable task") || bytes.IndexByte([]byte("mcro"), t[0]) >= 0 && hasAny(t, "modules by path ", "cacheable modules ", "runtime modules ", "orphan modules ") {
		return headings
	}
	return other
}

// verdicts is routine for what RSpec and PHPUnit write: a letter for each test,
// how long it took, and what stands over their lists.
func verdicts(t []byte) kind {
	switch t[0] {
	case '.', 'F', 'E':
		if n := len(t) - len(bytes.TrimLeft(t, ".FEISRWPU*")); n > 5 && (n == len(t) || ends(t, "%)") && contains(t, " / ")) {
			return progress
		}
		if string(t) == "Failures:" || string(t) == "Failed examples:" || has(t, "Finished in ") && ends(t, " to load)") {
			return headings
		}
	case '(':
		if has(t, "(compared using ") {
			return hints
		}
	case '@':
		if len(t) > 4 && has(t, "@@ ") && ends(t, " @@") || string(t) == "@@ @@" {
			return headings
		}
	case 'P', 'R', 'T', '#':
		if has(t, "PHPUnit ") && contains(t, " by Sebastian Bergmann") || has(t, "Runtime:       PHP ") || has(t, "Time: ") && contains(t, ", Memory: ") || has(t, "# Temporarily skipped with ") ||
			hasAny(t, "There was 1 ", "There were ") && ends(t, ":") {
			return headings
		}
	}
	return other
}

// bracket is routine for what begins with a bracket: GoogleTest, Bazel, xUnit.
func bracket(t []byte) kind {
	switch {
	case hasAny(t, "[ RUN      ]", "[       OK ]", "[----------]", "[==========]"):
		return passing
	case has(t, "[xUnit.net ") && !ends(t, "]"):
		return progress
	case digit(t[1]):
		i := bytes.IndexByte(t, ']')
		if in := t[1:max(i, 1)]; i > 0 && i < 20 && index(in, " / ") > 0 && len(bytes.Trim(in, "0123456789, /")) == 0 {
			return progress
		}
	}
	return other
}

// spoken is routine for what begins with a word. The words are told apart by
// their first letter, as each line of an output comes here.
func spoken(t []byte) kind {
	switch t[0] {
	case 'A':
		if hasAny(t, "A total of ", "Analyzing: ") {
			return progress
		}
	case 'C':
		if hasAny(t, "Command line invocation:") {
			return hints
		}
		if has(t, "Copyright (") {
			return progress
		}
	case 'D':
		if has(t, "Deprecated Gradle features") {
			return hints
		}
		if hasAny(t, "Determining projects to restore", "Downloading ", "Downloaded ") {
			return progress
		}
	case 'E':
		if has(t, "Error Message:") {
			return headings
		}
		if has(t, "Extracting Bazel installation") {
			return progress
		}
	case 'I':
		if has(t, "INFO: ") && hasAny(t[6:], "Analyzed ", "Found ", "Invocation ID", "Elapsed time", "Streaming build results", "Build options") {
			return progress
		}
	case 'L':
		if has(t, "Loading: ") {
			return progress
		}
	case 'M':
		if has(t, "Microsoft (R) ") {
			return progress
		}
	case 'R':
		if hasAny(t, "Run with --", "Run the command with") {
			return hints
		}
		if has(t, "Restored /") {
			return progress
		}
	case 'S':
		if has(t, "Stack Trace:") {
			return headings
		}
		if hasAny(t, "Starting test execution", "Starting a Gradle Daemon", "Starting local Bazel server") {
			return progress
		}
	case 'Y':
		if has(t, "You can use '--warning-mode") {
			return hints
		}
	}
	if ends(t, "')") && contains(t, "(in target '") && hasAny(t, "CompileSwift ", "CompileC ", "SwiftCompile ", "CpHeader ", "CpResource ", "ProcessInfoPlistFile ", "Ld ", "CodeSign ", "MkDir ", "SwiftDriver ", "EmitSwiftModule ", "CopySwiftLibs ", "LinkStoryboards ", "CompileAssetCatalog ") {
		return progress
	}
	return other
}
