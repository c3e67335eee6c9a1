// Package gate decides whether a plan may run: effect × level × evidence ×
// approval × exposure, the strictest wins. It is a pure function of its facts:
// it asks nobody and reads nothing.
package gate

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Decision is what may happen with a plan.
type Decision uint8

const (
	Deny  Decision = iota // never, whoever asks
	Ask                   // after a person's approval
	Allow                 // now
)

// String returns the decision's name as it stands in JSON.
func (d Decision) String() string {
	switch d {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	}
	return "deny"
}

// Who is on whose behalf the plan is to run.
type Who uint8

const (
	Nobody Who = iota // a script: no terminal, no agent named
	Agent             // TMP_AGENT_ID is set
	Person            // a person at the terminal
)

// Facts are all that a decision rests on.
type Facts struct {
	// Mapped says that the plan comes from an operation of the map, with the
	// Standing its map has on this machine; a plan without one is a plain command.
	Mapped   bool
	Standing tcpdb.Standing
	// Effect is the operation's, kinds joined by " + ".
	Effect string
	// Level is the maximum of the operation's risk and the judgement of its
	// words. Unknown means that nobody judged, and counts as High.
	Level tcpdb.Level
	// Approval is the operation's: "" or "required".
	Approval string
	// Exposure is "" or "enabled", or the reason why the operation is not exposed.
	Exposure string
	Who      Who
	// Unknown says that no map knows the program of a plain command.
	Unknown bool
	// Asked is what the policy of Enter makes of what the plan runs, where that is all
	// that its Level rests on; NoAsking goes by the level.
	Asked tcpdb.Asking
	// Approved says that a person has approved this very plan, and that the
	// approval is still unused.
	Approved bool
}

// Verdict is a decision with its reason.
type Verdict struct {
	Decision Decision
	// Word says that a yes is not enough: the person is to type a word.
	Word bool
	// Code is a stable name of the reason: "draft", "not_exposed", "critical",
	// "approval_required", "" for Allow.
	Code string
	// Reason says the same to a person.
	Reason string
}

// Decide returns the strictest verdict that the facts call for.
func Decide(f Facts) Verdict {
	level := f.EffectiveLevel()
	switch {
	case f.Mapped && !f.Standing.Verified():
		return Verdict{Deny, false, "draft", "its map is a draft: nothing runs it until it is verified"}
	case f.Exposure != "" && f.Exposure != "enabled":
		return Verdict{Deny, false, "not_exposed", "it is not exposed here: " + f.Exposure}
	case f.Asked != tcpdb.NoAsking && level >= tcpdb.High:
		return f.asked(level)
	case level >= tcpdb.Critical && f.Who != Person:
		return Verdict{Deny, false, "critical", "CRITICAL is run only by a person at a terminal"}
	case level >= tcpdb.Critical:
		return Verdict{Ask, true, "approval_required", "it is CRITICAL"}
	case f.Approved:
		return Verdict{Decision: Allow}
	case level >= tcpdb.High:
		return Verdict{Ask, false, "approval_required", f.why()}
	case f.Approval != "":
		return Verdict{Ask, false, "approval_required", "its map asks for approval"}
	case !f.Mapped && f.Unknown && f.Who == Agent && level >= tcpdb.Medium:
		return Verdict{Ask, false, "approval_required", "no map knows the program, and an agent asks"}
	}
	return Verdict{Decision: Allow}
}

// asked is Decide for a plan of which it is known what would be lost, and whose it
// is.
func (f Facts) asked(level tcpdb.Level) Verdict {
	switch {
	case f.Asked == tcpdb.Word && f.Who != Person, level >= tcpdb.Critical && f.Asked > tcpdb.Note && f.Who != Person:
		return Verdict{Deny, false, "critical", f.Level.String() + " is run only by a person at a terminal: what it would lose is lost for good"}
	case f.Asked == tcpdb.Word:
		return Verdict{Ask, true, "approval_required", f.why()}
	case f.Approved && level < tcpdb.Critical:
		return Verdict{Decision: Allow}
	case f.Asked > tcpdb.Note:
		return Verdict{Ask, false, "approval_required", f.why()}
	case f.Approval != "":
		return Verdict{Ask, false, "approval_required", "its map asks for approval"}
	}
	return Verdict{Decision: Allow}
}

// EffectiveLevel is the level that counts: that of the facts, raised to what
// the effect alone calls for.
func (f Facts) EffectiveLevel() tcpdb.Level {
	level := f.Level
	if level == tcpdb.Unknown {
		level = tcpdb.High
	}
	if f.Mapped {
		level = max(level, EffectLevel(f.Effect))
	}
	return level
}

func (f Facts) why() string {
	switch {
	case f.Level == tcpdb.Unknown:
		return "its risk is not known"
	case f.Level < tcpdb.High:
		return "its effect is " + f.Effect
	}
	return "it is " + f.Level.String()
}

// EffectLevel is the least level of an operation with this effect. A kind that
// is not known counts as High: a word that nobody understands must not run.
func EffectLevel(effect string) tcpdb.Level {
	level := tcpdb.Unknown
	for _, kind := range strings.Split(effect, "+") {
		switch strings.TrimSpace(kind) {
		case "read-only":
			level = max(level, tcpdb.Safe)
		case "build-test", "local-write", "network":
			level = max(level, tcpdb.Low)
		case "network-write":
			level = max(level, tcpdb.Medium)
		default: // "deployment", "destructive", and what nobody knows
			level = max(level, tcpdb.High)
		}
	}
	return level
}
