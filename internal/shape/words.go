package shape

import (
	"bytes"
	"unicode/utf8"
)

func has(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

func ends(b []byte, suffix string) bool {
	return len(b) >= len(suffix) && string(b[len(b)-len(suffix):]) == suffix
}

func contains(b []byte, sub string) bool { return index(b, sub) >= 0 }

// index is bytes.Index for a string.
func index(b []byte, sub string) int { return bytes.Index(b, []byte(sub)) }

// hasAny reports whether b begins with one of the prefixes.
func hasAny(b []byte, prefixes ...string) bool {
	for _, p := range prefixes {
		if has(b, p) {
			return true
		}
	}
	return false
}

func trimLeft(b []byte) []byte {
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return b[i:]
}

func trim(b []byte) []byte {
	b = trimLeft(b)
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

func blank(b []byte) bool { return len(trimLeft(b)) == 0 }

func indented(b []byte) bool { return len(b) > 0 && (b[0] == ' ' || b[0] == '\t') }

func digit(b byte) bool { return b >= '0' && b <= '9' }

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// number reads the decimal number that b begins with; n is its length, 0 if
// there is none.
func number(b []byte) (v, n int) {
	for n < len(b) && digit(b[n]) && n < 12 {
		v = v*10 + int(b[n]-'0')
		n++
	}
	return v, n
}

// alarming reports whether a line has a word that programs use for what went
// wrong. It may say yes too often: that only keeps more. A count of nothing
// ("0 errors", "no failures", "failed: 0") is no such word.
func alarming(b []byte) bool { return alarm(b) >= 0 }

// Alarming reports whether a line has a word for what goes wrong.
func Alarming(line []byte) bool { return alarming(line) }

// alarm returns the place of the first such word, or -1.
func alarm(b []byte) int {
	for i := 0; i < len(b); {
		c := b[i]
		if c >= utf8.RuneSelf {
			if hasAny(b[i:], "✖", "✗", "✘", "✕", "❌", "×") {
				return i
			}
			i++
			for i < len(b) && !utf8.RuneStart(b[i]) {
				i++
			}
			continue
		}
		if !letter(c) {
			i++
			continue
		}
		start := i
		for i < len(b) && letter(b[i]) {
			i++
		}
		if w := b[start:i]; wordAlarms(w) && !nothing(b, start, i) || len(w) < 4 && c|0x20 == 'n' && refusal(w, b[i:]) {
			return start
		}
	}
	return -1
}

// refusal reads "not found", "no such file" and the like: a word and what
// follows it.
func refusal(w, after []byte) bool {
	switch {
	case equalFold(w, "not"):
		return hasAny(after, " found", " permitted", " recognized", " allowed", " supported", " exist", " defined", " a ", " installed")
	case equalFold(w, "no"):
		return hasAny(after, " such ", " space left", " route to", " module named", " matching ")
	}
	return false
}

// wordAlarms decides one word of letters, in any case.
func wordAlarms(w []byte) bool {
	if len(w) < 3 {
		return false
	}
	begins := false
	switch w[0] | 0x20 {
	case 'a':
		begins = fold(w, "abort") || fold(w, "assert")
	case 'c':
		begins = fold(w, "cannot") || fold(w, "couldn") || fold(w, "conflict") || fold(w, "critical") || fold(w, "corrupt") || fold(w, "crash")
	case 'd':
		begins = fold(w, "denied") || fold(w, "deadlock")
	case 'e':
		begins = fold(w, "error") || fold(w, "exception") || len(w) == 3 && fold(w, "err")
	case 'f':
		begins = fold(w, "fail") || fold(w, "fatal")
	case 'i':
		begins = fold(w, "invalid") || fold(w, "illegal")
	case 'k':
		begins = fold(w, "killed")
	case 'm':
		begins = fold(w, "missing") || fold(w, "mismatch")
	case 'o':
		begins = fold(w, "oom") && len(w) <= 9
	case 'p':
		begins = fold(w, "panic")
	case 'r':
		begins = fold(w, "refused") || fold(w, "rejected")
	case 's':
		begins = fold(w, "segfault") || fold(w, "segmentation") || fold(w, "severe") || fold(w, "sig") && len(w) >= 6 && w[0] == 'S'
	case 't':
		begins = fold(w, "traceback") || fold(w, "timeout") || fold(w, "timed") || fold(w, "terminat")
	case 'u':
		begins = fold(w, "undefined") || fold(w, "unable") || fold(w, "unexpected") || fold(w, "unresolved") || fold(w, "uncaught") || fold(w, "unhandled") || fold(w, "unreachable") || fold(w, "unknown")
	case 'v':
		begins = fold(w, "violat")
	case 'w':
		begins = fold(w, "warning") || len(w) == 4 && fold(w, "warn")
	}
	return begins || alarmEnd(w)
}

// alarmEnd reports whether a word ends in a telling one that begins in upper
// case: ValueError, NullPointerException, buildFailed.
func alarmEnd(w []byte) bool {
	if len(w) <= 5 {
		return false
	}
	switch w[len(w)-1] | 0x20 {
	case 'r':
		return string(w[len(w)-5:]) == "Error"
	case 'n':
		return len(w) > 9 && string(w[len(w)-9:]) == "Exception"
	case 'd':
		return len(w) > 6 && string(w[len(w)-6:]) == "Failed"
	case 'e':
		return len(w) > 7 && string(w[len(w)-7:]) == "Failure"
	}
	return false
}

// fold reports whether w begins with the lower-case s, in any case.
func fold(w []byte, s string) bool {
	if len(w) < len(s) {
		return false
	}
	for i := range len(s) {
		if w[i]|0x20 != s[i] {
			return false
		}
	}
	return true
}

// nothing reports whether the word at b[start:end] is counted as none.
func nothing(b []byte, start, end int) bool {
	before := b[:start]
	for len(before) > 0 && before[len(before)-1] == ' ' {
		before = before[:len(before)-1]
	}
	if n := len(before); n > 0 && len(before) < start {
		if before[n-1] == '0' && (n == 1 || bytes.IndexByte([]byte(" (,[;|"), before[n-2]) >= 0) {
			return true
		}
		if ends(before, " no") || ends(before, " without") || len(before) == 2 && (has(before, "no") || has(before, "No")) {
			return true
		}
	}
	after := b[end:]
	for len(after) > 0 && (after[0] == ':' || after[0] == '=' || after[0] == ' ' || after[0] == '(' || after[0] == '"') {
		if len(after) > 1 && after[1] == '0' && after[0] != ' ' && (len(after) == 2 || !digit(after[2]) && after[2] != '.' && after[2] != 'x') {
			return true
		}
		if after[0] == ':' && len(after) > 2 && after[1] == ' ' && after[2] == '0' && (len(after) == 3 || bytes.IndexByte([]byte(",;)]}"), after[3]) >= 0) {
			return true
		}
		after = after[1:]
	}
	return false
}

// skeleton hashes what stays of a line when numbers, hexadecimal words and
// bars are taken out: lines of one kind have one (FNV-1a, 64 bits).
func skeleton(b []byte) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case digit(c) || c >= 'a' && c <= 'f' && hexWord(b, i):
			for i < len(b) && (digit(b[i]) || b[i] >= 'a' && b[i] <= 'f' || b[i] == '.' || b[i] == '_') {
				i++
			}
			h = (h ^ '#') * prime
			continue
		case c == ' ' || c == '=' || c == '#' || c == '>' || c == '-' || c == '|':
			for i+1 < len(b) && b[i+1] == c {
				i++
			}
			if c == '=' || c == '#' || c == '>' || c == '-' {
				i++
				continue
			}
		case c >= utf8.RuneSelf && hasAny(b[i:], "█", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "━", "╸", "╺", "░", "⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"):
			i += 3
			continue
		}
		h = (h ^ uint64(c)) * prime
		i++
	}
	return h
}

