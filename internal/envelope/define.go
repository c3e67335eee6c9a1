package envelope

import (
	"bytes"
	"strings"
)

// language is how names are defined in the files of some endings.
type language struct {
	// keywords stand before the name that they define.
	keywords map[string]bool
	// modifiers may stand before a keyword.
	modifiers map[string]bool
	calls     bool // "name(…) {" defines: methods and functions without a keyword
	assigns   bool // "name = function", "name: function", "x.name = " define
	receiver  bool // "func (r *T) Name("
	typed     bool // "type name(…)" defines where the line does not end with ";"
	fold      bool // keywords in any case
	plainVar  bool // "NAME = value" at the beginning of a line defines
}

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

var access = "export default public private protected internal static final abstract virtual override sealed partial async inline extern unsafe readonly declare open data inner companion suspend operator native synchronized strictfp transient volatile new required convenience mutating fileprivate lazy weak global local"

// languageOf returns the language of a file by its ending, nil if te knows none. A
// switch, so that a program that finds nothing builds nothing.
func languageOf(path string) *language {
	ext := path[strings.LastIndexByte(path, '.')+1:]
	if strings.IndexByte(ext, '/') >= 0 || len(ext) > 8 {
		return nil
	}
	switch strings.ToLower(ext) {
	case "go":
		return &language{keywords: words("func type const var"), receiver: true}
	case "py", "pyi", "pyx":
		return &language{keywords: words("def class"), modifiers: words("async cdef cpdef"), plainVar: true}
	case "js", "mjs", "cjs", "jsx", "ts", "tsx", "mts", "cts", "vue", "svelte":
		return &language{keywords: words("function class const let var interface type enum namespace"), modifiers: words(access + " function* get set const"), calls: true, assigns: true}
	case "rs":
		return &language{keywords: words("fn struct enum trait type const static mod union macro_rules!"), modifiers: words("pub async unsafe extern default const static mut")}
	case "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "m", "mm", "ino":
		return &language{keywords: words("#define struct enum union class namespace using concept"), modifiers: words(access + " typedef template constexpr"), typed: true}
	case "java", "kt", "kts", "scala", "cs", "swift", "groovy", "dart":
		return &language{keywords: words("class interface enum record struct trait object fun func def val var let protocol extension typealias delegate namespace type"), modifiers: words(access + " case const"), typed: true}
	case "rb":
		return &language{keywords: words("def class module"), modifiers: words("private public protected"), plainVar: true}
	case "php":
		return &language{keywords: words("function class interface trait enum const"), modifiers: words(access)}
	case "sh", "bash", "zsh", "ksh", "fish":
		return &language{keywords: words("function alias"), calls: true, plainVar: true}
	case "sql":
		return &language{keywords: words("table view index function procedure trigger type sequence schema"), modifiers: words("create or replace temp temporary unique materialized if not exists"), fold: true}
	case "lua":
		return &language{keywords: words("function"), modifiers: words("local")}
	case "pl", "pm":
		return &language{keywords: words("sub package")}
	case "ex", "exs":
		return &language{keywords: words("def defp defmodule defmacro defstruct")}
	case "zig":
		return &language{keywords: words("fn const var"), modifiers: words("pub export inline extern")}
	case "proto", "thrift", "graphql":
		return &language{keywords: words("message service enum rpc type interface input struct")}
	}
	return nil
}

// Wanted is what a definition has to define: the words of the patterns.
type Wanted struct {
	words []string
	fold  bool
	any   bool // every name
}

// wanted takes the words out of the patterns of a call. A name in them that only
// says what kind of definition is looked for is none.
func (c *Call) wanted() Wanted {
	w := Wanted{fold: c.Insensitive}
	if c.Inverted || c.Mode != Lines {
		return w
	}
	for _, p := range c.Patterns {
		w.words = append(w.words, wordsOf(p, c.Literal)...)
		if len(w.words) > 64 {
			break
		}
	}
	if c.Insensitive {
		for i := range w.words {
			w.words[i] = strings.ToLower(w.words[i])
		}
	}
	return w
}

var noNames = words("func function def class type struct enum trait interface const var let fn return import from public private static async pub impl module package sub void int export default define create table")

