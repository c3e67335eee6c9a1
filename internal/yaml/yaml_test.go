package yaml

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	library "gopkg.in/yaml.v3"
)

func TestParse(t *testing.T) {
	n, err := Parse("%s\n---\na: 1 # one\nb:\n- x: y\n  z: [1, 'two, 2', {k: v}]\n- plain\n-\n  - deep\nc: |-\n  one\n   two\n\n  three\nd: text\n  goes on\n'e f': \"q\\\"\\n\"\ng: &anchor {h: i,\n  j: k}\nh: *anchor\nl:\n"[3:])
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ got, want string }{
		{n.At("a").Str(), "1"},
		{n.At("b").Items[0].At("x").Str(), "y"},
		{n.At("b").Items[0].At("z").Items[1].Str(), "two, 2"},
		{n.At("b").Items[0].At("z").Items[2].At("k").Str(), "v"},
		{n.At("b").Items[1].Str(), "plain"},
		{n.At("b").Items[2].Items[0].Str(), "deep"},
		{n.At("c").Str(), "one\n two\n\nthree"},
		{n.At("d").Str(), "text goes on"},
		{n.At("e f").Str(), "q\"\n"},
		{n.At("g").At("j").Str(), "k"},
		{n.At("h").Str(), ""},
		{n.At("l").Str(), ""},
		{n.At("no").At("such").Str(), ""},
		{fmt.Sprint(n.Names()), "[a b c d e f g h l]"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
	if got := n.At("h").Kind; got != Alias {
		t.Errorf("an alias is %d", got)
	}
}

// What is not read is refused, at its line.
func TestRefused(t *testing.T) {
	for text, line := range map[string]int{
		"a: 1\n? b\n: c\n":       2,
		"a:\n\tb: c\n":           2,
		"a: b: c\n":              1,
		"a: [b\nc: d\n":          2,
		"a: \"b\nc: d\n":         2,
		"a:\n    b: c\n  d: e\n": 3,
		"a: 'x' y\n":             1,
		"%YAML 1.2\n---\na: b\n": 1,
		"a: |\n    x\n  y\n":     3,
		"a\x00: b":               1,
	} {
		n, err := Parse(text)
		var e *Error
		if !errors.As(err, &e) || e.Line != line {
			t.Errorf("%q: %v, %v; want an error in line %d", text, n, err, line)
		}
	}
}

// seeds are texts as tools have them, and some that look like others.
var seeds = []string{
	"version: '3'\n\nincludes:\n  docs: ./docs\n  lib:\n    taskfile: ../lib/Taskfile.yml\n    vars: {A: b, C: 'd e'}\n\ntasks:\n  default:\n    deps: [build, test]\n  build:\n    desc: Build: it all\n",
	"tasks:\n  a:\n    desc: \"Say \\\"hi\\\"\" # greet\n    cmds:\n      - echo {{.CLI_ARGS}}\n      - |\n        for i in 1 2; do\n          echo $i\n        done\n\n      - task: b\n        vars:\n          X: 1\n      - cmd: >-\n          one\n          two\n\n          three\n        silent: true\n  b: echo b\n  'c:d': [x, y]\n",
	"services:\n  web: &web\n    image: nginx:1.2\n    ports:\n    - \"80:80\"\n    - 443\n  two:\n    <<: *web\n    command: [\"sh\", \"-c\", 'it''s']\n  three: {}\n  four: []\nx: ~\n",
	"apiVersion: v1\ncontexts:\n- context:\n    cluster: c\n    namespace: n\n  name: one\n- {name: two, context: {cluster: d}}\ncurrent-context: one\nusers: null\n",
	"packages:\n  # all\n  - 'libs/*'\n  - \"tools/one\" # here\n- plain\ncatalog:\n",
	"packages: [a, \"b/*\", '!c',\n  d]\n", "a: !!str 1\nb: !local\n  c: d\ne: &x\n  - f\n",
	"- - a\n  - b\n-\n  c: d\n- e:\n  - f\n", "a: |2+\n   x\n\n\nb: >\n  c\n  d\n", "a:\n\n\n  b\n  c\n\n  d\n", "key : v\n\"q\" : w\n? x\n",
	"a: b # c\n  d\n", "a: b\n # c\n  d\n", "a: - b\n", "a: b\n- c\n", "---\n# c\na: b\n...\nc: d\n", "--- a\n", "a: \"x\n  y\n\n  z\"\n", "a: 'x\n\n  y'\n", "{a: b, \"c\":d, e}\n", "[a, [b], {c: }]\n", "a:b\n", "a: *b\n", "&a b: c\n",
	"a: |\n\n\n  x\n y: z\n", "a: #x\n  b\n", "a: -\n", "a: -b\nc: ?d\ne: :f\n", "'a\n", "a: @b\n", "a: b\tc\n", "a:\tb\n", "a: [b, #c\n d]\n", "a: {b\n c: d}\n", "x: 'a' # b\n", "x: \"\\u00e9\\x41\"\n",
	"a: |\n  x\n # c\nb: d\n", "a: >\n\n  x\n   y\n", "a: |-\n", "a: |+\n\n\n", "- |\n x\n- >-\n y\n", "a: {}\n\n  b\n", "a: 'b'\n  c: d\n", "a: b\n  c: d\n", "- a\n b\n", "a: \n  - b\n c: d\n", "a: [b]\n  - c\n",
}

func TestSameAsTheLibrary(t *testing.T) {
	read := 0
	for _, s := range seeds {
		if sameAsLibrary(t, s) {
			read++
		}
	}
	if read < len(seeds)/2 {
		t.Errorf("only %d of %d texts are read", read, len(seeds))
	}
	for _, s := range seeds[:4] { // what tools have
		if strings.Contains(s, "Build: it") {
			s = strings.ReplaceAll(s, "Build: it", "Build it")
		}
		if !sameAsLibrary(t, s) {
			_, err := Parse(s)
			t.Errorf("not read: %v\n%s", err, s)
		}
	}
}

// What both read has the same keys, texts and structure.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { sameAsLibrary(t, text) })
}

