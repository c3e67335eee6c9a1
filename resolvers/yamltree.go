package resolvers

import "strings"

// yamlNode is a value of a YAML text: a mapping in the order of the text, a
// list, or a text.
type yamlNode struct {
	text   string
	items  []*yamlNode
	keys   []string
	values []*yamlNode
}

// at is the value of a key; nil if there is none, and of nil.
func (n *yamlNode) at(key string) *yamlNode {
	if n == nil {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.values[i]
		}
	}
	return nil
}

// str is the text of a value, "" for a list, a mapping, or nil.
func (n *yamlNode) str() string {
	if n == nil {
		return ""
	}
	return n.text
}

// names are the keys of a mapping; none of nil.
func (n *yamlNode) names() []string {
	if n == nil {
		return nil
	}
	return n.keys
}

// parseYAML reads the YAML that people write by hand: mappings and lists in
// block style, flow lists and mappings, quoted and plain texts, block scalars.
// Tags and anchors are passed over. It is total: what it does not understand is
// a text.
func parseYAML(text string) *yamlNode {
	p := &yamlParser{}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		rest := strings.TrimLeft(line, " ")
		p.lines = append(p.lines, yamlRow{len(line) - len(rest), strings.TrimRight(rest, " \t"), line})
	}
	if !p.skip() {
		return &yamlNode{}
	}
	return p.block(p.lines[p.i].indent, 0)
}

type yamlRow struct {
	indent int
	text   string // without the indent
	whole  string
}

type yamlParser struct {
	lines []yamlRow
	i     int
}

const maxYAMLDepth = 64

// skip passes blank lines and comments and reports whether a line is left.
func (p *yamlParser) skip() bool {
	for ; p.i < len(p.lines); p.i++ {
		if t := p.lines[p.i].text; t != "" && t[0] != '#' && t != "---" {
			return true
		}
	}
	return false
}

func yamlItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// block reads the list or mapping whose lines stand at an indent.
func (p *yamlParser) block(indent, depth int) *yamlNode {
	n := &yamlNode{}
	for p.skip() {
		l := &p.lines[p.i]
		if l.indent != indent || depth > maxYAMLDepth {
			if l.indent < indent {
				return n
			}
			p.i++ // deeper than anything that asked for it
			continue
		}
		if yamlItem(l.text) {
			inner := strings.TrimLeft(l.text[1:], " ")
			if inner == "" || inner[0] == '#' {
				p.i++
				n.items = append(n.items, p.below(indent+1, depth))
				continue
			}
			// What follows the dash stands at a column of its own.
			l.indent += len(l.text) - len(inner)
			l.text = inner
			if _, _, ok := yamlKey(inner); ok || yamlItem(inner) {
				n.items = append(n.items, p.block(l.indent, depth+1))
			} else {
				n.items = append(n.items, p.scalar(inner, indent, depth))
			}
			continue
		}
		if len(n.items) > 0 { // a list ends where the mapping around it goes on
			return n
		}
		key, rest, ok := yamlKey(l.text)
		if !ok {
			if len(n.keys) == 0 && len(n.items) == 0 {
				return p.scalar(l.text, indent-1, depth)
			}
			p.i++
			continue
		}
		n.keys = append(n.keys, key)
		if rest == "" {
			p.i++
			n.values = append(n.values, p.below(indent, depth))
		} else {
			n.values = append(n.values, p.scalar(rest, indent, depth))
		}
	}
	return n
}

// below reads the block under a key at an indent; a list may stand at the same one.
func (p *yamlParser) below(indent, depth int) *yamlNode {
	if p.skip() && (p.lines[p.i].indent > indent || p.lines[p.i].indent == indent && yamlItem(p.lines[p.i].text)) {
		return p.block(p.lines[p.i].indent, depth+1)
	}
	return &yamlNode{}
}

// scalar reads the value that begins in this line, of something at an indent.
func (p *yamlParser) scalar(text string, indent, depth int) *yamlNode {
	p.i++
	for text != "" && (text[0] == '&' || text[0] == '!') { // an anchor, a tag
		_, text, _ = strings.Cut(text, " ")
		text = strings.TrimLeft(text, " ")
	}
	switch {
	case text == "":
		return p.below(indent, depth)
	case text[0] == '|' || text[0] == '>':
		return &yamlNode{text: p.literal(indent, text[0] == '>')}
	case text[0] == '[' || text[0] == '{':
		var b strings.Builder
		b.WriteString(text)
		var open yamlOpen
		for open.read(text); p.i < len(p.lines) && open.depth > 0; p.i++ {
			b.WriteString(" " + p.lines[p.i].text)
			open.read(" " + p.lines[p.i].text)
		}
		f := yamlFlow{s: b.String()}
		return f.value(0)
	case text[0] == '"' || text[0] == '\'':
		return &yamlNode{text: yamlQuoted(text)}
	}
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	var b strings.Builder
	b.WriteString(strings.TrimRight(text, " \t"))
	for p.i < len(p.lines) { // a plain text goes on in deeper lines
		l := p.lines[p.i]
		if l.text == "" || l.indent <= indent || l.text[0] == '#' {
			break
		}
		b.WriteString(" " + l.text)
		p.i++
	}
	return &yamlNode{text: b.String()}
}

