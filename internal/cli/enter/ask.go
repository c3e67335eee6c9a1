package enter

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// decide does with a line that is HIGH or above what the policy says. Only here
// are the configuration, the state and the repository read.
func (w *world) decide(text string, v *line.Verdict) int {
	isAgent := agent(w.env.Getenv) != ""
	if !isAgent && Bypass(w.shell, text) {
		w.audit(text, v, nil, audit.Bypassed, "")
		return StatusRun
	}
	if w.silent {
		exitOnInterrupt()
	}
	scene := facts.Open(w.env.Dir, w.env.Getenv, w.paths, w.sections)
	defer scene.Close()
	if v.Level < tcpdb.High {
		if !scene.AtRisk(v.Findings) {
			return StatusRun
		}
		scene.Hurry()
	}
	f := scene.Facts(ask.Person)
	if isAgent {
		f.Who = ask.Agent
	}
	d := ask.Decide(v, &f)
	w.noted(&d, scene)
	if w.silent && (d.Action > ask.Silent || w.untold(scene)) {
		return StatusAsk
	}
	w.problems(scene)
	if !isAgent {
		scene.Drop()
	}
	for _, p := range w.view.Problems() {
		stale := (*mapset.StaleError)(nil)
		if p.File == "" || errors.As(p.Err, &stale) { // no home for it, or in use
			w.notice("%v", p.Err)
		} else {
			w.notice("a map is left out: %v", p.Err)
		}
	}
	var tty *os.File
	if d.Action == ask.Note || d.Action > ask.Note && d.Action < ask.Refuse {
		var err error
		if tty, err = w.env.OpenTTY(); err == nil {
			defer tty.Close()
		} else if f.Who = ask.Nobody; d.Action > ask.Note {
			d = ask.Decide(v, &f)
		}
	}
	switch d.Action {
	case ask.Refuse:
		w.refuse(v, &d)
		w.audit(text, v, &d, audit.Refused, d.Code)
		return StatusKeep
	case ask.Silent, ask.Note:
		if d.Action == ask.Note {
			w.mark(tty, text, v, &d, scene)
		}
		if v.Level >= tcpdb.High {
			w.audit(text, v, &d, audit.Waived, whys(&d))
		}
		return StatusRun
	}
	return w.ask(tty, text, v, &d, &f, scene)
}

// exitOnInterrupt makes of Ctrl-C, while the disk is read and nothing is asked,
// an answer of its own: the line stays. A program that dies of the signal takes
// the hook with it: fish ends the function that has started it, without drawing
// the line again.
func exitOnInterrupt() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGQUIT)
	go func() {
		<-c
		os.Exit(StatusInterrupted)
	}()
}

// Bypass reports whether the person wrote that a line is not to be checked:
// TMP_CHECK=off before its one simple command, or tmp off -- before the line.
// The text counts and never the environment, which a program could have set.
func Bypass(d shline.Dialect, text string) bool {
	if rest, ok := strings.CutPrefix(text, "tmp off -- "); ok {
		return strings.TrimSpace(rest) != ""
	}
	if !strings.HasPrefix(text, "TMP_CHECK=off ") {
		return false
	}
	x := shline.Split(d, text)
	return x.Complete && len(x.Commands) == 1 && len(x.Commands[0].Words) > 0
}

// ask puts the line before the person at the terminal.
func (w *world) ask(tty *os.File, text string, v *line.Verdict, d *ask.Decision, f *ask.Facts, scene *facts.World) int {
	t, err := seize(tty, w.env.Getenv)
	if err != nil {
		w.notice("not run: %s; the terminal cannot be asked: %v", v.Level, err)
		w.audit(text, v, d, audit.Refused, "no_terminal")
		return StatusKeep
	}
	q := question{text: text, v: v, d: d, who: who(f), installed: w.installed}
	if d.Action == ask.Allowable {
		q.again = scene.Noted(answered(d), w.env.now())
	}
	// What the shell has already cannot be edited any more.
	held := lines(text, w.held)
	if w.env.Reply != nil {
		q.safer, _ = ask.Safer(text, v, d, w.installed)
		if !strings.HasPrefix(q.safer, text[:held]) {
			q.safer = ""
		}
	}
	answer := q.put(t)
	t.close()
	switch answer {
	case yes, always:
		if answer == always {
			if err := scene.Allow(d.Forms, w.env.now()); err != nil {
				w.notice("run this once: it cannot be kept: %v", err)
			}
		}
		if answer == yes && d.Action == ask.Allowable {
			scene.Note(answered(d), w.env.now())
		}
		w.audit(text, v, d, audit.Allowed, alwaysReason(answer))
		return StatusRun
	case safer:
		if _, err := io.WriteString(w.env.Reply, q.safer[held:]); err != nil {
			fmt.Fprintf(tty, "%s\n", strings.Join(screen.Rows(q.safer, t.style.Columns-1), "\r\n"))
			return StatusKeep
		}
		w.audit(text, v, d, audit.Safer, q.safer)
		return StatusReplace
	case ended:
		if w.env.Reply != nil {
			_, _ = io.WriteString(w.env.Reply, ReplyEnded)
		}
	}
	w.audit(text, v, d, audit.Refused, "")
	return StatusKeep
}

