package line

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// shellLanguage is the language of programs that run shell lines.
const shellLanguage = "shell"

// language returns the language of an interpreter that reads a program from
// its standard input, or "".
func (r *run) language(word string) string {
	lang := risk.Language(r.view, word)
	switch {
	case lang == "sh":
		return shellLanguage
	case wordlist.Has("awk sed make elisp", lang):
		return "" // theirs is a file, or a word
	}
	return lang
}

// flow judges what is fed to the command as a program: a pipe, a here-document,
// a here-string, a file, a process substitution. Whole says that the command
// is an interpreter and nothing but this program, so that it needs no judgement
// of its own.
func (r *run) flow(c *command, words []shline.Word) (whole bool) {
	var room [1][]shline.Word
	for i, inner := range r.innermost(words, room[:0]) {
		lang := r.language(inner[0].Text)
		if filter := r.filterOnInput(inner); filter != "" {
			r.fed(c, inner, filter)
			return false
		}
		if filter := r.filterName(inner[0].Text); filter != "" {
			for _, w := range inner[1:] {
				if strings.HasPrefix(w.Raw, "<(") {
					r.substituted(c, []shline.Word{inner[0], w}, filter)
				}
			}
		}
		if lang == "" {
			if opened := r.opens(inner); opened != "" {
				if r.fed(c, inner, opened) {
					return false
				}
				continue
			}
		}
		if lang == "" {
			if names(inner[0].Text, "source", ".", "eval") {
				r.substituted(c, inner, shellLanguage)
			}
			if names(inner[0].Text, "source", ".") && len(inner) > 1 && isInput(inner[1].Text) {
				return r.fed(c, inner, shellLanguage) && i == 0
			}
			if r.text.dialect == shline.Fish && names(inner[0].Text, "source", ".") && (len(inner) == 1 || inner[1].Text == "-") {
				return r.fed(c, inner, shellLanguage) && i == 0
			}
			continue
		}
		if lang == shellLanguage || len(inner) > 1 && strings.HasPrefix(inner[1].Raw, "<(") {
			r.substituted(c, inner, lang)
		}
		for k := 2; k < len(inner) && lang != shellLanguage; k++ {
			if !names(inner[k-1].Text, "-c", "-e", "-E", "-r", "-p", "--eval") {
				continue
			}
			if w := inner[k]; substitution(w.Raw) {
				r.substituted(c, []shline.Word{inner[0], w}, lang)
			} else if name, _, rest := reference(strings.TrimPrefix(strings.Trim(w.Raw, `"`), "$")); w.Live && name != "" && rest == "" {
				code, ok := r.known(name)
				r.source(strings.Join(code, " "), !ok, r.text.at(w.Start, w.End), lang, len(r.text.s), inner)
			}
		}
		if !r.readsInput(inner) {
			continue
		}
		return r.fed(c, inner, lang) && i == 0 && lang != shellLanguage && risk.OnlyCode(r.view, inner[0].Text)
	}
	return false
}

// isInput reports whether a path names standard input, or a descriptor that a
// redirection of the command may have opened.
func isInput(p string) bool {
	for _, dir := range [...]string{"/dev/fd/", "/proc/self/fd/"} {
		if fd, ok := strings.CutPrefix(p, dir); ok && fd != "" && isFD(fd) {
			return true
		}
	}
	return p == "/dev/stdin"
}

// filterOnInput returns "awk", "sed" or "make" if the words are those of such a
// program that reads its own from standard input, else "".
func (r *run) filterOnInput(words []shline.Word) string {
	lang := r.filterName(words[0].Text)
	if lang == "" {
		return ""
	}
	for i, w := range words[1:] {
		if t := w.Text; t == "-f-" || t == "--file=-" || t == "--file=/dev/stdin" ||
			(t == "-" || isInput(t)) && (words[i].Text == "-f" || words[i].Text == "--file") {
			return lang
		}
	}
	return ""
}

