package line

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maxPlaces bounds the directories that a command is taken to run in.
const maxPlaces = 8

// step is a command that leads the ones behind it to other places.
type step struct {
	index  int
	places []string
}

// places returns the directories that the command of the run may run in, as the
// line names them: its own, "", and those that cd and pushd before it lead to. It
// is nil if there are no others. Which of them it is counts for what is read
// there, so that all do.
func (r *run) places() []string {
	if !r.walked {
		r.walked, r.steps = true, r.walk()
	}
	inFunction := r.index < len(r.program.commands) && r.program.commands[r.index].function != ""
	for i := len(r.steps) - 1; i >= 0; i-- {
		if s := &r.steps[i]; s.index < r.index || inFunction {
			return s.places
		}
	}
	return nil
}

// walk goes through the commands that change the directory.
func (r *run) walk() (steps []step) {
	var found []string
	if r.text.from != nil {
		if found = r.text.from.places(); found != nil {
			steps = append(steps, step{-1, found})
		}
	}
	for i := range r.program.commands {
		c := &r.program.commands[i]
		if len(c.words) < 2 || !names(c.words[0].Text, "cd", "pushd", "chdir") {
			continue
		}
		dir, ok := r.named(c)
		if !ok {
			r.lost = true
			continue
		}
		if found == nil {
			found = []string{""}
		}
		for _, in := range found[:len(found):len(found)] {
			if len(found) < maxPlaces {
				found = append(found, joined(in, dir))
			}
		}
		steps = append(steps, step{i, found})
	}
	return steps
}

// settledFacts are the facts for the command of the run: where it may run, and
// which files it reads. What the line itself writes comes before what is there;
// where it may have moved files by then, or where it goes is not known, no file
// is read.
func (r *run) settledFacts() risk.Facts {
	facts := r.facts
	facts.In = r.places()
	read := facts.Text
	if read != nil && (r.lost || r.unsettled(r.index, true)) {
		read = nil
	}
	facts.Text = func(name string) (string, bool) {
		for from := r; from != nil; from = from.text.from {
			if text, ok := from.written[path.Clean(name)]; ok {
				return text, true
			}
		}
		if read == nil || r.changed(path.Base(name)) {
			return "", false
		}
		return read(name)
	}
	return facts
}

// changed reports whether a command before that of the run names a file of a name
// and may write to it.
func (r *run) changed(base string) bool {
	for from, index := r, r.index; from != nil; from, index = from.text.from, from.text.index {
		for i := range from.program.commands[:min(index, len(from.program.commands))] {
			c := &from.program.commands[i]
			writes := slices.ContainsFunc(c.redirs, func(d redirect) bool {
				return strings.Contains(d.op, ">") && path.Base(d.target.Text) == base
			})
			if writes || len(c.words) > 1 && slices.ContainsFunc(c.words[1:], func(w shline.Word) bool { return strings.HasSuffix(w.Text, base) }) &&
				risk.Judge(r.view, shline.Texts(c.words), risk.Facts{}).Level > tcpdb.Low {
				return true
			}
		}
	}
	return false
}

// reads judges a file that flows into an interpreter; ok is false if what it holds
// is not known.
func (r *run) reads(d *redirect, lang string, inner []shline.Word) (ok bool) {
	if d.target.Live {
		return false
	}
	facts := r.settledFacts()
	for _, in := range append([]string{""}, facts.In...) {
		if text, found := facts.Text(joined(in, d.target.Text)); found {
			r.source(text, false, r.text.at(d.start, d.target.End), lang, len(r.text.s), inner)
			ok = true
		}
	}
	return ok
}

// named is the directory that a command such as cd names; ok is false if it is
// computed.
func (r *run) named(c *command) (dir string, ok bool) {
	for k := range c.words[1:] {
		w := c.words[k+1]
		if strings.HasPrefix(w.Text, "-") && w.Text != "-" {
			continue
		}
		if rest, home := homePath(&w); w.Live && home {
			return "~/" + rest, true
		}
		if w.Live {
			w = r.settled(w)
		}
		return w.Text, !w.Live && w.Text != "-"
	}
	return "", false
}

// joined is a path as seen from the directory of the line.
func joined(in, path string) string {
	if in == "" || strings.HasPrefix(path, "/") || path == "~" || strings.HasPrefix(path, "~/") {
		return path
	}
	return in + "/" + path
}
