package shape

import "bytes"

// rule returns what a warning names at its end, "[-Wunused]", "(unused-import)",
// or at its begin, "E302".
func rule(text []byte) []byte {
	if n := styleCode(text); n > 0 {
		return text[:n]
	}
	if i := bytes.LastIndexByte(text, ' '); i > 0 && (ends(text, "]") || ends(text, ")")) {
		return text[i+1:]
	}
	return nil
}

// styleCode returns the length of a code like "E302" or "PLR0913" that a message
// begins with.
func styleCode(b []byte) int {
	n, d := 0, 0
	for n < len(b) && b[n] >= 'A' && b[n] <= 'Z' {
		n++
	}
	for n+d < len(b) && digit(b[n+d]) {
		d++
	}
	if n == 0 || n > 5 || d < 3 || d > 4 || n+d == len(b) || b[n+d] != ' ' {
		return 0
	}
	return n + d
}

// located reads "path:12:5: error: …" and "path:12:5: …"; end is where the
// message begins.
func located(b []byte) (end int, level severity) {
	i := bytes.IndexByte(b, ':')
	if i == 1 && len(b) > 3 && letter(b[0]) && (b[2] == '\\' || b[2] == '/') { // C:\…
		if j := bytes.IndexByte(b[2:], ':'); j > 0 {
			i = j + 2
		}
	}
	if i <= 0 || i > 400 || bytes.IndexByte(b[:i], ' ') >= 0 || !pathlike(b[:i]) {
		return 0, noDiagnostic
	}
	_, n := number(b[i+1:])
	if n == 0 {
		if j := worded(b[i:]); j > 0 {
			return i + j, isError
		}
		return 0, noDiagnostic
	}
	j := i + 1 + n
	if j < len(b) && b[j] == ':' {
		if _, m := number(b[j+1:]); m > 0 {
			j += 1 + m
		}
	}
	if has(b[j:], " - ") { // tsc --pretty
		if !hasAny(b[j+3:], "error", "warning", "message", "suggestion") {
			return j + 3, isNote // a place that the error above has to do with
		}
		return j + 3, levelOf(b[j+3:])
	}
	if hasAny(b[j:], " error ", " warning ") { // markdownlint
		return j + 1, levelOf(b[j+1:])
	}
	if j >= len(b) || b[j] != ':' {
		return 0, noDiagnostic
	}
	rest := trimLeft(b[j+1:])
	return len(b) - len(rest), levelOf(rest)
}

// worded returns the end of ": line 12, col 5, ", as JSHint writes a place.
func worded(b []byte) int {
	i := 0
	for _, word := range []string{": line ", ", col "} {
		if !has(b[i:], word) {
			return 0
		}
		i += len(word)
		_, n := number(b[i:])
		if i += n; n == 0 {
			return 0
		}
	}
	if !has(b[i:], ", ") {
		return 0
	}
	return i + 2
}

func pathlike(b []byte) bool {
	return bytes.IndexByte(b, '.') >= 0 || bytes.IndexByte(b, '/') >= 0 || has(b, "Makefile") || has(b, "Dockerfile")
}

// levelOf is that of a message; one without a word for it is an error.
func levelOf(b []byte) severity {
	switch {
	case len(b) == 0:
		return noDiagnostic
	case ends(b, "]") && contains(b, "[SC"): // shellcheck calls notes what no error belongs to
		if has(b, "error") {
			return isError
		}
		return isWarning
	case hasAny(b, "warning", "Warning", "warn ", "W: ", "info:", "style:"):
		return isWarning
	case len(b) > 6 && (b[0] == 'C' || b[0] == 'R') && b[5] == ':' && digit(b[1]) && digit(b[4]): // pylint: convention, refactor
		return isWarning
	case styleCode(b) > 0 && b[0] != 'F' && !hasAny(b, "E9", "E1 "): // flake8, ruff: F and E9 are errors
		return isWarning
	case hasAny(b, "note:", "note ", "required from", "required by", "in instantiation", "candidate"):
		return isNote
	}
	return isError
}

func noteworthy(b []byte) bool {
	for _, w := range []string{"requested here", "expanded from", "in instantiation", "declared here", "defined here", "declaration", "definition", "required", "expected", "previous", "candidate", "conflict"} {
		if contains(b, w) {
			return true
		}
	}
	return false
}

// bracketed reads "path(12,5): error TS2322: …" (tsc, MSBuild) and
// "[ERROR] path:[12,5] …" (Maven).
func bracketed(b []byte) (end int, level severity) {
	if has(b, "[ERROR] ") {
		return 8, isError
	}
	if has(b, "[WARNING] ") {
		return 10, isWarning
	}
	i := index(b, "): ")
	if i < 0 {
		return 0, noDiagnostic
	}
	j := bytes.LastIndexByte(b[:i], '(')
	if j <= 0 || j+1 >= i || !digit(b[j+1]) || !digit(b[i-1]) || !pathlike(b[:j]) {
		return 0, noDiagnostic
	}
	return i + 3, levelOf(b[i+3:])
}