// filterName returns "awk", "sed" or "make" if the word names a program that
// reads its own with -f, else "".
func (r *run) filterName(word string) string {
	if lang := risk.Language(r.view, word); wordlist.Has("awk sed make", lang) {
		return lang
	}
	return ""
}

// mayRead reports whether a word names a program that may read another one from its
// input: an interpreter, what carries one, what takes lines for a shell.
func (r *run) mayRead(word string) bool {
	n := r.view.Root(word[strings.LastIndexByte(word, '/')+1:])
	return n != nil && (n.Language() != "" || n.Wrapper.Mode != tcpdb.NoWrap) || names(word, "source", ".", "eval", "newgrp", "parallel", "rush", "redis-cli", "valkey-cli") ||
		risk.Language(r.view, word) != ""
}

// innermost returns the words of the commands that a command carries, itself
// first: sudo bash gives both. They are appended to out.
func (r *run) innermost(words []shline.Word, out [][]shline.Word) [][]shline.Word {
	out = append(out, words)
	if len(words) == 1 || !slices.ContainsFunc(words[1:], func(w shline.Word) bool { return r.mayRead(w.Text) }) {
		return out
	}
	if name := words[0].Text; !words[0].Live {
		root := r.view.Root(name[strings.LastIndexByte(name, '/')+1:])
		if root == nil || root.Wrapper.Mode == tcpdb.NoWrap && !root.HasSubs() {
			return out // most commands carry none
		}
	}
	for depth := 0; depth < maxLines && len(words) > 0; depth++ {
		if depth > 0 && !r.binds(len(words)) {
			break
		}
		b := argv.Bind(r.view, shline.Texts(words))
		if b == nil || len(b.Inner) == 0 || b.Inner[0].Start >= b.Inner[0].End {
			break
		}
		words = words[b.Inner[0].Start:b.Inner[0].End]
		out = append(out, words)
	}
	return out
}

// readsInput reports whether an interpreter takes its program from standard
// input: it has neither a script nor code as an argument.
func (r *run) readsInput(words []shline.Word) bool {
	if names(words[0].Text, "at", "batch") {
		for _, w := range words[1:] {
			if names(w.Text, "-f", "-l", "-r", "-d", "-c") {
				return false
			}
		}
		return true
	}
	lang := r.language(words[0].Text)
	if lang != shellLanguage {
		first := slices.IndexFunc(words[1:], func(w shline.Word) bool { return !strings.HasPrefix(w.Text, "-") })
		return first >= 0 && isInput(words[first+1].Text) || risk.ReadsInput(r.view, shline.Texts(words))
	}
	for i, w := range words[1:] {
		t := w.Text
		switch {
		case t == "-" || t == "-s" || strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && strings.Contains(t, "s"):
			return true
		case t == "-c" || strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && strings.Contains(t, "c"):
			return false
		case t == "-o" || t == "-O" || t == "+o" || t == "--rcfile" || t == "--init-file":
			continue
		case strings.HasPrefix(t, "-n") && len(t) == 2:
			return false // only checks the syntax
		case strings.HasPrefix(t, "-") || strings.HasPrefix(t, "+"):
			continue
		case i > 0 && names(words[i].Text, "-o", "-O", "+o", "--rcfile", "--init-file"):
			continue
		}
		return isInput(t)
	}
	return true
}

// fed judges the programs that flow into an interpreter, of which the last counts,
// in zsh all; it is false if none does.
func (r *run) fed(c *command, inner []shline.Word, lang string) bool {
	fed := false
	for i := range c.redirs {
		fed = r.fedBy(c, &c.redirs[i], inner, lang) || fed
	}
	if fed {
		return true
	}
	if c.from >= c.to && r.text.reads {
		// sh -c sh < f: what the line around it reads.
		o := r.text.from
		return o.fed(&o.program.commands[r.text.index], inner, lang)
	}
	if c.from >= c.to {
		return false
	}
	r.pipe(c, inner, lang)
	return true
}

