package envelope

import (
	"slices"
	"strconv"
	"strings"
)

// grepOptions are those of GNU grep (and BSD's, which knows fewer). Options that
// have no letter of their own get one beyond ASCII's.
var grepOptions = []option{
	{"basic-regexp", 'G', noValue},
	{"extended-regexp", 'E', noValue},
	{"fixed-regexp", 'F', noValue},
	{"fixed-strings", 'F', noValue},
	{"perl-regexp", 'P', noValue},
	{"after-context", 'A', value},
	{"before-context", 'B', value},
	{"context", 'C', value},
	{"binary-files", 0x81, value},
	{"binary", 'U', noValue},
	{"byte-offset", 'b', noValue},
	{"color", 0x82, optionalValue},
	{"colour", 0x82, optionalValue},
	{"count", 'c', noValue},
	{"devices", 'D', value},
	{"directories", 'd', value},
	{"exclude", 0x83, value},
	{"exclude-from", 0x84, value},
	{"exclude-dir", 0x85, value},
	{"file", 'f', value},
	{"files-with-matches", 'l', noValue},
	{"files-without-match", 'L', noValue},
	{"group-separator", 0x86, value},
	{"help", 0x87, noValue},
	{"include", 0x88, value},
	{"ignore-case", 'i', noValue},
	{"no-ignore-case", 0x89, noValue},
	{"initial-tab", 'T', noValue},
	{"label", 0x8a, value},
	{"line-buffered", 0x8b, noValue},
	{"line-number", 'n', noValue},
	{"line-regexp", 'x', noValue},
	{"max-count", 'm', value},
	{"no-filename", 'h', noValue},
	{"no-group-separator", 0x8c, noValue},
	{"no-messages", 's', noValue},
	{"null", 'Z', noValue},
	{"null-data", 'z', noValue},
	{"only-matching", 'o', noValue},
	{"quiet", 'q', noValue},
	{"recursive", 'r', noValue},
	{"dereference-recursive", 'R', noValue},
	{"regexp", 'e', value},
	{"invert-match", 'v', noValue},
	{"silent", 'q', noValue},
	{"text", 'a', noValue},
	{"unix-byte-offsets", 'u', noValue},
	{"version", 'V', noValue},
	{"with-filename", 'H', noValue},
	{"word-regexp", 'w', noValue},
	{"", 'I', noValue},
	{"", 'X', value},
	{"", 'y', noValue},
}

// The letters of options that have none.
const (
	binaryFiles   = 0x81
	colourWhen    = 0x82
	groupSep      = 0x86
	helpText      = 0x87
	noIgnoreCase  = 0x89
	noGroupSep    = 0x8c
	separatorOnly = "no separator of the caller's"
)

// World is what te knows of a call's surroundings.
type World struct {
	Posix    bool                   // POSIXLY_CORRECT is set
	NoInput  bool                   // standard input is a terminal or /dev/null
	IsDir    func(path string) bool // through symbolic links
	Unlikely string                 // a line that no output has, to tell groups of lines apart; "" if the tool cannot print one
}

// grepReader collects what the options of a call mean.
type grepReader struct {
	c          *Call
	w          World
	args       []string
	p          parsed
	recursive  bool
	named      int // -H, -h: 1, 2
	dirs       string
	count      bool
	list       bool
	digits     string
	digitsWord int
	noContext  bool
}

// GrepCall reads the arguments of grep and adds te's own, so that they win: those
// of the caller that say how a line begins are honoured in the result instead.
func GrepCall(args []string, w World) *Call {
	c := &Call{Cmd: "grep", Separator: "--", Ranked: true}
	r := &grepReader{c: c, w: w, args: slices.Clone(args), p: getopt(args, grepOptions, true, w.Posix)}
	c.Wrong = r.p.wrong
	for _, g := range r.p.options {
		r.option(g)
	}
	r.endDigits()
	r.operands()
	r.mode()
	own := []string{"-nH", "--null", "--color=never"}
	if c.Context && w.Unlikely != "" && !c.NoSeparator {
		c.OwnSeparator = w.Unlikely
		own = append(own, "--group-separator="+w.Unlikely)
	}
	if r.recursive {
		own = append(own, "-r")
	}
	c.Argv = append(own, slices.DeleteFunc(r.args, func(a string) bool { return a == separatorOnly })...)
	return c
}

func (r *grepReader) option(g given) {
	c := r.c
	if g.short >= '0' && g.short <= '9' {
		if r.digits == "" || r.digitsWord != g.word {
			r.digits, r.digitsWord = "", g.word
		}
		r.digits += string(rune(g.short))
		return
	}
	r.endDigits()
	switch g.short {
	case 'q', 'Z', 'z', 'T', 'V', helpText:
		c.Raw = true
	case 'h', 'H':
		r.named = map[byte]int{'H': 1, 'h': 2}[g.short]
		r.replace(g)
	case colourWhen:
		if !g.has || slices.Contains([]string{"always", "yes", "force", "never", "no", "none", "auto", "tty", "if-tty"}, g.arg) {
			r.replace(g)
		} else {
			c.Wrong = true
		}
	case groupSep:
		c.Separator, c.NoSeparator = g.arg, false
		r.replace(g)
	case noGroupSep:
		c.NoSeparator = true
	case 'A', 'B', 'C':
		r.context(g)
	case 'm':
		if !number(g.arg, true) {
			c.Wrong = true
		}
	case 'b':
		c.Offsets = true
	case 'c':
		r.count = true
	case 'l', 'L':
		r.list = true
	case 'o':
		c.Parts = true
	case 'r', 'R':
		r.dirs = "recurse"
	case 'd':
		r.dirs = g.arg
		c.Wrong = c.Wrong || !abbreviates(g.arg, "read", "recurse", "skip")
	case 'D':
		c.Wrong = c.Wrong || g.arg != "read" && g.arg != "skip"
	case binaryFiles:
		c.Wrong = c.Wrong || !slices.Contains([]string{"binary", "text", "without-match"}, g.arg)
	default:
		r.pattern(g)
	}
}

