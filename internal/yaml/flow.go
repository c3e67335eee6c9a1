package yaml

import "strings"

// flow reads "[a, {b: c}]", which may go on in deeper lines.
func (p *parser) flow(text string, parent, depth int) *Node {
	var b strings.Builder
	var o open
	for {
		b.WriteString(o.read(text))
		if o.depth <= 0 {
			break
		}
		if p.i++; p.i >= len(p.lines) || p.lines[p.i].text == "" || p.lines[p.i].text[0] == '#' || p.lines[p.i].indent <= parent || o.quote != 0 || o.odd {
			return p.refuse("a list or mapping in brackets has no end")
		}
		text = " " + p.lines[p.i].text
	}
	f := flow{s: b.String()}
	n := f.value(depth)
	if rest := f.s[min(f.i, len(f.s)):]; f.bad || o.odd || comment(rest) != "" || rest != "" && rest[0] == '#' {
		return p.refuse("a list or mapping in brackets that is not read")
	}
	p.i++
	return n
}

// open counts the brackets of a flow value that are not closed yet. odd are those
// with tabs, which are not read.
type open struct {
	depth int
	quote byte
	odd   bool
}

// read looks at one more line and returns it without its comment.
func (o *open) read(s string) string {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case o.quote != 0:
			if b == '\\' && o.quote == '"' {
				i++
			} else if b == o.quote {
				o.quote = 0
			}
		case o.depth == 0 && i > 0: // what follows is no part of it
			return s
		case b == '"' || b == '\'':
			o.quote = b
		case b == '[' || b == '{':
			o.depth++
		case b == ']' || b == '}':
			o.depth--
		case b == '#' && i > 0 && s[i-1] == ' ':
			return s[:i]
		case b == '\t':
			o.odd = true
		}
	}
	return s
}

// flow is a value in brackets that is read; bad says that it is one that is not.
type flow struct {
	s   string
	i   int
	bad bool
}

// next passes blanks and returns the byte that follows, 0 at the end.
func (f *flow) next() byte {
	for f.i < len(f.s) && f.s[f.i] == ' ' {
		f.i++
	}
	if f.i >= len(f.s) {
		return 0
	}
	return f.s[f.i]
}

func (f *flow) value(depth int) *Node {
	if depth > maxDepth {
		f.bad = true
	}
	if f.bad {
		return &Node{}
	}
	switch f.next() {
	case '[':
		return f.list(depth)
	case '{':
		return f.mapping(depth)
	}
	return &Node{Text: f.word()}
}

func (f *flow) list(depth int) *Node {
	n := &Node{Kind: List}
	for f.i++; !f.bad && f.next() != ']'; {
		n.Items = append(n.Items, f.value(depth+1))
		f.separator(']')
	}
	f.i++
	return n
}

func (f *flow) mapping(depth int) *Node {
	n := &Node{Kind: Map}
	for f.i++; !f.bad && f.next() != '}'; {
		quoted := f.next() == '"' || f.next() == '\''
		if b := f.next(); b == '[' || b == '{' {
			f.bad = true
			break
		}
		n.Keys = append(n.Keys, f.word())
		v := &Node{}
		if f.next() == ':' {
			f.i++
			if b := f.at(); b != ' ' && b != 0 && !quoted {
				f.bad = true
			}
			if b := f.next(); b != ',' && b != '}' {
				v = f.value(depth + 1)
			}
		}
		n.Values = append(n.Values, v)
		f.separator('}')
	}
	f.i++
	return n
}

func (f *flow) at() byte {
	if f.i >= len(f.s) {
		return 0
	}
	return f.s[f.i]
}

// separator passes the comma that stands between two, if the end does not follow.
func (f *flow) separator(end byte) {
	switch f.next() {
	case ',':
		f.i++
	case end:
	default:
		f.bad = true
	}
}

// word reads a text in brackets.
func (f *flow) word() string {
	if q := f.next(); q == '"' || q == '\'' {
		part, rest, closed, ok := quoted(f.s[f.i+1:], q)
		if !closed || !ok {
			f.bad = true
		}
		f.i = len(f.s) - len(rest)
		return part
	}
	start := f.i
	for f.i < len(f.s) && strings.IndexByte(",[]{}", f.s[f.i]) < 0 && !(f.s[f.i] == ':' && (f.i+1 == len(f.s) || strings.IndexByte(" ,[]{}", f.s[f.i+1]) >= 0)) {
		f.i++
	}
	text := strings.TrimRight(f.s[start:f.i], " ")
	if text == "" || !plainStart(text) || strings.Contains(text, "?") && text[0] == '?' {
		f.bad = true
	}
	return text
}
