package tcpdb

// ValueMode says whether a flag takes a value.
type ValueMode uint8

const (
	NoValue       ValueMode = iota // --all
	RequiredValue                  // --file=x, --file x, -fx, -f x
	OptionalValue                  // --color[=when]: only attached
)

// SpecKind says where the values of a flag or argument come from.
type SpecKind uint8

const (
	AnySpec      SpecKind = iota // free text
	EnumSpec                     // one of Enum
	FileSpec                     // a file name
	DirSpec                      // a directory name
	ResolverSpec                 // the values of the resolver named in Name
	TypeSpec                     // free text of the type in Name: "int", "duration", "url", "size" …
	CommandSpec                  // an executable: the first word of another command
)

// EnumValue is one word of a closed set, with what it means.
type EnumValue struct {
	Value       string
	Description string
	// Next is what follows the word in the same word, as the file of "if="; nil
	// if the word is whole.
	Next *ValueSpec
}

// ValueSpec describes the values that a flag or argument takes.
type ValueSpec struct {
	Kind SpecKind
	// Otherwise: these values are offered only where none of the kinds before it in
	// the same place has any that fits.
	Otherwise bool
	Name      string      // resolver or type
	Enum      []EnumValue // for EnumSpec, also extra literal values beside a resolver
	// List is the separator of a value that is a list ("," for --x=a,b), or "".
	List string
	// Then is what may follow the value in the same word, or nil.
	Then *Continuation
}

// Continuation is the second part of a value: the group of user:group.
type Continuation struct {
	Separator string
	Required  bool // the first part alone is not a value: the path of container:path
	Spec      ValueSpec
}

// Flag is an option of a command.
type Flag struct {
	ID          string   // stable name used by variants: the long name without dashes, else the short one
	Names       []string // with their dashes, if they have any, the preferred one first
	Value       ValueMode
	Repeatable  bool
	Hidden      bool
	Deprecated  bool
	Negatable   bool      // --no-x exists as well
	Spec        ValueSpec // of a flag without a value: words that are often typed with it, "-lah" of "-l"
	Group       string    // flags of one group exclude each other
	Description string
	Role        Role // of the value, or of a flag without one
	// RoleWith are IDs of flags: the role holds where one of them is given; nil: always.
	RoleWith []string
}

// Arg is a positional argument.
type Arg struct {
	Name        string
	Spec        ValueSpec
	Alt         []ValueSpec // other kinds accepted in this place, such as a file where a branch may stand
	Required    bool
	Repeatable  bool // this one and all that follow
	AfterDash   bool // only after "--"
	Description string
	// With are IDs of flags. If one of them is given, the arguments that name it
	// are the command's; those without any are if none is.
	With []string
	Role Role
	// RoleWith are IDs of flags: the role holds where one of them is given; nil: always.
	RoleWith []string
}

// NodeBits are yes/no properties of a command.
type NodeBits uint16

const (
	HiddenNode     NodeBits = 1 << iota // not offered
	DeprecatedNode                      // offered last
	DraftNode                           // completes and is judged, never runs through resolve
	Interspersed                        // options may follow positional arguments (GNU, git)
	SingleDashLong                      // -name is one long option, not a bundle (go, find, terraform)
	NoAbbreviation                      // long options must be written out
	Plus                                // words that begin with "+" are options (date, sort)
	NumericFlags                        // -5 is an option (head, git log)
	Replaces                            // this layer's node replaces those of lower layers
	Partial                             // holds what judging needs and no more: not a map to complete from
	Bundle                              // the first word may be short options without their dash (tar xf); the first argument describes it
	Keywords                            // options may be plain words (ip route add 10.0.0.0/8 dev eth0)
	Gap                                 // of a draft: its texts are known to leave something of this command open
	OwnOptions                          // of a root: the options of each command stand before its sub-command only (git, go); of another: it takes none of those above it
)

// WrapMode says how a command carries another one.
type WrapMode uint8

const (
	NoWrap      WrapMode = iota
	WrapWords            // the words from the first (Skip'th) positional on are a command: sudo, env, xargs
	WrapShell            // one word is a shell line: sh -c, the value of ShellFlag; without it a script file
	WrapJoined           // all positionals, joined by blanks, are a shell line: eval, ssh h …, watch
	WrapTrailer          // after one of Markers up to a terminator: find -exec … ;
)

// Wrapper describes a command that runs another one.
type Wrapper struct {
	Mode WrapMode
	// Skip counts the positionals before the inner command: 1 for ssh and docker exec.
	Skip int
	// ShellFlag is the ID of the flag whose value is a shell line (sh -c, su -c).
	ShellFlag string
	// Assignments says that words of the form NAME=value before the command are not it (env, sudo).
	Assignments bool
	// Markers start an inner command in WrapTrailer; Terminators end it.
	Markers     []string
	Terminators []string
	// Elsewhere: the inner command runs on another host or in a container, so
	// local files are not its files.
	Elsewhere bool
	// Adds are capabilities that wrapping adds (sudo).
	Adds Flags
	// Dialect of the inner shell line: "bash", "posix", "zsh", "fish"; "" is the outer one.
	Dialect string
}

// Node is one command of a tool's tree. Read from a View it is merged over the
// layers, and what it says of its sub-commands is read when AllSubs or Sub asks:
// they are shallow then (Name, Path, Aliases, Description and Bits only), and
// View.Open loads one. Given to a Builder, Subs are whole.
type Node struct {
	Path        string // canonical, "git remote add"
	Name        string
	Aliases     []string
	Description string
	Bits        NodeBits
	Flags       []Flag
	Args        []Arg
	Subs        []*Node // as given to a Builder; nil when read, see AllSubs
	Wrapper     Wrapper
	// Class says what kind of program it is, in words of ValidClass; a sub-command
	// without any is of its parent's.
	Class []string
	// Output names the form of what it prints, as package shape has it: "go-test".
	Output string
	// Exec is the resolver or completer to ask for what the map does not hold:
	// "" for none, "cobra" for a program with __complete.
	Exec string

	refs [layerCount]uint32
	subs *subs // the sub-commands of a node that was read, nil if there are none
}

// Flag returns the flag that has the name, dashes included, or nil.
func (n *Node) Flag(name string) *Flag {
	for i := range n.Flags {
		for _, s := range n.Flags[i].Names {
			if s == name {
				return &n.Flags[i]
			}
		}
	}
	return nil
}
