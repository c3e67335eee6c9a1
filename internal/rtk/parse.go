package rtk

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// FilterFile is where RTK looks for the filters of a project.
const FilterFile = ".rtk/filters.toml"

// File is a file of filters as RTK would load it.
type File struct {
	// Filters are those that RTK would use, by name.
	Filters []*Filter
	// Names are those of all filters of the file, of which some may be left out.
	Names []string
	Tests []Test
}

// Test is one [[tests.NAME]]: an output and what the filter NAME makes of it.
type Test struct {
	Filter, Name    string
	Input, Expected string
	Line            int
}

// Effect says what RTK does about a problem.
type Effect uint8

const (
	// Remark: RTK takes it; it may not do what is meant.
	Remark Effect = iota
	// LeavesOut: RTK goes on without this filter.
	LeavesOut
	// Rejects: RTK takes nothing of the file.
	Rejects
)

// String is "remark", "filter left out" or "file rejected".
func (e Effect) String() string { return [...]string{"remark", "filter left out", "file rejected"}[e] }

// Problem is something wrong in a file of filters.
type Problem struct {
	File   string
	Line   int    // 0 if it is not known
	Key    string // "filters.codegen.max_lines"
	Text   string
	Effect Effect
}

func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	return b.String() + p.Text
}

// Worst is the gravest effect among problems, Remark if there are none.
func Worst(problems []Problem) Effect {
	worst := Remark
	for _, p := range problems {
		worst = max(worst, p.Effect)
	}
	return worst
}

// Parse reads a file of filters; name is used in problems alone. Problems come
// in the order of their lines. The file is nil if RTK would reject it; the
// problems are then those that make it do so.
func Parse(name string, data []byte) (*File, []Problem) {
	r := &reader{name: name}
	var doc map[string]any
	if _, err := toml.Decode(string(data), &doc); err != nil {
		var pe toml.ParseError
		if errors.As(err, &pe) {
			r.problems = append(r.problems, Problem{File: name, Line: pe.Position.Line, Key: pe.LastKey, Text: pe.Message, Effect: Rejects})
		} else {
			r.problems = append(r.problems, Problem{File: name, Text: err.Error(), Effect: Rejects})
		}
		return nil, r.problems
	}
	r.lines = positions(string(data))
	f := r.file(doc)
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Line - b.Line })
	if Worst(r.problems) == Rejects {
		return nil, slices.DeleteFunc(r.problems, func(p Problem) bool { return p.Effect < Rejects })
	}
	return f, r.problems
}

// reader turns the decoded document into filters. Types and keys are checked
// here: the decoder into structs would take keys in any case of their letters.
type reader struct {
	name     string
	lines    map[string]int
	problems []Problem
}

func (r *reader) problem(e Effect, key, format string, args ...any) {
	line := r.lines[key]
	for up := key; line == 0 && up != ""; line = r.lines[up] {
		i := strings.LastIndexAny(up, ".[")
		up = up[:max(i, 0)]
	}
	r.problems = append(r.problems, Problem{r.name, line, key, fmt.Sprintf(format, args...), e})
}

func (r *reader) file(doc map[string]any) *File {
	f := &File{}
	switch v, ok := doc["schema_version"].(int64); {
	case doc["schema_version"] == nil:
		r.problem(Rejects, "schema_version", "is missing: want schema_version = 1")
	case !ok || v != 1:
		r.problem(Rejects, "schema_version", "%v is not known: want 1", doc["schema_version"])
	}
	for _, key := range sorted(doc) {
		if key != "schema_version" && key != "filters" && key != "tests" {
			r.problem(Remark, key, "has no meaning here")
		}
	}
	filters, _ := r.table(doc, "filters", "")
	for _, name := range sorted(filters) {
		f.Names = append(f.Names, name)
		if filter := r.filter(name, filters); filter != nil {
			f.Filters = append(f.Filters, filter)
		}
	}
	tests, _ := r.table(doc, "tests", "")
	for _, name := range sorted(tests) {
		key := "tests." + quoteKey(name)
		if !slices.Contains(f.Names, name) {
			r.problem(Remark, key, "there is no filter of this name: the test is never run")
		}
		for i, t := range r.tables(tests, name, "tests") {
			f.Tests = append(f.Tests, r.test(name, fmt.Sprintf("%s[%d]", key, i), t))
		}
	}
	return f
}

func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

func (r *reader) test(filter, key string, t map[string]any) Test {
	r.known(key, t, "name", "input", "expected")
	return Test{
		Filter: filter, Line: r.lines[key],
		Name: r.text(t, "name", key, true), Input: r.text(t, "input", key, true), Expected: r.text(t, "expected", key, true),
	}
}

