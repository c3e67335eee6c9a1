package shape

import "bytes"

// tap reads the Test Anything Protocol (testanything.org, version 13 and 14):
// of each "not ok" its diagnostics, and the counts.
type tap struct {
	skipTo  int  // what is indented deeper is source, or a difference
	differs bool // the latter: its changed lines are shown

	s   *Shaper
	g   *ledger
	out outcome
	etc *spread

	skips  few
	told   map[string]bool // lines about this test that failed
	after  byte            // of what the lines that follow speak: 'o' ok, 'n' not ok
	yaml   bool            // between "---" and "..."
	trace  bool            // in the YAML, what follows "stack: |-"
	diff   bool            // the failure showed a difference of actual and expected
	inside bool            // in the YAML, what follows "expected:" or "actual:"
	plan   int
	ran    int

	pass, fail int // as node counts them at the end, nested ones too; -1 if it does not
}

func newTAP(s *Shaper) *tap {
	g := &s.ledger
	return &tap{s: s, g: g, etc: newSpread(g, narrow()), skips: few{g: g, kind: skipped, max: maxSkips}, told: map[string]bool{}, plan: -1, pass: -1, fail: -1}
}

func (p *tap) line(l line) {
	b := trimLeft(l.text)
	if p.yaml && !p.result(b) {
		p.detail(l, b)
		return
	}
	top := len(b) == len(l.text)
	switch {
	case blank(b):
		p.g.drop(l, blanks)
	case has(b, "not ok"):
		p.failed(l, b, top)
	case has(b, "ok ") || string(b) == "ok":
		p.passed(l, b, top)
	case string(b) == "---":
		p.yaml, p.trace, p.diff, p.inside = true, false, false, false
		if p.after == 'n' {
			p.g.drop(l, headings)
		} else {
			p.g.drop(l, passing)
		}
	case has(b, "# Subtest:") || has(b, "TAP version"):
		p.g.drop(l, headings)
	case has(b, "1.."):
		if n, w := number(b[3:]); w > 0 && top {
			p.plan = n
		}
		if top {
			p.g.keep(l)
		} else {
			p.g.drop(l, headings)
		}
	case has(b, "Bail out!"):
		p.s.found.failures++
		p.g.keep(l)
	case has(b, "# "):
		p.comment(l, b)
	case p.after == 'n' && !top && foreignFrame(l.text):
		p.g.drop(l, frames)
	case p.after == 'n' && !top && len(b) > 12 && p.again(b):
		p.g.drop(l, repeated)
	default:
		p.etc.line(l)
	}
}

func (p *tap) result(b []byte) bool { return has(b, "ok ") || has(b, "not ok ") }

func (p *tap) failed(l line, b []byte, top bool) {
	p.yaml, p.after = false, 'n'
	clear(p.told)
	if contains(b, "# TODO") || contains(b, "# todo") {
		p.after = 'o'
		p.skips.add(l)
		return
	}
	if top {
		p.ran++
		p.out.fail(p.name(b[6:]), "")
	}
	p.g.keep(l)
}

func (p *tap) passed(l line, b []byte, top bool) {
	p.yaml, p.after = false, 'o'
	if top {
		p.ran++
	}
	switch {
	case contains(b, "# TODO") || contains(b, "# todo"):
		p.skips.add(l)
	case contains(b, "# SKIP") || contains(b, "# skip"):
		if top {
			p.out.skipped++
		}
		p.skips.add(l)
	default:
		if top {
			p.out.passed++
		}
		p.g.drop(l, passing)
	}
}

// name is that in " 80 - rejects bad token".
func (p *tap) name(b []byte) string {
	b = trimLeft(b)
	_, n := number(b)
	b = trimLeft(b[n:])
	return string(bytes.TrimPrefix(b, []byte("- ")))
}

