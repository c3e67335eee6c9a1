// Package shells is what stands between a line editor and the engine: the hook
// files that bash, zsh and fish read, what they send on a Tab, and what they
// are told to do.
//
// A hook starts tmp-tab once per Tab. It passes switches as arguments
// and everything that may be long or hold any byte on standard input, as
// records that each end in a NUL (bash, which cannot keep one, says --split
// and ends them with the unit separator 0x1F):
//
//	left of the cursor, right of it, the end of left that the shell will
//	replace, N names of aliases, their N texts (--aliases N), N names of
//	variables that the line names, their N values (--vars N)
//
// The answer is text of lines; Reply describes it.
package shells

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/completion"
)

// Wire is the version of what hooks and tmp-tab say to each other. A hook
// passes its own; tmp-tab refuses others, so that a hook file from another
// version falls back to the shell's own completion.
const Wire = 1

// Call is one Tab as the shell tells it.
type Call struct {
	Shell string // "bash", "zsh", "fish" or one of WordShells
	// Words are the words up to the cursor, the last one being completed; of the shells
	// in WordShells, which send no line.
	Words []string
	// Left and Right are the line on both sides of the cursor.
	Left, Right string
	// Word is the end of Left that the shell will put an insertion in place of.
	Word string
	// Kind is bash's COMP_TYPE: 9 (TAB), '?', '!', '@', '%' or '*'.
	Kind    int
	Columns int // of the terminal, 80 if unknown
	Rows    int // of the terminal, 0 if unknown
	Dir     string
	Armed   bool
	Aliases map[string]string
	// Vars are those variables of the shell that the line names, exported or not.
	Vars map[string]string
	// command: bash's "complete -C", which reads values alone.
	command bool
	// ASCII says that the terminal's character set is not UTF-8.
	ASCII bool
	// Limit caps the matches, 0 for no cap; nil is what suits the shell.
	Limit *int
}

// UsageError says that the arguments or the records are not a call.
type UsageError struct{ Problem string }

func (e *UsageError) Error() string { return e.Problem }

func usage(format string, args ...any) error {
	return &UsageError{Problem: fmt.Sprintf(format, args...)}
}

// maxInput bounds what is read from a hook: a line of a megabyte and a full
// set of aliases fit many times over.
const maxInput = 16 << 20

// maxColumns is wider than any terminal; bash's rows are padded to half of it.
const maxColumns = 4096

// ParseCall reads a call from the arguments of tmp-tab and its standard input.
// Errors are *UsageError or those of stdin.
func ParseCall(args []string, stdin io.Reader) (*Call, error) {
	c := &Call{Columns: 80, Kind: KindTab}
	o, err := parseOptions(c, args)
	if err != nil {
		return nil, err
	}
	if c.Words != nil {
		return c, nil
	}
	data, err := io.ReadAll(io.LimitReader(stdin, maxInput))
	if err != nil {
		return nil, err
	}
	if o.words {
		return c, c.readWords(string(data))
	}
	if o.wire == 0 {
		c.readLine(string(data), o.point)
		return c, nil
	}
	return c, c.readRecords(string(data), o)
}

// options are the switches that say how to read standard input.
type options struct {
	wire, point, aliases, vars int
	split, words               bool
}

// number is where the number of a switch goes, nil for a switch that takes none.
func (o *options) number(c *Call, name string) *int {
	switch name {
	case "--wire":
		return &o.wire
	case "--point":
		return &o.point
	case "--aliases":
		return &o.aliases
	case "--vars":
		return &o.vars
	case "--type":
		return &c.Kind
	case "--columns":
		return &c.Columns
	case "--rows":
		return &c.Rows
	case "--limit":
		c.Limit = new(int)
		return c.Limit
	}
	return nil
}

