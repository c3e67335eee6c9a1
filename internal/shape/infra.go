package shape

import "bytes"

// ansible reads what ansible-playbook says: of each task that failed or could
// not be reached its name and what it said, and the counts at the end.
type ansible struct {
	s    *Shaper
	g    *ledger
	etc  *spread
	task *entry // waits for a host that it failed on
	bad  int
}

func newAnsible(s *Shaper) *ansible {
	return &ansible{s: s, g: &s.ledger, etc: newSpread(&s.ledger, narrow())}
}

func (p *ansible) line(l line) {
	b := l.text
	switch {
	case blank(b):
		p.g.drop(l, blanks)
	case hasAny(b, "TASK [", "RUNNING HANDLER [", "PLAY ["):
		p.settle(false)
		e := p.g.entry(l)
		p.task = &e
	case has(b, "PLAY RECAP"):
		p.settle(false)
		p.g.keep(l)
	case hasAny(b, "ok: [", "changed: [", "skipping: [", "included: "):
		p.g.drop(l, passing)
	case hasAny(b, "fatal: [", "failed: ["):
		p.bad++
		p.settle(true)
		p.g.keep(l)
	case contains(b, " ok=") && contains(b, " failed="):
		p.settle(false)
		p.g.keep(l)
	default:
		p.settle(true)
		p.etc.line(l)
	}
}

func (p *ansible) settle(keep bool) {
	switch {
	case p.task == nil:
	case keep:
		p.g.keepEntry(*p.task)
	default:
		p.g.dropEntry(*p.task, headings)
	}
	p.task = nil
}

func (p *ansible) finish() {
	p.settle(true)
	p.etc.finish()
	p.s.found.failures += p.bad + p.etc.alarmN
}

// terraform reads a plan and its application: of each resource what becomes of
// it and which of its values change, errors whole, and the counts.
type terraform struct {
	s     *Shaper
	g     *ledger
	etc   *spread
	block bool // inside a resource of the plan
	gone  bool // which will be destroyed
	fail  bool // inside an error
	bad   int
}

func newTerraform(s *Shaper) *terraform {
	return &terraform{s: s, g: &s.ledger, etc: newSpread(&s.ledger, wide())}
}

func (p *terraform) line(l line) {
	b := l.text
	t := trim(b)
	boxed := has(t, "│")
	if boxed {
		t = trim(t[len("│"):])
	}
	switch {
	case len(t) == 0, has(t, "╷"), has(t, "╵"):
		p.fail = p.fail && boxed
		p.g.drop(l, blanks)
	case hasAny(t, "Error: ", "Warning: "):
		p.block, p.fail = false, true
		if has(t, "Error: ") {
			p.bad++
		}
		p.g.keep(l)
	case p.fail && boxed:
		p.g.keep(l)
	case has(b, "  # "):
		p.block, p.gone = true, contains(t, " will be destroyed")
		p.g.keep(l)
	case p.block && (indented(b) || hasAny(b, "-/+ ", "+/- ", "-   ", "~   ")):
		p.value(l, t)
	case hasAny(t, "Plan: ", "No changes.", "Apply complete!", "Destroy complete!", "Changes to Outputs:", "Outputs:"):
		p.block, p.gone = has(t, "Changes to Outputs:"), false
		p.g.keep(l)
	case hasAny(t, "Terraform used the selected providers", "OpenTofu used the selected providers", "plan. Resource actions are", "Resource actions are indicated", "Terraform will perform the following", "OpenTofu will perform the following", "following symbols:",
		"+ create", "- destroy", "~ update in-place", "-/+ destroy and then create", "+/- create replacement", "<= read", "Note: You didn't use the -out option", "guarantee to take exactly these", "actions if you run"):
		p.g.drop(l, headings)
	case routine(b) != other, ends(t, ": Creating..."), ends(t, ": Reading..."), contains(t, ": Destroying... [id="), contains(t, ": Modifying... [id="), contains(t, ": Creation complete after "), contains(t, ": Read complete after "), contains(t, ": Destruction complete after "), contains(t, ": Modifications complete after "):
		p.g.drop(l, progress)
	default:
		p.etc.line(l)
	}
}

// value reads a line of a resource: values that change are shown, and those of
// a new resource that are known.
func (p *terraform) value(l line, t []byte) {
	switch {
	case p.gone, len(bytes.Trim(t, "(){}[], ")) == 0, contains(t, "(known after apply)") && !contains(t, "# forces"), has(t, "# (") && ends(t, " hidden)"):
		p.g.drop(l, context)
	case hasAny(t, "+", "-", "~", "<=", "#"):
		if hasAny(t, "+ resource ", "- resource ", "~ resource ", "-/+ resource ", "+/- resource ") {
			p.g.drop(l, headings) // the comment above says it
			return
		}
		p.g.keep(l)
	default:
		p.g.drop(l, context)
	}
}

func (p *terraform) finish() {
	p.etc.finish()
	p.s.found.failures += p.bad
	if p.bad == 0 {
		p.s.found.failures += p.etc.alarmN
	}
}
