package shape

import "bytes"

// history reads git log and git show: of each commit its name and what its
// message says first; of the newest the whole message, author and date. Diffs
// and statistics between are read as such.
type history struct {
	s    *Shaper
	g    *ledger
	etc  *spread
	diff *diffs

	commits int
	head    bool // the lines after "commit"
	body    int  // lines of the message so far
	inDiff  bool
	author  string
	graph   bool // lines of a drawing stand before the text
}

const (
	wholeCommits = 3    // whose message is shown whole
	maxCommits   = 2000 // whose subject is
)

func newHistory(s *Shaper) *history {
	return &history{s: s, g: &s.ledger, etc: newRecords(&s.ledger, budget{lines: 400, bytes: 32 << 10, head: 100, tail: 40, alarms: 40}), diff: newDiffs(s)}
}

func (p *history) line(l line) {
	b := l.text
	if p.graph || len(b) > 0 && (b[0] == '*' || b[0] == '|') {
		if t := bytes.TrimLeft(b, `*|\/_ .-`); len(t) < len(b) && (p.graph || commitLine(t) && bytes.IndexByte(b[:len(b)-len(t)], '*') >= 0) {
			p.drawn(l, t)
			return
		}
	}
	switch {
	case commitLine(b):
		p.diff.flush()
		p.diff.hunk = false
		p.begin(l)
	case p.commits == 0:
		if hasAny(b, "diff --git ", "diff --cc ") {
			p.inDiff = true
		}
		if p.inDiff {
			p.diff.line(l)
		} else {
			p.etc.line(l)
		}
	case p.inDiff || hasAny(b, "diff --git ", "diff --cc "):
		p.inDiff = true
		p.diff.line(l)
	case p.head && blank(b):
		p.head = false
		p.g.drop(l, blanks)
	case p.head:
		p.heading(l, b)
	case blank(b):
		p.g.drop(l, blanks)
	case has(b, "    "):
		p.message(l, trimLeft(b))
	case p.commits > maxCommits:
		p.g.drop(l, commits)
	default:
		p.etc.line(l) // a statistic, or names of files
	}
}

func commitLine(b []byte) bool { return has(b, "commit ") && len(b) >= 47 && hexWord(b, 7) }

// begin takes the line that names a commit.
func (p *history) begin(l line) {
	p.commits++
	p.head, p.body, p.inDiff = true, 0, false
	if p.commits > maxCommits {
		p.g.drop(l, commits)
		return
	}
	p.g.keep(l)
}

// drawn reads a line of git log --graph; t is its text.
func (p *history) drawn(l line, t []byte) {
	p.graph = true
	switch {
	case commitLine(t):
		p.begin(l)
	case len(t) == 0:
		p.g.drop(l, blanks)
	case p.head && hasAny(t, "Author:", "Merge:", "Date:", "AuthorDate:", "Commit:", "CommitDate:", "Refs:", "Reflog"):
		p.heading(l, t)
	default:
		p.head = false
		p.message(l, t)
	}
}

// heading reads "Author:", "Date:" and the like. An author is shown when it is
// another one than before.
func (p *history) heading(l line, b []byte) {
	switch {
	case p.commits > maxCommits:
		p.g.drop(l, commits)
	case has(b, "Author:") && string(b) != p.author:
		p.author = string(b)
		p.g.keep(l)
	case has(b, "Merge:"), has(b, "Date:"), has(b, "Refs:"), has(b, "Reflog"):
		p.g.keep(l)
	default:
		p.g.drop(l, headings)
	}
}

func (p *history) message(l line, t []byte) {
	p.body++
	switch {
	case p.commits > maxCommits:
		p.g.drop(l, commits)
	case p.body == 1 || p.commits <= wholeCommits && !trailer(t):
		p.g.keep(l)
	case hasAny(t, "BREAKING", "Fixes", "Closes", "This reverts commit"):
		p.g.keep(l)
	default:
		p.g.drop(l, commits)
	}
}

func trailer(t []byte) bool {
	i := bytes.Index(t, []byte(": "))
	return i > 0 && (ends(t[:i], "-by") || has(t, "Change-Id"))
}

func (p *history) finish() {
	p.diff.finish()
	p.etc.finish()
	if p.commits > 0 {
		add(p.s.found.fields, "commits", p.commits)
	}
}
