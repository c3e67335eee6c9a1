package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maxDepth bounds how deep wrappers and aliases may carry each other; what is
// deeper is not looked at and rated HIGH.
const maxDepth = 16

// Computed is the rule of a command of which only its run shows what it is.
const Computed = "computed-command"

// Judge rates the simple command that words are, the command word first, with
// every command that it carries as words (sudo, xargs, find -exec). Lines that
// it hands to a shell are in Verdict.Lines and count for nothing here.
func Judge(v *tcpdb.View, words []string, f Facts) Verdict {
	j := judge{view: v, facts: f}
	if j.facts.Within == nil {
		j.facts.Within = &j.within
	}
	return j.command(words, 0, 0)
}

type judge struct {
	view  *tcpdb.View
	facts Facts
	outer *Command // the command that carries the one being judged
	// within is what facts.Within counts in where it is this command's own.
	within int
}

// command judges words, the first of which is word number at of the whole.
func (j *judge) command(words []string, at, depth int) Verdict {
	if len(words) == 0 {
		return Verdict{Level: tcpdb.Safe, Known: true}
	}
	if depth > maxDepth {
		return opaque(at, "too-deep", "commands within commands, too deep to follow")
	}
	if depth > 0 && !j.spend(len(words)) {
		return opaque(at, "not-analysed", "not analysed: commands within commands, too many to follow")
	}
	if words[0] == "{}" || strings.HasPrefix(words[0], "$") && len(words[0]) > 1 {
		return opaque(at, Computed, "which command runs is known only when it does")
	}
	if !j.trusted(words[0]) {
		return j.local(words, at, depth)
	}
	return j.named(words, at, depth)
}

// named judges words as those of the program that their first one names.
func (j *judge) named(words []string, at, depth int) Verdict {
	if v, ok := j.inlineCode(words, at); ok {
		return v
	}
	if base := j.unversioned(words[0]); base != "" {
		words = append([]string{base}, words[1:]...)
	}
	b := argv.Outline(j.view, words)
	if b == nil {
		if verb, ok := strings.CutPrefix(path.Base(words[0]), "git-"); ok && depth < maxDepth && j.view.Risk("git "+verb) != nil {
			return j.named(append([]string{"git", verb}, words[1:]...), at-1, depth+1)
		}
		b = unmapped(words)
	}
	if v, ok := j.alias(b, at, depth); ok {
		if key, known := j.key(b); known && len(b.Chain) > 1 {
			o, _ := j.rules(b, key, at)
			v.merge(o) // or the program of another package that has the alias's name
		}
		return v
	}
	key, known := j.key(b)
	if !known && len(b.Args) > 0 && strings.ContainsAny(b.Args[0].Text, "$`") {
		why := "which command runs is known only when it does"
		if !b.Node().HasSubs() {
			why = "what a program that is not known is told to do is known only when it runs"
		}
		return opaque(at+b.Args[0].Word, Computed, why)
	}
	if !known {
		if len(b.Args) > 0 && b.Node().HasSubs() && depth < maxDepth {
			// A sub-command of another package is a program: cargo-release.
			arg := b.Args[0]
			if name := b.Node().Name + "-" + arg.Text; j.view.Risk(name) != nil {
				return j.named(append([]string{name}, b.Words[arg.Word+1:]...), at+arg.Word, depth+1)
			}
		}
		v := j.unfamiliar(b, at, depth)
		j.handsOn(b, at, &v)
		if j.runsTasks(b) {
			v.Tasks = append(v.Tasks, &Command{Bound: b, At: at, Outer: j.outer})
		}
		return v
	}
	v, harmless := j.rules(b, key, at)
	if harmless {
		if !b.Has("help") && !b.Has("version") { // a trial run reads its settings too, and make its Makefile
			v.Lines = append(v.Lines, j.settings(b, at)...)
			if j.runsTasks(b) {
				v.Tasks = append(v.Tasks, &Command{Bound: b, At: at, Outer: j.outer})
			}
		}
		return v
	}
	return j.whole(b, v, key, at, depth)
}

