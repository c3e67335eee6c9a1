package openapi

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/pb33f/go-yaml"
	"github.com/pb33f/libopenapi/datamodel/high/base"

	"github.com/tool-mapping-protocol/tmp/internal/surface/api"
)

// How much of a schema is taken over: what is deeper is not checked before it is
// sent.
const (
	maxDepth   = 4
	maxNodes   = 80 // of one value
	maxEnum    = 500
	maxMembers = 300
)

// flat is a schema with its alternatives and parts put together.
type flat struct {
	*base.Schema
	types      []string
	nullable   bool
	enum       []*yaml.Node
	properties []property
	required   []string
	closed     bool
	items      *base.SchemaProxy
	choice     bool
	fallback   *yaml.Node
	example    *yaml.Node
	text       string
}

type property struct {
	name  string
	proxy *base.SchemaProxy
}

// flatten resolves a schema: references, allOf, and what is one form beside null.
func flatten(p *base.SchemaProxy, depth int) *flat {
	if p == nil || depth > 12 {
		return nil
	}
	s := p.Schema()
	if s == nil {
		return nil
	}
	f := &flat{Schema: s, enum: s.Enum, required: slices.Clone(s.Required), fallback: s.Default, example: s.Example, text: s.Description}
	f.take(s)
	for _, part := range s.AllOf {
		f.merge(flatten(part, depth+1))
	}
	f.alternatives(slices.Concat(s.OneOf, s.AnyOf), depth)
	if len(f.types) == 0 && len(f.properties) > 0 {
		f.types = []string{"object"}
	}
	return f
}

// take takes what a schema says itself.
func (f *flat) take(s *base.Schema) {
	for _, t := range s.Type {
		if t == "null" {
			f.nullable = true
		} else {
			f.types = append(f.types, t)
		}
	}
	f.nullable = f.nullable || s.Nullable != nil && *s.Nullable
	if s.Const != nil && len(f.enum) == 0 {
		f.enum = []*yaml.Node{s.Const}
	}
	if len(s.Examples) > 0 && f.example == nil {
		f.example = s.Examples[0]
	}
	if s.Items != nil && s.Items.IsA() {
		f.items = s.Items.A
	}
	if a := s.AdditionalProperties; a != nil && a.IsB() && !a.B {
		f.closed = true
	}
	if s.Properties != nil {
		for pair := s.Properties.First(); pair != nil; pair = pair.Next() {
			f.properties = append(f.properties, property{pair.Key(), pair.Value()})
		}
	}
}

// merge adds a part that holds as well.
func (f *flat) merge(part *flat) {
	if part == nil {
		return
	}
	if len(f.types) == 0 {
		f.types = part.types
	}
	if len(f.enum) == 0 {
		f.enum = part.enum
	}
	if f.items == nil {
		f.items = part.items
	}
	if f.Format == "" && part.Format != "" || f.Minimum == nil && part.Minimum != nil || f.Maximum == nil && part.Maximum != nil {
		merged := *f.Schema
		if merged.Format == "" {
			merged.Format = part.Format
		}
		if merged.Minimum == nil {
			merged.Minimum = part.Minimum
		}
		if merged.Maximum == nil {
			merged.Maximum = part.Maximum
		}
		f.Schema = &merged
	}
	if f.text == "" {
		f.text = part.text
	}
	f.nullable = f.nullable || part.nullable && len(f.Type) == 0
	f.required = append(f.required, part.required...)
	for _, p := range part.properties {
		if !slices.ContainsFunc(f.properties, func(q property) bool { return q.name == p.name }) {
			f.properties = append(f.properties, p)
		}
	}
	f.choice = f.choice || part.choice
}

// alternatives takes the only form that there is beside null, or what all have in
// common: the type.
func (f *flat) alternatives(list []*base.SchemaProxy, depth int) {
	var forms []*flat
	for _, p := range list {
		one := flatten(p, depth+1)
		switch {
		case one == nil:
			f.choice = true
		case slices.Equal(one.Type, []string{"null"}):
			f.nullable = true
		default:
			forms = append(forms, one)
		}
	}
	switch {
	case len(forms) == 0:
		return
	case len(forms) == 1:
		f.merge(forms[0])
		return
	}
	f.choice = true
	types := forms[0].types
	for _, one := range forms[1:] {
		if !slices.Equal(one.types, types) {
			types = nil
		}
	}
	if len(f.types) == 0 {
		f.types = types
	}
	var words []*yaml.Node
	for _, one := range forms {
		if len(one.enum) == 0 {
			words = nil
			break
		}
		words = append(words, one.enum...)
	}
	if len(f.enum) == 0 {
		f.enum = words
	}
}

// compact is a schema as a request is held against it.
func compact(p *base.SchemaProxy, depth int, left *int) *api.Schema {
	*left--
	if p == nil || depth > maxDepth || *left < 0 {
		return nil
	}
	f := flatten(p, 0)
	if f == nil {
		return nil
	}
	return f.compact(depth, left)
}

