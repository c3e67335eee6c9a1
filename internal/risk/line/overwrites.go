package line

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Write is a file that a command writes anew, so that what it held is gone.
type Write struct {
	Target
	// From are what the command copies or moves there: the names that it gets in
	// the target, if that is a directory, and what it is equal to then.
	From []Target
	// Same: to write a file over itself is to change it in place, where cp refuses.
	Same bool
}

// maxWrites bounds the files of one command that are looked at.
const maxWrites = 16

// overwrites returns what a command writes anew: what the map calls its output,
// but for a command that keeps what was there, or asks.
func (r *run) overwrites(c *risk.Command, words []shline.Word) (out []Write) {
	b := c.Bound
	if c.At < 0 || spares(b, r.answered()) {
		return nil
	}
	var from []Target
	for u := range b.EachRole {
		if u.Role == tcpdb.GrammarRole+":awk-include" && u.Value == "inplace" {
			return r.inplace(c, words)
		}
		if u.Role != tcpdb.OutputFileRole && u.Role != tcpdb.OutputDirRole || u.Word < 0 || len(out) == maxWrites {
			continue
		}
		if u.Role == tcpdb.OutputDirRole && (u.Flag == nil || u.Flag.Flag.ID != "target-directory") || keeps(b, &u) {
			continue
		}
		k := c.At + u.Word
		if k >= len(words) {
			if u.Value == "{}" { // which xargs puts behind its words
				out = append(out, Write{Target: Target{Path: u.Value, Handed: true, Known: !r.handed(!staysHere(c.Outer)).relative}})
			}
			continue
		}
		w := words[k]
		if u.Value != w.Text { // --output=FILE, -oFILE
			w = shline.Word{Raw: u.Value, Text: u.Value, Live: w.Live}
		}
		moved := r.handed(!staysHere(c.Outer))
		for _, t := range r.targets(&w, moved, false) {
			t.Known = t.Known || t.Handed && !moved.relative
			out = append(out, r.wherever(t)...)
		}
	}
	if len(out) == 0 {
		return nil
	}
	for i, a := range b.Placed() {
		if a == nil || a.Role != "" || len(from) == maxWrites {
			continue
		}
		if k := c.At + b.Args[i].Word; k < len(words) {
			from = append(from, r.targets(&words[k], movement{}, false)...)
		}
	}
	for i := range out {
		out[i].From, out[i].Same = from, !wordlist.Has("cp gcp mv gmv install ln scp rsync dd", b.Chain[0].Name)
	}
	return out
}

// handed is moved for what is written, where a shell of this machine that is
// handed the text runs it in the directory that the line runs in.
func (r *run) handed(all bool) movement {
	o, from := r.text.outer, r.text.from
	if all || from == nil || r.text.task != nil || o != nil && !r.text.here {
		return r.moved(all)
	}
	outer := from.handed(false)
	outer.relative = outer.relative || o != nil && o.Bound != nil && o.Bound.Node().Path == "su"
	return movement{outer.relative || r.unsettled(r.index, false), outer.absolute || r.unsettled(r.index, true)}
}

// staysHere reports whether what a wrapper and those around it carry finds the same
// file by a name as they do: whoever it runs for, however often, with what words.
func staysHere(c *risk.Command) bool {
	for ; c != nil; c = c.Outer {
		if c.Bound == nil {
			return false
		}
		w := &c.Bound.Node().Wrapper
		if w.Elsewhere || w.Adds.Capabilities()&^(tcpdb.PrivilegeEscalation|tcpdb.RequiresRoot) != 0 || c.Bound.HasRole(tcpdb.ChdirRole) {
			return false
		}
		for i := range c.Bound.Flags {
			if u := &c.Bound.Flags[i]; u.Flag != nil && wordlist.Has("chdir chroot login execdir okdir root directory cwd", u.Flag.ID) {
				return false
			}
		}
	}
	return true
}