// whole is the verdict of a command of which rules is what the map's rules say.
func (j *judge) whole(b *argv.Bound, rules Verdict, key string, at, depth int) Verdict {
	x := &struct { // one piece of memory
		v Verdict
		c Command
	}{rules, Command{Bound: b, At: at, Outer: j.outer}}
	v, c := &x.v, &x.c
	j.told(b, v, key, at, depth)
	v.Lines = append(v.Lines, j.settings(b, at)...)
	v.Lines = append(v.Lines, j.configured(b, at)...)
	for i := range v.Findings {
		v.Findings[i].Command = c
	}
	if j.runsTasks(b) {
		v.Tasks = append(v.Tasks, c)
	}
	j.outer = c
	all := j.carried(b, *v, at, depth)
	j.outer = c.Outer
	return all
}

// told adds to what the rules say of a command what it is told to do: verbs that
// no rule rates, programs and code among its words.
func (j *judge) told(b *argv.Bound, v *Verdict, key string, at, depth int) {
	if v.Level == tcpdb.Medium && v.Flags == tcpdb.NetworkAccess && !b.Node().HasSubs() && len(b.Chain) == 1 && b.Node().Wrapper.Mode == tcpdb.NoWrap {
		if o, ok := spoken(b, at); ok {
			v.merge(o)
		}
	}
	if v.Level < tcpdb.Critical {
		if o, ok := j.unrated(b, key, at, depth); ok {
			v.settles(&o)
			v.merge(o)
		}
	}
	if v.Level == tcpdb.Medium {
		if o, ok := j.scripted(b, at, depth); ok {
			v.merge(o)
		}
	}
	if o, ok := j.inFiles(b.Words, at); ok {
		v.merge(o)
	}
	if o, ok := j.files(b, at, depth); ok {
		v.merge(o)
	}
	j.handsOn(b, at, v)
}

// trusted reports whether a word stands for the program of its base name.
func (j *judge) trusted(word string) bool {
	if j.facts.Trusted != nil {
		return j.facts.Trusted(word)
	}
	dir := path.Dir(word)
	if !strings.Contains(word, "/") {
		return true
	}
	switch dir {
	case "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin":
		return true
	}
	return false
}

// local judges a program of this place: bin/rails, ./gradlew. Nothing is known
// of it, but it may well be what its name says.
func (j *judge) local(words []string, at, depth int) Verdict {
	v := unknown(at, words[0], "a program of this place, not the one that the name is known for")
	if b := argv.Outline(j.view, words); b != nil && j.runsTasks(b) {
		v.Tasks = append(v.Tasks, &Command{Bound: b, At: at, Outer: j.outer})
	}
	if name := path.Base(words[0]); j.view.Risk(name) != nil {
		// Not command: a name that PATH leads to a place of others is not trusted
		// the second time either.
		named := j.named(append([]string{name}, words[1:]...), at, depth+1)
		if named.Level > v.Level {
			named.Known = false
			v.merge(named)
		}
	} else if o, ok := spokenWords(words[1:], at+1); ok {
		v.merge(o)
		v.Known = false
	}
	return v
}

// unmapped binds words of a program that has no tree: what begins with a dash
// is an option that nobody knows.
func unmapped(words []string) *argv.Bound {
	name := path.Base(words[0])
	n := &tcpdb.Node{Path: name, Name: name}
	b := &argv.Bound{Words: words, Chain: []*tcpdb.Node{n}, Subs: []int{0}, Dash: -1}
	for i, w := range words[1:] {
		switch {
		case b.Dash < 0 && w == "--":
			b.Dash = i + 1
		case b.Dash < 0 && len(w) > 1 && w[0] == '-':
			b.Flags = append(b.Flags, argv.FlagUse{Name: w, Word: i + 1, ValueWord: -1})
		default:
			b.Args = append(b.Args, argv.ArgUse{Text: w, Word: i + 1, AfterDash: b.Dash >= 0})
		}
	}
	return b
}

