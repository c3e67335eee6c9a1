package shape

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// step is one part of a path into JSON: a member, an element, or all of them.
type step struct {
	key   string
	index int // -1: all; -2: the member key
}

const (
	allElements = -1
	member      = -2
	maxPaths    = 64
)

// CheckPath says what is wrong with a path into JSON.
func CheckPath(path string) error {
	_, err := parsePath(path)
	return err
}

// parsePath reads a path as jq writes it: ".items[].metadata.name", ".[0]",
// `.a["b c"]`.
func parsePath(s string) ([]step, error) {
	var steps []step
	if s == "." {
		return nil, nil
	}
	for s != "" {
		switch {
		case s[0] == '.' && len(s) > 1 && s[1] == '[':
			s = s[1:]
		case s[0] == '[':
			end := strings.IndexByte(s, ']')
			if end < 0 {
				return nil, errors.New("no ] after [")
			}
			in := s[1:end]
			switch {
			case in == "":
				steps = append(steps, step{index: allElements})
			case in[0] == '"':
				if len(in) < 2 || in[len(in)-1] != '"' {
					return nil, errors.New("no \" at the end of a name")
				}
				steps = append(steps, step{key: in[1 : len(in)-1], index: member})
			default:
				n, err := strconv.Atoi(in)
				if err != nil || n < 0 {
					return nil, errors.New("in [] stands a number, a name in quotes, or nothing")
				}
				steps = append(steps, step{index: n})
			}
			s = s[end+1:]
		case s[0] == '.' || len(steps) == 0:
			s = strings.TrimPrefix(s, ".")
			end := strings.IndexAny(s, ".[")
			if end < 0 {
				end = len(s)
			}
			if end == 0 {
				return nil, errors.New("a name is missing")
			}
			steps = append(steps, step{key: strings.TrimSuffix(s[:end], "?"), index: member})
			s = s[end:]
		default:
			return nil, errors.New("after ] stands . or [")
		}
	}
	return steps, nil
}

// projection reads JSON documents byte by byte and shows the values at the
// paths; without paths, the documents with the first elements of each long
// array. A line of which a part is shown counts as shown.
type projection struct {
	s     *Shaper
	g     *ledger
	paths [][]step

	stack   []container
	inText  bool // a string
	escaped bool
	isKey   bool // the string is the name of a member
	key     []byte
	scalar  bool // a number or a word
	foreign bool // the line is no JSON
	broken  bool

	take int // depth of the value that is copied, 0 none
	skip int // depth of the container of which elements are left out
	size int

	n     int
	shown []byte // what is copied of this line
	rest  int    // bytes of it that are not
	last  int    // values copied
	full  bool
}

type container struct {
	array bool
	index int    // of the element that is read
	match uint64 // the paths that lead here
	value bool   // a value is to come: after [ , :
}

const (
	maxElements = 3 // of an array without paths
	maxDepth    = 10_000
)

func newProjection(s *Shaper) *projection {
	p := &projection{s: s, g: &s.ledger}
	for _, text := range s.options.Paths {
		if steps, err := parsePath(text); err == nil && len(p.paths) < maxPaths {
			p.paths = append(p.paths, steps)
		}
	}
	return p
}

// write reads the output itself: a document may be one line.
func (p *projection) write(b []byte) {
	for len(b) > 0 {
		if p.inText && !p.isKey {
			// The inside of a string is long and says nothing of the structure.
			i := bytes.IndexAny(b, "\"\\\n")
			if i < 0 {
				i = len(b)
			}
			if i > 0 && !p.escaped {
				p.copy(b[:i])
				b = b[i:]
				continue
			}
		}
		p.byte(b[0], b[:1])
		b = b[1:]
	}
}

func (p *projection) copy(b []byte) {
	if p.foreign || p.broken || p.taking() {
		if p.size += len(b); p.size > maxKept {
			p.full = true
			return
		}
		p.shown = append(p.shown, b...)
		return
	}
	p.rest += len(b)
}

func (p *projection) taking() bool {
	if len(p.paths) > 0 {
		return p.take > 0
	}
	return p.skip == 0 && len(p.stack) > 0
}

func (p *projection) byte(c byte, b []byte) {
	switch {
	case c == '\n':
		p.endScalar()
		p.endLine()
		p.inText = p.inText && !p.broken
	case p.foreign || p.broken:
		p.copy(b)
	case p.inText:
		p.text(c, b)
	case c == '"':
		p.begin(c)
		p.inText = true
		p.copy(b)
	case c == '{' || c == '[':
		p.begin(c)
		p.copy(b)
	case c == '}' || c == ']':
		p.endScalar()
		p.closed(c, b)
	case c == ',' || c == ':':
		p.endScalar()
		p.separator(c, b)
	case c == ' ' || c == '\t' || c == '\r':
		p.endScalar()
		p.copy(b)
	default:
		if !p.scalar {
			if len(p.stack) == 0 {
				p.foreign = true
				p.copy(b)
				return
			}
			p.begin(c)
			p.scalar = true
		}
		p.copy(b)
	}
}

