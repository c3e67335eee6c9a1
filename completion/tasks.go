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
// parser of shells tells: the commands of each body, each by itself. One serves a
// list of candidates.
type taskJudge struct {
	view   *tcpdb.View
	facts  risk.Facts
	room   int                       // the bodies that may still be judged
	judged map[string][]risk.Verdict // what the commands of a text are
	done   map[risk.TaskBody]bool    // bodies of this candidate
}

// newTaskJudge leaves out which programs are trusted and installed: runners put
// directories of their own before PATH, and to look for each costs a Tab more
// than to judge it. A name that is not trusted is as bad as what it names.
func newTaskJudge(view *tcpdb.View, facts risk.Facts) *taskJudge {
	facts.Trusted, facts.Installed = nil, nil
	return &taskJudge{view: view, facts: facts, room: maxTasks}
}

// raise raises a verdict to what the tasks would do that it runs, with value as
// the word at an index of the judged ones. Nobody types those texts, so only what
// is surely HIGH counts.
func (j *taskJudge) raise(v *risk.Verdict, at int, value string) {
	if len(v.Tasks) == 0 {
		return
	}
	j.done = map[risk.TaskBody]bool{}
	for _, c := range v.Tasks {
		words := slices.Clone(c.Bound.Words)
		if k := at - c.At; c.At >= 0 && k > 0 && k < len(words) {
			words[k] = value
		}
		j.runs(c, words, "", v, 0)
	}
}

// runs takes over into out what a command runs.
func (j *taskJudge) runs(c *risk.Command, words []string, dir string, out *risk.Verdict, depth int) {
	if risk.Away(c.Outer) {
		return
	}
	for _, b := range j.facts.Tasks(dir, words) {
		if j.done[b] || j.room <= 0 {
			continue
		}
		j.room--
		j.done[b] = true
		switch b.Language {
		case "sh":
			j.line(b.Text, b.Dir, out, depth)
		case "":
		default:
			o := risk.Code(risk.Language(j.view, b.Language), b.Text)
			j.take(&o, b.Dir, out, depth)
		}
	}
}

// line judges the commands of a text.
func (j *taskJudge) line(text, dir string, out *risk.Verdict, depth int) {
	if len(text) > maxLine {
		return
	}
	list, ok := j.judged[text]
	if !ok {
		for _, c := range shline.Split(shline.Bash, text).Commands {
			if len(c.Words) > 0 && !c.Words[0].Live {
				list = append(list, risk.Judge(j.view, shline.Texts(c.Words), j.facts))
			}
		}
		if j.judged == nil {
			j.judged = map[string][]risk.Verdict{}
		}
		j.judged[text] = list
	}
	for i := range list {
		j.take(&list[i], dir, out, depth)
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
	for _, c := range o.Tasks {
		j.runs(c, c.Bound.Words, dir, out, depth+1)
	}
}
