package ask

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Settings are the user's part in the policy: the sections [enter], [policy] and
// [places] of config.toml, and the objects of these names of a trusted project's
// .tmp/config.json, which may only make it stricter.
type Settings struct {
	Table      Table
	Consent    string // the word to type
	BuildNames []string
	Production []string // patterns of names of places, case aside
	Own        []string // those that are never production
}

// Default returns the settings without any configuration.
func Default() Settings {
	return Settings{Table: DefaultTable(), Consent: "run", Production: []string{"*prod*", "*live*", "*prd*"}}
}

// Fault is a setting that does not count, and why; or one that counts and has
// another name by now.
type Fault struct {
	Key    string // as in the file, "enter.word"
	Reason string
	Moved  bool // it counts
}

func (f *Fault) Error() string { return f.Key + ": " + f.Reason }

// Sections are the sections of the file that are the policy's.
func Sections() []string { return []string{"enter", "places", "policy"} }

// keys are those of the sections beside the cells of the table.
var keys = []string{"enter.build_names", "enter.word", "places.own", "places.production"}

// Keys are the keys of the sections, "policy.content.own", sorted within each.
func Keys() []string {
	list := slices.Clone(keys)
	t := DefaultTable()
	t.Cells(func(row, column string, _ Action) { list = append(list, "policy."+row+"."+column) })
	return list
}

// Value returns what a key holds: text, or a list of texts.
func (s *Settings) Value(key string) any {
	switch key {
	case "enter.word":
		return s.Consent
	case "enter.build_names":
		return append([]string{}, s.BuildNames...)
	case "places.production":
		return append([]string{}, s.Production...)
	case "places.own":
		return append([]string{}, s.Own...)
	}
	if p := strings.Split(key, "."); len(p) == 3 {
		if at := s.Table.cell(p[1], p[2]); at != nil {
			return at.String()
		}
	}
	return nil
}

// Apply takes the values of the sections over, as TOML or JSON decode them: by
// section and key. With tighten only what is stricter counts. Faults are in the
// order of their keys; a faulty value leaves the setting as it was.
func (s *Settings) Apply(all map[string]any, tighten bool) []*Fault {
	var faults []*Fault
	for _, section := range Sections() {
		value, there := all[section]
		if !there {
			continue
		}
		table, ok := value.(map[string]any)
		if !ok {
			faults = append(faults, &Fault{Key: section, Reason: "want a section"})
			continue
		}
		for _, key := range sorted(table) {
			faults = append(faults, s.set(section, key, table[key], tighten)...)
		}
	}
	return faults
}

func sorted(m map[string]any) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// set takes one key of a section over; it returns what is wrong with it.
func (s *Settings) set(section, key string, value any, tighten bool) []*Fault {
	name := section + "." + key
	wrong := func(reason string) []*Fault {
		if reason == "" {
			return nil
		}
		return []*Fault{{Key: name, Reason: reason}}
	}
	switch {
	case section == "policy":
		return s.row(key, value, tighten)
	case name == "enter.word":
		return wrong(s.setWord(value, tighten))
	case slices.Contains(keys, name):
		list, reason := textsOf(value)
		if reason == "" {
			s.list(name, list, tighten)
		}
		return wrong(reason)
	case section == "enter":
		if m := migrated[key]; m.now != "" {
			return s.migrate(name, m, value, tighten)
		}
	}
	var known []string
	for _, k := range keys {
		if own, ok := strings.CutPrefix(k, section+"."); ok {
			known = append(known, own)
		}
	}
	return wrong("unknown setting: known are " + strings.Join(known, ", "))
}

// list takes a list over: a project adds to production, and to nothing else.
func (s *Settings) list(name string, list []string, tighten bool) {
	switch {
	case name == "places.production" && tighten:
		s.Production = append(slices.Clone(s.Production), list...)
	case tighten:
	case name == "places.production":
		s.Production = list
	case name == "places.own":
		s.Own = list
	default:
		s.BuildNames = list
	}
}