func (f *flat) compact(depth int, left *int) *api.Schema {
	s := &api.Schema{Nullable: f.nullable, Format: f.Format}
	if len(f.types) == 1 {
		s.Type = f.types[0]
	}
	if !slices.Contains([]string{"string", "integer", "number", "boolean", "array", "object"}, s.Type) {
		s.Type = ""
	}
	if len(f.enum) <= maxEnum {
		for _, n := range f.enum {
			if raw := rawOf(n); raw != nil {
				s.Enum = append(s.Enum, raw)
			}
		}
	}
	s.Minimum, s.Maximum = number(bound(f.Minimum, f.ExclusiveMinimum, s.Type, 1)), number(bound(f.Maximum, f.ExclusiveMaximum, s.Type, -1))
	switch {
	case s.Type == "array" && f.items != nil:
		s.Items = compact(f.items, depth+1, left)
	case s.Type == "object" && !f.choice:
		s.Closed = f.closed
		for i, p := range f.properties {
			if i == maxMembers || *left <= 0 {
				s.Closed = false
				break
			}
			if inner := compact(p.proxy, depth+1, left); inner != nil {
				if s.Properties == nil {
					s.Properties = map[string]*api.Schema{}
				}
				s.Properties[p.name] = inner
			} else {
				s.Closed = false
			}
		}
		s.Required = f.needed()
	}
	return s
}

// needed are the required members that a request may hold.
func (f *flat) needed() []string {
	var out []string
	for _, name := range f.required {
		i := slices.IndexFunc(f.properties, func(p property) bool { return p.name == name })
		if i < 0 || slices.Contains(out, name) {
			continue
		}
		if s := f.properties[i].proxy.Schema(); s != nil && s.ReadOnly != nil && *s.ReadOnly {
			continue
		}
		out = append(out, name)
	}
	return out
}

// bound is a bound that may be reached: of integers the next one inside an exclusive
// bound, which 3.0 says by true and 3.1 by the number; of other numbers the bound itself.
// side is 1 for a lower bound and -1 for an upper one.
func bound(said *float64, open *base.DynamicValue[bool, float64], kind string, side float64) *float64 {
	if open == nil || open.IsA() && (!open.A || said == nil) {
		return said
	}
	v := open.B
	if open.IsA() {
		v = *said
	}
	if kind == "integer" {
		v = side * (math.Floor(side*v) + 1)
	}
	if said != nil && side**said > side*v {
		return said
	}
	return &v
}

func number(f *float64) json.Number {
	if f == nil {
		return ""
	}
	return json.Number(strconv.FormatFloat(*f, 'f', -1, 64))
}

// rawOf is a YAML value as JSON, nil if it has none.
func rawOf(n *yaml.Node) json.RawMessage {
	if n == nil || n.Kind != yaml.ScalarNode {
		return nil
	}
	switch n.Tag {
	case "!!null":
		return json.RawMessage("null")
	case "!!bool":
		return json.RawMessage(strconv.FormatBool(n.Value == "true" || n.Value == "True" || n.Value == "TRUE"))
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.RawMessage(n.Value)
		}
		if i, ok := new(big.Int).SetString(n.Value, 0); ok {
			return json.RawMessage(i.String())
		}
	}
	data, err := json.Marshal(n.Value)
	if err != nil {
		return nil
	}
	return data
}

// textOf is a YAML scalar as a text.
func textOf(n *yaml.Node) (string, bool) {
	raw := rawOf(n)
	if raw == nil || string(raw) == "null" {
		return "", false
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	return string(raw), true
}

// fieldOf is a value with what is said of it.
func fieldOf(p *base.SchemaProxy) *field {
	f := flatten(p, 0)
	if f == nil {
		return &field{}
	}
	left := maxNodes
	out := &field{Schema: *f.compact(0, &left), description: f.text}
	out.fallback, out.hasFallback = textOf(f.fallback)
	out.example, _ = textOf(f.example)
	out.deprecated = f.Deprecated != nil && *f.Deprecated
	out.readOnly = f.ReadOnly != nil && *f.ReadOnly
	return out
}

// fieldsOf are the members of a body.
func fieldsOf(p *base.SchemaProxy) *fields {
	f := flatten(p, 0)
	if f == nil {
		return &fields{open: true}
	}
	out := &fields{byName: map[string]*field{}, isObject: len(f.types) == 1 && f.types[0] == "object", open: !f.closed, choice: f.choice}
	for i, p := range f.properties {
		one := fieldOf(p.proxy)
		if one.readOnly {
			continue
		}
		if i == maxMembers {
			out.open = true
			break
		}
		out.names = append(out.names, p.name)
		out.byName[p.name] = one
	}
	out.required = f.needed()
	return out
}
