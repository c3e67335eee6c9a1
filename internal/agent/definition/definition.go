// Package definition holds what an MCP server says of its tools, as hostile text:
// what of it is shown, the pin that tells one definition from another, and what
// in it a person should look at. It is pure.
package definition

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what a server may list (agent contract, "Gateway").
const (
	MaxTools  = 512
	MaxSchema = 32 << 10 // bytes
	MaxDepth  = 16
	MaxText   = 1 << 10 // bytes of a text that is shown
)

// Tool is a definition as the server gave it (the specification of MCP, "Tools").
type Tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema,omitempty"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  json.RawMessage `json:"annotations,omitempty"`
}

// Pin is the SHA-256, in hexadecimal, of the canonical JSON of the definition and
// of where it comes from: the command's words or the URL.
func (t *Tool) Pin(origin []string) string {
	h := sha256.New()
	h.Write(canonical(map[string]any{
		"name": t.Name, "title": t.Title, "description": t.Description, "input": decoded(t.InputSchema),
		"output": decoded(t.OutputSchema), "annotations": decoded(t.Annotations), "origin": origin,
	}))
	return hex.EncodeToString(h.Sum(nil))
}

// Canonical is JSON with sorted keys, no blanks and numbers as they were written.
// What is no JSON is a JSON text of its bytes.
func Canonical(raw json.RawMessage) []byte { return canonical(decoded(raw)) }

func decoded(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return string(raw)
	}
	return v
}

func canonical(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // maps, lists, texts and numbers alone come here
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Shown is the definition as an agent sees it: each text without characters that
// hide or reorder, at most MaxText bytes long.
func (t *Tool) Shown() Tool {
	s := *t
	s.Title, s.Description = Clean(t.Title), Clean(t.Description)
	s.InputSchema, s.OutputSchema = cleanSchema(t.InputSchema), cleanSchema(t.OutputSchema)
	s.Annotations = cleanSchema(t.Annotations)
	return s
}

// Clean drops control, bidirectional, zero-width and tag characters of a text,
// keeps line ends and tabs, and cuts it at MaxText bytes, marked with "…".
func Clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if hides(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	if len(text) <= MaxText {
		return text
	}
	cut := MaxText - len("…")
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// hides reports whether a character is not seen, or changes how others are.
func hides(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0xad, r == 0x61c, r == 0x180e, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff, r >= 0xfff9 && r <= 0xfffb:
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff: // variation selectors and tags carry hidden text
		return true
	}
	return false
}

// cleanSchema cleans each text of a schema, its keys included.
func cleanSchema(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	return canonical(cleanValue(decoded(raw)))
}

func cleanValue(v any) any {
	switch v := v.(type) {
	case string:
		return Clean(v)
	case []any:
		for i := range v {
			v[i] = cleanValue(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for key, inner := range v {
			clean[Clean(key)] = cleanValue(inner)
		}
		return clean
	}
	return v
}

// SchemaFault says why a definition's schemas cannot be used; "" if they can:
// too large, too deep, no object, or with a reference to somewhere else.
func (t *Tool) SchemaFault() string {
	if len(t.InputSchema) == 0 {
		return "inputSchema is missing"
	}
	for _, s := range [...]struct {
		name string
		raw  json.RawMessage
	}{{"inputSchema", t.InputSchema}, {"outputSchema", t.OutputSchema}} {
		if len(s.raw) == 0 {
			continue
		}
		if reason := schemaFault(s.raw); reason != "" {
			return s.name + " " + reason
		}
	}
	return ""
}

func schemaFault(raw json.RawMessage) string {
	if len(raw) > MaxSchema {
		return fmt.Sprintf("is larger than %d KiB", MaxSchema>>10)
	}
	schema, ok := decoded(raw).(map[string]any)
	if !ok {
		return "is no JSON object"
	}
	if kind, given := schema["type"]; given && kind != "object" {
		return "is not of type object"
	}
	return walkFault(schema, 1)
}

func walkFault(v any, depth int) string {
	if depth > MaxDepth {
		return fmt.Sprintf("is deeper than %d", MaxDepth)
	}
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			if reason := walkFault(inner, depth+1); reason != "" {
				return reason
			}
		}
	case map[string]any:
		for key, inner := range v {
			if text, ok := inner.(string); ok && (key == "$ref" || key == "$dynamicRef" || key == "$schema" && !knownDialect(text)) && !strings.HasPrefix(text, "#") {
				return "refers to another document by " + key
			}
			if reason := walkFault(inner, depth+1); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// knownDialect reports whether $schema names a dialect of json-schema.org, which
// nobody has to fetch.
func knownDialect(url string) bool {
	url = strings.TrimPrefix(strings.TrimPrefix(url, "https://"), "http://")
	return strings.HasPrefix(url, "json-schema.org/")
}

// texts are the texts of a definition with the place where each stands.
func (t *Tool) texts() []placed {
	out := []placed{{"name", t.Name}, {"title", t.Title}, {"description", t.Description}}
	for _, s := range [...]struct {
		name string
		raw  json.RawMessage
	}{{"inputSchema", t.InputSchema}, {"outputSchema", t.OutputSchema}, {"annotations", t.Annotations}} {
		out = collect(out, s.name, decoded(s.raw))
	}
	return slices.DeleteFunc(out, func(p placed) bool { return p.text == "" })
}

type placed struct{ place, text string }

func collect(out []placed, place string, v any) []placed {
	switch v := v.(type) {
	case string:
		return append(out, placed{place, v})
	case []any:
		for i, inner := range v {
			out = collect(out, fmt.Sprintf("%s[%d]", place, i), inner)
		}
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			if key != "" && Clean(key) != key {
				out = append(out, placed{place, key})
			}
			out = collect(out, place+"."+Clean(key), v[key])
		}
	}
	return out
}