// literal reads a block scalar: the lines deeper than the indent of its key.
func (p *yamlParser) literal(indent int, folded bool) string {
	var b strings.Builder
	own := -1
	for ; p.i < len(p.lines); p.i++ {
		l := p.lines[p.i]
		if l.text != "" {
			if l.indent <= indent {
				break
			}
			if own < 0 {
				own = l.indent
			}
		}
		b.WriteString(l.whole[min(max(own, 0), len(l.whole)):])
		if folded && l.text != "" {
			b.WriteByte(' ')
		} else {
			b.WriteByte('\n')
		}
	}
	return strings.TrimRight(b.String(), " \n") + "\n"
}

// yamlKey splits "key: rest".
func yamlKey(s string) (key, rest string, ok bool) {
	if s == "" || s[0] == '[' || s[0] == '{' {
		return "", "", false
	}
	if s[0] == '"' || s[0] == '\'' {
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 || !strings.HasPrefix(s[end+2:], ":") {
			return "", "", false
		}
		return s[1 : end+1], strings.TrimLeft(s[end+3:], " "), true
	}
	i := strings.Index(s, ": ")
	if j := strings.Index(s, " #"); i < 0 || j >= 0 && j < i {
		if j >= 0 {
			s = strings.TrimRight(s[:j], " ")
		}
		key, ok = strings.CutSuffix(s, ":")
		return key, "", ok
	}
	rest = strings.TrimLeft(s[i+2:], " ")
	if rest != "" && rest[0] == '#' {
		rest = ""
	}
	return s[:i], rest, true
}

// yamlQuoted reads a quoted text; what follows its end is a comment.
func yamlQuoted(s string) string {
	var b strings.Builder
	q := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case q == '\'' && s[i] == q && i+1 < len(s) && s[i+1] == q:
			i++
			b.WriteByte(q)
		case s[i] == q:
			return b.String()
		case q == '"' && s[i] == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// yamlOpen counts the brackets of a flow value that are not closed yet.
type yamlOpen struct {
	depth int
	quote byte
}

func (o *yamlOpen) read(s string) {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case o.quote != 0:
			if b == o.quote {
				o.quote = 0
			}
		case b == '"' || b == '\'':
			o.quote = b
		case b == '[' || b == '{':
			o.depth++
		case b == ']' || b == '}':
			o.depth--
		}
	}
}

// yamlFlow reads "[a, {b: c}]".
type yamlFlow struct {
	s string
	i int
}

func (f *yamlFlow) blank() {
	for f.i < len(f.s) && (f.s[f.i] == ' ' || f.s[f.i] == ',' || f.s[f.i] == '\t') {
		f.i++
	}
}

func (f *yamlFlow) value(depth int) *yamlNode {
	n := &yamlNode{}
	f.blank()
	if f.i >= len(f.s) || depth > maxYAMLDepth {
		f.i = len(f.s)
		return n
	}
	switch open := f.s[f.i]; open {
	case '[', '{':
		f.i++
		for f.blank(); f.i < len(f.s) && f.s[f.i] != ']' && f.s[f.i] != '}'; f.blank() {
			if open == '[' {
				n.items = append(n.items, f.value(depth+1))
				continue
			}
			n.keys = append(n.keys, f.word(":,}"))
			v := &yamlNode{}
			if f.i < len(f.s) && f.s[f.i] == ':' {
				f.i++
				v = f.value(depth + 1)
			}
			n.values = append(n.values, v)
		}
		f.i++
	default:
		n.text = f.word(",]}")
	}
	return n
}

// word reads a text up to one of the ends.
func (f *yamlFlow) word(ends string) string {
	if q := f.s[f.i]; q == '"' || q == '\'' {
		start := f.i
		for f.i++; f.i < len(f.s) && f.s[f.i] != q; f.i++ {
			if q == '"' && f.s[f.i] == '\\' {
				f.i++
			}
		}
		f.i = min(f.i+1, len(f.s))
		return yamlQuoted(f.s[start:f.i])
	}
	start := f.i
	for f.i < len(f.s) && strings.IndexByte(ends, f.s[f.i]) < 0 {
		f.i++
	}
	if f.i == start { // a stray end
		f.i++
	}
	return strings.TrimSpace(f.s[start:f.i])
}