func parseOptions(c *Call, args []string) (options, error) {
	o := options{point: -1}
	for i := 0; i < len(args); i++ {
		name, value, attached := strings.Cut(args[i], "=")
		switch args[i] {
		case "--armed":
			c.Armed = true
			continue
		case "--split":
			o.split = true
			continue
		case "--words":
			o.words = true
			continue
		case "--":
			// A shell that cannot write a NUL passes the words as arguments.
			if c.Words = args[i+1:]; !o.words || len(c.Words) < 2 {
				return o, usage("--: want --words before it, and the command and what is typed behind it")
			}
			i = len(args)
			continue
		}
		if !attached {
			if i++; i == len(args) {
				return o, usage("%s: unknown, or without its value", name)
			}
			value = args[i]
		}
		if n := o.number(c, name); n != nil {
			v, err := strconv.Atoi(value)
			switch {
			case name == "--point" && (err == nil || errors.Is(err, strconv.ErrRange)):
				v = max(v, 0) // a cursor outside of the line stands at its end
			case err != nil || v < 0:
				return o, usage("%s %q: want a number", name, value)
			}
			*n = v
			continue
		}
		switch name {
		case "--shell":
			c.Shell = value
		case "--cwd":
			c.Dir = value
		default:
			return o, usage("%s: unknown", name)
		}
	}
	c.Columns = min(c.Columns, maxColumns)
	switch {
	case c.Shell == "bash" || c.Shell == "zsh" || c.Shell == "fish":
	case isWordShell(c.Shell) && o.words:
	default:
		return o, usage("--shell %q: want bash, zsh, fish or, with --words, %s", c.Shell, strings.Join(WordShells, ", "))
	}
	if o.wire != 0 && o.wire != Wire {
		return o, usage("the hook speaks version %d and this program %d: start a new shell", o.wire, Wire)
	}
	return o, nil
}

// readLine reads the plain form: the line, a NUL, and aliases "name=value"
// that each end in one. The cursor is at byte point; past the end clamps, in a
// rune rounds down, negative is the end.
func (c *Call) readLine(data string, point int) {
	line, rest, _ := strings.Cut(data, "\x00")
	c.Left, c.Right = cut(line, point)
	c.Word = ""
	for rest != "" {
		var alias string
		alias, rest, _ = strings.Cut(rest, "\x00")
		if name, text, ok := strings.Cut(alias, "="); ok && name != "" {
			c.alias(name, text)
		}
	}
}

func cut(line string, point int) (left, right string) {
	if point < 0 || point > len(line) {
		point = len(line)
	}
	for point > 0 && point < len(line) && !utf8.RuneStart(line[point]) {
		point--
	}
	return line[:point], line[point:]
}

func (c *Call) alias(name, text string) {
	if c.Aliases == nil {
		c.Aliases = map[string]string{}
	}
	c.Aliases[name] = text
}

// readRecords reads the form of the hooks.
func (c *Call) readRecords(data string, o options) error {
	sep := "\x00"
	if o.split {
		sep = "\x1f"
		data = strings.TrimSuffix(data, "\n") // a here-string's own
	}
	data = strings.TrimSuffix(data, sep)
	records := strings.Split(data, sep)
	if o.aliases > len(records) || o.vars > len(records) || len(records) < 3+2*(o.aliases+o.vars) {
		return usage("%d records with %d aliases and %d variables: want three more than two for each", len(records), o.aliases, o.vars)
	}
	c.Left, c.Right, c.Word = records[0], records[1], records[2]
	if !strings.HasSuffix(c.Left, c.Word) {
		return usage("the word %q is not at the end of %q", c.Word, c.Left)
	}
	records = records[3:]
	for i := range o.aliases {
		c.alias(records[i], records[o.aliases+i])
	}
	records = records[2*o.aliases:]
	for i := range o.vars {
		if c.Vars == nil {
			c.Vars = map[string]string{}
		}
		c.Vars[records[i]] = records[o.vars+i]
	}
	return nil
}

// Request is what the engine is asked.
func (c *Call) Request(getenv func(string) string) completion.Request {
	return completion.Request{
		Shell:   c.Shell,
		Line:    c.Left + c.Right,
		Point:   len(c.Left),
		Words:   c.Words,
		Dir:     c.Dir,
		Getenv:  getenv,
		Aliases: c.Aliases,
		Vars:    c.Vars,
		Limit:   c.limit(),
		Armed:   c.Armed,
	}
}

// UTF8Locale reports whether the locale's characters are UTF-8 (POSIX, 8.2: the
// first of the three that is set and not empty counts).
func UTF8Locale(getenv func(string) string) bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}