// fedBy is fed for one redirection.
func (r *run) fedBy(c *command, d *redirect, inner []shline.Word, lang string) bool {
	switch {
	case strings.HasPrefix(d.op, "<<<") && d.target.Live && !r.settled(d.target).Live:
		r.source(r.settled(d.target).Text, false, r.text.at(d.target.Start, d.target.End), lang, len(r.text.s), inner)
		return true
	case strings.HasPrefix(d.op, "<<<"):
		at := d.target.Start + max(strings.Index(d.target.Raw, d.target.Text), 0)
		r.source(d.target.Text, d.target.Live, r.text.at(at, at+len(d.target.Text)), lang, at, inner)
		return true
	case strings.HasPrefix(d.op, "<<"):
		r.source(d.body, false, r.text.at(d.bodyAt, d.bodyAt+len(d.body)), lang, d.bodyAt, inner)
		return true
	case d.op == "<" && d.target.Text == "/dev/null":
		return true
	case d.op == "<" && (strings.HasPrefix(d.target.Raw, "<(") || strings.HasPrefix(d.target.Raw, "(")):
		r.substituted(c, []shline.Word{inner[0], d.target}, lang)
		return true
	case d.op == "<" && r.written[path.Clean(d.target.Text)] != "":
		r.source(r.written[path.Clean(d.target.Text)], false, r.text.at(d.start, d.target.End), lang, len(r.text.s), inner)
		return true
	case d.op == "<" && r.reads(d, lang, inner):
		return true
	case d.op == "<":
		r.add(Finding{
			Span: r.text.at(d.start, d.target.End), Level: tcpdb.High, Rule: "flow.file",
			Reason: "runs a file that is not looked into",
		})
		return true
	}
	return false
}

// pipe judges what the commands before an interpreter write into it.
func (r *run) pipe(c *command, inner []shline.Word, lang string) {
	span := r.text.at(c.start, c.end)
	sources := r.program.commands[c.from:c.to]
	if !r.spend(r.text, commandWork*len(sources)) {
		return
	}
	for i := range sources {
		if s := &sources[i]; r.network(s) {
			r.remote(r.text.at(s.start, c.end))
			if lang == shellLanguage && names(s.words[0].Text, "nc", "ncat", "netcat", "socat", "telnet") {
				r.lent(r.text.at(s.start, c.end))
			}
			return
		}
	}
	// A here-document that is only copied keeps its place in the line.
	if s := &sources[0]; len(sources) == 1 && len(s.words) == 1 && names(s.words[0].Text, "cat") && len(s.redirs) == 1 && s.redirs[0].body != "" {
		d := &s.redirs[0]
		r.source(d.body, false, r.text.at(d.bodyAt, d.bodyAt+len(d.body)), lang, d.bodyAt, inner)
		return
	}
	if text, ok := r.output(r.literal(sources)); ok {
		r.source(text, false, r.text.at(sources[0].start, sources[len(sources)-1].end), lang, len(r.text.s), inner)
		return
	}
	if s := &sources[0]; len(sources) == 1 && len(s.words) > 0 && names(s.words[0].Text, "echo", "printf") {
		r.source("", true, r.text.at(s.start, s.end), lang, s.start, inner)
		return
	}
	r.add(Finding{
		Span: span, Level: tcpdb.High, Rule: "flow.opaque", Reason: "runs what another command writes, which is not known here",
		Stake: r.setup(sources),
	})
	r.spelled(sources, lang)
}

// spelled judges what the commands before an interpreter write into it where
// their words spell out a part of it: sed 's/^/rm /' list | sh.
func (r *run) spelled(sources []command, lang string) {
	for i := range sources {
		s := &sources[i]
		if len(s.words) == 0 || names(s.words[0].Text, "grep", "egrep", "fgrep", "rg", "ag", "ack", "cat", "find", "ls") {
			continue
		}
		for k := 1; k < len(s.words); k++ {
			w := &s.words[k]
			if f, ok := spells(w.Text, lang, k+1 < len(s.words)); ok {
				f.Span = r.text.at(w.Start, w.End)
				r.add(f)
				return
			}
		}
	}
}

