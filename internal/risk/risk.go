// Package risk judges one simple command: which level, which capabilities, why,
// and what would be safer. It reads the compiled map and nothing else; what it
// must know of the world comes in as Facts.
package risk

import (
	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Facts are the findings about the world that a judgement may use. The zero
// value knows nothing and assumes the worst.
type Facts struct {
	// Trusted reports whether the command word stands for the program of that
	// name: found through PATH, outside the working tree, not writable by
	// others. nil trusts plain names and no paths
	// outside the usual program directories.
	Trusted func(word string) bool
	// Installed reports whether a program is on PATH, for safer ways; nil: none is.
	Installed func(name string) bool
	// Alias returns the expansion of a git or cargo alias, read as data.
	Alias func(tool, name string) (string, bool)
	// Tasks returns what a task runner with these words would run, read from the
	// project's files: package.json, a makefile. dir is where it starts, as seen
	// from the directory of the judged line; "" is that itself, "~" home. nil reads
	// none, and such a command is only what it is by itself.
	Tasks func(dir string, words []string) []TaskBody
	// Settings reads what files of the project set for a command; nil: nothing.
	Settings func(Source) []Setting
	// TakesForFile reports whether git takes a word of a command for a file, where it
	// may be a revision too; nil: never.
	TakesForFile func(s Source, word string) bool
	// In are the directories that the command may run in, as the line names them;
	// none stands for that of the line.
	In []string
	// Within counts what was looked at of commands within commands, for all that are
	// judged with it: a line has one. nil: each command has its own.
	Within *int
	// Text returns what a file holds that a line names, if it is no longer than
	// what is looked into; nil: none is read.
	Text func(name string) (string, bool)
}

// Finding is one reason for a verdict.
type Finding struct {
	Word   int // index of the word that decides, into the judged words; -1 for the whole command
	Level  tcpdb.Level
	Flags  tcpdb.Flags
	Rule   string
	Reason string
	Safer  string
	Scope  tcpdb.Scope
	Stake  tcpdb.Stake
	// Command is the command that the finding is about; nil for code and for
	// what is no command.
	Command *Command
}

// Command is one of the commands that were judged: the outermost, or one that
// another carries.
type Command struct {
	Bound *argv.Bound
	// At is the index of its first word in the judged words; -1 where an alias
	// stands for it, so that its words are not among them.
	At    int
	Outer *Command // the one that carries it, or nil
}

// Verdict is the judgement of one simple command.
type Verdict struct {
	Level    tcpdb.Level
	Flags    tcpdb.Flags // capabilities
	Known    bool        // the program is in the map or has a descriptor
	Scope    tcpdb.Scope
	Findings []Finding // the deciding one first
	// Lines are shell lines that the command would run (sh -c …, ssh h …);
	// package line judges them, package risk alone rates them opaque.
	Lines []Line
	// Tasks are the commands among those judged that run tasks of the project.
	Tasks []*Command
	// Files are those that a program reads commands from, as Code finds them.
	Files []File
}

// Line is a shell line carried inside a command.
type Line struct {
	Text    string
	Dialect string // "" for the outer shell's
	Word    int    // the word that holds it
	// Args are $0, $1 … of the shell that runs the line, where the command says
	// what they are: sh -c LINE NAME ARG….
	Args  []string
	Outer *Command
	// Use says that it is a setting of the project that the command takes the line
	// from, and not the command's own words; nil for any other.
	Use *Use
}
