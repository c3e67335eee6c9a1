package splice

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// style is how a text is laid out.
type style struct {
	eol    string
	indent string // of one level
}

// styleOf reads the style of a text: its first line end, its first indentation.
func styleOf(data []byte) style {
	s := style{eol: "\n", indent: "  "}
	i := bytes.IndexByte(data, '\n')
	if i > 0 && data[i-1] == '\r' {
		s.eol = "\r\n"
	}
	for l := range bytes.Lines(data) {
		rest := bytes.TrimLeft(l, " \t")
		if pad := l[:len(l)-len(rest)]; len(pad) > 0 && len(rest) > 0 && rest[0] == '"' {
			s.indent = string(pad)
			break
		}
	}
	return s
}

// Insert puts an element last into the array at a path of an object, and makes
// what is not there of the path: the last part an array, the others objects. The
// element is JSON laid out with two blanks for a level and "\n". With a file that
// holds nothing the object is new; first are members that a new object begins with.
func Insert(data []byte, path []string, element, first string) ([]byte, error) {
	root, err := Parse(data)
	if err != nil {
		return nil, err
	}
	st := styleOf(data)
	if root == nil {
		body := nested(path, element)
		if first != "" {
			body = first + ",\n" + body
		}
		text := "{\n" + pad(body, "  ") + "\n}\n"
		if len(bytes.TrimSpace(bytes.TrimPrefix(data, []byte(bom)))) > 0 { // comments alone
			text = "\n" + text
		}
		return append(slices.Clone(data), st.lay(text)...), nil
	}
	at := root
	for i, name := range path {
		if at.Kind != Object {
			return nil, shapeError(path[:i], "an object")
		}
		next := at.Get(name)
		if next == nil {
			return put(data, at, nested(path[i:], element), st), nil
		}
		at = next
	}
	if at.Kind != Array {
		return nil, shapeError(path, "a list")
	}
	return put(data, at, element, st), nil
}

func shapeError(path []string, want string) error {
	name := strings.Join(path, ".")
	if name == "" {
		name = "the file"
	}
	return fmt.Errorf("%s %w: want %s", name, ErrShape, want)
}

// nested writes the member of a path with an array of one element for its end.
func nested(path []string, element string) string {
	text := "[\n" + pad(element, "  ") + "\n]"
	for i := len(path) - 1; i >= 0; i-- {
		text = `"` + path[i] + `": ` + text
		if i > 0 {
			text = "{\n" + pad(text, "  ") + "\n}"
		}
	}
	return text
}

// pad indents each line of a text.
func pad(text, by string) string { return by + strings.ReplaceAll(text, "\n", "\n"+by) }

// lay puts the style's line ends and indentation into a text of ours.
func (s style) lay(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		rest := strings.TrimLeft(l, " ")
		b.WriteString(strings.Repeat(s.indent, (len(l)-len(rest))/2))
		if t, ok := strings.CutSuffix(rest, "\n"); ok {
			rest = t + s.eol
		}
		b.WriteString(rest)
	}
	return b.String()
}

// put adds an item as the last one of an object or array.
func put(data []byte, n *Node, item string, st style) []byte {
	items := n.items()
	own := lineIndent(data, n.Start)
	lay := func(text, indent string) string { // each line below indent
		return strings.ReplaceAll(st.lay(text), st.eol, st.eol+indent)
	}
	if len(items) == 0 {
		inner := data[n.Start+1 : n.End-1]
		kept := strings.TrimRight(string(inner), " \t\r\n")
		text := kept + st.eol + own + st.indent + lay(item, own+st.indent) + st.eol + own
		return replace(data, n.Start+1, n.End-1, text)
	}
	last := items[len(items)-1]
	tail := string(data[last[1] : n.End-1]) // a comma, comments, blanks
	comma := commaIn(tail)
	if !bytes.Contains(data[n.Start:n.End], []byte("\n")) { // all on one line
		text := oneLine(item)
		if comma >= 0 {
			at := last[1] + comma + 1
			return replace(data, at, at, " "+text)
		}
		return replace(data, last[1], last[1], ", "+text)
	}
	indent := lineIndent(data, items[len(items)-1][0])
	if !startsLine(data, items[len(items)-1][0]) {
		indent = own + st.indent
	}
	kept := strings.TrimRight(tail, " \t\r\n")
	rest := tail[len(kept):]
	if !strings.Contains(rest, "\n") {
		rest = st.eol + own
	}
	if comma < 0 {
		kept = "," + kept
		return replace(data, last[1], n.End-1, kept+st.eol+indent+lay(item, indent)+rest)
	}
	return replace(data, last[1], n.End-1, kept+st.eol+indent+lay(item, indent)+","+rest)
}

