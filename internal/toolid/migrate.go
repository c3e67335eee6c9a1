package toolid

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/toml"
)

// Change is an old ID in a file and what takes its place.
type Change struct {
	Line int    `json:"line"` // from 1
	From string `json:"from"`
	To   string `json:"to"`
}

// Migrated is a file with its old IDs rewritten; every other byte is as it was.
type Migrated struct {
	Kind     string // "toml", "json", "jsonl" or "text"
	Data     []byte
	Changes  []Change
	Warnings []string
}

// edit is a replacement of the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// migration is a file while it is read.
type migration struct {
	data     []byte
	old      map[string]string
	edits    []edit
	changes  []Change
	warnings []string
}

// Migrate rewrites the old IDs of a file: in TOML, JSON and JSON lines the
// strings and keys that are exactly one, and old wildcards in lists named allow
// or deny; in other text whole tokens. What cannot be done without harm is an
// error, and nothing of that file is changed: a file that does not parse, one
// that is not text, a key whose new name is there already.
func Migrate(name string, data []byte) (Migrated, error) {
	m := &migration{data: data, old: oldIDs()}
	kind, err := kindOf(name), error(nil)
	switch {
	case bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data):
		err = fmt.Errorf("is no text")
	case kind == "toml":
		err = m.toml()
	case kind == "json":
		err = m.json(data, 0)
	case kind == "jsonl":
		err = m.jsonLines()
	default:
		m.text()
	}
	if err != nil {
		return Migrated{Kind: kind}, err
	}
	return Migrated{Kind: kind, Data: m.apply(), Changes: m.changes, Warnings: m.warnings}, nil
}

// oldIDs are the IDs that are rewritten, with their canonical ones.
func oldIDs() map[string]string {
	out := map[string]string{}
	for id, to := range legacy {
		out[id] = to
	}
	for _, a := range Aliases().Aliases {
		out[a.ID] = a.Canonical
	}
	return out
}

func kindOf(name string) string {
	switch dot := strings.LastIndexByte(name, '.'); {
	case dot < 0:
	case strings.EqualFold(name[dot:], ".toml"):
		return "toml"
	case strings.EqualFold(name[dot:], ".json"):
		return "json"
	case strings.EqualFold(name[dot:], ".jsonl"), strings.EqualFold(name[dot:], ".ndjson"):
		return "jsonl"
	}
	return "text"
}

func (m *migration) lineOf(at int) int { return 1 + bytes.Count(m.data[:at], []byte("\n")) }

func (m *migration) replace(start, end int, from, to, text string) {
	m.edits = append(m.edits, edit{start, end, text})
	m.changes = append(m.changes, Change{m.lineOf(start), from, to})
}

func (m *migration) warn(at int, format string, args ...any) {
	m.warnings = append(m.warnings, fmt.Sprintf("line %d: ", m.lineOf(at))+fmt.Sprintf(format, args...))
}

