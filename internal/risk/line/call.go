package line

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Call is all of the line that decides what a finding's command does: what an
// allowance may rest on. It is there only where nothing of it is known first
// when the line runs.
type Call struct {
	// Before are commands and assignments, as typed, that run before it and may
	// change what its words mean: "cd x", "export AWS_PROFILE=y".
	Before []string
	// Set are the places that those before it set, by the kind that the role has, in
	// their order: "workspace=prod".
	Set []string
	// Parts are the command, and before it those that carry it, the outermost first.
	Parts []Part
	// Input is what it reads, as typed: the commands that write into it, "< file",
	// the text of a here-document.
	Input []string
}

// Part is one command of a call.
type Part struct {
	Path     string // in the map
	Options  []CallOption
	Operands []Operand
	// Away: what it carries runs as another user or in another place, where it may
	// find other settings.
	Away bool
	// Places are the values that the map calls places: hosts, contexts, profiles,
	// by the kind that the role has, "host=web1".
	Places []string
	// Dirs are the directories that it is sent to by options.
	Dirs []string
	// Installs: its arguments are packages that a package manager gets by name.
	Installs bool
}

// CallOption is an option as given; Name is the same for all spellings of one.
type CallOption struct {
	ID    string // of the flag, "" if the map does not know it
	Name  string
	Value string
	Has   bool // a value
}

// Operand is a positional argument with what the map says of its values.
type Operand struct {
	Target
	Raw  string           // as typed
	Spec *tcpdb.ValueSpec // nil where the map says nothing
}

// call describes the command of a finding; nil if a part of it is computed, or
// may mean something else by the time it runs.
func (r *run) call(c *risk.Command, words []shline.Word) *Call {
	out := &Call{}
	moved := r.moved(!steady(c.Outer) || c.At < 0)
	for ; c != nil; c = c.Outer {
		p, ok := r.part(c, words, moved)
		if !ok {
			return nil
		}
		out.Parts = append([]Part{p}, out.Parts...)
		moved = movement{true, true}
	}
	if o := r.text.outer; o != nil { // a shell or another machine that is handed the text
		r.text.from.index = r.text.index
		outer := r.text.from.outerCall(o)
		if outer == nil || r.text.loose {
			return nil
		}
		out.Parts = append(outer.Parts, out.Parts...)
		out.Before, out.Input, out.Set = outer.Before, outer.Input, outer.Set
	} else if r.text.from != nil { // an alias, a function
		before, ok := r.text.from.before(r.text.index)
		input, fed := r.text.from.input(r.text.index)
		if !ok || !fed {
			return nil
		}
		out.Before, out.Input, out.Set = before, input, r.text.from.setPlaces(r.text.index)
	}
	before, ok := r.before(r.index)
	input, fed := r.input(r.index)
	if !ok || !fed {
		return nil
	}
	out.Before, out.Input, out.Set = append(out.Before, before...), append(out.Input, input...), append(out.Set, r.setPlaces(r.index)...)
	return out
}

// outerCall is call for a command that hands a text on. Its words are not at
// hand any more: only what they were bound to.
func (r *run) outerCall(c *risk.Command) *Call {
	at := *c
	at.At = -1
	return r.call(&at, nil)
}

// part describes one command.
func (r *run) part(c *risk.Command, words []shline.Word, m movement) (Part, bool) {
	b := c.Bound
	if b == nil {
		return Part{}, false
	}
	w := &b.Node().Wrapper
	p := Part{Path: b.Node().Path, Away: w.Elsewhere || w.Adds&tcpdb.PrivilegeEscalation != 0}
	if verb := b.Node().Name; b.Is(tcpdb.PackageManagerClass) {
		p.Installs = len(b.Chain) > 1 && slices.Contains([]string{"install", "add", "require"}, verb)
	}
	for i := range b.Words {
		if k := c.At + i; c.At >= 0 && k < len(words) {
			if !fixed(&words[k]) {
				return Part{}, false
			}
		} else if c.At < 0 && strings.ContainsAny(b.Words[i], "\x00") {
			return Part{}, false
		}
	}
	for u := range b.EachRole {
		if u.Role.Is(tcpdb.PlaceRole) && u.Value != "" {
			p.Places = append(p.Places, u.Role.Operand()+"="+u.Value)
		}
		if host := syspath.Host(u.Value); host != "" && u.Role == tcpdb.OutputFileRole && u.Arg != nil && b.Chain[0].HasClass(tcpdb.CopierClass) {
			p.Places = append(p.Places, "host="+host)
		}
		if u.Role == tcpdb.ChdirRole && u.Value != "" {
			p.Dirs = append(p.Dirs, u.Value)
		}
	}
	if len(b.Args) > 0 && b.Chain[0].HasClass(tcpdb.SiteAliasClass) {
		if name, ok := strings.CutPrefix(b.Args[0].Text, "@"); ok && name != "" {
			p.Places = append(p.Places, "host="+name)
		}
	}
	for _, u := range b.Flags {
		p.Options = append(p.Options, callOption(&u))
	}
	// The last of two that contradict each other counts.
	slices.SortStableFunc(p.Options, func(a, b CallOption) int { return strings.Compare(a.ID+a.Name, b.ID+b.Name) })
	var spec *tcpdb.Arg
	for i, a := range b.Args {
		if i <= maxDescribed {
			spec = b.ArgFor(i)
		}
		w := shline.Word{Raw: a.Text, Text: a.Text}
		if k := c.At + a.Word; c.At >= 0 && k < len(words) {
			w = words[k]
		}
		o := Operand{Target: r.target(&w, m, a.AfterDash), Raw: w.Raw}
		if spec != nil {
			o.Spec = &spec.Spec
		}
		p.Operands = append(p.Operands, o)
	}
	return p, true
}

