package resolvers

import "strings"

// yamlEntry is a named block of a YAML text, with the plain values in it, at
// whatever depth; the first of a key counts.
type yamlEntry struct {
	name   string
	values map[string]string
}

// yamlLine is one "key: value" of a block style YAML text.
type yamlLine struct {
	indent     int  // column of the key, from 0
	item       bool // a list's item begins here
	key, value string
}

// eachYAML gives the keys of a text in block style, which configuration files
// of tools are written in. Block scalars are passed over; flow style is not read.
func eachYAML(text string, f func(yamlLine)) {
	scalar := -1 // indent of the key whose block scalar goes on
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n \t")
		rest := strings.TrimLeft(line, " ")
		l := yamlLine{indent: len(line) - len(rest)}
		if rest == "" || rest[0] == '#' || scalar >= 0 && l.indent > scalar {
			continue
		}
		scalar = -1
		for strings.HasPrefix(rest, "- ") || rest == "-" {
			l.item = true
			inner := strings.TrimLeft(rest[1:], " ")
			l.indent += len(rest) - len(inner)
			rest = inner
		}
		l.key, l.value = yamlPair(rest)
		if l.value != "" && (l.value[0] == '|' || l.value[0] == '>') {
			scalar, l.value = l.indent, ""
		}
		f(l)
	}
}

// yamlPair splits "key: value"; a text without a colon is all value.
func yamlPair(s string) (key, value string) {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 && strings.HasPrefix(s[end+2:], ":") {
			return s[1 : end+1], yamlScalar(strings.TrimSpace(s[end+3:]))
		}
		return "", yamlScalar(s)
	}
	if key, value, ok := strings.Cut(s, ": "); ok {
		return key, yamlScalar(strings.TrimSpace(value))
	}
	if key, ok := strings.CutSuffix(s, ":"); ok {
		return key, ""
	}
	return "", yamlScalar(s)
}

// yamlTop is the plain value of a key at the left margin.
func yamlTop(text, key string) (value string) {
	eachYAML(text, func(l yamlLine) {
		if l.indent == 0 && l.key == key && value == "" {
			value = l.value
		}
	})
	return value
}

// yamlEntries are the members of the mapping under a key at the left margin.
func yamlEntries(text, section string) []yamlEntry {
	var out []yamlEntry
	inside, at := false, 0
	eachYAML(text, func(l yamlLine) {
		switch {
		case l.indent == 0 && !l.item:
			inside, at = l.key == section, 0
		case !inside || l.key == "" && len(out) == 0:
		case at == 0 || l.indent == at && !l.item:
			at = l.indent
			out = append(out, yamlEntry{l.key, map[string]string{"": l.value}})
		default:
			out[len(out)-1].put(l)
		}
	})
	return out
}

// yamlItems are the items of the list under a key at the left margin, named by
// their own "name".
func yamlItems(text, section string) []yamlEntry {
	var out []yamlEntry
	inside, at := false, -1
	eachYAML(text, func(l yamlLine) {
		switch {
		case l.indent == 0 && !l.item:
			inside, at = l.key == section, -1
			return
		case !inside:
			return
		case l.item && (at < 0 || l.indent == at):
			at = l.indent
			out = append(out, yamlEntry{"", map[string]string{}})
		}
		if len(out) == 0 {
			return
		}
		last := &out[len(out)-1]
		if l.indent == at && l.key == "name" {
			last.name = l.value
		}
		last.put(l)
	})
	kept := out[:0]
	for _, e := range out {
		if e.name != "" {
			kept = append(kept, e)
		}
	}
	return kept
}

func (e *yamlEntry) put(l yamlLine) {
	if _, there := e.values[l.key]; !there {
		e.values[l.key] = l.value
	}
}
