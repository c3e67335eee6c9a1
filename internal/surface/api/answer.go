package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// view is an answer as it is read first.
type view struct {
	text string          // "" shows the body as it came
	json json.RawMessage // nil if it is no JSON
	// fields go into the summary.
	fields  map[string]any
	message string // of an error
}

// maxShown bounds the JSON of a view in bytes; what is longer loses elements.
const maxShown = 256 << 10

func indent(data []byte) ([]byte, error) {
	var out bytes.Buffer
	err := json.Indent(&out, data, "", "  ")
	return out.Bytes(), err
}

// isJSON reports whether a content type says JSON.
func isJSON(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	return err == nil && (media == JSONType || strings.HasSuffix(media, "+json") || media == "text/json")
}

// look makes the view of an answer.
func look(status int, contentType string, body []byte, paths []path, format string, width int) view {
	v := view{fields: map[string]any{}}
	value, err := decode(body)
	if err != nil || len(body) == 0 {
		if isJSON(contentType) && len(bytes.TrimSpace(body)) > 0 {
			v.fields["not_json"] = true
		}
		if status >= http.StatusBadRequest {
			v.message = statusText(status)
		}
		return v
	}
	if status >= http.StatusBadRequest {
		v.message = statusText(status)
		if o, ok := value.(object); ok {
			if text := problem(o); text != "" {
				v.message += ": " + text
			}
		}
		v.json, v.text = cut(value, v.fields), pretty(value)
		return v
	}
	v.show(value, paths, format, width)
	return v
}

// show makes text and JSON of a value.
func (v *view) show(value any, paths []path, format string, width int) {
	chosen := selected(value, paths)
	if list, ok := chosen.([]any); ok {
		v.fields["items"] = len(list)
	}
	v.json = cut(chosen, v.fields)
	switch format {
	case "ndjson":
		v.text = inLines(chosen, width > 0)
		return
	case "csv":
		v.text = commas(chosen, width > 0)
		return
	}
	if list, ok := listOf(chosen); ok {
		v.text = table(list, len(paths) > 0, width)
	}
	if v.text == "" {
		v.text = pretty(chosen)
	}
}

// cut is a value as JSON that is not longer than is shown: of a list the first
// elements, and the count of the rest.
func cut(v any, fields map[string]any) json.RawMessage {
	data, err := encodeJSON(v)
	if err != nil {
		return nil
	}
	if len(data) <= maxShown {
		return data
	}
	list, ok := v.([]any)
	if !ok {
		fields["cut"] = true
		return nil
	}
	out := []byte{'['}
	for i, item := range list {
		data, err := encodeJSON(item)
		if err != nil || len(out)+len(data) > maxShown {
			fields["omitted_items"] = len(list) - i
			break
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, data...)
	}
	return append(out, ']')
}

// problem is what an object says of an error: that of RFC 9457, or the members that
// others use for it.
func problem(o object) string {
	var parts []string
	add := func(v any) {
		if text, ok := v.(string); ok && text != "" {
			parts = append(parts, clean(text))
		}
	}
	for _, name := range [...]string{"title", "detail", "message", "error_description", "error", "errors"} {
		v, _ := o.get(name)
		switch v := v.(type) {
		case object:
			add(problem(v))
		case []any:
			for _, item := range v[:min(len(v), 5)] {
				if inner, ok := item.(object); ok {
					add(problem(inner))
				} else {
					add(item)
				}
			}
		default:
			add(v)
		}
	}
	return strings.Join(parts, ": ")
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("HTTP %d %s", status, http.StatusText(status)))
}

// summary is the answer in a line: "200 OK, application/json, 1.2 KB".
func summary(status int, contentType string, size int64) string {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media = "no content type"
	}
	return fmt.Sprintf("%s, %s, %s", statusText(status), clean(media), screen.Size(size))
}
