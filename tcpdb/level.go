// Package tcpdb is the map on disk: risk levels and descriptors, command trees,
// operations, and the memory-mapped file that holds them (FORMAT.md).
package tcpdb

import (
	"fmt"
	"strings"
)

// Level is the risk of a command on the five-step scale of the Tool Capability
// Protocol (seed 001 §2.3). The zero value is Unknown, which is never Safe.
// Levels compare with < and >: Unknown < Safe < … < Critical.
type Level uint8

const (
	Unknown Level = iota
	Safe
	Low
	Medium
	High
	Critical
)

var levelNames = [...]string{"UNKNOWN", "SAFE", "LOW_RISK", "MEDIUM_RISK", "HIGH_RISK", "CRITICAL"}

// String returns the seed's name of the level, such as "HIGH_RISK".
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// ParseLevel reads a level in the seed's form ("HIGH_RISK") or in the short
// form of an operation's risk field ("high"), in any case.
func ParseLevel(s string) (Level, error) {
	t := strings.TrimSuffix(strings.ToUpper(s), "_RISK")
	for l, name := range levelNames {
		if t == strings.TrimSuffix(name, "_RISK") {
			return Level(l), nil
		}
	}
	return Unknown, fmt.Errorf("unknown level %q: want safe, low, medium, high or critical", s)
}

// Action is what is to be done about a command of a level (seed 001 §5.1).
func (l Level) Action() string {
	switch l {
	case Safe, Low:
		return "ALLOW"
	case High:
		return "APPROVE"
	case Critical:
		return "REJECT"
	default:
		return "CAUTION"
	}
}

// Flags is the 32-bit field of a descriptor (seed 001 §2.2): bits 0–4 are the
// risk level, one-hot; 5 and 12–31 are reserved or a vendor's and survive a
// round trip; the others are capabilities.
type Flags uint32

const (
	RequiresRoot        Flags = 1 << 6
	Destructive         Flags = 1 << 7
	NetworkAccess       Flags = 1 << 8
	FileModification    Flags = 1 << 9
	SystemModification  Flags = 1 << 10
	PrivilegeEscalation Flags = 1 << 11

	levelMask      Flags = 1<<5 - 1
	capabilityMask Flags = 1<<12 - 1<<6
)

var capabilityNames = [...]string{
	"REQUIRES_ROOT", "DESTRUCTIVE", "NETWORK_ACCESS",
	"FILE_MODIFICATION", "SYSTEM_MODIFICATION", "PRIVILEGE_ESCALATION",
}

// Level returns the highest risk bit that is set, or Unknown if none is.
func (f Flags) Level() Level {
	for l := Critical; l > Unknown; l-- {
		if f&(1<<(l-1)) != 0 {
			return l
		}
	}
	return Unknown
}

// WithLevel returns f with exactly the risk bit of l set; Unknown clears all.
func (f Flags) WithLevel(l Level) Flags {
	f &^= levelMask
	if l > Unknown && l <= Critical {
		f |= 1 << (l - 1)
	}
	return f
}

// Capabilities returns the capability bits of f alone.
func (f Flags) Capabilities() Flags { return f & capabilityMask }

// Names returns the seed's names of the capabilities in f, in bit order; never nil.
func (f Flags) Names() []string {
	names := []string{}
	for i, name := range capabilityNames {
		if f&(1<<(6+i)) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// ParseFlag reads one capability name, in any case.
func ParseFlag(s string) (Flags, error) {
	for i, name := range capabilityNames {
		if strings.EqualFold(s, name) {
			return 1 << (6 + i), nil
		}
	}
	return 0, fmt.Errorf("unknown capability %q: want one of %s", s, strings.Join(capabilityNames[:], ", "))
}

// Span is a half-open range of byte offsets, [Start, End).
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}
