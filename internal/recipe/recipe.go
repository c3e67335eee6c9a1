// Package recipe drafts operations from what a project already has: its scripts,
// with the arguments that they document, and the entries of its task files. It
// reads texts and runs nothing. A draft is never verified; its effect and risk
// are what the judge says of the text, and it is bound to the text.
package recipe

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Risk is a judgement of a text.
type Risk struct {
	Level tcpdb.Level
	Flags tcpdb.Flags
	// Builds: a command of it compiles, checks or tests; Deploys: one sends something
	// to where others use it.
	Builds, Deploys bool
}

// Judge rates a text in a language: "bash", "sh", "zsh", "fish", "python",
// "node", "ruby", "perl", or "" for one that is not known.
type Judge func(text, language string) Risk

// Taken reports whether an intent, in normalised words, is one of an operation
// that is there already.
type Taken func(intent string) bool

// effect names what a text can do.
func (r Risk) effect(name string) string {
	var kinds []string
	if r.Flags&tcpdb.Destructive != 0 && r.Level >= tcpdb.High {
		kinds = append(kinds, "destructive")
	}
	if r.Deploys || deploys(name) {
		kinds = append(kinds, "deployment")
	}
	if r.Flags&tcpdb.NetworkAccess != 0 {
		kinds = append(kinds, "network")
	}
	switch {
	case r.Builds:
		kinds = append(kinds, "build-test")
	case r.Flags&(tcpdb.FileModification|tcpdb.SystemModification) != 0 || r.Level >= tcpdb.Medium && len(kinds) == 0:
		kinds = append(kinds, "local-write")
	}
	if len(kinds) == 0 {
		return "read-only"
	}
	return strings.Join(kinds, " + ")
}

// deploys reports whether a name says that something is sent to where others use it.
func deploys(name string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool {
		return slices.Contains([]string{"deploy", "publish", "release", "rollout", "promote", "ship"}, w)
	})
}

// riskWord is the level as a source map writes it. What is not known is medium.
func (r Risk) word() string {
	level := r.Level
	if level == tcpdb.Unknown {
		level = tcpdb.Medium
	}
	word, _, _ := strings.Cut(strings.ToLower(level.String()), "_")
	return word
}

// words splits a name at what is no letter and no digit, and where a capital
// begins a word.
func words(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				b.WriteByte(' ')
			}
			b.WriteRune(r | 0x20)
			lower = false
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
			lower = true
		default:
			b.WriteByte(' ')
			lower = false
		}
	}
	return strings.Fields(b.String())
}

// Segment makes a segment of an operation's ID.
func Segment(name string) string {
	s := strings.Join(words(name), "_")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "x" + s
	}
	return strings.TrimRight(s[:min(len(s), 40)], "_")
}

// parameterName makes the name of a parameter, "" if nothing is left.
func parameterName(name string) string {
	s := strings.Join(words(name), "_")
	s = strings.TrimLeft(s, "0123456789_")
	return s[:min(len(s), 40)]
}

// namer gives names that are not given yet.
type namer map[string]bool

func (n namer) free(name, or string) string {
	if name == "" {
		name = or
	}
	for i := 0; ; i++ {
		try := name
		if i > 0 {
			try = name + "_" + string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		}
		if !n[try] {
			n[try] = true
			return try
		}
	}
}

// intents keeps those that say enough, are taken by nobody and are no two alike.
func intents(candidates []string, taken Taken, seen map[string]bool) []string {
	var out []string
	for _, c := range candidates {
		norm := phrase.Normalize(c)
		if phrase.Vague(norm) || len(norm) > 80 || seen[norm] || taken != nil && taken(norm) {
			continue
		}
		seen[norm] = true
		out = append(out, norm)
	}
	return out
}

// saying makes an intent of a description: its first clause, without its end.
func saying(text string) string {
	text, _, _ = strings.Cut(text, ". ")
	text, _, _ = strings.Cut(text, "\n")
	text = strings.TrimRight(strings.TrimSpace(text), ".:;!")
	if strings.ContainsAny(text, "<>\"'`()[]{}$\\") || len(strings.Fields(text)) > 9 {
		return ""
	}
	return text
}

// description is a text that may stand in a source map.
func description(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))), " ")
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "")
	}
	return text
}

// validID makes sure of an ID, and of one that is free.
func validID(id string, ids namer) string {
	id = ids.free(id, "x")
	if toolid.Check(id) != nil {
		return ""
	}
	return id
}

// template joins words; one that holds a blank or a sign of the template's own
// cannot be written, and ok is false.
func template(words []string) (text string, ok bool) {
	for _, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n\r") {
			return "", false
		}
	}
	return strings.Join(words, " "), true
}

func output() *opmap.OutputPolicy {
	return &opmap.OutputPolicy{RawRetention: "local_file"}
}
