package splice

import (
	"bytes"
	"slices"
	"strings"
)

// PutMember puts a member into the object at a path and makes what is not there
// of the path; a member of that name gives way to it. The value is JSON laid out
// with two blanks for a level and "\n".
func PutMember(data []byte, path []string, name, value string) ([]byte, error) {
	root, err := Parse(data)
	if err != nil {
		return nil, err
	}
	st := styleOf(data)
	member := `"` + name + `": ` + value
	if root == nil {
		text := "{\n" + pad(nestedMember(path, member), "  ") + "\n}\n"
		if len(bytes.TrimSpace(bytes.TrimPrefix(data, []byte(bom)))) > 0 { // comments alone
			text = "\n" + text
		}
		return append(slices.Clone(data), st.lay(text)...), nil
	}
	at := root
	for i, step := range path {
		if at.Kind != Object {
			return nil, shapeError(path[:i], "an object")
		}
		next := at.Get(step)
		if next == nil {
			return put(data, at, nestedMember(path[i:], member), st), nil
		}
		at = next
	}
	if at.Kind != Object {
		return nil, shapeError(path, "an object")
	}
	if old := at.Get(name); old != nil {
		return Replace(data, old, value), nil
	}
	return put(data, at, member, st), nil
}

// nestedMember writes the objects of a path around a member.
func nestedMember(path []string, member string) string {
	for i := len(path) - 1; i >= 0; i-- {
		member = `"` + path[i] + `": {` + "\n" + pad(member, "  ") + "\n}"
	}
	return member
}

// RemoveMember takes a member out of the object at a path, and after it what is
// then empty of the path, unless keep says that it was there before. It returns
// the text as it is if there is none.
func RemoveMember(data []byte, path []string, name string, keep func(path []string) bool) ([]byte, error) {
	root, err := Parse(data)
	if err != nil || root == nil {
		return data, err
	}
	at := root.At(path...)
	if at == nil || at.Kind != Object {
		return data, nil
	}
	for i := range at.Members {
		if at.Members[i].Name == name {
			return removeEmpty(cut(data, at, i), path, keep)
		}
	}
	return data, nil
}

// Section is a table of a TOML file, [name], with its sub-tables where they
// follow it: its place in bytes, and its pairs as they stand.
type Section struct {
	Start, End int
	Pairs      map[string]string
}

// FindSection finds the table [name].
func FindSection(data []byte, name string) (Section, bool) {
	s := Section{Start: -1, Pairs: map[string]string{}}
	off, in := 0, false
	long := "" // the quotes of a text of several lines that is open
	for l := range bytes.Lines(data) {
		text := strings.TrimSpace(strings.TrimPrefix(string(l), bom))
		switch {
		case long != "":
			if strings.Contains(text, long) {
				long = ""
			}
		case strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "[["):
			head, _, _ := strings.Cut(text[1:], "]")
			head = plainHeader(head)
			if in = head == name || s.Start >= 0 && in && strings.HasPrefix(head, name+"."); head == name {
				s.Start = off
			}
		case strings.HasPrefix(text, "[["):
			in = false
		default:
			if key, value, ok := strings.Cut(text, "="); ok {
				if in {
					s.Pairs[strings.Trim(strings.TrimSpace(key), `"'`)] = strings.TrimSpace(value)
				}
				long = opens(value)
			}
		}
		off += len(l)
		if in {
			if text != "" && !strings.HasPrefix(text, "#") || s.End == 0 {
				s.End = off
			}
		}
	}
	return s, s.Start >= 0
}

// plainHeader is a header without the blanks and quotes of its parts.
func plainHeader(head string) string {
	parts := strings.Split(head, ".")
	for i, p := range parts {
		parts[i] = strings.Trim(strings.TrimSpace(p), `"'`)
	}
	return strings.Join(parts, ".")
}

// PutSection puts the table [name] with its pairs at the end of a TOML file, or
// in the place of the table that has the name.
func PutSection(data []byte, name string, lines []string) []byte {
	st := styleOf(data)
	text := "[" + name + "]" + st.eol
	for _, l := range lines {
		text += l + st.eol
	}
	if s, ok := FindSection(data, name); ok {
		return replace(data, s.Start, s.End, text)
	}
	out := slices.Clone(data)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, st.eol...)
	}
	if len(out) > 0 {
		out = append(out, st.eol...)
	}
	return append(out, text...)
}

// CutSection takes a table out of a file, with the blank line before it.
func CutSection(data []byte, s Section) []byte {
	return CutTable(data, Table{Start: s.Start, End: s.End})
}
