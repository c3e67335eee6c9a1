package surface

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Snake writes a name in the grammar of IDs: "listPets" as "list_pets", other signs as
// "_".
func Snake(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case isSmall(r):
			b.WriteRune(r)
		case isCapital(r):
			// A word begins behind a small letter, and with the last capital of several.
			if i > 0 && (isSmall(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && isCapital(runes[i-1])) {
				b.WriteByte('_')
			}
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteByte('_')
		}
	}
	out := strings.Trim(b.String(), "_")
	for strings.Contains(out, "__") {
		out = strings.ReplaceAll(out, "__", "_")
	}
	return out
}

func isSmall(r rune) bool   { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }
func isCapital(r rune) bool { return r >= 'A' && r <= 'Z' }

// Named are values by the names of an API's parameters. Who knows a name from the API's
// own documents may write it so ("perPage", "X-Trace"), and a field of the body without
// "body.", where no other parameter is meant.
func Named(params []string, given map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		to := name
		if !slices.Contains(params, name) {
			for _, other := range [...]string{Snake(name), "body." + name, "body." + Snake(name), "body." + Snake(strings.TrimPrefix(name, "body."))} {
				if _, taken := given[other]; slices.Contains(params, other) && !taken {
					to = other
					break
				}
			}
		}
		out[to] = given[name]
	}
	return out
}

// Place says where in a request of an API a parameter stands: "path", "query",
// "header NAME" or "body"; "" where that is not known.
func Place(record json.RawMessage, name string) string {
	var r struct {
		Path, URL string
		Query     map[string]string
		Headers   map[string]string
		Body      json.RawMessage
	}
	if json.Unmarshal(record, &r) != nil {
		return ""
	}
	slot := "<" + name + ">"
	path, query, _ := strings.Cut(r.URL+r.Path, "?")
	switch {
	case strings.Contains(path, slot):
		return "path"
	case strings.Contains(query, slot):
		return "query"
	}
	for _, value := range r.Query {
		if strings.Contains(value, slot) {
			return "query"
		}
	}
	for _, header := range slices.Sorted(maps.Keys(r.Headers)) {
		if strings.Contains(r.Headers[header], slot) {
			return "header " + header
		}
	}
	body := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(r.Body))
	if strings.Contains(body, slot) || strings.HasPrefix(name, "body.") {
		return "body"
	}
	return ""
}
