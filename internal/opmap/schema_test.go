package opmap

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/opmap/core"
)

// checker is as much of JSON Schema as the published schema uses.
type checker struct {
	t    *testing.T
	defs map[string]any
	used map[string]bool // keywords met, to notice one that is not checked
}

func newChecker(t *testing.T) (*checker, map[string]any) {
	var root map[string]any
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	return &checker{t: t, defs: root["$defs"].(map[string]any), used: map[string]bool{}}, root
}

// check returns why v does not fit, or "".
func (c *checker) check(schema map[string]any, v any, path string) string {
	for _, key := range []string{"$ref", "type", "const", "enum", "string", "object", "array", "number", "combine"} {
		if reason := c.keyword(key, schema, v, path); reason != "" {
			return reason
		}
	}
	for key := range schema {
		switch key {
		case "$ref", "type", "const", "enum", "pattern", "minLength", "maxLength", "required", "properties", "items",
			"minItems", "minimum", "maximum", "anyOf", "oneOf", "allOf", "not", "if", "then",
			"description", "default", "title", "$schema", "$id", "$defs":
		default:
			c.t.Fatalf("the schema uses %q, which this test does not check", key)
		}
	}
	return ""
}

func (c *checker) keyword(key string, s map[string]any, v any, path string) string {
	switch key {
	case "$ref":
		if ref, ok := s["$ref"].(string); ok {
			def, ok := c.defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
			if !ok {
				c.t.Fatalf("no definition for %q", ref)
			}
			return c.check(def, v, path)
		}
	case "type":
		if want, ok := s["type"]; ok && !hasType(want, v) {
			return fmt.Sprintf("%s is not of type %v", path, want)
		}
	case "const":
		if want, ok := s["const"]; ok && !reflect.DeepEqual(want, v) {
			return fmt.Sprintf("%s is not %v", path, want)
		}
	case "enum":
		if want, ok := s["enum"].([]any); ok && !slices.ContainsFunc(want, func(w any) bool { return reflect.DeepEqual(w, v) }) {
			return fmt.Sprintf("%s is not one of %v", path, want)
		}
	case "string":
		if text, ok := v.(string); ok {
			return checkText(s, text, path)
		}
	case "number":
		if n, ok := v.(float64); ok {
			if low, ok := s["minimum"].(float64); ok && n < low {
				return path + " is too small"
			}
			if high, ok := s["maximum"].(float64); ok && n > high {
				return path + " is too large"
			}
		}
	case "object":
		if o, ok := v.(map[string]any); ok {
			return c.object(s, o, path)
		}
	case "array":
		if list, ok := v.([]any); ok {
			return c.array(s, list, path)
		}
	case "combine":
		return c.combine(s, v, path)
	}
	return ""
}

func hasType(want, v any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(w any) bool { return hasType(w, v) })
	}
	switch v := v.(type) {
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case float64:
		return want == "number" || want == "integer" && v == float64(int(v))
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	}
	return false
}

func checkText(s map[string]any, text, path string) string {
	n := float64(utf8.RuneCountInString(text))
	if most, ok := s["maxLength"].(float64); ok && n > most {
		return path + " is too long"
	}
	if least, ok := s["minLength"].(float64); ok && n < least {
		return path + " is too short"
	}
	if p, ok := s["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(text) {
		return fmt.Sprintf("%s: %q does not match %s", path, text, p)
	}
	return ""
}

