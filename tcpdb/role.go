package tcpdb

import (
	"slices"
	"strings"
)

// Role says what an option, or the value of an option or argument, does beyond
// being one: to those who judge a line, follow it, or keep it. It is a name from
// the table below, with an operand behind ":" where the table says so:
// "shell-line", "code:python". "" is none. A program that does not know a role
// passes it over.
type Role string

// Roles of values.
const (
	// ShellLineRole: a shell runs the value.
	ShellLineRole Role = "shell-line"
	// ProgramRole: the value names a program that is started, perhaps with words.
	ProgramRole Role = "program"
	// CodeRole: the value is a text of the language in the operand: "code:sql".
	CodeRole Role = "code"
	// InputProgramRole: the value names a file that is run, in the language of the
	// operand: "input-program:sql". Without one the tool's own, which nobody reads.
	InputProgramRole Role = "input-program"
	// GrammarRole: the value has a form of its own, which the package that judges
	// reads by the operand's name: "grammar:socat-address".
	GrammarRole Role = "grammar"
	// ChdirRole: the tool works in the directory that the value names.
	ChdirRole Role = "chdir"
	// OutputFileRole, OutputDirRole: what the value names is written.
	OutputFileRole Role = "output-file"
	OutputDirRole  Role = "output-dir"
	// UploadFileRole: what the file holds leaves this machine.
	UploadFileRole Role = "upload-file"
	// ConfigFileRole: the tool reads its settings from it.
	ConfigFileRole Role = "config-file"
	// SecretRole, SecretFileRole: the value, or what the file holds, is for nobody to see.
	SecretRole     Role = "secret"
	SecretFileRole Role = "secret-file"
	// SecretInputRole: with this option the tool reads a secret from its standard
	// input.
	SecretInputRole Role = "secret-input"
	// PlaceRole: what the value names is where the command acts, of the kind in the
	// operand: "place:host", "place:context", "place:profile".
	PlaceRole Role = "place"
	// SetsPlaceRole: from now on what the value names is where commands act, of the kind
	// in the operand: terraform workspace select NAME is "sets-place:workspace".
	SetsPlaceRole Role = "sets-place"
	// MessageRole: free text for people; it decides nothing.
	MessageRole Role = "message"
	// ModuleRole: the value names a module that is run, which has the name of a
	// program: python -m pytest.
	ModuleRole Role = "module"
	// TaskRole: the value names a task that the project's file defines, and the tool
	// runs it: node --run. Of a tool that does nothing else see TaskRunnerClass.
	TaskRole Role = "task"
	// SearchRole: the value is the text or expression that is looked for.
	SearchRole Role = "search"
	// FormatRole: the value names the form of the output: json, yaml, wide.
	FormatRole Role = "format"
)

// Roles of options.
const (
	DryRunRole    Role = "dry-run"    // nothing is done, what would be done is shown
	AssumeYesRole Role = "assume-yes" // what the tool would ask about is done
	ForceRole     Role = "force"      // what the tool would refuse is done
	RecursiveRole Role = "recursive"  // a whole tree is acted on
	FollowRole    Role = "follow"     // the output goes on until it is stopped
	OnceRole      Role = "once"       // what else goes on ends by itself: docker stats --no-stream
	ViewRole      Role = "view"       // parts of the files that are named are shown: sed -n
	TerminalRole  Role = "terminal"   // the tool wants a terminal to talk to: -it
	BatchRole     Role = "batch"      // it wants none: --batch, -c LINE
	// OutputRole: with this option the output is of the form in the operand, one of
	// those that a node's Output may name: "output:json".
	OutputRole Role = "output"
)

// operandOf says whether a role is one that there is, and whether an operand
// follows it.
func operandOf(name Role) (takes operand, ok bool) {
	switch name {
	case CodeRole, GrammarRole, PlaceRole, SetsPlaceRole, OutputRole:
		return needsOperand, true
	case InputProgramRole:
		return mayHaveOperand, true
	case ShellLineRole, ProgramRole, ChdirRole, OutputFileRole, OutputDirRole, UploadFileRole, ConfigFileRole, SecretRole, SecretFileRole, SecretInputRole,
		MessageRole, ModuleRole, TaskRole, SearchRole, FormatRole, DryRunRole, AssumeYesRole, ForceRole, RecursiveRole, FollowRole, OnceRole, ViewRole, TerminalRole, BatchRole:
		return noOperand, true
	}
	return noOperand, false
}

type operand uint8

const (
	noOperand operand = iota
	mayHaveOperand
	needsOperand
)

// Is reports whether the role is of that name, whatever its operand.
func (r Role) Is(name Role) bool {
	return r == name || len(r) > len(name) && r[len(name)] == ':' && r[:len(name)] == name
}

// Operand returns what stands behind the name: "sql" of "code:sql".
func (r Role) Operand() string {
	_, operand, _ := strings.Cut(string(r), ":")
	return operand
}