func (m *migration) apply() []byte {
	if len(m.edits) == 0 {
		return m.data
	}
	var out []byte
	at := 0
	for _, e := range m.edits {
		out = append(append(out, m.data[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, m.data[at:]...)
}

// list is the kind of list that a string stands in.
type list int

const (
	noList list = iota
	allowList
	denyList
)

func listNamed(key string) list {
	switch strings.ToLower(key) {
	case "allow":
		return allowList
	case "deny":
		return denyList
	}
	return noList
}

// value rewrites a quoted string that stands from start to end; quote writes
// one of the same kind.
func (m *migration) value(start, end int, text string, in list, quote func(string) string) {
	if to, ok := m.old[text]; ok {
		m.replace(start, end, text, to, quote(to))
		return
	}
	switch expanded := Expand(text, in == denyList); {
	case expanded == nil:
	case in == noList:
		m.warn(start, "%q is an old wildcard: write what it stands for (%s)", text, strings.Join(expanded, ", "))
	default:
		quoted := make([]string, len(expanded))
		for i, id := range expanded {
			quoted[i] = quote(id)
		}
		m.replace(start, end, text, strings.Join(expanded, ", "), strings.Join(quoted, ", "))
	}
}

func jsonQuote(s string) string { return `"` + s + `"` } // IDs have nothing to escape

func (m *migration) jsonLines() error {
	at := 0
	for line := range bytes.Lines(m.data) {
		if len(bytes.TrimSpace(line)) > 0 {
			if err := m.json(line, at); err != nil {
				return err
			}
		}
		at += len(line)
	}
	return nil
}

// jsonFrame is an object or an array while it is read.
type jsonFrame struct {
	object bool
	key    string // of the member that is read
	keys   []string
	list   list
}

// json rewrites the document that stands in the file from offset on.
func (m *migration) json(doc []byte, offset int) error {
	if bom := []byte("\ufeff"); bytes.HasPrefix(doc, bom) {
		doc, offset = doc[len(bom):], offset+len(bom)
	}
	if !json.Valid(doc) {
		return fmt.Errorf("line %d: is no JSON", m.lineOf(offset))
	}
	var stack []jsonFrame
	wantKey := false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; c {
		case '{', '[':
			f := jsonFrame{object: c == '{'}
			if c == '[' && len(stack) > 0 {
				if top := &stack[len(stack)-1]; top.object {
					f.list = listNamed(top.key)
				}
			}
			stack, wantKey = append(stack, f), c == '{'
		case '}', ']':
			if err := m.clash(stack[len(stack)-1].keys, offset+i); err != nil {
				return err
			}
			stack, wantKey = stack[:len(stack)-1], false
		case ',':
			wantKey = len(stack) > 0 && stack[len(stack)-1].object
		case ':':
			wantKey = false
		case '"':
			end := stringEnd(doc, i)
			var text string
			if json.Unmarshal(doc[i:end], &text) != nil {
				return fmt.Errorf("line %d: is no JSON", m.lineOf(offset+i))
			}
			in := noList
			switch {
			case wantKey:
				top := &stack[len(stack)-1]
				top.key, top.keys = text, append(top.keys, text)
			case len(stack) > 0:
				in = stack[len(stack)-1].list
			}
			m.value(offset+i, offset+end, text, in, jsonQuote)
			i = end - 1
		}
	}
	return nil
}

// clash says that the keys of one object would fall together.
func (m *migration) clash(keys []string, at int) error {
	seen := map[string]string{}
	for _, key := range keys {
		name := key
		if to, ok := m.old[key]; ok {
			name = to
		}
		if other, ok := seen[name]; ok && other != key {
			return fmt.Errorf("line %d: %q and %q would become one key", m.lineOf(at), other, key)
		}
		seen[name] = key
	}
	return nil
}

// stringEnd is the offset after the string in double quotes that begins at i.
func stringEnd(s []byte, i int) int {
	for i++; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(s))
}

// toml rewrites a TOML document, which the strict reader has accepted: what
// follows looks for its strings alone.
func (m *migration) toml() error {
	doc, err := toml.Parse(strings.TrimPrefix(string(m.data), "\ufeff"))
	if err != nil {
		return err
	}
	if err := m.tomlClash(doc); err != nil {
		return err
	}
	m.tomlStrings()
	return nil
}

// tomlStrings rewrites the strings of a document that is sound.
func (m *migration) tomlStrings() {
	var word string  // the last key or bare word
	var pending list // what the array is that a key's "=" comes before
	var open []list  // the arrays and inline tables around
	header, key := false, true
	for i := 0; i < len(m.data); i++ {
		switch c := m.data[i]; c {
		case '#':
			for i+1 < len(m.data) && m.data[i+1] != '\n' {
				i++
			}
		case '\n':
			if len(open) == 0 {
				header, key, pending = false, true, noList
			}
		case '=':
			pending, key = listNamed(word), false
		case '[', '{':
			if key && len(open) == 0 {
				header = true
			}
			if !header {
				open, pending = append(open, pending), noList
			}
		case ']', '}':
			if !header && len(open) > 0 {
				open = open[:len(open)-1]
			}
		case '"', '\'':
			end, text, plain := tomlString(m.data, i)
			word = text
			if plain {
				in := noList
				if len(open) > 0 {
					in = open[len(open)-1]
				}
				m.value(i, end, text, in, func(s string) string { return string(c) + s + string(c) })
			}
			i = end - 1
		default:
			if bareKey(c) {
				start := i
				for i+1 < len(m.data) && bareKey(m.data[i+1]) {
					i++
				}
				word = string(m.data[start : i+1])
			}
		}
	}
}

func bareKey(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// tomlString reads the string at i: its end, its text, and whether it stands on
// one line without an escape, as every ID does.
func tomlString(s []byte, i int) (end int, text string, plain bool) {
	quote := s[i]
	if long := bytes.Repeat([]byte{quote}, 3); bytes.HasPrefix(s[i:], long) {
		end = i + 3
		for end < len(s) && !bytes.HasPrefix(s[end:], long) {
			if s[end] == '\\' && quote == '"' {
				end++
			}
			end++
		}
		for end = min(end+3, len(s)); end < len(s) && s[end] == quote; { // up to two quotes more belong to it
			end++
		}
		return end, "", false
	}
	if quote == '"' {
		end = stringEnd(s, i)
	} else {
		end = i + 1
		for end < len(s) && s[end] != quote {
			end++
		}
		end = min(end+1, len(s))
	}
	if end-1 <= i {
		return end, "", false
	}
	text = string(s[i+1 : end-1])
	return end, text, !strings.Contains(text, `\`)
}

// tomlClash looks for keys of one table that would fall together.
func (m *migration) tomlClash(v any) error {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if to, ok := m.old[key]; ok {
				if _, there := v[to]; there {
					return fmt.Errorf("%q and %q would become one key", key, to)
				}
			}
			if err := m.tomlClash(inner); err != nil {
				return err
			}
		}
	case []any:
		for _, inner := range v {
			if err := m.tomlClash(inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// text rewrites whole tokens of a text: names joined by dots that nothing which
// a longer name, a path or an address could hold stands beside.
func (m *migration) text() {
	for i := 0; i < len(m.data); {
		if !bareKey(m.data[i]) {
			i++
			continue
		}
		start := i
		for i < len(m.data) && (bareKey(m.data[i]) || m.data[i] == '.' && i+1 < len(m.data) && bareKey(m.data[i+1])) {
			i++
		}
		token := string(m.data[start:i])
		if start > 0 && slices.Contains([]byte("./@:\\$"), m.data[start-1]) {
			continue
		}
		if bytes.HasPrefix(m.data[i:], []byte(".*")) && Expand(token+".*", false) != nil {
			m.warn(start, "%s.* is an old wildcard: write what it stands for", token)
			continue
		}
		if i < len(m.data) && slices.Contains([]byte("/@\\"), m.data[i]) {
			continue
		}
		if to, ok := m.old[token]; ok {
			m.replace(start, i, token, to, to)
		}
	}
}