// row takes the cells of one row of the table over.
func (s *Settings) row(row string, value any, tighten bool) []*Fault {
	cells, ok := value.(map[string]any)
	if !ok {
		return []*Fault{{Key: "policy." + row, Reason: "want " + row + ".own, " + row + ".machine and their like"}}
	}
	var faults []*Fault
	for _, column := range sorted(cells) {
		key := "policy." + row + "." + column
		at := s.Table.cell(row, column)
		text, _ := cells[column].(string)
		a, ok := parseAction(text)
		switch {
		case at == nil:
			faults = append(faults, &Fault{Key: key, Reason: "unknown setting: a loss (" + strings.Join(rowNames[:], ", ") + ") and a reach (" + strings.Join(columnNames[:], ", ") + "; of unknown high, critical)"})
		case !ok:
			faults = append(faults, &Fault{Key: key, Reason: fmt.Sprintf("is %v: want one of %s", quoted(cells[column]), quotedNames(actionNames))})
		case !tighten || a > *at:
			*at = a
		}
	}
	return faults
}

// old is what became of a setting of an earlier version.
type old struct {
	now    string // what to write in its place
	cells  []string
	values string // its values, and what each is now
	before string // the one that held without it
}

// migrated are the settings of an earlier version, which still count.
var migrated = map[string]old{
	"wide":        {"policy.content_wide", []string{"content_wide.own", "content_wide.machine", "content_wide.shared", "unknown.critical"}, "ask=key word=word", "word"},
	"named_files": {"policy.content", []string{"content.own", "content.machine"}, "mark=note ask=key word=word", "ask"},
	"high":        {"policy.unknown.high", []string{"unknown.high"}, "mark=note always=allowable ask=key word=word", "always"},
	"in_git":      {"policy.recoverable.own", []string{"recoverable.own"}, "pass=silent mark=note ask=key word=word", "mark"},
	"reversible":  {"policy.recoverable.own", []string{"recoverable.own"}, "pass=silent mark=note ask=key word=word", "mark"},
	"rebuilt":     {"policy.rebuildable.own", []string{"rebuildable.own"}, "pass=silent mark=silent ask=key word=word", "mark"},
	"temporary":   {"policy.rebuildable.own", []string{"rebuildable.own"}, "pass=silent mark=silent ask=key word=word", "mark"},
	"production":  {"places.production", nil, "", ""},
}

// migrate takes a setting of an earlier version over, and says what it is now.
func (s *Settings) migrate(name string, m old, value any, tighten bool) []*Fault {
	moved := []*Fault{{Key: name, Reason: "is " + m.now + " by now, and counts as that", Moved: true}}
	if m.cells == nil {
		list, reason := textsOf(value)
		if reason != "" {
			return []*Fault{{Key: name, Reason: reason}}
		}
		s.list(m.now, list, tighten)
		return moved
	}
	text, _ := value.(string)
	var known []string
	for _, pair := range strings.Fields(m.values) {
		was, now, _ := strings.Cut(pair, "=")
		known = append(known, was)
		if was != text {
			continue
		}
		a, _ := parseAction(now)
		for _, cell := range m.cells {
			row, column, _ := strings.Cut(cell, ".")
			// What was the default says nothing of what is wanted now.
			if at := s.Table.cell(row, column); tighten && a > *at || !tighten && was != m.before {
				*at = a
			}
		}
		return moved
	}
	return []*Fault{{Key: name, Reason: fmt.Sprintf("is %v: want one of %s", quoted(value), quotedNames(known))}}
}

func (s *Settings) setWord(value any, tighten bool) string {
	text, ok := value.(string)
	if !ok || len(text) < 2 || len(text) > 32 || strings.ContainsFunc(text, func(r rune) bool { return r > '~' || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return fmt.Sprintf("is %v: want a word of 2 to 32 letters and digits", quoted(value))
	}
	if !tighten {
		s.Consent = text
	}
	return ""
}

func textsOf(value any) (list []string, reason string) {
	items, ok := value.([]any)
	if !ok {
		return nil, fmt.Sprintf("is %v: want a list of patterns", quoted(value))
	}
	for _, it := range items {
		text, ok := it.(string)
		if _, err := path.Match(text, ""); !ok || text == "" || err != nil {
			return nil, fmt.Sprintf("holds %v, which is no pattern", quoted(it))
		}
		list = append(list, text)
	}
	return list, ""
}

func quoted(v any) any {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return v
}

func quotedNames(list []string) string {
	var out []string
	for _, a := range list {
		out = append(out, fmt.Sprintf("%q", a))
	}
	return strings.Join(out, ", ")
}
