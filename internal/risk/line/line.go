// Package line judges a whole shell line: every simple command that would run,
// in lists, pipelines, substitutions, function bodies that are called, lines
// handed to other shells, and every redirection. The level of the line is the
// maximum, its capabilities are the union.
package line

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

const (
	maxBytes   = 64 << 10 // a longer line is not analysed
	maxNesting = 100      // nor one that nests brackets or compound commands deeper
	maxLines   = 16       // nor lines within lines (sh -c, eval) beyond this
	// maxCommands bounds the commands of a line and of all lines within it.
	maxCommands = 4096
)

// Options are what only the shell knows of itself.
type Options struct {
	// Posix: the shell is a POSIX one without the extensions of bash.
	Posix bool
	// Expanded: the shell has put earlier lines in the place of !! and its like,
	// so that what is left of them is text.
	Expanded bool
	// Waits: of a text that is not finished nothing runs, since the shell asks a
	// person for the rest. Without it such a text is at least HIGH.
	Waits bool
	// Marks: look for what the line shows and for changes of the guard.
	Marks bool
	// Comments: # begins a comment in an interactive zsh too.
	Comments bool
	// Aliases are the shell's aliases, name to text.
	Aliases map[string]string
	// Variables are values of shell variables that the line names.
	Variables map[string]string
	// Functions are bodies of shell functions that the line names, or their
	// whole definitions.
	Functions map[string]string
}

// Finding is one reason for a verdict. The span is in bytes of the line; what
// a command hands to another shell has the span of the word that holds it
// where its text cannot be mapped.
type Finding struct {
	tcpdb.Span
	Level  tcpdb.Level
	Flags  tcpdb.Flags
	Rule   string
	Reason string
	Safer  string
	Scope  tcpdb.Scope
	// Stake is what the map or the rule knows of what would be lost, and whose it
	// is; what it comes to here is for package ask.
	Stake tcpdb.Stake
	// Form is the command without its arguments, with those that carry it:
	// "sudo npm install --global". It is "" where there is no such thing: for
	// redirections, code, and what is known only when it runs. Key is its path in
	// the map, "npm install". Both, and Targets, are set from HIGH up.
	Key, Form string
	// Call is the whole of it, nil where that is not known; set from HIGH up.
	Call *Call
	// Command are the bytes of the command without what carries it, and Verb is
	// the end of the words of Key in them; both zero where the line does not hold
	// them as they are.
	Command tcpdb.Span
	Verb    int
	// Targets are the positional arguments of the command, or the file that a
	// redirection writes.
	Targets []Target
	// Elsewhere: by then the working directory or a variable such as GIT_DIR may
	// be another, so that a command without targets may act in another place.
	Elsewhere bool
	// Earlier is what commands of the line may have written by then, nil for
	// nothing; set from HIGH up.
	Earlier *Written
	// Writes are files that the command writes anew, whatever its level.
	Writes []Write
	// Only is set for a find that deletes, if what it deletes has one name: its
	// pattern. Dirs: directories too, with all that is in them.
	Only string
	Dirs bool
	// Split: what is found is handed over as words that blanks part.
	Split bool
}

// Verdict is the judgement of a line.
type Verdict struct {
	Level tcpdb.Level
	Flags tcpdb.Flags // capabilities
	Known bool        // every program in it is known
	// Complete is false if the shell would ask for more input: what is there
	// was judged.
	Complete bool
	Scope    tcpdb.Scope
	Findings []Finding // the highest first
	// Marks, where Options ask for them: what the line shows that is a secret, and
	// what it changes of the guard itself; "" for nothing. They move no level.
	Shows, Guard string
}

// Judge rates a line in the dialect of the shell that would run it. It answers
// for any input: what cannot be analysed is HIGH.
func Judge(v *tcpdb.View, line string, d shline.Dialect, f risk.Facts, o Options) Verdict {
	f.Within = new(int)
	j := &judge{view: v, facts: f, out: Verdict{Level: tcpdb.Safe, Known: true, Complete: true}}
	j.line(text{s: line, span: tcpdb.Span{Start: 0, End: len(line)}, mapped: true, dialect: d, options: o}, 0)
	j.tasks()
	if !j.out.Complete && !o.Waits {
		j.unfinished(line)
	}
	slices.SortStableFunc(j.out.Findings, func(a, b Finding) int { return cmp.Compare(b.Level, a.Level) })
	j.out.Findings = slices.CompactFunc(j.out.Findings, same)
	return j.out
}

// same reports whether a finding says nothing that another does not.
func same(a, b Finding) bool {
	return a.Span == b.Span && a.Level == b.Level && a.Flags == b.Flags && a.Rule == b.Rule && a.Reason == b.Reason &&
		a.Safer == b.Safer && a.Scope == b.Scope && a.Key == b.Key && a.Form == b.Form && slices.Equal(a.Targets, b.Targets) &&
		a.Call.equal(b.Call)
}

