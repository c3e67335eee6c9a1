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
	case 'D', 'R', 'S', 'A', 'L', 'C', 'M', 'P', 'Y', 'I', 'E':
		return spoken(t)
	case '/':
		if ends(t, "PASSED in 0.0s") || has(t, "//") && contains(t, " PASSED in ") {
			return passing
		}
	}
	if hasAny(b, "    cd /", "    /Applications/Xcode", "    builtin-", "    export ", "    setenv ") { // commands that xcodebuild runs
		return progress
	}
	if ends(t, ": Refreshing state...") || contains(t, ": Refreshing state... [id=") || contains(t, ": Still ") && ends(t, " elapsed]") {
		return progress
	}
	if hasAny(t, "modules by path ", "cacheable modules ", "runtime modules ", "orphan modules ") {
		return headings
	}
	if contains(t, " actionable task") && digit(t[0]) {
		return headings
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

// spoken is routine for what begins with a word.
func spoken(t []byte) kind {
	switch {
	case hasAny(t, "Determining projects to restore", "Restored /", "Microsoft (R) ", "Copyright (", "Starting test execution", "A total of ", "Loading: ", "Analyzing: ",
		"INFO: Analyzed ", "INFO: Found ", "INFO: Invocation ID", "INFO: Elapsed time", "INFO: Streaming build results", "INFO: Build options", "Starting a Gradle Daemon", "Starting local Bazel server", "Extracting Bazel installation", "Downloading ", "Downloaded "):
		return progress
	case hasAny(t, "Deprecated Gradle features", "You can use '--warning-mode", "Run with --", "Run the command with", "Stack Trace:", "Error Message:", "Command line invocation:", "PLAY RECAP"):
		if has(t, "PLAY") {
			return other
		}
		return hints
	case hasAny(t, "CompileSwift ", "CompileC ", "SwiftCompile ", "CpHeader ", "CpResource ", "ProcessInfoPlistFile ", "Ld ", "CodeSign ", "MkDir ", "SwiftDriver ", "EmitSwiftModule ", "CopySwiftLibs ", "LinkStoryboards ", "CompileAssetCatalog ") && contains(t, "(in target '"):
		return progress
	}
	return other
}
