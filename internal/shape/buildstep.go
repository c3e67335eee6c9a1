package shape

import "bytes"

// mavenAdvice reports whether Maven says where help is, as after every failure.
func mavenAdvice(b []byte) bool {
	return hasAny(trimLeft(b[7:]), "To see the full stack trace", "Re-run Maven", "For more information about the errors", "[Help ", "After correcting the problems") || blank(b[7:])
}

// tally reports whether a line counts what was found: "3 errors", "1 warning
// and 2 errors generated."
func tally(b []byte) bool {
	_, n := number(b)
	return n > 0 && len(b) < 60 && hasAny(b[n:], " error", " warning", " issue") && !contains(b, "|") && !contains(b, ";")
}

// quietStep reports whether a line names a step as make files do that print no
// commands: "  CC      src/file.c", "  LD [M]  x.ko".
func quietStep(b []byte) bool {
	t := trimLeft(b)
	if len(t) == len(b) {
		return false
	}
	n := 0
	for n < len(t) && (t[n] >= 'A' && t[n] <= 'Z' || n > 0 && digit(t[n])) {
		n++
	}
	if n < 2 || n > 10 || !hasAny(t[n:], "  ", "\t", " [M] ") || alarmingStep(t) {
		return false
	}
	file := trim(bytes.TrimPrefix(trimLeft(t[n:]), []byte("[M]")))
	return len(file) > 0 && bytes.IndexByte(file, ' ') < 0 && pathlike(file)
}

// buildStep reports whether a line only names a step: "[ 50%] Building C
// object x.o", "[3/40] CC x.o", "  CC  x.o", "Restoring package Foo...".
func buildStep(t []byte) bool {
	if len(t) == 0 || alarmingStep(t) {
		return false
	}
	if t[0] == '[' {
		i := bytes.IndexByte(t, ']')
		if i > 0 && i < 16 {
			in := trim(t[1:i])
			_, n := number(in)
			return n > 0 && (ends(in, "%") || bytes.IndexByte(in, '/') > 0)
		}
	}
	return progressing(t)
}

func alarmingStep(t []byte) bool { return contains(t, "rror:") || contains(t, "FAILED") }
