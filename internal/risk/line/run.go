package line

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// run judges the commands of one text.
type run struct {
	*judge
	text    *text
	program program
	depth   int
	called  map[string]bool // functions of the text that it calls
	// sites are the words of the calls of each function, those of the text itself
	// under ""; params are those of the call that is being judged, site its index.
	sites    map[string][][]shline.Word
	params   []shline.Word
	site     int
	aliases  map[string]string // defined on an earlier line of the text
	globals  map[string]string // those of zsh that hold for any word
	vars     map[string]value  // assigned literal values
	patterns []loop            // those through what patterns match
	fetched  map[string]bool   // files that a command of the text may fetch
	written  map[string]string // files that it writes, and their texts
	counts   map[string]int    // of the words of the text, for mentions
	writers  []*Written        // what its commands write, as far as that was asked for
	index    int               // the command that is being judged
	setsUp   int               // one behind that of a command that runs the set-up of a shell
	// What has been found out about the text: how many of its first commands leave
	// relative and absolute paths as they are, which variables it sets, by the
	// beginnings of their names, and whether it may loop.
	calm    [2]int
	begun   map[string]bool
	looked  bool
	looping bool
	// straightly: each command runs once, in the order in which they stand: 1 yes, -1 no,
	// 0 not looked. secrets are variables that are given what a command prints, and what
	// secret that is; nil if not looked.
	straightly int8
	secrets    map[string]string
	changing   []bool     // whether each command may change what a later one means; nil if not looked
	setting    [][]string // the places that each command sets; nil if not looked
	again      int8       // whether it repeats: 1 yes, -1 no, 0 not looked
	// Whether the directories that it changes to have been found, and where.
	walked bool
	steps  []step
	lost   bool // one of them is computed
}

func (r *run) all() {
	r.sites = map[string][][]shline.Word{"": {r.text.call}}
	r.calls()
	row := 0
	var pending []shline.Word // alias definitions of this physical line
	for i := range r.program.commands {
		c := &r.program.commands[i]
		if c.function != "" && !r.called[c.function] {
			continue
		}
		if c.row != row {
			r.define(pending)
			row, pending = c.row, nil
		}
		if words := options(c.words); len(words) > 2 && words[0].Text == "alias" && r.text.dialect == shline.Fish && !strings.Contains(words[1].Text, "=") {
			r.define([]shline.Word{{Text: words[1].Text + "=" + words[2].Text}}) // a function from now on
		} else if words := options(c.words); len(words) > 1 && words[0].Text == "alias" && r.text.dialect == shline.Fish {
			r.define(words[1:])
		} else if len(c.words) > 1 && c.words[0].Text == "alias" {
			pending = append(pending, c.words[1:]...)
		}
		r.index = i
		r.enter(c.start)
		for r.site = 0; r.site < len(r.sites[c.function]); r.site++ {
			if r.count++; r.count > maxCommands {
				r.opaque(r.text, "too many commands")
				return
			}
			r.params = r.sites[c.function][r.site]
			r.command(c)
		}
	}
}

// options leaves out the options of fish's alias.
func options(words []shline.Word) []shline.Word {
	if len(words) > 2 && words[0].Text == "alias" && strings.HasPrefix(words[1].Text, "-") {
		return append([]shline.Word{words[0]}, words[2:]...)
	}
	return words
}

// define takes over aliases, which hold from the next line on.
func (r *run) define(words []shline.Word) {
	global, suffix := false, false
	for _, w := range words {
		global = global || w.Text == "-g" && r.text.dialect == shline.Zsh
		suffix = suffix || w.Text == "-s" && r.text.dialect == shline.Zsh
		if name, body, ok := strings.Cut(w.Text, "="); ok {
			if global {
				if r.globals == nil {
					r.globals = map[string]string{}
				}
				r.globals[name] = body
			}
			if suffix {
				name = "." + name
			}
			if r.aliases == nil {
				r.aliases = map[string]string{}
			}
			r.aliases[name] = body
			r.calm, r.changing = [2]int{}, nil
		}
	}
}

