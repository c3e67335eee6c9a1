package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Param is a parameter of an operation as far as a request is made of it.
type Param struct {
	Name             string
	Type             string // as of Schema, and "file" of a multipart body
	Format           string
	Enum             []string
	Minimum, Maximum string // numbers as they are written
	Required         bool

	collection string  // see Record.Collections
	inner      *Schema // see Record.Schemas
}

// schema is what the value is held against; the words of the enum are held against
// the text.
func (p *Param) schema() *Schema {
	s := Schema{}
	if p.inner != nil {
		s = *p.inner
	}
	s.Type, s.Format, s.Minimum, s.Maximum = p.typeName(), p.Format, json.Number(p.Minimum), json.Number(p.Maximum)
	return &s
}

// typeName is the type in the words of JSON Schema; "int" and "bool" are those of
// other surfaces' records.
func (p *Param) typeName() string {
	switch p.Type {
	case "int":
		return "integer"
	case "bool", "flag":
		return "boolean"
	case "", "string", "integer", "number", "boolean", "array", "object":
		return p.Type
	}
	return "string"
}

// value reads the text of a value as what the parameter's type makes of it.
func (p *Param) value(text string) (any, error) {
	if len(p.Enum) > 0 && p.typeName() != "array" && !slices.Contains(p.Enum, text) {
		return nil, fmt.Errorf("%q is not one of %s", text, strings.Join(p.Enum, ", "))
	}
	switch p.typeName() {
	case "integer", "number":
		if v, err := readJSON([]byte(text)); err == nil {
			if n, ok := v.(json.Number); ok && n.String() == text {
				return n, nil
			}
		}
		return nil, fmt.Errorf("%q is not of type %s", text, p.typeName())
	case "boolean":
		switch text {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, fmt.Errorf("%q is not of type boolean: want true or false", text)
	case "array":
		if !strings.HasPrefix(strings.TrimSpace(text), "[") {
			return p.list(text)
		}
		return readJSON([]byte(text))
	case "object":
		return readJSON([]byte(text))
	}
	if strings.ToValidUTF8(text, "") != text {
		return nil, errors.New("is not UTF-8 text")
	}
	return text, nil
}

// list is "a,b" as a list of what its items are.
func (p *Param) list(text string) (any, error) {
	out := []any{}
	if text == "" {
		return out, nil
	}
	item := Param{}
	if p.inner != nil && p.inner.Items != nil {
		item.Type = p.inner.Items.Type
	}
	for word := range strings.SplitSeq(text, ",") {
		v, err := item.value(word)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// scalar writes a value where there is no JSON: in a path, a query, a header.
func scalar(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case bool, json.Number:
		return fmt.Sprint(v), nil
	}
	data, err := json.Marshal(v)
	return string(data), err
}

// texts are the values of a list outside a body, of anything else the one.
func (p *Param) texts(v any, multi bool) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		text, err := scalar(v)
		return []string{text}, err
	}
	out := make([]string, 0, len(list))
	for _, item := range list {
		text, err := scalar(item)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	switch p.collection {
	case "csv":
	case "ssv":
		return []string{strings.Join(out, " ")}, nil
	case "pipes":
		return []string{strings.Join(out, "|")}, nil
	default:
		if multi {
			return out, nil
		}
	}
	return []string{strings.Join(out, ",")}, nil
}
