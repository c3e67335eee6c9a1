package enter

import (
	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
)

// noted lets pass without a word what a mark would say that was said within the
// last week: of one command for one reason.
func (w *world) noted(v *line.Verdict, d *ask.Decision, scene *facts.World) {
	if d.Action != ask.Note {
		return
	}
	d.Action = ask.Silent
	for i := range d.Items {
		it := &d.Items[i]
		if it.Action != ask.Note {
			continue
		}
		if it.Why != "" && scene.Noted(kind(v, it), w.env.now()) {
			it.Action = ask.Silent
			continue
		}
		d.Action = ask.Note
	}
}

// kind names what a mark is about: the command and the reason, and no file.
func kind(v *line.Verdict, it *ask.Item) string { return v.Findings[it.Finding].Key + ": " + it.Why }
