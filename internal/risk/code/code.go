// Package code reads what a program in one of many languages would do: a text that
// is handed to an interpreter, a client of a database, an editor, a debugger. It
// reads names and literals and runs nothing: deleting files, starting other programs
// and using the network are seen where they are called by their usual names, which
// words.tsv holds.
package code

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Reading is what a program does, as far as its text tells.
type Reading struct {
	Level   tcpdb.Level
	Flags   tcpdb.Flags // capabilities
	Scope   tcpdb.Scope
	Reasons []Reason // the deciding one first
	// Lines are those that it hands to a POSIX shell, and stand for the files that it
	// writes where they are named: printf x > FILE.
	Lines []string
	Files []File // those that it reads more of itself from
}

// Reason is one thing that a program does.
type Reason struct {
	Level  tcpdb.Level
	Flags  tcpdb.Flags
	Scope  tcpdb.Scope
	Rule   string
	Reason string
	Stake  tcpdb.Stake
}

// File is a file of commands that a program names.
type File struct{ Name, Language string }

// Read reads a program of a language that an interpreter's class names in the map,
// or that is the operand of the role of what holds it.
func Read(lang, code string) Reading {
	switch lang {
	case "sql":
		return sql(code)
	case "statements":
		return sql(strings.ReplaceAll(code, "\n", ";\n"))
	case "dns", "ldif":
		return records(lang, code)
	case "pwsh":
		return powershell(code)
	case "tcl":
		return tcl(code)
	case "mongo":
		return mongo(code)
	case "ex":
		return ex(code)
	case "gdb":
		return debugger(code)
	case "ftp":
		return transfer(code)
	case "make":
		return makefile(code)
	case "awk":
		return awkProgram(code)
	case "sed":
		return sedProgram(code)
	case "elisp":
		return elisp(code)
	case "lisp", "other":
		return otherCode(lang, code)
	}
	return calls(lang, code)
}

// maxReasons bounds the reasons of one program. The highest are kept.
const maxReasons = 32

// merge joins another reading: the maximum level, all capabilities; the reasons of
// the higher one first, its scope counts.
func (r *Reading) merge(o Reading) {
	higher := o.Level > r.Level || len(r.Reasons) == 0
	for _, x := range o.Reasons {
		switch {
		case slices.Contains(r.Reasons, x): // said once for all
		case higher:
			r.Reasons = append([]Reason{x}, r.Reasons[:min(len(r.Reasons), maxReasons-1)]...)
		case len(r.Reasons) < maxReasons:
			r.Reasons = append(r.Reasons, x)
		}
	}
	switch {
	case o.Level > r.Level:
		r.Scope = o.Scope
	case o.Level == r.Level:
		r.Scope = max(r.Scope, o.Scope)
	}
	r.Level = max(r.Level, o.Level)
	r.Flags |= o.Flags
	r.Lines = append(r.Lines, o.Lines...)
}

func says(level tcpdb.Level, flags tcpdb.Flags, scope tcpdb.Scope, rule, reason string) Reading {
	return Reading{Level: level, Flags: flags, Scope: scope, Reasons: []Reason{{Level: level, Flags: flags, Scope: scope, Rule: rule, Reason: reason}}}
}

// staking is the reading with what is at stake.
func (r Reading) staking(s tcpdb.Stake) Reading {
	for i := range r.Reasons {
		r.Reasons[i].Stake = s
	}
	return r
}

// changesThere is at stake where what serves others is changed: nobody is asked about
// it but in production.
func changesThere(loss tcpdb.Loss) tcpdb.Stake {
	return tcpdb.Stake{Loss: loss, Fact: tcpdb.PlaceFact, Asking: tcpdb.Silent}
}

// writes is the reading of a program that writes to a file, as the shell would
// with a redirection: that is how the line's judge rates the target.
func writes(target string) Reading {
	if target == "" {
		return says(tcpdb.Medium, tcpdb.FileModification, tcpdb.NamedFiles, "code.write", "writes files")
	}
	return Reading{Level: tcpdb.Safe, Lines: []string{"printf x > '" + strings.ReplaceAll(target, "'", `'\''`) + "'"}}
}

// overwrites is the reading of a call that writes a file anew. Where the file is named
// and is more than somebody's, its line alone says what that means.
func overwrites(target string) Reading {
	if syspath.Special(target) || syspath.IsStartup(target) {
		return writes(target)
	}
	r := writes("")
	if target != "" && !strings.Contains(target, "://") {
		r.Lines = writes(target).Lines
	}
	return r
}

func starts(line string) Reading {
	if strings.TrimSpace(line) == "" {
		return says(tcpdb.High, 0, tcpdb.NoScope, "code.shell", "starts a program that is known only when it runs")
	}
	return Reading{Level: tcpdb.Safe, Lines: []string{line}}
}

// MaxFiles bounds how many files are read for one that names others.
const MaxFiles = 16

// readBy returns the files that commands in a language read commands from: those
// behind one of the words, at the beginning of a line or behind a semicolon.
func readBy(code, language, words string) (files []File) {
	for line := range strings.FieldsFuncSeq(code, func(r rune) bool { return r == '\n' || r == ';' }) {
		word, rest, ok := strings.Cut(strings.TrimLeft(line, " \t:"), " ")
		name := strings.Trim(strings.TrimSpace(rest), "\"'")
		if ok && name != "" && wordlist.Has(words, strings.ToLower(word)) && !strings.HasPrefix(name, "|") && len(files) < MaxFiles {
			files = append(files, File{Name: name, Language: language})
		}
	}
	return files
}
