package line

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Target is a positional argument, which for many commands is a path.
type Target struct {
	// Path is what the shell makes of the word. It is relative to the shell's
	// directory or, with Home, to the home directory ("" is that itself).
	Path string
	Home bool
	// Known is false if what is named is known only when the command runs: the
	// word is computed, the directory may have changed by then, or another
	// machine or a wrapper reads it. Path is then as typed.
	Known bool
	Glob  bool // Path is a pattern of the shell
	Dash  bool // stands after "--"
	// Temp: Path is relative to the directory that TMPDIR names.
	Temp bool
	// Fresh: the line itself has had mktemp make it. Path is then as typed.
	Fresh bool
	// Handed: the name is that of a file which another command finds or lists and
	// puts in: find -exec, xargs. Path is "{}".
	Handed bool
}

// describe fills in what is known of the command that a finding is about.
func (r *run) describe(f *Finding, c *risk.Command, words []shline.Word) {
	if c == nil || c.Bound == nil {
		return
	}
	f.Key = c.Bound.Node().Path
	f.Form = r.form(c)
	full := r.describes()
	if full {
		f.Call = r.call(c, words)
	}
	if b := c.Bound; r.text.mapped && c.At >= 0 && c.At+b.Subs[len(b.Subs)-1] < len(words) {
		own := words[c.At:min(c.At+len(b.Words), len(words))]
		f.Command = r.text.at(own[0].Start, own[len(own)-1].End)
		f.Verb = r.text.at(0, own[b.Subs[len(b.Subs)-1]].End).End
	}
	moved := r.moved(!steadyOrPrivileged(c.Outer) || c.At < 0)
	f.Elsewhere = moved.relative || !steady(c.Outer) || r.redirected() || r.taskDir() != ""
	f.Only = only(c, words)
	if pattern := handsOver(c, words); pattern != "" {
		f.Only, f.Dirs = pattern, true
		outer := r.moved(!steady(c.Outer.Outer))
		for _, a := range c.Outer.Bound.Args {
			if k := c.Outer.At + a.Word; k < len(words) {
				f.Targets = append(f.Targets, r.targets(&words[k], outer, a.AfterDash)...)
			}
		}
		c = &risk.Command{Bound: &argv.Bound{}}
	} else if r.piped(f, c) {
		c = &risk.Command{Bound: &argv.Bound{}}
	}
	for _, a := range c.Bound.Args {
		w := shline.Word{Raw: a.Text, Text: a.Text}
		if k := c.At + a.Word; c.At >= 0 && k < len(words) {
			w = words[k]
		} else if c.At >= 0 && a.Text == "{}" {
			continue // stands for what is put in when it runs
		}
		for _, t := range r.targets(&w, moved, a.AfterDash) {
			if c.Outer != nil && !t.below() && !steady(c.Outer) {
				t.Known = false // with the rights of another user what is elsewhere is others'
			}
			f.Targets = append(f.Targets, t)
		}
	}
	if f.Earlier = &unseen; full {
		f.Earlier = r.earlier()
	}
}

// form writes a command without its arguments, those that carry it first; "" if
// one of them cannot be written so.
func (r *run) form(c *risk.Command) string {
	own := ""
	for ; c != nil; c = c.Outer {
		s := formOf(c.Bound)
		if s == "" {
			return ""
		}
		own = join(s, own)
	}
	// A shell or another machine that is handed the text.
	if o := r.text.outer; o != nil {
		outer := r.text.from.form(o)
		if outer == "" {
			return ""
		}
		return join(outer, own)
	}
	return own
}