// alias judges what an alias of git or cargo stands for.
func (j *judge) alias(b *argv.Bound, at, depth int) (Verdict, bool) {
	var arg argv.ArgUse
	switch {
	case len(b.Chain) == 1 && len(b.Args) > 0 && b.Node().HasSubs():
		arg = b.Args[0]
	case len(b.Chain) == 2 && b.Chain[1].Bits&tcpdb.HiddenNode != 0:
		arg = argv.ArgUse{Text: b.Words[b.Subs[1]], Word: b.Subs[1]} // of another package, which may not be here
	default:
		return Verdict{}, false
	}
	text, ok := givenAlias(b, arg.Text)
	if !ok && j.facts.Alias != nil {
		text, ok = j.facts.Alias(b.Chain[0].Name, arg.Text)
	}
	if !ok {
		return Verdict{}, false
	}
	if line, shell := strings.CutPrefix(text, "!"); shell {
		l := Line{Text: line, Dialect: "posix", Word: at + arg.Word, Outer: &Command{Bound: b, At: at, Outer: j.outer}}
		return Verdict{Level: tcpdb.Safe, Known: true, Lines: append([]Line{l}, j.aliased(b, arg.Text, l)...)}, true
	}
	words := slices.Concat(b.Words[:arg.Word], strings.Fields(text), b.Words[arg.Word+1:])
	v := j.command(words, at, depth+1)
	for i := range v.Findings {
		v.Findings[i].Word = at + arg.Word
		for c := v.Findings[i].Command; c != nil && c != j.outer; c = c.Outer {
			c.At = -1
		}
	}
	return v, true
}

// givenAlias returns an alias that git is given with -c alias.NAME=….
func givenAlias(b *argv.Bound, name string) (text string, ok bool) {
	if b.Chain[0].Name != "git" {
		return "", false
	}
	for _, u := range b.Flags {
		if u.Flag == nil || u.Flag.ID != "c" {
			continue
		}
		key, value, _ := strings.Cut(u.Value, "=")
		section, alias, _ := strings.Cut(key, ".")
		if strings.EqualFold(section, "alias") && strings.EqualFold(alias, name) {
			text, ok = value, true
		}
	}
	return text, ok
}

// key returns the path of the deepest command that has rules. A word after a
// tool with sub-commands that is none of them makes the command unknown.
func (j *judge) key(b *argv.Bound) (key string, known bool) {
	n := b.Node()
	if n.HasSubs() && len(n.Args) == 0 && len(b.Args) > 0 && n.Wrapper.Mode == tcpdb.NoWrap {
		return "", false
	}
	for c := len(b.Chain) - 1; c >= 0; c-- {
		if r := j.view.Risk(b.Chain[c].Path); r != nil {
			return b.Chain[c].Path, true
		}
	}
	// A multi-call or wrapping program may have a tree and no rule of its own.
	return n.Path, n.Wrapper.Mode != tcpdb.NoWrap
}

// rules applies the entries and variants of key, and the harmless and raising
// variants of the commands above it. Each layer is rated apart and the maximum
// counts, so that no layer lowers what another says.
func (j *judge) rules(b *argv.Bound, key string, at int) (v Verdict, harmless bool) {
	v = Verdict{Level: tcpdb.Safe, Known: true}
	for c, n := range b.Chain {
		r := j.view.Risk(n.Path)
		if r == nil {
			continue
		}
		for i := range r.Variants {
			x := &r.Variants[i]
			if x.Effect == tcpdb.SetEffect && n.Path != key || !holds(x, b, c) {
				continue
			}
			if x.Effect == tcpdb.HarmlessEffect && (doubtful(x, b) || late(x, b)) {
				continue
			}
			if x.Effect == tcpdb.HarmlessEffect {
				return Verdict{Level: tcpdb.Safe, Known: true, Findings: []Finding{finding(&x.Entry, word(x, b)+at)}}, true
			}
			v.join(&x.Entry, word(x, b)+at)
		}
		if n.Path != key {
			continue
		}
		for i := range r.Entries {
			if e := &r.Entries[i]; !overruled(r, e.Layer, b, c) {
				v.join(e, b.Subs[len(b.Subs)-1]+at)
			}
		}
	}
	return v, false
}

