package tcpdb

import (
	"fmt"
	"strings"
)

// Entry is what the map says of a command's risk: a descriptor and the words
// around it. The Key is the canonical path of the command, "git reset".
type Entry struct {
	Key        string
	Descriptor Descriptor
	Rule       string // stable id of the rule, "git.reset.hard"
	Reason     string // one clause, lower case, no full stop
	Safer      string // a safer way as a command template; "" if there is none
	Scope      Scope
	Stake      Stake
	Provenance string // "curated", "manual", "help", "package", "user"
	Layer      Layer  // filled by View
}

// Effect says how a matching variant counts against the command's base entry.
type Effect uint8

const (
	SetEffect      Effect = iota // stands in place of the base; of several the maximum
	RaiseEffect                  // counts beside the base: the maximum, capabilities joined
	HarmlessEffect               // help, dry run: the whole command does nothing; core, packs and system only
)

// Variant is an entry that holds under conditions on flags and arguments.
// Conditions are on flag IDs after abbreviations and bundles are resolved.
type Variant struct {
	Entry
	All  []string // every one is given
	Any  []string // at least one is given
	None []string // none is given
	// ArgClass is a condition on the positional arguments, "" for none; the
	// classes are those of package risk.
	ArgClass string
	Effect   Effect
}

// Scope is how far the damage of a command reaches; it decides how a person is asked.
type Scope uint8

const (
	NoScope    Scope = iota
	NamedFiles       // a few files written out
	Tree             // a directory tree or a glob
	Device           // a block device or partition
	Remote           // something on another machine or service
	History          // recorded history or backups: what would have undone it
	System           // the machine's configuration or running state
)

var scopeNames = [...]string{"none", "files", "tree", "device", "remote", "history", "system"}

// String returns the scope's name as it stands in JSON.
func (s Scope) String() string {
	if int(s) < len(scopeNames) {
		return scopeNames[s]
	}
	return "none"
}

// ParseScope reads a scope's name; "" is NoScope.
func ParseScope(s string) (Scope, error) {
	if s == "" {
		return NoScope, nil
	}
	for i, name := range scopeNames {
		if s == name {
			return Scope(i), nil
		}
	}
	return NoScope, fmt.Errorf("unknown scope %q: want one of %s", s, strings.Join(scopeNames[:], ", "))
}
