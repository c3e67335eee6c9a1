package risk

import (
	"slices"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// raise adds the capabilities of a wrapper that runs its command as somebody
// else (sudo, doas, su, pkexec): what is SAFE or LOW becomes MEDIUM, MEDIUM
// becomes HIGH.
func (v *Verdict) raise(adds tcpdb.Flags, at int) {
	v.Flags |= adds.Capabilities()
	if adds&tcpdb.PrivilegeEscalation == 0 {
		return
	}
	level := max(v.Level+1, tcpdb.Medium)
	if v.Level >= tcpdb.High {
		level = v.Level
	}
	if level > v.Level {
		v.Findings = append([]Finding{{
			Word: at, Level: level, Flags: adds.Capabilities(), Rule: "privilege",
			Reason: "runs with the rights of another user", Scope: v.Scope, Stake: v.privileged(),
		}}, v.Findings...)
		v.Level = level
	}
}

// join adds an entry that applies.
func (v *Verdict) join(e *tcpdb.Entry, word int) {
	v.merge(Verdict{
		Level: e.Descriptor.Flags.Level(), Flags: e.Descriptor.Flags.Capabilities(), Known: true,
		Scope: e.Scope, Findings: []Finding{finding(e, word)},
	})
}

// merge joins another verdict: the maximum level, all capabilities; the
// findings of the higher one first, its scope counts.
func (v *Verdict) merge(o Verdict) {
	// A record without a level is unknown, which is never safe.
	if o.Level == tcpdb.Unknown {
		o.Level = tcpdb.Medium
	}
	if o.Level > v.Level || len(v.Findings) == 0 {
		v.Findings = append(slices.Clip(o.Findings), v.Findings...)
	} else {
		v.Findings = append(v.Findings, o.Findings...)
	}
	switch {
	case o.Level > v.Level:
		v.Scope = o.Scope
	case o.Level == v.Level:
		v.Scope = max(v.Scope, o.Scope)
	}
	v.Level = max(v.Level, o.Level)
	v.Flags |= o.Flags
	v.Known = v.Known && o.Known
	v.Lines = append(v.Lines, o.Lines...)
	v.Tasks = append(v.Tasks, o.Tasks...)
}

// place says which word all findings and lines are about.
func (v *Verdict) place(word int) {
	for i := range v.Findings {
		v.Findings[i].Word = word
	}
	for i := range v.Lines {
		v.Lines[i].Word = word
	}
}

func finding(e *tcpdb.Entry, word int) Finding {
	return Finding{
		Word: word, Level: e.Descriptor.Flags.Level(), Flags: e.Descriptor.Flags.Capabilities(),
		Rule: e.Rule, Reason: e.Reason, Safer: e.Safer, Scope: e.Scope, Stake: e.Stake,
	}
}

func unknown(word int, name, reason string) Verdict {
	return Verdict{
		Level: tcpdb.Medium,
		Findings: []Finding{{
			Word: word, Level: tcpdb.Medium, Rule: "unknown", Reason: reason + ": " + name,
		}},
	}
}

func opaque(word int, rule, reason string) Verdict {
	return Verdict{
		Level:    tcpdb.High,
		Findings: []Finding{{Word: word, Level: tcpdb.High, Rule: rule, Reason: reason}},
	}
}

func says(level tcpdb.Level, flags tcpdb.Flags, scope tcpdb.Scope, rule, reason string) Verdict {
	return Verdict{Level: level, Flags: flags, Known: true, Scope: scope, Findings: []Finding{{
		Word: -1, Level: level, Flags: flags, Rule: rule, Reason: reason, Scope: scope,
	}}}
}

// privileged is what is at stake when a command below HIGH runs with the rights of
// another user: what its own finding says, else that the machine is changed in a
// way that a second command takes back, as whatever is below HIGH. Of a program
// that nobody knows nothing is known.
func (v *Verdict) privileged() tcpdb.Stake {
	if !v.Known {
		return tcpdb.Stake{Asking: tcpdb.Allowable, Reach: tcpdb.MachineReach}
	}
	for i := range v.Findings {
		if s := v.Findings[i].Stake; s.Loss != tcpdb.UnknownLoss {
			if s.Reach == tcpdb.OwnReach {
				s.Reach = tcpdb.MachineReach
			}
			return s
		}
	}
	return tcpdb.Stake{Loss: tcpdb.Recoverable, Reach: tcpdb.MachineReach}
}

// settles gives what is only guessed from words the stake that the map knows of the
// same command.
func (v *Verdict) settles(o *Verdict) {
	for i := range v.Findings {
		s := v.Findings[i].Stake
		if v.Findings[i].Level < tcpdb.High || s.Loss == tcpdb.UnknownLoss {
			continue
		}
		for k := range o.Findings {
			if o.Findings[k].Level == tcpdb.High && !o.Findings[k].Stake.Known() {
				o.Findings[k].Stake = s
			}
		}
		return
	}
}
