package git

import "strings"

// wildMatch matches a path against a pattern as git does for paths
// (gitignore(5)): "*" and "?" stop at a slash, "**" as a whole component
// spans any number of directories, brackets never match a slash. Only the last
// "*" and the last "**" are ever tried again, so hostile patterns stay
// polynomial.
func wildMatch(pattern, text string) bool {
	p, t := 0, 0
	starP, starT := -1, 0 // after the last "*", and where its match ends
	treeP, treeT := -1, 0 // after the last "**/", and where its match ends
	for {
		if p < len(pattern) && pattern[p] == '*' {
			end := p
			for end < len(pattern) && pattern[end] == '*' {
				end++
			}
			if after, ok := spansTree(pattern, p, end); ok {
				if after == len(pattern) && end == len(pattern) {
					return true
				}
				p, treeP, treeT, starP = after, after, t, -1
				continue
			}
			p, starP, starT = end, end, t
			continue
		}
		if p == len(pattern) && t == len(text) {
			return true
		}
		if p < len(pattern) && t < len(text) {
			if next, ok := matchOne(pattern, p, text[t]); ok {
				p, t = next, t+1
				continue
			}
		}
		switch {
		case starP >= 0 && starT < len(text) && text[starT] != '/':
			starT++
			p, t = starP, starT
		case treeP >= 0:
			slash := strings.IndexByte(text[treeT:], '/')
			if slash < 0 {
				return false
			}
			treeT += slash + 1
			p, t, starP = treeP, treeT, -1
		default:
			return false
		}
	}
}

// spansTree reports whether the stars pattern[p:end] are a "**" component and
// gives where the pattern goes on after it and its slash.
func spansTree(pattern string, p, end int) (after int, ok bool) {
	if end-p < 2 || p > 0 && pattern[p-1] != '/' {
		return 0, false
	}
	rest := pattern[end:]
	switch {
	case rest == "":
		return end, true
	case rest[0] == '/':
		return end + 1, true
	case strings.HasPrefix(rest, `\/`):
		return end + 2, true
	}
	return 0, false
}

// matchOne matches one byte against the pattern element at p, which is no
// star, and gives where the next element begins.
func matchOne(pattern string, p int, c byte) (next int, ok bool) {
	switch pattern[p] {
	case '?':
		return p + 1, c != '/'
	case '[':
		return matchClass(pattern, p+1, c)
	case '\\':
		if p+1 >= len(pattern) {
			return 0, false
		}
		return p + 2, pattern[p+1] == c
	}
	return p + 1, pattern[p] == c
}

// matchClass matches a bracket expression; p is after the "[".
func matchClass(pattern string, p int, c byte) (next int, ok bool) {
	negated := p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^')
	if negated {
		p++
	}
	matched := false
	previous := -1 // the byte a range may begin with
	for first := true; ; first = false {
		if p >= len(pattern) {
			return 0, false
		}
		b := pattern[p]
		if b == ']' && !first {
			p++
			break
		}
		switch {
		case b == '-' && previous >= 0 && p+1 < len(pattern) && pattern[p+1] != ']':
			p++
			high := pattern[p]
			if high == '\\' {
				if p++; p >= len(pattern) {
					return 0, false
				}
				high = pattern[p]
			}
			matched = matched || c >= byte(previous) && c <= high
			previous = -1
			p++
		case b == '[' && p+1 < len(pattern) && pattern[p+1] == ':':
			end := strings.IndexByte(pattern[p+2:], ']')
			if end < 0 {
				return 0, false
			}
			name, named := strings.CutSuffix(pattern[p+2:p+2+end], ":")
			if !named || name == "" && end == 0 {
				// No class after all: an ordinary bracket.
				matched = matched || c == '['
				previous = '['
				p++
				continue
			}
			in, known := inClass(name, c)
			if !known {
				return 0, false
			}
			matched = matched || in
			previous = -1
			p += 2 + end + 1
		default:
			if b == '\\' {
				if p++; p >= len(pattern) {
					return 0, false
				}
				b = pattern[p]
			}
			matched = matched || b == c
			previous = int(b)
			p++
		}
	}
	return p, matched != negated && c != '/'
}

// inClass evaluates a POSIX class over ASCII.
func inClass(name string, c byte) (in, known bool) {
	lower, upper, digit := c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
	alnum := lower || upper || digit
	switch name {
	case "alnum":
		return alnum, true
	case "alpha":
		return lower || upper, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < 0x20 || c == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return c > 0x20 && c < 0x7f, true
	case "lower":
		return lower, true
	case "print":
		return c >= 0x20 && c < 0x7f, true
	case "punct":
		return c > 0x20 && c < 0x7f && !alnum, true
	case "space":
		return c == ' ' || c >= '\t' && c <= '\r', true
	case "upper":
		return upper, true
	case "xdigit":
		return digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F', true
	}
	return false, false
}
