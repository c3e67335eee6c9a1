package shline

import "strings"

// This file reads what lies inside a word: quotes, expansions, patterns; and
// comments and the bodies of here-documents.

// single reads '…'. In fish a backslash quotes a quote or itself there.
func (s *scanner) single(f *frame) {
	from := s.i
	for s.i < s.end {
		c := s.line[s.i]
		switch {
		case c == '\'':
			s.emit(f, segQuoted, from, s.i)
			s.closeQuote(f)
			return
		case c == '\\' && s.d == Fish:
			s.emit(f, segQuoted, from, s.i)
			s.backslash(f)
			return
		case c == '`' && s.ticks > 0:
			s.emit(f, segQuoted, from, s.i)
			return
		}
		s.i++
	}
	s.emit(f, segQuoted, from, s.i)
}

func (s *scanner) closeQuote(f *frame) {
	s.emit(f, segMark, s.i, s.i+1)
	s.i++
	s.pop()
}

// ansi reads $'…' of bash and zsh; its escapes are decoded later.
func (s *scanner) ansi(f *frame) {
	from := s.i
	for s.i < s.end {
		switch c := s.line[s.i]; {
		case c == '\'':
			s.emit(f, segANSI, from, s.i)
			s.closeQuote(f)
			return
		case c == '`' && s.ticks > 0:
			s.emit(f, segANSI, from, s.i)
			return
		case c == '\\' && s.i+1 == s.end:
			s.emit(f, segANSI, from, s.i)
			s.backslash(f)
			return
		case c == '\\':
			s.i++
		}
		s.i++
	}
	s.emit(f, segANSI, from, s.i)
}

// double reads "…".
func (s *scanner) double(f *frame) {
	from := s.i
	for s.i < s.end {
		switch c := s.line[s.i]; c {
		case '"', '\\', '$', '`':
			s.emit(f, segQuoted, from, s.i)
			switch {
			case c == '"':
				s.closeQuote(f)
			case c == '\\':
				s.backslash(f)
			case c == '$':
				s.dollar(f)
			case s.d == Fish:
				s.emit(f, segQuoted, s.i, s.i+1)
				s.i++
			case s.ticks == 0:
				s.openTick(f)
			}
			return
		}
		s.i++
	}
	s.emit(f, segQuoted, from, s.i)
}

// backslash reads a backslash and what it quotes in a frame that is a
// command's or a quote.
func (s *scanner) backslash(f *frame) {
	if s.i+1 == s.end {
		s.emit(f, segEscape, s.i, s.i+1)
		s.i++
		s.escape = true
		return
	}
	c := s.line[s.i+1]
	if !s.quotes(f.kind, c) {
		s.emit(f, segQuoted, s.i, s.i+1)
		s.i++
		return
	}
	n := 2
	if s.d == Fish && !f.kind.isQuote() {
		n = fishEscapeLen(s.line[s.i:s.end])
	}
	kind := segEscape
	if c == '\n' && (s.d != Fish || f.kind != frameSingle) {
		kind = segMark
	}
	s.emit(f, kind, s.i, s.i+n)
	s.i += n
}

// quotes reports whether a backslash before c quotes it in the kind of frame.
func (s *scanner) quotes(kind frameKind, c byte) bool {
	switch {
	case kind == frameSingle:
		return s.d == Fish && (c == '\'' || c == '\\')
	case kind != frameDouble:
		return true
	case c == '`':
		return s.d != Fish
	}
	return c == '"' || c == '$' || c == '\\' || c == '\n'
}

// finishEscape goes on after a scan that ended on a backslash.
func (s *scanner) finishEscape(f *frame) {
	c := s.line[s.i]
	switch {
	case f.kind == frameANSI:
		s.emit(f, segANSI, s.i, s.i+1)
	case !f.kind.holdsCommands() && !f.kind.isQuote():
	case s.quotes(f.kind, c):
		if c != '\n' {
			s.emit(f, segQuoted, s.i, s.i+1)
		}
	default:
		return // the backslash was itself; c is read as usual
	}
	s.i++
}

// dollar reads what a $ begins.
func (s *scanner) dollar(f *frame) {
	inQuote := f.kind == frameDouble
	next := s.byteAt(1)
	switch {
	case next == '(' && s.d != Fish && s.byteAt(2) == '(':
		s.enter(frameArith, 3)
	case next == '(':
		s.enter(frameCommand, 2)
	case next == '{' && s.d != Fish:
		s.enter(frameParam, 2)
		s.name(s.i)
	case next == '\'' && !inQuote && s.d != Fish && f.kind != frameArith:
		s.emit(f, segMark, s.i, s.i+2)
		s.push(frameANSI, s.i)
		s.i += 2
	case next == '"' && !inQuote && s.d == Bash:
		s.emit(f, segMark, s.i, s.i+2)
		s.push(frameDouble, s.i)
		s.i += 2
	default:
		s.variable(f)
	}
}

