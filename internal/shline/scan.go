package shline

// The scanner reads a line byte by byte with an explicit stack of frames, so
// that nesting costs memory and never the goroutine's stack. It can stop at
// any byte (the cursor) and go on from there: everything it knows is in the
// frames and in two arenas, the words and their segments, which grow and
// shrink with the stack.

// segKind says how the bytes of a segment of a word are read.
type segKind uint8

const (
	segPlain  segKind = iota // unquoted, as they are
	segQuoted                // inside quotes, as they are
	segEscape                // a backslash and what it quotes, outside $'…'
	segMark                  // quotes and line continuations: nothing
	segANSI                  // inside $'…', with its escapes
	segLive                  // an expansion, as typed
	segTilde                 // a live ~ or ~user
	segGlob                  // pattern characters
)

type seg struct {
	start, end int
	kind       segKind
	double     bool // inside "…": decides what a backslash does
}

// role says what a word is to its command.
type role uint8

const (
	roleWord role = iota
	roleAssign
	roleTarget
)

// item is a finished word in the arena.
type item struct {
	start, end   int
	segLo, segHi int
	role         role
	op           string // of a target
	opStart, fd  int
}

type frameKind uint8

const (
	// These hold commands.
	frameTop     frameKind = iota
	frameSub               // ( … )
	frameCommand           // $( … ), in fish also ( … )
	frameTick              // ` … `
	frameProcess           // <( … ), >( … ), zsh =( … )
	frameArray             // a=( … )
	// These are inside a word.
	frameSingle
	frameDouble
	frameANSI
	frameParam // ${ … }
	frameArith // $(( … )), (( … ))
	frameGroup // pattern groups: zsh (a|b), bash @(a|b), fish index [ … ]
	// These hold no words at all.
	frameComment
	frameHere
)

func (k frameKind) holdsCommands() bool { return k <= frameArray }
func (k frameKind) isQuote() bool       { return k >= frameSingle && k <= frameANSI }

// mode is a place in a compound command where words are not a plain command's.
type mode uint8

const (
	modeNormal  mode = iota
	modeHead         // after case, for, select, function: the words belong to it
	modePattern      // the patterns of a case branch
	modeTest         // inside [[ ]]
)

type frame struct {
	kind   frameKind
	mode   mode
	args   bool // the command word has been read
	inWord bool
	emit   bool // bytes read here belong to the word of the nearest command frame
	time   bool // after "time": its options may follow

	from      int // where the frame begins
	start     int // of the simple command, or -1 before its first word
	wordStart int
	items     int // arena marks
	segs      int
	wordSegs  int
	eq        int // offset after the = of NAME=…, or -1
	cases     int // open case commands
	depth     int // of parentheses or braces to be closed first; blocks in fish

	op          string // redirection that waits for its target
	opStart, fd int

	slot  int  // of a whole line cut up: one more than the command's index, or 0
	piped bool // the next command reads from the one before
}

type hereDoc struct {
	delim string
	tabs  bool
}

type scanner struct {
	d        Dialect
	comments bool
	line     string
	i, end   int
	frames   []frame
	items    []item
	segs     []seg
	docs     []hereDoc
	ticks    int  // open backtick frames
	subs     int  // open command frames above the first
	escape   bool // the last byte read is a backslash that quotes the next one
	cut      int  // segments below this index are not extended any more
	// varStart and varEnd enclose the last name read after a $.
	varStart, varEnd int
	// stop is the index of the frame whose next end of command ends the scan, or -1.
	stop int
	done bool
	// These hold the place of the cursor while the rest of its command is read.
	cursor           bool // the word under the cursor is being read
	at               Place
	point, nameStart int
	suffixEnd        int
	suffix           string
	// sink receives every finished command, nil for none.
	sink *splitter
}

func newScanner(d Dialect, line string, comments bool) *scanner {
	// One piece of memory, of at most 2 KB, holds what most lines need.
	x := &struct {
		scanner
		frames [4]frame
		items  [12]item
		segs   [14]seg
	}{scanner: scanner{d: d, line: line, comments: comments, stop: -1, varEnd: -1}}
	s := &x.scanner
	s.frames, s.items, s.segs = x.frames[:0], x.items[:0], x.segs[:0]
	s.push(frameTop, 0)
	return s
}

// run reads up to the offset end.
func (s *scanner) run(end int) {
	s.end = end
	for s.i < s.end && !s.done {
		s.step()
	}
}

func (s *scanner) top() *frame { return &s.frames[len(s.frames)-1] }

// command returns the index of the innermost frame that holds commands.
func (s *scanner) command() int {
	for k := len(s.frames) - 1; ; k-- {
		if s.frames[k].kind.holdsCommands() {
			return k
		}
	}
}

func (s *scanner) step() {
	f := s.top()
	if s.escape {
		s.escape = false
		s.finishEscape(f)
		return
	}
	if s.ticks > 0 && s.line[s.i] == '`' && f.kind != frameTick {
		s.closeTick()
		return
	}
	switch f.kind {
	case frameSingle:
		s.single(f)
	case frameDouble:
		s.double(f)
	case frameANSI:
		s.ansi(f)
	case frameParam, frameArith, frameGroup:
		s.nested(f)
	case frameComment:
		s.comment()
	case frameHere:
		s.hereBody()
	default:
		if s.d == Fish {
			s.fishList(f)
		} else {
			s.posixList(f)
		}
	}
}