func join(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

// formOf writes the path of a command and its options with their values, in
// the order of their names.
func formOf(b *argv.Bound) string {
	if b == nil {
		return ""
	}
	var options []string
	for _, u := range b.Flags {
		name := u.Name
		if u.Flag != nil {
			switch u.Flag.ID {
			case "requirement", "constraint", "filename":
				continue // names what is worked on, as an argument does
			}
			if name = "-" + u.Flag.ID; len(u.Flag.ID) > 1 {
				name = "--" + u.Flag.ID
			}
			if u.Negated {
				name = "--no-" + u.Flag.ID
			}
		}
		if u.ValueWord >= 0 {
			if strings.ContainsAny(u.Value, "$`\n\x00") {
				return ""
			}
			name += "=" + u.Value
		}
		options = append(options, name)
	}
	slices.Sort(options)
	options = slices.Compact(options)
	return strings.Join(append([]string{b.Node().Path}, options...), " ")
}

// movement says which paths may name something else when the command runs.
type movement struct{ relative, absolute bool }

func (r *run) moved(all bool) movement {
	task := r.text.task
	if all || r.text.outer != nil && (task == nil || !steady(task.command.Outer)) {
		return movement{true, true}
	}
	m := movement{r.unsettled(r.index, false), r.unsettled(r.index, true)}
	if task != nil {
		// Where it runs is known; what lies there may be another by then.
		task.from.index = task.index
		outer := task.from.moved(false)
		m.relative, m.absolute = m.relative || outer.absolute, m.absolute || outer.absolute
	}
	return m
}

// target reads one argument.
func (r *run) target(w *shline.Word, m movement, dash bool) Target {
	t := Target{Path: w.Text, Glob: w.Glob, Dash: dash, Handed: w.Text == "{}"}
	if w.Live {
		rest, home := homePath(w)
		below, here := r.here(w)
		switch {
		case home:
			t.Home, t.Path = true, rest
		case here:
			t.Path = cmp.Or(below, ".")
		case r.inTemp(w, &t):
		default:
			t.Fresh = !m.absolute && r.fresh(w)
			return t
		}
	}
	if strings.Contains(w.Raw, "{") && strings.Contains(w.Raw, "}") || strings.ContainsAny(t.Path, "\x00") {
		return t // braces may make several words
	}
	t.Known = !m.relative
	if dir := r.taskDir(); dir != "" && !t.Home && !t.Temp && !strings.HasPrefix(t.Path, "/") {
		t.Path = dir + "/" + t.Path
	}
	if t.Home && r.sets("HOME") || t.Temp && r.sets("TMPDIR") {
		t.Known = false
	} else if t.Home || t.Temp || strings.HasPrefix(t.Path, "/") {
		t.Known = !m.absolute
	}
	return t
}

// homePath returns the rest of a word in which a leading ~ or $HOME is all that
// is expanded.
func homePath(w *shline.Word) (rest string, ok bool) {
	for _, lead := range [...]string{"~", "$HOME", "${HOME}"} {
		rest, ok := strings.CutPrefix(w.Text, lead)
		if !ok || rest != "" && (rest[0] != '/' || !strings.HasPrefix(w.PrefixText, lead)) {
			continue
		}
		if strings.Count(w.Raw, "$") > strings.Count(lead, "$") || strings.Contains(w.Raw, "`") {
			return "", false // more of it is known only when it runs
		}
		return strings.TrimPrefix(rest, "/"), true
	}
	return "", false
}

// steady reports whether a wrapper and those around it run their command here,
// as the same user, in the same directory.
func steady(c *risk.Command) bool {
	for ; c != nil; c = c.Outer {
		if c.Bound == nil {
			return false
		}
		switch n := c.Bound.Node(); {
		case !n.HasClass(tcpdb.RunnerClass) || n.Wrapper.Adds != 0 || n.Wrapper.Elsewhere:
			return false
		case n.Wrapper.Assignments && len(c.Bound.Flags) > 0: // env -C DIR, env -i
			return false
		}
	}
	return true
}

// steadyOrPrivileged is steady for wrappers too that give rights: whoever runs a
// command finds the same file by a name.
func steadyOrPrivileged(c *risk.Command) bool {
	if !staysHere(c) {
		return false
	}
	for ; c != nil; c = c.Outer {
		if !c.Bound.Node().HasClass(tcpdb.RunnerClass) {
			return false
		}
	}
	return true
}

// below reports whether a target lies down from the working directory.
func (t *Target) below() bool {
	p := t.Path
	return !t.Home && !t.Temp && !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "..") && !strings.Contains(p, "/..")
}

