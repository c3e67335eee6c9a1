package risk

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/code"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// inline finds the program given as an argument of an interpreter. script
// reports that a file or a module runs, or nothing that is known here.
func inline(v *tcpdb.View, words []string) (lang string, codes []Line, script bool) {
	lang = Language(v, words[0])
	if n := v.Root(path.Base(words[0])); lang == "" || lang == "sh" || n != nil && placed(n) {
		return "", nil, false
	}
	name := path.Base(words[0])
	options, values := codeFlags(lang, name)
	operands := 0
	for i := 1; i < len(words); i++ {
		w := words[i]
		long, value, attached := strings.Cut(w, "=")
		if lang == "pwsh" {
			if i+1 < len(words) {
				if text, ok := encoded(w, words[i+1]); ok {
					i++
					codes = append(codes, Line{Text: text, Dialect: lang, Word: i})
					continue
				}
			}
			w = strings.ToLower(w)
		}
		switch {
		case (wordlist.Has(options, w) || w == "eval" && operands == 0 && wordlist.Has("deno crystal", name)) && i+1 < len(words):
			i++
			codes = append(codes, Line{Text: words[i], Dialect: lang, Word: i})
		case attached && strings.HasPrefix(w, "--") && wordlist.Has(options, long):
			codes = append(codes, Line{Text: value, Dialect: lang, Word: i})
		case lang == "sql" && attachedSQL(name, w) != "":
			codes = append(codes, Line{Text: attachedSQL(name, w), Dialect: lang, Word: i})
		case wordlist.Has(values, w):
			script = script || w == "-m" && lang == "python"
			i++
		case len(w) > 2 && w[0] == '-' && w[1] != '-' && (bundled(lang, w, options) || lang == "sql" && bundledSQL(name, w)) && i+1 < len(words):
			i++ // -pe, -ne, -lane
			codes = append(codes, Line{Text: words[i], Dialect: lang, Word: i})
		case strings.HasPrefix(w, "-") && w != "-":
		default:
			if name == "deno" && operands == 0 && w == "run" {
				continue
			}
			operands++
			if strings.HasPrefix(name, "sqlite") && operands == 2 {
				codes = append(codes, Line{Text: w, Dialect: lang, Word: i})
			}
			if lang != "sql" && lang != "mongo" && len(codes) == 0 {
				return lang, codes, w != "-"
			}
		}
	}
	return lang, codes, script
}

// Programs returns the programs among the words of an interpreter's command:
// what follows python -c, psql -c. Dialect is their language, Word the index of
// the word that ends with Text.
func Programs(v *tcpdb.View, words []string) []Line {
	_, codes, _ := inline(v, words)
	return codes
}

// inlineCode judges an interpreter by the programs among its arguments, and a
// client of a database by its files too; ok is false if it has none. The first
// word is word number at of the whole command.
func (j *judge) inlineCode(words []string, at int) (Verdict, bool) {
	lang, codes, _ := inline(j.view, words)
	if lang == "sql" {
		if v, ok := j.inFiles(words, at); ok {
			return j.codeVerdict(v, words, at, lang, codes), true
		}
	}
	if len(codes) == 0 {
		return Verdict{}, false
	}
	return j.codeVerdict(Verdict{}, words, at, lang, codes), true
}

// codeVerdict adds to v what the code is rated, which words hold, and what else
// they tell the program of that language.
func (j *judge) codeVerdict(v Verdict, words []string, at int, lang string, codes []Line) Verdict {
	v.merge(Verdict{Level: tcpdb.Low, Known: true})
	v.Known = true
	for _, c := range codes {
		o := j.facts.Program(lang, c.Text)
		o.place(at + c.Word)
		v.merge(o)
	}
	if b := argv.Outline(j.view, words); b != nil {
		j.handsOn(b, at, &v)
	}
	j.placeLines(&v)
	for _, w := range words[1:] {
		if inPlace(lang, w) {
			edits := says(tcpdb.Medium, tcpdb.FileModification, tcpdb.NamedFiles, "code.in-place", "edits files in place")
			if !strings.Contains(w, "i.") { // -i.bak keeps a copy
				edits.Findings[0].Stake = tcpdb.Stake{Loss: tcpdb.Content, Reach: tcpdb.OwnReach, Fact: tcpdb.EditsFact}
			}
			v.merge(edits)
			for i, file := range words[1:] {
				if f, ok := Written(file); ok {
					f.Rule, f.Word = "output."+f.Rule, at+i+1
					v.merge(Verdict{Level: f.Level, Flags: f.Flags, Known: true, Scope: f.Scope, Findings: []Finding{f}})
				}
			}
		}
		if lang == "perl" && strings.HasPrefix(w, "-MCPAN") {
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess|tcpdb.SystemModification, tcpdb.System, "code.install", "installs packages"))
		}
	}
	if b := argv.Outline(j.view, words); b != nil {
		c := &Command{Bound: b, At: at, Outer: j.outer}
		for i := range v.Findings {
			if v.Findings[i].Command == nil {
				v.Findings[i].Command = c
			}
		}
	}
	return v
}

