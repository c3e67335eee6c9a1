package shline

import "strings"

// posixList reads one token's worth of bytes where commands stand, for bash,
// POSIX shells and zsh.
func (s *scanner) posixList(f *frame) {
	c := s.line[s.i]
	switch c {
	case ' ', '\t', '\r':
		s.endWord(f)
		s.i++
	case '\n':
		s.newline(f)
	case '\'', '"':
		s.openQuote(f, c)
	case '\\':
		if !f.inWord && s.byteAt(1) == '\n' {
			s.i += 2
			return
		}
		s.begin(f)
		s.backslash(f)
	case '$':
		s.begin(f)
		s.dollar(f)
	case '`':
		if f.kind == frameTick {
			s.shut(f)
			return
		}
		s.begin(f)
		s.openTick(f)
	case '<', '>':
		s.redirect(f)
	case '|', '&', ';':
		s.operator(f, c)
	case '(':
		s.openParen(f)
	case ')':
		s.closeParen(f)
	case '#':
		if !f.inWord && s.comments {
			s.push(frameComment, s.i)
			return
		}
		s.plain(f)
	case '~':
		s.tilde(f)
	case '*', '?', '[', '@', '+', '!':
		s.pattern(f, c)
	case '=':
		s.assign(f)
	default:
		s.plain(f)
	}
}

func (s *scanner) openQuote(f *frame, c byte) {
	s.begin(f)
	kind := frameSingle
	if c == '"' {
		kind = frameDouble
	}
	s.add(segMark, s.i, s.i+1)
	s.push(kind, s.i)
	s.i++
}

// plain reads a run of bytes that mean nothing to the shell.
func (s *scanner) plain(f *frame) {
	s.begin(f)
	from := s.i
	s.i++
	for s.i < s.end && isPlain(s.line[s.i]) && (s.d != Fish || s.line[s.i] < 0xe1 || s.line[s.i] > 0xe3) {
		s.i++
	}
	s.add(segPlain, from, s.i)
}

// isPlain reports whether the byte ends no run of plain ones in any dialect.
func isPlain(c byte) bool {
	return isName(c) || c >= 0x80 || c == '/' || c == '-' || c == '.' || c == ',' || c == ':' || c == '%'
}

// newline ends a command; the bodies of pending here-documents follow.
func (s *scanner) newline(f *frame) {
	if f.mode == modeTest {
		s.endWord(f)
	} else if f.kind == frameArray || f.mode == modePattern {
		s.endWord(f)
	} else {
		s.endCommand(f, "\n")
		if s.done {
			return
		}
	}
	s.i++
	if len(s.docs) > 0 {
		s.push(frameHere, s.i)
	}
}

// operator reads | |& || && & ; ;; ;& ;;& and zsh's &| &! ;|, and &> &>>.
func (s *scanner) operator(f *frame, c byte) {
	next := s.byteAt(1)
	if c == '&' && next == '>' && (f.mode != modePattern) {
		s.endWord(f)
		s.redirectOp(f, s.i, -1)
		return
	}
	n := 1
	switch {
	case next == c, c == '|' && next == '&', c == ';' && next == '&':
		n = 2
		if c == ';' && next == ';' && s.byteAt(2) == '&' {
			n = 3
		}
	case s.d == Zsh && (c == '&' && (next == '|' || next == '!') || c == ';' && next == '|'):
		n = 2
	}
	op := s.line[s.i : s.i+n]
	switch {
	case f.mode == modePattern && c == '|', f.mode == modeTest && c != ';', f.kind == frameArray:
		s.endWord(f)
	default:
		s.endCommand(f, op)
		if s.done {
			return
		}
		if c == ';' && n > 1 && f.cases > 0 {
			f.mode = modePattern
		}
	}
	s.i += n
}

// tilde reads a ~ where it is live: at the start of a word or of an
// assignment's value, or after a colon in one; with the name after it.
func (s *scanner) tilde(f *frame) {
	if f.inWord {
		before := s.line[s.i-1]
		if f.eq < 0 || s.i != f.eq && before != ':' || f.args && s.d == Zsh {
			s.plain(f)
			return
		}
	}
	k := s.i + 1
	for k < s.end && (isName(s.line[k]) || s.line[k] == '-' || s.line[k] == '+' || s.line[k] == '.') {
		k++
	}
	if k < s.end && strings.IndexByte("/ \t\r\n|&;<>():", s.line[k]) < 0 {
		s.plain(f) // a quote or anything else in the name keeps ~ from being one
		return
	}
	s.begin(f)
	s.add(segTilde, s.i, k)
	s.i = k
}

// pattern reads a character that may be one of a pattern, or begin a group.
func (s *scanner) pattern(f *frame, c byte) {
	s.begin(f)
	kind := segGlob
	if c == '@' || c == '+' || c == '!' {
		kind = segPlain
	}
	if s.byteAt(1) == '(' && c != '[' {
		s.add(kind, s.i, s.i+1)
		s.i++
		s.enter(frameGroup, 1)
		return
	}
	if c == '[' && s.subscript(f) {
		return
	}
	s.add(kind, s.i, s.i+1)
	s.i++
}

// subscript reads the [..] of an assignment a[1]=x, so that its = is seen.
func (s *scanner) subscript(f *frame) bool {
	if f.args || f.op != "" || f.wordStart == s.i || !validName(s.line[f.wordStart:s.i]) {
		return false
	}
	for k := s.i + 1; k < s.end && k < s.i+256; k++ {
		switch s.line[k] {
		case ']':
			if k+1 < s.end && (s.line[k+1] == '=' || s.line[k+1] == '+' && k+2 < s.end && s.line[k+2] == '=') {
				s.add(segPlain, s.i, k+1)
				s.i = k + 1
				return true
			}
			return false
		case ' ', '\t', '\n', ';', '|', '&':
			return false
		}
	}
	return false
}