// unsettled reports whether what runs before the command at an index may have
// changed which file a path names: the working directory, for a path that is not
// absolute, or what lies where.
func (r *run) unsettled(index int, absolute bool) bool {
	cmds := r.program.commands
	if index < len(cmds) && cmds[index].function != "" || r.mayLoop() {
		index = len(cmds)
	}
	calm := &r.calm[0]
	if absolute {
		calm = &r.calm[1]
	}
	for ; *calm < min(index, len(cmds)); *calm++ {
		if c := &cmds[*calm]; len(c.words) > 0 && r.unsettles(bare(c.words), absolute) {
			return true
		}
	}
	return r.text.from != nil && r.text.from.unsettled(r.text.index, absolute || r.text.task != nil)
}

// redirected reports whether the line sets a variable by which git finds its
// repository, for the command of the run or before it.
func (r *run) redirected() bool { return r.sets("GIT_") || r.sets("HOME") }

// sets reports whether a word of the line gives a value to a variable whose name
// begins so: as an assignment or behind export, env, set and their like.
func (r *run) sets(name string) bool {
	set, ok := r.begun[name]
	if !ok {
		if r.begun == nil {
			r.begun = map[string]bool{}
		}
		set = r.setsHere(name)
		r.begun[name] = set
	}
	return set || r.text.from != nil && r.text.from.sets(name)
}

// setsHere is sets for the commands of this text alone.
func (r *run) setsHere(name string) bool {
	begins := func(w *shline.Word) bool { return strings.HasPrefix(w.Text, name) }
	for i := range r.program.commands {
		c := &r.program.commands[i]
		for k := range c.assigns {
			if begins(&c.assigns[k]) {
				return true
			}
		}
		for k := 1; k < len(c.words); k++ {
			if begins(&c.words[k]) {
				return true
			}
		}
	}
	return false
}

// only returns the pattern of a find whose only condition is one for the name
// of a file, given before -delete; "" for any other.
func only(c *risk.Command, words []shline.Word) string {
	if c.Bound.Node().Path != "find" || c.At < 0 {
		return ""
	}
	for i := range c.Bound.Args {
		if strings.ContainsAny(c.Bound.Args[i].Text, "!(),") {
			return ""
		}
	}
	pattern, last := "", 0
	for i := range c.Bound.Flags {
		u := &c.Bound.Flags[i]
		if u.Flag == nil || u.Word < last {
			return ""
		}
		last = u.Word
		switch u.Flag.ID {
		case "depth", "mindepth", "maxdepth", "type", "xdev", "mount", "P", "H":
		case "prune", "print", "print0":
		case "delete", "exec":
			if i+1 < len(c.Bound.Flags) {
				return ""
			}
		case "name":
			k := c.At + u.ValueWord
			if pattern != "" || u.ValueWord < 0 || k >= len(words) || words[k].Live || words[k].Glob || u.Value == "" {
				return ""
			}
			pattern = u.Value
		default:
			return ""
		}
	}
	return pattern
}

// handsOver returns the pattern of a find whose only condition is one for the name,
// and that hands what it finds to the command and nothing else; "" for any other.
func handsOver(c *risk.Command, words []shline.Word) string {
	if c.Outer == nil || c.Outer.Bound == nil || c.Outer.Outer != nil {
		return ""
	}
	for _, a := range c.Bound.Args {
		if a.Text != "{}" {
			return ""
		}
	}
	return only(c.Outer, words)
}