func (r *reader) filter(name string, filters map[string]any) *Filter {
	key := "filters." + quoteKey(name)
	t, ok := r.table(filters, name, "filters")
	if !ok {
		return nil
	}
	r.known(key, t, "description", "match_command", "strip_ansi", "replace", "match_output", "strip_lines_matching",
		"keep_lines_matching", "truncate_lines_at", "head_lines", "tail_lines", "max_lines", "on_empty", "filter_stderr")
	f := &Filter{
		Name: name, Description: r.text(t, "description", key, false), MatchCommand: r.text(t, "match_command", key, true),
		StripANSI: r.flag(t, "strip_ansi", key), FilterStderr: r.flag(t, "filter_stderr", key),
		StripLines: r.texts(t, "strip_lines_matching", key), KeepLines: r.texts(t, "keep_lines_matching", key),
		TruncateLinesAt: r.number(t, "truncate_lines_at", key), HeadLines: r.number(t, "head_lines", key),
		TailLines: r.number(t, "tail_lines", key), MaxLines: r.number(t, "max_lines", key), OnEmpty: r.optional(t, "on_empty", key),
	}
	for i, rule := range r.tables(t, "replace", key) {
		k := fmt.Sprintf("%s.replace[%d]", key, i)
		r.known(k, rule, "pattern", "replacement")
		f.Replace = append(f.Replace, Replace{Pattern: r.text(rule, "pattern", k, true), Replacement: r.text(rule, "replacement", k, true)})
	}
	for i, rule := range r.tables(t, "match_output", key) {
		k := fmt.Sprintf("%s.match_output[%d]", key, i)
		r.known(k, rule, "pattern", "message", "unless")
		f.MatchOutput = append(f.MatchOutput, MatchOutput{
			Pattern: r.text(rule, "pattern", k, true), Message: r.text(rule, "message", k, true), Unless: r.optional(rule, "unless", k),
		})
	}
	if !r.compile(key, f) {
		return nil
	}
	r.remarks(key, f)
	return f
}

// known reports each key that RTK does not know.
func (r *reader) known(key string, t map[string]any, names ...string) {
	for _, k := range sorted(t) {
		if !slices.Contains(names, k) {
			r.problem(Rejects, key+"."+quoteKey(k), "is not known; here stand %s", strings.Join(names, ", "))
		}
	}
}

func join(parent, name string) string {
	if parent == "" {
		return quoteKey(name)
	}
	return parent + "." + quoteKey(name)
}

func (r *reader) wrong(parent, name, want string, v any) {
	r.problem(Rejects, join(parent, name), "is %s: want %s", typeName(v), want)
}

func typeName(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "an integer"
	case float64:
		return "a number with a fraction"
	case bool:
		return "a boolean"
	case []any, []map[string]any:
		return "an array"
	case map[string]any:
		return "a table"
	}
	return "a date"
}

func (r *reader) table(t map[string]any, name, parent string) (map[string]any, bool) {
	switch v := t[name].(type) {
	case nil:
	case map[string]any:
		return v, true
	default:
		r.wrong(parent, name, "a table", v)
	}
	return nil, false
}

func (r *reader) tables(t map[string]any, name, parent string) []map[string]any {
	switch v := t[name].(type) {
	case nil:
	case []map[string]any:
		return v
	case []any:
		var out []map[string]any
		for i, e := range v {
			m, ok := e.(map[string]any)
			if !ok {
				r.problem(Rejects, fmt.Sprintf("%s[%d]", join(parent, name), i), "is %s: want a table", typeName(e))
				continue
			}
			out = append(out, m)
		}
		return out
	default:
		r.wrong(parent, name, "an array of tables", v)
	}
	return nil
}

func (r *reader) text(t map[string]any, name, parent string, required bool) string {
	switch v := t[name].(type) {
	case nil:
		if required {
			r.problem(Rejects, join(parent, name), "is missing")
		}
	case string:
		return v
	default:
		r.wrong(parent, name, "a string", v)
	}
	return ""
}

// optional is nil for a text that is not there.
func (r *reader) optional(t map[string]any, name, parent string) *string {
	if _, ok := t[name]; !ok {
		return nil
	}
	s := r.text(t, name, parent, false)
	return &s
}

func (r *reader) texts(t map[string]any, name, parent string) []string {
	var out []string
	switch v := t[name].(type) {
	case nil:
	case []any:
		for i, e := range v {
			s, ok := e.(string)
			if !ok {
				r.problem(Rejects, fmt.Sprintf("%s[%d]", join(parent, name), i), "is %s: want a string", typeName(e))
			}
			out = append(out, s)
		}
	default:
		r.wrong(parent, name, "an array of strings", v)
	}
	return out
}

func (r *reader) flag(t map[string]any, name, parent string) bool {
	switch v := t[name].(type) {
	case nil:
	case bool:
		return v
	default:
		r.wrong(parent, name, "true or false", v)
	}
	return false
}

func (r *reader) number(t map[string]any, name, parent string) *int {
	switch v := t[name].(type) {
	case nil:
	case int64:
		if v < 0 {
			r.problem(Rejects, join(parent, name), "%d is negative", v)
			return nil
		}
		n := int(min(v, math.MaxInt32)) // more lines than there ever are
		return &n
	default:
		r.wrong(parent, name, "an integer", v)
	}
	return nil
}
