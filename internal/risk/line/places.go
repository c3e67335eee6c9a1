package line

import (
	"strings"
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
		if len(c.words) < 2 || len(found) >= maxPlaces || !names(c.words[0].Text, "cd", "pushd", "chdir") {
			continue
		}
		dir, ok := r.named(c)
		if !ok {
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