// inplace are the files that awk writes anew with -i inplace: its arguments, but for
// the program where none is read from a file.
func (r *run) inplace(c *risk.Command, words []shline.Word) (out []Write) {
	args := c.Bound.Args
	if !c.Bound.Has("file") && !c.Bound.Has("f") && len(args) > 0 {
		args = args[1:]
	}
	moved := r.handed(!staysHere(c.Outer))
	for _, a := range args {
		if k := c.At + a.Word; k >= len(words) {
			out = append(out, Write{Target: Target{Path: a.Text, Handed: true, Known: !moved.relative}})
		} else if len(out) < maxWrites && !strings.Contains(a.Text, "=") {
			for _, t := range r.targets(&words[k], moved, false) {
				t.Known = t.Known || t.Handed && !moved.relative
				out = append(out, r.wherever(t)...)
			}
		}
	}
	return out
}

// answered reports whether something flows into the command that is being judged, so
// that what it asks is answered by that.
func (r *run) answered() bool {
	if r.index >= len(r.program.commands) {
		return false
	}
	c := &r.program.commands[r.index]
	return c.from < c.to || slices.ContainsFunc(c.redirs, func(d redirect) bool { return strings.HasPrefix(d.op, "<") && d.target.Text != "/dev/null" })
}

// spares reports whether a command asks before it overwrites, where nothing but a
// person answers, or keeps what was there beside it.
func spares(b *argv.Bound, answered bool) bool {
	if b.Is(tcpdb.AsksFirstClass) && !answered && !b.HasRole(tcpdb.AssumeYesRole) {
		return true
	}
	for i := range b.Flags {
		u := &b.Flags[i]
		if u.Flag == nil || u.Negated {
			continue
		}
		switch u.Flag.ID {
		case "interactive":
			return !answered
		case "no-clobber", "backup", "append", "directory", "dry-run":
			return true
		}
	}
	return b.HasRole(tcpdb.DryRunRole)
}

// keeps reports whether the option by which a file is an output keeps a copy of
// it: sed -i.bak.
func keeps(b *argv.Bound, u *argv.Use) bool {
	if u.Arg == nil {
		return false
	}
	for i := range b.Flags {
		f := &b.Flags[i]
		if f.Flag != nil && f.Value != "" && f.ValueWord >= 0 && slices.Contains(u.Arg.RoleWith, f.Flag.ID) {
			return true
		}
	}
	return false
}

// ownInput reports whether a command, or one that writes into it, reads a file
// that the same command writes: the shell empties it before that.
func (r *run) ownInput(c *command, target *shline.Word) bool {
	file := path.Clean(target.Text)
	same := func(w *shline.Word) bool {
		if w.Live || target.Live {
			return w.Live && !strings.ContainsAny(w.Raw, "(`") && strings.Trim(w.Raw, `"`) == strings.Trim(target.Raw, `"`)
		}
		return !w.Glob && path.Clean(w.Text) == file
	}
	reads := func(c *command) bool {
		for i := range c.redirs {
			if d := &c.redirs[i]; d.op == "<" && same(&d.target) {
				return true
			}
		}
		if len(c.words) < 2 {
			return false
		}
		if n := r.view.Root(c.words[0].Text); n == nil || n.HasClass(tcpdb.ShellBuiltinClass) || n.HasClass(tcpdb.QuietClass) {
			return false // echo f > f
		}
		return slices.ContainsFunc(c.words[1:], func(w shline.Word) bool { return same(&w) })
	}
	if reads(c) {
		return true
	}
	cmds := r.program.commands
	for i := c.from; i < c.to && i < len(cmds); i++ {
		if reads(&cmds[i]) {
			return true
		}
	}
	return false
}

// wherever is a file that a command writes: in each of the directories that cd before
// it may have led to, where that is why it is not known which file it is.
func (r *run) wherever(t Target) (out []Write) {
	if t.Known || t.Handed || t.Home || t.Temp || t.Glob || t.Fresh || path.IsAbs(t.Path) {
		return []Write{{Target: t}}
	}
	places := r.places()
	if len(places) == 0 || r.lost || r.moved(false).absolute {
		return []Write{{Target: t}}
	}
	for _, in := range places {
		one := Target{Path: joined(in, t.Path), Known: true}
		if rest, home := strings.CutPrefix(one.Path, "~/"); home {
			one.Home, one.Path = true, rest
		}
		out = append(out, Write{Target: one})
	}
	return out
}
