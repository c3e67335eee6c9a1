package shape

import "strings"

// status reads git status, long or short: every path stays; what goes is what
// git says of its own commands.
type status struct {
	s *Shaper
	g *ledger
	n map[string]int
	// section is what the paths that follow are.
	section string
}

func newStatus(s *Shaper) *status { return &status{s: s, g: &s.ledger, n: map[string]int{}} }

func (p *status) line(l line) {
	b := l.text
	switch {
	case blank(b):
		p.section = ""
		p.g.drop(l, blanks)
		return
	case has(trimLeft(b), "(use \"git ") || hasAny(b, "no changes added to commit (", "nothing added to commit but untracked", "It took ", "may speed it up", "but the results were cached", "See 'git help status'"):
		p.g.drop(l, hints)
		return
	case has(b, "Changes to be committed:"):
		p.section = "staged"
	case has(b, "Changes not staged for commit:"):
		p.section = "unstaged"
	case has(b, "Unmerged paths:"):
		p.section = "conflicted"
	case has(b, "Untracked files:"):
		p.section = "untracked"
	case has(b, "Ignored files:"):
		p.section = "ignored"
	case has(b, "\t") && p.section != "":
		p.n[p.section]++
	case len(b) > 3 && b[2] == ' ' && strings.IndexByte(" MTADRCU?!m", b[0]) >= 0 && strings.IndexByte(" MTADRCU?!m", b[1]) >= 0 && b[0]+b[1] != 2*' ':
		p.short(b[0], b[1])
	}
	p.g.keep(l)
}

// short reads the two letters of a path (git help status, Short Format).
func (p *status) short(x, y byte) {
	switch {
	case x == '?':
		p.n["untracked"]++
	case x == '!':
		p.n["ignored"]++
	case x == 'U' || y == 'U' || x == y && (x == 'A' || x == 'D'):
		p.n["conflicted"]++
	default:
		if x != ' ' {
			p.n["staged"]++
		}
		if y != ' ' {
			p.n["unstaged"]++
		}
	}
}

func (p *status) finish() {
	for k, n := range p.n {
		add(p.s.found.fields, k, n)
	}
}

// work reads what git says while it clones, fetches, pushes, merges or rebases.
type work struct {
	s     *Shaper
	g     *ledger
	etc   *spread
	stats few
	bad   int
	hints []entry // those that name a command are shown where something failed
}

const maxHints = 20 // of one command

func newWork(s *Shaper) *work {
	g := &s.ledger
	return &work{s: s, g: g, etc: newRecords(g, wide()), stats: few{g: g, kind: other, max: 60}}
}

func (p *work) line(l line) {
	b := l.text
	t := b
	if has(t, "remote: ") {
		t = trimLeft(t[8:])
	}
	switch {
	case blank(t) || string(t) == "remote:":
		p.g.drop(l, blanks)
	case has(b, "hint:") && len(p.hints) < maxHints && len(trim(b[5:])) > 0:
		p.hints = append(p.hints, p.g.entry(l))
	case has(b, "hint:"), has(trimLeft(b), "(use \"git "):
		p.g.drop(l, hints)
	case hasAny(t, "Counting objects:", "Compressing objects:", "Enumerating objects:", "Receiving objects:", "Resolving deltas:", "Writing objects:", "Updating files:",
		"Unpacking objects:", "Checking out files:", "Finding sources:", "Getting sizes:", "Filtering content:", "Delta compression using", "Auto-merging ", "Rebasing (", "Total ") ||
		progressing(t) && !alarming(t):
		p.g.drop(l, progress)
	case has(b, "CONFLICT ") || hasAny(b, "error:", "fatal:", "warning:", "Could not apply", " ! ", "! ["):
		p.bad++
		p.g.keep(l)
	case has(b, " create mode ") || has(b, " delete mode ") || has(b, " ") && contains(b, " | "):
		p.stats.add(l)
	default:
		p.etc.line(l)
	}
}

func (p *work) finish() {
	for i, e := range p.hints {
		if p.bad > 0 && (says(e) || i+1 < len(p.hints) && !ends([]byte(e.text), ".") && says(p.hints[i+1])) {
			p.g.keepEntry(e)
		} else {
			p.g.dropEntry(e, hints)
		}
	}
	p.stats.finish()
	p.etc.finish()
	p.s.found.failures += p.bad
}

// says reports whether a hint names a command, but for those that only lead to
// its manual or silence the hint.
func says(e entry) bool {
	b := []byte(e.text)
	return contains(b, "git ") && !contains(b, "--help") && !contains(b, "git config advice.")
}