// wordsOf lists the identifiers in a pattern. In a regular expression what stands in
// brackets or after a backslash is none.
func wordsOf(pattern string, literal bool) []string {
	var out []string
	start := -1
	flush := func(end int) {
		if start >= 0 && end-start > 1 && !noNames[pattern[start:end]] {
			out = append(out, pattern[start:end])
		}
		start = -1
	}
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case wordByte(c):
			if start < 0 {
				start = i
			}
		case !literal && c == '\\':
			flush(i)
			i++
		case !literal && c == '[':
			flush(i)
			if end := strings.IndexByte(pattern[min(i+2, len(pattern)):], ']'); end >= 0 {
				i += 2 + end
			}
		case !literal && start >= 0 && (c == '*' || c == '?' || c == '{'):
			flush(i - 1) // the letter before is optional
		default:
			flush(i)
		}
	}
	flush(len(pattern))
	return out
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// matches reports whether a name is one of the words, or holds one.
func (w *Wanted) matches(name []byte) (exact, holds bool) {
	if w.any {
		return true, true
	}
	if w.fold {
		name = bytes.ToLower(name)
	}
	for _, word := range w.words {
		if string(name) == word {
			return true, true
		}
		holds = holds || bytes.Contains(name, []byte(word))
	}
	return false, holds
}

// Defines reports whether a line of the language defines a name that is wanted, and
// whether it is that very word. Comments and strings define nothing: a definition
// begins its line.
func (l *language) defines(line []byte, w *Wanted) (exact, ok bool) {
	if len(line) > 2000 {
		return false, false
	}
	s := scanner{b: line}
	s.blanks()
	indented := s.i > 0
	modified := false
	for {
		start := s.i
		word := s.word(l)
		if len(word) == 0 {
			return l.assigned(line, start, w)
		}
		key := string(word)
		if l.fold {
			key = strings.ToLower(key)
		}
		if l.keywords[key] && !(l.modifiers[key] && l.isModifier(s)) {
			return l.named(&s, key, w)
		}
		if !l.modifiers[key] {
			return l.bare(line, start, word, indented, modified, w)
		}
		modified = true
		if key == "pub" || key == "unsafe" {
			s.parens()
		}
		if l.modifiers["template"] && key == "template" {
			return false, false
		}
		s.blanks()
	}
}

// isModifier reports whether a word that may be a keyword or stand before one is
// followed by another keyword: "const enum", "static class".
func (l *language) isModifier(s scanner) bool {
	s.blanks()
	next := s.word(l)
	return l.keywords[string(next)] || l.modifiers[string(next)]
}

// named reads the name after a keyword.
func (l *language) named(s *scanner, key string, w *Wanted) (exact, ok bool) {
	if l.receiver && key == "func" {
		s.blanks()
		s.parens()
	}
	for {
		s.blanks()
		if s.i < len(s.b) && (s.b[s.i] == '*' || s.b[s.i] == '&') { // function* name
			s.i++
			continue
		}
		word := s.name()
		if len(word) == 0 {
			return false, false
		}
		key := string(word)
		if l.fold {
			key = strings.ToLower(key)
		}
		if l.modifiers[key] || l.keywords[key] && s.more(l) {
			continue
		}
		if !l.follows(s) {
			return false, false
		}
		return w.matches(word)
	}
}

// follows looks at what comes after a name: in prose after a keyword there would be
// another word.
func (l *language) follows(s *scanner) bool {
	s.blanks()
	rest := s.b[s.i:]
	if len(rest) == 0 {
		return true
	}
	if l.typed && len(rest) > 0 && bytes.HasSuffix(bytes.TrimRight(rest, " \t\r"), []byte(";")) && rest[0] != '=' && rest[0] != '(' && rest[0] != '{' && rest[0] != ':' {
		return false // struct x y;
	}
	if l.typed && rest[0] == ';' {
		return false // struct x;
	}
	return true
}

// more reports whether another name follows on the line.
func (s scanner) more(*language) bool {
	s.blanks()
	return len(s.name()) > 0
}

// bare reads a definition without a keyword: "name(…) {", "type name(…)", "NAME = …".
func (l *language) bare(line []byte, start int, word []byte, indented, modified bool, w *Wanted) (exact, ok bool) {
	s := scanner{b: line, i: start}
	name := s.name()
	end := bytes.TrimRight(line, " \t\r")
	if l.calls && len(name) == len(word) {
		t := s
		t.blanks()
		if t.i < len(line) && line[t.i] == '(' && bytes.HasSuffix(end, []byte("{")) && !controlWords[string(name)] {
			return w.matches(name)
		}
	}
	if l.plainVar && !indented {
		t := s
		t.blanks()
		if t.i+1 < len(line) && (line[t.i] == '=' && line[t.i+1] != '=' || line[t.i] == ':' && bytes.IndexByte(line[t.i:], '=') > 0) {
			return w.matches(name)
		}
	}
	if l.typed && !(indented && !modified && l.modifiers["template"]) {
		if e, ok := typedName(line, start, end, modified, w); ok {
			return e, ok
		}
	}
	return l.assigned(line, start, w)
}

