package shline

import "strings"

// reserved handles a word in command position that is the shell's own and not
// a command, and reports whether it was one. Words such as "for" stay the
// first word of their command; the words after them are not commands.
func (s *scanner) reserved(f *frame, raw string, it item) bool {
	if s.d == Zsh && strings.HasPrefix(raw, "((") && strings.HasSuffix(raw, "))") {
		s.drop(f) // if ((…)) { COMMAND
		return true
	}
	if it.segHi != it.segLo+1 || len(raw) > 8 {
		return false // quoted, or longer than any
	}
	if s.d == Fish {
		return s.fishReserved(f, raw, it)
	}
	if f.time && raw[0] == '-' {
		s.drop(f)
		return true
	}
	f.time = false
	switch raw {
	case "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "{", "}", "!", "coproc":
		s.drop(f)
	case "time":
		f.time = true
		s.drop(f)
	case "esac":
		if f.cases > 0 {
			f.cases--
		}
		s.drop(f)
	case "for", "case", "select", "function", "foreach", "repeat":
		if s.d == Bash && (raw == "foreach" || raw == "repeat") {
			return false
		}
		f.args, f.mode = true, modeHead
		s.keep(f, it)
	case "[[":
		f.args, f.mode = true, modeTest
		s.keep(f, it)
	case "noglob", "nocorrect", "-", "always":
		if s.d != Zsh {
			return false
		}
		s.drop(f)
	default:
		return false
	}
	return true
}

// head handles the words after for, case, select, function.
func (s *scanner) head(f *frame, it item) {
	s.keep(f, it)
	if s.d == Fish {
		return
	}
	first := s.items[f.items]
	words := len(s.items) - f.items
	switch s.line[first.start:first.end] {
	case "case":
		if word := s.line[it.start:it.end]; words > 2 && (word == "in" || word == "{" && s.d == Zsh) {
			f.cases++
			f.mode = modeNormal
			s.endCommand(f, "in")
			f.mode = modePattern
		}
	case "for", "select", "foreach":
		// for ((…)) COMMAND, and in zsh for x (a b) COMMAND: no word separates them.
		if words > 1 && s.line[it.start] == '(' {
			f.mode = modeNormal
			s.endCommand(f, "in")
		}
	case "function", "repeat":
		if words == 2 {
			f.mode = modeNormal
			s.endCommand(f, "()")
		}
	}
}
