package drafts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Conflict is a fact that a person changed and that the newly generated draft
// states differently from the one before. The person's stays.
type Conflict struct {
	Where     string `json:"where"` // "node.subcommands[add].flags[--force].value"
	Edited    string `json:"edited"`
	Generated string `json:"generated"`
}

func (c Conflict) String() string {
	return fmt.Sprintf("%s: kept %s; the tool now says %s", c.Where, c.Edited, c.Generated)
}

// Merge joins a newly generated source map, in JSON, with what a person made of
// the one that was generated before. What the person did not touch is that of
// the new one. Commands are the same by name, flags by any shared name.
func Merge(base, edited, generated []byte) (merged []byte, conflicts []Conflict, err error) {
	var sides [3]any
	for i, data := range [][]byte{base, edited, generated} {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if err := d.Decode(&sides[i]); err != nil {
			return nil, nil, err
		}
	}
	var m merger
	merged, err = json.Marshal(m.value("", sides[0], sides[1], sides[2]))
	return merged, m.conflicts, err
}

type merger struct{ conflicts []Conflict }

// value merges one value; nil stands for one that is not there.
func (m *merger) value(where string, base, edited, generated any) any {
	switch {
	case reflect.DeepEqual(edited, base), reflect.DeepEqual(edited, generated):
		return generated
	case reflect.DeepEqual(generated, base):
		return edited
	}
	if e, ok := edited.(map[string]any); ok {
		if g, ok := generated.(map[string]any); ok {
			b, _ := base.(map[string]any)
			return m.object(where, b, e, g)
		}
	}
	if e, ok := edited.([]any); ok {
		g, isList := generated.([]any)
		b, _ := base.([]any)
		switch {
		case !isList && generated != nil:
		case named(e) && named(g) && named(b):
			return m.list(where, b, e, g)
		case texts(e) && texts(g) && texts(b):
			return union(b, e, g)
		}
	}
	m.conflict(where, edited, generated)
	return edited
}

func (m *merger) conflict(where string, edited, generated any) {
	if last := where[strings.LastIndexByte(where, '.')+1:]; last == "from" || last == "version" {
		return // says where a fact was read, which a person has no part in
	}
	m.conflicts = append(m.conflicts, Conflict{where, show(edited), show(generated)})
}

func show(v any) string {
	if v == nil {
		return "nothing"
	}
	data, err := json.Marshal(v)
	if err != nil || len(data) > 200 {
		return "something else"
	}
	return string(data)
}

func (m *merger) object(where string, base, edited, generated map[string]any) any {
	out := map[string]any{}
	keys := map[string]bool{}
	for _, o := range []map[string]any{base, edited, generated} {
		for k := range o {
			keys[k] = true
		}
	}
	sorted := make([]string, 0, len(keys))
	for k := range keys {
		sorted = append(sorted, k)
	}
	slices.Sort(sorted)
	for _, k := range sorted {
		at := k
		if where != "" {
			at = where + "." + k
		}
		if v := m.value(at, base[k], edited[k], generated[k]); v != nil {
			out[k] = v
		}
	}
	return out
}

// list merges lists of objects that have names: those of the person in their
// order, then what is new. What a person took away stays away.
func (m *merger) list(where string, base, edited, generated []any) any {
	out := []any{}
	used := make([]bool, len(generated))
	for _, e := range edited {
		at := where + "[" + label(e) + "]"
		b := same(base, e)
		gi := index(generated, e)
		if gi < 0 {
			// The tool no longer has it: it goes too, unless the person made it or
			// changed it.
			if b != nil && reflect.DeepEqual(b, e) {
				continue
			}
			if b != nil {
				m.conflict(at, e, nil)
			}
			out = append(out, e)
			continue
		}
		if used[gi] {
			continue
		}
		used[gi] = true
		if b == nil {
			b = same(base, generated[gi])
		}
		out = append(out, m.value(at, b, e, generated[gi]))
	}
	for i, g := range generated {
		if used[i] {
			continue
		}
		if b := same(base, g); b != nil && same(edited, b) == nil {
			continue // taken away by the person
		}
		out = append(out, g)
	}
	return out
}

// named reports whether every item is an object with a name.
func named(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { return len(names(v)) == 0 })
}

// names are what an item goes by.
func names(v any) []string {
	o, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	if list, ok := o["names"].([]any); ok {
		var out []string
		for _, n := range list {
			if s, ok := n.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	for _, key := range []string{"name", "value", "id"} {
		if s, ok := o[key].(string); ok {
			return []string{s}
		}
	}
	return nil
}

func label(v any) string { return strings.Join(names(v), ",") }

func index(list []any, item any) int {
	own := names(item)
	return slices.IndexFunc(list, func(v any) bool {
		return slices.ContainsFunc(names(v), func(n string) bool { return slices.Contains(own, n) })
	})
}

func same(list []any, item any) any {
	if i := index(list, item); i >= 0 {
		return list[i]
	}
	return nil
}

func texts(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { _, ok := v.(string); return !ok })
}

// union is the person's list without what the tool dropped and with what it added.
func union(base, edited, generated []any) []any {
	out := []any{}
	for _, v := range edited {
		if slices.Contains(base, v) && !slices.Contains(generated, v) {
			continue
		}
		out = append(out, v)
	}
	for _, v := range generated {
		if !slices.Contains(base, v) && !slices.Contains(edited, v) {
			out = append(out, v)
		}
	}
	return out
}
