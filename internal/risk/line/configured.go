package line

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Configured judges a line that has its Use, for a caller that has the words of
// the command and no line around them.
func Configured(v *tcpdb.View, l risk.Line, f risk.Facts) Verdict {
	j := &judge{view: v, facts: f, out: Verdict{Level: tcpdb.Safe, Known: true, Complete: true}}
	r := &run{judge: j, text: &text{dialect: shline.Bash}}
	r.configured(nil, l)
	return j.out
}

// configured judges what a setting of the project makes a command run without a
// word of it in the line. What is harmless, or usual for such a setting, says
// nothing; what is not known, lies in the project itself or does more than
// read is HIGH, because nobody asked for it.
func (r *run) configured(words []shline.Word, l risk.Line) {
	v := r.apart(l)
	usual, marked := r.usual(l.Use, l.Text, &v)
	level := tcpdb.High
	switch {
	case usual && !marked, l.Use.Reads != "loads" && v.Level <= tcpdb.Low && v.Known:
		return
	case usual:
		level = tcpdb.Medium
	case l.Use.Reads == "alias":
		if v.Level < tcpdb.High || !v.says() {
			return // it is judged when it is called
		}
	case l.Use.Reads == "aliased":
		if !slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Rule == "unknown" }) {
			return // the line that the alias stands for is judged as any other
		}
	case expected(l.Use.Reads) && (v.Level < tcpdb.High || !v.says()):
		level = tcpdb.Medium // what only its run shows is no news of a program that is expected
	case v.Level > tcpdb.High:
		level = v.Level
	}
	r.add(r.ofSetting(words, l, &v, level))
}

// expected reports whether a program is one that the person knows to be the
// project's: a hook of a commit, a file of commands that has its place there.
func expected(reads string) bool {
	return wordlist.Has("hook gdb ruby bash", reads)
}

// ofSetting is the finding about a setting.
func (r *run) ofSetting(words []shline.Word, l risk.Line, v *Verdict, level tcpdb.Level) Finding {
	f := Finding{Level: level, Flags: v.Flags, Scope: v.Scope, Rule: "settings.runs"}
	key := l.Use.Key
	if l.Use.File != "" {
		key += " in " + l.Use.File
	}
	f.Reason = key + " runs " + shortened(l.Text)
	switch {
	case l.Use.Reads == "hook" || l.Use.Reads == "unasked":
		f.Reason = "runs the hook " + l.Use.File
	case l.Use.Key == "whole":
		f.Reason = "runs the commands in " + l.Use.File
	case l.Use.Reads == "loads":
		f.Reason = key + " loads " + shortened(l.Text)
	}
	if len(v.Findings) > 0 && v.Findings[0].Level >= tcpdb.High {
		f.Reason += ": " + v.Findings[0].Reason
	}
	f.Span = r.text.span
	if l.Word >= 0 && l.Word < len(words) {
		f.Span = r.text.at(words[l.Word].Start, words[l.Word].End)
	}
	if form := r.form(l.Outer); form != "" && len(l.Text) <= maxShown && !strings.ContainsAny(l.Text, "\n\x00") {
		f.Form = form + " " + l.Use.Key + "=" + l.Text // another value is another form
	}
	return f
}

// maxShown bounds the value of a setting that is shown or remembered, in bytes.
const maxShown = 200

func shortened(s string) string {
	s, _, more := strings.Cut(s, "\n")
	if len(s) > maxShown {
		s, more = strings.ToValidUTF8(s[:maxShown], ""), true
	}
	if more {
		s += " …"
	}
	return s
}

// usual reports whether each command of a line is one that is usual for the
// setting, or only reads.
func (r *run) usual(u *risk.Use, text string, v *Verdict) (usual, marked bool) {
	if strings.ContainsAny(text, ";&<>`\n") || strings.Contains(text, "$(") {
		return false, false
	}
	for _, c := range shline.Split(shline.Bash, text).Commands {
		if len(c.Words) == 0 {
			return false, false
		}
		words := shline.Texts(c.Words)
		if u.Reads == "loads" { // each word is something of its own
			for _, w := range words {
				whole, _, mark := u.Ordinary(w, "")
				if marked = marked || mark; !whole {
					return false, false
				}
			}
			continue
		}
		program := path.Base(words[0])
		if strings.Contains(words[0], "/") && (r.facts.Trusted == nil || !r.facts.Trusted(words[0])) {
			program = ""
		}
		whole, named, mark := u.Ordinary(strings.Join(words, " "), program)
		marked = marked || mark
		if whole || named && v.Level < tcpdb.High && ownOnly(v, &c) {
			continue
		}
		if o := risk.Judge(r.view, words, risk.Facts{Trusted: r.facts.Trusted}); o.Level > tcpdb.Low || !o.Known || len(o.Lines) > 0 {
			return false, false
		}
	}
	return true, marked
}

// apart judges the text of a setting by itself. Settings that its own commands
// would have are left out, so that they cannot name each other for ever.
func (r *run) apart(l risk.Line) Verdict {
	facts := r.facts
	facts.Settings = nil
	j := &judge{view: r.view, facts: facts, out: Verdict{Level: tcpdb.Safe, Known: true, Complete: true}, work: r.work, count: r.count}
	lang := shellLanguage
	switch reads := l.Use.Reads; {
	case wordlist.Has("hook unasked", reads):
		if lang = r.interpreter(l.Text); lang == "" || strings.IndexByte(l.Text, 0) >= 0 {
			j.out.Known, j.out.Level = false, tcpdb.Medium
			return j.out
		}
	case wordlist.Has("gdb ruby", reads): // languages too
		lang = reads
	}
	t := &text{s: l.Text, span: tcpdb.Span{Start: 0, End: len(l.Text)}, mapped: true, dialect: shline.Bash, literal: true}
	in := &run{judge: j, text: t, depth: r.depth + 1}
	if lang == shellLanguage && r.depth < maxLines {
		t.options.Posix = l.Use.Reads != "bash" && !strings.Contains(firstLine(l.Text), "bash")
		j.line(*t, r.depth+1)
	} else {
		in.code(lang, l.Text, t.span, nil)
	}
	r.work, r.count = j.work, j.count
	slices.SortStableFunc(j.out.Findings, func(a, b Finding) int { return int(b.Level) - int(a.Level) })
	return j.out
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// ownOnly reports whether nothing within a command is unknown but its program.
func ownOnly(v *Verdict, c *shline.Command) bool {
	return !slices.ContainsFunc(v.Findings, func(f Finding) bool {
		return f.Rule == "unknown" && f.Start > c.Words[0].Start && f.Start < c.End
	})
}

// says reports whether a verdict rests on more than code that only its run shows.
func (v *Verdict) says() bool {
	return slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Level >= tcpdb.High && !onlyRun(f.Rule) })
}

// onlyRun reports whether a rule is one for what only the run of it shows.
func onlyRun(rule string) bool {
	switch rule {
	case "flow.opaque", "flow.computed", "flow.file", risk.Computed, "not-analysed", "code.eval", "unknown":
		return true
	}
	return false
}