func (c *checker) object(s, o map[string]any, path string) string {
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := o[name.(string)]; !ok {
			return fmt.Sprintf("%s lacks %s", path, name)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for name, p := range properties {
		if v, ok := o[name]; ok {
			if reason := c.check(p.(map[string]any), v, path+"."+name); reason != "" {
				return reason
			}
		}
	}
	return ""
}

func (c *checker) array(s map[string]any, list []any, path string) string {
	if least, ok := s["minItems"].(float64); ok && float64(len(list)) < least {
		return path + " is too short"
	}
	if items, ok := s["items"].(map[string]any); ok {
		for i, v := range list {
			if reason := c.check(items, v, fmt.Sprintf("%s[%d]", path, i)); reason != "" {
				return reason
			}
		}
	}
	return ""
}

func (c *checker) combine(s map[string]any, v any, path string) string {
	fits := func(key string) (n int, last string) {
		list, _ := s[key].([]any)
		for _, sub := range list {
			if reason := c.check(sub.(map[string]any), v, path); reason == "" {
				n++
			} else {
				last = reason
			}
		}
		return n, last
	}
	if list, ok := s["allOf"].([]any); ok {
		if n, reason := fits("allOf"); n != len(list) {
			return reason
		}
	}
	if s["anyOf"] != nil {
		if n, reason := fits("anyOf"); n == 0 {
			return reason
		}
	}
	if s["oneOf"] != nil {
		if n, reason := fits("oneOf"); n != 1 {
			return fmt.Sprintf("%s fits %d of the alternatives (%s)", path, n, reason)
		}
	}
	if not, ok := s["not"].(map[string]any); ok && c.check(not, v, path) == "" {
		return path + " is of a refused form"
	}
	if cond, ok := s["if"].(map[string]any); ok && c.check(cond, v, path) == "" {
		return c.check(s["then"].(map[string]any), v, path)
	}
	return ""
}

func TestSchemaAcceptsWhatShips(t *testing.T) {
	c, root := newChecker(t)
	files, err := fs.Glob(core.Files, "tools/*/map.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("core maps: %v, %v", files, err)
	}
	contents := map[string]string{"the seed's record": seedRecord, "a list": `{"operations": [` + seedRecord + `]}`}
	for _, f := range files {
		data, err := fs.ReadFile(core.Files, f)
		if err != nil {
			t.Fatal(err)
		}
		contents[f] = string(data)
	}
	for name, data := range contents {
		var v any
		if err := json.Unmarshal([]byte(data), &v); err != nil {
			t.Fatal(err)
		}
		if reason := c.check(root, v, "$"); reason != "" {
			t.Errorf("%s is refused: %s", name, reason)
		}
	}
}

// TestSchemaRefusesBadFiles: what the schema can say, it says; the rest
// (names given twice, slots without a parameter) is the loader's.
func TestSchemaRefusesBadFiles(t *testing.T) {
	c, root := newChecker(t)
	for _, tt := range bad {
		var v any
		if json.Unmarshal([]byte(tt.data), &v) != nil {
			continue
		}
		if refused := c.check(root, v, "$") != ""; refused != tt.schema {
			t.Errorf("%s: refused %v, want %v: %s", tt.name, refused, tt.schema, tt.data)
		}
	}
}

// TestSchemaNamesEveryField holds the schema against what the loader reads: a
// file with every property of the schema has no unknown field.
func TestSchemaNamesEveryField(t *testing.T) {
	c, _ := newChecker(t)
	example := func(def string) map[string]any {
		out := map[string]any{}
		for name := range c.defs[def].(map[string]any)["properties"].(map[string]any) {
			out[name] = nil
		}
		return out
	}
	node := example("node")
	flag, arg, spec, wrapper := example("flag"), example("arg"), example("value_spec"), example("wrapper")
	flag["value_spec"], node["wrapper"] = spec, wrapper
	node["flags"], node["args"] = []any{flag}, []any{arg}
	op := example("operation")
	op["parameters"], op["steps"] = []any{example("parameter")}, []any{example("step")}
	source := example("map")
	source["tool"], source["node"], source["operations"] = "x", node, []any{op}
	data, err := json.Marshal(source)
	if err != nil {
		t.Fatal(err)
	}
	_, problems := Parse("x.json", data, ParseOptions{})
	for _, p := range problems {
		if p.Unknown {
			t.Errorf("the schema names %s, which the loader does not know", p.Field)
		}
	}
}