// piped is handsOver for xargs: where the one command in front of it is a find whose
// only condition is one for the name, it says of f where that looks, and for what.
func (r *run) piped(f *Finding, c *risk.Command) bool {
	o := c.Outer
	if o == nil || o.Bound == nil || o.Outer != nil || o.Bound.Node().Path != "xargs" || r.text.outer != nil || r.index >= len(r.program.commands) {
		return false
	}
	at := &r.program.commands[r.index]
	if at.to-at.from != 1 || slices.ContainsFunc(c.Bound.Args, func(a argv.ArgUse) bool { return a.Text != "{}" }) {
		return false
	}
	for i := range o.Bound.Flags {
		if u := &o.Bound.Flags[i]; u.Flag == nil || !wordlist.Has("null no-run-if-empty max-args max-lines max-procs verbose interactive replace I", u.Flag.ID) {
			return false
		}
	}
	from := &r.program.commands[at.from]
	b := argv.Bind(r.view, shline.Texts(from.words))
	if b == nil || len(from.redirs) > 0 {
		return false
	}
	find := &risk.Command{Bound: b}
	pattern := only(find, from.words)
	if pattern == "" {
		return false
	}
	f.Only, f.Dirs, f.Split = pattern, true, !o.Bound.Has("null")
	moved := r.moved(false)
	for _, a := range b.Args {
		if a.Word < len(from.words) {
			f.Targets = append(f.Targets, r.targets(&from.words[a.Word], moved, a.AfterDash)...)
		}
	}
	if len(b.Args) == 0 {
		f.Targets = append(f.Targets, Target{Path: ".", Known: !moved.relative})
	}
	return true
}

// finder says of a command to which a find hands what it finds where that looks, and
// for which name.
func (r *run) finder(f *Finding, c *risk.Command, words []shline.Word) {
	o := c.Outer
	if o == nil || o.Bound == nil || o.Outer != nil || r.text.outer != nil {
		return
	}
	pattern := only(o, words)
	if pattern == "" {
		return
	}
	f.Only, f.Dirs, f.Targets = pattern, false, nil
	moved := r.moved(false)
	for _, a := range o.Bound.Args {
		if k := o.At + a.Word; k < len(words) {
			f.Targets = append(f.Targets, r.targets(&words[k], moved, a.AfterDash)...)
		}
	}
}

// mayLoop is loops for the text of the run, which is looked through once.
func (r *run) mayLoop() bool {
	if !r.looked {
		r.looked, r.looping = true, loops(r.text.s)
	}
	return r.looping
}

// loops reports whether a text may run its later commands before earlier ones.
func loops(s string) bool {
	for _, w := range [...]string{"while", "until", "for", "repeat"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// bare is the first word of a command behind those that name it in a roundabout
// way: builtin cd, command -p cd.
func bare(words []shline.Word) *shline.Word {
	for len(words) > 1 && names(words[0].Text, "builtin", "command") {
		words = words[1:]
		for len(words) > 1 && strings.HasPrefix(words[0].Text, "-") {
			words = words[1:]
		}
	}
	return &words[0]
}

// unsettles reports whether a command of that name may change what a path names.
func (r *run) unsettles(w *shline.Word, absolute bool) bool {
	if w.Live || w.Glob {
		return true
	}
	name := w.Text
	switch {
	case wordlist.Has("mv ln mount umount eval source .", name):
		return true
	case wordlist.Has("cd pushd popd chdir", name):
		return !absolute
	}
	if strings.Contains(name, "/") {
		return false // a program, which changes the directory of none but itself
	}
	if _, ok := r.aliases[name]; ok {
		return true
	}
	if _, ok := r.text.options.Aliases[name]; ok {
		return true
	}
	if r.view.Root(name) != nil || r.view.Risk(name) != nil {
		return false
	}
	return r.facts.Installed == nil || !r.facts.Installed(name) // a function, for all we know
}
