package enter

import (
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
)

// noted lets pass without a word what a note would say whose kind was said within
// the last week.
func (w *world) noted(d *ask.Decision, scene *facts.World) {
	if d.Action != ask.Note {
		return
	}
	d.Action = ask.Silent
	for i := range d.Items {
		it := &d.Items[i]
		if it.Action != ask.Note {
			continue
		}
		if it.Why != "" && scene.Noted(kind(it), w.env.now()) {
			it.Action = ask.Silent
			continue
		}
		d.Action = ask.Note
	}
}

// kind names what a note is about: what would be lost and whose it is, and no
// command and no file.
func kind(it *ask.Item) string { return it.Stake.Loss.String() + " " + it.Stake.Reach.String() }

// moved is the kind of the note that settings have other names by now.
const moved = "settings moved"

// untold reports whether there is something to say of the settings.
func (w *world) untold(scene *facts.World) bool {
	return slices.ContainsFunc(scene.Problems(), func(p facts.Problem) bool { return !p.Moved || !scene.Noted(moved, w.env.now()) })
}

// problems says what does not count of the settings, and once in a while which have
// other names by now.
func (w *world) problems(scene *facts.World) {
	again, told := scene.Noted(moved, w.env.now()), false
	for _, p := range scene.Problems() {
		if p.Moved && again {
			continue
		}
		told = told || p.Moved
		w.notice("%s", p)
	}
	if told {
		scene.Note(moved, w.env.now())
	}
}