// calls finds the functions of the text that it calls, directly or through
// others, and those that start copies of themselves.
func (r *run) calls() {
	cmds := r.program.commands
	functions := false
	for i := range cmds {
		functions = functions || cmds[i].function != ""
	}
	if !functions {
		return
	}
	bodies := map[string][]int{} // the commands of each function, and of the text under ""
	for i := range cmds {
		bodies[cmds[i].function] = append(bodies[cmds[i].function], i)
	}
	r.called = map[string]bool{}
	hooks := r.program.hooks
	switch r.text.dialect {
	case shline.Zsh:
		hooks = []string{"precmd", "preexec", "chpwd", "periodic", "zshexit", "zshaddhistory", "TRAPEXIT", "TRAPINT", "TRAPDEBUG", "TRAPZERR"}
	case shline.Fish:
		hooks = append(slices.Clip(hooks), "fish_prompt", "fish_right_prompt", "fish_mode_prompt", "fish_title", "fish_greeting")
	}
	waiting := []string{""} // functions whose commands are to be gone through
	call := func(outer string, words []shline.Word) {
		if name := words[0].Text; name != "" && bodies[name] != nil && r.callSite(outer, words) {
			waiting = append(waiting, name)
		}
	}
	for _, name := range hooks {
		call("", []shline.Word{{Text: name}})
	}
	for ; len(waiting) > 0; waiting = waiting[1:] {
		for _, i := range bodies[waiting[0]] {
			for _, words := range r.invoked(&cmds[i]) {
				if len(words) > 0 {
					call(waiting[0], words)
				}
			}
		}
	}
	for i := range cmds {
		c := &cmds[i]
		if len(c.words) > 0 && c.function != "" && c.words[0].Text == c.function && c.piped && r.called[c.function] {
			r.add(Finding{
				Span: r.text.at(c.start, c.end), Level: tcpdb.Critical, Rule: "fork-bomb",
				Reason: "starts copies of itself without end", Scope: tcpdb.System,
			})
			return
		}
	}
}

// command judges one command: its redirections, what it is, what it carries
// and what flows into it.
func (r *run) command(c *command) {
	if r.history(c) {
		return
	}
	r.assign(c)
	r.environment(c)
	empties := !c.compound && r.idle(c)
	for i := range c.redirs {
		d := c.redirs[i]
		if d.target.Live {
			d.target = r.settled(d.target)
		}
		r.redirect(c, &d, empties)
	}
	if len(c.words) == 0 {
		if r.text.dialect == shline.Zsh {
			r.expansions(c.assigns)
		}
		return
	}
	if r.alias(c) || r.global(c) {
		return
	}
	if words := given(c.words); words != nil {
		d := *c
		d.words, d.redirs = words, nil
		r.command(&d)
	}
	words := r.passed(c.words)
	if len(words) == 0 || r.body(words[0].Text) {
		return // its body is judged
	}
	r.positional(c, words)
	if r.shellFunction(words) {
		return
	}
	if words = r.resolve(words); words == nil {
		r.add(Finding{
			Span: r.text.at(c.words[0].Start, c.words[0].End), Level: tcpdb.High, Rule: risk.Computed,
			Reason: "which command runs is known only when it does", Stake: r.setUp(),
		})
		r.flow(c, c.words)
		return
	}
	r.fetch(c, words)
	r.lendsShell(c, words)
	r.emptied(c, words)
	r.sends(c, words)
	if r.text.options.Marks {
		r.marks(c, words)
	}
	r.aliasOfGit(words)
	r.typed(c, words)
	r.schedules(c, words)
	r.runsWritten(words)
	r.writes(c, words)
	if r.flow(c, words) {
		return
	}
	if r.text.dialect == shline.Zsh {
		r.qualifiers(words[1:])
		r.expansions(words)
	}
	if names(words[0].Text, "trap") {
		r.trap(words)
	}
	r.simple(c, r.givenSettings(c, words))
	r.formerly(c)
}

