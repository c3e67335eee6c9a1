package shape

import (
	"bytes"
	"hash/maphash"
	"path"
	"slices"
	"strings"
)

// diffs reads unified diffs (git diff, git show, diff -u): of each file its
// name, what became of it, the head of every hunk and the changed lines;
// unchanged lines go. Where one hunk is repeated in the next file its lines are
// not. A small diff is shown whole, so that it can be applied.
type diffs struct {
	words bool // changed words are marked, not lines
	s     *Shaper
	g     *ledger
	etc   *spread

	file    string
	gone    bool // it was deleted
	header  bool // between "diff" and the first hunk
	hunk    bool
	merged  int // columns of marks: 1, more in a diff of a merge
	old     int // lines that the hunk still has
	new     int
	files   int
	plus    int
	minus   int
	bulky   int // changed lines of this file
	skipped int // of them left out
	body    []entry
	place   *entry // the head of the hunk
	size    int

	seen     map[uint64]string // changed lines to the file that has them first
	same     int               // files whose hunk is that of a file before
	sameAs   string
	sameLast int
	seed     maphash.Seed
}

const (
	smallDiff      = 100     // lines of a diff that is shown whole,
	smallDiffBytes = 8 << 10 // and its size

	maxGoneLines    = 12   // of a file that was deleted
	maxFileChanges  = 300  // changed lines of a file that are shown,
	maxLockChanges  = 20   // of one that programs write,
	maxDiffChanges  = 3000 // and in all
	minRepeatedHunk = 24   // bytes of changed lines that are worth comparing
)

func newDiffs(s *Shaper) *diffs {
	return &diffs{words: slices.ContainsFunc(s.options.Command.Argv, func(a string) bool { return strings.HasPrefix(a, "--word-diff") }), s: s, g: &s.ledger, etc: newRecords(&s.ledger, wide()), seen: map[uint64]string{}, seed: maphash.MakeSeed()}
}

func (p *diffs) line(l line) {
	b := l.text
	if p.hunk && p.change(l) {
		return
	}
	p.flush()
	switch {
	case hasAny(b, "diff --git ", "diff --cc ", "diff --combined "):
		p.begin(l)
	case has(b, "@@"):
		p.open(l)
	case has(b, "* Unmerged path "):
		p.s.found.fields["conflicts"] = true
		p.g.keep(l)
	case p.header && p.head(l):
	case has(b, "--- ") || has(b, "+++ "): // a diff without git's header
		p.header = true
		p.g.keep(l)
	default:
		p.header = false
		p.etc.line(l)
	}
}

func (p *diffs) begin(l line) {
	p.endFile(l.n - 1)
	p.files++
	p.header, p.gone, p.bulky, p.merged = true, false, 0, 1
	p.file = string(l.text[bytes.LastIndexByte(l.text, ' ')+1:])
	if i := index(l.text, " b/"); i > 0 {
		p.file = string(l.text[i+3:])
	}
	p.g.keep(l)
}

// head reads what stands between "diff" and the first hunk.
func (p *diffs) head(l line) bool {
	b := l.text
	switch {
	case has(b, "index ") || hasAny(b, "--- a/", "+++ b/", "--- /dev/null", "+++ /dev/null", "similarity index ", "dissimilarity index "):
		p.g.drop(l, headings)
	case has(b, "deleted file mode"):
		p.gone = true
		p.g.keep(l)
	case hasAny(b, "--- ", "+++ ", "new file mode", "old mode", "new mode", "rename ", "copy ", "Binary files", "GIT binary patch", "mode "):
		p.g.keep(l)
	default:
		return false
	}
	return true
}

// open reads "@@ -20,7 +20,7 @@ context".
func (p *diffs) open(l line) {
	b := l.text
	n := 0
	for n < len(b) && b[n] == '@' {
		n++
	}
	p.merged, p.hunk, p.header = max(1, n-1), true, false
	p.old, p.new = rangeLen(b, '-'), rangeLen(b, '+')
	e := p.g.entry(l)
	p.place = &e
}

// rangeLen returns the length in "-20,7".
func rangeLen(b []byte, sign byte) int {
	i := bytes.IndexByte(b, sign)
	if i < 0 {
		return 0
	}
	_, n := number(b[i+1:])
	if j := i + 1 + n; j < len(b) && b[j] == ',' {
		v, _ := number(b[j+1:])
		return v
	}
	return 1
}