// commaIn finds the comma among comments; -1 if there is none.
func commaIn(s string) int {
	p := &parser{data: []byte(s)}
	if p.blank() != nil || p.pos >= len(s) || s[p.pos] != ',' {
		return -1
	}
	return p.pos
}

func replace(data []byte, start, end int, text string) []byte {
	return slices.Concat(data[:start], []byte(text), data[end:])
}

// lineIndent is the indentation of the line that a place is in.
func lineIndent(data []byte, at int) string {
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	if start == 0 && bytes.HasPrefix(data, []byte(bom)) {
		start = len(bom)
	}
	end := start
	for end < at && (data[end] == ' ' || data[end] == '\t') {
		end++
	}
	return string(data[start:end])
}

func startsLine(data []byte, at int) bool {
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	return len(bytes.TrimLeft(data[start:at], " \t")) == 0
}

// oneLine takes the line breaks of our own layout away.
func oneLine(item string) string {
	var b strings.Builder
	lines := strings.Split(item, "\n")
	for i, l := range lines {
		l = strings.TrimLeft(l, " ")
		b.WriteString(l)
		if i+1 < len(lines) && strings.HasSuffix(l, ",") {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Replace puts an element in the place of another one of an array, laid out as
// Insert does it.
func Replace(data []byte, old *Node, element string) []byte {
	st := styleOf(data)
	if !bytes.Contains(data[old.Start:old.End], []byte("\n")) && !startsLine(data, old.Start) {
		return replace(data, old.Start, old.End, oneLine(element))
	}
	indent := lineIndent(data, old.Start)
	return replace(data, old.Start, old.End, strings.ReplaceAll(st.lay(element), st.eol, st.eol+indent))
}

// Remove takes the element out of the array at a path for which ours is true, and
// after it what is then empty of the path, unless keep says that it was there
// before. It returns the text as it is if there is none.
func Remove(data []byte, path []string, ours func(*Node) bool, keep func(path []string) bool) ([]byte, error) {
	for {
		root, err := Parse(data)
		if err != nil || root == nil {
			return data, err
		}
		list := root.At(path...)
		if list == nil || list.Kind != Array {
			return data, nil
		}
		i := slices.IndexFunc(list.Elements, ours)
		if i < 0 {
			return data, nil
		}
		data = cut(data, list, i)
		if len(list.Elements) > 1 {
			continue
		}
		return removeEmpty(data, path, keep)
	}
}

// removeEmpty takes members away that hold nothing, from the end of a path up.
func removeEmpty(data []byte, path []string, keep func(path []string) bool) ([]byte, error) {
	for n := len(path); n > 0; n-- {
		root, err := Parse(data)
		if err != nil || root == nil {
			return data, err
		}
		at, holder := root.At(path[:n]...), root.At(path[:n-1]...)
		if at == nil || holder == nil || len(at.items()) > 0 || strings.TrimSpace(string(data[at.Start+1:at.End-1])) != "" || keep(path[:n]) {
			break
		}
		for i := len(holder.Members) - 1; i >= 0; i-- {
			if holder.Members[i].Value == at {
				data = cut(data, holder, i)
			}
		}
	}
	return data, nil
}

// cut takes an item of an object or array away, with its comma and the blanks
// before it.
func cut(data []byte, n *Node, i int) []byte {
	items := n.items()
	it := items[i]
	before := n.Start + 1
	if i > 0 {
		before = items[i-1][1]
	}
	start := it[0]
	for start > before && bytes.IndexByte([]byte(" \t\r\n"), data[start-1]) >= 0 {
		start--
	}
	end := it[1]
	rest := n.End - 1
	if i+1 < len(items) {
		rest = items[i+1][0]
	}
	comma := commaIn(string(data[end:rest]))
	if comma >= 0 {
		end += comma + 1
	}
	switch {
	case len(items) == 1: // what is left are comments
		if inner := string(data[n.Start+1:start]) + string(data[end:n.End-1]); strings.TrimSpace(inner) == "" {
			return replace(data, n.Start+1, n.End-1, "")
		}
	case i+1 == len(items) && comma < 0: // the one before has a comma too many
		if c := commaIn(string(data[before:start])); c >= 0 {
			at := before + c
			return slices.Concat(data[:at], data[at+1:start], data[end:])
		}
	}
	return slices.Concat(data[:start], data[end:])
}
