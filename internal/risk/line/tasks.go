package line

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maxTasks bounds the bodies of tasks that are judged for a line.
const maxTasks = 1000

// taskRun is a command of a text that runs tasks of the project.
type taskRun struct {
	from    *run
	index   int // of the command in from
	command *risk.Command
	words   []shline.Word
	body    risk.TaskBody
}

// tasks judges what the task runners of the line would run, and the runners that
// this runs in turn. Nobody typed those texts, so what is known only when they
// run makes a task no worse than one that is not looked into.
func (j *judge) tasks() {
	if len(j.waiting) == 0 {
		return
	}
	j.done = map[risk.TaskBody]bool{}
	j.count, j.work = 0, 0 // all of them have the room of a line
	for n := 0; len(j.waiting) > 0 && n < maxTasks; n++ {
		w := j.waiting[0]
		j.waiting = j.waiting[1:]
		w.from.index = w.index
		for _, dir := range w.from.directories(w.command.Outer) {
			for _, b := range j.facts.Tasks(dir, w.command.Bound.Words) {
				if n++; j.done[b] || n > maxTasks {
					continue
				}
				j.done[b] = true
				w.body = b
				w.from.task(w)
			}
		}
	}
}

// task judges one body.
func (r *run) task(w taskRun) {
	j, before := r.judge, r.judge.out
	j.out.Findings, j.out.Level, j.out.Scope = nil, tcpdb.Safe, tcpdb.NoScope
	t := text{
		s: w.body.Text, span: tcpdb.Span{Start: 0, End: len(w.body.Text)}, mapped: true, dialect: shline.Bash, literal: true,
		outer: w.command, from: r, index: w.index, task: &w, dir: w.body.Dir,
	}
	t.loose = slices.ContainsFunc(w.words, func(w shline.Word) bool { return !fixed(&w) })
	switch lang := r.language(w.body.Language); lang {
	case "":
	case shellLanguage:
		r.line(t, min(r.depth+1, maxLines))
	default:
		in := &run{judge: j, text: &t, depth: r.depth + 1}
		in.code(lang, t.s, t.span, nil)
	}
	found := j.out.Findings
	j.out.Level, j.out.Scope, j.out.Findings, j.out.Known = before.Level, before.Scope, before.Findings, before.Known
	for _, f := range found {
		if f.Level < tcpdb.High || slices.Contains(unsure, f.Rule) {
			continue
		}
		f.Reason = w.says(&f)
		f.Span, f.Command, f.Verb = w.span(), tcpdb.Span{}, 0
		j.add(f)
	}
}

// unsure are the rules of what is known only when it runs.
var unsure = []string{"flow.opaque", "flow.computed", "flow.file", risk.Computed, "not-analysed", "code.eval", "unknown"}

// span is where the command that runs the task stands in the line.
func (w *taskRun) span() tcpdb.Span {
	for t := w.from.text; t != nil; t = outerText(t) {
		if t.task != nil {
			return t.task.span()
		}
	}
	if at := w.command.At; at >= 0 && at < len(w.words) {
		end := min(at+len(w.command.Bound.Words), len(w.words))
		return w.from.text.at(w.words[at].Start, w.words[end-1].End)
	}
	return w.from.text.span
}

func outerText(t *text) *text {
	if t.from == nil {
		return nil
	}
	return t.from.text
}

// maxSaid is how much of a command a reason shows, in bytes.
const maxSaid = 120

// says tells why a finding about a body is one about the line: "npm run db:reset
// runs: prisma migrate reset --force: empties the database (package.json)".
func (w *taskRun) says(f *Finding) string {
	body := w.body.Text
	start, end := min(f.Start, len(body)), min(max(f.End, f.Start), len(body))
	if f.Command.End > 0 && f.Command.End <= len(body) {
		start, end = min(start, f.Command.Start), max(end, f.Command.End)
	}
	from, to := strings.LastIndexByte(body[:start], '\n')+1, len(body)
	if k := strings.IndexByte(body[end:], '\n'); k >= 0 {
		to = end + k
	}
	if to-from > maxSaid {
		from, to = start, end
	}
	command := strings.ToValidUTF8(strings.Join(strings.Fields(strings.Join(w.command.Bound.Words, " ")), " "), "")
	said := strings.Join(strings.Fields(strings.ToValidUTF8(body[from:to], "")), " ")
	out := short(command, maxSaid/2) + " runs"
	if t := w.body.Task; t != "" && !slices.Contains(w.command.Bound.Words, t) {
		out += " " + t
	}
	out += ": " + short(said, maxSaid) + ": " + f.Reason
	if w.body.File != "" {
		out += " (" + w.body.File + ")"
	}
	return out
}

func short(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit-3], "") + "…"
}

// taskDir is where the text runs as seen from the directory of the line, if it
// is the body of a task; "" where that is the same.
func (r *run) taskDir() string {
	for t := r.text; t != nil; t = outerText(t) {
		if t.task != nil {
			return t.dir
		}
	}
	return ""
}

// directories are those that a command of the run may run in, as Facts.Tasks
// takes them; outer carries it. There are several where it cannot be told
// whether a cd counts for it, and none where it runs on another machine.
func (r *run) directories(outer *risk.Command) []string {
	if risk.Away(outer) {
		return nil
	}
	base := []string{""}
	switch {
	case r.text.task != nil:
		base = []string{r.text.dir}
	case r.text.away:
		return nil
	case r.text.from != nil:
		from := r.text.from
		from.index = r.text.index
		if base = from.directories(nil); base == nil {
			return nil
		}
	}
	doubt := strings.ContainsAny(r.text.s, "({") || strings.Contains(r.text.s, "||") || r.mayLoop()
	for i := range r.program.commands[:min(r.index, len(r.program.commands))] {
		c := &r.program.commands[i]
		if len(c.words) < 2 || !names(c.words[0].Text, "cd", "pushd", "chdir") {
			continue
		}
		w := &c.words[len(c.words)-1]
		rest, home := homePath(w)
		if w.Glob || w.Live && !home || w.Text == "-" {
			continue
		}
		var next []string
		for _, b := range base {
			switch {
			case home && rest == "":
				next = append(next, "~")
			case home:
				next = append(next, "~/"+rest)
			case strings.HasPrefix(w.Text, "/"), b == "":
				next = append(next, w.Text)
			default:
				next = append(next, b+"/"+w.Text)
			}
		}
		if doubt && len(base)+len(next) <= maxLines {
			next = append(next, base...)
		}
		slices.Sort(next)
		base = slices.Compact(next)
	}
	return base
}
