package api

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// elements are those of a list; what is none is its only one.
func elements(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// inLines is a list as JSON, an element a line. On a terminal signs that would steer
// it are shown.
func inLines(v any, terminal bool) string {
	var b strings.Builder
	for _, item := range elements(v) {
		if data, err := encodeJSON(item); err == nil {
			b.WriteString(safe(string(data), terminal))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// commas is a list as CSV (RFC 4180) with line feeds, as the one of a query: a column
// for each member of an object, "value" where an element is none. null and a member
// that is not there are an empty field, an empty text is "", a list or an object JSON.
func commas(v any, terminal bool) string {
	var columns []string
	for _, item := range elements(v) {
		for _, m := range membersOf(item) {
			if !slices.Contains(columns, m.name) {
				columns = append(columns, m.name)
			}
		}
	}
	if len(columns) == 0 {
		return ""
	}
	var b strings.Builder
	row := func(field func(column string) string) {
		for i, name := range columns {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(safe(field(name), terminal))
		}
		b.WriteByte('\n')
	}
	row(fieldText)
	for _, item := range elements(v) {
		members := membersOf(item)
		row(func(column string) string {
			value, _ := members.get(column)
			return csvField(value)
		})
	}
	return b.String()
}

func safe(s string, terminal bool) string {
	if terminal {
		return screen.Printable(s)
	}
	return s
}

func membersOf(v any) object {
	if o, ok := v.(object); ok {
		return o
	}
	return object{{name: "value", value: v}}
}

func csvField(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return fieldText(v)
	case json.Number:
		return v.String()
	}
	data, err := encodeJSON(v)
	if err != nil {
		return ""
	}
	return fieldText(string(data))
}

// fieldText is a text as a field: in quotes where it would be read as another.
func fieldText(s string) string {
	if s == "" || strings.ContainsAny(s, "\",\r\n") || strings.TrimSpace(s) != s {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
