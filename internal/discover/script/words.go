// Package script reads completion scripts of fish, zsh and bash as text: what
// options and sub-commands they offer. It never runs one, so what a script
// computes stays unknown.
package script

import "strings"

// Limits of what is read of one script.
const (
	maxScript = 4 << 20 // bytes
	maxWords  = 400     // of one command
)

// command is a simple command of a script: its words with quotes taken off.
type command struct {
	line  int
	words []string
}

// commands cuts a script at newlines and semicolons, as fish, zsh and bash do.
// Comments are left out, "$(…)" and "(…)" within words are kept as they are.
func commands(script string) []command {
	if len(script) > maxScript {
		script = script[:maxScript]
	}
	t := tokenizer{s: script, line: 1}
	t.run()
	return t.out
}

type tokenizer struct {
	s    string
	i    int
	line int
	word strings.Builder
	open bool // a word has begun
	cur  command
	out  []command
}

func (t *tokenizer) run() {
	for t.i < len(t.s) {
		c := t.s[t.i]
		switch c {
		case '\\':
			t.escape()
		case '\'', '"':
			t.quoted(c)
		case '#':
			if t.open {
				t.put(c)
				break
			}
			for t.i < len(t.s) && t.s[t.i] != '\n' {
				t.i++
			}
		case '\n', ';':
			t.endCommand()
			if c == '\n' {
				t.line++
			}
			t.i++
		case ' ', '\t', '\r':
			t.endWord()
			t.i++
		case '$':
			if t.i+1 < len(t.s) && t.s[t.i+1] == '(' {
				t.substitution()
				break
			}
			t.put(c)
		default:
			t.put(c)
		}
	}
	t.endCommand()
}

func (t *tokenizer) put(c byte) {
	t.open = true
	if t.word.Len() < 1<<16 {
		t.word.WriteByte(c)
	}
	t.i++
}

func (t *tokenizer) escape() {
	if t.i+1 >= len(t.s) {
		t.i++
		return
	}
	next := t.s[t.i+1]
	if next == '\n' {
		t.line++
		t.i += 2
		t.endWord()
		return
	}
	t.i++
	t.put(next)
}

// quoted reads text in quotes into the word.
func (t *tokenizer) quoted(q byte) {
	t.open = true
	t.i++
	for t.i < len(t.s) {
		c := t.s[t.i]
		switch {
		case c == q:
			t.i++
			return
		case c == '\\' && t.i+1 < len(t.s) && (q == '"' || t.s[t.i+1] == '\'' && t.i+2 < len(t.s)) && (strings.IndexByte("\\\"'$`\n", t.s[t.i+1]) >= 0) && (q == '"' || escapedQuote(t.s[t.i:])):
			t.i++
			if t.s[t.i] == '\n' {
				t.line++
				t.i++
				continue
			}
			t.put(t.s[t.i])
		default:
			if c == '\n' {
				t.line++
			}
			t.put(c)
		}
	}
}

// escapedQuote reports whether \' stands within a string, as fish allows, and
// does not end one, as in the other shells: the line goes on with a letter.
func escapedQuote(s string) bool {
	return len(s) > 2 && (s[2] >= 'a' && s[2] <= 'z' || s[2] == ' ')
}

// substitution keeps "$(…)" as it is.
func (t *tokenizer) substitution() {
	depth := 0
	for t.i < len(t.s) {
		c := t.s[t.i]
		if c == '\n' {
			t.line++
		}
		t.put(c)
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return
			}
		}
	}
}

func (t *tokenizer) endWord() {
	if t.open && len(t.cur.words) < maxWords {
		if len(t.cur.words) == 0 {
			t.cur.line = t.line
		}
		t.cur.words = append(t.cur.words, t.word.String())
	}
	t.word.Reset()
	t.open = false
}

func (t *tokenizer) endCommand() {
	t.endWord()
	if len(t.cur.words) > 0 {
		t.out = append(t.out, t.cur)
	}
	t.cur = command{}
}

// plain reports whether a word is printed as it may be typed: no variables, no
// substitutions.
func plain(w string) bool {
	return w != "" && len(w) < 100 && !strings.ContainsAny(w, "$()`*?{}<>|&;\"'\\ \t\n[]")
}
