package shape

import "strings"

// Words splits a command line into the words of its simple commands, as a POSIX
// shell does without expanding anything. Redirections are left out; pipes says
// for each command but the last whether its output goes into the next.
func Words(s string) (commands [][]string, pipes []bool) {
	var w wordReader
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			w.put(s[i : i+1])
		case c == '\'':
			j := strings.IndexByte(s[i+1:], '\'')
			if j < 0 {
				j = len(s) - i - 1
			}
			w.put(s[i+1 : i+1+j])
			i += j + 1
		case c == '"':
			w.put("")
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\"\\$`", s[i+1]) >= 0 {
					i++
				}
				w.put(s[i : i+1])
			}
		case c == ' ' || c == '\t':
			w.end()
		case c == '\n' || c == ';' || c == '(' || c == ')':
			w.command(false)
		case c == '&' && i+1 < len(s) && s[i+1] == '>', c == '>' || c == '<':
			w.descriptor()
			i = redirection(s, i) - 1
		case c == '&':
			if i+1 < len(s) && s[i+1] == '&' {
				i++
			}
			w.command(false)
		case c == '|':
			pipe := true
			if i+1 < len(s) && (s[i+1] == '|' || s[i+1] == '&') {
				pipe = s[i+1] == '&'
				i++
			}
			w.command(pipe)
		default:
			w.put(s[i : i+1])
		}
	}
	w.command(false)
	if len(w.pipes) > 0 {
		w.pipes = w.pipes[:len(w.pipes)-1]
	}
	return w.commands, w.pipes
}

// wordReader collects the words of a line's commands.
type wordReader struct {
	commands [][]string
	pipes    []bool // whether each command is piped into the next
	words    []string
	word     strings.Builder
	open     bool // a word has begun, if only with a quote
}

func (r *wordReader) put(s string) {
	r.word.WriteString(s)
	r.open = true
}

// end ends a word.
func (r *wordReader) end() {
	if r.open {
		r.words = append(r.words, r.word.String())
	}
	r.word.Reset()
	r.open = false
}

// command ends a command.
func (r *wordReader) command(pipe bool) {
	r.end()
	if len(r.words) > 0 {
		r.commands, r.pipes = append(r.commands, r.words), append(r.pipes, pipe)
	}
	r.words = nil
}

// descriptor ends the word before a redirection, which is none if it is a number.
func (r *wordReader) descriptor() {
	if r.open && strings.Trim(r.word.String(), "0123456789") == "" {
		r.word.Reset()
		r.open = false
	}
	r.end()
}

// redirection returns the end of the redirection that begins at s[i].
func redirection(s string, i int) int {
	for i++; i < len(s) && strings.IndexByte("><&|", s[i]) >= 0; i++ {
	}
	for ; i < len(s) && s[i] == ' '; i++ {
	}
	for ; i < len(s) && strings.IndexByte(" \t\n;&|()", s[i]) < 0; i++ {
	}
	return i
}