// pattern reads the options that say what matches.
func (r *grepReader) pattern(g given) {
	c := r.c
	letter := "-" + string(rune(g.short))
	switch g.short {
	case 'e':
		c.Patterns = append(c.Patterns, strings.Split(g.arg, "\n")...)
		c.PatternArgs = append(c.PatternArgs, "-e", g.arg)
	case 'f':
		c.PatternFiles = true
		c.PatternArgs = append(c.PatternArgs, "-f", g.arg)
	case 'i', 'y':
		c.Insensitive = true
		c.PatternArgs = append(c.PatternArgs, "-i")
	case noIgnoreCase:
		c.Insensitive = false
		c.PatternArgs = append(c.PatternArgs, "--no-ignore-case")
	case 'v':
		c.Inverted = true
	case 's':
		c.SkipsComplain = true
	case 'F':
		c.Literal = true
		c.PatternArgs = append(c.PatternArgs, letter)
	case 'E', 'G', 'P':
		c.Literal = false
		c.PatternArgs = append(c.PatternArgs, letter)
	case 'w', 'x':
		c.PatternArgs = append(c.PatternArgs, letter)
	}
}

// replace puts in the place of an option one that te sets anyway, so that the words
// around it keep their meaning.
func (r *grepReader) replace(g given) {
	if g.at == 0 {
		r.args[g.word] = "--line-number"
		if g.apart {
			r.args[g.word+1] = separatorOnly
		}
		return
	}
	b := []byte(r.args[g.word])
	b[g.at] = 'n'
	r.args[g.word] = string(b)
}

func (r *grepReader) context(g given) {
	if !number(g.arg, false) {
		r.c.Wrong = true
		return
	}
	n, err := strconv.Atoi(g.arg)
	if err != nil {
		n = 1 << 30
	}
	r.setContext(g.short, n)
}

func (r *grepReader) setContext(which byte, n int) {
	r.c.Context = true
	switch which {
	case 'A':
		r.c.After, r.noContext = n, true
	case 'B':
	default:
		if !r.noContext {
			r.c.After = n
		}
	}
}

func (r *grepReader) endDigits() {
	if r.digits != "" {
		if n, err := strconv.Atoi(r.digits); err == nil {
			r.setContext('C', n)
		} else {
			r.setContext('C', 1<<30)
		}
		r.digits = ""
	}
}

// operands tells the pattern from the files, and whether directories are searched.
func (r *grepReader) operands() {
	c, rest := r.c, r.p.operands
	if len(c.Patterns) == 0 && !c.PatternFiles {
		if len(rest) == 0 {
			c.Wrong = true
			return
		}
		c.Patterns = strings.Split(r.args[rest[0]], "\n")
		c.PatternArgs = append(c.PatternArgs, "-e", r.args[rest[0]])
		rest = rest[1:]
	}
	for _, i := range rest {
		c.Operands = append(c.Operands, r.args[i])
	}
	explicit := r.dirs != ""
	switch {
	case len(c.Operands) == 0 && strings.HasPrefix("recurse", r.dirs) && len(r.dirs) >= 3:
		// grep itself searches the directory it is in
	case len(c.Operands) == 0 && r.w.NoInput && !explicit:
		r.recursive = true
	case len(c.Operands) == 0 || len(c.Operands) == 1 && c.Operands[0] == "-":
		c.Stdin = true
	case !explicit && slices.ContainsFunc(c.Operands, r.w.IsDir):
		r.recursive = true
	}
}

func (r *grepReader) mode() {
	c := r.c
	switch {
	case r.list:
		c.Mode = Names
	case r.count:
		c.Mode = Counts
	}
	c.NoName = r.named == 2 || c.Stdin && r.named != 1
	if c.Mode == Names {
		c.NoName = false
	}
	if c.Mode == Counts && (c.Stdin || len(c.Operands) == 1 && !r.w.IsDir(c.Operands[0])) {
		c.Raw = true
	}
	if c.Mode != Lines {
		c.Context = false
	}
}

// number reports whether grep takes a word for a number of lines.
func number(s string, signed bool) bool {
	if signed {
		s = strings.TrimPrefix(s, "-")
	}
	s = strings.TrimPrefix(strings.TrimLeft(s, " \t\n\v\f\r"), "+")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func abbreviates(s string, words ...string) bool {
	n := 0
	for _, w := range words {
		if w == s {
			return true
		}
		if s != "" && strings.HasPrefix(w, s) {
			n++
		}
	}
	return n == 1
}
