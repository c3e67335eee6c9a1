// Package usage reads specs of usage (https://usage.jdx.dev): KDL with flags,
// args and cmds. Nothing of a spec is run: a completer that runs a command is a
// gap, or one of our resolvers where that lists the same.
package usage

import (
	"bytes"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/kdl"
)

// Spec is what a file says.
type Spec struct {
	Root             *draft.Node
	Version, Licence string
}

// maxDepth bounds commands below commands, and sets of flags that use others.
const maxDepth = 40

// Read reads a spec, or a script that holds one in comments that begin with
// "#USAGE". The error is a *draft.Fault.
func Read(data []byte) (*Spec, error) {
	if bytes.HasPrefix(data, []byte("#!")) {
		data = comments(data)
	}
	nodes, err := kdl.Parse(data)
	if err != nil {
		return nil, err
	}
	r := &reader{sets: map[string]*kdl.Node{}}
	for _, n := range nodes {
		if n.Name == "flagset" && len(n.Args) > 0 {
			r.sets[n.Args[0].Text] = n
		}
	}
	s := &Spec{Root: &draft.Node{At: at(1)}}
	var rest []*kdl.Node
	name := ""
	for _, n := range nodes {
		text := first(n)
		switch n.Name {
		case "name":
			name = text
		case "bin":
			s.Root.Name = text
		case "version":
			s.Version = text
		case "license", "licence":
			s.Licence = text
		case "about":
			s.Root.Description = text
		case "flagset", "author", "repository", "min_usage_version", "long_version", "long_about", "about_md", "before_help", "after_help",
			"before_long_help", "after_long_help", "before_help_md", "after_help_md", "source_code_link_template", "help_template", "usage":
			// of help pages, not of what can be typed
		default:
			rest = append(rest, n)
		}
	}
	if s.Root.Name == "" {
		s.Root.Name = strings.ToLower(name)
	}
	if s.Root.Description == "" {
		for _, n := range nodes {
			if n.Name == "long_about" {
				s.Root.Description = first(n)
			}
		}
	}
	r.command(s.Root, rest, 0)
	if r.fault != nil {
		return nil, r.fault
	}
	return s, nil
}

// comments are the lines of a script that belong to its spec, in their places.
func comments(data []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(data) {
		text := bytes.TrimRight(line, "\r\n")
		for _, mark := range [...]string{"#USAGE ", "# [USAGE] ", "//USAGE ", "// [USAGE] "} {
			if rest, ok := bytes.CutPrefix(text, []byte(mark)); ok {
				out.Write(rest)
				break
			}
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// first is the text of a node's first argument.
func first(n *kdl.Node) string {
	if len(n.Args) == 0 {
		return ""
	}
	return n.Args[0].Text
}

func at(line int) draft.Place { return draft.Place{Source: draft.Spec, Line: line} }

func gap(n *draft.Node, line int, text string) {
	n.Gaps = append(n.Gaps, draft.Gap{At: at(line), Text: text})
}

type reader struct {
	sets  map[string]*kdl.Node // flagsets by name
	flags int
	subs  int
	fault *draft.Fault
}

func (r *reader) failf(line int, format string, args ...any) {
	if r.fault == nil {
		r.fault = draft.Faultf(line, format, args...)
	}
}

// attributes are what is said of a node: its properties and the children that
// say the same.
type attributes map[string]kdl.Value

func attributesOf(n *kdl.Node) attributes {
	a := attributes{}
	for _, c := range n.Children {
		if len(c.Args) > 0 {
			a[c.Name] = c.Args[0]
		} else if len(c.Props) == 0 && len(c.Children) == 0 {
			a[c.Name] = kdl.Value{Kind: kdl.Bool, Bool: true, Line: c.Line}
		}
	}
	for _, p := range n.Props {
		a[p.Name] = p.Value
	}
	return a
}

func (a attributes) yes(name string) bool { return a[name].Kind == kdl.Bool && a[name].Bool }

// said reports whether something is given and is not denied.
func (a attributes) said(name string) bool {
	v, ok := a[name]
	return ok && v.Kind != kdl.Null && (v.Kind != kdl.Bool || v.Bool)
}

func (a attributes) text(names ...string) string {
	for _, name := range names {
		if v, ok := a[name]; ok && v.Kind != kdl.Bool && v.Kind != kdl.Null && v.Text != "" {
			return v.Text
		}
	}
	return ""
}
