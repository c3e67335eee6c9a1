package tcpdb

import "strings"

// ParamType is what the values of a parameter are held against, in the words of
// JSON Schema. In a Param it is one text, Param.Type, whose parts are apart by a
// unit separator: a reader that knows only the name takes it for a type that accepts
// any text.
type ParamType struct {
	Name             string // "string", "integer", "number", "boolean", "flag", "duration"; "" for any text
	Enum             []string
	Format           string // "date", "uuid" …
	Minimum, Maximum string // numbers as they were written; "" for none
}

const unitSeparator = "\x1f"

// Text is the type as it stands in Param.Type.
func (t ParamType) Text() string {
	parts := []string{t.Name}
	add := func(key, value string) {
		if value != "" {
			parts = append(parts, key+"="+value)
		}
	}
	add("format", t.Format)
	add("minimum", t.Minimum)
	add("maximum", t.Maximum)
	for _, word := range t.Enum {
		parts = append(parts, "enum="+word)
	}
	return strings.Join(parts, unitSeparator)
}

// TypeOf reads Param.Type. "enum:a,b" is the short form of a closed set.
func TypeOf(text string) ParamType {
	if words, ok := strings.CutPrefix(text, "enum:"); ok {
		return ParamType{Enum: strings.Split(words, ",")}
	}
	parts := strings.Split(text, unitSeparator)
	t := ParamType{Name: parts[0]}
	for _, part := range parts[1:] {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "format":
			t.Format = value
		case "minimum":
			t.Minimum = value
		case "maximum":
			t.Maximum = value
		case "enum":
			t.Enum = append(t.Enum, value)
		}
	}
	return t
}