// late reports whether what makes a command harmless stands where it mostly has
// another meaning: -v or -V for the version, or --version with a word behind it,
// after words that the command is to work on, as in gem yank NAME -v VERSION; any
// option behind a word that is none of the tool's sub-commands, but a script of the
// project or a program of another package, which the option is then for.
func late(x *tcpdb.Variant, b *argv.Bound) bool {
	first := len(b.Words)
	if len(b.Args) > 0 {
		first = b.Args[0].Word
	}
	n := b.Node()
	// What is not listed may be a sub-command too.
	general := len(n.Args) == 1 && (n.Args[0].Name == "word" || n.Bits&tcpdb.Partial != 0)
	if n.HasSubs() && len(b.Args) > 0 && !general && n.Wrapper.Mode == tcpdb.NoWrap && word(x, b) > first {
		return true
	}
	if len(b.Subs) > 1 {
		first = min(first, b.Subs[1])
	}
	only := false
	for i := range b.Flags {
		u := &b.Flags[i]
		if u.Flag == nil || !slices.Contains(x.Any, u.Flag.ID) && !slices.Contains(x.All, u.Flag.ID) {
			continue
		}
		takes := u.Word+1 < len(b.Words) && !strings.HasPrefix(b.Words[u.Word+1], "-")
		if u.Flag.ID != "version" || len(u.Name) != 2 && !takes || u.Word < first {
			return false
		}
		only = true
	}
	return only
}

// overruled reports whether a variant of the layer stands in place of its base entry.
func overruled(r *tcpdb.Risk, layer tcpdb.Layer, b *argv.Bound, c int) bool {
	for i := range r.Variants {
		if x := &r.Variants[i]; x.Layer == layer && x.Effect == tcpdb.SetEffect && holds(x, b, c) && !doubtful(x, b) {
			return true
		}
	}
	return false
}

// holds reports whether the conditions of a variant of the command at index c of
// the chain are met.
func holds(x *tcpdb.Variant, b *argv.Bound, c int) bool {
	for _, id := range x.All {
		if !given(b, id, c) {
			return false
		}
	}
	for _, id := range x.None {
		if given(b, id, c) {
			return false
		}
	}
	if len(x.Any) > 0 && !slices.ContainsFunc(x.Any, func(id string) bool { return given(b, id, c) }) {
		return false
	}
	return x.ArgClass == "" || argsAt(x.ArgClass, b, c)
}

// doubtful reports whether an option that a variant asks for stands in one word
// with letters that the map does not have, so that the word may be something
// else: kill -KILL is not -K -I -L -L.
func doubtful(x *tcpdb.Variant, b *argv.Bound) bool {
	for i := range b.Flags {
		f := &b.Flags[i]
		if f.Flag == nil || !slices.Contains(x.All, f.Flag.ID) && !slices.Contains(x.Any, f.Flag.ID) {
			continue
		}
		for k := range b.Flags {
			if b.Flags[k].Flag == nil && b.Flags[k].Word == f.Word {
				return true
			}
		}
	}
	return false
}

// given reports whether a flag is given to the command at index c of the chain.
// One without a value may stand after the names of sub-commands, as --help does;
// with a value it is a flag of theirs that only has the same name.
func given(b *argv.Bound, id string, c int) bool {
	for i := range b.Flags {
		f := &b.Flags[i]
		if f.Flag != nil && f.Flag.ID == id && !f.Negated && (f.Node <= c || f.Flag.Value != tcpdb.RequiredValue) {
			return true
		}
	}
	return false
}

// argsAt is argsAre for the command at index c of the chain: to it the names of
// the sub-commands below are arguments.
func argsAt(class string, b *argv.Bound, c int) bool {
	if len(b.Args) > 0 && strings.HasPrefix(b.Args[0].Text, "@") && b.Chain[0].HasClass(tcpdb.SiteAliasClass) {
		behind := *b
		behind.Args = b.Args[1:]
		b = &behind
	}
	if c == len(b.Chain)-1 {
		return argsAre(class, b)
	}
	var buf [16]argv.ArgUse
	seen := *b
	seen.Args = buf[:0]
	for _, at := range b.Subs[c+1:] {
		seen.Args = append(seen.Args, argv.ArgUse{Text: b.Words[at], Word: at})
	}
	seen.Args = append(seen.Args, b.Args...)
	return argsAre(class, &seen)
}

// word returns the index of the word that makes a variant hold: the flag it
// asks for, else the command's own name.
func word(x *tcpdb.Variant, b *argv.Bound) int {
	for _, ids := range [][]string{x.All, x.Any} {
		for _, u := range b.Flags {
			if u.Flag != nil && slices.Contains(ids, u.Flag.ID) {
				return u.Word
			}
		}
	}
	return b.Subs[len(b.Subs)-1]
}