// change reads a line of a hunk. It returns false if the hunk has ended.
func (p *diffs) change(l line) bool {
	b := l.text
	if p.merged > 1 {
		return p.mergedChange(l)
	}
	if p.words {
		return p.wordChange(l)
	}
	switch {
	case has(b, "\\ "):
		p.hold(l)
		return true
	case p.old <= 0 && p.new <= 0:
	case len(b) == 0 || b[0] == ' ':
		p.old--
		p.new--
		p.g.drop(l, context)
		return true
	case b[0] == '-':
		p.old--
		p.minus++
		p.hold(l)
		return true
	case b[0] == '+':
		p.new--
		p.plus++
		p.hold(l)
		return true
	}
	p.hunk = false
	return false
}

// wordChange reads a line of --word-diff: "a [-old-]{+new+}".
func (p *diffs) wordChange(l line) bool {
	b := l.text
	switch {
	case hasAny(b, "diff --git ", "@@ "):
		p.hunk = false
		return false
	case contains(b, "[-") && contains(b, "-]") || contains(b, "{+") && contains(b, "+}"):
		p.hold(l)
	default:
		p.g.drop(l, context)
	}
	return true
}

// mergedChange reads a line of a merge's hunk: as many marks as parents.
func (p *diffs) mergedChange(l line) bool {
	b := l.text
	marks := b[:min(len(b), p.merged)]
	for _, c := range marks {
		if c != ' ' && c != '+' && c != '-' {
			p.hunk = false
			return false
		}
	}
	if len(bytes.Trim(marks, " ")) == 0 {
		p.g.drop(l, context)
		return true
	}
	p.g.keep(l)
	if hasAny(b[len(marks):], "<<<<<<< ", ">>>>>>> ") {
		p.s.found.fields["conflicts"] = true
	}
	return true
}

// hold holds a changed line back until the hunk ends.
func (p *diffs) hold(l line) {
	p.bulky++
	if p.bulky > p.limit() || p.plus+p.minus > maxDiffChanges {
		p.skipped++
		p.g.drop(l, changes)
		return
	}
	e := p.g.entry(l)
	p.body = append(p.body, e)
	p.size += len(e.text)
}

func (p *diffs) limit() int {
	if p.gone {
		return maxGoneLines // its hunk says how many there were
	}
	switch path.Base(p.file) {
	case "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "go.sum", "Cargo.lock", "poetry.lock", "uv.lock", "composer.lock", "Gemfile.lock", "Pipfile.lock":
		return maxLockChanges
	}
	if ends([]byte(p.file), ".min.js") || ends([]byte(p.file), ".map") || ends([]byte(p.file), ".svg") {
		return maxLockChanges
	}
	return maxFileChanges
}

// flush decides the hunk that has ended.
func (p *diffs) flush() {
	if len(p.body) == 0 {
		p.placed()
		return
	}
	var h maphash.Hash
	h.SetSeed(p.seed)
	for _, e := range p.body {
		h.WriteString(e.text)
		h.WriteByte('\n')
	}
	id := h.Sum64()
	first, seen := p.seen[id]
	if !seen && len(p.seen) < 100_000 {
		p.seen[id] = p.file
	}
	if seen && first != p.file && p.size >= minRepeatedHunk && len(p.seen) > 0 {
		if p.sameAs != first {
			p.said()
		}
		p.same, p.sameAs = p.same+1, first
		p.placed()
		for _, e := range p.body {
			p.g.dropEntry(e, repeated)
			p.sameLast = e.n
		}
	} else {
		p.said()
		p.placed()
		for _, e := range p.body {
			p.g.keepEntry(e)
		}
	}
	p.body, p.size = p.body[:0], 0
}

// placed shows the head of a hunk, whatever is shown of its lines.
func (p *diffs) placed() {
	if p.place != nil {
		p.g.keepEntry(*p.place)
		p.place = nil
	}
}

// said notes the hunks whose lines were those of a file before.
func (p *diffs) said() {
	if p.same == 1 {
		p.g.note(p.sameLast, "the same change as in "+p.sameAs)
	} else if p.same > 1 {
		p.g.note(p.sameLast, "in these "+itoa(p.same)+" hunks the same change as in "+p.sameAs)
	}
	p.same, p.sameAs = 0, ""
}

func (p *diffs) endFile(n int) {
	if p.skipped > 0 && !p.gone {
		p.g.note(n, plural(p.skipped, "changed line")+" of "+p.file+" omitted")
	}
	p.skipped = 0
}

func (p *diffs) finish() {
	p.flush()
	p.said()
	p.endFile(p.g.total - 1)
	p.etc.finish()
	if p.files > 0 {
		p.s.found.whole = p.g.total <= smallDiff && p.s.size <= smallDiffBytes
		f := p.s.found.fields
		add(f, "changed_files", p.files)
		add(f, "insertions", p.plus)
		add(f, "deletions", p.minus)
	}
}
