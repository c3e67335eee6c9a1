package review

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// field is a fact of an item as a person edits it: one line of text.
type field struct {
	name string
	text string
	set  func(text string) error
}

// fieldsOf are the facts of an item that can be edited.
func fieldsOf(it *item) []field {
	switch {
	case it.flag != nil:
		f := it.flag
		return []field{
			words("names", &f.Names),
			{"value", f.Value, func(s string) error { f.Value = s; return oneOf(s, "none", "required", "optional") }},
			spec("values", &f.Spec),
			plain("text", &f.Description),
			yes("repeatable", &f.Repeatable),
			yes("hidden", &f.Hidden),
		}
	case it.arg != nil:
		a := it.arg
		return []field{plain("name", &a.Name), spec("values", &a.Spec), plain("text", &a.Description), yes("required", &a.Required), yes("repeatable", &a.Repeatable)}
	case it.op != nil:
		op := it.op
		return []field{
			{"intents", strings.Join(op.Intents, " | "), func(s string) error { op.Intents = split(s, "|"); return nil }},
			plain("template", &op.Template), plain("effect", &op.Effect), plain("risk", &op.Risk), plain("approval", &op.Approval), plain("text", &op.Description),
		}
	}
	n := it.node
	out := []field{words("aliases", &n.Aliases), plain("text", &n.Description), yes("hidden", &n.Hidden)}
	if it.parent != nil {
		out = append([]field{plain("name", &n.Name)}, out...)
	}
	return out
}

func plain(name string, p *string) field {
	return field{name, *p, func(s string) error { *p = strings.TrimSpace(s); return nil }}
}

func words(name string, p *[]string) field {
	return field{name, strings.Join(*p, " "), func(s string) error { *p = strings.Fields(s); return nil }}
}

// yes is a fact that holds or does not; its text is "" where it does not.
func yes(name string, p *bool) field {
	text := ""
	if *p {
		text = "yes"
	}
	return field{name, text, func(s string) error {
		*p = s == "yes"
		return oneOf(s, "yes", "no", "")
	}}
}

func oneOf(s string, words ...string) error {
	for _, w := range words {
		if s == w {
			return nil
		}
	}
	return fmt.Errorf("%q: want %s", s, strings.Join(words[:min(len(words), 3)], ", "))
}

func split(s, by string) []string {
	var out []string
	for part := range strings.SplitSeq(s, by) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// spec is where values come from: "file", "dir", "command", "int" and other
// types, "git:branches" for a resolver, or the values themselves, "a, b, c".
func spec(name string, p **opmap.Spec) field {
	return field{name, specText(*p), func(s string) error {
		old := *p
		switch s = strings.TrimSpace(s); {
		case s == specText(old):
			return nil
		case s == "":
			*p = nil
			return nil
		case s == "file":
			*p = &opmap.Spec{File: true}
		case s == "dir":
			*p = &opmap.Spec{Dir: true}
		case s == "command":
			*p = &opmap.Spec{Command: true}
		case strings.Contains(s, ","):
			*p = &opmap.Spec{}
			for _, v := range split(s, ",") {
				(*p).Enum = append((*p).Enum, opmap.EnumValue{Value: v, Description: describedBefore(old, v)})
			}
		case strings.Contains(s, ":"):
			*p = &opmap.Spec{Resolver: s}
		default:
			*p = &opmap.Spec{Type: s}
		}
		if old != nil {
			(*p).List = old.List
		}
		return nil
	}}
}

func describedBefore(old *opmap.Spec, value string) string {
	if old == nil {
		return ""
	}
	for _, e := range old.Enum {
		if e.Value == value {
			return e.Description
		}
	}
	return ""
}

func specText(s *opmap.Spec) string {
	switch {
	case s == nil:
		return ""
	case s.File:
		return "file"
	case s.Dir:
		return "dir"
	case s.Command:
		return "command"
	case s.Resolver != "":
		return s.Resolver
	case s.Type != "":
		return s.Type
	}
	values := make([]string, len(s.Enum))
	for i, e := range s.Enum {
		values[i] = e.Value
	}
	if len(values) == 1 {
		return values[0] + ","
	}
	return strings.Join(values, ", ")
}