// detail reads a line of the YAML under a test.
func (p *tap) detail(l line, b []byte) {
	if string(b) == "..." {
		p.yaml = false
		if p.after == 'n' {
			p.g.drop(l, headings)
		} else {
			p.g.drop(l, passing)
		}
		return
	}
	if p.after != 'n' {
		p.g.drop(l, passing)
		return
	}
	if in := len(l.text) - len(trimLeft(l.text)); p.skipTo > 0 && in > p.skipTo {
		if p.differs && (b[0] == '-' || b[0] == '+') && !hasAny(b, "--- ", "+++ ") {
			p.g.keep(l)
		} else {
			p.g.drop(l, excerpts)
		}
		return
	}
	p.skipTo, p.differs = 0, false
	if hasAny(b, "source: |", "source: >", "diff: |", "at:") && (len(b) == 3 || b[0] != 'a') {
		p.skipTo, p.differs = len(l.text)-len(trimLeft(l.text)), b[0] == 'd'
		p.g.drop(l, headings)
		return
	}
	switch {
	case blank(b) || hasAny(b, "duration_ms:", "type: 'test'", "type: 'suite'", "failureType: 'testCodeFailure'", "failureType: 'subtestsFailed'", "name: 'AssertionError'", "code: 'ERR_TEST_FAILURE'", "signal: ~", "stack: |-", "error: |-", "name: AssertionError", "message: ''", "details:", "assertion: t."), has(b, "at: '") && nodeFrame(b):
		p.trace = has(b, "stack: |-")
		p.g.drop(l, headings)
	case p.trace && (nodeFrame(b) || ends(b, " (<anonymous>)") && !contains(b, "TestContext")):
		p.g.drop(l, frames)
	case p.values(b):
		p.g.drop(l, excerpts)
	default:
		if p.out.file == "" && has(b, "location: ") {
			p.out.file = place(b[10:])
		}
		p.g.keep(l)
	}
}

// nodeFrame reports whether a frame of node's TAP reporter is node's own; it
// has no "at ".
func nodeFrame(b []byte) bool {
	return contains(b, "(node:") || contains(b, "node:internal") || contains(b, "node_modules/") || has(b, "node:")
}

// place returns the file of "'/src/a.test.js:82:1'".
func place(b []byte) string {
	b = bytes.Trim(b, "'\"")
	for range 2 {
		if i := bytes.LastIndexByte(b, ':'); i > 0 && i+1 < len(b) && digit(b[i+1]) {
			b = b[:i]
		}
	}
	return string(b)
}

// comment reads a diagnostic, or a count at the end.
func (p *tap) comment(l line, b []byte) {
	w := b[2:]
	switch {
	case hasAny(w, "suites ", "cancelled ", "skipped ", "todo ", "duration_ms "):
		if ends(w, " 0") || has(w, "duration_ms") || has(w, "suites") {
			p.g.drop(l, headings)
		} else {
			p.g.keep(l)
		}
	case hasAny(w, "tests ", "pass ", "fail "):
		if n, k := number(w[5:]); k > 0 && 5+k == len(w) {
			if has(w, "pass ") {
				p.pass = n
			} else if has(w, "fail ") {
				p.fail = n
			}
		}
		p.g.keep(l)
	case foreignFrame(trimLeft(w)) || has(trimLeft(w), "at ") && nodeFrame(w):
		p.g.drop(l, frames)
	case p.after == 'n':
		p.g.keep(l)
	default:
		p.etc.line(l)
	}
}

// again reports whether a line under a test that failed, which is not in YAML,
// was told of it before.
func (p *tap) again(b []byte) bool {
	if p.told[string(b)] {
		return true
	}
	if len(p.told) < maxSeen {
		p.told[string(b)] = true
	}
	return false
}

// values reports whether a line belongs to the values that a difference, shown
// above, tells apart already.
func (p *tap) values(b []byte) bool {
	if has(b, "+ actual - expected") {
		p.diff = true
		return true
	}
	switch {
	case !p.diff:
		return false
	case hasAny(b, "expected:", "actual:"):
		p.inside = true
		return true
	case hasAny(b, "code:", "operator:", "name:", "stack:", "location:", "failureType:", "error:"):
		p.inside = false
		return hasAny(b, "code: 'ERR_ASSERTION'", "operator:")
	}
	return p.inside
}

func (p *tap) finish() {
	p.skips.finish()
	p.etc.finish()
	if p.plan >= 0 && p.ran != p.plan {
		p.s.found.fields["planned_tests"] = p.plan
	}
	p.out.counted = p.ran > 0
	if p.pass >= 0 && p.fail >= p.out.failed {
		p.out.passed, p.out.failed = p.pass, p.fail
	}
	p.out.report(&p.s.found)
}
