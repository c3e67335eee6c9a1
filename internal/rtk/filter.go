// Package rtk reads, checks, applies and drafts the filters of RTK (Rust Token
// Killer): the TOML files that tell it which lines of a command's output to
// leave out. It follows RTK's own stages and its own test runner, so that what
// passes here passes there. It reads no file and runs no program.
package rtk

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Filter is one [filters.NAME] of a file.
type Filter struct {
	Name         string
	Description  string
	MatchCommand string
	StripANSI    bool
	Replace      []Replace
	MatchOutput  []MatchOutput
	StripLines   []string
	KeepLines    []string
	// Numbers that are not set are nil.
	TruncateLinesAt *int // characters
	HeadLines       *int
	TailLines       *int
	MaxLines        *int
	OnEmpty         *string
	// FilterStderr: standard error is filtered too, after standard output.
	FilterStderr bool

	command *regex
	lines   []*regex // of StripLines or KeepLines
}

// Replace is a substitution in each line.
type Replace struct {
	Pattern     string
	Replacement string
	pattern     *regex
}

// MatchOutput gives an answer in place of an output that matches Pattern, and
// does not match Unless where there is one.
type MatchOutput struct {
	Pattern, Message string
	Unless           *string
	pattern, unless  *regex
}

// Matches reports whether the filter is for a command. RTK asks it of the
// base name of the program and the arguments, joined by single spaces.
func (f *Filter) Matches(argv []string) bool {
	return len(argv) > 0 && f.command.match(CommandLine(argv))
}

// CommandLine is the text that match_command is tested on.
func CommandLine(argv []string) string {
	words := append([]string{base(argv[0])}, argv[1:]...)
	return strings.Join(words, " ")
}

func base(word string) string {
	trimmed := strings.TrimRight(word, "/")
	name := trimmed[strings.LastIndexByte(trimmed, '/')+1:]
	if name == "" || name == ".." {
		return word
	}
	return name
}

// Apply filters an output, stage by stage as RTK does. The result has no
// newline at its end.
func (f *Filter) Apply(output string) string {
	lines := f.clean(output)
	if message, ok := f.answer(lines); ok {
		return message
	}
	lines = f.choose(lines)
	if f.TruncateLinesAt != nil {
		for i, l := range lines {
			lines[i] = truncate(l, *f.TruncateLinesAt)
		}
	}
	lines = f.cap(f.ends(lines))
	text := strings.Join(lines, "\n")
	if f.OnEmpty != nil && strings.TrimSpace(text) == "" {
		return *f.OnEmpty
	}
	return text
}

// clean cuts the output into lines, removes escape sequences, and substitutes.
func (f *Filter) clean(output string) []string {
	lines := splitLines(validUTF8(output))
	for i, l := range lines {
		if f.StripANSI {
			l = stripANSI(l)
		}
		for _, r := range f.Replace {
			l = r.pattern.replaceAll(l, r.Replacement)
		}
		lines[i] = l
	}
	return lines
}

// answer is the message of the first rule that the whole output meets.
func (f *Filter) answer(lines []string) (string, bool) {
	if len(f.MatchOutput) == 0 {
		return "", false
	}
	text := strings.Join(lines, "\n")
	for _, m := range f.MatchOutput {
		if m.pattern.match(text) && (m.unless == nil || !m.unless.match(text)) {
			return m.Message, true
		}
	}
	return "", false
}

// choose strips the lines that match, or keeps them alone.
func (f *Filter) choose(lines []string) []string {
	if len(f.lines) == 0 {
		return lines
	}
	strip := len(f.StripLines) > 0
	kept := lines[:0]
	for _, l := range lines {
		if f.matchesLine(l) != strip {
			kept = append(kept, l)
		}
	}
	return kept
}

func (f *Filter) matchesLine(l string) bool {
	for _, r := range f.lines {
		if r.match(l) {
			return true
		}
	}
	return false
}

// ends keeps the first and the last lines, and says how many stood between.
func (f *Filter) ends(lines []string) []string {
	n := len(lines)
	head, tail := f.HeadLines, f.TailLines
	switch {
	case head != nil && tail != nil:
		if rest := n - *head - *tail; rest > 0 {
			return append(append(append([]string{}, lines[:*head]...), omitted(rest)), lines[n-*tail:]...)
		}
	case head != nil && n > *head:
		return append(lines[:*head:*head], omitted(n-*head))
	case tail != nil && n > *tail:
		return append([]string{omitted(n - *tail)}, lines[n-*tail:]...)
	}
	return lines
}

func omitted(n int) string { return fmt.Sprintf("... (%d lines omitted)", n) }

// cap keeps the first lines, those that say what was omitted among them.
func (f *Filter) cap(lines []string) []string {
	if f.MaxLines == nil || len(lines) <= *f.MaxLines {
		return lines
	}
	return append(lines[:*f.MaxLines:*f.MaxLines], fmt.Sprintf("... (%d lines truncated)", len(lines)-*f.MaxLines))
}

// splitLines cuts at line feeds, each with a carriage return before it; what
// stands after the last one is a line if it is not empty.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	ended := strings.HasSuffix(s, "\n")
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, l := range lines {
		if i < len(lines)-1 || ended {
			lines[i] = strings.TrimSuffix(l, "\r")
		}
	}
	return lines
}

// stripANSI removes the escape sequences that RTK knows: ESC [, digits and
// semicolons, a letter.
func stripANSI(s string) string {
	if !strings.Contains(s, "\x1b[") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		j := i + 2
		for j < len(s) && (s[j] == ';' || s[j] >= '0' && s[j] <= '9') {
			j++
		}
		if j < len(s) && (s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z') {
			b.WriteString(s[:i])
			s = s[j+1:]
			continue
		}
		b.WriteString(s[:i+2])
		s = s[i+2:]
	}
}

// truncate shortens a line to n characters, the last three of which are dots.
func truncate(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	if n < 3 {
		return "..."
	}
	at := 0
	for range n - 3 {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return s[:at] + "..."
}

// validUTF8 puts U+FFFD for each longest part that begins no character, as
// programs in Rust read bytes that are not UTF-8.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		if c == utf8.RuneError && n == 1 {
			n = broken(s)
		}
		b.WriteRune(c)
		s = s[n:]
	}
	return b.String()
}

// broken returns how many bytes at the begin of s, which is no character there,
// could begin one.
func broken(s string) int {
	for n := min(len(s), 3); n > 1; n-- {
		// A part is the begin of a character if it lacks nothing but its end.
		if !utf8.FullRuneInString(s[:n]) {
			return n
		}
	}
	return 1
}
