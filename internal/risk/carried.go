package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// carried adds what the command carries: other commands as words, lines for a shell.
func (j *judge) carried(b *argv.Bound, v Verdict, at, depth int) Verdict {
	w := &b.Node().Wrapper
	if w.Mode == tcpdb.NoWrap {
		return v
	}
	carries := false
	for _, in := range b.Inner {
		if in.Start >= in.End {
			continue
		}
		carries = true
		if b.Words[in.Start] == "-" && in.Start+1 < in.End {
			in.Start++ // env - A=1 CMD
			for in.Start+1 < in.End && w.Assignments && argIs("assignment", "", b.Words[in.Start]) {
				in.Start++
			}
		}
		inner := b.Words[in.Start:in.End]
		if replaced(b, b.Words[in.Start]) {
			v.merge(opaque(at+in.Start, Computed, "which command runs is known only when it does"))
			continue
		}
		if w.Mode == tcpdb.WrapJoined {
			v.Lines = append(v.Lines, Line{
				Text: strings.Join(b.Words[in.Start:in.End], " "), Dialect: w.Dialect, Word: at + in.Start, Outer: j.outer,
			})
		}
		several := strings.ContainsAny(inner[0], " \t\n;|&<>()`")
		if w.Mode == tcpdb.WrapJoined && (several || strings.Contains(inner[0], "$")) {
			continue // the line is more than one command's words
		}
		if several {
			// No program has such a name: the carrier hands it to a shell.
			v.Lines = append(v.Lines, Line{Text: inner[0], Dialect: "posix", Word: at + in.Start, Outer: j.outer})
		}
		if appends(b) {
			inner = append(slices.Clip(inner), "{}")
		} else if r := replacement(b); r != "" && r != "{}" {
			inner = slices.Clone(inner)
			for i := range inner {
				inner[i] = strings.ReplaceAll(inner[i], r, "{}")
			}
		}
		o := j.command(inner, at+in.Start, depth+1)
		if w.Mode == tcpdb.WrapJoined {
			o.Lines = nil // those of the joined line, which is judged whole
		}
		v.merge(o)
		// An option that is not known may have taken what looks like the command.
		for k := range unknownOptions(b, in.Start) {
			next := in.Start + k + 1
			if next >= in.End {
				break
			}
			if o := j.command(b.Words[next:in.End], at+next, depth+1); o.Level >= tcpdb.High {
				o.Known = v.Known
				v.merge(o)
			}
		}
	}
	if line, ok := shellLine(b); ok {
		carries = true
		line.Dialect, line.Word, line.Outer = w.Dialect, at+line.Word, j.outer
		v.Lines = append(v.Lines, line)
	}
	if carries && w.Adds != 0 {
		v.raise(w.Adds, at)
		if w.Adds&tcpdb.PrivilegeEscalation != 0 && len(b.Inner) > 0 && session(b.Words[b.Inner[0].Start:]) && v.Level < tcpdb.High {
			v.merge(says(tcpdb.High, w.Adds.Capabilities(), tcpdb.System, "privilege.shell", "opens a shell with the rights of another user"))
			v.Findings[0].Word = at + b.Inner[0].Start
		}
	}
	return v
}

// session reports whether a command opens a shell that waits for commands: it is
// given no script and no line.
func session(words []string) bool {
	if len(words) == 0 || !wordlist.Has("sh bash zsh fish dash ksh mksh ash csh tcsh", path.Base(words[0])) {
		return false
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") || wordlist.Has("--help --version --command", w) || !strings.HasPrefix(w, "--") && strings.ContainsAny(w, "cn") {
			return false
		}
	}
	return true
}

// unknownOptions counts the options before word end that the map does not have.
func unknownOptions(b *argv.Bound, end int) int {
	n := 0
	if b.Node().Wrapper.Mode == tcpdb.WrapTrailer {
		return 0
	}
	for i := range b.Flags {
		if u := &b.Flags[i]; u.Flag == nil && u.Word < end && u.ValueWord < 0 {
			n++
		}
	}
	return min(n, 4)
}

// appends reports whether a command puts words of its input after those of the
// command that it carries: xargs without -I.
func appends(b *argv.Bound) bool {
	switch b.Chain[0].Name {
	case "xargs", "gxargs":
		return !b.Has("I") && !b.Has("replace")
	}
	return false
}

// replacement returns the word that xargs -I puts its input for, "" if there is
// none.
func replacement(b *argv.Bound) string {
	for _, u := range b.Flags {
		if u.Flag != nil && (u.Flag.ID == "I" || u.Flag.ID == "replace") && u.ValueWord >= 0 {
			return u.Value
		}
	}
	return ""
}

// replaced reports whether a word is the one that xargs -I puts its input for.
func replaced(b *argv.Bound, word string) bool {
	r := replacement(b)
	return r != "" && r == word
}

// shellLine returns the line that a command hands to a shell: the value of its
// ShellFlag, or where that takes none its first argument. The arguments behind
// it are those of the line.
func shellLine(b *argv.Bound) (l Line, ok bool) {
	w := &b.Node().Wrapper
	if w.ShellFlag == "" {
		return Line{}, false
	}
	args := make([]string, 0, len(b.Args)+1)
	for i := range b.Args {
		args = append(args, b.Args[i].Text)
	}
	for _, u := range b.Flags {
		if u.Flag == nil || u.Flag.ID != w.ShellFlag {
			continue
		}
		if u.ValueWord >= 0 {
			l = Line{Text: u.Value, Word: u.ValueWord}
			if w.Dialect == "fish" {
				l.Args = append([]string{"fish"}, args...)
			}
			return l, true
		}
		if u.Flag.Value == tcpdb.NoValue && len(b.Args) > 0 {
			return Line{Text: args[0], Word: b.Args[0].Word, Args: args[1:]}, true
		}
	}
	return Line{}, false
}