func (p *projection) text(c byte, b []byte) {
	switch {
	case p.escaped:
		p.escaped = false
	case c == '\\':
		p.escaped = true
	case c == '"':
		p.inText = false
		p.copy(b)
		if p.isKey {
			p.isKey = false
		} else {
			p.ended()
		}
		return
	}
	if p.isKey && len(p.key) < 1024 {
		p.key = append(p.key, c)
	}
	p.copy(b)
}

// begin takes the begin of a value, or of a member's name.
func (p *projection) begin(c byte) {
	var match uint64
	if len(p.stack) == 0 {
		match = 1<<len(p.paths) - 1
		if len(p.paths) == maxPaths {
			match = ^uint64(0)
		}
	} else {
		top := &p.stack[len(p.stack)-1]
		if !top.array && !top.value {
			p.isKey, p.key = true, p.key[:0]
			return
		}
		match = p.matching(top)
		if len(p.paths) == 0 && top.array && top.index >= maxElements && p.skip == 0 {
			p.skip = len(p.stack)
		}
		top.value = false
	}
	depth := len(p.stack)
	if p.take == 0 {
		for i, steps := range p.paths {
			if match&(1<<i) != 0 && len(steps) == depth {
				p.take = depth + 1
				break
			}
		}
	}
	if c == '{' || c == '[' {
		if depth >= maxDepth {
			p.broken = true
			return
		}
		p.stack = append(p.stack, container{array: c == '[', match: match, value: c == '['})
	}
}

// matching returns the paths that lead to the value that begins in top.
func (p *projection) matching(top *container) uint64 {
	var match uint64
	depth := len(p.stack) - 1
	for i, steps := range p.paths {
		if top.match&(1<<i) == 0 || len(steps) <= depth {
			continue
		}
		st := steps[depth]
		if st.index == allElements || top.array && st.index == top.index || !top.array && st.index == member && st.key == string(p.key) {
			match |= 1 << i
		}
	}
	return match
}

func (p *projection) closed(c byte, b []byte) {
	if len(p.stack) == 0 || p.stack[len(p.stack)-1].array != (c == ']') {
		p.broken = true
		p.copy(b)
		return
	}
	top := p.stack[len(p.stack)-1]
	if p.skip == len(p.stack) {
		p.skip = 0
		left := top.index + 1 - maxElements
		if len(p.shown) > 0 {
			p.shown = append(p.shown, '\n')
			p.shown = append(append(p.shown, mark...), plural(left, "more element")+"\n"...)
		} else {
			p.g.note(p.n-1, plural(left, "more element"))
		}
	}
	p.copy(b)
	p.stack = p.stack[:len(p.stack)-1]
	p.ended()
}

func (p *projection) separator(c byte, b []byte) {
	if len(p.stack) == 0 {
		p.broken = true
		p.copy(b)
		return
	}
	top := &p.stack[len(p.stack)-1]
	if c == ':' {
		top.value = true
	} else {
		top.index++
		top.value = top.array
		if len(p.paths) == 0 && top.array && top.index >= maxElements && p.skip == 0 {
			p.skip = len(p.stack)
			return
		}
	}
	p.copy(b)
}

func (p *projection) endScalar() {
	if p.scalar {
		p.scalar = false
		p.ended()
	}
}

// ended takes the end of a value.
func (p *projection) ended() {
	if p.take == len(p.stack)+1 {
		p.take = 0
		p.last++
		p.shown = append(p.shown, '\n')
	}
}

func (p *projection) endLine() {
	text := bytes.TrimRight(p.shown, " \t\r\n")
	switch {
	case len(bytes.TrimSpace(text)) > 0:
		var c cleaner
		e := entry{n: p.n, text: string(c.plain(text))}
		if c.ansi {
			p.s.cleaner.ansi = true
		}
		if p.rest > 0 && len(p.paths) > 0 {
			e.cut = p.rest
		}
		p.g.keepEntry(e)
	case p.rest == 0 && !p.full:
		p.g.dropEntry(entry{n: p.n}, blanks)
	default:
		p.g.dropEntry(entry{n: p.n}, unselected)
	}
	p.shown, p.rest = p.shown[:0], 0
	p.foreign = false
	p.n++
}

func (p *projection) finish() {
	p.endScalar()
	if p.n < p.g.total {
		p.endLine()
	}
	if p.broken || len(p.stack) > 0 || p.inText {
		p.s.found.fields["broken_json"] = true
	}
	if len(p.paths) > 0 {
		p.s.found.fields["values"] = p.last
	}
}

// line has nothing to do: write reads the output.
func (p *projection) line(line) {}