func callOption(u *argv.FlagUse) CallOption {
	o := CallOption{Name: u.Name, Value: u.Value, Has: u.ValueWord >= 0}
	if u.Flag == nil {
		return o
	}
	o.ID = u.Flag.ID
	switch {
	case u.Negated:
		o.Name = "--no-" + o.ID
	case len(o.ID) > 1:
		o.Name = "--" + o.ID
	default:
		o.Name = "-" + o.ID
	}
	return o
}

// fixed reports whether it is known what the shell makes of a word, but for
// which files a pattern matches.
func fixed(w *shline.Word) bool {
	if !w.Live {
		return true
	}
	_, home := homePath(w)
	return home
}

// before returns what the commands before that at an index do that may change
// what it means; ok is false if that cannot be told from their words.
func (r *run) before(index int) (list []string, ok bool) {
	cmds := r.program.commands
	own := index
	if r.changing == nil {
		r.changing = make([]bool, len(cmds))
		for i := range cmds {
			c := &cmds[i]
			r.changing[i] = len(c.words) > 0 && (r.changes(&c.words[0]) || len(r.setsPlace(c)) > 0)
		}
	}
	if index < len(cmds) && cmds[index].function != "" || r.mayLoop() {
		index = len(cmds)
	}
	for i := range cmds {
		c := &cmds[i]
		if i > index || i == index && i != own {
			break
		}
		for k := range c.assigns {
			if i != own && len(c.words) > 0 {
				break // for that command alone
			}
			if !fixed(&c.assigns[k]) {
				return nil, false
			}
			list = append(list, c.assigns[k].Raw)
		}
		if i == own || !r.changing[i] {
			continue
		}
		if names(c.words[0].Text, "eval", "source", ".", "read", "mapfile") {
			return nil, false
		}
		for k := range c.words {
			if !fixed(&c.words[k]) {
				return nil, false
			}
		}
		list = append(list, r.typedText(c))
	}
	return list, true
}

// setPlaces are the places that the commands before that at an index set.
func (r *run) setPlaces(index int) (list []string) {
	for i := range r.program.commands[:min(index, len(r.program.commands))] {
		list = append(list, r.setsPlace(&r.program.commands[i])...)
	}
	return list
}

// setsPlace are the places that a command makes those where later ones act. It looks
// once.
func (r *run) setsPlace(c *command) []string {
	if r.setting == nil {
		r.setting = make([][]string, len(r.program.commands))
		for i := range r.program.commands {
			r.setting[i] = r.placesSet(&r.program.commands[i])
		}
	}
	if c.index >= len(r.setting) {
		return nil
	}
	return r.setting[c.index]
}

func (r *run) placesSet(c *command) (list []string) {
	if len(c.words) < 2 || c.words[0].Live {
		return nil
	}
	root := r.view.Root(path.Base(c.words[0].Text))
	if root == nil || !root.HasSubs() && len(root.Args) == 0 || !r.spend(r.text, commandWork) {
		return nil
	}
	b := argv.Bind(r.view, shline.Texts(c.words))
	if b == nil {
		return nil
	}
	for u := range b.EachRole {
		if u.Role.Is(tcpdb.SetsPlaceRole) && u.Value != "" {
			list = append(list, u.Role.Operand()+"="+u.Value)
		}
	}
	return list
}

// changes reports whether a command of that name may change what a later one
// means: the directory, a variable, what lies at a path.
func (r *run) changes(w *shline.Word) bool {
	return names(w.Text, "export", "declare", "typeset", "local", "readonly", "set", "setenv", "unset", "unsetenv", "read", "mapfile", "printf", "alias", "unalias", "hash", "enable") ||
		r.unsettles(w, false)
}

// input returns what the command at an index reads; ok is false if that is known
// only when it runs.
func (r *run) input(index int) (list []string, ok bool) {
	cmds := r.program.commands
	if index >= len(cmds) {
		return nil, true
	}
	c := &cmds[index]
	for i := c.from; i < c.to; i++ {
		for k := range cmds[i].words {
			if !fixed(&cmds[i].words[k]) {
				return nil, false
			}
		}
		list = append(list, r.typedText(&cmds[i])+" |")
	}
	for i := range cmds {
		d := &cmds[i]
		if i != index && !d.compound {
			continue
		}
		for k := range d.redirs {
			in := &d.redirs[k]
			if !strings.HasPrefix(in.op, "<") {
				continue
			}
			if !fixed(&in.target) || in.op == "<<" && strings.ContainsAny(in.body, "$`") {
				return nil, false
			}
			list = append(list, in.op+" "+in.target.Raw+strings.TrimSuffix("\n"+in.body, "\n"))
		}
	}
	return list, true
}

// typedText is a command as it stands in the text.
func (r *run) typedText(c *command) string {
	if c.start < 0 || c.end > len(r.text.s) || c.start > c.end {
		return ""
	}
	return r.text.s[c.start:c.end]
}

// equal reports whether two calls are the same.
func (c *Call) equal(d *Call) bool {
	if c == nil || d == nil {
		return c == d
	}
	return slices.Equal(c.Before, d.Before) && slices.Equal(c.Set, d.Set) && slices.Equal(c.Input, d.Input) && slices.EqualFunc(c.Parts, d.Parts, func(p, q Part) bool {
		return p.Path == q.Path && slices.Equal(p.Options, q.Options) &&
			slices.EqualFunc(p.Operands, q.Operands, func(a, b Operand) bool { return a.Target == b.Target && a.Raw == b.Raw })
	})
}
