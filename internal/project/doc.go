package project

import (
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/internal/yaml"
	"github.com/tool-mapping-protocol/tmp/resolvers/tasks"
)

// maxDeep bounds how deep a document nests that is made a tree.
const maxDeep = 200

// json reads a file of JSON, comments allowed, as a tree; nil if it is not there
// or is none.
func (l *look) json(path string) *yaml.Node {
	if n, ok := l.docs[path]; ok {
		return n
	}
	n := l.readJSON(path)
	l.docs[path] = n
	return n
}

func (l *look) readJSON(path string) *yaml.Node {
	data, ok := l.open(path)
	if !ok {
		return nil
	}
	var n *yaml.Node
	err := jsonscan.Read(tasks.PlainJSON(data), func(j *jsonscan.Reader) (err error) {
		n, err = jsonNode(j, 0)
		return err
	})
	if err != nil {
		l.skip(path, "is no JSON: "+err.Error())
		return nil
	}
	return n
}

func jsonNode(j *jsonscan.Reader, depth int) (*yaml.Node, error) {
	n := &yaml.Node{}
	if depth > maxDeep {
		return n, j.Skip()
	}
	switch j.Peek() {
	case '{':
		n.Kind = yaml.Map
		return n, j.Object(func(key string) error {
			v, err := jsonNode(j, depth+1)
			n.Keys, n.Values = append(n.Keys, key), append(n.Values, v)
			return err
		})
	case '[':
		n.Kind = yaml.List
		return n, j.Array(func() error {
			v, err := jsonNode(j, depth+1)
			n.Items = append(n.Items, v)
			return err
		})
	case '"':
		var err error
		n.Text, err = j.Text()
		return n, err
	case 't':
		n.Text = "true"
	case 'f':
		n.Text = "false"
	}
	return n, j.Skip()
}

// toml reads a file of TOML; nil if it is not there or is none.
func (l *look) toml(path string) map[string]any {
	data, ok := l.open(path)
	if !ok {
		return nil
	}
	doc, err := toml.Parse(string(data))
	if err != nil {
		l.skip(path, "is no TOML: "+err.Error())
		return nil
	}
	return doc
}

// yaml reads a file of YAML; nil if it is not there or is none.
func (l *look) yaml(path string) *yaml.Node {
	data, ok := l.open(path)
	if !ok {
		return nil
	}
	n, err := yaml.Parse(string(data))
	if err != nil {
		l.skip(path, "is no YAML that is read: "+err.Error())
		return nil
	}
	return n
}

// str is the text of a file, "" if it is not there or cannot be read.
func (l *look) str(path string) string {
	data, _ := l.open(path)
	return string(data)
}

// Text and Glob make a look a tasks.Source.
func (l *look) Text(path string) (string, bool) {
	if !within(l.root, path) {
		return "", false
	}
	data, ok := l.open(path)
	return string(data), ok
}

// Glob lists what a pattern in the last part of a path stands for.
func (l *look) Glob(pattern string) []string {
	dir, base := filepath.Split(pattern)
	dir = filepath.Clean(dir)
	if strings.ContainsAny(dir, "*?[") || !within(l.root, dir) {
		return nil
	}
	var out []string
	for _, e := range l.list(dir) {
		if ok, _ := filepath.Match(base, e.Name); ok && !e.Dir && len(out) < 500 {
			out = append(out, filepath.Join(dir, e.Name))
		}
	}
	return out
}

// textOf and its like read a file of the unit, whose listing may say that it is not
// there.
func (u *unit) textOf(name string) string {
	if !u.mayHold(name) {
		return ""
	}
	return u.str(u.at(name))
}

func (u *unit) jsonOf(name string) *yaml.Node {
	if !u.mayHold(name) {
		return nil
	}
	return u.json(u.at(name))
}

func (u *unit) yamlOf(name string) *yaml.Node {
	if !u.mayHold(name) {
		return nil
	}
	return u.yaml(u.at(name))
}

func (u *unit) tomlOf(name string) map[string]any {
	if !u.mayHold(name) {
		return nil
	}
	return u.toml(u.at(name))
}

func (u *unit) listOf(name string) []Entry {
	if name != "" && !u.mayHold(name) {
		return nil
	}
	return u.list(u.at(name))
}