// trap judges what a trap sets to run later, in this shell.
func (r *run) trap(words []shline.Word) {
	if len(words) > 1 && words[1].Text == "--" {
		words = words[1:]
	}
	if len(words) > 2 && words[1].Text != "" && words[1].Text[0] != '-' {
		w := words[1]
		if w.Live {
			w.Text = r.settled(w).Text
		}
		r.source(w.Text, false, r.text.at(w.Start, w.End), shellLanguage, len(r.text.s), words)
	}
}

// idle reports whether a command writes nothing, so that it only serves its
// redirections: :, true, cat /dev/null, echo -n, printf ”.
func (r *run) idle(c *command) bool {
	for i := range c.redirs {
		if d := &c.redirs[i]; strings.HasPrefix(d.op, "<") && (d.op != "<" || d.target.Text != "/dev/null") {
			return false
		}
	}
	var room [3]string
	rest := room[:0]
	for i := range c.words {
		if i > 0 && len(rest) < 3 {
			rest = append(rest, c.words[i].Text)
		}
	}
	switch {
	case len(c.words) == 0 || len(rest) == 0 && names(c.words[0].Text, ":", "true", "false"):
		return true
	case names(c.words[0].Text, "cat"):
		return len(rest) == 0 && len(c.redirs) > 1 || len(rest) == 1 && rest[0] == "/dev/null"
	case names(c.words[0].Text, "echo"):
		return len(rest) > 0 && rest[0] == "-n" && (len(rest) == 1 || len(rest) == 2 && rest[1] == "")
	case names(c.words[0].Text, "printf"):
		return len(rest) == 1 && rest[0] == ""
	}
	return false
}

// resolve returns the words with a command word that can be known, or nil.
func (r *run) resolve(words []shline.Word) []shline.Word {
	if r.text.dialect == shline.Zsh {
		words = precommands(paths(words))
	}
	w := words[0]
	if w.Raw == "[" || !w.Live && !w.Glob && !strings.Contains(w.Raw, "{") {
		return words
	}
	if !w.Live && !w.Glob {
		return r.braces(words)
	}
	if substitution(w.Raw) {
		text, ok := r.output(r.within(w, nil))
		fields := strings.Fields(text)
		if !ok || len(fields) == 0 {
			return nil
		}
		return append(placed(fields, w), words[1:]...)
	}
	inner, split := strings.CutPrefix(w.Raw, "${=")
	if split && r.text.dialect == shline.Zsh {
		w.Raw = "${" + inner
		w.Text = w.Raw
	}
	fields, ok := r.values(w)
	if !ok {
		return nil
	}
	if split {
		fields = strings.Fields(strings.Join(fields, " ")) // as other shells always do
	}
	if len(fields) == 0 && len(words) > 1 {
		return r.resolve(words[1:]) // an empty variable is no word
	}
	if len(fields) == 0 {
		return nil
	}
	return append(placed(fields, w), words[1:]...)
}

// placed makes words of the fields, all in the place of w.
func placed(fields []string, w shline.Word) []shline.Word {
	var out []shline.Word
	for _, f := range fields {
		out = append(out, shline.Word{Start: w.Start, End: w.End, Raw: w.Raw, Text: f})
	}
	return out
}

// braces expands a command word such as {rm,-rf,x}, and leaves any other.
func (r *run) braces(words []shline.Word) []shline.Word {
	w := words[0]
	inner, ok := strings.CutPrefix(w.Raw, "{")
	if !ok || !strings.HasSuffix(inner, "}") || !strings.Contains(inner, ",") {
		return words
	}
	var out []shline.Word
	for _, part := range strings.Split(strings.TrimSuffix(inner, "}"), ",") {
		p := shline.ParseWord(r.text.dialect, part, w.Start)
		p.Start, p.End = w.Start, w.End
		out = append(out, p)
	}
	return append(out, words[1:]...)
}

