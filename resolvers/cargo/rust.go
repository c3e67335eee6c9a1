package cargo

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// rustItem is a test function or a module in a file of its own.
type rustItem struct {
	// mod is the path of inline modules around it, "a::b" or "".
	mod  string
	name string
	test bool // a test function; else "mod name;"
	// path is the text of #[path = "…"] on the module, or "".
	path    string
	ignored bool // #[ignore]
	line    int  // from 1
}

// rustScanner reads Rust source just well enough to find tests and modules:
// it knows comments, texts, characters and lifetimes, attributes and braces.
// Any text is accepted.
type rustScanner struct {
	src   string
	pos   int
	line  int
	emit  func(rustItem)
	stack []rustFrame
	// mods are the names of the inline modules that are open.
	mods []string
	// opaque counts open bodies of functions and macros: what is in there is no item.
	opaque int
	// nest counts open parentheses and brackets since the last brace.
	nest int
	// next is what the next open brace begins.
	next rustBlock
	// pending is what the attributes before an item say of it.
	pending rustItem
}

type rustBlock uint8

const (
	plainBlock rustBlock = iota
	opaqueBlock
	moduleBlock
)

type rustFrame struct {
	kind rustBlock
	nest int
}

// maxRustNest bounds the braces that are kept track of.
const maxRustNest = 10000

// scanRust calls emit for each test function and each module in a file of its
// own, in the order of the text. A function is a test if an attribute of it
// ends in a name such as test (tokio::test, rstest …); cfg is taken to hold.
func scanRust(src string, emit func(rustItem)) {
	s := &rustScanner{src: src, line: 1, emit: emit}
	for s.pos < len(s.src) {
		s.token()
	}
}

func (s *rustScanner) token() {
	b := s.src[s.pos]
	switch {
	case b == '\n':
		s.line++
		s.pos++
	case b == '/' && s.at(1) == '/':
		s.toLineEnd()
	case b == '/' && s.at(1) == '*':
		s.comment()
	case b == '"':
		s.text()
	case b == '\'':
		s.quote()
	case b == '#':
		s.attribute()
	case isRustWord(b):
		s.word()
	default:
		s.pos++
		s.punctuation(b)
	}
}

func (s *rustScanner) at(i int) byte {
	if s.pos+i < len(s.src) {
		return s.src[s.pos+i]
	}
	return 0
}

func isRustWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= utf8.RuneSelf
}

func (s *rustScanner) punctuation(b byte) {
	switch b {
	case '(', '[':
		s.nest++
	case ')', ']':
		s.nest--
	case ';':
		if s.nest <= 0 {
			s.next = plainBlock
			s.pending = rustItem{}
		}
	case '{':
		if len(s.stack) < maxRustNest {
			s.stack = append(s.stack, rustFrame{s.next, s.nest})
		}
		if s.next == opaqueBlock {
			s.opaque++
		}
		s.nest, s.next, s.pending = 0, plainBlock, rustItem{}
	case '}':
		s.pending, s.next = rustItem{}, plainBlock
		if len(s.stack) == 0 {
			return
		}
		f := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.nest = f.nest
		switch f.kind {
		case opaqueBlock:
			s.opaque--
		case moduleBlock:
			s.mods = s.mods[:len(s.mods)-1]
		}
	}
}

func (s *rustScanner) toLineEnd() {
	if i := strings.IndexByte(s.src[s.pos:], '\n'); i >= 0 {
		s.pos += i
	} else {
		s.pos = len(s.src)
	}
}

// comment passes /* … */, which nests.
func (s *rustScanner) comment() {
	depth := 0
	for s.pos < len(s.src) {
		switch b := s.src[s.pos]; {
		case b == '/' && s.at(1) == '*':
			depth++
			s.pos += 2
		case b == '*' && s.at(1) == '/':
			depth--
			s.pos += 2
			if depth == 0 {
				return
			}
		default:
			if b == '\n' {
				s.line++
			}
			s.pos++
		}
	}
}

// text passes "…" with escapes and returns what is between the quotes, raw.
func (s *rustScanner) text() string {
	start := s.pos + 1
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '\n':
			s.line++
		case '\\':
			if s.at(1) != '\n' { // a line's end after "\" is counted above
				s.pos++
			}
		case '"':
			s.pos++
			return s.src[start : s.pos-1]
		}
	}
	s.pos = len(s.src)
	return s.src[min(start, len(s.src)):]
}

// rawText passes r"…", r#"…"# and the like, standing after the r; false if
// there is none.
func (s *rustScanner) rawText() bool {
	n := 0
	for s.at(n) == '#' {
		n++
	}
	if s.at(n) != '"' {
		return false
	}
	body := s.src[s.pos+n+1:]
	end := strings.Index(body, `"`+strings.Repeat("#", n))
	if end < 0 {
		end = len(body)
	}
	s.line += strings.Count(body[:end], "\n")
	s.pos = min(s.pos+n+1+end+1+n, len(s.src))
	return true
}

// quote passes a character, or the quote of a lifetime.
func (s *rustScanner) quote() {
	if s.at(1) == '\\' {
		for s.pos += 3; s.pos < len(s.src) && s.src[s.pos] != '\'' && s.src[s.pos] != '\n'; s.pos++ {
		}
		if s.at(0) == '\'' {
			s.pos++
		}
		s.pos = min(s.pos, len(s.src))
		return
	}
	_, size := utf8.DecodeRuneInString(s.src[s.pos+1:])
	if size > 0 && s.at(1) != '\'' && s.at(1) != '\n' && s.at(1+size) == '\'' {
		s.pos += size + 2
		return
	}
	s.pos++
}

