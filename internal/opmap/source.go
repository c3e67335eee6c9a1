// Package opmap is the source form of the map: it loads, validates, layers and
// trusts the files that people write, and compiles them into tcpdb images.
package opmap

import (
	"encoding/json"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// SchemaVersion is the version of the source form that this package reads.
const SchemaVersion = 1

// Extra is a member of a source object that this package does not know. It is
// kept, so that a file of a newer version survives being rewritten.
type Extra struct {
	Name  string
	Value json.RawMessage
}

// Source is one source map: what is known of one tool.
type Source struct {
	File         string // where it was read from
	Schema       int
	Tool         string
	Version      string // the version of the tool that the map was made from
	VersionRange string // the versions that it holds for, ">=2.20"
	Provenance   string // "curated", "manual", "help", "script", "package", "user", "import"
	Verified     bool   // a claim; see Standing
	Evidence     []Evidence
	Verify       *Rule // what makes it verified; nil for the usual
	Node         *Node // nil if the file has operations only
	Operations   []*Operation
	Gaps         []Gap // of a draft: what the texts it was made from leave open
	Origin       *Origin
	Shared       *Shared
	Extra        []Extra

	form form
}

// form is how the file wraps its content, so that it is written back alike.
type form uint8

const (
	mapForm       form = iota // a whole source map
	recordForm                // one bare operation record (seed 000)
	operationForm             // {"operations": […]}
)

// Evidence is one reason why a map is trusted (seed 000, "Evidence").
type Evidence struct {
	Kind        string // "parsed_help", "dry_run", "sample_test", "human_review", "signature"
	Date        string // RFC 3339
	ToolVersion string
	Hash        string // of what was looked at
	By          string
	Extra       []Extra
}

// Node is a command of the tool's tree.
type Node struct {
	Name           string
	Aliases        []string
	Description    string
	Hidden         bool
	Deprecated     bool
	Replace        bool // stands in place of lower layers' node; user and system only
	Interspersed   bool // default true
	SingleDashLong bool
	NoAbbreviation bool
	Plus           bool
	NumericFlags   bool
	OwnOptions     bool // its options stand before a sub-command only: git -C DIR status
	Keywords       bool // options may be plain words: the "dev" of "ip route add … dev eth0"
	Bundle         bool // the first word may be short options without a dash; the first argument describes it
	Partial        bool // holds what judging needs and no more; completion is left to others
	Flags          []*Flag
	Args           []*Arg
	Subcommands    []*Node
	Wrapper        *Wrapper
	Class          []string // kinds of program: "pager", "interpreter:python"; see tcpdb.ValidClass
	Output         string   // the form of what it prints: "go-test"; see tcpdb.Outputs
	Exec           string
	Examples       []Example
	Extra          []Extra
}

// Gap is something that no text tells of a command.
type Gap struct {
	Node, Text string
	// Note: it is about the map, as its licence is, and leaves nothing open of what
	// can be typed.
	Note bool
}

// Origin says what a map was imported from.
type Origin struct {
	Format     string // "map", "carapace", "fig", "usage", "cobra", "clap", "openapi", "swagger"
	From       string // the name of the file without its directory, or of the program
	Digest     string // of what was read, "sha256:" and hex; "" for a program
	Licence    string // as it is written there or was said; "" if it is not known
	Provenance string // what an imported map said of itself
	Date       string // of the import, RFC 3339
	// Content stands for the operations as they were imported (see ContentDigest): what
	// was edited since is not written over.
	Content string
	Extra   []Extra
}

// Shared seals a map that was written for another machine.
type Shared struct {
	Digest string // of the map without this seal, "sha256:" and hex; see Source.Digest
	Date   string // RFC 3339
	By     string // the program, "tmp 1.2.0"
	Extra  []Extra
}

// Example is a line to type, with what it does, for help and manual pages.
type Example struct{ Line, Text string }

// Flag is an option. ID defaults to the first long name without dashes, else
// to the first name without its dash.
type Flag struct {
	ID          string
	Names       []string
	Value       string // "none", "required", "optional"
	Spec        *Spec
	Bundles     []string // what is often typed with a short option that takes no value: "-lah" of "-l"
	Repeatable  bool
	Group       string
	Hidden      bool
	Deprecated  bool
	Negatable   bool
	Description string
	Default     string   // what holds when it is not given, as the tool's text says
	From        []string // of a draft: the texts that name it, "man:120"
	Role        string   // what it or its value does: "shell-line", "code:sql"; see tcpdb.Role
	RoleWith    []string // IDs of flags: the role holds where one of them is given, and none behind "!"
	Extra       []Extra
}

// Arg is a positional argument.
type Arg struct {
	Name        string
	Spec        *Spec
	Alt         []*Spec
	Required    bool
	Repeatable  bool
	AfterDash   bool
	With        []string // IDs of flags: stands in place of the others where one of them is given
	Role        string   // as of a flag
	RoleWith    []string
	Description string
	Extra       []Extra
}

// Spec says where values come from. Enum may stand beside Resolver; otherwise
// exactly one of the kinds is set.
type Spec struct {
	Enum     []EnumValue
	File     bool
	Dir      bool
	Resolver string
	Type     string
	Command  bool
	List     string // separator of a value that is a list
	Then     *Then
	// Otherwise: only where the kinds before it in "alt" have nothing that fits.
	Otherwise bool
	Extra     []Extra
}

// Then is a second part of a value, behind a separator: user:group.
type Then struct {
	Separator string
	Required  bool
	Spec      *Spec
	Extra     []Extra
}

// EnumValue is one word of a closed set.
type EnumValue struct {
	Value       string
	Description string
	Spec        *Spec // of what follows in the same word: the file of "if="
}

// Wrapper says how a command carries another one.
type Wrapper struct {
	Mode        string // "words", "shell", "joined", "trailer"
	Skip        int
	ShellFlag   string
	Assignments bool
	Markers     []string
	Terminators []string
	Elsewhere   bool
	Adds        []string // capabilities, "REQUIRES_ROOT"
	Dialect     string
	Extra       []Extra
}

// Operation is the record of seed 000.
type Operation struct {
	ID           string
	Version      string
	Surface      string
	Description  string
	Intents      []string // as written
	Template     string
	Parameters   []*Parameter
	Effect       string
	Risk         string
	Approval     string
	When         *When
	OutputPolicy *OutputPolicy
	Verified     bool
	Evidence     []Evidence
	Verify       *Rule           // beside that of the map
	Env          []string        // what it receives of the environment beside the base; nil for the surface's default
	EnvGiven     bool            // "env": [] is a list, an absent one none
	Timeout      string          // "90s"
	Idempotent   bool            // running it twice does no harm
	Outputs      []string        // patterns of what it writes
	Inputs       []string        // patterns of what it is run over again
	Steps        []workflow.Step // of surface workflow
	Sources      []workflow.Source
	Directory    string  // where it runs: "" or "source"
	Extra        []Extra // of other surfaces too: method, path, query

	sql       surface.SQLRecord // of surface sql
	writes    string            // what its words say that it changes, "" if nothing
	queryLine int               // where its statement begins in the file, 0 if it is not there by itself

	stepLines []int

	line int
}

// When says where an operation applies: all that is given must hold.
type When struct {
	Files    []string // one of them must exist in the working directory or above
	Managers []string // one of them must manage the project's packages
	Values   []string // "RESOLVER=VALUE": one of them must be there
	Extra    []Extra
}

// OutputPolicy says how a result is returned.
type OutputPolicy struct {
	Mode         string
	RawRetention string
	Extra        []Extra
}

// Parameter is an input of an operation.
type Parameter struct {
	Name     string
	Type     string
	Required bool
	Resolver string
	Match    string // "closed" (default), "filter"
	// Default is the value without one, or "<RESOLVER>" for the one that a resolver
	// gives: "<git:current_branch>".
	Default     string
	Description string
	// What the values are held against, as in JSON Schema: numbers as they are written.
	Enum             []string
	Format           string
	Minimum, Maximum string
	Extra            []Extra

	found bool // it stands in the statement alone, and is not written
}

// Level returns the risk that the operation states, Unknown if it is none.
func (op *Operation) Level() tcpdb.Level {
	l, err := tcpdb.ParseLevel(op.Risk)
	if err != nil {
		return tcpdb.Unknown
	}
	return l
}

// Count counts the commands of a tree below its root, and the flags of all.
func Count(n *Node) (commands, flags int) {
	flags = len(n.Flags)
	for _, s := range n.Subcommands {
		c, f := Count(s)
		commands, flags = commands+1+c, flags+f
	}
	return commands, flags
}

// Line is where an operation begins in its file.
func (op *Operation) Line() int { return op.line }