// spells reports whether a text holds the beginning of a command that deletes, in
// the language of what will run it. More says that words follow the text.
func spells(text, lang string, more bool) (f Finding, ok bool) {
	f = Finding{
		Level: tcpdb.Critical, Flags: tcpdb.Destructive | tcpdb.FileModification, Rule: "flow.spelled", Scope: tcpdb.Tree,
		Reason: "writes commands that delete, and runs them",
	}
	switch lang {
	case shellLanguage:
		for rest := text; ; {
			before, after, found := strings.Cut(rest, "rm")
			if !found {
				return f, false
			}
			start := before == "" && len(rest) == len(text) || before != "" && strings.IndexByte(" /^\"'`;|&(@,~\n\t", before[len(before)-1]) >= 0
			if start && (after == "" && more || after != "" && (after[0] == ' ' || after[0] == '\t')) {
				return f, true
			}
			rest = after
		}
	case "sql", "statements":
		f.Flags, f.Reason = tcpdb.Destructive, "writes statements that delete, and runs them"
		lower := strings.ToLower(text)
		for _, verb := range [...]string{"drop ", "truncate ", "delete from "} {
			if strings.Contains(lower, verb) {
				return f, true
			}
		}
	}
	return f, false
}

// lendsShell judges a pipe that hands what a shell writes to another machine: with
// sh -i | nc HOST PORT that machine has a shell here.
func (r *run) lendsShell(c *command, words []shline.Word) {
	if c.from >= c.to || !names(words[0].Text, "nc", "ncat", "netcat", "socat", "telnet", "openssl") {
		return
	}
	for i := c.from; i < c.to; i++ {
		s := &r.program.commands[i]
		if len(s.words) > 0 && r.language(s.words[0].Text) == shellLanguage && !names(s.words[0].Text, "at", "batch") && r.readsInput(s.words) {
			r.lent(r.text.at(s.start, c.end))
			return
		}
	}
}

// emptied judges tee where what comes before it writes nothing: : | tee file.
func (r *run) emptied(c *command, words []shline.Word) {
	if c.from+1 != c.to || !names(words[0].Text, "tee") || !r.idle(&r.program.commands[c.from]) {
		return
	}
	for _, w := range words[1:] {
		switch {
		case w.Text == "-a" || w.Text == "--append":
			return
		case !strings.HasPrefix(w.Text, "-") && !syspath.IsHarmless(path.Clean(w.Text)):
			r.add(Finding{
				Span: r.text.at(w.Start, w.End), Level: tcpdb.High, Flags: tcpdb.FileModification | tcpdb.Destructive, Rule: "redirect.empty",
				Reason: "empties a file", Scope: tcpdb.NamedFiles, Targets: r.targets(&w, r.moved(false), false), Earlier: r.earlier(), Stake: stakeOf("redirect.empty"),
			})
		}
	}
}

func (r *run) lent(span tcpdb.Span) {
	r.add(Finding{
		Span: span, Level: tcpdb.High, Flags: tcpdb.NetworkAccess | tcpdb.PrivilegeEscalation,
		Rule: "flow.shell", Reason: "gives a shell to another machine", Scope: tcpdb.Remote,
	})
}

// network reports whether a command fetches something.
func (r *run) network(c *command) bool {
	if len(c.words) == 0 {
		return false
	}
	if n := r.view.Root(path.Base(c.words[0].Text)); n != nil &&
		(n.HasClass(tcpdb.NetworkClientClass) || n.HasClass(tcpdb.DownloaderClass) || n.HasClass(tcpdb.CloudClass)) {
		return true
	}
	for _, w := range c.words[1:] {
		if strings.Contains(w.Text, "://") {
			return risk.Judge(r.view, shline.Texts(c.words), r.facts).Flags&tcpdb.NetworkAccess != 0
		}
	}
	return false
}