// alias judges a command whose word is an alias of the shell or of an earlier
// line: its text, followed by the other words.
func (r *run) alias(c *command) bool {
	w := c.words[0]
	if w.Raw != w.Text {
		return false
	}
	body, ok := r.aliases[w.Text]
	options := r.text.options
	if !ok {
		body, ok = options.Aliases[w.Text]
	}
	if k := strings.LastIndexByte(w.Text, '.'); !ok && k > 0 && len(r.aliases) > 0 {
		if body, ok = r.aliases[w.Text[k:]]; ok {
			body += " " + w.Text // a suffix alias of zsh
		}
	}
	if !ok {
		return false
	}
	line := body + r.text.s[w.End:max(w.End, c.end)]
	// An alias does not expand within itself.
	rest := map[string]string{}
	for _, m := range []map[string]string{options.Aliases, r.aliases} {
		for k, v := range m {
			if k != w.Text {
				rest[k] = v
			}
		}
	}
	options.Aliases = rest
	r.line(text{s: line, span: r.text.at(w.Start, w.End), dialect: r.text.dialect, options: options, from: r, index: r.index}, r.depth+1)
	return true
}

// global judges a command that holds global aliases of zsh, as it is with their
// text in their place.
func (r *run) global(c *command) bool {
	if len(r.globals) == 0 {
		return false
	}
	var b strings.Builder
	at := c.start
	for i := range c.words {
		w := &c.words[i]
		if body, ok := r.globals[w.Text]; ok && w.Raw == w.Text {
			b.WriteString(r.text.s[at:w.Start])
			b.WriteString(body)
			at = w.End
		}
	}
	if at == c.start {
		return false
	}
	b.WriteString(r.text.s[at:max(at, c.end)])
	r.line(text{s: b.String(), span: r.text.at(c.start, c.end), dialect: r.text.dialect, options: r.text.options, from: r, index: r.index}, r.depth+1)
	return true
}

// verdict takes over the judgement of a simple command, and judges the lines
// that it hands to shells.
func (r *run) verdict(c *command, words []shline.Word, v *risk.Verdict) {
	r.out.Known = r.out.Known && v.Known
	r.out.Flags |= v.Flags.Capabilities()
	if v.Level > r.out.Level {
		r.out.Level, r.out.Scope = v.Level, v.Scope
	}
	for _, f := range v.Findings {
		span := r.text.at(c.start, c.end)
		if f.Word >= 0 && f.Word < len(words) {
			span = r.text.at(words[f.Word].Start, words[f.Word].End)
		}
		out := Finding{Span: span, Level: f.Level, Flags: f.Flags, Rule: f.Rule, Reason: f.Reason, Safer: f.Safer, Scope: f.Scope, Stake: f.Stake}
		if f.Rule == risk.Computed {
			out.Stake = r.setUp()
		}
		if f.Level >= tcpdb.High || f.Stake.Loss >= tcpdb.Content {
			r.describe(&out, f.Command, words)
		}
		if f.Command != nil && f.Flags&tcpdb.FileModification != 0 && f.Command.Bound != nil {
			if out.Writes = r.overwrites(f.Command, words); len(out.Writes) > 0 && !out.Stake.Known() {
				out.Stake.Fact = tcpdb.WritesFact
			}
			if out.Key == "" && slices.ContainsFunc(out.Writes, func(w Write) bool { return w.Handed }) {
				r.describe(&out, f.Command, words)
				r.finder(&out, f.Command, words)
			}
		}
		r.add(out)
	}
	var done map[handedLine]bool
	for _, l := range v.Lines {
		if l.Use == nil && l.Args == nil && len(v.Lines) > 1 {
			if done == nil {
				done = map[handedLine]bool{}
			}
			one := handedLine{text: l.Text, dialect: l.Dialect}
			if l.Outer != nil {
				one.by = l.Outer.Bound
			}
			if done[one] {
				continue
			}
			done[one] = true
		}
		if l.Use != nil {
			r.configured(words, l)
			continue
		}
		r.carried(words, l)
	}
	for _, c := range v.Tasks {
		r.waiting = append(r.waiting, taskRun{from: r, index: r.index, command: c, words: words})
	}
}