// assign reads an =: it makes NAME= an assignment before the command word;
// what follows it in an argument may be an array and, in bash, a live ~.
func (s *scanner) assign(f *frame) {
	fresh := !f.inWord
	s.begin(f)
	if s.d == Zsh && fresh && s.byteAt(1) == '(' {
		s.push(frameProcess, s.i)
		s.i += 2
		return
	}
	if f.eq < 0 && f.op == "" && f.kind != frameArray {
		name := strings.TrimSuffix(s.line[f.wordStart:s.i], "+")
		if k := strings.IndexByte(name, '['); k > 0 && strings.HasSuffix(name, "]") {
			name = name[:k]
		}
		if len(name) < 1024 && validName(name) {
			f.eq = s.i + 1
		}
	}
	s.add(segPlain, s.i, s.i+1)
	s.i++
}

func validName(s string) bool {
	if s == "" || isDigit(s[0]) {
		return false
	}
	for k := 0; k < len(s); k++ {
		if !isName(s[k]) {
			return false
		}
	}
	return true
}

// openParen reads a ( where commands stand.
func (s *scanner) openParen(f *frame) {
	switch {
	case f.mode == modePattern || f.mode == modeTest:
		s.endWord(f)
		s.i++
	case f.inWord && f.eq == s.i:
		s.push(frameArray, s.i)
		s.i++
	case s.definesFunction(f):
	case s.d == Zsh && (f.inWord || f.args || f.op != ""):
		s.begin(f)
		s.enter(frameGroup, 1)
	case s.byteAt(1) == '(' && (!f.args || s.isFor(f)) && !f.inWord:
		s.begin(f)
		s.enter(frameArith, 2)
	default:
		s.endCommand(f, "(")
		if s.done {
			return
		}
		s.push(frameSub, s.i)
		s.i++
	}
}

// isFor reports whether the command so far is the word "for" alone.
func (s *scanner) isFor(f *frame) bool {
	return f.mode == modeHead && len(s.items) == f.items+1
}

// definesFunction reads the () of name () and makes the body a new command.
func (s *scanner) definesFunction(f *frame) bool {
	words := len(s.items) - f.items
	if f.inWord {
		words++
	}
	if words != 1 || f.op != "" {
		return false
	}
	k := s.i + 1
	for k < s.end && (s.line[k] == ' ' || s.line[k] == '\t') {
		k++
	}
	if k >= s.end || s.line[k] != ')' {
		return false
	}
	s.endCommand(f, "()")
	if !s.done {
		s.i = k + 1
	}
	return true
}

func (s *scanner) closeParen(f *frame) {
	switch {
	case f.mode == modePattern:
		s.endWord(f)
		f.mode = modeNormal
		s.endCommand(f, ")")
		if !s.done {
			s.i++
		}
	case f.mode == modeTest:
		s.endWord(f)
		s.i++
	case f.kind == frameTop || f.kind == frameTick:
		s.endCommand(f, ")") // one too many
		if !s.done {
			s.i++
		}
	default:
		s.shut(f)
	}
}

// redirect reads < and > with what belongs to them: numbers and {name} before,
// process substitutions after.
func (s *scanner) redirect(f *frame) {
	next := s.byteAt(1)
	if f.mode == modeTest {
		s.endWord(f)
		s.i++
		return
	}
	if next == '(' {
		s.begin(f)
		s.push(frameProcess, s.i)
		s.i += 2
		return
	}
	start, fd := s.i, -1
	if f.inWord && len(s.segs) == f.wordSegs+1 && s.segs[f.wordSegs].kind == segPlain {
		raw := s.line[f.wordStart:s.i]
		if n, ok := fdNumber(raw); ok || raw[0] == '{' && raw[len(raw)-1] == '}' && validName(raw[1:len(raw)-1]) {
			start, fd = f.wordStart, n
			f.inWord = false
			s.cursor = s.cursor && len(s.frames)-1 != s.stop
			s.drop(f)
		}
	}
	s.endWord(f)
	s.redirectOp(f, start, fd)
}

// fdNumber reads a file descriptor's number; n is -1 if it is none.
func fdNumber(raw string) (n int, ok bool) {
	if raw == "" || len(raw) > 6 {
		return -1, false
	}
	for k := 0; k < len(raw); k++ {
		if !isDigit(raw[k]) {
			return -1, false
		}
		n = n*10 + int(raw[k]-'0')
	}
	return n, true
}

// redirectOp reads a redirection operator at the current byte; the next word
// is its target.
func (s *scanner) redirectOp(f *frame, start, fd int) {
	rest := s.line[s.i:s.end]
	n := 1
	for _, op := range s.redirectOps() {
		if strings.HasPrefix(rest, op) {
			n = len(op)
			break
		}
	}
	if f.start < 0 {
		f.start = start
	}
	f.op, f.opStart, f.fd = rest[:n], start, fd
	s.i += n
}

// redirectOps lists the operators, longer ones before their beginnings.
func (s *scanner) redirectOps() []string {
	switch s.d {
	case Fish:
		return fishRedirects[:]
	case Zsh:
		return zshRedirects[:]
	}
	return bashRedirects[:]
}

var (
	bashRedirects = [...]string{"&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">"}
	zshRedirects  = [...]string{
		"&>>|", "&>>!", "&>>", "&>|", "&>!", "&>", "<<<", "<<-", "<<", "<&", "<>", "<",
		">>&|", ">>&!", ">>&", ">>|", ">>!", ">>", ">&|", ">&!", ">&", ">|", ">!", ">",
	}
	fishRedirects = [...]string{"&>>", "&>", "<&", "<?", "<", ">>", ">&", ">?", ">"}
)
