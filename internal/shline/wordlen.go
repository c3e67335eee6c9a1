package shline

import "strings"

// WordLen returns the length in bytes of the word at the start of s: up to one
// of the blanks outside quotes. A backslash takes the next byte into the word,
// but not within single quotes. Without a closing quote the word ends where s does.
func WordLen(s, blanks string) int {
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte(blanks, c) >= 0:
			return i
		}
	}
	return len(s)
}