// handedLine is a line as one command hands it on: one that is handed on twice is
// judged once.
type handedLine struct {
	text, dialect string
	by            *argv.Bound
}

// carried judges a line that a command hands to a shell.
func (r *run) carried(words []shline.Word, l risk.Line) {
	t := text{s: l.Text, dialect: r.text.dialect, options: r.text.options, literal: true, span: r.text.span, outer: l.Outer, from: r, index: r.index, reads: true}
	t.options.Aliases = nil
	t.away = risk.Away(l.Outer)
	t.here = staysHere(l.Outer)
	t.loose = slices.ContainsFunc(words, func(w shline.Word) bool { return !fixed(&w) })
	if t.same = names(words[0].Text, "eval"); !t.same {
		t.options.Functions = nil // another shell does not have them
	}
	for i, arg := range l.Args {
		w := shline.Word{Raw: arg, Text: arg, Live: arg == "{}" || strings.ContainsAny(arg, "$`")}
		if i == 0 {
			t.zero, t.call = w, []shline.Word{}
			continue
		}
		t.call = append(t.call, w)
	}
	if l.Dialect != "" {
		t.dialect, _ = shline.ParseDialect(l.Dialect)
		t.options.Posix = shline.IsPOSIX(l.Dialect)
	}
	if l.Word >= 0 && l.Word < len(words) {
		w := words[l.Word]
		t.span = r.text.at(w.Start, w.End)
		// The text of a quoted word without escapes lies in it byte for byte.
		if k := strings.Index(w.Raw, l.Text); k >= 0 && r.text.mapped {
			t.mapped = true
			t.span = r.text.at(w.Start+k, w.Start+k+len(l.Text))
		}
	}
	r.raised(l.Outer, t.span, func() { r.line(t, r.depth+1) })
}

// raised judges what runs with the rights of another user if one of the
// commands around it gives them: what is SAFE or LOW becomes MEDIUM, MEDIUM
// becomes HIGH, as for the words of such a command.
func (r *run) raised(outer *risk.Command, span tcpdb.Span, judge func()) {
	adds := tcpdb.Flags(0)
	for c := outer; c != nil; c = c.Outer {
		adds |= c.Bound.Node().Wrapper.Adds.Capabilities()
	}
	if adds&tcpdb.PrivilegeEscalation == 0 {
		judge()
		return
	}
	level, scope := r.out.Level, r.out.Scope
	r.out.Level, r.out.Scope = tcpdb.Safe, tcpdb.NoScope
	judge()
	inner := r.out.Level
	if level > inner {
		r.out.Level, r.out.Scope = level, scope
	}
	if inner < tcpdb.High {
		stake := tcpdb.Stake{Loss: tcpdb.Recoverable, Reach: tcpdb.MachineReach}
		if !r.out.Known {
			stake = tcpdb.Stake{Reach: tcpdb.MachineReach}
		}
		r.add(Finding{
			Span: span, Level: max(inner+1, tcpdb.Medium), Flags: adds, Rule: "privilege",
			Reason: "runs with the rights of another user", Scope: r.out.Scope, Stake: stake,
		})
	}
}

// names reports whether the base name of a command word is one of names.
func names(word string, list ...string) bool {
	for _, name := range list { // a word may be as long as the line
		if at := len(word) - len(name); at >= 0 && word[at:] == name && (at == 0 || word[at-1] == '/') {
			return true
		}
	}
	return false
}
