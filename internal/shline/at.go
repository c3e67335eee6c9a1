package shline

import "unicode/utf8"

// Lexer reads lines under settings of the shell that change its grammar.
type Lexer struct {
	Dialect Dialect
	// Comments says that # begins a comment at the start of a word: always in
	// fish, in interactive bash by default, in interactive zsh not unless
	// INTERACTIVE_COMMENTS is set.
	Comments bool
}

// At finds the simple command under the cursor of an interactive line with the
// shell's default settings. Point is a byte offset; past the end it clamps,
// inside a rune it rounds down. The time is linear in the line.
func At(d Dialect, line string, point int) Context {
	return Lexer{Dialect: d, Comments: d != Zsh}.At(line, point)
}

// At is the function At under the lexer's settings.
func (l Lexer) At(line string, point int) Context {
	point = clamp(line, point)
	s := newScanner(l.Dialect, line, l.Comments)
	s.run(point)

	k := s.command()
	f := &s.frames[k]
	c := Context{Depth: s.subs, Start: f.start}
	if c.Start < 0 {
		c.Start = point
	}
	left := s.cutWord(k)
	c.Place = s.place(f)
	s.collect(&c, f.items, &c.Words)
	if c.Place == Data {
		c.Cursor = Word{Start: point, End: point}
		return c
	}
	c.Cursor = left
	if c.Place == AssignValue && f.inWord && f.eq >= 0 && f.kind != frameArray {
		c.Cursor = s.valueOf(left, f)
	}
	redirect := Redirect{Op: f.op, FD: f.fd, Start: f.opStart}

	f.op = "" // what follows a gap is not the target
	before := len(s.items)
	s.stop, s.cut = k, len(s.segs)
	s.cursor, s.point, s.at, s.nameStart = f.inWord, point, c.Place, s.varStart
	s.run(len(line))
	if !s.done {
		s.unwind(k)
	}
	c.Suffix, c.SuffixText = line[point:max(s.suffixEnd, point)], s.suffix
	if c.Place == RedirectTarget {
		redirect.Target = c.Cursor
		redirect.Target.End += len(c.Suffix)
		redirect.Target.Raw += c.Suffix
		redirect.Target.Text += c.SuffixText
		c.Redirects = append(c.Redirects, redirect)
	}
	s.collect(&c, before, &c.After)
	if c.Place == Variable {
		s.variableAt(&c)
	}
	return c
}

// collect sorts the items from the index on into the context; plain words go
// to words.
func (s *scanner) collect(c *Context, from int, words *[]Word) {
	for _, it := range s.items[from:] {
		switch it.role {
		case roleWord:
			*words = append(*words, s.word(it))
		case roleAssign:
			c.Assigns = append(c.Assigns, s.word(it))
		case roleTarget:
			c.Redirects = append(c.Redirects, Redirect{Op: it.op, FD: it.fd, Target: s.word(it), Start: it.opStart})
		}
	}
}

// clamp moves the point into the line and off the inside of a rune.
func clamp(line string, point int) int {
	if point >= len(line) {
		return len(line)
	}
	if point <= 0 {
		return 0
	}
	for k := point; k > 0 && k > point-utf8.UTFMax; k-- {
		if !utf8.RuneStart(line[k]) {
			continue
		}
		if r, n := utf8.DecodeRuneInString(line[k:]); r != utf8.RuneError && k+n > point {
			return k
		}
		break
	}
	return point
}

// cutWord returns the left part of the word under the cursor in the command
// frame k, empty between words.
func (s *scanner) cutWord(k int) Word {
	f := &s.frames[k]
	if !f.inWord {
		return Word{Start: s.i, End: s.i}
	}
	n := len(s.segs)
	if from := s.openLive(k); from >= 0 {
		s.segs = append(s.segs, seg{start: from, end: s.i, kind: segLive})
	}
	w := s.makeWord(f.wordStart, s.i, f.wordSegs, len(s.segs))
	s.segs = s.segs[:n]
	w.Escape = s.escape
	if k+1 < len(s.frames) {
		switch s.frames[k+1].kind {
		case frameSingle:
			w.Open = Single
		case frameDouble:
			w.Open = Double
		case frameANSI:
			w.Open = ANSI
		}
	}
	return w
}

// openLive returns where the unfinished expansion in the word of the command
// frame k begins, or -1.
func (s *scanner) openLive(k int) int {
	for _, f := range s.frames[k+1:] {
		if !f.kind.isQuote() && f.kind < frameComment && f.kind != frameSub {
			return f.from
		}
	}
	return -1
}

// place says what kind of thing stands at the cursor.
func (s *scanner) place(f *frame) Place {
	top := s.top()
	switch {
	case top.kind >= frameComment:
		return Data
	case s.varEnd == s.i && top.kind != frameSingle && top.kind != frameANSI && !s.escape && s.varStart > 0:
		return Variable
	case top.kind == frameParam || top.kind == frameArith || top.kind == frameGroup:
		return Data
	case f.op == "<<" || f.op == "<<-":
		if s.d != Fish {
			return Data
		}
		return RedirectTarget
	case f.op != "":
		return RedirectTarget
	case f.kind == frameArray:
		return AssignValue
	case f.mode == modePattern:
		return Data
	case f.args:
		return Argument
	case f.inWord && f.eq >= 0:
		return AssignValue
	}
	return CommandWord
}

// valueOf returns the part of the word after the = of an assignment.
func (s *scanner) valueOf(w Word, f *frame) Word {
	from := f.eq
	lo := f.wordSegs
	for lo < len(s.segs) && s.segs[lo].end <= from {
		lo++
	}
	if lo < len(s.segs) && s.segs[lo].start < from {
		s.segs[lo].start = from
	}
	v := s.makeWord(from, w.End, lo, len(s.segs))
	v.Open, v.Escape = w.Open, w.Escape
	return v
}

// atCursor finishes the word under the cursor, whatever it would be to its
// command: what is right of the cursor is the suffix.
func (s *scanner) atCursor(f *frame) {
	s.cursor = false
	s.suffixEnd = s.i
	for k := s.cut; k < len(s.segs); k++ {
		s.segs[k].start = max(s.segs[k].start, s.point)
	}
	if s.cut < len(s.segs) {
		s.suffix = s.text(s.cut, len(s.segs))
	}
	f.inWord, f.op = false, ""
	f.args = f.args || s.at == CommandWord || s.at == Variable && f.eq < 0
	f.wordSegs = len(s.segs)
}

// unwind ends the scan at the end of a line that leaves things open in the
// command of frame k.
func (s *scanner) unwind(k int) {
	if from := s.openLive(k); from >= 0 {
		n := len(s.segs)
		for _, f := range s.frames[k+1:] {
			if f.kind.holdsCommands() {
				n = f.segs
				s.items = s.items[:f.items]
				break
			}
		}
		s.segs = append(s.segs[:n], seg{start: from, end: s.i, kind: segLive})
	}
	s.frames = s.frames[:k+1]
	s.endWord(s.top())
}

// variableAt makes the name after the $ the cursor's word.
func (s *scanner) variableAt(c *Context) {
	end := s.point
	for end < len(s.line) && isName(s.line[end]) {
		end++
	}
	name := s.line[s.nameStart:s.point]
	c.Cursor = Word{Start: s.nameStart, End: s.point, Raw: name, Text: name}
	c.Suffix = s.line[s.point:end]
	c.SuffixText = c.Suffix
}
