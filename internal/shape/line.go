package shape

import "strings"

// Words splits a command line into the words of its simple commands, as a POSIX
// shell does without expanding anything. Redirections are left out; pipes says
// for each command but the last whether its output goes into the next.
func Words(s string) (commands [][]string, pipes []bool) {
	var words []string
	var w strings.Builder
	open := false // a word has begun
	word := func() {
		if open {
			words = append(words, w.String())
		}
		w.Reset()
		open = false
	}
	next := func(pipe bool) {
		word()
		if len(words) > 0 {
			commands, pipes = append(commands, words), append(pipes, pipe)
		}
		words = nil
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			w.WriteByte(s[i])
			open = true
		case c == '\'':
			j := strings.IndexByte(s[i+1:], '\'')
			if j < 0 {
				j = len(s) - i - 1
			}
			w.WriteString(s[i+1 : i+1+j])
			open = true
			i += j + 1
		case c == '"':
			open = true
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\"\\$`", s[i+1]) >= 0 {
					i++
				}
				w.WriteByte(s[i])
			}
		case c == ' ' || c == '\t':
			word()
		case c == '\n' || c == ';' || c == '(' || c == ')':
			next(false)
		case c == '&' && i+1 < len(s) && s[i+1] == '>', c == '>' || c == '<':
			fd := w.String()
			if open && strings.Trim(fd, "0123456789") == "" {
				w.Reset()
				open = false
			}
			word()
			for i++; i < len(s) && strings.IndexByte("><&|", s[i]) >= 0; i++ {
			}
			for ; i < len(s) && s[i] == ' '; i++ {
			}
			for ; i < len(s) && strings.IndexByte(" \t\n;&|()", s[i]) < 0; i++ {
			}
			i--
		case c == '&':
			if i+1 < len(s) && s[i+1] == '&' {
				i++
			}
			next(false)
		case c == '|':
			pipe := true
			if i+1 < len(s) && (s[i+1] == '|' || s[i+1] == '&') {
				pipe = s[i+1] == '&'
				i++
			}
			next(pipe)
		default:
			w.WriteByte(c)
			open = true
		}
	}
	next(false)
	if len(pipes) > 0 {
		pipes = pipes[:len(pipes)-1]
	}
	return commands, pipes
}