// enter opens a frame of an expansion whose opening is n bytes long.
func (s *scanner) enter(kind frameKind, n int) {
	s.push(kind, s.i)
	s.i += n
}

// name reads a variable's name at the offset from and remembers where it is.
func (s *scanner) name(from int) {
	s.varStart = from
	for s.i = from; s.i < s.end && isName(s.line[s.i]); {
		s.i++
	}
	s.varEnd = s.i
}

// variable reads $name, $1, $?; a $ before anything else is itself.
func (s *scanner) variable(f *frame) {
	from := s.i
	k := s.i + 1
	if s.d == Fish {
		for k < s.end && s.line[k] == '$' {
			k++
		}
	} else if s.d == Zsh {
		for k+1 < s.end && strings.IndexByte("=~^+#", s.line[k]) >= 0 && isName(s.line[k+1]) {
			k++
		}
	}
	s.name(k)
	switch {
	case s.i > k:
		if isDigit(s.line[k]) && s.d == Bash {
			s.i = k + 1
		}
	case s.d != Fish && s.i < s.end && strings.IndexByte("?$!#*@-", s.line[s.i]) >= 0:
		s.i++
	case s.i > from+1:
	default:
		kind := segPlain
		if f.kind == frameDouble {
			kind = segQuoted
		}
		s.emit(f, kind, from, s.i)
		return
	}
	s.emit(f, segLive, from, s.i)
	if s.d != Bash && s.i < s.end && s.line[s.i] == '[' && (s.d == Fish || f.kind != frameDouble) {
		s.enter(frameGroup, 1)
	}
}

func (s *scanner) openTick(*frame) { s.enter(frameTick, 1) }

// closeTick ends the innermost backtick substitution and all that is open in
// it: the shells look for the closing backtick before anything else.
func (s *scanner) closeTick() {
	for {
		f := s.top()
		if f.kind == frameTick {
			s.shut(f)
			return
		}
		if f.kind.holdsCommands() {
			s.endCommand(f, "")
		}
		if s.done {
			return
		}
		s.pop()
	}
}

// nested reads the inside of ${…}, $((…)) and pattern groups: only its end and
// what it nests matter.
func (s *scanner) nested(f *frame) {
	for s.i < s.end {
		switch c := s.line[s.i]; c {
		case '\\':
			s.i++
			if s.i == s.end {
				s.escape = true
				return
			}
		case '$':
			s.dollar(f)
			return
		case '"':
			s.push(frameDouble, s.i)
			s.i++
			return
		case '\'':
			if f.kind == frameArith || f.kind == frameParam && s.inDouble() {
				break
			}
			s.push(frameSingle, s.i)
			s.i++
			return
		case '`':
			if s.ticks == 0 && s.d != Fish {
				s.openTick(f)
			} else if s.ticks == 0 {
				s.i++
			}
			return
		case '(', ')', '{', '}', '[', ']':
			if s.bracket(f, c) {
				return
			}
		}
		s.i++
	}
}

// inDouble reports whether the frame below the top one is a double quote.
func (s *scanner) inDouble() bool { return s.frames[len(s.frames)-2].kind == frameDouble }

// bracket counts a bracket inside a nested frame and reports whether it closed
// the frame or opened another.
func (s *scanner) bracket(f *frame, c byte) bool {
	open, shut := byte('('), byte(')')
	switch {
	case f.kind == frameParam:
		open, shut = 0, '}'
	case f.kind == frameGroup && s.line[f.from] == '[':
		open, shut = '[', ']'
		if c == '(' && s.d == Fish {
			s.enter(frameCommand, 1)
			return true
		}
	}
	switch c {
	case open:
		f.depth++
	case shut:
		if f.depth > 0 {
			f.depth--
			return false
		}
		s.i++
		if f.kind == frameArith && s.i < s.end && s.line[s.i] == ')' {
			s.i++
		}
		s.pop()
		return true
	}
	return false
}

// comment reads to the end of the line, which is not part of the comment.
func (s *scanner) comment() {
	rest := s.line[s.i:s.end]
	k := strings.IndexByte(rest, '\n')
	if k < 0 {
		s.i = s.end
		return
	}
	s.i += k
	s.pop()
}

// hereBody reads one line of the body of the first pending here-document.
func (s *scanner) hereBody() {
	rest := s.line[s.i:s.end]
	k := strings.IndexByte(rest, '\n')
	text := rest
	if k >= 0 {
		text = rest[:k]
	}
	doc := s.docs[0]
	if doc.tabs {
		text = strings.TrimLeft(text, "\t")
	}
	last := text == doc.delim
	if k < 0 {
		s.i = s.end
		if s.sink == nil {
			return // at a cursor the line may go on
		}
	} else {
		s.i += k + 1
	}
	if last {
		s.docs = s.docs[1:]
		if len(s.docs) == 0 {
			s.pop()
		}
	}
}