// Valid reports whether the role is one that this program knows, with an operand
// where it takes one.
func (r Role) Valid() bool {
	name, word, has := strings.Cut(string(r), ":")
	takes, ok := operandOf(Role(name))
	switch {
	case !ok || has && (takes == noOperand || !operandWord(word)):
		return false
	}
	return has || takes != needsOperand
}

// operandWord reports whether s is lower-case letters, digits and dashes.
func operandWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-+") == ""
}

// Classes that a Node may have. A class with an operand, as InterpreterClass has one,
// is written like a role: "interpreter:python".
const (
	InterpreterClass    = "interpreter"     // runs texts of the language in the operand
	PagerClass          = "pager"           // shows its input a screen at a time
	FullScreenClass     = "full-screen"     // needs the terminal for itself
	ConversationClass   = "conversation"    // talks to whoever sits at the terminal, if it is given no work
	EditorClass         = "editor"          // changes the files that it is given, by hand
	NetworkClientClass  = "network-client"  // talks to another machine
	SenderClass         = "sender"          // sends what it is given to another machine
	DownloaderClass     = "downloader"      // fetches a file from another machine
	LineFilterClass     = "line-filter"     // chooses or orders lines of its input
	SecretStoreClass    = "secret-store"    // keeps the secrets that it is given, where they belong
	AsksFirstClass      = "asks-first"      // asks before it writes over a file, and takes the answer from its input
	RunnerClass         = "runner"          // carries a command without changing what it prints: sudo, nice
	ViewerClass         = "viewer"          // shows the files that it names: cat, head
	QuietClass          = "quiet"           // prints nothing if all goes well: mkdir
	GoesOnClass         = "goes-on"         // goes on until it is stopped: docker events; its sub-commands need not
	TestRunnerClass     = "test-runner"     // runs tests
	DeployerClass       = "deployer"        // sends something to where others use it: terraform, helm
	TaskRunnerClass     = "task-runner"     // runs what the project's file defines
	ShellBuiltinClass   = "shell-builtin"   // acts on the shell itself: cd, export
	PrintsShellClass    = "prints-shell"    // what it prints is shell set-up, meant for eval
	PrintsSecretClass   = "prints-secret"   // what it prints is for nobody to see
	ReadsSecretClass    = "reads-secret"    // reads a secret from its standard input
	ActsAnywayClass     = "acts-anyway"     // does its work even with --help
	VersionControlClass = "version-control" // of seed 001's kinds of families
	FileSystemClass     = "file-system"
	ContainerClass      = "container"
	CloudClass          = "cloud"
	DatabaseClass       = "database"
	PackageManagerClass = "package-manager"
	SiteAliasClass      = "site-alias" // a first argument @NAME says on which machine it acts: wp @live
	CopierClass         = "copier"     // an output HOST:PATH is on another machine: scp, rsync
)

// ValidClass reports whether a class is one that this program knows.
func ValidClass(class string) bool {
	if lang, ok := strings.CutPrefix(class, InterpreterClass+":"); ok {
		return operandWord(lang)
	}
	switch class {
	case PagerClass, FullScreenClass, ConversationClass, EditorClass, NetworkClientClass, SenderClass, DownloaderClass, LineFilterClass,
		SecretStoreClass, AsksFirstClass, RunnerClass, ViewerClass, QuietClass, GoesOnClass, TestRunnerClass, DeployerClass, TaskRunnerClass, ShellBuiltinClass, PrintsShellClass, PrintsSecretClass, ReadsSecretClass, ActsAnywayClass, VersionControlClass,
		FileSystemClass, ContainerClass, CloudClass, DatabaseClass, PackageManagerClass, SiteAliasClass, CopierClass:
		return true
	}
	return false
}

// HasClass reports whether the node itself is of a class, whatever its operand.
func (n *Node) HasClass(name string) bool {
	for _, c := range n.Class {
		if Role(c).Is(Role(name)) {
			return true
		}
	}
	return false
}

// Language returns the language that the program interprets, "" if it is no
// interpreter.
func (n *Node) Language() string {
	for _, c := range n.Class {
		if lang, ok := strings.CutPrefix(c, InterpreterClass+":"); ok {
			return lang
		}
	}
	return ""
}

// Outputs lists the forms of output that a Node may name, sorted. "any" is that of
// a command that prints what it runs prints, "raw" what is shown as it is.
func Outputs() []string {
	return []string{
		"ansible", "any", "build", "cargo", "ctest", "git-diff", "git-log", "git-status", "git-work", "go-json", "go-test", "gotestsum", "js-test",
		"json", "junit", "lines", "log", "package", "pytest", "raw", "search", "strace", "table", "tap", "terraform", "unittest",
	}
}

// ValidOutput reports whether a form of output is one of them.
func ValidOutput(form string) bool { return slices.Contains(Outputs(), form) }