// push opens a frame that begins at the offset from.
func (s *scanner) push(kind frameKind, from int) *frame {
	emit := kind.holdsCommands()
	if !emit && kind.isQuote() {
		emit = s.top().kind.holdsCommands()
	}
	if kind.holdsCommands() && kind != frameTop {
		if s.sink != nil && kind != frameSub {
			s.sink.reserve(s, &s.frames[s.command()])
		}
		s.subs++
		if kind == frameTick {
			s.ticks++
		}
	}
	s.frames = append(s.frames, frame{
		kind: kind, emit: emit, from: from, start: -1, eq: -1,
		items: len(s.items), segs: len(s.segs), wordSegs: len(s.segs),
	})
	return s.top()
}

// pop closes the top frame, whose last byte was read; what it was to the word
// around it becomes a segment of that word.
func (s *scanner) pop() {
	f := *s.top()
	if f.kind.holdsCommands() {
		s.subs--
		if f.kind == frameTick {
			s.ticks--
		}
		s.items, s.segs = s.items[:f.items], s.segs[:f.segs]
	}
	s.frames = s.frames[:len(s.frames)-1]
	outer := s.top()
	if !outer.emit || f.kind.isQuote() || f.kind >= frameComment || f.kind == frameSub {
		return
	}
	kind := segLive
	if f.kind == frameGroup && s.d != Fish {
		kind = segGlob
	}
	s.add(kind, f.from, s.i)
}

// shut ends the command frame that is on top, whose last byte is the current one.
func (s *scanner) shut(f *frame) {
	s.endCommand(f, "")
	if s.done {
		return
	}
	s.i++
	s.pop()
}

// add gives the word being read one more segment.
func (s *scanner) add(kind segKind, start, end int) {
	if start == end {
		return
	}
	double := s.top().kind == frameDouble
	if n := len(s.segs); n > s.cut && n > s.frames[s.command()].wordSegs {
		last := &s.segs[n-1]
		if last.kind == kind && last.end == start && last.double == double && kind != segEscape && kind != segLive && kind != segTilde {
			last.end = end
			return
		}
	}
	s.segs = append(s.segs, seg{start, end, kind, double})
}

// emit is add for frames that may lie inside an expansion, whose bytes are the
// expansion's and not segments of their own.
func (s *scanner) emit(f *frame, kind segKind, start, end int) {
	if f.emit {
		s.add(kind, start, end)
	}
}

// begin starts a word at the current byte unless one is being read.
func (s *scanner) begin(f *frame) {
	if f.inWord {
		return
	}
	f.inWord = true
	if s.stop == len(s.frames)-1 && s.i == s.point {
		s.cursor = true // the rest of an empty word
	}
	f.wordStart = s.i
	f.wordSegs = len(s.segs)
	f.eq = -1
	if f.start < 0 {
		f.start = s.i
	}
}

// endWord finishes the word being read, if any, and gives it its role.
func (s *scanner) endWord(f *frame) {
	if !f.inWord {
		return
	}
	if s.cursor && len(s.frames)-1 == s.stop {
		s.atCursor(f)
		return
	}
	f.inWord = false
	it := item{start: f.wordStart, end: s.i, segLo: f.wordSegs, segHi: len(s.segs), fd: -1}
	switch {
	case f.op != "":
		it.role, it.op, it.opStart, it.fd = roleTarget, f.op, f.opStart, f.fd
		f.op = ""
		if s.d != Fish && (it.op == "<<" || it.op == "<<-") {
			s.docs = append(s.docs, hereDoc{delim: s.text(it.segLo, it.segHi), tabs: it.op == "<<-"})
		}
	case f.kind == frameArray, f.mode == modePattern:
		if raw := s.line[it.start:it.end]; f.mode == modePattern && (raw == "esac" || s.d == Zsh && raw == "}") {
			f.mode, f.cases = modeNormal, f.cases-1
		}
		s.drop(f)
		return
	case !f.args && f.eq >= 0:
		it.role = roleAssign
	case !f.args && s.reserved(f, s.line[it.start:it.end], it):
		return
	case f.mode == modeHead:
		s.head(f, it)
		return
	default:
		f.args = true
		if f.mode == modeTest && s.line[it.start:it.end] == "]]" {
			f.mode = modeNormal
		}
	}
	s.keep(f, it)
}

func (s *scanner) keep(f *frame, it item) {
	s.items = append(s.items, it)
	f.wordSegs = len(s.segs)
}

// drop forgets the word just read, as a reserved word is not the command's.
func (s *scanner) drop(f *frame) {
	s.segs = s.segs[:f.wordSegs]
	if len(s.items) == f.items {
		f.start = -1
	}
}

// endCommand finishes the simple command of the frame; sep is the operator
// that ended it.
func (s *scanner) endCommand(f *frame, sep string) {
	s.endWord(f)
	if s.stop >= 0 && len(s.frames)-1 == s.stop {
		s.done = true
		return
	}
	if s.sink != nil {
		s.sink.command(s, f, sep)
	}
	s.segs = s.segs[:f.segs]
	s.items = s.items[:f.items]
	f.wordSegs = len(s.segs)
	f.args, f.start, f.op, f.time = false, -1, "", false
	if f.mode != modePattern {
		f.mode = modeNormal
	}
}

// byteAt returns the byte k places after the current one, 0 past the end.
func (s *scanner) byteAt(k int) byte {
	if s.i+k < s.end {
		return s.line[s.i+k]
	}
	return 0
}

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