// hexWord reports whether a word of at least six hexadecimal digits, one of
// them a decimal one, begins at b[i].
func hexWord(b []byte, i int) bool {
	if i > 0 && (letter(b[i-1]) || digit(b[i-1])) {
		return false
	}
	n, digits := 0, 0
	for ; i < len(b) && (digit(b[i]) || b[i] >= 'a' && b[i] <= 'f'); i++ {
		n++
		if digit(b[i]) {
			digits++
		}
	}
	return n >= 6 && digits > 0 && (i == len(b) || !letter(b[i]))
}

// underlining reports whether a line only underlines a part of the line above,
// as Python's tracebacks do. One sign alone points at a place that may be told
// nowhere else.
func underlining(b []byte) bool {
	t := trim(b)
	return len(t) > 1 && len(t) < len(b) && len(bytes.Trim(t, "^~")) == 0
}

// progressing reports whether a line says only how far something has come:
// a share in percent beside a bar or after a verb in -ing, such a verb before an
// ellipsis, or one before a counter. A row of a table that has a share in a
// column is not like that.
func progressing(b []byte) bool {
	t := trim(b)
	if len(t) == 0 {
		return false
	}
	if i := bytes.IndexByte(t, '%'); i > 0 && digit(t[i-1]) && moved(t, i) {
		return true
	}
	if ends(t, "...") || ends(t, "…") {
		return doing(t)
	}
	return counting(t)
}

