package hook

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Verdict is what a harness is told about a call.
type Verdict uint8

// The verdicts, in the order of strictness.
const (
	None    Verdict = iota // no opinion: the harness does what it would do
	Allowed                // no permission is needed
	Asked                  // its person is asked
	Denied
)

// String returns the verdict as it stands in answers.
func (v Verdict) String() string { return [...]string{"none", "allow", "ask", "deny"}[v] }

// Found is one thing that was found about a call: of a line, a file, a tool.
type Found struct {
	Level tcpdb.Level
	Part  string // what of the call: a command, a path, a name
	Why   string // what would happen
	Rule  string
	// Refused: no question is put, in no mode.
	Refused bool
	// Key: a person can be asked, but nothing that is approved elsewhere counts.
	Key bool
	// Secret: something secret would be shown, and nothing lost.
	Secret bool
}

// Call is a call as it was judged.
type Call struct {
	Harness *Harness
	Event   *Event
	// Found are the findings that call for something, the deciding one first.
	Found []Found
	// Level is that of the whole call.
	Level tcpdb.Level
	// Plain: all of the line is known, whole, at most LOW, and shows nothing
	// secret: it may be allowed.
	Plain bool
	// Safer is another line that does the same in a way that can be taken back.
	Safer string
}

// Ruling is what is done with a call.
type Ruling struct {
	Verdict Verdict
	Found   Found
	// Approvable: what is denied may be approved by a person elsewhere.
	Approvable bool
	// Told: nothing is done, and the person is told.
	Told bool
}

// Allowing reports whether the harness takes an allow, if only beside a changed
// input.
func (h *Harness) Allowing() bool { return h.Allows || h.Rewrite == WithAllow }

// Unattended reports whether nobody would be asked: the harness cannot, or this
// session answers by itself.
func Unattended(h *Harness, e *Event, noAsk bool, s Settings) bool {
	switch plainName(e.Mode) {
	case "bypasspermissions", "dontask", "auto", "yolo":
		return true
	}
	return noAsk || !h.Asks || s.Mode == Deny
}

// Rule decides about a call. Nobody: there is no person to ask.
func Rule(c *Call, s Settings, nobody bool) Ruling {
	var r Ruling
	for i := range c.Found {
		one := rule(&c.Found[i], s, nobody)
		if i == 0 || one.Verdict > r.Verdict {
			r = one
		}
	}
	switch {
	case r.Verdict > None && s.Mode == Notify:
		return Ruling{Found: r.Found, Told: true}
	case r.Verdict == None && c.Plain && s.AutoAllow && c.Harness.Allows:
		r.Verdict = Allowed
	}
	return r
}

func rule(f *Found, s Settings, nobody bool) Ruling {
	r := Ruling{Found: *f, Verdict: Asked}
	switch {
	case f.Secret && s.Secrets == Notify:
		return Ruling{}
	case f.Secret && s.Secrets == Deny, f.Refused:
		r.Verdict = Denied
	case nobody:
		r.Verdict = Denied
		r.Approvable = f.Level < tcpdb.Critical && !f.Key && !f.Secret
	}
	return r
}

// Of turns the judgement of a line, and what Enter would do with it, into what
// was found. Text is the line.
func Of(text string, v *line.Verdict, d *ask.Decision) []Found {
	var found []Found
	for _, it := range d.Items {
		if it.Action <= ask.Note {
			continue
		}
		g := &v.Findings[it.Finding]
		f := Found{Level: g.Level, Part: part(text, g), Why: because(g.Reason, it.Why), Rule: g.Rule}
		if strings.HasPrefix(f.Why, "not analysed") || strings.Contains(f.Why, "is not finished") {
			f.Why += "; write it shorter or plainer, one command at a time"
		}
		f.Refused = it.Action >= ask.Word || g.Level >= tcpdb.Critical && g.Scope != tcpdb.NamedFiles
		f.Key = g.Level >= tcpdb.Critical
		found = append(found, f)
	}
	if len(found) == 0 && (!v.Complete || d.Action > ask.Note) {
		found = append(found, Found{Level: max(v.Level, tcpdb.High), Part: text[:min(len(text), maxText)], Why: "not analysed; write it shorter or plainer, one command at a time", Rule: "unfinished"})
	}
	return found
}

// maxText bounds how much of a line is shown or written down, in bytes.
const maxText = 4 << 10

// part is the text of the line that a finding is about.
func part(text string, g *line.Finding) string {
	s := partOf(text, g)
	return s[:min(len(s), maxText)]
}

func partOf(text string, g *line.Finding) string {
	if g.Command.End > g.Command.Start && g.Command.End <= len(text) {
		return text[g.Command.Start:g.Command.End]
	}
	if g.End > g.Start && g.End <= len(text) {
		return text[g.Start:g.End]
	}
	return text
}

// because joins what a command does with what would be lost here.
func because(reason, why string) string {
	reason, why = strings.TrimSpace(reason), strings.TrimSpace(why)
	if reason == "" || why == "" || strings.Contains(reason, why) {
		return reason + why
	}
	return reason + "; " + why
}

// WorstFirst puts the strictest finding first and keeps the order of the others.
func WorstFirst(found []Found) {
	best := 0
	weight := func(f *Found) int {
		w := int(f.Level) * 2
		if f.Refused {
			w++
		}
		return w
	}
	for i := range found {
		if weight(&found[i]) > weight(&found[best]) {
			best = i
		}
	}
	if best > 0 {
		f := found[best]
		copy(found[1:best+1], found[:best])
		found[0] = f
	}
}
