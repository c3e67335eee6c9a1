package splice

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

// Table is a [[name]] of a TOML file, from its header up to its last value, or
// one table of name = [{…}].
type Table struct {
	Start, End int // in bytes
	Values     map[string]string
	inline     bool
}

// Tables finds the arrays of tables of that name whose values are texts and
// numbers. It reads lines and knows texts of several lines; that the file is
// TOML is for others to say.
func Tables(data []byte, name string) (tables []Table) {
	if start, end, ok := inline(data, name); ok {
		return inlineTables(data, start, end)
	}
	var at *Table
	closing := "" // of a text of several lines
	off := 0
	for l := range bytes.Lines(data) {
		start := off
		off += len(l)
		text := strings.TrimSpace(strings.TrimPrefix(string(l), bom))
		if closing != "" {
			if strings.Contains(text, closing) {
				closing = ""
			}
			if at != nil {
				at.End = off
			}
			continue
		}
		closing = opens(text)
		switch {
		case strings.HasPrefix(text, "["):
			at = nil
			if header(text) == "[["+name+"]]" {
				tables = append(tables, Table{Start: start, End: off, Values: map[string]string{}})
				at = &tables[len(tables)-1]
			}
		case at == nil || text == "" || text[0] == '#':
		default:
			key, value, ok := strings.Cut(text, "=")
			if ok {
				at.Values[strings.Trim(strings.TrimSpace(key), `"'`)] = tomlText(strings.TrimSpace(value))
			}
			at.End = off
		}
	}
	return tables
}

// inlineTables are the tables of a list that is written in one.
func inlineTables(data []byte, start, end int) (tables []Table) {
	for i := start + 1; i < end; i++ {
		switch data[i] {
		case '#':
			for i < end && data[i] != '\n' {
				i++
			}
		case '{':
			last := closeList(data, i)
			if last == 0 {
				return tables
			}
			t := Table{Start: i, End: last, Values: map[string]string{}, inline: true}
			all, err := toml.Parse("x = " + string(data[i:last]))
			if err == nil {
				for k, v := range toml.In(all, "x").(map[string]any) {
					t.Values[k] = fmt.Sprint(v)
				}
			}
			tables = append(tables, t)
			i = last - 1
		}
	}
	return tables
}

// header is a table's header without blanks and comment.
func header(text string) string {
	end := strings.LastIndexByte(text, ']')
	if i := strings.IndexByte(text, '#'); i >= 0 && i < end && !strings.ContainsAny(text[:i], `"'`) {
		end = strings.LastIndexByte(text[:i], ']')
	}
	return strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(text[:end+1])
}

// opens returns the quotes of a text that a line begins and does not end.
func opens(text string) string {
	for _, q := range []string{`"""`, `'''`} {
		if strings.Count(text, q)%2 == 1 {
			return q
		}
	}
	return ""
}

// tomlText decodes a text of one line; any other value is as it stands.
func tomlText(v string) string {
	switch {
	case strings.HasPrefix(v, "'"):
		s, _, _ := strings.Cut(v[1:], "'")
		return s
	case strings.HasPrefix(v, `"`):
		var b strings.Builder
		for i := 1; i < len(v) && v[i] != '"'; i++ {
			if v[i] == '\\' && i+1 < len(v) {
				i++
			}
			b.WriteByte(v[i])
		}
		return b.String()
	}
	v, _, _ = strings.Cut(v, "#")
	return strings.TrimSpace(v)
}

// AppendTable puts an array's table at the end of a file. Lines are pairs as TOML
// writes them. An empty list of that name in the file, hooks = [], gives way to
// it; one with something in it gets the pairs as one more of its tables.
func AppendTable(data []byte, name string, lines []string) ([]byte, error) {
	st := styleOf(data)
	if start, end, ok := inline(data, name); ok {
		inner := strings.TrimSpace(string(data[start+1 : end-1]))
		table := "{ " + strings.Join(lines, ", ") + " }"
		if strings.Contains(inner, "#") {
			return nil, fmt.Errorf("%s %w: a list with comments in it; write it as [[%s]]", name, ErrShape, name)
		}
		if inner != "" {
			table = strings.TrimSuffix(inner, ",") + ", " + table
		}
		return replace(data, start, end, "["+table+"]"), nil
	}
	out := slices.Clone(data)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, st.eol...)
	}
	if len(out) > 0 {
		out = append(out, st.eol...)
	}
	out = append(out, "[["+name+"]]"+st.eol...)
	for _, l := range lines {
		out = append(out, l+st.eol...)
	}
	return out, nil
}

// inline finds name = [ … ] before the first header.
func inline(data []byte, name string) (start, end int, ok bool) {
	off := 0
	for l := range bytes.Lines(data) {
		text := strings.TrimSpace(strings.TrimPrefix(string(l), bom))
		if strings.HasPrefix(text, "[") {
			return 0, 0, false
		}
		key, _, found := strings.Cut(text, "=")
		if found && strings.Trim(strings.TrimSpace(key), `"'`) == name {
			i := bytes.IndexByte(l, '[')
			if i < 0 {
				return 0, 0, false
			}
			start = off + i
			end = closeList(data, start)
			return start, end, end > 0
		}
		off += len(l)
	}
	return 0, 0, false
}

// closeList returns the end of the list that begins at a place, 0 if it has none.
func closeList(data []byte, at int) int {
	depth := 0
	var quote byte
	for i := at; i < len(data); i++ {
		c := data[i]
		switch {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			for i < len(data) && data[i] != '\n' {
				i++
			}
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// CutTable takes a table out of a file, with the blank line before it.
func CutTable(data []byte, t Table) []byte {
	if t.inline {
		return cutInline(data, t)
	}
	start := t.Start
	if start > 0 {
		prev := bytes.LastIndexByte(data[:start-1], '\n') + 1
		if len(bytes.TrimSpace(data[prev:start])) == 0 {
			start = prev
		}
	}
	return replace(data, start, t.End, "")
}

// cutInline takes a table out of a list, with the comma that parts it from its
// neighbour.
func cutInline(data []byte, t Table) []byte {
	start, end := t.Start, t.End
	blank := func(i int) bool { return i >= 0 && i < len(data) && (data[i] == ' ' || data[i] == '\t') }
	for blank(start - 1) {
		start--
	}
	if start > 0 && data[start-1] == ',' {
		return replace(data, start-1, end, "")
	}
	for blank(end) {
		end++
	}
	if end < len(data) && data[end] == ',' {
		for end++; blank(end); end++ {
		}
	}
	return replace(data, t.Start, end, "")
}