// attribute passes #[…] or #![…] and notes what it says of the next item.
func (s *rustScanner) attribute() {
	s.pos++
	inner := s.at(0) == '!'
	if inner {
		s.pos++
	}
	if s.at(0) != '[' {
		return
	}
	s.pos++
	start := s.pos
	head, value := "", ""
	for depth := 1; depth > 0 && s.pos < len(s.src); {
		switch b := s.src[s.pos]; {
		case b == '"':
			if head == "" {
				head = s.src[start:s.pos]
			}
			value = s.text()
			continue
		case b == '\'':
			s.quote()
			continue
		case b == '/' && s.at(1) == '/':
			s.toLineEnd()
			continue
		case b == '/' && s.at(1) == '*':
			s.comment()
			continue
		case b == 'r' && (s.at(1) == '"' || s.at(1) == '#') && !isRustWord(s.src[s.pos-1]):
			s.pos++
			if s.rawText() {
				continue
			}
			s.pos--
		case b == '[' || b == '(' || b == '{':
			depth++
		case b == ']' || b == ')' || b == '}':
			depth--
		case b == '\n':
			s.line++
		}
		if head == "" && strings.IndexByte("[({]", s.src[s.pos]) >= 0 {
			head = s.src[start:s.pos]
		}
		s.pos++
	}
	if inner {
		return
	}
	name, rest, isValue := strings.Cut(head, "=")
	name = strings.TrimSpace(name)
	switch {
	case isValue && name == "path" && strings.TrimSpace(rest) == "":
		s.pending.path = value
	case name == "ignore":
		s.pending.ignored = true
	case isTestAttribute(name):
		s.pending.test = true
	}
}

// isTestAttribute reports whether an attribute of this path makes a function a
// test. Some of these make several tests, whose names begin with the function's.
func isTestAttribute(path string) bool {
	if i := strings.LastIndex(path, "::"); i >= 0 {
		path = path[i+2:]
	}
	switch strings.TrimSpace(path) {
	case "test", "rstest", "test_case", "test_matrix", "wasm_bindgen_test", "quickcheck", "gtest", "parameterized", "proptest":
		return true
	}
	return false
}

// word passes a word and, after fn and mod, the name of the item.
func (s *rustScanner) word() {
	start := s.pos
	for s.pos < len(s.src) && isRustWord(s.src[s.pos]) {
		s.pos++
	}
	switch word := s.src[start:s.pos]; word {
	case "r", "br", "cr":
		if s.at(0) == '"' || s.at(0) == '#' {
			s.rawText()
		}
	case "fn":
		item, line := s.pending, s.line
		name := s.name()
		if name == "" {
			return // the type of a function
		}
		s.pending, s.next = rustItem{}, opaqueBlock
		if item.test && s.opaque == 0 {
			s.emit(rustItem{mod: strings.Join(s.mods, "::"), name: name, test: true, ignored: item.ignored, line: line})
		}
	case "mod":
		item, line := s.pending, s.line
		name := s.name()
		if name == "" {
			return
		}
		s.pending = rustItem{}
		s.blanks()
		switch {
		case s.at(0) == ';' && s.opaque == 0:
			s.emit(rustItem{mod: strings.Join(s.mods, "::"), name: name, path: item.path, line: line})
		case s.at(0) == '{' && s.opaque == 0 && len(s.stack) < maxRustNest:
			s.mods = append(s.mods, name)
			s.next = moduleBlock
		}
	case "macro_rules":
		s.next = opaqueBlock
	case "struct", "enum", "union", "trait", "impl", "use", "type", "static":
		s.pending = rustItem{}
	}
}

// name passes blanks and reads the name of an item, "" if there is none.
func (s *rustScanner) name() string {
	s.blanks()
	if s.at(0) == 'r' && s.at(1) == '#' && isRustWord(s.at(2)) {
		s.pos += 2
	}
	start := s.pos
	for s.pos < len(s.src) && isRustWord(s.src[s.pos]) {
		s.pos++
	}
	if start < s.pos && s.src[start] >= '0' && s.src[start] <= '9' {
		return ""
	}
	return s.src[start:s.pos]
}

// blanks passes blanks and comments.
func (s *rustScanner) blanks() {
	for s.pos < len(s.src) {
		switch b := s.src[s.pos]; {
		case b == '\n':
			s.line++
			s.pos++
		case b == ' ' || b == '\t' || b == '\r':
			s.pos++
		case b == '/' && s.at(1) == '/':
			s.toLineEnd()
		case b == '/' && s.at(1) == '*':
			s.comment()
		default:
			return
		}
	}
}

// rustFindings and parseRustFindings carry items through the cache: a line
// each, fields by tabs. Items whose text has such bytes are left out.
func rustFindings(text string) string {
	var b strings.Builder
	scanRust(text, func(item rustItem) {
		if strings.ContainsAny(item.path, "\t\n") {
			return
		}
		kind := "mod"
		if item.test {
			kind = "test"
			if item.ignored {
				kind = "ignored"
			}
		}
		for _, field := range [...]string{kind, item.mod, item.name, strconv.Itoa(item.line)} {
			b.WriteString(field)
			b.WriteByte('\t')
		}
		b.WriteString(item.path)
		b.WriteByte('\n')
	})
	return b.String()
}

func parseRustFindings(found string, emit func(rustItem)) {
	for line := range strings.Lines(found) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 5 {
			continue
		}
		item := rustItem{mod: f[1], name: f[2], path: f[4], test: f[0] != "mod", ignored: f[0] == "ignored"}
		item.line, _ = strconv.Atoi(f[3])
		emit(item)
	}
}
