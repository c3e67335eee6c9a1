package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"
)

// Schema is the part of JSON Schema that a value is held against before it is sent.
// Numbers are texts as they were written, so that none loses digits.
type Schema struct {
	Type       string             `json:"type,omitempty"` // "string", "integer", "number", "boolean", "array", "object"; "" for any
	Format     string             `json:"format,omitempty"`
	Enum       []json.RawMessage  `json:"enum,omitempty"`
	Minimum    json.Number        `json:"minimum,omitempty"`
	Maximum    json.Number        `json:"maximum,omitempty"`
	Nullable   bool               `json:"nullable,omitempty"`
	Items      *Schema            `json:"items,omitempty"`
	Properties map[string]*Schema `json:"properties,omitempty"`
	Required   []string           `json:"required,omitempty"`
	Closed     bool               `json:"closed,omitempty"` // no other properties than those
}

// maxDepth bounds how deep a value is nested.
const maxDepth = 100

// readJSON reads one JSON value, its numbers as they are written.
func readJSON(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("is not UTF-8 text")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, errors.New("is not JSON: " + err.Error())
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("is not JSON: text after the value")
	}
	return v, nil
}

// Check holds a value against the schema. An error names the place in it.
func (s *Schema) Check(at string, v any) error { return s.check(at, v, 0) }

func (s *Schema) check(at string, v any, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%s: nested more than %d deep", at, maxDepth)
	}
	if s == nil || v == nil && s.Nullable {
		return nil
	}
	if !s.isOf(v) {
		return fmt.Errorf("%s: %s is not of type %s", at, short(v), s.Type)
	}
	if len(s.Enum) > 0 && !s.among(v) {
		return fmt.Errorf("%s: %s is not one of %s", at, short(v), s.words())
	}
	switch v := v.(type) {
	case string:
		if isForm := forms[s.Format]; isForm != nil && !isForm(v) {
			return fmt.Errorf("%s: %q is not of the format %s", at, v, s.Format)
		}
	case json.Number:
		if isForm := forms[s.Format]; isForm != nil && !isForm(v.String()) {
			return fmt.Errorf("%s: %s is not of the format %s", at, v, s.Format)
		}
		return s.inRange(at, v)
	case []any:
		for i, item := range v {
			if err := s.Items.check(fmt.Sprintf("%s[%d]", at, i), item, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		return s.members(at, v, depth)
	}
	return nil
}

func (s *Schema) members(at string, v map[string]any, depth int) error {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			return fmt.Errorf("%s.%s: is missing", at, name)
		}
	}
	names := make([]string, 0, len(v))
	for name := range v {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		p, known := s.Properties[name]
		if !known && s.Closed {
			return fmt.Errorf("%s.%s: is unknown", at, name)
		}
		if err := p.check(at+"."+name, v[name], depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (s *Schema) isOf(v any) bool {
	switch s.Type {
	case "string":
		_, ok := v.(string)
		return ok
	case "integer":
		n, ok := v.(json.Number)
		return ok && isInteger(n.String())
	case "number":
		_, ok := v.(json.Number)
		return ok
	case "boolean":
		_, ok := v.(bool)
		return ok
	case "array":
		_, ok := v.([]any)
		return ok
	case "object":
		_, ok := v.(map[string]any)
		return ok
	}
	return true
}

func isInteger(text string) bool {
	_, ok := new(big.Int).SetString(text, 10)
	if ok {
		return !strings.HasPrefix(text, "+")
	}
	r, ok := new(big.Rat).SetString(text)
	return ok && len(text) < 40 && r.IsInt()
}

func (s *Schema) among(v any) bool {
	return slices.ContainsFunc(s.Enum, func(word json.RawMessage) bool {
		w, err := readJSON(word)
		return err == nil && equal(w, v)
	})
}

func equal(a, b any) bool {
	x, ok := a.(json.Number)
	y, also := b.(json.Number)
	if ok && also {
		p, q := exact(x.String()), exact(y.String())
		return p != nil && q != nil && p.Cmp(q) == 0
	}
	left, err := json.Marshal(a)
	right, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(left, right)
}

func (s *Schema) words() string {
	out := make([]string, 0, len(s.Enum))
	for _, w := range s.Enum {
		text := string(w)
		_ = json.Unmarshal(w, &text)
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func exact(text string) *big.Float {
	if len(text) > 400 {
		return nil
	}
	f, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
	if err != nil {
		return nil
	}
	return f
}

func (s *Schema) inRange(at string, n json.Number) error {
	v := exact(n.String())
	if v == nil {
		return fmt.Errorf("%s: %s is no number", at, n)
	}
	if low := exact(s.Minimum.String()); s.Minimum != "" && low != nil && v.Cmp(low) < 0 {
		return fmt.Errorf("%s: %s is less than %s", at, n, s.Minimum)
	}
	if high := exact(s.Maximum.String()); s.Maximum != "" && high != nil && v.Cmp(high) > 0 {
		return fmt.Errorf("%s: %s is more than %s", at, n, s.Maximum)
	}
	return nil
}

// short is a value in a message.
func short(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "the value"
	}
	if len(data) > 60 {
		return strings.ToValidUTF8(string(data[:60]), "") + "…"
	}
	return string(data)
}

// forms are the formats that say how a text is written; others say what it means.
var forms = map[string]func(string) bool{
	"date":      func(v string) bool { _, err := time.Parse(time.DateOnly, v); return err == nil },
	"date-time": func(v string) bool { _, err := time.Parse(time.RFC3339Nano, v); return err == nil },
	"time":      func(v string) bool { _, err := time.Parse("15:04:05.999999999Z07:00", v); return err == nil },
	"uuid":      isUUID,
	"email":     func(v string) bool { a, err := mail.ParseAddress(v); return err == nil && a.Address == v },
	"ipv4":      func(v string) bool { a, err := netip.ParseAddr(v); return err == nil && a.Is4() },
	"ipv6":      func(v string) bool { a, err := netip.ParseAddr(v); return err == nil && a.Is6() && a.Zone() == "" },
	"uri":       func(v string) bool { u, err := url.Parse(v); return err == nil && u.IsAbs() },
	"int32":     func(v string) bool { return within(v, 1<<31) },
	"int64":     func(v string) bool { return within(v, 1<<63) },
}

// within reports whether a whole number is in -bound … bound-1.
func within(v string, bound uint64) bool {
	n, ok := new(big.Int).SetString(v, 10)
	if !ok {
		return false
	}
	b := new(big.Int).SetUint64(bound)
	return n.Cmp(b) < 0 && n.Cmp(new(big.Int).Neg(b)) >= 0
}

func isUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (v[i] == '-') || !dash && !isHex(v[i]) {
			return false
		}
	}
	return true
}
