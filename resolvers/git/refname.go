package git

import "strings"

// refByte tells which bytes may stand in a ref name (git-check-ref-format(1)):
// no control bytes, blank, ~ ^ : ? * [ \ or DEL.
func refByte(c byte) bool {
	switch c {
	case ' ', '~', '^', ':', '?', '*', '[', '\\', 0x7f:
		return false
	}
	return c >= 0x20
}

// validRefName reports whether git takes name as a full ref name
// ("refs/heads/main") or, with a slash or without, as a part of one
// ("feature/x"). The rules are those of git-check-ref-format(1).
func validRefName(name string) bool {
	if len(name) == 0 || name[len(name)-1] == '.' || name[len(name)-1] == '/' || name == "@" {
		return false
	}
	previous := byte('/')
	start := 0
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c > '@' && c != '[' && c != '\\' && c != '^' && c != '{' && c != '~' && c != 0x7f:
		case c == '/':
			if previous == '/' || strings.HasSuffix(name[start:i], ".lock") {
				return false
			}
			start = i + 1
		case c == '.':
			if previous == '/' || previous == '.' {
				return false
			}
		case c == '{':
			if previous == '@' {
				return false
			}
		case !refByte(c):
			return false
		}
		previous = c
	}
	return !strings.HasSuffix(name[start:], ".lock")
}

// refPrefixPossible reports whether a valid ref name can begin with text. It
// keeps texts such as "../" from naming directories outside the refs.
func refPrefixPossible(text string) bool {
	if text == "" {
		return true
	}
	// Any end that a longer name would mend ("a.", "a/", "a.lock") is mended
	// by one more letter; a text that is still invalid can begin no name.
	return validRefName(text + "x")
}