func (r *run) remote(span tcpdb.Span) {
	r.add(Finding{
		Span: span, Level: tcpdb.High, Flags: tcpdb.NetworkAccess | tcpdb.SystemModification, Rule: "flow.remote",
		Reason: "runs what it fetches from the network", Scope: tcpdb.System,
	})
}

// substituted judges shells, source and eval whose words hold the output of a
// command: what that writes is run.
func (r *run) substituted(c *command, words []shline.Word, lang string) {
	for _, w := range words[1:] {
		if !w.Live || !strings.ContainsAny(w.Raw, "(`") {
			continue
		}
		span := r.text.at(w.Start, w.End)
		within := r.within(w, c)
		for i := range within {
			if r.network(&within[i]) {
				r.remote(span)
				return
			}
		}
		if text, ok := r.output(within); ok && substitution(w.Raw) {
			r.source(text, false, span, lang, len(r.text.s), words)
			return
		}
		stake := r.setup(within)
		if stake.Known() && substitution(w.Raw) {
			r.setsUp = r.index + 1
		}
		r.add(Finding{Span: span, Level: tcpdb.High, Rule: "flow.opaque", Reason: "runs what another command writes, which is not known here", Stake: stake})
		return
	}
}

// within returns the commands that are substituted in a word of c.
func (r *run) within(w shline.Word, c *command) []command {
	var in []command
	for i := range r.program.commands {
		if s := &r.program.commands[i]; s.start > w.Start && s.end <= w.End && s != c {
			in = append(in, *s)
		}
	}
	return in
}

// substitution reports whether a word is one command substitution and nothing else.
func substitution(raw string) bool {
	if len(raw) > 1 && raw[0] == '"' && raw[len(raw)-1] == '"' {
		raw = raw[1 : len(raw)-1]
	}
	inner, ok := strings.CutPrefix(strings.TrimPrefix(raw, "$"), "(")
	if !ok {
		inner, ok = strings.CutPrefix(raw, "<(")
	}
	if ok && strings.HasSuffix(inner, ")") {
		return bracket(inner) == len(inner)-1
	}
	return len(raw) > 1 && raw[0] == '`' && strings.IndexByte(raw[1:], '`') == len(raw)-2
}

// bracket returns where the first bracket outside of quotes stands, -1 if there is
// none or a quote stays open.
func bracket(s string) int {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quote != '\'':
			i++
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && (c == '(' || c == ')'), quote == '"' && c == '$' && strings.HasPrefix(s[i+1:], "("):
			return i
		}
	}
	return -1
}

// setup is what is at stake where what commands write is run: nothing where all are
// known programs that print the set-up of a shell.
func (r *run) setup(sources []command) tcpdb.Stake {
	for i := range sources {
		if len(sources[i].words) == 0 || sources[i].words[0].Live || r.facts.Trusted != nil && !r.facts.Trusted(sources[i].words[0].Text) {
			return tcpdb.Stake{}
		}
		b := argv.Bind(r.view, shline.Texts(sources[i].words))
		if b == nil || !b.Is(tcpdb.PrintsShellClass) {
			return tcpdb.Stake{}
		}
	}
	if len(sources) == 0 {
		return tcpdb.Stake{}
	}
	return tcpdb.Stake{Loss: tcpdb.NoLoss, Reach: tcpdb.OwnReach}
}

// setUp is what is at stake with a command that is computed, where the line runs
// the set-up of a shell.
func (r *run) setUp() tcpdb.Stake {
	if r.setsUp == r.index+1 || r.text.same && r.text.from != nil && r.text.from.setsUp == r.text.index+1 {
		return tcpdb.Stake{Loss: tcpdb.NoLoss, Reach: tcpdb.OwnReach}
	}
	return tcpdb.Stake{}
}