// text is a line or a line within a line, and where it stands in the outermost.
type text struct {
	s       string
	span    tcpdb.Span
	mapped  bool // byte i of s is byte span.Start+i of the outermost line
	dialect shline.Dialect
	options Options
	literal bool // from here on # begins a comment: a script, not a prompt
	// outer is the command that hands the text to a shell, and from the place
	// in the text around it; nil for the outermost line.
	outer *risk.Command
	from  *run
	// loose says that words of that command are known only when it runs.
	loose bool
	// away says that the text runs in another place: on another machine, in a
	// container.
	away bool
	// here says that a shell of this machine runs the text, in the directory that the
	// text around it runs in.
	here bool
	// task is set for what a task runner runs: what is said of it, and dir is where,
	// as seen from the directory of the line.
	task  *taskRun
	dir   string
	index int // of the command of from that it comes out of
	// call holds the words that stand for $1, $2 …, where the text is the body of
	// a function or the line of sh -c LINE NAME ARG…; nil if they are not known.
	// zero is the word for $0, its Text "" if it is not known.
	call []shline.Word
	zero shline.Word
	// same says that the shell of from runs the text, with its functions: eval, trap.
	same bool
	// reads says that the text reads what the command of from would, and not its
	// own program.
	reads bool
}

// at maps a span of the text to the outermost line.
func (t *text) at(start, end int) tcpdb.Span {
	if !t.mapped {
		return t.span
	}
	return tcpdb.Span{Start: t.span.Start + start, End: t.span.Start + end}
}

type judge struct {
	view  *tcpdb.View
	facts risk.Facts
	out   Verdict
	count int // commands judged
	work  int // spent, see spend
	bound int // words that were bound to look for what they carry, see binds
	// described are the findings of which it is told what they are about.
	described int
	read      int // bytes of the texts within the line that were judged, see reads
	// waiting are commands that run tasks, whose bodies are judged after the line
	// itself, so that what is typed never lacks the room; done are those bodies.
	waiting []taskRun
	done    map[risk.TaskBody]bool
}

// maxWork bounds what is worked out for a line: the texts within it that are judged,
// the values of its variables and what its commands write, in bytes; commandWork is
// what looking at a command that writes costs of it.
const (
	maxWork     = 8 << 20
	commandWork = 64
)

// spend takes a cost from the work that a line may make, and reports whether there
// was enough left. A line can double a value with every few bytes, so one that
// comes to the end of it is not analysed.
func (j *judge) spend(t *text, cost int) bool {
	if j.work > maxWork {
		return false
	}
	if j.work += cost; j.work > maxWork {
		j.opaque(t, "too much to work out")
		return false
	}
	return true
}

// line judges one text.
func (j *judge) line(t text, depth int) {
	if reason := refuse(t.s, depth); reason != "" {
		j.opaque(&t, reason)
		return
	}
	if depth > 0 && (!j.spend(&t, len(t.s)) || !j.reads(&t)) {
		return
	}
	p := parse(&t)
	if depth == 0 && (!p.complete || p.err == "" && continued(&t)) {
		j.out.Complete = false
	}
	if p.err != "" {
		j.opaque(&t, p.err)
	}
	if j.out.Findings == nil {
		j.out.Findings = make([]Finding, 0, min(len(p.commands)+8, maxCommands))
	}
	r := &run{judge: j, text: &t, program: p, depth: depth}
	r.all()
}

// refuse returns why a text is not to be parsed, or "". It looks at each byte
// once, before any parser does.
func refuse(s string, depth int) string {
	switch {
	case len(s) > maxBytes:
		return "too long"
	case strings.IndexByte(s, 0) >= 0:
		return "holds a NUL byte"
	case depth > maxLines:
		return "lines within lines too deep"
	case nesting(s) > maxNesting:
		return "nested too deep"
	}
	return ""
}

// nesting returns how deep brackets and compound commands nest at most, quotes
// or not: an upper bound that a parser's recursion follows.
func nesting(s string) int {
	brackets, words, deepest := 0, 0, 0
	start := 0
	for i := 0; i <= len(s); i++ {
		c := byte(' ')
		if i < len(s) {
			c = s[i]
		}
		switch c {
		case '(', '{':
			brackets++
		case ')', '}':
			brackets = max(brackets-1, 0)
		}
		if c >= 'a' && c <= 'z' {
			continue
		}
		switch s[start:i] {
		case "if", "while", "until", "for", "case", "select", "begin", "switch", "function", "time", "coproc":
			words++
		case "fi", "done", "esac", "end":
			words = max(words-1, 0)
		}
		start = i + 1
		deepest = max(deepest, brackets+words)
	}
	return deepest
}

// opaque rates a text that cannot be analysed.
func (j *judge) opaque(t *text, reason string) {
	j.add(Finding{
		Span: t.span, Level: tcpdb.High, Rule: "not-analysed", Reason: "not analysed: " + reason,
	})
}

// unfinished rates a line that has no end: a program that is given it runs what is
// there, or waits for a rest that nobody has seen.
func (j *judge) unfinished(line string) {
	j.add(Finding{
		Span: tcpdb.Span{Start: 0, End: len(line)}, Level: tcpdb.High, Rule: "unfinished", Reason: "is not finished: what comes behind it is not known",
	})
}

// add takes a finding into the verdict.
func (j *judge) add(f Finding) {
	switch {
	case f.Level > j.out.Level:
		j.out.Scope = f.Scope
	case f.Level == j.out.Level:
		j.out.Scope = max(j.out.Scope, f.Scope)
	}
	j.out.Level = max(j.out.Level, f.Level)
	j.out.Flags |= f.Flags.Capabilities()
	switch n := len(j.out.Findings); {
	case n < maxCommands:
		j.out.Findings = append(j.out.Findings, f)
	case f.Level >= tcpdb.High && f.Level > j.out.Findings[n-1].Level: // no list is so long that it hides the worst
		j.out.Findings[n-1] = Finding{Span: f.Span, Level: f.Level, Flags: f.Flags, Rule: f.Rule, Reason: f.Reason, Scope: tcpdb.System}
	}
}
