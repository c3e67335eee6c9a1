package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// object is an object of JSON with its members in their order.
type object []member

type member struct {
	name  string
	value any
}

// get is the member of a name; the last one where it is given twice.
func (o object) get(name string) (any, bool) {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].name == name {
			return o[i].value, true
		}
	}
	return nil, false
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := encodeJSON(m.name)
		if err != nil {
			return nil, err
		}
		value, err := encodeJSON(m.value)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// decode reads one JSON value, its objects in order and its numbers as they are
// written.
func decode(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("is not UTF-8 text")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := decodeValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the value")
	}
	return v, nil
}

// maxAnswerDepth bounds how deep an answer is nested.
const maxAnswerDepth = 500

func decodeValue(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if depth > maxAnswerDepth {
		return nil, fmt.Errorf("nested more than %d deep", maxAnswerDepth)
	}
	if delim == '[' {
		list := []any{}
		for d.More() {
			v, err := decodeValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	o := object{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string)
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		o = append(o, member{name, v})
	}
	_, err = d.Token()
	return o, err
}
