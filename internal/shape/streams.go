package shape

import (
	"bytes"
	"slices"
)

// streams reads output in which each line tells in front whose it is, as task
// runners, docker compose, kubectl and logs of CI write it. The lines of each
// are shaped by themselves, without what stands in front; a line of ours says
// whose those are that follow.
type streams struct {
	s     *Shaper
	tests bool
	of    map[string]*stream
	list  []*stream
	first *stream // of lines without anything in front
	now   *stream
}

type stream struct {
	name  string
	read  policy
	group bool // inside the head of a step, as CI logs it
}

const maxStreams = 64

// turn says that from line n on the lines are those of a stream.
type turn struct {
	n  int
	of *stream
}

const maxTurns = 1 << 17

func newStreams(a *auto) *streams {
	p := &streams{s: a.s, tests: a.tests, of: map[string]*stream{}}
	p.first = p.stream("")
	return p
}

func (p *streams) stream(name string) *stream {
	if st := p.of[name]; st != nil {
		return st
	}
	if len(p.list) >= maxStreams {
		return p.first
	}
	st := &stream{name: name, read: &auto{s: p.s, first: unknown, tests: p.tests, inner: true}}
	p.of[name] = st
	p.list = append(p.list, st)
	return st
}

func (p *streams) line(l line) {
	from, to := front(l.text)
	st := p.first
	if to > 0 {
		st = p.stream(string(trim(l.text[:from])))
		l.text = l.text[to:]
	}
	if st != p.now && len(p.s.ledger.turns) < maxTurns {
		p.now = st
		p.s.ledger.turns = append(p.s.ledger.turns, turn{l.n, st})
	}
	if !p.step(st, l) {
		st.read.line(l)
	}
}

// step reads the marks of a CI's log: "##[group]Run …" with the settings of the
// step up to "##[endgroup]".
func (p *streams) step(st *stream, l line) bool {
	b := l.text
	switch {
	case has(b, "##[group]"):
		st.group = has(b, "##[group]Run ")
		if st.group {
			p.s.ledger.keep(l)
		} else {
			p.s.ledger.drop(l, headings)
		}
	case has(b, "##[endgroup]"):
		st.group = false
		p.s.ledger.drop(l, headings)
	case hasAny(b, "##[debug]", "##[command]"), st.group && !has(b, "##["):
		p.s.ledger.drop(l, headings)
	case hasAny(b, "##[error]", "##[warning]"):
		if has(b, "##[error]") {
			p.s.found.failures++
		}
		p.s.ledger.keep(l)
	default:
		return false
	}
	return true
}

func (p *streams) finish() {
	for _, st := range p.list {
		st.read.finish()
	}
	p.s.found.gaps = false // what is left out between two lines may be of others
}

// whose returns the stream of line n, or nil.
func (g *ledger) whose(n int) *stream {
	i, found := slices.BinarySearchFunc(g.turns, n, func(t turn, n int) int { return t.n - n })
	if found {
		return g.turns[i].of
	}
	if i == 0 {
		return nil
	}
	return g.turns[i-1].of
}

// several reports whether most of the first lines tell in front whose they are.
func several(lines [][]byte) bool {
	all, told := 0, 0
	names := map[string]bool{}
	ci, marks := 0, 0
	for _, b := range lines {
		if blank(b) {
			continue
		}
		if recordHead(b) { // of a database: what stands in front are names of columns
			return false
		}
		all++
		from, to := front(b)
		if to == 0 {
			continue
		}
		told++
		names[string(trim(b[:from]))] = true
		if _, n := ciTime(b); n > 0 {
			ci++
			if has(b[to:], "##[") {
				marks++
			}
		}
	}
	if ci > 0 && marks == 0 { // a log of something else that has such times
		return false
	}
	return told >= 5 && told*10 >= all*6 && len(names)*3 <= told
}

// texts are lines without what they have in front.
func texts(lines [][]byte) [][]byte {
	out := make([][]byte, len(lines))
	for i, b := range lines {
		_, to := front(b)
		out[i] = b[to:]
	}
	return out
}

// front returns where the name ends that a line has in front, and where its
// text begins; to is 0 if it has none.
func front(b []byte) (from, to int) {
	if from, to = ciTime(b); to > 0 {
		return from, to
	}
	if len(b) < 4 {
		return 0, 0
	}
	switch {
	case b[0] == '[':
		i := bytes.IndexByte(b, ']')
		if i > 1 && i < 90 && (i+1 == len(b) || b[i+1] == ' ') && (has(b, "[pod/") || i < 24 && label(b[1:i])) {
			return i + 1, min(i+2, len(b))
		}
	case letter(b[0]) || b[0] == '@':
		if i := bytes.IndexByte(b, '|'); i > 1 && i < 40 && b[i-1] == ' ' && (i+1 == len(b) || b[i+1] == ' ') && bytes.IndexByte(b[:i], ':') < 0 && name(trim(b[:i])) {
			return i - 1, min(i+2, len(b))
		}
		if i := taskEnd(b); i > 0 {
			return i, min(i+2, len(b))
		}
	}
	return 0, 0
}

// ciTime reads "2026-03-04T10:00:00.0000000Z " as GitHub's runner writes it,
// which may have "job TAB step TAB" before it.
func ciTime(b []byte) (from, to int) {
	b0 := b
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	skip := len(b0) - len(b)
	if i := bytes.IndexByte(b, '\t'); i > 0 && i < 80 && (len(b) < 28 || b[27] != 'Z') {
		if j := bytes.IndexByte(b[i+1:], '\t'); j > 0 && j < 120 {
			from = skip + i + 1 + j
			b = bytes.TrimPrefix(b[i+j+2:], []byte("\ufeff"))
			skip = len(b0) - len(b)
		}
	}
	if len(b) < 28 || b[4] != '-' || b[10] != 'T' || b[19] != '.' || b[27] != 'Z' || !digit(b[0]) || !digit(b[26]) {
		return 0, 0
	}
	if len(b) > 28 && b[28] == ' ' {
		return from, skip + 29
	}
	return from, skip + 28
}

// name reports whether b could be that of a service or a task.
func name(b []byte) bool {
	for _, c := range b {
		if !letter(c) && !digit(c) && bytes.IndexByte([]byte("-_./:@#"), c) < 0 {
			return false
		}
	}
	return len(b) > 0
}

// label is name for one in brackets, which no level of a log is.
func label(b []byte) bool {
	return name(trim(b)) && levelName(trim(b)) == noLevel && !contains(b, ".") && (letter(b[0]) || digit(b[0]))
}

// taskEnd returns the place of the colon after a task: "api:test: ",
// "@acme/api: ", "packages/api test: ".
func taskEnd(b []byte) int {
	b = b[:min(len(b), 80)]
	i := index(b, ": ")
	if i < 0 && ends(b, ":") {
		i = len(b) - 1
	}
	if i < 3 {
		return 0
	}
	t := b[:i]
	if j := bytes.IndexByte(t, ' '); j > 0 {
		if bytes.IndexByte(t[:j], '/') > 0 && name(t[:j]) && name(t[j+1:]) && bytes.IndexByte(t, ':') < 0 {
			return i
		}
		return 0
	}
	c := bytes.IndexByte(t, ':')
	if !name(t) || t[0] != '@' && (c < 0 || c+1 >= len(t) || !letter(t[c+1]) || bytes.IndexByte(t[:c], '.') >= 0) {
		return 0
	}
	return i
}