// doing reports whether the first word of a line, or the second after a name
// with a colon, is a verb in -ing.
func doing(t []byte) bool {
	first, rest, _ := bytes.Cut(t, []byte(" "))
	if ends(first, ":") && !ends(first, "ing:") {
		first, _, _ = bytes.Cut(rest, []byte(" "))
	}
	return ends(bytes.TrimRight(first, ".:…"), "ing")
}

// moved reports whether the share before t[i], a "%", is one of something that
// goes on.
func moved(t []byte, i int) bool {
	for _, bar := range [...]string{"[=", "[#", "[>", "[.", "==", "##", "█", "━", "....", "%|"} {
		if contains(t, bar) {
			return true
		}
	}
	if doing(t) || digit(t[0]) && contains(t, "/s") {
		return true
	}
	if i > 6 {
		return fold(t, "progress")
	}
	switch from, rest := bytes.TrimLeft(t[:i], "[( 0123456789."), trimLeft(t[i+1:]); {
	case len(from) > 0:
		return false
	case t[0] == '[' || t[0] == '(', len(rest) == 0, rest[0] == '[' || rest[0] == '(':
		return true
	default:
		return hasAny(rest, "done", "complete", "of ", "Complete", "Done")
	}
}

// share reads a share in percent at the end of a short line: what stands before
// it, and the share.
func share(b []byte) (before []byte, v float64, ok bool) {
	t := trim(b)
	if len(t) > 60 || !ends(t, "%") {
		return nil, 0, false
	}
	i := len(t) - 1
	for i > 0 && (digit(t[i-1]) || t[i-1] == '.') {
		i--
	}
	v, n := decimal(t[i:])
	return t[:i], v, n > 0 && i > 0
}

// counting reports whether a line begins with a verb in -ing and a counter:
// "transforming (12) src/a.ts", "Fetching 3/60 …", "Copying 3 of 60".
func counting(t []byte) bool {
	i := bytes.IndexByte(t, ' ')
	if i < 6 || !ends(t[:i], "ing") {
		return false
	}
	rest := t[i+1:]
	open := byte(0)
	if len(rest) > 1 && (rest[0] == '(' || rest[0] == '[') {
		open, rest = rest[0], rest[1:]
	}
	_, n := number(rest)
	if n == 0 || n == len(rest) {
		return false
	}
	switch rest[n] {
	case ')', ']':
		return open != 0
	case '/':
		_, m := number(rest[n+1:])
		return m > 0
	}
	return has(rest[n:], " of ")
}
