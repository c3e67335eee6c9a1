package tcpdb

import (
	"fmt"
	"strings"
)

// Stake is what is at stake with a command: what would be lost, and whose it is.
// It decides how a person is asked, and never the level. The zero value says that
// nothing is known.
type Stake struct {
	Loss  Loss
	Reach Reach
	// Fact is what there is to look at before the loss is known, NoFact for nothing.
	Fact Fact
	// Asking, if set, stands in place of the table's answer: a case that is named
	// beats the table.
	Asking Asking
}

// Loss is what would be lost, and how it could be had back.
type Loss uint8

const (
	UnknownLoss Loss = iota // null: nothing is known
	NoLoss                  // nothing is there, a dry run, a new target, the command asks by itself
	Rebuildable             // a known build, cache or download makes it again
	Recoverable             // it can be had back: reflog, stash, trash, a remote, the package again
	Content                 // bytes, rows, volumes, objects that are nowhere else
	Exposure                // a secret leaves or is shown; rights are opened
	Outage                  // something that serves stops or changes
)

var lossNames = [...]string{"", "none", "rebuildable", "recoverable", "content", "exposure", "outage"}

// String returns the name of a loss, "" for UnknownLoss.
func (l Loss) String() string { return nameOf(lossNames[:], int(l)) }

// Reach is whose it is.
type Reach uint8

const (
	UnknownReach    Reach = iota
	OwnReach              // this work tree, the user's processes, what lies below TMPDIR
	MachineReach          // this machine
	SharedReach           // a remote branch, a registry, a staging cluster
	ProductionReach       // by context, host, profile, workspace, path or URL
)

var reachNames = [...]string{"", "own", "machine", "shared", "production"}

// String returns the name of a reach, "" for UnknownReach.
func (r Reach) String() string { return nameOf(reachNames[:], int(r)) }

// Asking is what Enter does with a line, in the order of strictness.
type Asking uint8

const (
	NoAsking  Asking = iota
	Silent           // runs, nothing is seen
	Note             // runs, and a line says why
	Allowable        // one key, and a allows the form from now on
	Key              // one key
	Word             // a word is to be typed
)

var answerNames = [...]string{"", "silent", "note", "allowable", "key", "word"}

// String returns the name of an answer, "" for NoAsking.
func (a Asking) String() string { return nameOf(answerNames[:], int(a)) }

// Fact is what there is to look at before it is known what a command takes.
type Fact uint8

const (
	NoFact       Fact = iota
	DeletesFact       // the arguments are files that it takes away
	FindsFact         // it takes away files that it finds below its arguments
	RestoresFact      // it gives tracked files another content
	CleansFact        // it takes away what git does not track
	WritesFact        // it writes files that may be there: the map's output roles
	EditsFact         // the arguments are files that it writes anew in their place
	BranchFact        // the arguments are branches that it deletes or moves
	PushFact          // it moves or deletes branches of a remote
	ProcessFact       // the arguments are processes
	ModeFact          // it gives files other rights
	VenvFact          // it changes an environment of its own where one is in play
	LinkFact          // it may end the connection to this machine
	PlaceFact         // only where it acts decides
	MirrorsFact       // it makes its last argument the same as another
	UnpacksFact       // it writes what nobody sees into a directory
	DropsFact         // like PlaceFact; what stops does not come back by itself
	RemoteFact        // it sends what the repository holds to a URL
)

var factNames = [...]string{
	"", "deletes", "finds", "restores", "cleans", "writes", "edits", "branch", "push", "process", "mode", "venv", "link", "place", "mirrors", "unpacks", "drops", "remote",
}

// String returns the name of a fact, "" for NoFact.
func (f Fact) String() string { return nameOf(factNames[:], int(f)) }

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}

// ParseLoss, ParseReach, ParseAsking and ParseFact read a name; "" is the zero value.
func ParseLoss(s string) (Loss, error) { return parseName[Loss]("loss", lossNames[:], s) }

// ParseReach reads the name of a reach.
func ParseReach(s string) (Reach, error) { return parseName[Reach]("reach", reachNames[:], s) }

// ParseAsking reads the name of an answer.
func ParseAsking(s string) (Asking, error) { return parseName[Asking]("answer", answerNames[:], s) }

// ParseFact reads the name of a fact.
func ParseFact(s string) (Fact, error) { return parseName[Fact]("fact", factNames[:], s) }

func parseName[T ~uint8](what string, names []string, s string) (T, error) {
	for i, name := range names {
		if s == name {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("unknown %s %q: want one of %s", what, s, strings.Join(names[1:], ", "))
}

// Known reports whether anything is said of what is at stake.
func (s Stake) Known() bool { return s != Stake{} }

// pack puts scope and stake into one number: the scope in its lowest four bits, as
// files before version 6 have it alone.
func (s Stake) pack(scope Scope) uint64 {
	return uint64(scope)&15 | uint64(s.Loss)<<4 | uint64(s.Reach)<<8 | uint64(s.Asking)<<12 | uint64(s.Fact)<<16
}

func unpackStake(n uint64) (Scope, Stake) {
	return Scope(n & 15), Stake{Loss: Loss(n >> 4 & 15), Reach: Reach(n >> 8 & 15), Asking: Asking(n >> 12 & 15), Fact: Fact(n >> 16 & 255)}
}
