package completion

import (
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maxTaskDepth bounds how deep tasks run others and hand lines to shells.
const maxTaskDepth = 4

// maxTasks bounds the bodies of tasks that are judged for one list of candidates.
const maxTasks = 4000

// taskJudge rates what task runners would run, as Enter does but for what only a
// parser of shells tells: the commands of each body, each by itself.
type taskJudge struct {
	view  *tcpdb.View
	facts risk.Facts
	done  map[risk.TaskBody]bool
	room  *int // the bodies that may still be judged for the list
}

// judgeTasks raises a verdict to what the tasks would do that it runs. Nobody
// types those texts, so only what is surely HIGH counts.
func (e *Engine) judgeTasks(v *risk.Verdict, facts risk.Facts, room *int) {
	if len(v.Tasks) == 0 {
		return
	}
	j := taskJudge{view: e.Map, facts: facts, done: map[risk.TaskBody]bool{}, room: room}
	j.runs(v, "", v, 0)
}

// runs takes over into out what the tasks of a verdict run.
func (j *taskJudge) runs(v *risk.Verdict, dir string, out *risk.Verdict, depth int) {
	for _, c := range v.Tasks {
		if risk.Away(c.Outer) {
			continue
		}
		for _, b := range j.facts.Tasks(dir, c.Bound.Words) {
			if j.done[b] || *j.room <= 0 {
				continue
			}
			*j.room--
			j.done[b] = true
			switch b.Language {
			case "sh":
				j.line(b.Text, b.Dir, out, depth)
			case "":
			default:
				o := risk.Code(b.Language, b.Text)
				j.take(&o, b.Dir, out, depth)
			}
		}
	}
}

// line judges the commands of a text.
func (j *taskJudge) line(text, dir string, out *risk.Verdict, depth int) {
	if len(text) > maxLine {
		return
	}
	for _, c := range shline.Split(shline.Bash, text).Commands {
		if len(c.Words) > 0 && !c.Words[0].Live {
			o := risk.Judge(j.view, shline.Texts(c.Words), j.facts)
			j.take(&o, dir, out, depth)
		}
	}
}

// take takes over one verdict with what it carries.
func (j *taskJudge) take(o *risk.Verdict, dir string, out *risk.Verdict, depth int) {
	for i := range o.Findings {
		if f := &o.Findings[i]; f.Level >= tcpdb.High && !slices.Contains([]string{risk.Computed, "too-deep", "code.eval"}, f.Rule) {
			out.Level, out.Flags = max(out.Level, f.Level), out.Flags|f.Flags
		}
	}
	if depth >= maxTaskDepth {
		return
	}
	for _, l := range o.Lines {
		j.line(l.Text, dir, out, depth+1)
	}
	j.runs(o, dir, out, depth+1)
}
