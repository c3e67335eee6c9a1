package api

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// step is one part of a path into JSON, as jq writes it: a member, an element, or all
// of them.
type step struct {
	name  string
	index int // an element, or one of those below
}

const (
	ofMember = -1
	ofAll    = -2
)

// path is a path into JSON: "id", ".user.login", "items[].id", ".[0]", `a["b c"]`.
type path struct {
	text  string
	steps []step
}

func parsePath(text string) (path, error) {
	p := path{text: strings.TrimPrefix(text, ".")}
	s := text
	if s == "." || s == "" {
		return path{text: "."}, nil
	}
	for s != "" {
		switch {
		case strings.HasPrefix(s, ".["):
			s = s[1:]
		case s[0] == '[':
			end := strings.IndexByte(s, ']')
			if end < 0 {
				return p, errors.New("no ] after [")
			}
			in := s[1:end]
			n, err := strconv.Atoi(in)
			switch {
			case in == "":
				p.steps = append(p.steps, step{index: ofAll})
			case len(in) >= 2 && in[0] == '"' && in[len(in)-1] == '"':
				p.steps = append(p.steps, step{name: in[1 : len(in)-1], index: ofMember})
			case err != nil || n < 0:
				return p, errors.New("in [] stands a number, a name in quotes, or nothing")
			default:
				p.steps = append(p.steps, step{index: n})
			}
			s = s[end+1:]
		case s[0] == '.' || len(p.steps) == 0:
			s = strings.TrimPrefix(s, ".")
			end := strings.IndexAny(s, ".[")
			if end < 0 {
				end = len(s)
			}
			if end == 0 {
				return p, errors.New("a name is missing")
			}
			p.steps = append(p.steps, step{name: s[:end], index: ofMember})
			s = s[end:]
		default:
			return p, errors.New("after ] stands . or [")
		}
	}
	return p, nil
}

// at is the value at the steps; nil where there is none. Of a list whose elements
// are not chosen it is the value of each.
func at(v any, steps []step) any {
	for i, s := range steps {
		switch list, isList := v.([]any); {
		case isList && s.index >= 0:
			if s.index >= len(list) {
				return nil
			}
			v = list[s.index]
		case isList:
			rest := steps[i:]
			if s.index == ofAll {
				rest = steps[i+1:]
			}
			out := make([]any, 0, len(list))
			for _, item := range list {
				out = append(out, at(item, rest))
			}
			return out
		default:
			o, isObject := v.(object)
			if !isObject || s.index != ofMember {
				return nil
			}
			v, _ = o.get(s.name)
		}
	}
	return v
}

// rows is how many of the first steps lead to the elements of one list in all paths:
// they are then rows of it. 0 if they are no rows.
func rows(paths []path) int {
	common := 0
	for n := 1; n <= len(paths[0].steps); n++ {
		if paths[0].steps[n-1].index != ofAll {
			continue
		}
		if slices.ContainsFunc(paths, func(p path) bool {
			return len(p.steps) <= n || !slices.Equal(p.steps[:n], paths[0].steps[:n])
		}) {
			break
		}
		common = n
	}
	return common
}

// selected are the values at the paths: of a list an object for each element, of
// paths that all lead into one list an object for each of its elements, else one
// object.
func selected(v any, paths []path) any {
	if len(paths) == 0 {
		return v
	}
	if n := rows(paths); n > 0 {
		inner := make([]path, len(paths))
		for i, p := range paths {
			inner[i] = path{nameOf(p.steps[n:]), p.steps[n:]}
		}
		list, _ := at(v, paths[0].steps[:n]).([]any)
		return selected(list, inner)
	}
	if list, ok := v.([]any); ok {
		out := make([]any, 0, len(list))
		for _, item := range list {
			out = append(out, one(item, paths))
		}
		return out
	}
	return one(v, paths)
}

func one(v any, paths []path) object {
	out := object{}
	for _, p := range paths {
		out = append(out, member{p.text, at(v, p.steps)})
	}
	return out
}

// nameOf writes steps as a path.
func nameOf(steps []step) string {
	var b strings.Builder
	for i, s := range steps {
		switch {
		case s.index == ofAll:
			b.WriteString("[]")
		case s.index >= 0:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case strings.ContainsAny(s.name, ".[ \""):
			b.WriteString(`["` + s.name + `"]`)
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.name)
		}
	}
	return b.String()
}
