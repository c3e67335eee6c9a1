// Package shline reads shell command lines as they are typed: unfinished,
// wrong, in any bytes. It finds what stands at the cursor in the dialect of
// the asking shell, and writes words back so that the shell reads them as
// meant. It runs nothing and refuses nothing: any input has an answer.
package shline

// Dialect is the grammar a line is read in.
type Dialect uint8

const (
	Bash Dialect = iota // also POSIX sh
	Zsh
	Fish
)

// ParseDialect returns the dialect of a shell's name ("bash", "sh", "dash",
// "ksh", "zsh", "fish"); ok is false for any other name, and the dialect Bash.
func ParseDialect(shell string) (d Dialect, ok bool) {
	switch shell {
	case "bash", "sh", "dash", "ksh", "posix":
		return Bash, true
	case "zsh":
		return Zsh, true
	case "fish":
		return Fish, true
	}
	return Bash, false
}

// IsPOSIX reports whether a shell of the dialect Bash lacks the extensions of
// bash: &> is a job and a redirection there, and <( an error.
func IsPOSIX(shell string) bool {
	switch shell {
	case "sh", "dash", "posix":
		return true
	}
	return false
}

// Quoting is the quoting that is open at a place in a word.
type Quoting uint8

const (
	Unquoted Quoting = iota
	Single           // '…'
	Double           // "…"
	ANSI             // $'…', bash and zsh
)

// Word is one word of a line.
type Word struct {
	Start, End int    // byte offsets in the line
	Raw        string // as typed, line[Start:End]
	// Text is what the shell makes of it, as far as that is literal:
	// quotes and escapes resolved, expansions ($x, $(…), globs, a leading ~) as typed.
	Text string
	// Live says that part of Text is an expansion whose value is not known here.
	Live bool
	// Prefix is the leading part of Raw that holds a live ~, ~user or $VAR
	// expansion up to and with the last "/" after it, to be kept as typed;
	// PrefixText is the same part of Text. Both are "" for a plain word.
	Prefix, PrefixText string
	// Open is the quote still open at the end of Raw; Closed words have Unquoted.
	Open Quoting
	// Escape: Raw ends in a backslash that would quote the next character.
	Escape bool
	// Glob: an unquoted pattern character is in the word.
	Glob bool
}

// Redirect is a redirection of a simple command.
type Redirect struct {
	Op     string // ">", ">>", "<", ">|", "&>", "2>" without its number …
	FD     int    // the number before it, or -1
	Target Word
	Start  int
}

// Place is what kind of thing stands at the cursor.
type Place uint8

const (
	Argument       Place = iota // an argument of Command; Words[0] is whole
	CommandWord                 // the command word itself
	RedirectTarget              // the file of a redirection
	AssignValue                 // the value of NAME=… before a command
	Variable                    // a variable's name after $ or ${
	Data                        // a comment or the body of a here-document: nothing to complete
)

// Context is the simple command under the cursor and the cursor's place in it.
type Context struct {
	Place Place
	// Words are the words left of the cursor, without assignments,
	// redirections and reserved words (if, while, !, time, and, not …), whole
	// ones only; the word under the cursor is Cursor.
	Words []Word
	// After are the words right of the cursor.
	After []Word
	// Cursor is the word under the cursor cut at the cursor; its Start and End
	// are what an insertion replaces. An empty one between blanks has Start == End.
	Cursor Word
	// Suffix is the rest of that word right of the cursor, as typed.
	Suffix string
	// SuffixText is the same as the shell reads it.
	SuffixText string
	Assigns    []Word
	Redirects  []Redirect
	// Start is the offset at which the simple command begins.
	Start int
	// Depth counts the command substitutions and subshells around it.
	Depth int
}

// Texts returns the Text of the words.
func Texts(words []Word) []string {
	s := make([]string, len(words))
	for i, w := range words {
		s[i] = w.Text
	}
	return s
}