// sameAsLibrary compares a text that both read, and reports whether they do.
func sameAsLibrary(t *testing.T, text string) bool {
	t.Helper()
	got, err := Parse(text)
	if err != nil {
		return false
	}
	var want library.Node
	if libraryReads(text, &want) != nil {
		return false
	}
	root := &want
	if root.Kind == library.DocumentNode {
		root = root.Content[0]
	}
	if at := differ(got, root, ""); at != "" {
		t.Errorf("%q: at %s", text, at)
	}
	return true
}

func libraryReads(text string, n *library.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return library.Unmarshal([]byte(text), n)
}

// differ says where two trees are not the same, "" for nowhere.
func differ(got *Node, want *library.Node, at string) string {
	switch want.Kind {
	case library.MappingNode:
		if got.Kind != Map || 2*len(got.Keys) != len(want.Content) {
			return fmt.Sprintf("%s: %+v, want a mapping of %d", at, *got, len(want.Content)/2)
		}
		for i, k := range got.Keys {
			if w := want.Content[2*i]; w.Kind != library.ScalarNode || w.Value != k {
				return fmt.Sprintf("%s: key %q, want %q", at, k, w.Value)
			}
			if d := differ(got.Values[i], want.Content[2*i+1], at+"."+k); d != "" {
				return d
			}
		}
	case library.SequenceNode:
		if got.Kind != List || len(got.Items) != len(want.Content) {
			return fmt.Sprintf("%s: %+v, want a list of %d", at, *got, len(want.Content))
		}
		for i, n := range got.Items {
			if d := differ(n, want.Content[i], fmt.Sprintf("%s[%d]", at, i)); d != "" {
				return d
			}
		}
	case library.AliasNode:
		if got.Kind != Alias {
			return fmt.Sprintf("%s: %+v, want an alias", at, *got)
		}
	default:
		if got.Kind != Text || got.Text != want.Value {
			return fmt.Sprintf("%s: %+v, want the text %q", at, *got, want.Value)
		}
	}
	return ""
}
