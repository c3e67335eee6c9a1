package envelope

import (
	"slices"
	"strings"
)

// rgOptions are those of ripgrep that take a value, or say how a line of the result
// looks; others have none and change nothing here.
var rgOptions = []option{
	{"after-context", 'A', value},
	{"before-context", 'B', value},
	{"context", 'C', value},
	{"color", colourWhen, value},
	{"colors", 0xc0, value},
	{"context-separator", groupSep, value},
	{"no-context-separator", noGroupSep, noValue},
	{"dfa-size-limit", 0xc0, value},
	{"encoding", 'E', value},
	{"engine", 0xc0, value},
	{"field-context-separator", 0xc1, value},
	{"field-match-separator", 0xc1, value},
	{"file", 'f', value},
	{"glob", 'g', value},
	{"generate", 0xc2, value},
	{"hostname-bin", 0xc0, value},
	{"hyperlink-format", 0xc0, value},
	{"iglob", 0xc0, value},
	{"ignore-file", 0xc0, value},
	{"max-columns", 'M', value},
	{"max-count", 'm', value},
	{"max-depth", 'd', value},
	{"maxdepth", 'd', value},
	{"max-filesize", 0xc0, value},
	{"path-separator", 0xc0, value},
	{"pre", 0xc0, value},
	{"pre-glob", 0xc0, value},
	{"regexp", 'e', value},
	{"regex-size-limit", 0xc0, value},
	{"replace", 'r', value},
	{"sort", 0xc0, value},
	{"sortr", 0xc0, value},
	{"threads", 'j', value},
	{"type", 't', value},
	{"type-not", 'T', value},
	{"type-add", 0xc0, value},
	{"type-clear", 0xc0, value},
	{"ignore-case", 'i', noValue},
	{"case-sensitive", 's', noValue},
	{"smart-case", 'S', noValue},
	{"fixed-strings", 'F', noValue},
	{"invert-match", 'v', noValue},
	{"word-regexp", 'w', noValue},
	{"line-regexp", 'x', noValue},
	{"pcre2", 'P', noValue},
	{"multiline", 'U', noValue},
	{"only-matching", 'o', noValue},
	{"byte-offset", 'b', noValue},
	{"count", 'c', noValue},
	{"count-matches", 0xc3, noValue},
	{"files-with-matches", 'l', noValue},
	{"files-without-match", 0xc4, noValue},
	{"files", 0xc5, noValue},
	{"quiet", 'q', noValue},
	{"null", '0', noValue},
	{"null-data", 0xc6, noValue},
	{"help", 'h', noValue},
	{"version", 'V', noValue},
	{"type-list", 0xc6, noValue},
	{"pcre2-version", 0xc6, noValue},
	{"json", 0xc6, noValue},
	{"stats", 0xc6, noValue},
	{"debug", 0xc6, noValue},
	{"trace", 0xc6, noValue},
	{"heading", 0xc7, noValue},
	{"no-heading", 0xc7, noValue},
	{"pretty", 'p', noValue},
	{"vimgrep", 0xc8, noValue},
	{"column", 0xc8, noValue},
	{"no-column", 0xc7, noValue},
	{"line-number", 'n', noValue},
	{"no-line-number", 'N', noValue},
	{"with-filename", 'H', noValue},
	{"no-filename", 'I', noValue},
	{"passthru", 0xc9, noValue},
	{"passthrough", 0xc9, noValue},
	{"text", 'a', noValue},
	{"hidden", '.', noValue},
	{"follow", 'L', noValue},
	{"unrestricted", 'u', noValue},
	{"search-zip", 'z', noValue},
	{"block-buffered", 0xca, noValue},
	{"line-buffered", 0xca, noValue},
	{"no-ignore", 0xcb, noValue},
	{"no-messages", 0xcc, noValue},
	{"trim", 0xcd, noValue},
}

// RgCall reads the arguments of ripgrep, whose dialect and rules of what is ignored
// hold. te's own options follow the caller's and so win.
func RgCall(args []string, w World) *Call {
	c := &Call{Cmd: "rg", Separator: "--", Ranked: true}
	p := getopt(args, rgOptions, false, false)
	named := 0
	list := false
	for _, g := range p.options {
		switch g.short {
		case 'q', '0', 'h', 'V', 0xc6, 0xc1, 0xc2, 'U', 0xc9:
			c.Raw = true
		case 'A', 'B', 'C':
			c.Context = true
			if g.short != 'B' {
				c.After = atoi(g.arg)
			}
		case groupSep:
			c.Separator = g.arg
		case noGroupSep:
			c.NoSeparator = true
		case 'e':
			c.Patterns = append(c.Patterns, g.arg)
		case 'f':
			c.PatternFiles = true
		case 'i':
			c.Insensitive = true
		case 'S':
			c.Insensitive = true // at most: a word in capitals then finds its own
		case 'F':
			c.Literal = true
		case 'v':
			c.Inverted = true
		case 'o':
			c.Parts = true
		case 'b':
			c.Offsets = true
		case 0xc8:
			c.Column = true
		case 'I':
			named = 2
		case 'H':
			named = 1
		case 'c', 0xc3:
			c.Mode = Counts
		case 'l', 0xc4, 0xc5:
			list = true
			if g.short == 0xc5 {
				c.PatternFiles = true // no pattern among the operands
			}
		}
	}
	if list {
		c.Mode = Names
	}
	rest := p.operands
	if len(c.Patterns) == 0 && !c.PatternFiles && len(rest) > 0 {
		c.Patterns, rest = []string{args[rest[0]]}, rest[1:]
	}
	for _, i := range rest {
		c.Operands = append(c.Operands, args[i])
	}
	c.Stdin = len(c.Operands) == 0 && !w.NoInput && !list || len(c.Operands) == 1 && c.Operands[0] == "-"
	c.NoName = c.Mode != Names && (named == 2 || c.Stdin && named != 1)
	if c.Mode == Counts && (c.Stdin || len(c.Operands) == 1 && !w.IsDir(c.Operands[0])) {
		c.Raw = true
	}
	if c.Mode != Lines {
		c.Context = false
	}
	c.Argv = withOwn(args, c, w)
	return c
}

// withOwn puts te's options before "--" or at the end.
func withOwn(args []string, c *Call, w World) []string {
	own := []string{"--no-heading", "--color=never", "--null", "-H"}
	if c.Mode == Lines {
		own = append(own, "-n")
	}
	if c.Context && w.Unlikely != "" && !c.NoSeparator {
		c.OwnSeparator = w.Unlikely
		own = append(own, "--context-separator="+w.Unlikely)
	}
	return insert(args, own)
}

func insert(args, own []string) []string {
	at := slices.Index(args, "--")
	if at < 0 {
		at = len(args)
	}
	return slices.Concat(args[:at], own, args[at:])
}

func atoi(s string) int {
	n := 0
	for _, c := range []byte(strings.TrimSpace(s)) {
		if c < '0' || c > '9' || n > 1<<30 {
			return n
		}
		n = n*10 + int(c-'0')
	}
	return n
}
