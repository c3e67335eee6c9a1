package opmap

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxAliases bounds the nodes that a YAML file stands for: aliases could make much of
// little.
const maxNodes = 100_000

// readYAML reads a source file that is written as YAML. A failure is a *Problem with
// the line.
func readYAML(file string, data []byte) (*value, *Problem) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, &Problem{File: file, Line: yamlLine(err), Reason: "not YAML: " + strings.TrimPrefix(err.Error(), "yaml: "), Severity: Error}
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, &Problem{File: file, Line: 1, Reason: "holds no YAML document", Severity: Error}
	}
	r := &yamlReader{file: file}
	v, problem := r.value(doc.Content[0], 0)
	if problem != nil {
		return nil, problem
	}
	seedForm(v)
	return v, nil
}

// yamlLine is the line that an error of the library names.
func yamlLine(err error) int {
	_, after, ok := strings.Cut(err.Error(), "line ")
	if !ok {
		return 1
	}
	digits := after[:len(after)-len(strings.TrimLeft(after, "0123456789"))]
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 1
	}
	return n
}

type yamlReader struct {
	file  string
	nodes int
}

func (r *yamlReader) value(n *yaml.Node, depth int) (*value, *Problem) {
	v := &value{line: n.Line}
	fail := func(err error) (*value, *Problem) {
		return nil, &Problem{File: r.file, Line: n.Line, Reason: err.Error(), Severity: Error}
	}
	r.nodes++
	switch {
	case depth > maxDepth:
		return fail(fmt.Errorf("nested more than %d deep", maxDepth))
	case r.nodes > maxNodes:
		return fail(errors.New("stands for too much"))
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		v.kind = arrayKind
		for _, item := range n.Content {
			x, problem := r.value(item, depth+1)
			if problem != nil {
				return nil, problem
			}
			v.items = append(v.items, x)
		}
	case yaml.MappingNode:
		v.kind = objectKind
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind != yaml.ScalarNode {
				return fail(errors.New("a name is no text"))
			}
			if has(v, key.Value) {
				return fail(fmt.Errorf("%q is given twice", key.Value))
			}
			x, problem := r.value(n.Content[i+1], depth+1)
			if problem != nil {
				return nil, problem
			}
			v.members = append(v.members, member{key.Value, key.Line, x})
		}
	case yaml.ScalarNode:
		v.text = n.Value
		switch n.ShortTag() {
		case "!!null":
			v.kind, v.text = nullKind, ""
		case "!!bool":
			v.kind, v.yes, v.text = boolKind, strings.EqualFold(n.Value, "true"), ""
		case "!!int", "!!float":
			v.kind = numberKind
			if !isJSONNumber(n.Value) {
				v.kind = stringKind
			}
		default:
			v.kind = stringKind
		}
	}
	return v, nil
}

// isJSONNumber reports whether a number of YAML is one of JSON as it is written.
func isJSONNumber(s string) bool {
	v, problem := readJSON("", []byte(s))
	return problem == nil && v.kind == numberKind
}

// seedForm reads a record as the seed prints it: "operation" for the ID, the values of
// parameters by their names, and these at the margin behind an empty "parameters:"
// where the print has lost the indentation.
func seedForm(v *value) {
	if v.kind != objectKind || !has(v, "operation") || !has(v, "surface") {
		return
	}
	at := slices.IndexFunc(v.members, func(m member) bool { return m.name == "parameters" && m.value.kind == nullKind })
	if at < 0 {
		return
	}
	params := &value{kind: objectKind, line: v.members[at].line}
	rest := v.members[at+1:]
	n := 0
	for n < len(rest) && rest[n].value.kind != objectKind && rest[n].value.kind != arrayKind && !slices.Contains(operationFields, rest[n].name) {
		params.members = append(params.members, rest[n])
		n++
	}
	v.members[at].value = params
	v.members = slices.Delete(v.members, at+1, at+1+n)
}

// operationFields end the parameters of such a print.
var operationFields = []string{
	"effect", "risk", "approval", "method", "path", "server", "auth", "headers", "body", "intent", "surface", "operation", "output_policy", "description", "timeout",
}