// lines returns the length of the first n lines of a text.
func lines(text string, n int) int {
	length := 0
	for ; n > 0; n-- {
		i := strings.IndexByte(text[length:], '\n')
		if i < 0 {
			return length
		}
		length += i + 1
	}
	return length
}

// answered is the kind of the note that a form was answered with yes: the next time
// within a week a is offered first.
func answered(d *ask.Decision) string { return "yes " + forms(d.Forms) }

func alwaysReason(r reply) string {
	if r == always {
		return "from now on"
	}
	return ""
}

// who says where and as whom the person is, where that should make one careful.
func who(f *ask.Facts) string {
	switch {
	case f.Host != "" && f.Root:
		return "as root on " + f.Host + " over SSH"
	case f.Host != "":
		return "on " + f.Host + " over SSH"
	case f.Root:
		return "as root"
	}
	return ""
}

// mark says in one line what runs without a question, and why.
func (w *world) mark(tty *os.File, text string, v *line.Verdict, d *ask.Decision, scene *facts.World) {
	var out io.Writer = w.env.Stderr
	st := screen.Style{Columns: 80}
	if tty != nil {
		out = tty
		st = styleOf(int(tty.Fd()), w.env.Getenv)
	}
	for _, it := range d.Items {
		if it.Action != ask.Note {
			continue
		}
		f := &v.Findings[it.Finding]
		part := text[f.Start:f.End]
		if f.Command.End > 0 {
			part = text[f.Command.Start:f.Command.End]
		}
		part = screen.Printable(part)
		if room := max(st.Columns-1-screen.Width("tmp: : "+it.Why), 8); screen.Width(part) > room {
			part = screen.Clip(part, room-1) + "…"
		}
		s := screen.Clip("tmp: "+part+": "+it.Why, st.Columns-1)
		fmt.Fprintf(out, "\r\n%s\r\n", st.Paint("2", s))
		if it.Why != "" {
			scene.Note(kind(&it), w.env.now())
		}
		return
	}
}

func whys(d *ask.Decision) string {
	for _, it := range d.Items {
		if it.Why != "" {
			return it.Why
		}
	}
	return ""
}

// refusal is the JSON for those who cannot be asked.
type refusal struct {
	V        int            `json:"v"`
	Decision string         `json:"decision"`
	Reason   string         `json:"reason"` // approval_required, critical, no_terminal
	Level    string         `json:"level"`
	Flags    []string       `json:"flags"`
	Action   string         `json:"action"`
	Scope    string         `json:"scope"`
	Findings []refusalCause `json:"findings"`
}

type refusalCause struct {
	Start  int     `json:"start"`
	End    int     `json:"end"`
	Level  string  `json:"level"`
	Rule   string  `json:"rule"`
	Reason string  `json:"reason"`
	Safer  *string `json:"safer"`
}

func (w *world) refuse(v *line.Verdict, d *ask.Decision) {
	r := refusal{
		V: 1, Decision: "refused", Reason: d.Code, Level: v.Level.String(), Flags: v.Flags.Names(), Action: v.Level.Action(),
		Scope: v.Scope.String(), Findings: []refusalCause{},
	}
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.Level < tcpdb.High {
			break
		}
		c := refusalCause{Start: f.Start, End: f.End, Level: f.Level.String(), Rule: f.Rule, Reason: f.Reason}
		if name, _, _ := strings.Cut(f.Safer, " "); name != "" && w.installed(name) {
			c.Safer = &f.Safer
		}
		r.Findings = append(r.Findings, c)
	}
	enc := json.NewEncoder(w.env.Stderr)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(r)
}

// audit records how the line was answered; that it cannot is said and stops
// nothing.
func (w *world) audit(text string, v *line.Verdict, d *ask.Decision, answer audit.Answer, reason string) {
	if w.paths.State == "" {
		return
	}
	w.logged = true
	r := audit.Record{
		Time: w.env.now(), Via: "enter", Answer: answer, Reason: reason, Level: v.Level.String(), Flags: v.Flags.Names(),
		Shell: shellName(w.shell), Dir: w.env.Dir, Line: text, Map: w.view, Agent: agent(w.env.Getenv),
	}
	if stake, ok := worst(d); ok {
		r.Loss, r.Reach = stake.Loss.String(), stake.Reach.String()
	}
	for i := range v.Findings {
		if v.Findings[i].Level >= tcpdb.High && len(r.Rules) < 8 {
			r.Rules = append(r.Rules, v.Findings[i].Rule)
		}
	}
	if err := audit.Append(w.paths.State, r); err != nil {
		w.notice("the audit log cannot be written: %v", err)
	}
}

// worst is the stake that the strictest answer was for.
func worst(d *ask.Decision) (stake ask.Stake, ok bool) {
	if d == nil {
		return stake, false
	}
	strictest := ask.Silent
	for _, it := range d.Items {
		if !ok || it.Action > strictest {
			stake, strictest, ok = it.Stake, it.Action, true
		}
	}
	return stake, ok
}

func (w *world) notice(format string, args ...any) {
	fmt.Fprintf(w.env.Stderr, "tmp: %s\n", screen.Printable(fmt.Sprintf(format, args...)))
}

func shellName(d shline.Dialect) string {
	switch d {
	case shline.Zsh:
		return "zsh"
	case shline.Fish:
		return "fish"
	}
	return "bash"
}