var controlWords = words("if for while switch catch return with do else function foreach until case when match throw new delete typeof await yield sizeof assert super this")

// typedName reads "type name(…)" or, with modifiers, "type name =": a function or a
// field that is defined and not called or declared.
func typedName(line []byte, start int, end []byte, modified bool, w *Wanted) (exact, ok bool) {
	if bytes.HasSuffix(end, []byte(";")) && !modified || bytes.HasPrefix(line[start:], []byte("//")) {
		return false, false
	}
	paren := bytes.IndexByte(line, '(')
	if paren < 0 {
		return false, false
	}
	if eq := bytes.IndexByte(line[:paren], '='); eq >= 0 {
		return false, false
	}
	before := bytes.TrimRight(line[start:paren], " \t")
	at := len(before)
	for at > 0 && wordByte(before[at-1]) {
		at--
	}
	name := before[at:]
	kind := bytes.TrimSpace(before[:at])
	if len(name) == 0 || controlWords[string(name)] || bytes.ContainsAny(kind, ".\"'+-/;{}") {
		return false, false
	}
	if first, _, _ := bytes.Cut(kind, []byte(" ")); controlWords[string(first)] {
		return false, false
	}
	if len(kind) == 0 && (start > 0 || !bytes.HasSuffix(end, []byte("{")) && !bytes.HasSuffix(end, []byte(")"))) {
		return false, false
	}
	return w.matches(name)
}

// assigned reads "a.name = function", "name = (…) =>", "name: function".
func (l *language) assigned(line []byte, start int, w *Wanted) (exact, ok bool) {
	if !l.assigns {
		return false, false
	}
	rest := line[start:]
	i := 0
	for i < len(rest) && (wordByte(rest[i]) || rest[i] == '.' || rest[i] == '#') {
		i++
	}
	path := rest[:i]
	after := bytes.TrimLeft(rest[i:], " \t")
	if len(path) == 0 || len(after) < 2 || after[0] != '=' && after[0] != ':' || after[1] == '=' || after[1] == '>' {
		return false, false
	}
	val := bytes.TrimLeft(after[1:], " \t")
	dotted := bytes.LastIndexByte(path, '.')
	if !bytes.HasPrefix(val, []byte("function")) && !bytes.HasPrefix(val, []byte("async")) && !bytes.HasPrefix(val, []byte("class")) &&
		!bytes.Contains(val, []byte("=>")) && (dotted < 0 || after[0] != '=' || bytes.HasPrefix(path, []byte("this."))) {
		return false, false
	}
	return w.matches(path[dotted+1:])
}

// scanner reads a line from its beginning.
type scanner struct {
	b []byte
	i int
}

func (s *scanner) blanks() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\t') {
		s.i++
	}
}

// word is a name, or a keyword that is none: "#define", "macro_rules!".
func (s *scanner) word(l *language) []byte {
	start := s.i
	if s.i < len(s.b) && s.b[s.i] == '#' {
		s.i++
		s.blanks()
		if n := s.name(); string(n) == "define" {
			return []byte("#define")
		}
		s.i = start
		return nil
	}
	n := s.name()
	if len(n) > 0 && s.i < len(s.b) && (s.b[s.i] == '!' || s.b[s.i] == '*') {
		if with := s.b[start : s.i+1]; l.keywords[string(with)] || l.modifiers[string(with)] {
			s.i++
			return s.b[start:s.i]
		}
	}
	return n
}

func (s *scanner) name() []byte {
	start := s.i
	for s.i < len(s.b) && wordByte(s.b[s.i]) {
		s.i++
	}
	return s.b[start:s.i]
}

// parens skips what stands in parentheses.
func (s *scanner) parens() {
	if s.i >= len(s.b) || s.b[s.i] != '(' {
		return
	}
	for depth := 0; s.i < len(s.b); s.i++ {
		switch s.b[s.i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				s.i++
				s.blanks()
				return
			}
		}
	}
}