// placeLines says of lines that a program hands on that they run where it does.
func (j *judge) placeLines(v *Verdict) {
	for i := range v.Lines {
		if v.Lines[i].Outer == nil {
			v.Lines[i].Outer = j.outer
		}
	}
}

// inPlace reports whether a word is an option of perl or ruby that writes the
// output back to the files: -i, -pi, -pi.bak, -i -pe.
func inPlace(lang, w string) bool {
	if lang != "perl" && lang != "ruby" || len(w) < 2 || w[0] != '-' || w[1] == '-' {
		return false
	}
	before, _, found := strings.Cut(w[1:], "i")
	return found && strings.Trim(before, "panlw0123456789") == ""
}

// bundled reports whether short options end in one that takes a program.
func bundled(lang, w, options string) bool {
	return (lang == "perl" || lang == "ruby" || lang == "python") && wordlist.Has(options, "-"+w[len(w)-1:]) &&
		strings.Trim(w[1:], "abcdefghijklmnopqrstuvwxyzE0") == ""
}

// bundledSQL reports whether short options of psql (-Atc) or mysql (-sNe) end in
// the one that takes statements, after some that take nothing.
func bundledSQL(name, w string) bool {
	last, before := w[len(w)-1], w[1:len(w)-1]
	if strings.HasPrefix(name, "psql") {
		return last == 'c' && strings.Trim(before, "aAbeEHlnqsSt1wWxXz0") == ""
	}
	return !strings.HasPrefix(name, "sqlite") && last == 'e' && strings.Trim(before, "ABbCEfGHiLNnqrstvVX") == ""
}

// attachedSQL returns the statement in the same word as the short option that
// takes it (mysql -e"select 1", psql -Atc"select 1"), "" if there is none.
func attachedSQL(name, w string) string {
	takes, flags := byte('e'), "ABbCEfGHiLNnqrstvVX"
	switch {
	case strings.HasPrefix(name, "sqlite"):
		return ""
	case strings.HasPrefix(name, "psql"):
		takes, flags = 'c', "aAbeEHlnqsSt1wWxXz0"
	}
	if len(w) < 3 || w[0] != '-' || w[1] == '-' {
		return ""
	}
	for k := 1; k < len(w)-1; k++ {
		switch {
		case w[k] == takes:
			return w[k+1:]
		case strings.IndexByte(flags, w[k]) < 0:
			return ""
		}
	}
	return ""
}

// Code rates a program of a language that package code reads. Shell lines in it are
// in Verdict.Lines.
func Code(lang, text string) Verdict {
	r := code.Read(lang, text)
	v := Verdict{Level: r.Level, Flags: r.Flags, Known: true, Scope: r.Scope}
	for _, x := range r.Reasons {
		v.Findings = append(v.Findings, Finding{Word: -1, Level: x.Level, Flags: x.Flags, Rule: x.Rule, Reason: x.Reason, Scope: x.Scope, Stake: x.Stake})
	}
	done := map[string]bool{}
	for _, line := range r.Lines {
		if !done[line] {
			done[line] = true
			v.Lines = append(v.Lines, Line{Text: line, Dialect: "posix"})
		}
	}
	for _, f := range r.Files {
		v.Files = append(v.Files, File{Name: f.Name, Language: f.Language, Word: -1})
	}
	return v
}
