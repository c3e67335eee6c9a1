package session

import (
	"encoding/json"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/facts"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Judgement is the risk of a command.
type Judgement struct {
	Level   tcpdb.Level
	Flags   tcpdb.Flags
	Reasons []string // the deciding one first
	Safer   string
	Known   bool // the map knows the program
}

// ground is the place that commands are judged for: the programs of it are
// those that a plan would start.
func (s *Session) ground() facts.Place {
	return facts.Place{Paths: s.Paths, Dir: s.Dir, Getenv: s.Getenv, Look: func(word string) (string, error) {
		if s.seen == nil || strings.Contains(word, "/") {
			path, _, err := invoke.Look(word, s.Dir, s.Environ)
			return path, err
		}
		f, ok := s.seen[word]
		if !ok {
			f.path, _, f.err = invoke.Look(word, s.Dir, s.Environ)
			s.seen[word] = f
		}
		return f.path, f.err
	}}
}

// lookedUp is the program of a command word, as it was found once for a whole list
// of tasks that is shown.
type lookedUp struct {
	path string
	err  error
}

// Facts are what a judgement may know of the caller's directory.
func (s *Session) Facts() risk.Facts { return facts.Of(s.ground()) }

// Installed reports whether a program of that name would be started.
func (s *Session) Installed(name string) bool { return s.ground().Installed(name) }

// Judge rates a line of a shell: "bash", "zsh", "fish" or "sh".
func (s *Session) Judge(text, shell string) line.Verdict {
	d, _ := shline.ParseDialect(shell)
	return line.Judge(s.View, text, d, s.Facts(), line.Options{Posix: shline.IsPOSIX(shell)})
}

// inline are the languages whose code is rated as that of a word of their
// interpreter, with the option that takes it.
var inline = map[string]string{"python": "-c", "node": "-e", "ruby": "-e", "perl": "-e", "php": "-r"}

// JudgeScript rates a whole script and names the rules that count. What is in no
// shell's language is rated as the inline code of its interpreter.
func (s *Session) JudgeScript(text, language string) (level tcpdb.Level, flags tcpdb.Flags, rules []string) {
	if option := inline[language]; option != "" {
		v := risk.Judge(s.View, []string{language, option, text}, s.Facts())
		for _, f := range v.Findings {
			rules = append(rules, f.Rule)
		}
		return v.Level, v.Flags, rules
	}
	dialect, ok := shline.ParseDialect(language)
	if !ok {
		dialect, _ = shline.ParseDialect("bash")
	}
	v := line.Judge(s.View, text, dialect, s.Facts(), line.Options{Posix: language == "sh", Comments: true})
	for _, f := range v.Findings {
		rules = append(rules, f.Rule)
	}
	return v.Level, v.Flags, rules
}

// judge rates the words of a plan; op is nil for a plain command.
func (s *Session) judge(argv []string, op *tcpdb.Operation) Judgement {
	if op != nil && surface.Is(op.Surface) {
		return judgeCall(op)
	}
	known := s.Facts()
	v := risk.Judge(s.View, argv, known)
	j := Judgement{Level: v.Level, Flags: v.Flags, Known: v.Known}
	for _, f := range v.Findings {
		j.add(f.Reason, f.Safer)
	}
	for _, l := range v.Lines {
		dialect, _ := shline.ParseDialect(l.Dialect)
		in := line.Judge(s.View, l.Text, dialect, known, line.Options{Posix: shline.IsPOSIX(l.Dialect)})
		if l.Use != nil {
			in = line.Configured(s.View, l, known)
		}
		if in.Level > j.Level { // what decides is told first
			j.Reasons, j.Safer = nil, ""
		}
		j.Level, j.Flags = max(j.Level, in.Level), j.Flags|in.Flags
		for _, f := range in.Findings {
			j.add(f.Reason, f.Safer)
		}
	}
	if len(v.Tasks) > 0 {
		in := line.Judge(s.View, invoke.Display(argv), shline.Bash, known, line.Options{})
		if in.Level > j.Level {
			j.Reasons, j.Safer = nil, ""
			for _, f := range in.Findings {
				j.add(f.Reason, f.Safer)
			}
		}
		j.Level, j.Flags = max(j.Level, in.Level), j.Flags|in.Flags
	}
	if op != nil && op.Risk > j.Level {
		j.Level = op.Risk
		j.Reasons = append([]string{"the map rates " + op.ID + " so"}, j.Reasons...)
	}
	return j
}

// judgeFed rates a command that reads what nobody knows: an interpreter runs it.
func (s *Session) judgeFed(argv []string) Judgement {
	dialect, _ := shline.ParseDialect("bash")
	v := line.Judge(s.View, "cat | "+invoke.Display(argv), dialect, s.Facts(), line.Options{})
	j := Judgement{Level: v.Level, Flags: v.Flags, Known: v.Known}
	for _, f := range v.Findings {
		j.add(f.Reason, f.Safer)
	}
	return j
}

// judgePlan rates a plan: of a workflow the maximum over its steps, before the
// first of them runs.
func (s *Session) judgePlan(p *invoke.Plan) Judgement {
	if len(p.Steps) == 0 {
		return s.judge(p.Argv, p.Operation)
	}
	all := Judgement{Level: p.Operation.Risk, Reasons: []string{"the map rates " + p.Operation.ID + " so"}}
	for _, step := range p.Steps {
		if step.Plan != nil {
			all.join(step.ID, s.judge(step.Plan.Argv, step.Plan.Operation))
		}
	}
	return all
}

// judgeCanonical rates what a digest binds, and lists its steps.
func (s *Session) judgeCanonical(c *invoke.Canonical) (Judgement, []QuestionStep, error) {
	if len(c.Call) > 0 {
		return s.judgeHanded(c.Call), nil, nil
	}
	if len(c.Steps) == 0 {
		return s.judge(c.Argv, nil), nil, nil
	}
	var all Judgement
	var steps []QuestionStep
	for _, step := range c.Steps {
		if step.Plan == nil {
			continue
		}
		var p invoke.Canonical
		if err := json.Unmarshal(step.Plan, &p); err != nil {
			return all, nil, err
		}
		if len(p.Call) > 0 {
			all.join(step.ID, s.judgeHanded(p.Call))
		} else {
			all.join(step.ID, s.judge(p.Argv, nil))
		}
		steps = append(steps, QuestionStep{step.ID, invoke.Display(p.Argv)})
	}
	return all, steps, nil
}

// LeastLevel is the risk of an operation before it has its parameters: the
// maximum of what its map says and of the judgement of its template with only
// what it cannot do without; of a workflow, that of its steps.
func (s *Session) LeastLevel(op *tcpdb.Operation) tcpdb.Level {
	level := op.Risk
	if surface.Is(op.Surface) {
		return level // it has no words to judge
	}
	if op.Surface == "workflow" {
		d, err := workflow.Parse(s.View.Detail(op.ID))
		if err != nil {
			return level
		}
		for _, step := range d.Steps {
			if own, ok := s.Lookup(step.Run); ok && own.Surface != "workflow" {
				level = max(level, s.LeastLevel(&own))
			}
		}
		return level
	}
	params := map[string]string{}
	for _, p := range op.Params {
		switch {
		case p.Required && p.Type == "flag":
			params[p.Name] = "true"
		case p.Required:
			params[p.Name] = "x"
		}
	}
	argv, err := invoke.Expand(op, params)
	if err != nil {
		return level // such a template never runs
	}
	return max(level, s.judge(argv, op).Level)
}

// gate are the facts of the gate for a plan.
func (s *Session) gate(p *invoke.Plan, j Judgement) gate.Facts {
	f := s.levels(p, j)
	f.Asked = s.asked(p, f.EffectiveLevel())
	return f
}

// levels is gate without the policy of Enter, which reads what the plan would touch.
func (s *Session) levels(p *invoke.Plan, j Judgement) gate.Facts {
	f := gate.Facts{Level: j.Level, Unknown: !j.Known, Who: s.Who}
	if p.Operation != nil {
		f.Mapped, f.Standing = true, p.Operation.Standing
		f.Effect, f.Approval = p.Operation.Effect, p.Operation.Approval
		if len(p.Steps) > 0 {
			f.Effect, f.Approval = p.Effect, p.Approval
		}
	}
	return f
}

// raise takes over another judgement of the same command if it is higher.
func (j *Judgement) raise(o Judgement) {
	if o.Level > j.Level {
		*j = Judgement{o.Level, j.Flags | o.Flags, o.Reasons, o.Safer, j.Known && o.Known}
	}
}

// join takes over what a step's judgement raises, its reason first.
func (j *Judgement) join(id string, step Judgement) {
	j.Flags |= step.Flags
	if step.Level <= j.Level {
		return
	}
	j.Level, j.Safer, j.Reasons = step.Level, step.Safer, nil
	for _, r := range step.Reasons {
		j.Reasons = append(j.Reasons, "step "+id+": "+r)
	}
}

// add takes a reason over, the deciding ones first.
func (j *Judgement) add(reason, safer string) {
	if reason != "" {
		j.Reasons = append(j.Reasons, reason)
	}
	if j.Safer == "" {
		j.Safer = safer
	}
}

// Because is the deciding reason, to stand after what it explains: ": " and one
// line, or "".
func (j *Judgement) Because() string {
	if len(j.Reasons) == 0 {
		return ""
	}
	return ": " + screen.Printable(j.Reasons[0])
}

// Check is the answer of tmp check about one line.
type Check struct {
	V        int      `json:"v"`
	Level    string   `json:"level"`
	Flags    []string `json:"flags"`
	Action   string   `json:"action"`
	Known    bool     `json:"known"`
	Complete bool     `json:"complete"`
	Scope    string   `json:"scope"`
	// Enter is what Enter would do with the line for a person here: silent, note,
	// allowable, key, word.
	Enter string `json:"enter"`
	// Safer is the whole line put the safer way.
	Safer    *string   `json:"safer"`
	Findings []Finding `json:"findings"`
}

// Finding is one reason of a Check.
type Finding struct {
	Start  int      `json:"start"` // bytes of the line
	End    int      `json:"end"`
	Level  string   `json:"level"`
	Flags  []string `json:"flags"`
	Rule   string   `json:"rule"`
	Reason string   `json:"reason"`
	Safer  *string  `json:"safer"`
	// Loss is what would be lost, null where nothing is known to be: none,
	// rebuildable, recoverable, content, exposure, outage. Reach is whose it is:
	// own, machine, shared, production.
	Loss  *string `json:"loss"`
	Reach string  `json:"reach"`
}

// Check is the answer about a line that Judge rated.
func (s *Session) Check(text string, v line.Verdict) Check {
	d := s.Decide(text, &v, ask.Person)
	a := Check{
		V: 1, Level: v.Level.String(), Flags: v.Flags.Names(), Action: v.Level.Action(), Known: v.Known, Complete: v.Complete,
		Scope: v.Scope.String(), Enter: d.Enter.String(), Findings: []Finding{},
	}
	if d.Safer != "" {
		a.Safer = &d.Safer
	}
	for i := range v.Findings {
		f := &v.Findings[i]
		stake := d.Stake(v.Findings, i)
		a.Findings = append(a.Findings, Finding{
			Start: f.Start, End: f.End, Level: f.Level.String(), Flags: f.Flags.Names(), Rule: f.Rule, Reason: f.Reason, Safer: s.SaferWay(*f),
			Loss: textOrNull(stake.Loss.String()), Reach: stake.Reach.String(),
		})
	}
	return a
}

func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// SaferWay returns the safer way of a finding, if its program is here.
func (s *Session) SaferWay(f line.Finding) *string {
	name, _, _ := strings.Cut(f.Safer, " ")
	if name == "" || !s.Installed(name) {
		return nil
	}
	return &f.Safer
}
