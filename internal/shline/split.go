package shline

import "strings"

// Command is one simple command of a line.
type Command struct {
	Start, End int // byte offsets in the line
	Words      []Word
	Assigns    []Word
	Redirects  []Redirect
	// Sep is the operator that ends it: "|", "&&", "||", ";", "&", "\n"; "" at
	// the end of the line or of what encloses it.
	Sep string
	// Parent is the index of the command of whose words or redirections this
	// one is a substitution, or -1.
	Parent int
	// Piped says that it reads from the command before it in the same list.
	Piped bool
	// Function is the name of the function in whose definition it stands, so
	// that it does not run here; "" outside. Known for fish only.
	Function string
}

// Script is a line cut into its simple commands: of compound commands and
// lists, of substitutions and of function bodies. Commands stand in the order
// in which they begin to carry others, else in which they end.
type Script struct {
	Commands []Command
	// Complete is false if the shell would ask for more: an open quote or
	// bracket, a backslash or an operator at the end, a here-document without
	// its end, in fish also an open block.
	Complete bool
	// Deep says that commands nested deeper than 256 levels were left inside
	// the words of those around them.
	Deep bool
	// Err says what is wrong with the line as a whole, "" for nothing.
	Err string
}

// splitDepth bounds how deep commands are listed apart; each level repeats the
// text of those inside it, so it also keeps the time linear.
const splitDepth = 256

// Split cuts a whole line into its simple commands. Any line has an answer;
// the time is linear in the line.
func Split(d Dialect, line string) Script {
	return Lexer{Dialect: d, Comments: true}.Split(line)
}

// Split is the function Split under the lexer's settings.
func (l Lexer) Split(line string) Script {
	s := newScanner(l.Dialect, line, l.Comments)
	x := &splitter{}
	x.out.Commands = make([]Command, 0, 1+min(breaks(line), maxReserved))
	s.sink = x
	s.run(len(line))
	x.out.Complete = s.finished()
	// What is open is closed from the inside out.
	for {
		f := s.top()
		if f.kind.holdsCommands() {
			s.endCommand(f, "")
		}
		if len(s.frames) == 1 {
			break
		}
		s.pop()
	}
	if len(x.blocks) > 0 || x.trailing() || s.frames[0].cases > 0 {
		x.out.Complete = false
	}
	return x.out
}

// maxReserved bounds the commands that room is made for ahead.
const maxReserved = 4096

// breaks counts the bytes of a line that may end a command.
func breaks(line string) int {
	return strings.Count(line, ";") + strings.Count(line, "|") + strings.Count(line, "&") + strings.Count(line, "\n")
}

// finished reports whether nothing is open at the end of the line.
func (s *scanner) finished() bool {
	k := len(s.frames) - 1
	if s.frames[k].kind == frameComment {
		k--
	}
	return k == 0 && !s.escape && len(s.docs) == 0 && (s.frames[0].op == "" || s.frames[0].inWord)
}

// splitter collects the commands of a whole line as the scanner finishes them.
type splitter struct {
	out    Script
	blocks []block
	orElse bool // the last word was fish's else
	last   string
}

// block is an open block of fish, with the frame it was opened in.
type block struct {
	frame, from int
	name        string // of a function
}

// trailing reports whether the line ends in an operator that wants a command.
func (x *splitter) trailing() bool {
	return x.last == "|" || x.last == "|&" || x.last == "&&" || x.last == "||"
}

// reserve gives the command being read in the frame its index, as one inside
// its words needs to name it.
func (x *splitter) reserve(s *scanner, f *frame) {
	if f.slot == 0 && len(s.frames) <= splitDepth {
		x.out.Commands = append(x.out.Commands, Command{Parent: -1})
		f.slot = len(x.out.Commands)
	}
}

// command takes over the command that ended in the frame on top.
func (x *splitter) command(s *scanner, f *frame, sep string) {
	empty := len(s.items) == f.items
	if f.kind == frameTop && (!empty || sep != "\n" && sep != "") {
		x.last = sep
	}
	if empty && f.slot == 0 {
		if sep != "\n" {
			f.piped = isPipe(sep)
		}
		return
	}
	piped := f.piped
	f.piped = isPipe(sep)
	x.orElse = false
	if len(s.frames) > splitDepth {
		x.out.Deep = true
		return
	}
	x.reserve(s, f)
	c := Command{
		Start: f.start, End: s.i, Sep: sep, Parent: -1, Piped: piped,
	}
	for k := len(s.frames) - 2; k >= 0; k-- {
		if s.frames[k].kind.holdsCommands() {
			if f.kind != frameSub {
				c.Parent = s.frames[k].slot - 1
			}
			break
		}
	}
	c.Words = make([]Word, 0, len(s.items)-f.items)
	for _, it := range s.items[f.items:] {
		switch it.role {
		case roleWord:
			c.Words = append(c.Words, s.word(it))
		case roleAssign:
			c.Assigns = append(c.Assigns, s.word(it))
		case roleTarget:
			c.Redirects = append(c.Redirects, Redirect{Op: it.op, FD: it.fd, Target: s.word(it), Start: it.opStart})
		}
		c.End = it.end
	}
	if s.d == Fish {
		x.stale(s, f)
		c.Function = x.function()
		x.opens(s, f, c.Words)
	}
	x.out.Commands[f.slot-1] = c
	f.slot = 0
}

func isPipe(sep string) bool { return sep == "|" || sep == "|&" }

// reserved takes note of fish's block words.
func (x *splitter) reserved(s *scanner, f *frame, raw string) {
	x.stale(s, f)
	switch raw {
	case "if", "while", "begin", "{":
		if raw != "if" || !x.orElse {
			x.open(s, f, "")
		}
	case "end", "}":
		if n := len(x.blocks); n > 0 && x.blocks[n-1].of(s, f) {
			x.blocks = x.blocks[:n-1]
		} else {
			x.out.Err = raw + " outside of a block"
		}
	}
	x.orElse = raw == "else"
}

// opens opens the block that a command with words of its own begins.
func (x *splitter) opens(s *scanner, f *frame, words []Word) {
	if len(words) == 0 {
		return
	}
	switch words[0].Raw {
	case "for", "switch":
		x.open(s, f, "")
	case "function":
		name := ""
		if len(words) > 1 {
			name = words[1].Text
			if strings.HasPrefix(name, "-") { // older releases take the options first, too
				name = words[len(words)-1].Text
			}
		}
		x.open(s, f, name)
	}
}

func (x *splitter) open(s *scanner, f *frame, name string) {
	x.blocks = append(x.blocks, block{len(s.frames) - 1, f.from, name})
}

func (b block) of(s *scanner, f *frame) bool { return b.frame == len(s.frames)-1 && b.from == f.from }

// stale drops the blocks of frames that are closed: they lack their end.
func (x *splitter) stale(s *scanner, f *frame) {
	for n := len(x.blocks); n > 0; n = len(x.blocks) {
		b := x.blocks[n-1]
		if b.frame < len(s.frames)-1 || b.of(s, f) {
			return
		}
		x.out.Err = "a block without its end"
		x.blocks = x.blocks[:n-1]
	}
}

// function returns the name of the innermost function being defined, or "".
func (x *splitter) function() string {
	for k := len(x.blocks) - 1; k >= 0; k-- {
		if x.blocks[k].name != "" {
			return x.blocks[k].name
		}
	}
	return ""
}
