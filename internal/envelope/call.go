package envelope

// Mode is what the lines of a result are.
type Mode uint8

const (
	Lines  Mode = iota // lines that match, with their files
	Names              // of files: -l, -L, and what find prints
	Counts             // a number for each file: -c
	Plain              // lines of a form that te does not know: find -ls, -printf
)

// Call is what te knows of a command before it starts it.
type Call struct {
	Cmd string
	// Argv are the tool's arguments, with te's own.
	Argv []string
	// Raw: the output is for a program, and passed on as it is.
	Raw bool
	// Wrong: the arguments are no usage of the tool, as far as te can tell.
	Wrong bool

	Operands []string // files and directories, as the caller wrote them
	Stdin    bool     // standard input alone is read
	Mode     Mode
	Parts    bool // -o: parts of lines, not lines
	Offsets  bool // -b
	NoName   bool // the lines of the result name no file
	NoNumber bool // nor their number
	Column   bool // rg --column

	Context       bool // lines around a match are shown
	After         int  // those that belong to the match before them
	Separator     string
	NoSeparator   bool
	OwnSeparator  string // what the tool prints instead
	Inverted      bool   // -v: what is selected does not match
	Insensitive   bool
	Literal       bool // the patterns are plain text
	Patterns      []string
	PatternFiles  bool     // -f
	PatternArgs   []string // the options and patterns alone, to look where a line matches
	Ranked        bool     // the order of the tool says nothing: te's own counts
	SkipsComplain bool     // -s: files that cannot be read are not complained about
}

// magnitude names what the result is counted in.
func (c *Call) lines() bool { return c.Mode != Lines && c.Cmd != "find" || c.Mode == Plain }
